"""Exact values: what a position is worth when both sides play as well as can be.

Everybody asks `value` and `move_values`; where the answer comes from is decided here. Unknown is None,
never a draw.
"""

from __future__ import annotations

from noughts.game import Cell
from noughts.position import Position
from noughts.solve import plain, shallow
from noughts.solve.value import Outcome, Value

__all__ = ["Outcome", "Value", "best_moves", "move_values", "value"]


def value(position: Position) -> Value | None:
    """The exact value for the player to move, or None where too many cells are free to say.

    >>> value(Position.parse("XO./.X./..O"))
    Value(outcome='win', remoteness=3)
    >>> value(Position.parse("15x15k5:" + "/".join(["." * 15] * 15))) is None
    True
    """
    return plain.value(position) if plain.supports(position) else shallow.value(position)


def move_values(position: Position) -> dict[Cell, Value | None]:
    """Each legal move with its value for the player who makes it, remoteness counted from here.

    >>> move_values(Position.parse("XX./OO./..."))[2]
    Value(outcome='win', remoteness=1)
    """
    if not plain.supports(position):
        return shallow.move_values(position)
    return {cell: plain.value(position.play(cell)).for_mover() for cell in position.moves()}


def best_moves(position: Position) -> list[Cell]:
    """The moves of the highest value: the quickest win, the slowest loss; none where it is unknown.

    >>> best_moves(Position.parse("XO./.X./..O"))
    [3, 6]
    """
    best = value(position)
    return [cell for cell, worth in move_values(position).items() if best and worth == best]
