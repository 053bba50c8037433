"""Whether what stood in 0.1 is slower now, by counts of instructions, which a busy machine does not change.

    python benchmarks/_before.py /path/to/python/of/0.1     prints a table; --write puts it into docs/reference/speed.md

The other Python has noughts of another revision (make setup in a checkout of it). Each
work runs in both, under valgrind's callgrind, once and three times; half of the difference is what one run costs, its
start left out. In an older checkout names are found where they were. The kernels are those of AVX2, as valgrind knows
no more.
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


def instructions(python: str, code: str, times: int) -> int:
    """How many it takes to run a work so often."""
    lines = "\n".join(line[8:] for line in code.splitlines())
    if subprocess.run([python, "-c", "import noughts.rules"], capture_output=True, check=False).returncode:
        for now, then in WERE.items():
            lines = lines.replace(now, then)
    line = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", python, "-W", "ignore", "-c"]
    env = os.environ | {"PYTHONHASHSEED": "0", "NOUGHTS_CACHE": "", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [*line, f"{lines}\nfor _ in range({times}): work()\n"], capture_output=True, text=True, env=env, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return int(re.findall(r"Collected : (\d+)", done.stderr)[-1])


def main() -> int:
    """Compare; 1 if something is slower than it may be."""
    other, write = sys.argv[1], "--write" in sys.argv
    rows, slower = [], []
    for name, code in WORKS.items():
        before, now = ((instructions(p, code, 3) - instructions(p, code, 1)) / 2 for p in (other, sys.executable))
        rows.append(f"| {name} | {before / 1e6:,.2f} M | {now / 1e6:,.2f} M | {100 * (now / before - 1):+.1f} % |")
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
            "What stood in 0.1, in instructions: `python benchmarks/_before.py PYTHON --write` (callgrind, AVX2),",
            f"where PYTHON has an earlier revision: here {revision}; last run {date.today().isoformat()}.\n",
            "| work | then | now | |\n|---|---|---|---|",
            *rows,
        ]  # fmt: skip
        PAGE.write_text(text + "\n".join(body) + "\n", encoding="utf-8")
    print(f"more than 5 % slower: {', '.join(slower) or 'nothing'}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
