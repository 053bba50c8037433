"""What a prover is: something that knows the outcome of some positions, or one end of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from noughts.proofs.verdicts import Verdict
from noughts.rules.game import Cell
from noughts.rules.position import Position


class Prover(ABC):
    """A way to know. What it does not know it leaves open; what it says is never wrong."""

    name: ClassVar[str]  # as `how` gives it
    certifies: ClassVar[bool]  # does it give what a sceptic can check? Otherwise it computes

    @abstractmethod
    def verdict(self, position: Position) -> Verdict:
        """What it knows of a position, for the player to move."""

    def moves(self, position: Position) -> dict[Cell, Verdict]:
        """What it knows of moves, for the player who makes them; moves that it knows nothing of may be left out."""
        return {}
