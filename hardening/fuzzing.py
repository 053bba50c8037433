"""What the fuzz targets share: seeds, plain mutation, and what a refusal must look like."""

from __future__ import annotations

import random
import traceback
from collections.abc import Sequence
from pathlib import Path

from laws import Broken, require

HERE = Path(__file__).resolve().parent


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
