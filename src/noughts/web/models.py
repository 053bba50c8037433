"""The shape of questions and answers: FastAPI makes the OpenAPI document from these.

The answers themselves come ready from `noughts.web.answers`; a test holds them to these models.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from noughts.web.answers import MAX_SIDE, MAX_TEXT

SafeInteger = Annotated[int, Field(ge=0, le=2**53 - 1)]
GameText = Annotated[
    str,
    Field(max_length=20, examples=["3x3k3"], description="rows, columns and k: 4x5k4; a final m makes it misere"),
]
PositionText = Annotated[
    str,
    Field(
        max_length=MAX_TEXT,
        examples=["XO./.X./..O"],
        description="rows from the top; the game in front when it is not 3x3k3, as in 4x4k4:X.../.O../..../....",
    ),
]
MoveText = Annotated[
    str,
    Field(max_length=5, examples=["b2"], description="column letter and row from the bottom: a1 is bottom left"),
]
Mark = Literal["X", "O"]
Status = Literal["ongoing", "x_wins", "o_wins", "draw"]
ValueName = Literal["win", "tie", "loss", "unknown"]


class Answer(BaseModel):
    """More keys may be added to any answer."""

    model_config = ConfigDict(extra="allow")


class Question(BaseModel):
    """A key that is not known is refused: it may be a misspelt one."""

    model_config = ConfigDict(extra="forbid", strict=True)


# What can go wrong


class Problem(BaseModel):
    """One sentence that says what is wrong and what was expected."""

    detail: str


class CannotArise(Problem):
    """A well-formed board that legal play cannot reach."""

    game: str
    position: str
    legal: Literal[False]
    reason: str


# Positions


class BoardPicture(Answer):
    """What draws a board: `marks` row by row from the top left, X, O or . for an empty cell."""

    rows: int = Field(ge=1, le=MAX_SIDE)
    columns: int = Field(ge=1, le=MAX_SIDE)
    k: int
    misere: bool
    marks: str
    column_labels: list[str]
    row_labels: list[str]


class MoveValue(Answer):
    """A legal move, its value for the player who makes it, and what it does."""

    move: str
    cell: int
    row: int
    column: int
    value: ValueName
    remoteness: int | None
    reasons: list[str]
    refutation: list[str]


class LineMove(Answer):
    """A move of a line, and who makes it."""

    mark: Mark
    move: str


class Twin(Answer):
    """A symmetric twin of a position, and the turns and flips that make it."""

    position: str
    code: str
    canonical: bool
    symmetries: list[str]
    marks: str


class Analysis(Answer):
    """The keys of `noughts analyze --json` (`code` as a string), and what draws them."""

    game: str
    position: str
    turn: Mark
    status: Status
    winner: Mark | None
    winning_lines: list[list[str]]
    legal: Literal[True]
    reason: None
    dead: bool
    code: str
    canonical: str
    value: ValueName
    remoteness: int | None
    best: list[str]
    moves: list[MoveValue]
    sentence: str
    best_line: list[LineMove]
    orbit: list[Twin]
    board: BoardPicture
    picture: str


class Legality(Answer):
    """Can this board arise? A reason if not, a game that leads to it if so."""

    game: str
    position: str
    legal: bool
    reason: str | None
    reason_name: str | None
    witness: list[str] | None
    board: BoardPicture
    picture: str


# Moves and games


class MoveQuestion(Question):
    """Who is to move here (a player and its seed), or which move is to be made."""

    position: PositionText
    player: Annotated[str, Field(max_length=40, examples=["level-3"])] | None = None
    seed: SafeInteger = 0
    move: MoveText | None = None

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"position": "XO./.X./..O", "player": "perfect", "seed": 7}]}
    )


class Move(Answer):
    """A move, and the analysis of the position after it."""

    player: str | None
    seed: int
    move: str
    cell: int
    row: int
    column: int
    analysis: Analysis


class Player(Answer):
    """An opponent; `refusal` says why it does not play this game."""

    name: str
    title: str
    kind: Literal["level", "algorithm"]
    summary: str
    plays: bool
    refusal: str | None


class Players(Answer):
    """Who plays this game."""

    game: str
    players: list[Player]


class GameOffer(Answer):
    """A game that the page offers."""

    game: str
    title: str
    summary: str
    start: str
    board: BoardPicture


class Games(Answer):
    """The games on offer and the largest board that is served."""

    games: list[GameOffer]
    max_side: int


class ReviewQuestion(Question):
    """A game: its moves from the empty board, or from `position` if that is given."""

    game: GameText = "3x3k3"
    position: PositionText | None = None
    moves: Annotated[list[MoveText], Field(max_length=MAX_SIDE * MAX_SIDE)]
    you: Annotated[Mark | None, Field(description="who reads the account; null speaks of X and O")] = None

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"moves": ["b2", "b3", "a1", "c3", "a3", "c1", "a2"], "you": "O"}]}
    )


class Step(Answer):
    """One move: the best that was to be had, what was got, and whether something slipped."""

    number: int
    mark: Mark
    move: str
    cell: int
    row: int
    column: int
    position: str
    best_value: ValueName
    best_remoteness: int | None
    got_value: ValueName
    got_remoteness: int | None
    slipped: bool
    keeping: list[str]
    refutation: list[str]


class Moment(Answer):
    """How a position of the game stands, whoever is to move."""

    marks: int
    outcome: Literal["x_wins", "tie", "o_wins", "unknown"]
    remoteness: int | None


class TurningPoint(Answer):
    """A move that threw an outcome away, in words; `marks` is the board before it."""

    number: int
    mark: Mark
    move: str
    cell: int
    keeping_cells: list[int]
    marks: str
    sentences: list[str]


class Review(Answer):
    """The account of a game; `history` has one moment more than there are moves."""

    game: str
    start: str
    position: str
    status: Status
    winner: Mark | None
    moves: list[Step]
    history: list[Moment]
    headline: str
    summary: str
    turning_points: list[TurningPoint]
    board: BoardPicture
    judged: int
    unknown: int


# Solving


class SolveSummary(Answer):
    """The answer of `noughts solve --json`: the data of the last event of a solve."""

    game: str
    value: Literal["win", "tie", "loss"]
    remoteness: int
    positions: int
    classes: int
    win: int
    loss: int
    tie: int
    by_remoteness: dict[str, dict[str, int]]
    seconds: float
    peak_rss_bytes: int
    backend: Literal["native", "python"]
    threads: int
