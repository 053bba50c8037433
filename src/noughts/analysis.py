"""Everything that is known of one position: `analyze`, whose answer the command prints and the page draws.

With a budget of seconds (`analyzing`), the provers and the engine look longer. What is proven narrows the verdict; what
the engine believes is a guess, and stands apart under a key of its own.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal

from noughts import engine, explain
from noughts.engine import Engine, View
from noughts.progress import Progress
from noughts.proofs import Verdict, judge
from noughts.proofs.prove import prove
from noughts.rules.answer import Answer
from noughts.rules.encoding import code
from noughts.rules.game import Cell
from noughts.rules.marks import Mark
from noughts.rules.notation import draw_board
from noughts.rules.position import Position, require
from noughts.rules.symmetry import symmetries
from noughts.shapes import Shape, shapes
from noughts.threats import Waiting, waiting, zugzwang
from noughts.words import some


@dataclass(frozen=True)
class MoveAnalysis(Answer):
    """A legal move: its verdict for the player who makes it, what it does, and how it is answered if it slips."""

    keys = "@cell *verdict reasons refutation@"

    cell: Cell
    verdict: Verdict
    reasons: tuple[str, ...]
    refutation: tuple[Cell, ...]


@dataclass(frozen=True)
class LineMove(Answer):
    """A move of a line, and who makes it."""

    keys = "turn=mark move=cell@"

    mark: Mark
    cell: Cell


@dataclass(frozen=True)
class Twin(Answer):
    """A symmetric twin of a position, the turns and flips that make it, and whether its code is the smallest."""

    keys = "position code canonical symmetries marks=position.pattern"

    position: Position
    code: int
    canonical: bool
    symmetries: tuple[str, ...]


@dataclass(frozen=True)
class Analysis(Answer):
    """A position, what is known of it and of each of its moves."""

    keys = (
        "position.game position position.turn position.status position.winner winning_lines=position.lines@ legal "
        "reason dead=position.is_dead code canonical *verdict verdict.how verdict.line@ best@ moves "
        "sentence story best_line threats shapes zugzwang orbit board=position# picture engine"
    )
    legal: ClassVar[Literal[True]] = True
    reason: ClassVar[None] = None

    position: Position
    verdict: Verdict
    best: tuple[Cell, ...]
    moves: tuple[MoveAnalysis, ...]
    best_line: tuple[LineMove, ...]
    story: tuple[str, ...] = ()  # what there is to meet, and how a forced win goes
    engine: View | None = None  # what the engine believes, where it was asked

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The fours and threes of both players."""
        return shapes(self.position)

    @property
    def sentence(self) -> str:
        """Who stands how, in one sentence."""
        return explain.sentence(self.position, self.verdict)

    @property
    def threats(self) -> tuple[Waiting, ...]:
        """Where marks fall: the cells where either would complete a line, if a mark could fall there."""
        return waiting(self.position)

    @property
    def zugzwang(self) -> bool:
        """Where marks fall: does every move open a cell where the opponent completes a line?"""
        return zugzwang(self.position)

    @cached_property
    def orbit(self) -> tuple[Twin, ...]:
        """The symmetric twins of the position, itself first."""
        return orbit(self.position)

    @property
    def code(self) -> int:
        """The base-3 code of the position."""
        return self.orbit[0].code

    @property
    def canonical(self) -> Position:
        """The twin whose code is smallest."""
        return next(twin.position for twin in self.orbit if twin.canonical)

    @property
    def picture(self) -> str:
        """The board in lines of text, with its labels."""
        return draw_board(self.position)


def analyze(position: Position) -> Analysis:
    """What is known of a position, from one table of its moves.

    >>> found = analyze(Position.parse("XX./OO./..."))
    >>> str(found.verdict), found.best, found.moves[0].reasons
    ('win 1', (2,), ('completes a line', 'only winning move'))
    """
    require(position, Position, "analyze")
    judged = judge(position)
    reasons, refutations = explain.reasons(judged), explain.refutations(judged)
    turn = position.turn
    return Analysis(
        position,
        judged.verdict,
        tuple(judged.best),
        tuple(
            MoveAnalysis(cell, verdict, tuple(reasons[cell]), tuple(refutations.get(cell, ())))
            for cell, verdict in judged.moves.items()
        ),
        tuple(
            LineMove(turn.other if number % 2 else turn, cell) for number, cell in enumerate(explain.best_line(judged))
        ),
        explain.story(judged),
    )


def analyzing(position: Position, seconds: float | None = None) -> Generator[Progress, None, Analysis]:
    """`analyze`; with a budget of seconds the provers, and then the engine, look for half of it each.

    The events are what the engine believes after each depth.
    """
    found = analyze(position)
    if seconds is None:
        return found
    some("seconds", seconds, engine.MOST_SECONDS, engine.EngineError)
    if position.is_over:
        return found
    if not found.verdict.is_exact and not position.game.rule.refusal(["gravity", "misere"]):
        proven = prove(position, seconds=seconds / 2)
        found = replace(found, verdict=found.verdict.narrowed(proven.verdict))
    if engine.refusal(position.game):
        return found
    return replace(found, engine=(yield from Engine(position.game).search(position, seconds=seconds / 2)))


def orbit(position: Position) -> tuple[Twin, ...]:
    """The symmetric twins of a position with the maps that make them, itself first.

    >>> [(str(twin.position), twin.canonical) for twin in orbit(Position.parse("1x3k2:X.."))]
    [('1x3k2:X..', True), ('1x3k2:..X', False)]
    """
    maps: dict[Position, list[str]] = {}
    for each in symmetries(position.game):
        maps.setdefault(each.apply(position), []).append(each.name)
    codes = {twin: code(twin) for twin in maps}
    smallest = min(codes.values())
    return tuple(Twin(twin, codes[twin], codes[twin] == smallest, tuple(names)) for twin, names in maps.items())
