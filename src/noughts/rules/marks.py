"""X and O, and how a game stands."""

from __future__ import annotations

from enum import Enum


class Mark(Enum):
    """A player, by the mark that they place; X moves first."""

    X = "X"
    O = "O"

    @property
    def other(self) -> Mark:
        """The opponent."""
        return Mark.O if self is Mark.X else Mark.X

    @property
    def index(self) -> int:
        """The player's place in arrays and lists of two: 0 for X, 1 for O."""
        return 0 if self is Mark.X else 1

    def __str__(self) -> str:
        return self.value


class Status(Enum):
    """How a game stands; the numbers are those of arrays in `noughts.rules.batch`."""

    ONGOING = 0
    X_WINS = 1
    O_WINS = 2
    DRAW = 3

    @property
    def winner(self) -> Mark | None:
        """The mark that won, if one did."""
        return {Status.X_WINS: Mark.X, Status.O_WINS: Mark.O}.get(self)

    def __str__(self) -> str:
        return self.name.lower()


X, O = Mark.X, Mark.O
ONGOING, X_WINS, O_WINS, DRAW = Status
