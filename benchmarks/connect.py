"""Connect Four: exact values of random positions, beside Pascal Pons' solver, on one core.

    python benchmarks/connect.py                       prints a table and writes benchmarks/results/connect.json
    C4SOLVER=path/to/c4solver python benchmarks/connect.py       with his program, built by its own Makefile

The program reads a line of column digits a position and prints its score; both get the same positions, and must agree.
Each of ours is begun with an empty table. Times are processor times; those of the program have its start in them.
"""

from __future__ import annotations

import os
import resource
import subprocess
from random import Random
from time import process_time

from _native import save

from noughts import Game, Position, _core, native
from noughts.solve.falling import NO_LIMIT
from noughts.threats import winning_moves

GAME = Game.parse("6x7k4g")
KINDS = {20: 200, 16: 100, 12: 60, 10: 30, 8: 12, 6: 6}  # marks: how many positions
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


def score(position: Position, sign: int, remoteness: int) -> int:
    """A value as the program gives it: a win with the last stone of its player is 1, one earlier is 2, and so on."""
    return sign * ((GAME.cells - position.marks - remoteness) // 2 + 1)


def theirs(program: str, lines: list[str]) -> tuple[list[int], float]:
    """The scores that the program prints, and its processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([program], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return [int(line.split()[1]) for line in done.stdout.splitlines()], took


def main() -> None:
    program, handle, tables = os.environ.get("C4SOLVER"), native.handle(GAME), []
    connect = _core.Connect(handle, TABLE)
    if not program:
        print("(C4SOLVER names no program: the peer is left out)")
    print(f"{'marks':>5}{'positions':>11}{'ms':>10}{'nodes':>13}{'nodes/s':>13}{'peer, ms':>10}{'peer / ours':>13}")
    for marks, count in KINDS.items():
        random = Random(marks)
        lines = [random_position(marks, random) for _ in range(count)]
        found, nodes, took = [], 0, 0.0
        for line in lines:
            position = Position.parse(f"{GAME}:{line}")
            connect.forget()
            start = process_time()
            sign, remoteness, searched = connect.value(position.x, position.o, NO_LIMIT)
            took += process_time() - start
            nodes += searched
            found.append(score(position, sign, remoteness))
        row = {
            "marks": marks,
            "positions": count,
            "seconds": took / count,
            "nodes": nodes / count,
            "rate": nodes / took,
        }
        if program:
            scores, seconds = theirs(program, lines)
            assert scores == found, "the two do not agree"
            row |= {"peer_seconds": seconds / count, "ratio": seconds / took}
        tables.append(row)
        peer = f"{row['peer_seconds'] * 1000:>10,.1f}{row['ratio']:>13.2f}" if program else ""
        print(
            f"{marks:>5}{count:>11}{row['seconds'] * 1000:>10,.1f}{row['nodes']:>13,.0f}{row['rate']:>13,.0f}{peer}",
            flush=True,
        )
    save("connect", tables)


if __name__ == "__main__":
    main()
