"""What the fuzz targets share: seeds, plain mutation, boards, and what a refusal must look like."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from laws import Broken, require

from noughts import Game

HERE = Path(__file__).resolve().parent
LARGE = (33, 64, 100, 256)  # sides of a large board
ODD = [b"\0", b"\xff", b"\n", b"\r\n", b" ", b",", b'"', b"{", b"}", b"-1", b"9" * 30, b"[" * 999, b"1e999", b"null",
       b"\x1b[2J", *map(str.encode, ("\u00b2", "\u0663", "\u2028"))]  # fmt: skip
T = TypeVar("T")


def seeds(name: str) -> list[bytes]:
    """The lines of corpus/NAME.txt; none where there is no such file."""
    lines = HERE / "corpus" / f"{name}.txt"
    return lines.read_bytes().splitlines() if lines.exists() else []


@contextmanager
def tests() -> Iterator[None]:
    """Here what the tests share can be imported."""
    sys.path.append(str(HERE.parent / "tests"))
    yield
    sys.path.pop()


def clear(problem: Exception, limit: int = 1000) -> None:
    """An error must be noughts' own, and say what is wrong in one printable line of fewer characters than this."""
    if type(problem).__module__.partition(".")[0] != "noughts":
        raise Broken(f"{problem!r} is not noughts' own") from problem
    one_line(getattr(problem, "detail", None) or str(problem), limit)


def one_line(says: str, limit: int = 1000) -> None:
    """What is said must be one printable line of fewer characters than this."""
    require(says and len(says.splitlines()) == 1, f"not one line: {says[:2000]!r}")
    require(len(says) < limit, f"{len(says):,} characters are too long: {says[:2000]!r}")
    require(says.isprintable(), f"not printable: {says!r}")


def unless_refused(call: Callable[..., T], *args: object, limit: int = 1000) -> T | None:
    """What a call gives, or None if it refuses clearly."""
    try:
        return call(*args)
    except ValueError as problem:
        clear(problem, limit)
        return None


def mutated(rng: random.Random, data: bytes, others: Sequence[bytes], words: Sequence[bytes] = ODD) -> bytes:
    """One input from another: bits, bytes, pieces, words, some of them of other inputs, or half of one of those."""
    for _ in range(1 + int(rng.expovariate(0.7))):
        at = rng.randrange(len(data) + 1)
        to = min(len(data), at + 1 + int(rng.expovariate(0.2)))
        more = rng.choice((1, 1, 2, 5, 100))
        other = rng.choice(others)
        word = rng.choice([rng.choice(words), rng.choice(re.findall(rb"\w+|\W", other[:4000]) or [b""])])
        data = rng.choice((
            data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :] if data[at:] else data,
            data[:at] + data[to:],
            data[:to] + data[at:to] * more + data[to:],
            data[:at] + word + data[rng.choice((at, to)) :],
            data[:at] + other[rng.randrange(len(other) + 1) :],
            data[:at] + rng.randbytes(1 + int(rng.expovariate(0.5))) + data[at:],
        ))  # fmt: skip
    return data[:70_000]


def board(rng: random.Random, rows: int, columns: int) -> str:
    """A board: with few marks, with lines that lack a cell or none, or crowded; most have as many of each."""
    longest = max(rows, columns)
    k = min(longest, rng.choice((1, 2, 3, 4, 5, 5, longest // 2 + 1, longest)))
    game = Game(rows, columns, k, exact=rng.random() < 0.1, gravity=rng.random() < 0.2, misere=rng.random() < 0.2)
    kind = rng.choice(("few", "lines", "crowded" if longest in LARGE else "lines"))
    if kind == "crowded":  # in a pattern without long lines
        share = rng.choice((0, 0.01, 0.9))  # of the cells stays free
        mine = {cell for cell in range(game.cells) if (cell % columns // 2 + cell // columns) % 2}
        mine -= {cell for cell in mine if rng.random() < share}
    elif kind == "few":
        mine = set(rng.sample(range(game.cells), min(game.cells // 2, int(rng.expovariate(0.1)))))
    else:
        mine = set()
        for direction in rng.choices(game.directions, k=rng.randint(1, 3)):
            step, start = game.step(direction), rng.choice([*game.cells_of(game.room(direction, k - 1))])
            mine |= {*range(start + rng.choice((0, 0, step)), start + k * step, step)}
    free = [cell for cell in range(game.cells) if cell not in mine]
    theirs = set(rng.sample(free, min(len(free), max(0, len(mine) + rng.choice((0, 0, 0, 1, -1, 3))))))
    pair = rng.choice(("XO", "OX"))
    marks = [pair[cell in theirs] if cell in mine or cell in theirs else "." for cell in range(game.cells)]
    for column in range(columns if game.gravity and rng.random() < 0.8 else 0):  # the marks of each column fall
        marks[column::columns] = sorted(marks[column::columns], key=lambda mark: mark != ".")
    return f"{game}:{'/'.join(''.join(marks[at : at + columns]) for at in range(0, game.cells, columns))}"
