"""Connect Four: exact values of random positions, beside Pascal Pons' solver, on one core.

    python benchmarks/connect.py                       prints a table and writes benchmarks/results/connect.json
    python benchmarks/connect.py 10                    the same with ten times as many positions
    C4SOLVER=path/to/c4solver python benchmarks/connect.py       with his program, built by its own Makefile

The positions are random: with so many marks; and of the six kinds by which he tests (blog.gamesolver.org), which
say how many marks there are and how many more there will be when both play as well as can be.

    kind             marks       plies to the end
    end easy         more than 28    fewer than 14
    middle easy      15 to 28        fewer than 14        middle medium   from 14 to 28
    begin easy       8 to 14         fewer than 14        begin medium    from 14 to 28        begin hard   more than 28

The program reads a line of column digits a position and prints its score; both get the same positions, and must agree.
Both begin each kind with an empty table, and keep what they found from position to position. Times are processor times;
what the program takes to start, which is measured without a position, is taken off, and where that is more than half of
all, nothing is said of it.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from random import Random
from time import process_time

from _native import save

from noughts import Game, Position, _core, native
from noughts.solve.falling import NO_LIMIT
from noughts.threats import winning_moves

GAME = Game.parse("6x7k4g")
BY_MARKS = {20: 200, 16: 100, 12: 60, 10: 30, 8: 12, 6: 6}  # marks: how many positions
STAGES = {"end": range(29, 42), "middle": range(15, 29), "begin": range(8, 15)}  # marks
DEPTHS = {"easy": range(14), "medium": range(14, 29), "hard": range(29, 43)}  # plies to the end
KINDS = {("end", "easy"): 100, ("middle", "easy"): 100, ("middle", "medium"): 100,
         ("begin", "easy"): 10, ("begin", "medium"): 10, ("begin", "hard"): 10}  # fmt: skip
TABLE = 23  # 2^23 words: 64 MB


def random_position(marks: int, random: Random) -> str:
    """The columns of a random game of so many marks that is not over, and in which nobody wins with the next move."""
    while True:
        position, columns = GAME.start(), ""
        while not position.is_over and len(columns) < marks:
            cell = random.choice(position.moves())
            position, columns = position.play(cell), f"{columns}{cell % GAME.columns + 1}"
        if not position.is_over and not winning_moves(position):
            return columns


def of_kinds(connect: _core.Connect, times: int) -> dict[str, list[str]]:
    """Random positions of each kind."""
    found: dict[str, list[str]] = {f"{stage} {depth}": [] for stage, depth in KINDS}
    for stage, marks in STAGES.items():
        random, wanted = Random(stage), {kind: count * times for kind, count in KINDS.items() if kind[0] == stage}
        while any(len(found[" ".join(kind)]) < count for kind, count in wanted.items()):
            line = random_position(random.choice(marks), random)
            position = Position.parse(f"{GAME}:{line}")
            plies = connect.value(position.x, position.o, NO_LIMIT)[1]
            for kind, count in wanted.items():
                lines = found[" ".join(kind)]
                if plies in DEPTHS[kind[1]] and len(lines) < count:
                    lines.append(line)
    return found


def score(position: Position, sign: int, remoteness: int) -> int:
    """A value as the program gives it: a win with the last stone of its player is 1, one earlier is 2, and so on."""
    return sign * ((GAME.cells - position.marks - remoteness) // 2 + 1)


def theirs(program: str, lines: list[str]) -> tuple[list[int], float]:
    """The scores that the program prints, and its processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    text = "".join(f"{line}\n" for line in lines)
    done = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
    took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return [int(line.split()[1]) for line in done.stdout.splitlines()], took


def measured(connect: _core.Connect, kind: str, lines: list[str], program: str | None) -> dict[str, object]:
    """One row of the table."""
    positions = [Position.parse(f"{GAME}:{line}") for line in lines]
    connect.forget()
    start = process_time()
    values = [connect.value(position.x, position.o, NO_LIMIT) for position in positions]
    took = process_time() - start
    found = [score(position, *value[:2]) for position, value in zip(positions, values, strict=True)]
    nodes, count = sum(value[2] for value in values), len(lines)
    row = {"kind": kind, "positions": count, "seconds": took / count, "nodes": nodes / count, "rate": nodes / took}
    if program:
        scores, seconds = theirs(program, lines)
        assert scores == found, "the two do not agree"
        begin = theirs(program, [])[1]
        if seconds > 2 * begin:  # else the rest is noise
            row |= {"peer_seconds": (seconds - begin) / count, "ratio": (seconds - begin) / took}
    return row


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    program, connect, rows = os.environ.get("C4SOLVER"), _core.Connect(native.handle(GAME), TABLE), []
    if not program:
        print("(C4SOLVER names no program: the peer is left out)")
    print(f"{'kind':<14}{'positions':>10}{'ms':>10}{'nodes':>12}{'nodes/s':>13}{'peer, ms':>11}{'peer / ours':>13}")
    by_marks = {
        f"{marks} marks": [random_position(marks, random) for _ in range(count * times)]
        for marks, count in BY_MARKS.items()
        for random in [Random(marks)]
    }
    for kind, lines in (by_marks | of_kinds(connect, times)).items():
        row = measured(connect, kind, lines, program)
        rows.append(row)
        peer = f"{row['peer_seconds'] * 1000:>11,.2f}{row['ratio']:>13.2f}" if "ratio" in row else ""
        ours = f"{row['seconds'] * 1000:>10,.2f}{row['nodes']:>12,.0f}{row['rate']:>13,.0f}"
        print(f"{kind:<14}{row['positions']:>10}{ours}{peer}", flush=True)
    save("connect", rows)


if __name__ == "__main__":
    main()
