"""The course of a game: what is proven after each of its moves, and what the engine believes where nothing is.

The two are told apart. A mistake is `proven` where the account of the game (`noughts.account`) proves that the move
threw an outcome away, and `believed` where only the engine's chance falls: then better play is a guess as well.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Literal

from noughts.account import Judgement, Review, reviewing
from noughts.engine import Engine, View, require_game
from noughts.progress import Progress
from noughts.proofs.verdicts import Verdict
from noughts.rules.answer import Answer
from noughts.rules.game import Cell
from noughts.rules.marks import X
from noughts.rules.notation import format_move
from noughts.rules.position import Move, Position

NODES = 20_000  # of the engine, for each position: less than a tenth of a second
MUCH = 0.1  # of the points: who gives away so much, as the engine sees it, has made a mistake
EARLY = 4  # marks up to which its chances say too little for that
SHARES = {"win": 1.0, "tie": 0.5, "loss": 0.0}


@dataclass(frozen=True)
class CourseMoment(Answer):
    """How a game stands after so many moves, and whether the last of them was a mistake."""

    keys = "number chance proven mistake better@ text"

    position: Position
    number: int  # moves that were made
    verdict: Verdict
    view: View | None  # what the engine believes, where the outcome is not known
    judged: Judgement | None = None  # the move that led here
    before: CourseMoment | None = None

    @property
    def chance(self) -> float:
        """The share of the points that X can expect: known, or as the engine believes."""
        mine = self.view.settled if self.view else SHARES[self.verdict.at_least]
        return mine if self.position.turn is X else 1 - mine

    @property
    def proven(self) -> bool:
        """Is the outcome known?"""
        return self.verdict.is_exact

    @property
    def given_away(self) -> float:
        """The points that the last move gave away, as far as the chances tell."""
        if not self.before:
            return 0.0
        fall = self.before.chance - self.chance
        return fall if self.before.position.turn is X else -fall

    @property
    def mistake(self) -> Literal["proven", "believed"] | None:
        """Was the last move a mistake, and who says so: a proof, or the engine?"""
        if self.judged and self.judged.slipped:
            return "proven"
        if not self.before or not self.before.view or not self.judged or self.before.position.marks < EARLY:
            return None
        return "believed" if self.before.view.move != self.judged.cell and self.given_away >= MUCH else None

    @property
    def better(self) -> Cell | None:
        """After a mistake: a move that would have kept the outcome, or that the engine would have played."""
        if self.mistake == "proven" and self.judged and self.judged.keeping:
            return self.judged.keeping[0]
        return self.before.view.move if self.mistake and self.before and self.before.view else None

    @property
    def text(self) -> str:
        """The mistake in words; empty where there was none."""
        if self.mistake is None or self.judged is None or self.before is None:
            return ""
        if self.mistake == "proven":
            return f"Proven: {self.judged}"
        mark, better = self.judged.mark, self.better
        had, has = (each.chance if mark is X else 1 - each.chance for each in (self.before, self))
        kept = "" if better is None else f"; it would have played {format_move(self.position.game, better)}"
        fall = f"from {had:.0%} to {has:.0%} of the points"
        return f"The engine believes: {mark} {self.judged.move} took {mark} {fall}{kept}"


@dataclass(frozen=True)
class Course(Answer):
    """The account of a game, and how it stood after each move, with what the engine believes."""

    keys = "*review course"

    review: Review
    course: tuple[CourseMoment, ...]  # from the beginning to the end


@dataclass(frozen=True)
class Looked(Progress):
    """The engine has looked at one more position of the game: how X stands there."""

    moment: CourseMoment


def following(
    start: Position, moves: Iterable[Move], you: str | None = None, nodes: int = NODES
) -> Generator[Progress, None, Course]:
    """The course of a game, looked at from its end to its beginning: what comes later helps to judge what was before.

    First its moves are judged, as `reviewing` tells; each `Looked` that follows has how X stands after one of them.

    >>> from noughts import Game
    >>> from noughts.progress import finish
    >>> found = finish(following(Game(5, 6, 4).start(), ["c3", "a1", "d3", "a5", "b3"]))
    >>> [moment.mistake for moment in found.course]
    [None, None, None, None, None, None]
    """
    require_game(start.game)
    account = yield from reviewing(start, moves, you)
    thinks, found = Engine(start.game, memory_mb=16), list[CourseMoment]()
    total = len(account.line)
    for number, position in reversed([*enumerate(account.line)]):
        verdict = account.verdicts[number]
        view = None if verdict.is_exact else thinks.think(position, nodes=nodes)
        found.append(CourseMoment(position, number, verdict, view))
        yield Looked("the course of the game", len(found), total, found[-1])
    course: list[CourseMoment] = []
    for moment in reversed(found):
        before = course[-1] if course else None
        judged = account.moves[moment.number - 1] if moment.number else None
        course.append(CourseMoment(moment.position, moment.number, moment.verdict, moment.view, judged, before))
    return Course(account, tuple(course))
