"""Strong solutions: every position of a small game has its value, looked up (`noughts.solve.at_hand`)."""

from __future__ import annotations

from noughts.proofs.prover import Prover
from noughts.proofs.verdicts import UNKNOWN, Verdict
from noughts.rules.game import Cell
from noughts.rules.position import Position
from noughts.solve import at_hand

QUICK = 8  # free cells: looking ahead answers at once, and no large game needs to be solved


class Solved(Prover):
    """Knows every position of a game whose solution is at hand, or can be made while someone waits."""

    name = "solved"
    certifies = False

    def verdict(self, position: Position) -> Verdict:
        """The value that the solution has."""
        value = at_hand.ask(position.game, lambda solution: solution[position], make=_is_hard(position))
        return UNKNOWN if value is None else Verdict.of(value, self.name)

    def moves(self, position: Position) -> dict[Cell, Verdict]:
        """The values of all moves."""
        values = at_hand.ask(position.game, lambda solution: solution.moves(position), make=_is_hard(position))
        return {cell: Verdict.of(value, self.name) for cell, value in (values or {}).items()}


def _is_hard(position: Position) -> bool:
    """Is it worth solving its game for this position?"""
    return position.game.cells <= at_hand.ON_THE_SPOT or position.empty.bit_count() > QUICK
