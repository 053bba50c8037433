"""Turns and flips of the board: positions that differ only by one of them are the same in all but name.

A square has 8 symmetries, a rectangle 4 (the half turn is one of them), a single row 2, a single cell 1.

    0 1 2   quarter turn   6 3 0      `Symmetry.cells[cell]` says where a cell goes:
    3 4 5   clockwise  ->  7 4 1      the turn takes cell 0 to 2, 1 to 5, 2 to 8, …
    6 7 8                  8 5 2
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import itemgetter

from noughts.rules.game import Bits, Cell, Game
from noughts.rules.position import Position
from noughts.rules.rule import SYMMETRIES
from noughts.words import whole


@dataclass(frozen=True)
class Symmetry:
    """A map of the board onto itself; call it with a cell to learn where that cell goes."""

    name: str
    cells: tuple[Cell, ...]

    def __call__(self, cell: Cell) -> Cell:
        return self.cells[whole("cell", cell, 0, len(self.cells) - 1)]

    @cached_property
    def inverse(self) -> Symmetry:
        """The map that undoes this one."""
        back = sorted(range(len(self.cells)), key=self.cells.__getitem__)
        name = {
            "quarter turn clockwise": "quarter turn anticlockwise",
            "quarter turn anticlockwise": "quarter turn clockwise",
        }.get(self.name, self.name)
        return Symmetry(name, tuple(back))

    def apply(self, position: Position) -> Position:
        """The position with every mark moved."""
        game = position.game

        def moved(bits: Bits) -> Bits:
            return game.bits_of(self.cells[cell] for cell in game.cells_of(bits))

        return Position.unchecked(game, moved(position.x), moved(position.o))


def symmetries(game: Game) -> tuple[Symmetry, ...]:
    """The symmetries of the game's board, the identity first.

    >>> [len(symmetries(Game.parse(name))) for name in ("3x3k3", "3x4k3", "1x5k3", "1x1k1")]
    [8, 4, 2, 1]
    """
    return _symmetries(game.rows, game.columns, game.rule.symmetries)


@lru_cache(maxsize=64)
def _symmetries(rows: int, columns: int, names: tuple[str, ...]) -> tuple[Symmetry, ...]:
    found: dict[tuple[Cell, ...], Symmetry] = {}
    for name in names:
        move = SYMMETRIES[name]
        images = (move(*divmod(cell, columns), rows - 1, columns - 1) for cell in range(rows * columns))
        cells = tuple(row * columns + column for row, column in images)
        found.setdefault(cells, Symmetry(name, cells))
    return tuple(found.values())


def orbit(position: Position) -> list[Position]:
    """The distinct positions that the symmetries make of this one, itself first."""
    return list(dict.fromkeys(symmetry.apply(position) for symmetry in symmetries(position.game)))


def canonical(position: Position) -> tuple[Position, Symmetry]:
    """The member of the orbit with the smallest code, and the map that brings its moves back.

    >>> position = Position.parse("..X/.../...")
    >>> smallest, back = canonical(position)
    >>> print(smallest, position.cell((0, 2)) == back(0))
    X../.../... True
    """
    # The code's most significant digit is the last cell: the smallest code is the smallest reversed board.
    marks = bytearray(position.game.cells)
    for cell in position.game.cells_of(position.o):
        marks[cell] = 1
    for cell in position.game.cells_of(position.x):
        marks[cell] = 2
    maps = symmetries(position.game)
    _, best = min((bytes(read(marks)), number) for number, read in enumerate(_readers(maps)))
    symmetry = maps[best]
    return symmetry.apply(position), symmetry.inverse


@lru_cache(maxsize=64)
def _readers(maps: tuple[Symmetry, ...]) -> tuple[Callable[[bytearray], tuple[int, ...]], ...]:
    """For each symmetry, what reads the moved board from its last cell to its first; of a single cell just its mark."""
    return tuple(itemgetter(*symmetry.inverse.cells[::-1]) for symmetry in maps)
