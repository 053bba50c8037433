"""The rules themselves: a game that is over has its value."""

from __future__ import annotations

from noughts.proofs.prover import Prover
from noughts.proofs.verdicts import UNKNOWN, Verdict
from noughts.rules.position import Position


class Over(Prover):
    """Knows how a finished game ended."""

    name = "rules"
    certifies = True

    def verdict(self, position: Position) -> Verdict:
        """The outcome of a position that is over."""
        return Verdict.of(position.final_value, self.name) if position.is_over else UNKNOWN
