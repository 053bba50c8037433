"""The solver for gravity: what alpha-beta finds of Connect Four and its kin while someone waits."""

from __future__ import annotations

from functools import lru_cache

from noughts.proofs.prover import Prover
from noughts.proofs.verdicts import UNKNOWN, Verdict
from noughts.rules.game import Cell
from noughts.rules.position import Position
from noughts.solve import falling

NODES = 2_500_000  # of one question: about half a second
MAX_FREE = 34  # cells: with more, so many nodes never do


class Connect(Prover):
    """Knows every position that is near enough to the end, where marks fall."""

    name = "connect"
    certifies = False

    def verdict(self, position: Position) -> Verdict:
        """The value, where it takes few enough nodes."""
        return _verdict(position)

    def moves(self, position: Position) -> dict[Cell, Verdict]:
        """The values of all moves, or of those that come first, with so many nodes together."""
        if not _verdict(position).is_known:
            return {}
        found, left = {}, NODES
        for cell in position.moves():
            value, nodes = falling.search(position.play(cell), left)
            left -= min(left, nodes)
            found[cell] = UNKNOWN if value is None else Verdict.of(value.for_mover(), self.name)
        return found


@lru_cache(maxsize=64)
def _verdict(position: Position) -> Verdict:
    """What is found of a position; it is asked for twice, and not searched twice."""
    if not falling.supports(position.game) or position.empty.bit_count() > MAX_FREE:
        return UNKNOWN
    value = falling.value(position, nodes=NODES)
    return UNKNOWN if value is None else Verdict.of(value, Connect.name)
