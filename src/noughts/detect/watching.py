"""What there is to watch: detectors at work, step by step, all of them on one position, and boards without labels.

    walk = watch("shifts", position)   a detector or an exhibit on one position
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
from functools import lru_cache, partial

from noughts.detect import DETECTORS, EXHIBITS, Detector, Exhibit, Incremental, line_owner, no_labels
from noughts.detect.labelled import Labelled
from noughts.detect.scene import ShownStep, board_scene
from noughts.rules.answer import Answer
from noughts.rules.game import Cell, Game
from noughts.rules.legality import check
from noughts.rules.marks import Mark
from noughts.rules.position import Move, Position, replay
from noughts.words import no_such, several

HOMES = (Game(3, 3, 3), Game(5, 5, 5))  # to show a detector on that does not take the game on the board
TITLES = {
    "prajoda_boolean": "Boolean masks, as printed",
    "magic_16": "A magic square of 16",
    "single_loop": "Counting in one loop",
}


class UnknownDetector(ValueError):
    """There is no detector of this name."""


class WrongOrder(ValueError):
    """These moves do not lead to this position."""


@dataclass(frozen=True)
class Introduction(Answer):
    """What a detector or an exhibit says of itself."""

    keys = "detector title kind.source kind.idea kind.cost kind.scope follows exhibit"

    detector: str
    kind: type[Detector]
    title: str  # its name as a heading
    follows: bool  # does it keep tables and follow the game move by move?
    exhibit: bool  # is it a published method that is wrong?

    @staticmethod
    def of(name: str) -> Introduction:
        """What the detector or exhibit of this name says of itself."""
        title = TITLES.get(name) or name.replace("_", " ").capitalize()
        return Introduction(name, find(name), title, issubclass(find(name), Incremental), name in EXHIBITS)


@dataclass(frozen=True)
class Detection(Answer):
    """A detector at work on one position; `found` numbers the step that found the line, from 0."""

    keys = (
        "position.game position *introduction order@ verdict truth position.winner sentence found operations total "
        "left_out steps board=position#"
    )

    introduction: Introduction
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
        """Who owns the line, as the detector says."""
        return self.steps[-1].found

    @property
    def truth(self) -> Mark | None:
        """Who does own a line, whatever the detector says."""
        return line_owner(self.position)

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        verdict, truth, winner = self.verdict, self.truth, self.position.winner
        said = f"{verdict} has a line" if verdict else "nobody has a line"
        if verdict is not truth:
            right = f"{truth} has one" if truth else "nobody has one"
            return f"It says that {said}. The truth: {right}."
        if winner and not self.position.game.rule.completing_wins:
            return f"{said[0].upper()}{said[1:]}, so {winner} wins: in misère a line loses."
        return f"{said[0].upper()}{said[1:]}."


def find(name: str) -> type[Detector]:
    """The detector or exhibit of this name.

    >>> find("abacus")
    Traceback (most recent call last):
    noughts.detect.watching.UnknownDetector: there is no detector 'abacus': expected one of line_sums, line_masks, ...
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


def watch(name: str, position: Position, order: Sequence[Cell] | None = None, most: int | None = None) -> Detection:
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
        if step.found:
            break
    steps, total = [*first, *last], spent.total()
    if left_out:  # and one more: a gap of one would take as much room as the step itself
        left_out += 1
        del steps[head]
        said = f"{several(left_out, 'step')} like these are left out here. None of them finds a line."
        operations = total - sum(step.operations for step in steps)
        steps.insert(head, ShownStep(said, partial(board_scene, position), {}, operations))
    answer = spent[steps[-1].moves] if isinstance(detector, Incremental) else total
    return Detection(Introduction.of(name), position, moves, tuple(steps), left_out, answer, total)


def detect(start: Position, moves: Sequence[Move], name: str) -> Detection:
    """The steps of one detector on the position after these moves.

    >>> found = detect(Position.parse("XX./OO./..."), ["c3"], "shifts")
    >>> found.verdict, found.found, found.sentence
    (<Mark.X: 'X'>, 1, 'X has a line.')
    """
    find(name)
    return watch(name, *moment(start, moves))


def moment(start: Position, moves: Sequence[Move]) -> tuple[Position, list[Cell]]:
    """The position after these moves from that one, and all the moves that lead there from the empty board."""
    position = replay(start, moves)[-1]
    return position, [*(check(start).witness or ()), *(start.cell(move) for move in moves)]


# All of them


@dataclass(frozen=True)
class DetectorEntry(Answer):
    """A detector or an exhibit, and what it costs on a position if it takes the game."""

    keys = "*introduction supports refusal proof home walk.verdict walk.operations walk.total"

    introduction: Introduction
    supports: bool
    refusal: str | None
    proof: bool  # is there a proof (`labelling`) that it cannot work on this board?
    home: Game | None  # a game that it takes, where it does not take this one
    walk: Detection | None

    @staticmethod
    def of(name: str, position: Position, order: Sequence[Cell]) -> DetectorEntry:
        """The detector or exhibit of this name on a position, to which these moves led."""
        kind, game = find(name), position.game
        if (refusal := kind.refusal(game)) is None:
            return DetectorEntry(Introduction.of(name), True, None, False, None, watch(name, position, order, most=2))
        home = next(filter(kind.supports, HOMES), None)
        proof = issubclass(kind, Labelled) and bool(no_labels.steps(game))
        return DetectorEntry(Introduction.of(name), False, refusal, proof, home, None)


@dataclass(frozen=True)
class Example(Answer):
    """A game that shows something."""

    keys = "title game moves detector summary board=end#"

    title: str
    game: Game
    moves: str
    detector: str
    summary: str

    @property
    def end(self) -> Position:
        """The position where the game ends."""
        return replay(self.game.start(), self.moves.split(","))[-1]


# What to begin with on an empty board.
EXAMPLES = tuple(
    Example(title, Game.parse(game), moves, detector, summary)
    for title, game, moves, detector, summary in (
        (
            "A win by a row", "3x3k3", "a2,b3,b2,a1,c2", "shifts",
            "Three in a row, found by moving the board onto itself.",
        ),
        (
            "A fork", "3x3k3", "a3,b2,c1,a1,c3", "magic_square",
            "One move, two threats: the magic square lights up both.",
        ),
        ("A full draw", "3x3k3", "b2,a3,b3,b1,a2,c2,c3,a1,c1", "line_sums", "Nine marks, and no sum of three."),
        (
            "Five in a row", "9x9k5", "e5,f5,d4,c3,f6,d6,g7,e4,c5,f4,h8", "last_move",
            "On a larger board, too, one cell is enough.",
        ),
        (
            "Connect Four", "6x7k4g", "d1,e1,e2,f1,g1,f2,f3,g2,g3,a1,g4", "last_move",
            "Marks fall into their places, and a line is a line all the same.",
        ),
        (
            "4 × 4 has no labels", "4x4k4", "a4,b4,d4,b3,a1,c3", "magic_square",
            "Why the magic square cannot work there.",
        ),
    )
)  # fmt: skip


@dataclass(frozen=True)
class Detectors(Answer):
    """All detectors, and the exhibits after them, on one position; and games worth a look."""

    keys = "position.game position position.turn position.status position.winner board=position# detectors examples"

    position: Position
    detectors: tuple[DetectorEntry, ...]
    examples: tuple[Example, ...] = EXAMPLES


def detectors(start: Position, moves: Sequence[Move] = ()) -> Detectors:
    """Every detector and exhibit on the position after these moves: what it is, whether it can, and what it costs."""
    position, order = moment(start, moves)
    entries = (DetectorEntry.of(name, position, order) for name in (*DETECTORS, *EXHIBITS))
    return Detectors(position, tuple(entries))


# Those that are wrong


@dataclass(frozen=True)
class ExhibitEntry(Answer):
    """A method known to be wrong, on the smallest board that fools it: what it says there, and what is so."""

    keys = (
        "*walk.introduction kind.claim kind.why_wrong walk.position.game walk.position walk.verdict walk.truth cells "
        "board=walk.position#"
    )

    kind: type[Exhibit]
    walk: Detection

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that fool it."""
        fooled = self.walk.steps[-1].cells.get("hit", ())
        return tuple(fooled or (cell for line in self.walk.position.lines() for cell in line))


@dataclass(frozen=True)
class Exhibits(Answer):
    """The methods known to be wrong."""

    exhibits: tuple[ExhibitEntry, ...]


@lru_cache(maxsize=1)
def exhibits() -> Exhibits:
    """The methods known to be wrong, each on the smallest board that fools it."""
    return Exhibits(tuple(ExhibitEntry(kind, watch(name, kind.smallest_failure())) for name, kind in EXHIBITS.items()))


# Boards without labels


@dataclass(frozen=True)
class LabellingProof(Answer):
    """Why no labels tell the lines of a game from all other sets of cells; without steps where no proof is known."""

    keys = "game impossible sentence steps board=game.start#"

    game: Game

    @property
    def steps(self) -> Sequence[ShownStep]:
        """The steps of the proof; none where no proof is known."""
        return no_labels.steps(self.game)

    @property
    def impossible(self) -> bool:
        """Is it proven that no labels will do?"""
        return bool(self.steps)

    @property
    def sentence(self) -> str:
        """What the proof shows, in one sentence, or that none is known."""
        return self.steps[-1].say if self.steps else "No proof is known here that labels cannot do it."
