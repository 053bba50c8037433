"""Value: how a game ends when both play as well as can be, and how soon."""

from __future__ import annotations

from typing import Literal, NamedTuple

Outcome = Literal["win", "tie", "loss"]

RANK: dict[Outcome, int] = {"loss": 0, "tie": 1, "win": 2}
FLIPPED: dict[Outcome, Outcome] = {"win": "loss", "tie": "tie", "loss": "win"}


class Value(NamedTuple):
    """An outcome for the player to move, and its remoteness: the plies to the end, or None where only they are unknown.

    The winner hurries and the loser delays; a tie lasts to the full board. Better values are greater, and of equal
    outcomes those with a remoteness:

    >>> Value("win", 1) > Value("win", 3) > Value("tie", 9) > Value("loss", 4) > Value("loss", 2)
    True
    >>> Value("win", 9) > Value("win", None) > Value("tie", 0)
    True
    """

    outcome: Outcome
    remoteness: int | None

    @property
    def plies(self) -> int:
        """The remoteness, of a value that has one, as all of a solution's have."""
        assert self.remoteness is not None
        return self.remoteness

    def for_mover(self) -> Value:
        """What this value, of the position after a move, is worth to the player who made the move."""
        return Value(FLIPPED[self.outcome], None if self.remoteness is None else self.remoteness + 1)

    # A tuple has an order of its own, so each comparison is said anew.

    def __lt__(self, other: Value) -> bool:  # type: ignore[override]
        return self._order() < other._order()

    def __le__(self, other: Value) -> bool:  # type: ignore[override]
        return self._order() <= other._order()

    def __gt__(self, other: Value) -> bool:  # type: ignore[override]
        return self._order() > other._order()

    def __ge__(self, other: Value) -> bool:  # type: ignore[override]
        return self._order() >= other._order()

    def _order(self) -> tuple[int, bool, int]:
        plies = self.remoteness or 0
        return RANK[self.outcome], self.remoteness is not None, plies if self.outcome == "loss" else -plies

    def __str__(self) -> str:
        return self.outcome if self.remoteness is None else f"{self.outcome} {self.remoteness}"
