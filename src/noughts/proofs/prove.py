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
from math import inf
from pathlib import Path
from time import monotonic
from typing import NamedTuple, TypedDict, Unpack

from noughts.native import MAX_THREADS
from noughts.progress import Progress, finish, from_callbacks
from noughts.proofs import PROVERS
from noughts.proofs.certificate import Claim, claim_of, lines, write
from noughts.proofs.check import Ruled, Unreadable, check, check_file
from noughts.proofs.prover import LONGEST, MEMORY, Budget, Goal, Prover
from noughts.proofs.verdicts import UNKNOWN, Verdict
from noughts.rules.answer import Answer
from noughts.rules.game import Game
from noughts.rules.marks import Mark
from noughts.rules.notation import parse_board
from noughts.rules.position import Position, require
from noughts.rules.value import FLIPPED, Outcome
from noughts.solve.machine import processors
from noughts.words import brief, listing, some, whole

SECONDS = 10.0
MOST = 10**9  # nodes
SHARE = {"threats": 0.1, "pairing": 0.02}  # of the budget, before the search of the whole game
PAIRS_SECONDS = 1.0  # at most, for pairs of the whole board where that search follows: it tries pairs all the time
QUICK = 20_000  # lines of a certificate that are checked without a word
LEAST_MEMORY = 1 << 20
GOALS = ("win", "hold", "any")


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
    ['rules', 'stealing', 'threats', 'pairing', 'proof']
    """
    known = {name: prover for name, prover in PROVERS.items() if prover.certifies}
    names = [only] if isinstance(only, str) else list(known if only is None else only)
    if not names:
        raise InvalidProof(f"no prover is named: expected {listing(known, 'or')}")
    for name in names:
        if name not in known:
            why = "computes and does not certify" if name in PROVERS else "is not a prover"
            raise InvalidProof(f"{brief(name)} {why}: expected {listing(known, 'or')}")
    return [prover for name, prover in known.items() if name in names]


def prove(position: Position | Game, **options: Unpack[ProofOptions]) -> Proven:
    """What can be proven of a position, or of the empty board of a game, within a budget.

    `seconds` or `nodes` are the budget, ten seconds if neither is named; with one thread the same nodes find the same.
    `only` names provers, `goal` says what to look for (win, hold or any), `threads` and `memory` are for the search of
    whole games, and `resume` is the file in which it is kept, and with which it goes on.
    """
    return finish(proving(position, **options))


class ProofOptions(TypedDict, total=False):
    """What `prove` can be told."""

    seconds: float | None
    nodes: int | None
    only: Iterable[str] | None
    goal: Goal
    threads: int | None
    memory: int | None
    resume: Path | None


def proving(position: Position | Game, **options: Unpack[ProofOptions]) -> Generator[Progress, None, Proven]:
    """`prove` as long work: it tells where it is, and ends with what was proven."""
    if isinstance(position, Game):
        position = position.start()
    require(position, Position, "prove")
    if why := position.game.rule.refusal(["gravity", "misere"]):
        raise InvalidProof(f"nothing is proven of {position.game}: {why}")
    start, found, provers = monotonic(), UNKNOWN, certifying(options.get("only"))
    refused = {prover.name: why for prover in provers if (why := prover.refusal(position.game))}
    if len(refused) == len(provers) > 0:
        raise InvalidProof("; ".join(f"{name} does not prove {position.game}: {why}" for name, why in refused.items()))
    budget = _budget(options)
    asked = [prover for prover in provers if budget.goal in ("any", *prover.finds)]
    if not asked:
        raise InvalidProof(
            f"{listing((prover.name for prover in provers), 'or')} cannot show that a player {budget.goal}s"
        )
    for number, prover in enumerate(asked):
        yield Progress(f"{position.game}: asking {prover.name}", number, len(asked))
        budget.found = found
        # A search of the whole game comes last, and is the one that can use all there is.
        limited = budget if prover is asked[-1] else budget.part(SHARE.get(prover.name, 1.0))
        if prover.name == "pairing" and budget.left == inf and asked[-1].name == "proof" not in refused:
            limited.until = min(limited.until, monotonic() + PAIRS_SECONDS)
        said = yield from prover.proving(position, limited)
        budget.take(limited)
        if said.certificate:
            found = found.narrowed(said)
        if found.is_exact:
            break
    if any(part.what == "wins" for part in found.certificate):  # one who wins need not steal
        parts = tuple(part for part in found.certificate if part.what == "wins")
        found = found._replace(how=tuple(name for name in found.how if name != "stealing"), certificate=parts)
    if claim := claim_of(found.certificate):
        yield from _checked(position, found, claim)
    return Proven(position, found, budget.nodes, monotonic() - start)


def _checked(position: Position, found: Verdict, claim: Claim) -> Generator[Progress, None, None]:
    """Have what was found read by the program that checks certificates: what does not pass there is a fault of ours."""
    text = BytesIO("".join(f"{line}\n" for line in lines(position, found.certificate)).encode())
    total = text.getvalue().count(b"\n")

    def work(tell: Callable[[Progress], None]) -> Ruled:
        return check_file(text, lambda read: tell(Progress("checking, lines of the certificate", read, total)))

    checked = (yield from from_callbacks(work)) if total > QUICK else check_file(text)
    if not checked.holds:
        raise AssertionError(f"a certificate of {position} does not pass: {checked.reason}")
    if found[:2] != _meaning(claim, position.turn):
        raise AssertionError(f"{claim!r} is not what was found of {position}: {found}")


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
        try:
            return check(path, lambda lines: tell(Progress("checking, lines of the file", lines, 0)))
        except Unreadable as problem:
            raise Unreadable(f"{path} cannot be checked: {problem}") from None

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


def _budget(options: ProofOptions) -> Budget:
    """The budget that options make; ten seconds if they say neither seconds nor nodes."""
    seconds, nodes = options.get("seconds"), options.get("nodes")
    if seconds is not None:
        some("seconds", seconds, LONGEST, InvalidProof)
    if nodes is not None:
        whole("nodes", nodes, 1, MOST, InvalidProof)
    goal = options.get("goal", "any")
    if goal not in GOALS:
        raise InvalidProof(f"the goal is {listing(GOALS, 'or')}, not {brief(goal)}")
    threads, memory = options.get("threads"), options.get("memory")
    if threads is not None:
        whole("threads", threads, 1, MAX_THREADS, InvalidProof)
    if memory is not None and whole("memory", memory, refuse=InvalidProof) < LEAST_MEMORY:
        raise InvalidProof(f"memory must be at least {LEAST_MEMORY:,} bytes, not {brief(memory)}")
    return Budget(
        inf if nodes is None else nodes,
        seconds or (LONGEST if nodes else SECONDS),
        threads=threads or (1 if nodes else processors()),
        memory=memory or MEMORY,
        goal=goal,
        resume=options.get("resume"),
    )
