"""Value: how a game ends when both play as well as can be, and how soon."""

from __future__ import annotations

from typing import Literal, NamedTuple

Outcome = Literal["win", "tie", "loss"]

_RANK = {"loss": 0, "tie": 1, "win": 2}
_FLIPPED: dict[Outcome, Outcome] = {"win": "loss", "tie": "tie", "loss": "win"}


class Value(NamedTuple):
    """An outcome for the player to move, and its remoteness: the plies to the end.

    The winner hurries and the loser delays; a tie lasts to the full board. Better values are greater:

    >>> Value("win", 1) > Value("win", 3) > Value("tie", 9) > Value("loss", 4) > Value("loss", 2)
    True
    """

    outcome: Outcome
    remoteness: int

    def for_mover(self) -> Value:
        """What this value, of the position after a move, is worth to the player who made the move."""
        return Value(_FLIPPED[self.outcome], self.remoteness + 1)

    # A tuple has an order of its own, so each comparison is said anew.

    def __lt__(self, other: Value) -> bool:  # type: ignore[override]
        return self._order() < other._order()

    def __le__(self, other: Value) -> bool:  # type: ignore[override]
        return self._order() <= other._order()

    def __gt__(self, other: Value) -> bool:  # type: ignore[override]
        return self._order() > other._order()

    def __ge__(self, other: Value) -> bool:  # type: ignore[override]
        return self._order() >= other._order()

    def _order(self) -> tuple[int, int]:
        return _RANK[self.outcome], self.remoteness if self.outcome == "loss" else -self.remoteness

    def __str__(self) -> str:
        return f"{self.outcome} {self.remoteness}"
