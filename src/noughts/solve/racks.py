"""Where the byte of a position lies where marks fall: the plain twin of native/solve/falling.hpp.

How high the columns stand is a rack: the heights, the first column first. A level has a block of bytes for each rack
with so many marks; of two racks that mirror each other only the one that comes first has a block. Racks are ordered by
the height of the last column, then of the one before, and so on. In a block there is a byte for each way to share the
marks out between X and O: the marks are numbered column by column, each from the bottom, and X's sets of them come in
ascending order, so that the i-th smallest number n of a set adds C(n, i) to its rank.

    . . .
    O . .      heights 2 0 1; X has the marks 0 and 2, O the mark 1: rank C(0, 1) + C(2, 2) = 1
    X . X
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import combinations, product
from math import comb
from typing import Any

from noughts.rules.encoding import ranked_set, set_rank
from noughts.rules.game import Game
from noughts.rules.legality import check
from noughts.rules.position import Setup
from noughts.rules.symmetry import symmetries
from noughts.rules.value import Value
from noughts.solve.index import TIE, UNREACHABLE, Set, check_size, decode, encode

Rack = tuple[int, ...]  # the height of each column


class RackIndex:
    """Where the positions of one game with gravity lie, in Python. Sets are of row-major cells."""

    def __init__(self, game: Game) -> None:
        check_size(game)
        self.game = game
        self.cells = game.cells

    @cached_property
    def _racks(self) -> list[list[Rack]]:
        """For each number of marks the racks that have a block, each turned about: so they are in their order."""
        found: list[list[Rack]] = [[] for _ in range(self.cells + 1)]
        for turned in product(range(self.game.rows + 1), repeat=self.game.columns):
            if turned <= turned[::-1]:
                found[sum(turned)].append(turned)
        return found

    def racks(self, marks: int) -> list[Rack]:
        """The racks that have a block, in their order."""
        return [turned[::-1] for turned in self._racks[marks]]

    def mirrored(self, cells: Set) -> Set:
        """A set in the mirror."""
        to = symmetries(self.game)[-1].cells  # of a single column there is but the identity
        return sum(1 << to[cell] for cell in range(self.cells) if cells >> cell & 1)

    def boards(self, marks: int) -> Iterator[tuple[Set, Set]]:
        """The sets of X and O of each byte of a level, in the order of the bytes."""
        for rack in self.racks(marks):
            cells = self._cells(rack)
            for numbers in sorted(combinations(range(marks), (marks + 1) // 2), key=lambda found: found[::-1]):
                x = sum(cells[number] for number in numbers)
                yield x, sum(cells) ^ x

    def judge(self, x: Set, o: Set) -> int | None:
        """The code of a position that cannot arise, or in which the game is over; None where it goes on."""
        if not check(Setup(self.game, x, o)).legal:
            return UNREACHABLE
        if self.game.rule.has_line(x) or self.game.rule.has_line(o):
            return encode(self.game.rule.completed, (x | o).bit_count())
        return TIE if x | o == self.game.full else None

    def walk(self, marks: int, codes: Iterable[int]) -> Iterator[tuple[Set, Set, Value]]:
        """The sets of X and O, and the value, of all bytes of a level whose positions can arise."""
        for (x, o), code in zip(self.boards(marks), codes, strict=True):
            if value := decode(code, marks, self.cells):
                yield x, o, value

    def images(self, x: Set, o: Set) -> list[tuple[Set, Set]]:
        """The positions that a byte stands for: with the mirror image, unless that has a byte of its own."""
        alone = self.weight(x, o)[0] == 1
        return [(x, o)] if alone else [(x, o), (self.mirrored(x), self.mirrored(o))]

    def weight(self, x: Set, o: Set) -> tuple[int, bool]:
        """How many positions a byte stands for, and whether it represents its class: of two mirror images the first."""
        rack = self._rack(x | o)
        if rack != rack[::-1]:
            return 2, True
        return 1, self._rank(rack, x) <= self._rank(rack, self.mirrored(x))

    # What the native core gives as well

    def level_bytes(self) -> list[int]:
        """How many bytes each level has."""
        return [len(racks) * self.block_bytes(level) for level, racks in enumerate(self._racks)]

    def block_bytes(self, level: int) -> int:
        """How many bytes of a level belong to one rack."""
        return comb(level, level // 2)

    def locate(self, x: Set, o: Set) -> int:
        """The place of a position in its level."""
        rack = self._rack(x | o)
        if rack[::-1] > rack:
            return self.locate(self.mirrored(x), self.mirrored(o))
        number = bisect_left(self._racks[sum(rack)], rack[::-1])
        return number * self.block_bytes(sum(rack)) + self._rank(rack, x)

    def locate_all(self, x: Any, o: Any, places: Any, codes: Any) -> None:
        """Put the places of many positions into an array; no position is without one, so no code is told."""
        for number, (own, other) in enumerate(zip(x.tolist(), o.tolist(), strict=True)):
            places[number] = self.locate(own, other)

    def position_at(self, level: int, place: int) -> tuple[Set, Set]:
        """The sets of X and O at a place: the inverse of `locate`, up to symmetry."""
        number, rank = divmod(place, self.block_bytes(level))
        cells = self._cells(self._racks[level][number][::-1])
        x = sum(cells[number] for number in ranked_set(rank, (level + 1) // 2, level))
        return x, sum(cells) ^ x

    def _rack(self, taken: Set) -> Rack:
        columns = self.game.columns
        bottom = sum(1 << row * columns for row in range(self.game.rows))
        return tuple((taken >> column & bottom).bit_count() for column in range(columns))

    def _rank(self, rack: Rack, x: Set) -> int:
        return set_rank(number for number, cell in enumerate(self._cells(rack)) if x & cell)

    def _cells(self, rack: Rack) -> tuple[Set, ...]:
        return _cells(self.game.rows, rack)


@lru_cache(maxsize=1 << 16)
def _cells(rows: int, rack: Rack) -> tuple[Set, ...]:
    """The cells of a rack's marks in the order of their numbers, each as a set of its own.

    >>> _cells(3, (2, 0, 1))
    (64, 8, 256)
    """
    return tuple(
        1 << (rows - 1 - up) * len(rack) + column for column, height in enumerate(rack) for up in range(height)
    )
