"""What two plies of looking ahead prove on a board of any size, by the cells that complete a line.

Who can complete a line wins at once; who faces two such cells, or plays elsewhere than on the only one, loses in
two. In misere completing a line loses at once. Everything else is unknown.
"""

from __future__ import annotations

from noughts.game import Bits, Cell
from noughts.position import Position
from noughts.solve.value import Value


def value(position: Position) -> Value | None:
    """The value of an ongoing position as far as two plies show it."""
    mine, theirs = completing(position)
    if position.game.misere:
        return Value("loss", 1) if mine == position.empty else None
    if mine:
        return Value("win", 1)
    return Value("loss", 2) if theirs.bit_count() > 1 else None


def move_values(position: Position) -> dict[Cell, Value | None]:
    """The value of each move, as far as two plies show it."""
    game = position.game
    mine, theirs = completing(position)
    ends = dict.fromkeys(game.cells_of(mine), Value("loss" if game.misere else "win", 1))
    threats = [] if game.misere else game.cells_of(theirs)
    lost = Value("loss", 2)
    return {cell: ends.get(cell) or (lost if threats and threats != [cell] else None) for cell in position.moves()}


def completing(position: Position) -> tuple[Bits, Bits]:
    """The free cells on which the player to move, and the other, would complete a line."""
    mine, theirs = position.sides
    complete, empty = position.game.completing, position.empty
    return complete(mine) & empty, complete(theirs) & empty
