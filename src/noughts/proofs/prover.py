"""What a prover is: something that knows the outcome of some positions, or one end of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import inf
from time import monotonic
from typing import ClassVar

from noughts.proofs.verdicts import Verdict
from noughts.rules.game import Cell, Game
from noughts.rules.position import Position

LONGEST = 1e9  # seconds


class Budget:
    """How much a prover may look at: so many nodes, for so many seconds from now.

    >>> budget = Budget(1_000)
    >>> budget.spend(400)
    >>> budget.left, budget.share(10_000), budget.nodes
    (600, 600, 400)
    """

    def __init__(self, nodes: float = inf, seconds: float = LONGEST) -> None:
        """Begin now."""
        self.left, self.until, self.nodes = nodes, monotonic() + seconds, 0
        self.cut = False  # did a question end before it was answered?

    @property
    def seconds(self) -> float:
        """The seconds that are left."""
        return max(0.0, self.until - monotonic())

    @property
    def is_spent(self) -> bool:
        """Is nothing left?"""
        return self.left <= 0 or not self.seconds

    def share(self, nodes: int) -> int:
        """So many nodes for one question, or those that are left; at least one."""
        return int(max(1, min(nodes, self.left)))

    def spend(self, nodes: int, *, complete: bool = True, each: int = 1) -> None:
        """Take away what a question took, and remember if it was not answered; a dear node counts as so many."""
        self.left -= nodes * each
        self.nodes += nodes
        self.cut |= not complete


class Prover(ABC):
    """A way to know. What it does not know it leaves open; what it says is never wrong."""

    name: ClassVar[str]  # as `how` gives it
    certifies: ClassVar[bool]  # does it give what a sceptic can check? Otherwise it computes

    def refusal(self, game: Game) -> str | None:
        """Why it does not take a game; None if it does."""
        return None

    @abstractmethod
    def verdict(self, position: Position) -> Verdict:
        """What it knows of a position, for the player to move."""

    def moves(self, position: Position) -> dict[Cell, Verdict]:
        """What it knows of moves, for the player who makes them; moves that it knows nothing of may be left out."""
        return {}

    def prove(self, position: Position, budget: Budget) -> Verdict:
        """What it knows within a budget, with a certificate if it certifies."""
        return self.verdict(position)
