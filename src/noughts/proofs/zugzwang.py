"""Zugzwang: where marks fall, a threat that nobody wants to play under wins if the other has nothing else.

Let M own a waiting threat on c that is usable (`noughts.threats`): M gets it if the rest is filled. M never plays right
below c and takes c when the other does; until then M always has another move. So M wins, unless the other completes a
line first, of cells that are neither c nor above it. Where no such line is open to them, M wins for certain, at the
latest when c is all that is left below the cells above it.

    . O .      3x3k3g, O to move. X waits for a3 and c3, which are in an odd row: if the rest is filled, X gets them. No
    . X .      line is open to O before. So X wins: after a2, X a3 at once, after c2 X c3.
    X O X

Where only exactly k count, it must be a line beside which no cell is free: else a mark of M's own may make it too long.
"""

from __future__ import annotations

from noughts.proofs.prover import Prover
from noughts.proofs.verdicts import UNKNOWN, Verdict
from noughts.rules.game import Cell
from noughts.rules.position import Position
from noughts.rules.value import Outcome
from noughts.threats import Waiting, own_cells, waiting


class Zugzwang(Prover):
    """Knows who wins by a threat that waits, where the other can complete no line before it is taken."""

    name = "zugzwang"
    certifies = False

    def verdict(self, position: Position) -> Verdict:
        """A win for the owner of such a threat, within the plies that fill all but the cells above it."""
        for threat in waiting(position):
            if threat.usable and _wins(position, threat):
                outcome: Outcome = "win" if threat.owner is position.turn else "loss"
                plies = position.empty.bit_count() - threat.cell // position.game.columns
                return Verdict(outcome, outcome, within=plies, how=(self.name,))
        return UNKNOWN

    def moves(self, position: Position) -> dict[Cell, Verdict]:
        """What waits after each move, for the player who makes it."""
        if not position.game.gravity:
            return {}
        return {cell: self.verdict(position.play(cell)).for_mover() for cell in position.moves()}


def _wins(position: Position, threat: Waiting) -> bool:
    """Does the threat last, and is no line open to the other among the cells that are filled before it is taken?"""
    game, rule = position.game, position.game.rule
    own, bit = own_cells(position, threat.owner), 1 << threat.cell
    if not any(line & bit and not beside & position.empty for line, beside in rule.open_lines(own | bit)):
        return False
    theirs = own_cells(position, threat.owner.other)
    before = position.empty & ~(game.column_of(threat.cell) & (bit << 1) - 1)
    return not any(rule.line_starts(theirs, direction, before) for direction in game.directions)
