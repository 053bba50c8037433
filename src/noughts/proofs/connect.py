"""The solver for gravity: what its book and alpha-beta know of Connect Four and its kin while someone waits."""

from __future__ import annotations

from functools import lru_cache

from noughts.proofs.prover import Prover
from noughts.proofs.verdicts import UNKNOWN, Verdict
from noughts.rules.game import Cell
from noughts.rules.position import Position
from noughts.rules.value import Value
from noughts.solve import book, falling

NODES, TOGETHER = 8_000_000, 12_000_000  # for a position, and with its moves: about a second and a half
MAX_FREE = 36  # cells: with more, so many nodes never do


class Connect(Prover):
    """Knows every position that is near enough to the end, where marks fall, and the opening of Connect Four."""

    name = "connect"
    certifies = False

    def verdict(self, position: Position) -> Verdict:
        """The value, where the book has it or it takes few enough nodes."""
        value, _ = _found(position)
        return UNKNOWN if value is None else Verdict.of(value, self.name)

    def moves(self, position: Position) -> dict[Cell, Verdict]:
        """The values of all moves, or of those in the middle, with as many nodes together as are left."""
        value, nodes = _found(position)
        if value is None:
            return {}
        columns, found, left = position.game.columns, dict[Cell, Verdict](), TOGETHER - nodes
        for cell in sorted(position.moves(), key=lambda cell: abs(2 * (cell % columns) + 1 - columns)):
            value, nodes = _value(position.play(cell), left)
            left -= min(left, nodes)
            found[cell] = UNKNOWN if value is None else Verdict.of(value.for_mover(), self.name)
        return found


@lru_cache(maxsize=64)
def _found(position: Position) -> tuple[Value | None, int]:
    """What is found of a position, and with how many nodes; it is asked for twice, and not searched twice."""
    return _value(position, NODES)


def _value(position: Position, nodes: int) -> tuple[Value | None, int]:
    """The value from the book or by so many nodes, or None; and how many it took."""
    known = book.value(position)
    if known is not None:
        return known, 0
    if not falling.supports(position.game) or position.empty.bit_count() > MAX_FREE:
        return None, 0
    return falling.search(position, nodes)
