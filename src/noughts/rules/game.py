"""The game: a board of rows x columns, and a rule, under which k in a row end it.

Vocabulary
    cell   a square's public name: 0 .. rows*columns-1, row by row from the top left
    line   k cells in a row: along a row, a column or either diagonal
    bits   a set of cells as one int: bit i = cell i

               0  1  2        one step right is 1 bit further on, down 3, down-right 4, down-left 2
               3  4  5
               6  7  8        right of 2 lies 3, on the next row: what follows steps asks for `room`
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from noughts import native
from noughts.rules.marks import Mark, Status
from noughts.rules.rule import RULES, Rule
from noughts.words import brief, whole

if TYPE_CHECKING:
    from noughts.rules.board import Board
    from noughts.rules.position import Position

Cell = int
Bits = int
Line = tuple[Cell, ...]
Direction = tuple[int, int]  # rows down and columns right from a cell to the next

MAX_SIDE = 256
WORD_CELLS = 64  # bits of a word of the core
MANY = 1024  # cells: from here on what is done for each cell must not touch the whole board


class InvalidGame(ValueError):
    """These numbers do not make a game."""


class Game:
    """A board and its rule: k or more in a row win, unless a letter says otherwise.

    With `exact` only a run of exactly k is a line, and a longer one is nothing; with `gravity` a mark falls to the
    lowest free cell of its column; with `misere` a line loses.

    >>> Game(3, 3, 3)
    Game(rows=3, columns=3, k=3)
    >>> str(Game(4, 5, 4, misere=True)), str(Game(15, 15, 5, exact=True))
    ('4x5k4m', '15x15k5e')
    >>> Game.parse("6x7k4g")
    Game(rows=6, columns=7, k=4, gravity=True)
    """

    rows: int
    columns: int
    k: int
    misere: bool
    exact: bool
    gravity: bool

    def __init__(
        self, rows: int = 3, columns: int = 3, k: int = 3, misere: bool = False, exact: bool = False,
        gravity: bool = False,
    ) -> None:  # fmt: skip
        rows = whole("rows", rows, 1, MAX_SIDE, InvalidGame)
        columns = whole("columns", columns, 1, MAX_SIDE, InvalidGame)
        k, longest = whole("k", k, refuse=InvalidGame), max(rows, columns)
        if not 1 <= k <= longest:
            raise InvalidGame(f"k must be from 1 to {longest} on a board of {rows} x {columns}, not {brief(k)}")
        self.__dict__.update(rows=rows, columns=columns, k=k, misere=misere, exact=exact, gravity=gravity)
        for name in RULES.values():
            if type(getattr(self, name)) is not bool:
                raise InvalidGame(f"{name} must be True or False, not {brief(getattr(self, name))}")

    # A frozen, hashable value. A dataclass would be one too, but importing that takes longer than the rest of noughts.

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self is other or self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        rules = "".join(f", {name}=True" for name in self.rule.names)
        return f"Game(rows={self.rows}, columns={self.columns}, k={self.k}{rules})"

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Game never changes: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Game never changes: {name} cannot be deleted")

    def __reduce__(self) -> tuple[Any, ...]:
        return Game, self.key

    @cached_property
    def key(self) -> tuple[int, int, int, bool, bool, bool]:
        """What makes it this game: the arguments that make another like it."""
        return self.rows, self.columns, self.k, self.misere, self.exact, self.gravity

    # Text and start

    @staticmethod
    def parse(text: str) -> Game:
        """Read a game from its name, such as "4x5k4" or "3x3k3m"."""
        from noughts.rules.notation import parse_game

        return parse_game(text)

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}k{self.k}{self.rule.letters}"

    def on(self, rows: int, columns: int) -> Game:
        """The game with the same k and rule on another board."""
        return Game(rows, columns, *self.key[2:])

    def start(self) -> Position:
        """The empty board, X to move."""
        from noughts.rules.position import Position

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

    # The rule

    @cached_property
    def rule(self) -> Rule:
        """Where one may play, what a line is, what completing one means, which symmetries hold, what can arise."""
        return _rule_of(self)

    @cached_property
    def playing(self) -> tuple[BitOf, int, Callable[[Bits], bool], Status, Status]:
        """What `Position.play` needs, in one read: each cell's bit, lift, has_line, how X's and O's line ends it."""
        rule = self.rule
        return BitOf(self), rule.lift, rule.quick_has_line, rule.status(Mark.X), rule.status(Mark.O)

    @cached_property
    def handle(self) -> Any:
        """The game as the core knows it, where a set of its cells fits into a word; None without the core."""
        return native.handle(self) if self.cells <= WORD_CELLS else None

    @cached_property
    def blank(self) -> Board:
        """The empty board, which `Board` copies; nobody plays on it."""
        from noughts.rules.board import Board

        return Board.from_position(self.start())

    # Cells and sets of them

    @cached_property
    def cells(self) -> int:
        """How many cells the board has."""
        return self.rows * self.columns

    @cached_property
    def full(self) -> Bits:
        """The set of all cells."""
        return (1 << self.cells) - 1

    def bits_of(self, cells: Iterable[Cell]) -> Bits:
        """The set of these cells."""
        if self.cells > MANY:  # one by one, each would copy the whole board
            digits = bytearray(b"0") * self.cells
            for cell in cells:
                digits[-1 - cell] = ord("1")
            return int(digits, 2)
        bits = 0
        for cell in cells:
            bits |= 1 << cell
        return bits

    def cells_of(self, bits: Bits) -> list[Cell]:
        """The cells of a set, ascending.

        >>> Game(3, 3, 3).cells_of(0b001_000_010)
        [1, 6]
        """
        if self.cells > MANY and bits.bit_count() * 50 < self.cells:  # few on a large board: go from one to the next
            found = []
            while bits:
                found.append((bits & -bits).bit_length() - 1)
                bits &= bits - 1
            return found
        return [cell for cell, digit in enumerate(bin(bits)[:1:-1]) if digit == "1"]

    def column_of(self, cell: Cell) -> Bits:
        """The cells of the column of this one.

        >>> Game(3, 3, 3).cells_of(Game(3, 3, 3).column_of(4))
        [1, 4, 7]
        """
        return (self.full // ((1 << self.columns) - 1)) << cell % self.columns

    # Directions and lines

    @cached_property
    def directions(self) -> tuple[Direction, ...]:
        """The (down, right) steps along which a line fits; one is enough when k = 1."""
        if self.k == 1:
            return ((0, 1),)
        across = ((0, 1),) if self.k <= self.columns else ()
        along = ((1, 0),) if self.k <= self.rows else ()
        return across + along + (((1, 1), (1, -1)) if across and along else ())

    def step(self, direction: Direction) -> int:
        """How much further on the next cell in this direction is: among the cells, and so among the bits."""
        down, right = direction
        return down * self.columns + right

    def room(self, direction: Direction, steps: int) -> Bits:
        """The cells from which so many steps in this direction stay on the board.

        >>> game = Game(3, 3, 3)
        >>> game.cells_of(game.room((0, 1), 1)), game.cells_of(game.room((1, -1), 2))
        ([0, 1, 3, 4, 6, 7], [2])
        """
        return _room(self.rows, self.columns, direction, steps)

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
        for direction in self.directions:
            yield from self.lines_from(self.room(direction, self.k - 1), direction)

    def lines_from(self, starts: Bits, direction: Direction) -> Iterator[Line]:
        """The lines that begin on these cells and run in this direction."""
        step = self.step(direction)
        for start in self.cells_of(starts):
            yield tuple(range(start, start + step * self.k, step))


@lru_cache(maxsize=64)
def _rule_of(game: Game) -> Rule:
    """The rule of all games that are equal: to write out its win test takes longer than to read a position."""
    return Rule(game)


@lru_cache(maxsize=256)
def _room(rows: int, columns: int, direction: Direction, steps: int) -> Bits:
    down, right = direction
    high, wide = rows - steps * down, columns - steps * abs(right)
    if high < 1 or wide < 1:
        return 0
    row = (1 << wide) - 1 << (steps if right < 0 else 0)
    return row * (((1 << columns * high) - 1) // ((1 << columns) - 1))  # the row, copied downwards


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
        self.cells = game.cells
        if game.cells <= MANY:
            self.update((cell, 1 << cell) for cell in range(game.cells))

    def __missing__(self, cell: Cell) -> Bits:
        return 1 << cell if 0 <= cell < self.cells else 0
