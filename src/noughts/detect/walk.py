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

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from noughts.detect import DETECTORS, EXHIBITS, Detector, Incremental, line_owner
from noughts.detect.scene import ShownStep, board_scene
from noughts.rules.game import Cell, Game
from noughts.rules.legality import check
from noughts.rules.marks import Mark
from noughts.rules.position import Position, replay
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

    @property
    def truth(self) -> Mark | None:
        """Who does own a line."""
        return line_owner(self.position)


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
    if order is not None and replay(position.game.start(), moves)[-1] != position:
        raise WrongOrder(f"these {several(len(moves), 'move')} do not lead to {position}")
    most = most or limit(position.game)
    head = max(1, most // 2)
    first: list[ShownStep] = []
    last: deque[ShownStep] = deque(maxlen=max(1, most - head - 1) + 1)
    spent: Counter[int | None] = Counter()  # operations, by the number of moves on the board
    left_out = 0
    for step in detector.steps(position, moves):
        spent[step.moves] += step.operations
        left_out += len(last) == last.maxlen
        (first if len(first) < head else last).append(step)
    steps, total = [*first, *last], spent.total()
    if left_out:  # and one more: a gap of one would take as much room as the step itself
        left_out += 1
        del steps[head]
        said = f"{several(left_out, 'step')} like these are left out here. None of them finds a line."
        operations = total - sum(step.operations for step in steps)
        steps.insert(head, ShownStep(said, partial(board_scene, position), {}, operations))
    answer = spent[steps[-1].moves] if isinstance(detector, Incremental) else total
    return Walk(name, position, moves, tuple(steps), left_out, answer, total)
