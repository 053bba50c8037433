"""What is known of any position, and how: verdicts.

    verdicts.py              Verdict: an interval of outcomes, and what proves each end
    prover.py                what a prover is, and its budget
    over.py  stealing.py  solved.py  connect.py  lookahead.py  zugzwang.py      the provers,
    threats.py  pairing.py  proof.py                                            the cheapest first
    fours.py  threes.py      the searches behind threats.py: sequences of fours, and strategies of fours and threes
    wins.py  hold.py         those behind proof.py: wins by any moves, and holding
    certificate.py           what convinces a sceptic: strategies and pairs, and how they are written
    prove.py                 a verdict with a certificate, checked before anything is said
    check.py                 the program that checks one: it imports nothing of the rest

A new prover is a file and a line in `PROVERS`. They are asked in this order, the cheapest first, until nothing is open.
Those that certify can convince a sceptic; the others compute.
"""

from __future__ import annotations

from typing import NamedTuple

from noughts.proofs.connect import Connect
from noughts.proofs.lookahead import Lookahead
from noughts.proofs.over import Over
from noughts.proofs.pairing import Holding
from noughts.proofs.proof import Proof
from noughts.proofs.prover import Prover
from noughts.proofs.solved import Solved
from noughts.proofs.stealing import Stealing
from noughts.proofs.threats import Threats
from noughts.proofs.verdicts import UNKNOWN, Verdict, best_of_moves
from noughts.proofs.zugzwang import Zugzwang
from noughts.rules.game import Cell
from noughts.rules.position import Position, require
from noughts.rules.value import RANK, Value

__all__ = ["PROVERS", "Judged", "Prover", "Verdict", "best_moves", "judge", "move_values", "value", "verdict"]

PROVERS: dict[str, Prover] = {
    prover.name: prover
    for prover in (
        Over(),
        Stealing(),
        Solved(),
        Connect(),
        Lookahead(),
        Zugzwang(),
        Threats(),
        Holding(),
        Proof(),
    )
}


class Judged(NamedTuple):
    """A position with its verdict, and every legal move with the verdict for the player who makes it."""

    position: Position
    verdict: Verdict
    moves: dict[Cell, Verdict]  # ascending by cell; plies are counted from the position

    @property
    def best(self) -> list[Cell]:
        """The moves of the highest value: the quickest win, the slowest loss; none where nothing is known of any.

        Where values are only partly known: of the highest `at_least`, those that may be worth most; none where no known
        move is worth what the position is.
        """
        if not any(verdict.is_known for verdict in self.moves.values()):
            return []
        top = max(verdict.order for verdict in self.moves.values())
        if top[0] < RANK[self.verdict.at_least]:
            return []
        return [cell for cell, verdict in self.moves.items() if verdict.order == top]


def judge(position: Position) -> Judged:
    """What is known of a position and of each of its moves.

    >>> found = judge(Position.parse("XX./OO./..."))
    >>> str(found.verdict), found.best, {cell: str(verdict) for cell, verdict in found.moves.items()}
    ('win 1', [2], {2: 'win 1', 5: 'tie 5', 6: 'loss 2', 7: 'loss 2', 8: 'loss 2'})
    """
    found, moves = UNKNOWN, dict.fromkeys(position.moves(), UNKNOWN)
    for prover in PROVERS.values():
        for cell, verdict in prover.moves(position).items():
            moves[cell] = moves[cell].narrowed(verdict)
        if moves:
            found = found.narrowed(best_of_moves(moves))
        if not found.is_settled:
            found = found.narrowed(prover.verdict(position))
        if found.is_settled and all(verdict.is_settled for verdict in moves.values()):
            break
    if found.at_least == "win" and found.line:  # a win that was found for the position is one of its first move
        first = found.line[0]
        moves[first] = moves[first].narrowed(found._replace(certificate=()))
    return Judged(position, found, moves)


def verdict(position: Position) -> Verdict:
    """What is known of a position, for the player to move.

    >>> str(verdict(Position.parse("XO./.X./..O")))
    'win 3'
    """
    require(position, Position, "verdict")
    found = UNKNOWN
    for prover in PROVERS.values():
        found = found.narrowed(prover.verdict(position))
        if found.is_settled:
            break
    return found


def value(position: Position) -> Value | None:
    """The exact value for the player to move, or None where it is not known.

    >>> value(Position.parse("XO./.X./..O"))
    Value(outcome='win', remoteness=3)
    >>> value(Position.parse("15x15k5:" + "/".join(["." * 15] * 15))) is None
    True
    """
    require(position, Position, "value")
    return verdict(position).value


def move_values(position: Position) -> dict[Cell, Value | None]:
    """Each legal move with its value for the player who makes it, remoteness counted from here.

    >>> move_values(Position.parse("XX./OO./..."))[2]
    Value(outcome='win', remoteness=1)
    """
    require(position, Position, "move_values")
    return {cell: verdict.value for cell, verdict in judge(position).moves.items()}


def best_moves(position: Position) -> list[Cell]:
    """The moves of the highest value: the quickest win, the slowest loss; none where nothing is known of any.

    >>> best_moves(Position.parse("XO./.X./..O"))
    [3, 6]
    """
    require(position, Position, "best_moves")
    return judge(position).best
