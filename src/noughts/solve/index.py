"""Where the byte of a position lies, and what it says: the plain twin of native/solve/index.hpp.

A level is the positions with the same number of marks. It has a block of bytes for one X set of each orbit (the
smallest that the symmetries make of it), and in the block a byte for each set of O among the cells that X left free:

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

    1 … 25: O wins with so many      127: tie      229 … 253: X wins with 254 - code      255: cannot arise
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from math import comb
from typing import TYPE_CHECKING, TypeAlias

from noughts.native import handle
from noughts.rules.game import Game
from noughts.rules.value import Value
from noughts.solve.problems import TooLarge

if TYPE_CHECKING:
    from noughts._core import Solver

MAX_CELLS = 25
MAX_PLAIN_CELLS = 20  # beyond, the plain index takes minutes
TIE, UNREACHABLE = 127, 255

Set = int  # bit i = cell i, row by row; inside PlainIndex also by the numbers above


Places: TypeAlias = "Solver | PlainIndex"  # of a game's positions: the native ones, which also do the work, or the twin


@lru_cache(maxsize=8)
def index_of(game: Game) -> Places:
    """The places of a game's positions, natively where the core is installed."""
    check_size(game)
    native = handle(game)
    if native is None:
        return PlainIndex(game)
    from noughts._core import Solver

    return Solver(native)


def solver_of(game: Game) -> Solver:
    """The native solver of a game, where the core is installed."""
    found = index_of(game)
    assert not isinstance(found, PlainIndex)
    return found


def check_size(game: Game) -> None:
    """TooLarge, if the board has too many cells for strong solving."""
    if game.cells > MAX_CELLS:
        raise TooLarge(f"{game} has {game.cells} cells: strong solving takes at most {MAX_CELLS}")


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
    """Places of a game's positions, in Python; `locate` and `position_at` speak of row-major cells."""

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
        self._blocks: dict[int, dict[Set, int]] = {}

    @cached_property
    def maps(self) -> list[tuple[int, ...]]:
        """Each symmetry as a map of row-major cells, the identity first, in the order of the native core."""
        rows, columns = self.game.rows, self.game.columns
        found: dict[tuple[int, ...], None] = {}
        for turn in range(8 if rows == columns else 4):
            images = []
            for cell in range(self.cells):
                row, column = divmod(cell, columns)
                row, column = rows - 1 - row if turn & 1 else row, columns - 1 - column if turn & 2 else column
                images.append(column * columns + row if turn & 4 else row * columns + column)
            found[tuple(images)] = None
        return list(found)

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

    def images(self, numbers: Set) -> list[Set]:
        """What each symmetry makes of a set, by number."""
        half = self.cells // 2
        low, high = numbers & (1 << half) - 1, numbers >> half
        return [lows[low] | highs[high] for lows, highs in self._images]

    @cached_property
    def lines(self) -> tuple[Set, ...]:
        """The lines of the board, by number."""
        return tuple(self.to_numbers(sum(1 << cell for cell in line)) for line in self.game.lines())

    def to_numbers(self, cells: Set) -> Set:
        """A set of row-major cells as numbers."""
        return sum(1 << self.number[cell] for cell in range(self.cells) if cells >> cell & 1)

    def to_cells(self, numbers: Set) -> Set:
        """The inverse."""
        return sum((numbers >> number & 1) << cell for cell, number in enumerate(self.number))

    def open(self, size: int) -> list[Set]:
        """The smallest set of each orbit of so many cells without a line, by number, ascending: those with a block."""
        return self._smallest(size)[0]

    def won(self, size: int) -> list[Set]:
        """The same for sets whose lines have a common cell: a last move there completed them all."""
        return self._smallest(size)[1]

    def _smallest(self, size: int) -> tuple[list[Set], list[Set]]:
        if size not in self._sets:
            open_: list[Set] = []
            won: list[Set] = []
            for numbers in sets_of(size, self.cells):
                if min(self.images(numbers)) == numbers:
                    common = self.common(numbers)
                    if common:
                        (open_ if common == -1 else won).append(numbers)
            self._sets[size] = open_, won
        return self._sets[size]

    def sets_beside(self, x: Set, size: int) -> Iterator[Set]:
        """O's sets of this size among the cells that X left free, by number, in the order of their bytes."""
        free = [1 << cell for cell in range(self.cells) if not x >> cell & 1]
        for places in sets_of(size, len(free)):
            yield sum(bit for place, bit in enumerate(free) if places >> place & 1)

    def common(self, numbers: Set) -> Set:
        """The cells that all lines of a set have in common; -1 if it has no line."""
        cells = -1
        for line in self.lines:
            if numbers & line == line:
                cells &= line
        return cells

    # What the native core gives as well

    def level_bytes(self) -> list[int]:
        """How many bytes each level has."""
        return [len(self.open((level + 1) // 2)) * self.block_bytes(level) for level in range(self.cells + 1)]

    def block_bytes(self, level: int) -> int:
        """How many of them belong to one X set."""
        return comb(self.cells - (level + 1) // 2, level // 2)

    def locate(self, x: Set, o: Set) -> int | None:
        """The place of a position in its level; None where X has a line."""
        numbers = self.to_numbers(x)
        if self.common(numbers) != -1:
            return None
        images = self.images(numbers)
        smallest = min(images)
        other = self.images(self.to_numbers(o))[images.index(smallest)]
        number = self._block_numbers(x.bit_count())[smallest]
        return number * self.block_bytes(x.bit_count() + o.bit_count()) + rank(other, smallest)

    def position_at(self, level: int, place: int) -> tuple[Set, Set]:
        """The sets of X and O at a place: the inverse, up to symmetry."""
        number, inner = divmod(place, self.block_bytes(level))
        x = self.open((level + 1) // 2)[number]
        o = 0
        free = [cell for cell in range(self.cells) if not x >> cell & 1]
        for size in range(level // 2, 0, -1):
            while comb(len(free) - 1, size) > inner:
                free.pop()
            inner -= comb(len(free) - 1, size)
            o |= 1 << free.pop()
        return self.to_cells(x), self.to_cells(o)

    def _block_numbers(self, size: int) -> dict[Set, int]:
        if size not in self._blocks:
            self._blocks[size] = {numbers: place for place, numbers in enumerate(self.open(size))}
        return self._blocks[size]


def _unions(images: list[Set]) -> list[Set]:
    """The image of every set of cells, given that of each cell."""
    found = [0]
    for image in images:
        found += [before | image for before in found]
    return found


def sets_of(size: int, cells: int) -> Iterator[Set]:
    """All sets of so many out of so many cells, ascending.

    >>> [bin(found)[2:] for found in sets_of(2, 3)]
    ['11', '101', '110']
    """
    if size == 0:
        yield 0
        return
    found = (1 << size) - 1
    while found < 1 << cells:
        yield found
        low = found & -found
        ripple = found + low
        found = ripple | (found ^ ripple) // low >> 2


def rank(numbers: Set, taken: Set) -> int:
    """The place of a set among those of its size that leave out the taken cells."""
    found = size = place = 0
    for cell in range(numbers.bit_length()):
        if taken >> cell & 1:
            continue
        if numbers >> cell & 1:
            size += 1
            found += comb(place, size)
        place += 1
    return found
