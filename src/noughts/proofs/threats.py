"""Threats that win: a player who wins by fours, one forced answer after another, on boards of up to 32 x 32.

A move loses if the other then wins by fours, and wins if the answer that it forces leaves such a win. A win of five
plies or fewer found so is the quickest there is: before it ends, a move that forces nothing leaves the other a move.
"""

from __future__ import annotations

from noughts.proofs import fours
from noughts.proofs.prover import Prover
from noughts.proofs.verdicts import UNKNOWN, Verdict
from noughts.rules.game import Cell
from noughts.rules.position import Position

NODES = 300_000  # of all moves of a position together
EXACT = 5  # plies


class Threats(Prover):
    """Knows the wins by fours."""

    name = "threats"
    certifies = False  # it gives no certificate yet

    def verdict(self, position: Position) -> Verdict:
        """A win by fours of the player to move."""
        if position.is_over or fours.refusal(position.game):
            return UNKNOWN
        return _won(fours.search(position).line)

    def moves(self, position: Position) -> dict[Cell, Verdict]:
        """The moves that win by fours, and those after which the other does."""
        if position.is_over or fours.refusal(position.game):
            return {}
        game, found, left = position.game, dict[Cell, Verdict](), NODES
        threatened = fours.search(position, passed=True).wins  # one more mark of mine never helps the other
        for cell in position.moves():
            after = position.play(cell)
            if after.is_over:
                continue
            lost = fours.search(after, left) if threatened else None
            if lost and lost.wins:
                found[cell] = _won(lost.line).for_mover()._replace(line=lost.line)
            elif lacks := game.rule.completing(after.sides[1]) & after.empty:  # it makes a four
                answer = (lacks & -lacks).bit_length() - 1
                won = fours.search(after.play(answer), left)
                left -= min(left, won.nodes)
                if won.wins:
                    found[cell] = _won((cell, answer, *won.line))
            left -= min(left, lost.nodes if lost else 0)
        return found


def _won(line: tuple[Cell, ...]) -> Verdict:
    if not line:
        return UNKNOWN
    plies = len(line)
    return Verdict("win", "win", plies if plies <= EXACT else None, plies, ("threats",), line)
