"""Whether what stood in 0.1 is slower now: processor time, the least of many interleaved runs; or instructions.

    python benchmarks/_before.py /path/to/python/of/0.1     prints a table; --write puts it into docs/reference/speed.md
    python benchmarks/_before.py … --count                  counts instructions, which a busy machine does not change

The other Python has noughts of another revision (make setup in a checkout of it). Counting runs each work under
valgrind's callgrind, once and three times: half of the difference is what one run costs, its start left out, with the
kernels of AVX2, as valgrind knows no more; it takes an hour. In an older checkout names are found where they were.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import date
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "speed.md"
HEADING = "## Beside 0.1"
SLOWER = 1.05
ROUNDS = 5  # of interleaved processes
WERE = {"noughts.rules.playouts": "noughts.playout", "noughts.rules.": "noughts.", "play.by_name": "play.named"}
WORKS = {
    "a move and the status": """
        from noughts import Game
        made = [(p, p.moves()[0]) for p in list(Game().positions())[:1500] if p.moves()]
        def work():
            for p, c in made: p.play(c).status""",
    "reading a position": """
        from noughts import Game, Position
        made = [str(p) for p in list(Game().positions())[:400]]
        def work():
            for text in made: Position.parse(text)""",
    "legality of 5x5k4": """
        from noughts import Position
        from noughts.rules.legality import check
        def work():
            for text in ("5x5k4:XOXO./OXOX./XOXO./OXOX./.....", "5x5k4:XX.OO/XX.OO/...../...../....."):
                for _ in range(20): check(text)""",
    "the least of an orbit": """
        from noughts import Game
        from noughts.rules.symmetry import canonical
        made = list(Game().positions())[:300]
        def work():
            for p in made: canonical(p)""",
    "threats and forks of 5x5k4": """
        from noughts import Position
        from noughts.threats import forks, winning_moves, blocking_moves
        p = Position.parse("5x5k4:XX.../OO.../...../...../.....")
        def work():
            for _ in range(50): winning_moves(p), blocking_moves(p), forks(p)""",
    "batch status, 3x3": """
        import numpy as np
        from noughts import Game
        from noughts.rules.batch import status
        ps = [p for p in Game().positions()] * 20
        x, o = np.array([p.x for p in ps], np.uint16), np.array([p.o for p in ps], np.uint16)
        def work():
            for _ in range(20): status(Game(), x, o)""",
    "perft(7), 3x3": """
        from noughts import Game
        from noughts.rules.perft import perft
        def work(): perft(Game().start(), 7)""",
    "random games, 4x4k4": """
        from noughts import Game
        from noughts.rules.playouts import playouts
        def work(): playouts(Game(4, 4, 4).start(), 5000)""",
    "minimax, 3x3 from the second move": """
        from noughts import Position
        from noughts.search import search
        def work(): search(Position.parse("X........"), "minimax")""",
    "alpha-beta, the empty 3x3": """
        from noughts import Game
        from noughts.search import search
        def work(): search(Game().start(), "alphabeta")""",
    "strong solve, 3x4k3": """
        from noughts import Game
        from noughts.solve import Solution
        def work(): Solution.solve(Game(3, 4, 3), threads=1)""",
    "strong solve, 3x5k4": """
        from noughts import Game
        from noughts.solve import Solution
        def work(): Solution.solve(Game(3, 5, 4), threads=1)""",
    "values of 3x3 looked up": """
        from noughts import Game
        from noughts.solve import Solution
        made, solution = [p for p in list(Game().positions())[:1500] if p.moves()], Solution.solve(Game())
        def work():
            for p in made: solution[p]""",
    "a game by level-3": """
        from noughts.play.by_name import match
        def work(): match("level-3", "random", games=10)""",
    "certify perfect": """
        from noughts.play.by_name import certify
        def work(): certify("perfect")""",
}


ENVIRONMENT = os.environ | {
    "PYTHONHASHSEED": "0", "NOUGHTS_CACHE": "", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
}  # fmt: skip
TIMED = """
from time import process_time
def timed():
    began = process_time()
    work()
    return process_time() - began
once = max(timed(), 1e-5)
print(min(timed() for _ in range(max(3, int(0.3 / once)))))
"""


def code_for(python: str, code: str) -> str:
    """A work as this Python knows it."""
    lines = "\n".join(line[8:] for line in code.splitlines())
    if subprocess.run([python, "-c", "import noughts.rules"], capture_output=True, check=False).returncode:
        for now, then in WERE.items():
            lines = lines.replace(now, then)
    return lines


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a Python to its end."""
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return done


def instructions(python: str, code: str) -> float:
    """How many millions it takes to run a work."""
    line = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", python, "-W", "ignore", "-c"]
    both = [
        int(re.findall(r"Collected : (\d+)", run(*line, f"{code}\nfor _ in range({n}): work()\n").stderr)[-1])
        for n in (1, 3)
    ]
    return (both[1] - both[0]) / 2e6


def milliseconds(python: str, code: str) -> float:
    """The least processor time of a work in one process."""
    return 1e3 * float(run(python, "-W", "ignore", "-c", code + TIMED).stdout)


def main() -> int:
    """Compare; 1 if something is slower than it may be."""
    other, write = sys.argv[1], "--write" in sys.argv
    rows, slower = [], []
    cost, unit, rounds = (instructions, "M", 1) if "--count" in sys.argv else (milliseconds, "ms", ROUNDS)
    for name, code in WORKS.items():
        codes = {python: code_for(python, code) for python in (other, sys.executable)}
        found = [{p: cost(p, text) for p, text in codes.items()} for _ in range(rounds)]  # in turn
        before, now = (min(each[python] for each in found) for python in codes)
        rows.append(f"| {name} | {before:,.3f} {unit} | {now:,.3f} {unit} | {100 * (now / before - 1):+.1f} % |")
        print(rows[-1], flush=True)
        if now > SLOWER * before:
            slower.append(name)
    if write:
        asked = [other, "-c", "import noughts, pathlib; print(pathlib.Path(noughts.__file__).parent)"]
        place = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
        told = ["git", "-C", place, "log", "-1", "--format=%h of %as"]
        revision = subprocess.run(told, capture_output=True, text=True, check=True).stdout.strip()
        text = PAGE.read_text(encoding="utf-8").partition(f"\n{HEADING}")[0]
        body = [
            f"\n{HEADING}\n",
            f"What stood in 0.1, now and in {revision}, in {'instructions' if unit == 'M' else 'processor time'}:",
            f"`python benchmarks/_before.py PYTHON --write{' --count' * (unit == 'M')}`, {date.today().isoformat()}.\n",
            "| work | then | now | |\n|---|---|---|---|",
            *rows,
        ]  # fmt: skip
        PAGE.write_text(text + "\n".join(body) + "\n", encoding="utf-8")
    print(f"more than 5 % slower: {', '.join(slower) or 'nothing'}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
