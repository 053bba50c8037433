"""Where the byte of a position lies, and what it says: the plain twin of native/solve/index.hpp.

A level is the positions with the same number of marks. It has a block of bytes for one X set of each orbit (the
smallest that the symmetries make of it), and in the block a byte for each set of O among the cells that X left free
(where marks fall the blocks are others: see `racks`):

    level n   X has x = ceil(n / 2) cells, O has o = floor(n / 2)

    place     block of the 1st X            block of the 2nd X           ...
              O 1st, 2nd, 3rd set ...       O 1st, 2nd, 3rd set ...

An X set with a line has no block: the game is over whatever O has. O's sets are counted from the lowest free cell, in
ascending order: the i-th smallest cell c of a set adds C(c, i) to its rank.

Inside, cells are numbered orbit by orbit, small orbits first, so that a symmetry keeps the cells of an orbit together:

     0  1  2         1  5  3
     3  4  5   ->    7  0  8         orbits  0 | 1-4 | 5-8
     6  7  8         2  6  4

A byte tells how the game ends, for X, and with how many marks on the board:

    1 … 32: O wins with so many      127: tie      222 … 253: X wins with 254 - code      255: cannot arise
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any, TypeAlias

from noughts.native import core, solver
from noughts.rules.encoding import ranked_set, set_rank
from noughts.rules.game import Game
from noughts.rules.legality import order_of, order_with_line
from noughts.rules.symmetry import symmetries
from noughts.rules.value import Value
from noughts.solve.problems import TooLarge

if TYPE_CHECKING:
    from noughts._core import Solver
    from noughts.solve.racks import RackIndex

MAX_CELLS = 30  # in parts; in memory the backends take fewer
MAX_FALLING = 32  # the same where marks fall
MAX_RACKS = 1 << 20  # ways to fill the columns
MAX_PLAIN_CELLS = 20  # beyond, the plain index takes minutes
TIE, UNREACHABLE = 127, 255
NO_PLACE = 2**64 - 1  # in arrays of places: X has a line, and there is no byte
MAP_ORDER = (  # of the native core
    "identity", "top-bottom flip", "left-right flip", "half turn",
    "main diagonal flip", "quarter turn clockwise", "quarter turn anticlockwise", "anti-diagonal flip",
)  # fmt: skip

Set = int  # bit i = cell i, row by row; inside PlainIndex also by the numbers above


Index: TypeAlias = "Solver | PlainIndex | RackIndex"  # where the positions of a game lie; the native one also solves


def index_of(game: Game) -> Index:
    """The places of a game's positions, natively where the core is installed."""
    check_size(game)
    return plain_index(game) if core() is None else solver(game)


@lru_cache(maxsize=8)
def plain_index(game: Game) -> PlainIndex | RackIndex:
    """The places of a game's positions, in Python: with all that the core has not, such as a walk through them."""
    from noughts.solve.racks import RackIndex

    return RackIndex(game) if game.gravity else PlainIndex(game)


def check_size(game: Game) -> None:
    """TooLarge, if strong solving does not take the game."""
    most = MAX_FALLING if game.gravity else MAX_CELLS
    if game.cells > most:
        raise TooLarge(f"{game} has {game.cells} cells: strong solving takes at most {most}")
    if game.gravity and (racks := (game.rows + 1) ** game.columns) > MAX_RACKS:
        raise TooLarge(f"{game} has {racks:,} ways to fill its columns: strong solving takes at most {MAX_RACKS:,}")


# Codes


@lru_cache(maxsize=8192)
def decode(code: int, marks: int, cells: int) -> Value | None:
    """What a byte says for the player to move; None if the position cannot arise.

    >>> decode(254 - 9, 6, 9)
    Value(outcome='win', remoteness=3)
    """
    if code == UNREACHABLE:
        return None
    if code == TIE:
        return Value("tie", cells - marks)
    x_wins, x_to_move = code > TIE, marks % 2 == 0
    return Value("win" if x_wins == x_to_move else "loss", (254 - code if x_wins else code) - marks)


def encode(value: Value, marks: int) -> int:
    """The inverse of `decode`."""
    if value.outcome == "tie":
        return TIE
    end = marks + value.plies
    return 254 - end if (value.outcome == "win") == (marks % 2 == 0) else end


# The plain index


class PlainIndex:
    """Where the positions of one game lie, in Python; `locate` and `position_at` speak of row-major cells."""

    def __init__(self, game: Game) -> None:
        check_size(game)
        if game.cells > MAX_PLAIN_CELLS:
            raise TooLarge(
                f"{game} has {game.cells} cells: without the native core at most {MAX_PLAIN_CELLS} "
                "(noughts doctor says how to get it)"
            )
        self.game = game
        self.cells = game.cells
        self._sets: dict[int, tuple[list[Set], list[Set]]] = {}
        self._last: tuple[Set, list[int]] = -1, []

    @cached_property
    def maps(self) -> list[tuple[int, ...]]:
        """Each symmetry as a map of row-major cells, the identity first, in the order of the native core."""
        return [each.cells for each in sorted(symmetries(self.game), key=lambda each: MAP_ORDER.index(each.name))]

    @cached_property
    def number(self) -> tuple[int, ...]:
        """The number of each row-major cell."""
        orbits, seen = [], set[int]()
        for cell in range(self.cells):
            orbit = [image for image in dict.fromkeys(map_[cell] for map_ in self.maps) if image not in seen]
            seen.update(orbit)
            orbits.append(orbit)
        order = [cell for orbit in sorted(orbits, key=len) for cell in orbit]
        return tuple(sorted(range(self.cells), key=order.__getitem__))

    @cached_property
    def _images(self) -> list[tuple[list[Set], list[Set]]]:
        """For each symmetry, the image of every set of the low and of the high cells, by number."""
        half, cell_of = self.cells // 2, sorted(range(self.cells), key=self.number.__getitem__)
        found = []
        for map_ in self.maps:
            to = [1 << self.number[map_[cell]] for cell in cell_of]
            found.append((_unions(to[:half]), _unions(to[half:])))
        return found

    def _all(self, numbers: Set) -> list[Set]:
        """What each symmetry makes of a set, by number."""
        half = self.cells // 2
        low, high = numbers & (1 << half) - 1, numbers >> half
        return [lows[low] | highs[high] for lows, highs in self._images]

    def to_numbers(self, cells: Set) -> Set:
        """A set of row-major cells as numbers."""
        return sum(1 << self.number[cell] for cell in range(self.cells) if cells >> cell & 1)

    def to_cells(self, numbers: Set) -> Set:
        """A set of numbers as row-major cells, the inverse of `to_numbers`."""
        return sum((numbers >> number & 1) << cell for cell, number in enumerate(self.number))

    def open(self, size: int) -> list[Set]:
        """The smallest set of each orbit of so many cells that is open, by number, ascending: those with a block."""
        return self._smallest(size)[0]

    def won(self, size: int) -> list[Set]:
        """The smallest set of each orbit of so many cells that is won, by number, ascending."""
        return self._smallest(size)[1]

    def _smallest(self, size: int) -> tuple[list[Set], list[Set]]:
        if size not in self._sets:
            smallest = [numbers for numbers in self.sets_beside(0, size) if min(self._all(numbers)) == numbers]
            self._sets[size] = [*filter(self.is_open, smallest)], [*filter(self.is_won, smallest)]
        return self._sets[size]

    def sets_beside(self, x: Set, size: int) -> list[Set]:
        """All sets of this size among the cells that X left free, by number: O's, in the order of their bytes.

        >>> [bin(found)[2:] for found in plain_index(Game(1, 4, 2)).sets_beside(0b0010, 2)]
        ['101', '1001', '1100']
        """
        return sorted(map(sum, combinations(self._beside(x), size)))

    def is_open(self, numbers: Set) -> bool:
        """Can a player have this set without ever having had a line?"""
        return _is_open(self.game, self.to_cells(numbers))

    def is_won(self, numbers: Set) -> bool:
        """Can the last move to this set have completed its lines, the first ones?"""
        return order_with_line(self.game, self.to_cells(numbers)) is not None

    def boards(self, marks: int) -> Iterator[tuple[Set, Set]]:
        """The sets of X and O of each byte of a level, in the order of the bytes."""
        return ((self.to_cells(x), self.to_cells(o)) for x, o in self._boards(marks))

    def _boards(self, marks: int) -> Iterator[tuple[Set, Set]]:
        """The sets of X and O of each byte of a level by number, in the order of the bytes."""
        for x in self.open((marks + 1) // 2):
            yield from ((x, o) for o in self.sets_beside(x, marks // 2))

    def judge(self, x: Set, o: Set) -> int | None:
        """The code of a position that cannot arise, or in which the game is over; None where it goes on."""
        marks = x.bit_count() + o.bit_count()
        last, other = (x, o) if marks % 2 else (o, x)
        if not _is_open(self.game, other):
            return UNREACHABLE
        if not _is_open(self.game, last):
            won = order_with_line(self.game, last) is not None
            return encode(self.game.rule.completed, marks) if won else UNREACHABLE
        return TIE if x | o == self.game.full else None

    def walk(self, marks: int, codes: Iterable[int]) -> Iterator[tuple[Set, Set, Value]]:
        """The sets of X and O by number, and the value, of all that can arise in a level: one for each image of X."""
        for (x, o), code in zip(self._boards(marks), codes, strict=True):
            if value := decode(code, marks, self.cells):
                yield x, o, value
        if marks % 2:  # X may just have won, and such positions have no byte
            for x in self.won((marks + 1) // 2):
                for o in self.sets_beside(x, marks // 2):
                    if self.is_open(o):
                        yield x, o, self.game.rule.completed

    def images(self, x: Set, o: Set) -> list[tuple[Set, Set]]:
        """The positions that one of `walk` stands for: one for each image of its X set."""
        found: dict[Set, Set] = {}
        for x_image, o_image in zip(self._all(x), self._all(o), strict=True):
            found.setdefault(x_image, o_image)
        return [(self.to_cells(x), self.to_cells(o)) for x, o in found.items()]

    def weight(self, x: Set, o: Set) -> tuple[int, bool]:
        """How many positions one of `walk` stands for, and whether it represents its class.

        The symmetries that leave X as it is may make another O of it, and the smallest does.
        """
        own = self._own(x)
        smallest = len(own) == 1 or all(image >= o for image in map(self._all(o).__getitem__, own))
        return len(self.maps) // len(own), smallest

    def _own(self, x: Set) -> list[int]:
        """The symmetries that leave a set as it is; that of the last one is remembered."""
        if self._last[0] != x:
            self._last = x, [number for number, image in enumerate(self._all(x)) if image == x]
        return self._last[1]

    # What the native core gives as well

    def level_bytes(self) -> list[int]:
        """How many bytes each level has."""
        return [len(self.open((level + 1) // 2)) * self.block_bytes(level) for level in range(self.cells + 1)]

    def block_bytes(self, level: int) -> int:
        """How many bytes of a level belong to one X set."""
        return comb(self.cells - (level + 1) // 2, level // 2)

    def locate(self, x: Set, o: Set) -> int | None:
        """The place of a position in its level; None where X has a line."""
        numbers = self.to_numbers(x)
        if not self.is_open(numbers):
            return None
        images = self._all(numbers)
        smallest = min(images)
        other = self._all(self.to_numbers(o))[images.index(smallest)]
        number = bisect_left(self.open(x.bit_count()), smallest)
        inner = set_rank(place for place, bit in enumerate(self._beside(smallest)) if other & bit)
        return number * self.block_bytes(x.bit_count() + o.bit_count()) + inner

    def locate_all(self, x: Any, o: Any, places: Any, codes: Any) -> None:
        """Put the places of many positions into an array; where X has a line NO_PLACE, and the code into the other."""
        for number, (own, other) in enumerate(zip(x.tolist(), o.tolist(), strict=True)):
            place = self.locate(own, other)
            places[number] = NO_PLACE if place is None else place
            if place is None:
                codes[number] = self.judge(own, other)

    def position_at(self, level: int, place: int) -> tuple[Set, Set]:
        """The sets of X and O at a place: the inverse of `locate`, up to symmetry."""
        number, inner = divmod(place, self.block_bytes(level))
        x = self.open((level + 1) // 2)[number]
        free = self._beside(x)
        o = sum(free[place] for place in ranked_set(inner, level // 2, len(free)))
        return self.to_cells(x), self.to_cells(o)

    def _beside(self, x: Set) -> list[Set]:
        """The cells that X left free, ascending, each as a set of its own."""
        return [1 << cell for cell in range(self.cells) if not x >> cell & 1]


@lru_cache(maxsize=1 << 16)
def _is_open(game: Game, cells: Set) -> bool:
    return order_of(game, cells) is not None


def _unions(images: list[Set]) -> list[Set]:
    """The image of every set of cells, given that of each cell."""
    found = [0]
    for image in images:
        found += [before | image for before in found]
    return found
