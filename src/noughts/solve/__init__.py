"""Exact values: what a position is worth when both sides play as well as can be.

Everybody asks `value` and `move_values`; where the answer comes from is decided here. Unknown is None, never a draw.
"""

from __future__ import annotations

from noughts.game import Cell
from noughts.position import Position
from noughts.solve import plain
from noughts.solve.value import Outcome, Value

__all__ = ["Outcome", "Value", "move_values", "value"]


def value(position: Position) -> Value | None:
    """The exact value for the player to move, or None where the board is too large to solve on the spot.

    >>> value(Position.parse("XO./.X./..O"))
    Value(outcome='win', remoteness=3)
    >>> value(Position.parse("15x15k5:" + "/".join(["." * 15] * 15))) is None
    True
    """
    if position.is_over:
        return plain.value(position)
    return plain.value(position) if plain.supports(position.game) else None


def move_values(position: Position) -> dict[Cell, Value | None]:
    """Each legal move with its value for the player who makes it, remoteness counted from here.

    >>> move_values(Position.parse("XX./OO./..."))[2]
    Value(outcome='win', remoteness=1)
    """
    found: dict[Cell, Value | None] = {}
    for cell in position.moves():
        after = value(position.play(cell))
        found[cell] = after and after.for_mover()
    return found
