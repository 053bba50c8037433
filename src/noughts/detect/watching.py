"""What there is to watch: every detector on one position, each at work, the wrong ones, and boards without labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from noughts.detect import DETECTORS, EXHIBITS, Detector, Exhibit, Incremental, no_labels
from noughts.detect.labelled import Labelled
from noughts.detect.scene import ShownStep
from noughts.detect.walk import Walk, find, watch
from noughts.rules.answer import Answer
from noughts.rules.game import Cell, Game
from noughts.rules.legality import check
from noughts.rules.position import Move, Position, replay

HOMES = (Game(3, 3, 3), Game(5, 5, 5))  # to show a detector on that does not take the game on the board
TITLES = {
    "prajoda_boolean": "Boolean masks, as printed",
    "magic_16": "A magic square of 16",
    "single_loop": "Counting in one loop",
}


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


# One detector at work


@dataclass(frozen=True)
class Detection(Answer):
    """A detector at work on one position; `found` numbers the step that found the line, from 0."""

    keys = (
        "walk.position.game walk.position *introduction order=walk.order@ walk.verdict walk.truth walk.position.winner "
        "sentence walk.found walk.operations walk.total walk.left_out walk.steps board=walk.position#"
    )

    walk: Walk

    @property
    def introduction(self) -> Introduction:
        """What the detector is."""
        return Introduction.of(self.walk.detector)

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        position = self.walk.position
        verdict, truth, winner = self.walk.verdict, self.walk.truth, position.winner
        said = f"{verdict} has a line" if verdict else "nobody has a line"
        if verdict is not truth:
            right = f"{truth} has one" if truth else "nobody has one"
            return f"It says that {said}. The truth: {right}."
        if winner and not position.game.rule.completing_wins:
            return f"{said[0].upper()}{said[1:]}, so {winner} wins: in misère a line loses."
        return f"{said[0].upper()}{said[1:]}."


def detect(start: Position, moves: Sequence[Move], name: str) -> Detection:
    """The steps of one detector on the position after these moves.

    >>> found = detect(Position.parse("XX./OO./..."), ["c3"], "shifts")
    >>> found.walk.verdict, found.walk.found, found.sentence
    (<Mark.X: 'X'>, 1, 'X has a line.')
    """
    find(name)
    position, order = moment(start, moves)
    return Detection(watch(name, position, order))


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
    walk: Walk | None

    @staticmethod
    def of(name: str, position: Position, order: Sequence[Cell]) -> DetectorEntry:
        """The detector or exhibit of this name on a position, to which these moves led."""
        kind, game = find(name), position.game
        if (refusal := kind.refusal(game)) is None:
            return DetectorEntry(Introduction.of(name), True, None, False, None, watch(name, position, order, most=2))
        home = next(filter(kind.supports, HOMES), None)
        proof = issubclass(kind, Labelled) and bool(_proof(game))
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
        """Where it ends."""
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
        "*introduction kind.claim kind.why_wrong walk.position.game walk.position walk.verdict walk.truth cells "
        "board=walk.position#"
    )

    introduction: Introduction
    kind: type[Exhibit]
    walk: Walk

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
    return Exhibits(
        tuple(
            ExhibitEntry(Introduction.of(name), kind, watch(name, kind.smallest_failure()))
            for name, kind in EXHIBITS.items()
        )
    )


# Boards without labels


@dataclass(frozen=True)
class LabellingProof(Answer):
    """Why no labels tell the lines of a game from all other sets of cells; without steps where no proof is known."""

    keys = "game impossible sentence steps board=game.start#"

    game: Game

    @property
    def steps(self) -> Sequence[ShownStep]:
        """The proof."""
        return _proof(self.game)

    @property
    def impossible(self) -> bool:
        """Is it proven?"""
        return bool(self.steps)

    @property
    def sentence(self) -> str:
        """What follows."""
        return self.steps[-1].say if self.steps else "No proof is known here that labels cannot do it."


def _proof(game: Game) -> Sequence[ShownStep]:
    return no_labels.steps(Game(game.rows, game.columns, game.k))
