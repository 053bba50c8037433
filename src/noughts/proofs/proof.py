"""Proofs of whole games: searches for a win and for holding, side by side, each with a certificate.

    wins.py    a player wins: threats, quiet moves, and replies that change nothing
    hold.py    a player holds: the other never completes a line, or only later; first in the weak game, in which the
               holder's own lines do not count, and if that fails with them

The searches take turns, each for a fixed number of nodes, so that with one thread the same budget of nodes finds the
same. What the searches have found can be kept in a file and taken up again.
"""

from __future__ import annotations

import json
import zlib
from abc import ABC, abstractmethod
from collections.abc import Generator
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar

from noughts.files import writing
from noughts.progress import Progress, finish
from noughts.proofs import hold, wins
from noughts.proofs.certificate import Part, main_line, plies
from noughts.proofs.prover import Budget, Prover
from noughts.proofs.threes import read
from noughts.proofs.verdicts import UNKNOWN, Verdict
from noughts.rules.game import Cell
from noughts.rules.marks import Mark
from noughts.rules.notation import board_rows, format_moves
from noughts.rules.position import Position
from noughts.rules.value import RANK, Outcome
from noughts.words import brief

HOLD_SLICE, WIN_SLICE = 256, 20_000  # nodes of a turn: some tenths of a second each
PATIENCE = 16  # turns of the weak game, before that with the holder's own lines takes turns with it,
EVERY = 4  # and so seldom: where the weak game is not lost, it is the one that is held more often than not
AT_FIRST = 64  # nodes for a verdict that nobody waits for
SMALL = 64  # cells of a board for that
KEEP_SECONDS = 60.0  # between two times that what was found is kept
WRITING_SECONDS = 600.0  # for a certificate, beyond the budget
VERSION = 2  # of the file in which a search is kept
SEARCHES = [f"{side} {what}" for side in "XO" for what in ("wins", "holds weak", "holds strong")]
KEEP_SHARE = 10  # and at least so many times as long as it took the last time


class Unkept(ValueError):
    """A file that cannot be gone on with."""


@dataclass(frozen=True)
class Proving(Progress):
    """Where a search is: the numbers of positions left to prove and to refute, at least, and its current line."""

    proof: int
    refutation: int
    line: str
    rate: float  # nodes a second

    @property
    def detail(self) -> str:
        """How far it is, in words."""
        numbers = f"proof number {self.proof:,}, disproof number {self.refutation:,}"
        return f"{self.done:,} nodes, {self.rate:,.0f} a second, {numbers}, at {self.line or 'the beginning'}"


class Proof(Prover):
    """Knows what a search of the whole game proves."""

    name = "proof"
    certifies = True

    def refusal(self, game: Any) -> str | None:
        """Why no proof is looked for in a game."""
        return hold.refusal(game)

    def verdict(self, position: Position) -> Verdict:
        """What a few nodes prove: who holds a board that is not large."""
        if position.game.cells > SMALL or not position.game.rule.extra_mark_never_hurts:
            return UNKNOWN
        return finish(self.proving(position, Budget(AT_FIRST, memory=1 << 22, goal="hold")))

    def prove(self, position: Position, budget: Budget) -> Verdict:
        """What is proven within a budget."""
        return finish(self.proving(position, budget))

    def proving(self, position: Position, budget: Budget) -> Generator[Progress, None, Verdict]:
        """What is proven within a budget, as long work that tells where it is."""
        if self.refusal(position.game) or position.is_over:
            return UNKNOWN
        found, tasks = UNKNOWN, _tasks(position, budget)
        kept = Kept(position, budget.resume, tasks) if budget.resume else None
        try:
            while tasks and not budget.is_spent:
                for task in tasks:
                    task.turn(budget)
                    found = found.narrowed(task.verdict(budget))
                    yield task.progress()
                    if budget.found.narrowed(found).is_exact:
                        break
                known = budget.found.narrowed(found)
                tasks = [task for task in tasks if not task.failed and task.matters(position, task.side, known)]
                if kept:
                    kept.now_and_then()
        finally:
            if kept:  # what is proven is not lost with a disk that is full
                with suppress(OSError) if budget.found.narrowed(found).is_exact else nullcontext():
                    kept.write()
        free = position.empty.bit_count()
        whole = budget.found.narrowed(found)
        return found._replace(remoteness=free, within=free) if whole.is_exact and whole.at_least == "tie" else found


def _tasks(position: Position, budget: Budget) -> list[_Task]:
    """All that could be proven of a position: each player wins, or holds."""
    kinds: list[type[_Task]] = [kind for kind in (_Winning, _Holding) if budget.goal in ("any", kind.goal)]
    wanted = [(kind, side) for kind in kinds for side in (position.turn, position.turn.other)]
    wanted = [(kind, side) for kind, side in wanted if kind.matters(position, side, budget.found)]
    share = budget.memory // max(1, sum(kind.tables for kind, _ in wanted))
    return [kind(position, side, share) for kind, side in wanted]


class _Task(ABC):
    """One claim, and the search that may prove it."""

    goal: ClassVar[str]
    tables: ClassVar[int]  # how many searches share its memory

    def __init__(self, position: Position, side: Mark, memory: int) -> None:
        self.position, self.side, self.memory = position, side, memory
        self.failed = False  # is it refuted, or can nothing more be done?
        self.nodes, self.seconds = 0, 0.0

    @classmethod
    @abstractmethod
    def claim(cls, position: Position, side: Mark) -> Verdict:
        """What it would prove."""

    @classmethod
    def matters(cls, position: Position, side: Mark, found: Verdict) -> bool:
        """Would it add anything to what is known, and can it be true?"""
        claim = cls.claim(position, side)
        low = max(RANK[claim.at_least], RANK[found.at_least])
        high = min(RANK[claim.at_most], RANK[found.at_most])
        return low <= high and (low, high) != (RANK[found.at_least], RANK[found.at_most])

    @abstractmethod
    def turn(self, budget: Budget) -> None:
        """Go on for a while."""

    @abstractmethod
    def verdict(self, budget: Budget) -> Verdict:
        """What it has proven, with the certificate."""

    @abstractmethod
    def kept(self) -> dict[str, Any]:
        """Its searches so far, by the names under which what they found is kept."""

    @abstractmethod
    def recall(self, name: str, known: bytes) -> None:
        """Take over what one of them has found."""

    @abstractmethod
    def now(self) -> tuple[int, int, list[Cell]]:
        """The numbers left to prove and refute, and the current line."""

    def run(self, budget: Budget, search: Any, slice_: int, *rest: int) -> None:
        """Have a search go on, and count what it took."""
        start, before = monotonic(), search.nodes
        search.run(budget.share(slice_), budget.seconds, *rest)
        self.nodes += search.nodes - before
        self.seconds += monotonic() - start
        budget.spend(search.nodes - before)

    def progress(self) -> Proving:
        """Where it is."""
        proof, refutation, line = self.now()
        moves = " ".join(format_moves(self.position.game, line))
        what = f"{self.position.game}, {self.side} {'wins' if self.goal == 'win' else 'holds'}"
        return Proving(what, self.nodes, 0, proof, refutation, moves, self.nodes / max(self.seconds, 1e-9))


class _Winning(_Task):
    goal, tables = "win", 1

    def __init__(self, position: Position, side: Mark, memory: int) -> None:
        super().__init__(position, side, memory)
        self.search = wins.begin(position, second=side is not position.turn, memory=max(memory, 1))

    @classmethod
    def claim(cls, position: Position, side: Mark) -> Verdict:
        outcome: Outcome = "win" if side is position.turn else "loss"
        return Verdict(outcome, outcome, how=("proof",))

    def turn(self, budget: Budget) -> None:
        self.run(budget, self.search, WIN_SLICE)

    def verdict(self, budget: Budget) -> Verdict:
        self.failed = (self.search.settled and self.search.proof > 0) or self.search.full
        if self.search.proof:
            return UNKNOWN
        numbers = self.search.strategy()
        strategy = read(numbers) if isinstance(numbers, list) else numbers
        assert strategy is not None
        part = Part(self.side, "wins", strategy)
        return self.claim(self.position, self.side)._replace(
            within=plies(strategy), line=main_line(strategy), certificate=(part,)
        )

    def kept(self) -> dict[str, Any]:
        return {f"{self.side} wins": self.search}

    def recall(self, name: str, known: bytes) -> None:
        self.search.recall(known)

    def now(self) -> tuple[int, int, list[Cell]]:
        line = self.search.line()
        return self.search.proof, self.search.refutation, line[: line.index(-1)] if -1 in line else line


class _Holding(_Task):
    goal, tables = "hold", 2

    def __init__(self, position: Position, side: Mark, memory: int) -> None:
        super().__init__(position, side, memory)
        self.turns = 0
        self.searches = {"weak": hold.search(position, side, weak=True, memory=memory)}
        self.current = "weak"

    @classmethod
    def claim(cls, position: Position, side: Mark) -> Verdict:
        return (
            Verdict(at_least="tie", how=("proof",)) if side is position.turn else Verdict(at_most="tie", how=("proof",))
        )

    def turn(self, budget: Budget) -> None:
        self.turns += 1
        lost = not self.searches["weak"].numbers[1]
        self.current = "weak"
        if (lost or (self.turns > PATIENCE and self.turns % EVERY == 0)) and not self.position.game.exact:
            self.strong()
            self.current = "strong"
        self.run(budget, self.searches[self.current], HOLD_SLICE, budget.threads)

    def strong(self) -> hold.HoldSearch:
        """The search in which the holder's own lines count."""
        if "strong" not in self.searches:
            self.searches["strong"] = hold.search(self.position, self.side, weak=False, memory=self.memory)
        return self.searches["strong"]

    def verdict(self, budget: Budget) -> Verdict:
        proof, refutation = self.searches[self.current].numbers
        # The weak game is harder to hold: lost with the holder's lines, it is lost without them too.
        self.failed = not refutation and (self.current == "strong" or self.position.game.exact)
        if proof:
            return UNKNOWN
        text = self.searches[self.current].text(budget.seconds + WRITING_SECONDS)
        return self.claim(self.position, self.side)._replace(certificate=(Part(self.side, "holds", text),))

    def kept(self) -> dict[str, Any]:
        return {f"{self.side} holds {mode}": search for mode, search in self.searches.items()}

    def recall(self, name: str, known: bytes) -> None:
        (self.strong() if name.endswith("strong") else self.searches["weak"]).recall(known)

    def now(self) -> tuple[int, int, list[Cell]]:
        search = self.searches[self.current]
        return *search.numbers, search.line()


class Kept:
    """What searches have found, in a file: read at the beginning if it is there, written now and then.

    The file is compressed: a line of JSON with game and position, then for each search a line with its name and the
    number of bytes, and the bytes.
    """

    def __init__(self, position: Position, path: Path, tasks: list[_Task]) -> None:
        """Take over what the file has, if there is one."""
        self.path, self.at, self.took = path, monotonic(), 0.0
        self.head = {"noughts": "search", "version": VERSION, "game": str(position.game)}
        self.head["position"] = "/".join(board_rows(position))
        self.tasks = tasks
        self.rest: dict[str, bytes] = {}  # searches that are not at work this time: they stay in the file
        if path.exists():
            names = {f"{task.side} {'wins' if task.goal == 'win' else 'holds'}": task for task in tasks}
            for name, known in self.read():
                side, what, *_ = name.split()
                if not (task := names.get(f"{side} {what}")):
                    self.rest[name] = known
                    continue
                try:
                    task.recall(name, known)
                except ValueError:
                    raise self.damaged from None

    @property
    def damaged(self) -> Unkept:
        """What is said of a file that is none of ours."""
        return Unkept(f"{self.path} is not a search that was kept, or it is damaged")

    def read(self) -> list[tuple[str, bytes]]:
        """The searches in the file, each with what it found."""
        damaged = self.damaged
        if not self.path.is_file():  # a device may have no end
            raise damaged
        found = []
        try:
            line, _, rest = zlib.decompress(self.path.read_bytes()).partition(b"\n")
            head = json.loads(line)
            if head["noughts"] != "search":
                raise damaged
            if head["version"] != VERSION:
                raise Unkept(
                    f"{self.path} has version {brief(head['version'])}, and this program goes on with {VERSION}"
                )
            was = f"{head['game']}:{head['position']}"
            if head != self.head:
                raise Unkept(f"{self.path} keeps another search, of {brief(was)}")
            while rest:
                line, _, rest = rest.partition(b"\n")
                name, size = (json.loads(line)[key] for key in ("search", "bytes"))
                if name not in SEARCHES or not 0 <= size <= len(rest):
                    raise damaged
                found.append((name, rest[:size]))
                rest = rest[size:]
        except (zlib.error, ValueError, TypeError, KeyError, RecursionError) as problem:
            raise problem if isinstance(problem, Unkept) else damaged from None
        return found

    def now_and_then(self) -> None:
        """Write it, unless that was done a moment ago."""
        if monotonic() - self.at > max(KEEP_SECONDS, KEEP_SHARE * self.took):
            self.write()

    def write(self) -> None:
        """Write what was found so far."""
        start, pieces = monotonic(), [json.dumps(self.head).encode() + b"\n"]
        found = ((name, search.known()) for task in self.tasks for name, search in task.kept().items())
        for name, known in chain(found, self.rest.items()):
            pieces += [json.dumps({"search": name, "bytes": len(known)}).encode(), b"\n", known]
        with writing(self.path) as file:
            file.buffer.write(zlib.compress(b"".join(pieces), 1))
        self.at = monotonic()
        self.took = self.at - start
