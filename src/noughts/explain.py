"""Why a move is good or bad, in words.

Every sentence follows from the rules or from exact values: nothing is guessed.
"""

from __future__ import annotations

from noughts.game import Cell
from noughts.position import Position
from noughts.solve.shallow import completing
from noughts.solve.value import Value


def reasons(position: Position, values: dict[Cell, Value | None]) -> dict[Cell, list[str]]:
    """What each move does, given the values of all of them (`noughts.move_values`).

    >>> from noughts import move_values
    >>> position = Position.parse("XX./OO./...")
    >>> reasons(position, move_values(position))[2]
    ['completes a line', 'only winning move']
    """
    game = position.game
    mine, theirs = (set(game.cells_of(bits)) for bits in completing(position))
    completes = "completes a line, which loses" if game.misere else "completes a line"
    blocks = "takes a cell where the opponent would lose" if game.misere else "blocks a line"
    by_value = _by_value(values)
    return {
        cell: [completes] * (cell in mine) + [blocks] * (cell in theirs) + by_value.get(cell, []) for cell in values
    }


def _by_value(values: dict[Cell, Value | None]) -> dict[Cell, list[str]]:
    """What the exact values say of each move; nothing where one is unknown."""
    known = {cell: value for cell, value in values.items() if value is not None}
    if not known or len(known) < len(values):
        return {}
    best = max(known.values()).outcome
    keep = [cell for cell, value in known.items() if value.outcome == best]
    alone = "only winning move" if best == "win" else "only move that does not lose"
    kept = [] if best == "loss" else [alone if len(keep) == 1 else f"keeps the {best}"]
    return {cell: kept if cell in keep else [f"throws away the {best}"] for cell in known}
