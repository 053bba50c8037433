"""Exact values: what a position is worth when both sides play as well as can be.

Everybody asks `value` and `move_values`; where the answer comes from is decided here, by `known`: a solution that is at
hand or can be made while someone waits, else the plain recursion where few cells are free, else two plies of looking
ahead. Unknown is None, never a draw.

    value.py      Value: an outcome and how far away it is
    plain.py      the definition of right: every position once, remembered
    shallow.py    what two plies of looking ahead prove on any board
    strong.py     solve(game): every position of a game, natively; levels.py is its plain twin
    summary.py    what a solve counts
    index.py      where the byte of a position lies in its level, and what it says
    levelfile.py  a level as a file; folder.py saves levels so that a crash harms nothing
    database.py   Solution: answers from a folder or from memory; arrays.py, export.py, verification.py serve it
    known.py      which solution answers; cache.py says where the user's are kept
    atlas.py      the table of solved games
    problems.py   what can be wrong; machine.py what there is of memory and processors; show.py the commands' output
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noughts.game import Cell
from noughts.position import Position
from noughts.solve import known, plain, shallow
from noughts.solve.known import forget, use
from noughts.solve.problems import DatabaseError, TooLarge
from noughts.solve.value import Outcome, Value

if TYPE_CHECKING:
    from noughts.solve.database import Solution
    from noughts.solve.strong import expect, solve
    from noughts.solve.summary import Summary
    from noughts.solve.verification import verify

__all__ = [
    "DatabaseError",
    "Outcome",
    "Solution",
    "Summary",
    "TooLarge",
    "Value",
    "best_moves",
    "expect",
    "forget",
    "move_values",
    "solve",
    "use",
    "value",
    "verify",
]

QUICK = 8  # free cells: the plain recursion answers at once, and no large game needs to be solved

# Names that would make `import noughts` heavy, and where they live.
_LATER = {
    "Solution": "database",
    "Summary": "summary",
    "expect": "strong",
    "solve": "strong",
    "verify": "verification",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)


def value(position: Position) -> Value | None:
    """The exact value for the player to move, or None where too many cells are free to say.

    >>> value(Position.parse("XO./.X./..O"))
    Value(outcome='win', remoteness=3)
    >>> value(Position.parse("15x15k5:" + "/".join(["." * 15] * 15))) is None
    True
    """
    if position.is_over:
        return plain.finished_value(position)
    worth = known.ask(position.game, lambda solution: solution[position], make=_is_hard(position))
    if worth is not None:
        return worth
    return plain.value(position) if plain.supports(position) else shallow.value(position)


def move_values(position: Position) -> dict[Cell, Value | None]:
    """Each legal move with its value for the player who makes it, remoteness counted from here.

    >>> move_values(Position.parse("XX./OO./..."))[2]
    Value(outcome='win', remoteness=1)
    """
    values = known.ask(position.game, lambda solution: solution.moves(position), make=_is_hard(position))
    if values is not None:
        return {**values}
    if not plain.supports(position):
        return shallow.move_values(position)
    return {cell: plain.value(position.play(cell)).for_mover() for cell in position.moves()}


def best_moves(position: Position) -> list[Cell]:
    """The moves of the highest value: the quickest win, the slowest loss; none where it is unknown.

    >>> best_moves(Position.parse("XO./.X./..O"))
    [3, 6]
    """
    best = value(position)
    return [cell for cell, worth in move_values(position).items() if worth == best] if best else []


def refutations(position: Position) -> dict[Cell, list[Cell]] | None:
    """How each slip is answered where two plies are all that is known; None where more is.

    >>> refutations(Position.parse("X../.O./..X")) is None
    True
    """
    solved = plain.supports(position) or known.ask(position.game, lambda solution: True, make=_is_hard(position))
    return None if solved else shallow.refutations(position)


def _is_hard(position: Position) -> bool:
    """Is it worth solving its game for this position?"""
    return position.game.cells <= known.ON_THE_SPOT or position.empty.bit_count() > QUICK
