"""Proving: a verdict with a certificate, which is checked before anything is said.

    >>> found = prove(Position.parse("7x7k4:......./......./..XX.../......./....O../.....O./......."))
    >>> found.verdict.outcome, found.verdict.how, found.claim
    ('win', ('threats',), 'X wins')

Only provers that certify are asked. What they give is written as a certificate and read by check.py, which shares
nothing with them: a claim that does not pass there is not reported.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from io import BytesIO
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from noughts.progress import Progress, from_callbacks
from noughts.proofs import PROVERS
from noughts.proofs.certificate import Claim, claim_of, lines, write
from noughts.proofs.check import Ruled, check, check_file
from noughts.proofs.prover import Budget, Prover
from noughts.proofs.verdicts import UNKNOWN, Verdict
from noughts.rules.answer import Answer
from noughts.rules.game import Game
from noughts.rules.marks import Mark
from noughts.rules.notation import parse_board
from noughts.rules.position import Position, require
from noughts.rules.value import FLIPPED, Outcome
from noughts.words import brief, listing

SECONDS = 10.0


class InvalidProof(ValueError):
    """Something that cannot be proven, or not so."""


class _Proven(NamedTuple):
    position: Position
    verdict: Verdict
    nodes: int
    seconds: float
    certificate: str | None = None  # the file


class Proven(_Proven, Answer):
    """What was proven of a position."""

    __slots__ = ()
    keys = "position.game position *verdict verdict.how line=verdict.line@ nodes seconds certificate"

    @property
    def claim(self) -> Claim | None:
        """What the certificate claims; None if nothing was proven."""
        return claim_of(self.verdict.certificate)

    def save(self, path: str | Path) -> Proven:
        """Write the certificate to a file."""
        if not self.claim:
            raise InvalidProof(f"nothing was proven of {self.position}, so there is no certificate")
        write(path, self.position, self.verdict.certificate)
        return self._replace(certificate=str(path))


def certifying(only: Iterable[str] | None = None) -> list[Prover]:
    """The provers that certify, or those of them that are named.

    >>> [prover.name for prover in certifying()]
    ['rules', 'stealing', 'threats', 'pairing']
    """
    known = {name: prover for name, prover in PROVERS.items() if prover.certifies}
    names = list(known if only is None else only)
    for name in names:
        if name not in known:
            why = "computes and does not certify" if name in PROVERS else "is not a prover"
            raise InvalidProof(f"{brief(name)} {why}: expected {listing(known, 'or')}")
    return [prover for name, prover in known.items() if name in names]


def prove(
    position: Position | Game, *,
    seconds: float | None = None, nodes: int | None = None, only: Iterable[str] | None = None,
) -> Proven:  # fmt: skip
    """What can be proven of a position, or of the empty board of a game, within a budget."""
    if isinstance(position, Game):
        position = position.start()
    require(position, Position, "prove")
    if why := position.game.rule.refusal(["gravity", "misere"]):
        raise InvalidProof(f"nothing is proven of {position.game}: {why}")
    start, found, provers = monotonic(), UNKNOWN, certifying(only)
    refused = {prover.name: why for prover in provers if (why := prover.refusal(position.game))}
    if len(refused) == len(provers) > 0:
        raise InvalidProof("; ".join(f"{name} does not prove {position.game}: {why}" for name, why in refused.items()))
    budget = Budget(*(_limits(seconds, nodes)))
    for prover in provers:
        said = prover.prove(position, budget)
        if said.certificate:
            found = found.narrowed(said)
        if found.is_exact:
            break
    if claim := claim_of(found.certificate):
        text = "".join(f"{line}\n" for line in lines(position, found.certificate))
        checked = check_file(BytesIO(text.encode()))
        if not checked.holds:
            raise AssertionError(f"a certificate of {position} does not pass: {checked.reason}")
        if found[:2] != _meaning(claim, position.turn):
            raise AssertionError(f"{claim!r} is not what was found of {position}: {found}")
    return Proven(position, found, budget.nodes, monotonic() - start)


class _Examined(NamedTuple):
    position: Position
    claim: str
    holds: bool
    reason: str | None
    nodes: int
    seconds: float


class Examined(_Examined, Answer):
    """What came of a certificate."""

    __slots__ = ()
    keys = "position.game position claim holds reason nodes seconds"


def checking(path: str | Path) -> Generator[Progress, None, Examined]:
    """Check the certificate in a file, with progress; ValueError if it is none."""
    start = monotonic()

    def work(tell: Callable[[Progress], None]) -> Ruled:
        return check(path, lambda lines: tell(Progress("checking, lines of the file", lines, 0)))

    found = yield from from_callbacks(work)
    position = parse_board(f"{found.game}:{found.position}")
    return Examined(
        Position.unchecked(*position), found.claim, found.holds, found.reason or None, found.nodes, monotonic() - start
    )


def _meaning(claim: Claim, turn: Mark) -> tuple[Outcome, Outcome]:
    """What a claim says to the player to move: at least and at most this."""
    if claim == "tie":
        return "tie", "tie"
    side, what = claim.split()
    low: Outcome = "win" if what == "wins" else "tie"
    return (low, "win") if side == str(turn) else ("loss", FLIPPED[low])


def _limits(seconds: float | None, nodes: int | None) -> tuple[float, float]:
    """The nodes and seconds of a budget; ten seconds if neither is named."""
    for name, limit in (("seconds", seconds), ("nodes", nodes)):
        if limit is not None and not 0 < limit <= 1e9:  # NaN is neither
            raise InvalidProof(f"{name} must be more than 0 and at most 1,000,000,000, not {brief(limit)}")
    free = float("inf")
    return (free if nodes is None else nodes), (seconds or (free if nodes else SECONDS))
