"""Verdict: what is known of a position, and what proves it.

An interval of outcomes for the player to move, from `at_least` to `at_most`: loss < tie < win. Unknown is loss to win,
and is not a draw; half a verdict ("X cannot lose here") is worth having. Where both ends meet, the value is exact.

    within       an upper bound of the plies to the end, which the proof gives
    remoteness   the exact number of plies to the end, where it is known; of a tie the free cells, as `within`
    how          the provers that made it, in the order in which they added something
    line         the moves of the proof's main line, where it has one
    certificate  what proves it to a sceptic, in parts: one for each player who wins or holds
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from typing import Literal, NamedTuple

from noughts.proofs.certificate import Part
from noughts.rules.answer import Answer
from noughts.rules.game import Cell
from noughts.rules.value import FLIPPED, RANK, Outcome, Value


class _Known(NamedTuple):
    at_least: Outcome = "loss"
    at_most: Outcome = "win"
    remoteness: int | None = None
    within: int | None = None
    how: tuple[str, ...] = ()
    line: tuple[Cell, ...] = ()
    certificate: tuple[Part, ...] = ()  # what convinces a sceptic, where a prover gives it


class Verdict(_Known, Answer):
    """What is known of a position for the player to move.

    >>> Verdict("tie").value is None, Verdict("win", "win", 3, 3).value
    (True, Value(outcome='win', remoteness=3))
    """

    __slots__ = ()
    keys = "value=outcome remoteness at_least at_most within"

    @staticmethod
    def of(value: Value, how: str) -> Verdict:
        """The verdict that a value is: exact, with its distance."""
        return Verdict(value.outcome, value.outcome, value.remoteness, value.remoteness, (how,))

    @property
    def is_exact(self) -> bool:
        """Is the outcome known?"""
        return self.at_least == self.at_most

    @property
    def is_known(self) -> bool:
        """Is anything known?"""
        return (self.at_least, self.at_most) != ("loss", "win")

    @property
    def value(self) -> Value | None:
        """The value, where the outcome is known; without a remoteness where only the outcome is."""
        return Value(self.at_least, self.remoteness) if self.is_exact else None

    @property
    def outcome(self) -> Outcome | Literal["unknown"]:
        """The outcome, where it is known."""
        return self.at_least if self.is_exact else "unknown"

    @property
    def is_settled(self) -> bool:
        """Is nothing left to find out: outcome and distance?"""
        return self.remoteness is not None

    @property
    def order(self) -> tuple[int, int, Value]:
        """What one chooses by: what is sure, then what is possible, then the quicker win or the slower loss."""
        return RANK[self.at_least], RANK[self.at_most], Value(self.at_least, self.remoteness)

    def for_mover(self) -> Verdict:
        """What this verdict, on the position after a move, says to the player who made the move."""
        plies, within = (None if number is None else number + 1 for number in (self.remoteness, self.within))
        return self._replace(
            at_least=FLIPPED[self.at_most],
            at_most=FLIPPED[self.at_least],
            remoteness=plies,
            within=within,
            certificate=(),  # it is about the position after the move
        )

    def narrowed(self, other: Verdict) -> Verdict:
        """What both verdicts together say.

        >>> Verdict("tie", how=("stealing",)).narrowed(Verdict(at_most="tie", how=("pairing",)))[:2]
        ('tie', 'tie')
        """
        low = max(self.at_least, other.at_least, key=RANK.__getitem__)
        high = min(self.at_most, other.at_most, key=RANK.__getitem__)
        if RANK[low] > RANK[high]:
            raise AssertionError(f"two proofs contradict each other: {self} and {other}")
        if (low, high) == self[:2] and (self.is_settled or not other.is_settled):
            return self  # nothing new
        tie = low == high == "tie"  # its end is the full board, whichever half came last
        bounds = [each.within for each in (self, other) if (tie or each.is_exact) and each.within is not None]
        return Verdict(
            low,
            high,
            self.remoteness if self.remoteness is not None else other.remoteness,
            min(bounds, default=None),
            (*self.how, *(name for name in other.how if name not in self.how)),
            other.line or self.line,
            (*self.certificate, *(part for part in other.certificate if part.adds_to(self.certificate))),
        )

    def __str__(self) -> str:
        if self.is_exact:
            return str(Value(self.at_least, self.remoteness))
        return f"{self.at_least} to {self.at_most}" if self.is_known else "unknown"


UNKNOWN = Verdict()


def best_of(moves: Iterable[Verdict]) -> Verdict:
    """The verdict on a position from those on all its moves, each for the player who makes it.

    >>> str(best_of([Verdict("win", "win", 3, 3), Verdict("tie", "win")]))
    'win'
    """
    found = list(moves)
    low = max((move.at_least for move in found), key=RANK.__getitem__)
    high = max((move.at_most for move in found), key=RANK.__getitem__)
    how = tuple(dict.fromkeys(name for move in found for name in move.how))
    if low != high:
        return Verdict(low, high, how=how) if (low, high) != UNKNOWN[:2] else UNKNOWN
    equals = [move for move in found if move.at_least == low]
    # Of two whose distance is not known: the win that is surely quicker, or the loss that may last longer.
    sign = -1 if low == "win" else 1
    best = max(equals, key=lambda move: (move.order, sign * (inf if move.within is None else move.within)))
    bounds = [move.within for move in equals if move.within is not None]
    settled = all(move.is_settled for move in equals) and (low != "win" or all(move.is_exact for move in found))
    at_once = low == "win" and best.remoteness == 1  # nothing is quicker, whatever else there may be
    within = (min if low == "win" else max)(bounds) if len(bounds) == len(equals) or (low == "win" and bounds) else None
    return Verdict(low, high, best.remoteness if settled or at_once else None, within, how, best.line)


def best_of_moves(moves: Mapping[Cell, Verdict]) -> Verdict:
    """`best_of`, by the cells where the moves are made: so that the line of a lost position begins with a move there.

    The line of a move that wins begins with it; that of one that loses is how it is answered.

    >>> lost = Verdict("loss", "loss", 4, 4, ("threats",), (7, 8, 9))
    >>> best_of_moves({5: lost, 6: lost._replace(remoteness=2, within=2, line=(1,))}).line
    (5, 7, 8, 9)
    """
    return best_of(
        move._replace(line=(cell, *move.line)) if move.at_most == "loss" and move.line else move
        for cell, move in moves.items()
    )
