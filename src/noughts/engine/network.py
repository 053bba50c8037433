"""What a position is worth by all its free cells: a small learned network, in plain Python.

Each free cell has a kind: its pair of shapes for the player to move, and that for the other (`shapes.py`). Each kind
has a row of WIDTH numbers, and the rows of all free cells are added up:

    sums     of all free cells                           the first is a score already, in units of log-odds
    seen     the sums, clipped to 0 … 1
    felt     HIDDEN weighted sums of what is seen, clipped to 0 … 1
    score    the first of the sums, and a weighted sum of what is felt

All numbers are whole: 1 is ONE in what is added up, and FINE in a weight between. `native/engine/network.hpp` does
the same, and keeps the sums up to date move by move. A kind has an urgency besides: how early the search tries a move
there. `benchmarks/_engine_learn.py` makes the numbers from games of the engine against itself.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import NamedTuple

from noughts.engine.shapes import PAIRS

WIDTH, HIDDEN = 32, 16
ONE, FINE = 256, 64
MOST = 2000  # hundredths of a unit of log-odds: no score is beyond
FILE = "network.bin"


class Network(NamedTuple):
    """The numbers; a kind is the pair for the player to move times PAIRS plus the pair for the other."""

    row: list[tuple[int, ...]]  # of each kind; of a cell that serves nobody, nothing but zeros
    urgency: tuple[int, ...]  # of each kind
    inner: list[tuple[int, ...]]  # for each of what is felt, the weights of what is seen
    inner_bias: tuple[int, ...]
    outer: tuple[int, ...]  # the weights of what is felt
    outer_bias: int

    def score(self, kinds: Iterable[int]) -> int:
        """The score for the player to move, in hundredths of a unit of log-odds, by the kinds of all free cells."""
        sums = [0] * WIDTH
        for kind in kinds:
            sums = [a + b for a, b in zip(sums, self.row[kind], strict=True)]
        seen = [min(max(each, 0), ONE) for each in sums]
        felt = []
        for weights, bias in zip(self.inner, self.inner_bias, strict=True):
            total = sum(a * b for a, b in zip(weights, seen, strict=True)) + bias
            felt.append(min(max(total // FINE, 0), ONE))
        total = self.outer_bias + sums[0] * FINE + sum(a * b for a, b in zip(self.outer, felt, strict=True))
        found = abs(total) * 100 // (ONE * FINE)
        return min(found, MOST) * (1 if total > 0 else -1)


HALVES = 2 * PAIRS + PAIRS * PAIRS  # words of one place in all rows: see `read`
REST = f"{HIDDEN * WIDTH}h{HIDDEN}i{HIDDEN}hi"


def read(text: bytes) -> Network:
    """The network in a file: little-endian words of 16 bits, the biases of 32, and all of it packed by zlib.

    A kind is nearly the sum of its two halves. So for each place in a row, and for the urgency, there is a number for
    each pair of the player to move, one for each pair of the other, and what is left for each kind.
    """
    numbers = struct.unpack(f"<{(WIDTH + 1) * HALVES}h{REST}", zlib.decompress(text))
    at = 0

    def take(count: int) -> tuple[int, ...]:
        nonlocal at
        at += count
        return numbers[at - count : at]

    def place() -> list[int]:
        own, other, left = take(PAIRS), take(PAIRS), iter(take(PAIRS * PAIRS))
        return [a + b + next(left) for a in own for b in other]

    rows = list(zip(*(place() for _ in range(WIDTH)), strict=True))
    return Network(rows, tuple(place()), [take(WIDTH) for _ in range(HIDDEN)], take(HIDDEN), take(HIDDEN), *take(1))


@cache
def learned() -> Network:
    """The network that comes with noughts."""
    return read(files("noughts.engine").joinpath(FILE).read_bytes())


def packed(network: Network) -> bytes:
    """The numbers as the core takes them, kind by kind: the same words, with nothing left out."""
    kinds = PAIRS * PAIRS
    return struct.pack(
        f"<{kinds * WIDTH}h{kinds}h{REST}", *chain(*network.row), *network.urgency, *chain(*network.inner),
        *network.inner_bias, *network.outer, network.outer_bias,
    )  # fmt: skip
