"""What makes the blocks of a part, and how they wait: the native core, or its plain twin, a position at a time.

A step makes the levels 2x and 2x - 1, in which X has x cells, from level 2x + 1. A level with an odd number of marks
waits for the next step: two codes in a byte where they are few enough.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from math import comb
from typing import Any, Protocol

from noughts.native import core, solver
from noughts.rules.game import Game
from noughts.solve.index import TIE, encode, plain_index
from noughts.solve.machine import processors

KINDS = 16  # of codes: as many fit into half a byte

Bytes = Any  # whatever has the buffer of bytes


class PartMaker(Protocol):
    """What the parts of the levels 2x and 2x - 1 share: the native core's, or its plain twin."""

    def sizes(self) -> tuple[int, int, int, int]:
        """Bytes of a block of level 2x, of 2x - 1, of that as it waits, and of one of 2x + 1 as it waits."""

    def reads(self, begin: int, end: int, per_part: int) -> list[int]:
        """The parts of level 2x + 1 that the X sets from `begin` on read, if each has so many blocks."""

    def solve(
        self, begin: int, end: int, won_begin: int, won_end: int, per_part: int, above: Mapping[int, Bytes],
        even: bytearray | None, odd: bytearray | None, waiting: bytearray | None, threads: int,
    ) -> tuple[dict[int, int], dict[int, int], int, int]:  # fmt: skip
        """Make the blocks of X sets, and count the won sets from `won_begin` on: positions by code, and checksums."""

    def wait(self, above: Bytes, waiting: bytearray) -> None:
        """Blocks of level 2x + 1, as they wait."""


def step_of(game: Game, x: int, plain: bool = False) -> PartMaker:
    """The step in which X has so many cells; the last one is remembered."""
    return _step_of(game, x, plain)


@lru_cache(maxsize=1)
def _step_of(game: Game, x: int, plain: bool) -> PartMaker:
    if plain or core() is None:
        return PlainStep(game, x)
    from noughts._core import PartStep

    step: PartMaker = PartStep(solver(game), x, processors())
    return step


def kinds(game: Game, level: int) -> list[int]:
    """The codes of a level where O is to move, ascending; none if they are too many for two in a byte.

    >>> kinds(Game(), 5)
    [6, 8, 127, 245, 247]
    """
    ends = (encode(game.rule.completed, end) for end in range(level + 1, game.cells + 1))
    found = sorted([TIE, *ends])
    return found if len(found) <= KINDS else []


def waiting_block(game: Game, level: int) -> int:
    """The bytes of a block of a level as it waits: half of them, in whole 64s, where two codes fit into one.

    >>> waiting_block(Game(), 5), waiting_block(Game(4, 5, 4), 9)
    (64, 704)
    """
    block = comb(game.cells - (level + 1) // 2, level // 2)
    return -(-block // 128) * 64 if kinds(game, level) else block


def as_it_waits(game: Game, level: int, codes: Bytes) -> bytearray:
    """Whole blocks of a level as they wait: byte i of 64 holds the codes i and 64 + i of 128, where they fit.

    >>> as_it_waits(Game(), 5, bytes([6, 127])).hex()[:6]
    '000200'
    """
    block, kind = comb(game.cells - (level + 1) // 2, level // 2), kinds(game, level)
    if not kind:
        return bytearray(codes)
    number = {code: place for place, code in enumerate(kind)}
    found = bytearray()
    for begin in range(0, len(codes), block):
        some = [number.get(code, 0) for code in codes[begin : begin + block]]
        some += [0] * (-len(some) % 128)
        found += bytes(some[i + j] | some[i + j + 64] << 4 for i in range(0, len(some), 128) for j in range(64))
    return found


class PlainStep:
    """The blocks of a step one position at a time, by the rules: the plain twin of native/solve/part.hpp."""

    def __init__(self, game: Game, x: int) -> None:
        self.game, self.x, self.index = game, x, plain_index(game)
        assert not game.gravity
        self._has_even, self._has_odd = 2 * x <= game.cells, x > 0

    def sizes(self) -> tuple[int, int, int, int]:
        """Bytes of a block of level 2x, of 2x - 1, of that as it waits, and of one of 2x + 1 as it waits."""
        even = self.index.block_bytes(2 * self.x) * self._has_even
        odd = self.index.block_bytes(2 * self.x - 1) if self._has_odd else 0
        has_above = 2 * self.x + 1 <= self.game.cells
        below = waiting_block(self.game, 2 * self.x - 1) if self._has_odd else 0
        return even, odd, below, waiting_block(self.game, 2 * self.x + 1) if has_above else 0

    def _open(self) -> list[int]:
        return self.index.open(self.x)  # type: ignore[union-attr, unused-ignore]

    def reads(self, begin: int, end: int, per_part: int) -> list[int]:
        """The parts of level 2x + 1 that the X sets from `begin` on read, if each has so many blocks."""
        index: Any = self.index
        found = set()
        if 2 * self.x + 1 <= self.game.cells:
            sets = index.open(self.x + 1)
            for own in self._open()[begin:end]:
                for bit in index._beside(own):
                    if index.is_open(own | bit):
                        found.add(bisect_left(sets, min(index._all(own | bit))) // per_part)
        return sorted(found)

    def solve(
        self, begin: int, end: int, won_begin: int, won_end: int, per_part: int, above: Mapping[int, Bytes],
        even: bytearray | None, odd: bytearray | None, waiting: bytearray | None, threads: int,
    ) -> tuple[dict[int, int], dict[int, int], int, int]:  # fmt: skip
        """Make the blocks of X sets, and count the won sets from `won_begin` on: positions by code, and checksums."""
        index: Any = self.index
        made: tuple[bytearray, bytearray] = bytearray(), bytearray()
        counts: tuple[Counter[int], Counter[int]] = Counter(), Counter()
        for own in self._open()[begin:end]:
            x, images = index.to_cells(own), index.weight(own, 0)[0]
            evens = {o: self._even(x, o, per_part, above) for o in self._beside(own, self.x)} if self._has_even else {}
            odds = {o: self._odd(x, o, evens) for o in self._beside(own, self.x - 1)} if self._has_odd else {}
            for into, count, block in zip(made, counts, (evens, odds), strict=True):
                into += bytes(block.values())
                count.update({code: images * number for code, number in Counter(block.values()).items() if code != 255})
        won = encode(self.game.rule.completed, 2 * self.x - 1) if self._has_odd else 0
        for own in index.won(self.x)[won_begin:won_end] if self._has_odd else ():
            open_ones = sum(index.is_open(o) for o in index.sets_beside(own, self.x - 1))
            counts[1][won] += open_ones * index.weight(own, 0)[0]
        if even is not None:
            even[:] = made[0]
        if odd is not None:
            odd[:] = made[1]
        if waiting is not None:
            waiting[:] = as_it_waits(self.game, 2 * self.x - 1, made[1]) if self._has_odd else b""
        first = [begin * size for size in self.sizes()[:2]]
        sums = [
            sum((at + place + 1) * code for place, code in enumerate(codes)) % 2**64
            for at, codes in zip(first, made, strict=True)
        ]
        return {k: v for k, v in counts[0].items() if v}, {k: v for k, v in counts[1].items() if v}, sums[0], sums[1]

    def wait(self, above: Bytes, waiting: bytearray) -> None:
        """Blocks of level 2x + 1, as they wait."""
        waiting[:] = as_it_waits(self.game, 2 * self.x + 1, above)

    def _beside(self, own: int, size: int) -> list[int]:
        """O's sets beside one of X, as cells, in the order of their bytes."""
        index: Any = self.index
        return [index.to_cells(o) for o in index.sets_beside(own, size)]

    def _even(self, x: int, o: int, per_part: int, above: Mapping[int, Bytes]) -> int:
        """X to move: the largest of the children, which lie in parts."""
        code = self.index.judge(x, o)
        if code is not None:
            return code
        level, best = 2 * self.x + 1, 0
        block, size, kind = self.index.block_bytes(level), waiting_block(self.game, level), kinds(self.game, level)
        for cell in range(self.game.cells):
            if (x | o) >> cell & 1:
                continue
            place = self.index.locate(x | 1 << cell, o)
            if place is None:  # that completes a line
                best = max(best, encode(self.game.rule.completed, level))
                continue
            number, inner = divmod(place, block)
            part, begin = above[number // per_part], number % per_part * size
            if kind:
                byte = part[begin + inner // 128 * 64 + inner % 64]
                best = max(best, kind[byte >> 4 if inner % 128 >= 64 else byte & 15])
            else:
                best = max(best, part[begin + inner])
        return best

    def _odd(self, x: int, o: int, evens: Mapping[int, int]) -> int:
        """O to move: the smallest of the children, all in the same block."""
        code = self.index.judge(x, o)
        if code is not None:
            return code
        return min(evens[o | 1 << cell] for cell in range(self.game.cells) if not (x | o) >> cell & 1)
