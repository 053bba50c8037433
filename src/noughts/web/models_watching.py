"""The shape of the answers about detectors; `noughts.web.watching` makes them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from noughts.detect.scene import Part
from noughts.web.answers import MAX_SIDE
from noughts.web.models import Answer, BoardPicture, Mark, Status

MovesText = Annotated[
    str,
    Field(
        max_length=MAX_SIDE * MAX_SIDE * len("af32,"),
        examples=["b2,a1,c3"],
        description="the moves played from `position`, in their order, with commas between them",
    ),
]
DetectorText = Annotated[
    str, Field(max_length=40, examples=["magic_square"], description="a detector or an exhibit, by its name")
]
Parts = Annotated[Part, Field(discriminator="kind")]


class WatchedStep(Answer):
    """One thing that a detector does: in words, on the board, and as rows of parts to draw."""

    say: str
    cells: dict[str, list[int]]
    operations: int
    found: Mark | None
    moves: int | None
    scene: list[list[Parts]]


class Introduction(Answer):
    """What a detector is."""

    detector: str
    title: str
    source: str
    idea: str
    cost: str
    scope: str
    follows: bool = Field(description="does it keep tables and follow the game move by move?")
    exhibit: bool = Field(description="is it a published method that is wrong?")


class Detection(Introduction):
    """A detector at work: `found` is the number of the step that found the line, counted from 0."""

    game: str
    position: str
    order: list[str]
    verdict: Mark | None = Field(description="who owns a line, as this method sees it")
    truth: Mark | None = Field(description="who does own one")
    winner: Mark | None
    sentence: str
    found: int | None
    operations: int = Field(description="for this answer; where it follows the game, for the last move")
    total: int = Field(description="for all steps, with those of the moves before")
    left_out: int = Field(description="steps for which one in the middle stands")
    steps: list[WatchedStep]
    board: BoardPicture


class DetectorEntry(Introduction):
    """A detector, and what it costs on this position if it takes this game."""

    supports: bool
    refusal: str | None
    proof: bool = Field(description="is there a proof (`labelling`) that it cannot work on this board?")
    home: str | None = Field(description="a game that it takes, where it does not take this one")
    verdict: Mark | None
    operations: int | None
    total: int | None


class Example(Answer):
    """A game that shows something."""

    title: str
    summary: str
    game: str
    moves: str
    detector: str
    board: BoardPicture


class Detectors(Answer):
    """All detectors, and the exhibits after them, on one position."""

    game: str
    position: str
    turn: Mark
    status: Status
    winner: Mark | None
    board: BoardPicture
    detectors: list[DetectorEntry]
    examples: list[Example]


class ExhibitEntry(Introduction):
    """A method known to be wrong, on the smallest board that fools it: what it says there, and what is so."""

    claim: str
    why_wrong: str
    game: str
    position: str
    verdict: Mark | None
    truth: Mark | None
    cells: list[int]
    board: BoardPicture


class Exhibits(Answer):
    """The methods known to be wrong."""

    exhibits: list[ExhibitEntry]


class LabellingProof(Answer):
    """Why no labels tell the lines of a game from all other sets of cells; without steps where no proof is known."""

    game: str
    impossible: bool
    sentence: str
    steps: list[WatchedStep]
    board: BoardPicture
