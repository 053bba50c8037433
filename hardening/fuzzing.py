"""What the fuzz targets share: seeds, plain mutation, large boards, and what a refusal must look like."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from laws import Broken, require

HERE = Path(__file__).resolve().parent


def seeds(name: str) -> list[bytes]:
    """The lines of corpus/NAME.txt; none where there is no such file."""
    lines = HERE / "corpus" / f"{name}.txt"
    return lines.read_bytes().splitlines() if lines.exists() else []


def clear(problem: Exception, limit: int = 1000) -> None:
    """An error must be noughts' own, and say what is wrong in one printable line of fewer characters than this."""
    if type(problem).__module__.partition(".")[0] != "noughts":
        raise Broken(f"{problem!r} is not noughts' own") from problem
    one_line(str(problem), limit)


def one_line(says: str, limit: int = 1000) -> None:
    """What is said must be one printable line of fewer characters than this."""
    require(says and len(says.splitlines()) == 1, f"not one line: {says[:2000]!r}")
    require(len(says) < limit, f"{len(says):,} characters are too long: {says[:2000]!r}")
    require(says.isprintable(), f"not printable: {says!r}")


def mutated(rng: random.Random, data: bytes, others: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    """One input from another: bits, bytes, pieces, words of the language, or half of a second input."""
    for _ in range(1 + int(rng.expovariate(0.7))):
        at = rng.randrange(len(data) + 1)
        to = min(len(data), at + 1 + int(rng.expovariate(0.2)))
        more = rng.choice((1, 1, 2, 5, 100))
        other = rng.choice(others)
        data = rng.choice((
            data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :] if data[at:] else data,
            data[:at] + data[to:],
            data[:to] + data[at:to] * more + data[to:],
            data[:at] + rng.choice(words) + data[rng.choice((at, to)) :],
            data[:at] + other[rng.randrange(len(other) + 1) :],
            data[:at] + rng.randbytes(1 + int(rng.expovariate(0.5))) + data[at:],
        ))  # fmt: skip
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
            length = min(k - 1, columns)
            start = rng.randint(0, columns - length)
            board[rng.randrange(rows)][start : start + length] = mark * length
    elif kind == "crowded":
        free = rng.choice((0.0, 0.001, 0.1, 0.9))
        board = [
            ["." if rng.random() < free else "XO"[(column // 2 + row) % 2] for column in range(columns)]
            for row in range(rows)
        ]
    for mark, other in ("XO", "OX"):  # a fair share of them can arise
        places = [(row, column) for row in range(rows) for column in range(columns) if board[row][column] == mark]
        for row, column in rng.sample(places, max(0, len(places) - sum(row.count(other) for row in board))):
            board[row][column] = "."
    return f"{rows}x{columns}k{k}{rng.choice(('', '', 'm'))}:" + "/".join(map("".join, board))
