"""The solver for gravity: what alpha-beta finds of Connect Four and its kin while someone waits."""

from __future__ import annotations

from noughts.proofs.prover import Prover
from noughts.proofs.verdicts import UNKNOWN, Verdict
from noughts.rules.game import Cell
from noughts.rules.position import Position
from noughts.solve import falling

NODES = 3_000_000  # of one position: about half a second


class Connect(Prover):
    """Knows every position that is near enough to the end, where marks fall."""

    name = "connect"
    certifies = False

    def verdict(self, position: Position) -> Verdict:
        """The value, where it takes few enough nodes."""
        if not falling.supports(position.game):
            return UNKNOWN
        value = falling.value(position, nodes=NODES)
        return UNKNOWN if value is None else Verdict.of(value, self.name)

    def moves(self, position: Position) -> dict[Cell, Verdict]:
        """The values of all moves; none where that of the position takes too long."""
        if not self.verdict(position).is_known:
            return {}
        found = {cell: self.verdict(position.play(cell)) for cell in position.moves()}
        return {cell: verdict.for_mover() for cell, verdict in found.items()}
