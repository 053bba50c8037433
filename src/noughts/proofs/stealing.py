"""Strategy stealing: whoever begins on an empty board cannot lose, where an extra mark never hurts.

Suppose the second player had a winning strategy. Then the first could make any move and play by that strategy as if
they were second; when it asks for the cell that they have taken already, they take any other. The extra mark does no
harm, so the first player wins too: both would win, which cannot be. Hence the first player at least ties. The argument
needs that completing a line wins, and that one more mark of one's own never spoils a line.
"""

from __future__ import annotations

from noughts.proofs.certificate import Part
from noughts.proofs.prover import Prover
from noughts.proofs.verdicts import UNKNOWN, Verdict
from noughts.rules.marks import X
from noughts.rules.position import Position

AT_LEAST_A_TIE = Verdict(at_least="tie", how=("stealing",), certificate=(Part(X, "stealing"),))


class Stealing(Prover):
    """Knows that X cannot lose from the empty board."""

    name = "stealing"
    certifies = True

    def verdict(self, position: Position) -> Verdict:
        """At least a tie on the empty board."""
        return AT_LEAST_A_TIE if not position.marks and position.game.rule.extra_mark_never_hurts else UNKNOWN
