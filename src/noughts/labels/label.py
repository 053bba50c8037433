"""The label of a position: its exact value, remoteness and best moves."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from noughts.proofs import judge
from noughts.rules.game import Cell, Game
from noughts.rules.position import Position
from noughts.rules.value import Value
from noughts.solve.at_hand import ask
from noughts.solve.problems import TooLarge


class Label(NamedTuple):
    """What a perfect player knows of a position, for the player to move."""

    value: Value
    moves: dict[Cell, Value]  # for the player who makes it, remoteness counted from the position

    @property
    def best(self) -> list[Cell]:
        """The moves of the highest value: the quickest win, the slowest loss; none when the game is over."""
        return [cell for cell, value in self.moves.items() if value == max(self.moves.values())]

    @property
    def keeping(self) -> list[Cell]:
        """The moves that keep the outcome, at whatever pace."""
        return [cell for cell, value in self.moves.items() if value.outcome == self.value.outcome]


@lru_cache(maxsize=64)
def require_labels(game: Game) -> bool:
    """Is there a solution of the game? Where there is none, and no exact search either, TooLarge."""
    if ask(game, lambda solution: True):
        return True
    if not game.gravity:
        raise TooLarge(
            f"exact labels of {game} need a solution of it, and it is too large to be solved on the spot: "
            f"if noughts solve {game} --save FOLDER takes it, name the folder in NOUGHTS_DB"
        )
    return False


def label(position: Position) -> Label | None:
    """The label of a position; None where exact search did not come to its end.

    >>> found = label(Position.parse("XO./.X./..O"))
    >>> found.value, found.best
    (Value(outcome='win', remoteness=3), [3, 6])
    """
    if position.is_over:
        return Label(position.final_value, {})
    if require_labels(position.game):
        moves = ask(position.game, lambda solution: solution.moves(position))
        assert moves is not None
        return Label(max(moves.values()), moves)
    found = {cell: verdict.value for cell, verdict in judge(position).moves.items()}
    known = {cell: value for cell, value in found.items() if value is not None and value.remoteness is not None}
    return Label(max(known.values()), known) if len(known) == len(found) else None
