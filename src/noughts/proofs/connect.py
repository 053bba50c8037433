"""The solver for gravity: what alpha-beta finds of Connect Four and its kin while someone waits."""

from __future__ import annotations

from noughts.proofs.prover import Prover
from noughts.proofs.verdicts import UNKNOWN, Verdict
from noughts.rules.game import Cell
from noughts.rules.position import Position
from noughts.rules.value import Value
from noughts.solve import falling

NODES = 4_000_000  # of one question: about a second


class Connect(Prover):
    """Knows every position that is near enough to the end, where marks fall."""

    name = "connect"
    certifies = False

    def verdict(self, position: Position) -> Verdict:
        """The value, where it takes few enough nodes."""
        if not falling.supports(position.game):
            return UNKNOWN
        return self._found(falling.value(position, nodes=NODES))

    def moves(self, position: Position) -> dict[Cell, Verdict]:
        """The values of all moves, or of the first that can be searched with so many nodes together."""
        if not falling.supports(position.game):
            return {}
        found, left = {}, NODES
        for cell in position.moves():
            value, nodes = falling.search(position.play(cell), left)
            found[cell] = self._found(value and value.for_mover())
            left = max(0, left - nodes)
        return found

    def _found(self, value: Value | None) -> Verdict:
        return UNKNOWN if value is None else Verdict.of(value, self.name)
