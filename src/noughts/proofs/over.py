"""The rules themselves: a game that is over has its value."""

from __future__ import annotations

from noughts.proofs.certificate import Part
from noughts.proofs.prover import Prover
from noughts.proofs.verdicts import UNKNOWN, Verdict
from noughts.rules.marks import O, X
from noughts.rules.position import Position


class Over(Prover):
    """Knows how a finished game ended."""

    name = "rules"
    certifies = True

    def verdict(self, position: Position) -> Verdict:
        """The outcome of a position that is over."""
        if not position.is_over:
            return UNKNOWN
        sides = (X, O) if position.winner is None else (position.winner,)
        parts = tuple(Part(side, "over") for side in sides)
        return Verdict.of(position.final_value, self.name)._replace(certificate=parts)
