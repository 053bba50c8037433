"""The game: a board of rows x columns on which k in a row end it.

Vocabulary
    cell   a square's public name: 0 .. rows*columns-1, row by row from the top left
    line   k cells in a row: along a row, a column or either diagonal
    bits   a set of cells as one int, laid out with one spare column:

               cells of a 3x3 board        their bits (stride = columns + 1)
                   0  1  2                     0  1  2 | 3
                   3  4  5                     4  5  6 | 7
                   6  7  8                     8  9 10 | 11
                                                         ^ never set

           One step right is a shift by 1, down by 4, down-right by 5, down-left by 3.
           The spare column stays empty, so that no run can wrap round the edge.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from operator import index
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from noughts.position import Position

Cell = int
Bits = int
Line = tuple[Cell, ...]

MAX_SIDE = 256
FEW = 9  # cells: 512 sets of them
MANY = 1024  # cells: from here on what is done for each cell must not touch the whole board


class InvalidGame(ValueError):
    """These numbers do not make a game."""


class Game:
    """A board and its rule: k or more in a row win, or lose in misere.

    >>> Game(3, 3, 3)
    Game(rows=3, columns=3, k=3, misere=False)
    >>> str(Game(4, 5, 4, misere=True))
    '4x5k4m'
    """

    rows: int
    columns: int
    k: int
    misere: bool

    def __init__(self, rows: int = 3, columns: int = 3, k: int = 3, misere: bool = False) -> None:
        rows = whole("rows", rows, 1, MAX_SIDE, InvalidGame)
        columns = whole("columns", columns, 1, MAX_SIDE, InvalidGame)
        k, longest = whole("k", k, refuse=InvalidGame), max(rows, columns)
        if not 1 <= k <= longest:
            raise InvalidGame(f"k must be from 1 to {longest} on a board of {rows} x {columns}, not {brief(k)}")
        if type(misere) is not bool:
            raise InvalidGame(f"misere must be True or False, not {brief(misere)}")
        self.__dict__.update(rows=rows, columns=columns, k=k, misere=misere)

    # A frozen, hashable value. A dataclass would be one too, but importing that takes longer than the rest of noughts.

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self is other or self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"Game(rows={self.rows}, columns={self.columns}, k={self.k}, misere={self.misere})"

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Game never changes: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Game never changes: {name} cannot be deleted")

    def __reduce__(self) -> tuple[Any, ...]:
        return Game, self._key()

    def _key(self) -> tuple[int, int, int, bool]:
        return self.rows, self.columns, self.k, self.misere

    # Text and start

    @staticmethod
    def parse(text: str) -> Game:
        """Read a game from its name, such as "4x5k4" or "3x3k3m"."""
        from noughts.notation import parse_game

        return parse_game(text)

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}k{self.k}{'m' * self.misere}"

    def start(self) -> Position:
        """The empty board, X to move."""
        from noughts.position import Position

        return Position(self)

    def positions(self) -> Iterator[Position]:
        """Every position that legal play can reach, each once, those with fewer marks first.

        >>> sum(1 for position in Game(3, 3, 3).positions())
        5478
        """
        level = dict.fromkeys([self.start()])
        while level:
            yield from level
            level = dict.fromkeys(position.play(cell) for position in level for cell in position.moves())

    # Geometry

    @cached_property
    def cells(self) -> int:
        """How many cells the board has."""
        return self.rows * self.columns

    @cached_property
    def stride(self) -> int:
        """How far apart in `bits` a cell and the one below it are."""
        return self.columns + 1

    @cached_property
    def full(self) -> Bits:
        """The set of all cells."""
        row = (1 << self.columns) - 1
        return sum(row << r * self.stride for r in range(self.rows))

    @cached_property
    def rules(self) -> tuple[BitOf, Callable[[Bits], bool], bool]:
        """What `Position.play` needs, in one read: the bit of each cell, has_line, misere.

        Where there are few sets of cells, the quickest has_line is a look among those that hold a line.
        """
        has_line = sets_with_line(self).__contains__ if self.cells <= FEW else self.has_line
        return BitOf(self), has_line, self.misere

    @cached_property
    def directions(self) -> tuple[tuple[int, int], ...]:
        """The (down, right) steps along which a line fits; one is enough when k = 1."""
        if self.k == 1:
            return ((0, 1),)
        across = ((0, 1),) if self.k <= self.columns else ()
        along = ((1, 0),) if self.k <= self.rows else ()
        return across + along + (((1, 1), (1, -1)) if across and along else ())

    def bit(self, cell: Cell) -> Bits:
        """The set that holds this one cell."""
        return 1 << cell + cell // self.columns

    def bits_of(self, cells: Iterable[Cell]) -> Bits:
        """The set of these cells."""
        if self.cells > MANY:  # one by one, each would copy the whole board
            digits = bytearray(b"0") * (self.rows * self.stride)
            for cell in cells:
                digits[-1 - cell - cell // self.columns] = ord("1")
            return int(digits, 2)
        bits = 0
        for cell in cells:
            bits |= self.bit(cell)
        return bits

    def cells_of(self, bits: Bits) -> list[Cell]:
        """The cells of a set, ascending.

        >>> Game(3, 3, 3).cells_of(0b0001_0000_0010)
        [1, 6]
        """
        stride = self.stride
        if self.cells > MANY and bits.bit_count() * 50 < self.cells:  # few on a large board: go from one to the next
            found = []
            while bits:
                i = (bits & -bits).bit_length() - 1
                found.append(i - i // stride)
                bits &= bits - 1
            return found
        return [i - i // stride for i, digit in enumerate(bin(bits)[:1:-1]) if digit == "1"]

    def compact(self, bits: Bits) -> int:
        """The same set of cells without the spare column: bit i = cell i."""
        row = (1 << self.columns) - 1
        return sum((bits >> r * self.stride & row) << r * self.columns for r in range(self.rows))

    def spread(self, compact: int) -> Bits:
        """The inverse of `compact`."""
        row = (1 << self.columns) - 1
        return sum((compact >> r * self.columns & row) << r * self.stride for r in range(self.rows))

    # Lines

    @cached_property
    def line_count(self) -> int:
        """How many lines the board has."""
        down, right = max(0, self.rows - self.k + 1), max(0, self.columns - self.k + 1)
        if self.k == 1:
            return self.cells
        return self.rows * right + self.columns * down + 2 * down * right

    def lines(self) -> Iterator[Line]:
        """Every line of the board, direction by direction.

        >>> [line for line in Game(3, 3, 3).lines() if 4 in line]
        [(3, 4, 5), (1, 4, 7), (0, 4, 8), (2, 4, 6)]
        """
        return self._windows(self.full)

    def lines_in(self, bits: Bits) -> tuple[Line, ...]:
        """Every line whose cells all belong to this set."""
        return tuple(self._windows(bits)) if self.has_line(bits) else ()

    @cached_property
    def has_line(self) -> Callable[[Bits], bool]:
        """Does a set hold k in a row? The default win test, `game.has_line(bits)`.

        A run of two is found by one shift and AND; runs of two that are two apart make a run of four:

            bits            . X X X X X .
            & bits >> 1     . 2 2 2 2 . .      a 2 where a run of two starts
            & that >> 2     . 4 4 . . . .      a 4 where a run of four starts
            & that >> 1     . 5 . . . . .      k = 5: the last step overlaps

        so that about log2(k) steps a direction do, whatever the size of the board. Python runs them fastest
        when they are written out for this board: `win_test` is that text.
        """
        return cast("Callable[[Bits], bool]", eval(self.win_test))

    @cached_property
    def win_test(self) -> str:
        """The default win test as Python source.

        >>> print(Game(1, 5, 5).win_test)
        lambda bits: True if (
            (runs := bits & bits >> 1) and (runs := runs & runs >> 2) and (runs := runs & runs >> 1)
        ) else False
        """
        tests = []
        for shifts in self._shifts.values():
            steps = [
                f"(runs := {'runs & runs' if number else 'bits & bits'} >> {shift})"
                for number, shift in enumerate(shifts)
            ]
            tests.append(" and ".join(steps) or "bits")
        return "lambda bits: True if (\n    " + "\n    or ".join(tests) + "\n) else False"

    def line_starts(self, bits: Bits, direction: tuple[int, int]) -> Bits:
        """The first cell of every line that the set holds in this direction."""
        for shift in self._shifts[direction]:
            bits &= bits >> shift
        return bits

    def completing(self, bits: Bits, directions: Iterable[tuple[int, int]] | None = None) -> Bits:
        """The cells outside the set that would complete a line with it (in these directions), all of one at once.

        One does that has g cells of the set right before it and k-1-g right after it; shifting the set tells
        which cells those are. For k = 4:

            the set            . X X . X . .
            2 before           . . . * . . .
            1 after            * * . * . . .
            2 before, 1 after  . . . * . . .      the gap completes a line
        """
        found = 0
        for down, right in self.directions if directions is None else directions:
            shift = down * self.stride + right
            before = [self.full]  # before[g]: the cells that have g cells of the set right before them
            for _ in range(self.k - 1):
                before.append((bits & before[-1]) << shift)
            after = self.full
            for cells in reversed(before):
                found |= cells & after
                after = (bits & after) >> shift
        return found & self.full & ~bits

    @cached_property
    def _shifts(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """For each direction the shifts that turn a set into its starts of k in a row."""
        return {
            (down, right): tuple(step * (down * self.stride + right) for step in doublings(self.k))
            for down, right in self.directions
        }

    def masks_in(self, bits: Bits) -> Iterator[Bits]:
        """Every line whose cells all belong to this set, as a set."""
        for down, right in self.directions:
            shift = down * self.stride + right
            pattern = sum(1 << i * shift for i in range(self.k))
            starts = self.line_starts(bits, (down, right))
            for start in self.cells_of(starts):
                yield pattern << start + start // self.columns

    def _windows(self, bits: Bits) -> Iterator[Line]:
        for down, right in self.directions:
            step = down * self.columns + right
            for start in self.cells_of(self.line_starts(bits, (down, right))):
                yield tuple(range(start, start + step * self.k, step))


def _unlock_properties() -> None:
    """Free the locks that `cached_property` has in Python 3.11, which a child of fork inherits as they are.

    A child has only the thread that forked: nobody is left to give back a lock that another one held.
    """
    from threading import RLock

    for name, module in [*sys.modules.items()]:
        if name.partition(".")[0] == "noughts":
            for kind in [each for each in vars(module).values() if isinstance(each, type)]:
                for made in vars(kind).values():
                    if isinstance(made, cached_property):
                        made.lock = RLock()  # type: ignore[attr-defined]


if sys.version_info < (3, 12) and hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unlock_properties)


class BitOf(dict[Cell, Bits]):
    """The bit of each cell, and 0 for what is no cell. Only small boards keep them all: they add up to cells^2 bits."""

    def __init__(self, game: Game) -> None:
        self.game = game
        if game.cells <= MANY:
            self.update((cell, game.bit(cell)) for cell in range(game.cells))

    def __missing__(self, cell: Cell) -> Bits:
        return self.game.bit(cell) if 0 <= cell < self.game.cells else 0


@cache
def sets_with_line(game: Game) -> frozenset[Bits]:
    """All sets of cells that hold a line: the lines, and each with any other cells.

    >>> sorted(sets_with_line(Game(1, 3, 2)))
    [3, 6, 7]
    """
    found = {game.bits_of(line) for line in game.lines()}
    for cell in range(game.cells):
        found |= {bits | game.bit(cell) for bits in found}
    return frozenset(found)


def doublings(k: int) -> list[int]:
    """The steps from a run of one to a run of k: each at most doubles it.

    >>> doublings(4), doublings(5)
    ([1, 2], [1, 2, 1])
    """
    steps, run = [], 1
    while run < k:
        steps.append(min(run, k - run))
        run += steps[-1]
    return steps


def whole(
    what: str, number: object, least: int | None = None, most: int | None = None, refuse: type[ValueError] = ValueError
) -> int:
    """A whole number from least to most, of any type (numpy has its own), as an int; a truth value is none.

    >>> whole("threads", 0, 1, 1024)
    Traceback (most recent call last):
    ValueError: threads must be from 1 to 1,024, not 0
    """
    try:
        if isinstance(number, bool):
            raise TypeError
        found = index(number)  # type: ignore[arg-type]
    except TypeError:
        raise refuse(f"{what} must be a whole number, not {brief(number)}") from None
    if (least is not None and found < least) or (most is not None and found > most):
        span = f"at least {least:,}" if most is None else f"from {least:,} to {most:,}"
        raise refuse(f"{what} must be {span}, not {brief(found)}")
    return found


def brief(thing: object) -> str:
    """Anything as an error message shows it: on one line, and short."""
    if isinstance(thing, int) and abs(thing) >= 10**20:
        return "a number of more than 20 digits"
    try:
        text = repr(thing[:40]) if isinstance(thing, str | bytes) else " ".join(repr(thing).split())
    except ValueError:  # a number of thousands of digits somewhere inside
        return f"a {type(thing).__name__} with a number of too many digits"
    return text if len(text) <= 40 else text[:37] + "..."


def no_such(kind: str, name: object, known: Iterable[str]) -> str:
    """The complaint about a name that is not known, with the nearest one that is, or else all of them.

    >>> no_such("player", "perfcet", ("perfect", "random"))
    "there is no player 'perfcet': did you mean perfect?"
    >>> no_such("rule", "gravity", ("standard", "misere"))
    "there is no rule 'gravity': expected one of standard, misere"
    """
    from difflib import get_close_matches

    names = list(known)
    near = get_close_matches(name, names) if isinstance(name, str) else []
    hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(names)}"
    return f"there is no {kind} {brief(name)}: {hint}"
