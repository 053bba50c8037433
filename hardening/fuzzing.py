"""What the fuzz targets share: seeds, plain mutation, and what a refusal must look like."""

from __future__ import annotations

import random
import traceback
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from laws import Broken, require

HERE = Path(__file__).resolve().parent


class Plain:
    """A target that needs nothing around it: whoever derives from it says what an input is, and the law."""

    def __init__(self) -> None:
        self.ends: Counter[str] = Counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def figures(self) -> str:
        """How they ended."""
        return f" ({', '.join(f'{count:,} {end}' for end, count in self.ends.most_common())})"


def seeds(name: str) -> list[bytes]:
    """The seeds of a target: the lines of corpus/NAME.txt, or the files in corpus/NAME."""
    lines, folder = HERE / "corpus" / f"{name}.txt", HERE / "corpus" / name
    if lines.exists():
        return lines.read_bytes().splitlines()
    return [path.read_bytes() for path in sorted(folder.iterdir())]


def clear(problem: Exception, limit: int = 1000) -> None:
    """An error must be noughts' own, and say what is wrong in one printable line of fewer characters than this."""
    says = str(problem)
    if type(problem).__module__.partition(".")[0] != "noughts":
        raise Broken(f"{problem!r} {trace()}")
    require(says and len(says.splitlines()) == 1, f"not one line: {says[:2000]!r}")
    require(len(says) < limit, f"{len(says):,} characters are too long: {says[:2000]!r}")
    require(says.isprintable(), f"not printable: {says!r}")


def trace() -> str:
    """Where the exception that is being handled came from, in one line."""
    return repr(traceback.format_exc())


def mutated(rng: random.Random, data: bytes, others: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    """One input from another: bits, bytes, pieces, words of the language, or half of a second input."""
    for _ in range(1 + int(rng.expovariate(0.7))):
        at = rng.randrange(len(data) + 1)
        to = min(len(data), at + 1 + int(rng.expovariate(0.2)))
        what = rng.randrange(7)
        if what == 0 and data:
            at = rng.randrange(len(data))
            data = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        elif what == 1:
            data = data[:at] + data[to:]
        elif what == 2:
            data = data[:to] + data[at:to] * rng.choice((1, 1, 2, 5, 100)) + data[to:]
        elif what == 3:
            data = data[:at] + rng.choice(words) + data[at:]
        elif what == 4:
            data = data[:at] + rng.choice(words) + data[to:]
        elif what == 5:
            other = rng.choice(others)
            data = data[:at] + other[rng.randrange(len(other) + 1) :]
        else:
            data = data[:at] + rng.randbytes(1 + int(rng.expovariate(0.5))) + data[at:]
    return data[:70_000]


def large_board(rng: random.Random) -> str:
    """A board of up to 256 x 256: empty, with a few marks, with runs that lack one cell, or crowded."""
    rows, columns = rng.choice((33, 64, 100, 256)), rng.choice((33, 64, 100, 256))
    longest = max(rows, columns)
    k = rng.choice((1, 2, 3, 5, 5, longest // 2, longest))
    board = [["."] * columns for _ in range(rows)]
    kind = rng.choice(("empty", "few", "runs", "crowded"))
    if kind == "few":
        for _ in range(rng.randint(1, 20)):
            board[rng.randrange(rows)][rng.randrange(columns)] = rng.choice("XO")
    elif kind == "runs":
        for mark in "XO" * rng.randint(1, 2):
            row, length = rng.randrange(rows), min(k - 1, columns)
            start = rng.randint(0, columns - length)
            board[row][start : start + length] = mark * length
    elif kind == "crowded":
        free = rng.choice((0.0, 0.001, 0.1, 0.9))
        for row, column in ((row, column) for row in range(rows) for column in range(columns) if rng.random() >= free):
            board[row][column] = "XO"[(column // 2 + row) % 2]
    for mark, other in ("XO", "OX"):  # a fair share of them can arise
        places = [(row, column) for row in range(rows) for column in range(columns) if board[row][column] == mark]
        surplus = len(places) - sum(row.count(other) for row in board)
        for row, column in rng.sample(places, max(0, surplus)):
            board[row][column] = "."
    rule = rng.choice(("", "", "m"))
    return f"{rows}x{columns}k{k}{rule}:" + "/".join(map("".join, board))
