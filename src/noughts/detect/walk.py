"""A walk: a detector or an exhibit watched at work on one position, step by step.

    walk = watch("shifts", position)
    walk.steps           what it does, each with a sentence, the cells it concerns, its cost, and a scene to draw
    walk.found           which of them found the line, if one did
    walk.verdict         who owns the line: what the detector itself answers
    walk.operations      what the answer cost; of one that follows the game, what the last move cost

The steps are the detector's own (`Detector.steps`); `scene` has the few shapes that they are drawn with. A walk has a
limited number of them: where there are more, one in the middle says how many it stands for.

>>> walk = watch("magic_square", Position.parse("XXX/OO./..."))
>>> walk.verdict, walk.steps[walk.found].say
(<Mark.X: 'X'>, 'X takes 6 on c3. 15 − 6 = 9 is there: 8 + 1 + 6 = 15. A line of X.')
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from noughts.detect import DETECTORS, EXHIBITS, Detector, Incremental
from noughts.detect.scene import ShownStep, board_scene, positions
from noughts.rules.game import Cell, Game
from noughts.rules.legality import check
from noughts.rules.marks import Mark
from noughts.rules.position import Position
from noughts.words import no_such, several


class UnknownDetector(ValueError):
    """There is no detector of this name."""


class WrongOrder(ValueError):
    """These moves do not lead to this position."""


@dataclass(frozen=True)
class Walk:
    """A detector's way to its verdict on one position."""

    detector: str
    position: Position
    order: tuple[Cell, ...]  # the moves that led here, as they were played or as they may have been
    steps: tuple[ShownStep, ...]
    left_out: int  # steps for which one in the middle stands
    operations: int  # of the answer: all steps, or those of the last move where the game is followed
    total: int  # of all steps, with those of the moves before

    @property
    def found(self) -> int | None:
        """Which step found the line."""
        return next((number for number, step in enumerate(self.steps) if step.found), None)

    @property
    def verdict(self) -> Mark | None:
        """Who owns the line."""
        return self.steps[-1].found


def find(name: str) -> type[Detector]:
    """The detector or exhibit of this name.

    >>> find("abacus")
    Traceback (most recent call last):
    noughts.detect.walk.UnknownDetector: there is no detector 'abacus': expected one of line_sums, line_masks, ...
    """
    found = DETECTORS.get(name) or EXHIBITS.get(name)
    if found is None:
        raise UnknownDetector(no_such("detector", name, [*DETECTORS, *EXHIBITS]))
    return found


def limit(game: Game) -> int:
    """How many steps a walk has at most: fewer on boards that take longer to draw.

    >>> limit(Game()), limit(Game(32, 32, 5))
    (240, 24)
    """
    return max(24, min(240, 12_000 // game.cells))


def watch(name: str, position: Position, order: Sequence[Cell] | None = None, most: int | None = None) -> Walk:
    """The steps of this detector on this position, which these moves led to; without them, on some way to it."""
    detector = find(name)(position.game)
    moves = tuple(check(position).witness or () if order is None else order)
    if order is not None and positions(position.game, moves)[-1] != position:
        raise WrongOrder(f"these {several(len(moves), 'move')} do not lead to {position}")
    excerpt = _Excerpt(position, most or limit(position.game))
    for step in detector.steps(position, moves):
        excerpt.add(step)
    follows = isinstance(detector, Incremental)
    return Walk(
        name,
        position,
        moves,
        excerpt.steps(),
        excerpt.left_out,
        excerpt.since if follows else excerpt.total,
        excerpt.total,
    )


class _Excerpt:
    """The first steps and the last ones of a walk; what lies between is counted."""

    def __init__(self, position: Position, most: int) -> None:
        self.position = position
        self.first: list[ShownStep] = []
        self.last: deque[ShownStep] = deque()
        self.head = max(1, most // 2)
        self.tail = max(1, most - self.head - 1)
        self.left_out = self.left_operations = self.total = self.since = 0
        self.moves: int | None = None

    def add(self, step: ShownStep) -> None:
        if step.moves != self.moves:
            self.moves, self.since = step.moves, 0
        self.total += step.operations
        self.since += step.operations
        if len(self.first) < self.head:
            self.first.append(step)
            return
        self.last.append(step)
        if len(self.last) > self.tail + (not self.left_out):  # a gap of one would take as much room as the step itself
            while len(self.last) > self.tail:
                dropped = self.last.popleft()
                self.left_out += 1
                self.left_operations += dropped.operations

    def steps(self) -> tuple[ShownStep, ...]:
        if not self.left_out:
            return (*self.first, *self.last)
        said = f"{several(self.left_out, 'step')} like these are left out here. None of them finds a line."
        gap = ShownStep(said, partial(board_scene, self.position), {}, self.left_operations)
        return (*self.first, gap, *self.last)
