"""The shape of questions and answers: FastAPI makes the OpenAPI document from these.

The answers themselves come ready from `noughts.web.answers`; a test holds them to these models.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from noughts.web.answers import MAX_SIDE, MAX_TEXT
from noughts.web.matching import MAX_MATCH
from noughts.web.solved import MAX_GAMES

MAX_KEYS = 100  # of a question
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
PlayerText = Annotated[
    str,
    Field(max_length=40, examples=["level-3"], description="a player's name; alphabeta:4, mcts:2000 with a number"),
]
GamesNumber = Annotated[int, Field(ge=1, le=MAX_MATCH, description="how many games")]
AtlasLimit = Annotated[int, Field(ge=1, le=MAX_GAMES, description="at most so many games")]
SourceText = Annotated[
    str, Field(max_length=40, examples=["gordon"], description="prajoda, gordon, lastmove, gamescrafters or minimax")
]
Again = Annotated[bool, Field(description="run it anew, even if its result is remembered")]
Mark = Literal["X", "O"]
Status = Literal["ongoing", "x_wins", "o_wins", "draw"]
ValueName = Literal["win", "tie", "loss", "unknown"]
OutcomeName = Literal["win", "tie", "loss"]


class Answer(BaseModel):
    """More keys may be added to any answer."""

    model_config = ConfigDict(extra="allow")


class QuestionBody(BaseModel):
    """A key that is not known is refused: it may be a misspelt one."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _few(cls, given: Any) -> Any:
        """Thousands of unknown keys are one complaint: it takes long to make one for each."""
        if isinstance(given, dict) and len(given) > MAX_KEYS:
            raise PydanticCustomError("too_many_keys", f"there are {len(given):,} keys: expected at most {MAX_KEYS}")
        return given


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


class PlacedMove(Answer):
    """A move, and where it is: rows and columns are counted from 0 at the top left."""

    move: str
    cell: int
    row: int
    column: int


class MoveValue(PlacedMove):
    """A legal move, its value for the player who makes it, and what it does."""

    value: ValueName
    remoteness: int | None
    at_least: OutcomeName
    at_most: OutcomeName
    within: int | None
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


class AnalysisAnswer(Answer):
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
    at_least: OutcomeName
    at_most: OutcomeName
    within: int | None
    how: list[str]
    line: list[str]
    best: list[str]
    moves: list[MoveValue]
    sentence: str
    best_line: list[LineMove]
    orbit: list[Twin]
    board: BoardPicture
    picture: str


class LegalityAnswer(Answer):
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


class MoveQuestion(QuestionBody):
    """Who is to move here (a player and its seed), or which move is to be made."""

    position: PositionText
    player: Annotated[str, Field(max_length=40, examples=["level-3"])] | None = None
    seed: SafeInteger = 0
    move: MoveText | None = None

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"position": "XO./.X./..O", "player": "perfect", "seed": 7}]}
    )


class Move(PlacedMove):
    """A move, and the analysis of the position after it."""

    player: str | None
    seed: int
    analysis: AnalysisAnswer


class Player(Answer):
    """An opponent; `refusal` says why it does not play this game, `number` what a number after its name means."""

    name: str
    title: str
    kind: Literal["level", "algorithm"]
    summary: str
    plays: bool
    refusal: str | None
    number: Literal["depth", "playouts"] | None


class Players(Answer):
    """Who plays this game, and its empty board."""

    game: str
    board: BoardPicture
    players: list[Player]


class GameOffer(Answer):
    """A game that the page offers."""

    game: str
    title: str
    summary: str
    start: str
    board: BoardPicture


class GamesOnOffer(Answer):
    """The games on offer and the largest board that is served."""

    games: list[GameOffer]
    max_side: int


class ReviewQuestion(QuestionBody):
    """A game: its moves from the empty board, or from `position` if that is given."""

    game: GameText = "3x3k3"
    position: PositionText | None = None
    moves: Annotated[list[MoveText], Field(max_length=MAX_SIDE * MAX_SIDE)]
    you: Annotated[Mark | None, Field(description="who reads the account; null speaks of X and O")] = None

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"moves": ["b2", "b3", "a1", "c3", "a3", "c1", "a2"], "you": "O"}]}
    )


class ReviewedMove(PlacedMove):
    """One move: the best that was to be had, what was got, and whether something slipped."""

    number: int
    mark: Mark
    position: str
    best_value: ValueName
    best_remoteness: int | None
    got_value: ValueName
    got_remoteness: int | None
    slipped: bool
    keeping: list[str]
    refutation: list[str]


class Standing(Answer):
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
    moves: list[ReviewedMove]
    history: list[Standing]
    headline: str
    summary: str
    turning_points: list[TurningPoint]
    board: BoardPicture
    judged: int
    unknown: int


# Solving


class ExpectedLevel(Answer):
    """A level and about how many positions it has."""

    marks: int
    positions: int


class KnownGame(Answer):
    """A game of the atlas: its value for X, who begins, and its positions; nulls where it was not solved."""

    game: str
    value: Literal["win", "tie", "loss"] | None
    remoteness: int | None
    positions: int | None
    classes: int | None
    win: int | None
    loss: int | None
    tie: int | None
    sentence: str


class Prospect(Answer):
    """What a solve will take; `refusal` says why it will not be done."""

    game: str
    rows: int
    columns: int
    k: int
    misere: bool
    refusal: str | None
    positions: int | None
    seconds: float | None
    memory: int | None
    backend: Literal["native", "python"] | None
    threads: int | None
    levels: list[ExpectedLevel]
    known: KnownGame | None


class AtlasGame(KnownGame):
    """A game of the atlas, as `KnownGame` has it, with what draws it."""

    rows: int
    columns: int
    k: int
    misere: bool


class Atlas(Answer):
    """The solved games, small boards first."""

    games: list[AtlasGame]


# Long runs


class Stopped(Answer):
    """The run of this name is stopped."""

    stopped: str


class BenchQuestion(QuestionBody):
    """The options of `noughts bench`, with defaults that take some seconds and limits; names may be given as `a,b`."""

    experiment: Annotated[str, Field(max_length=20, description="scenarios, growth or all")] = "scenarios"
    detector: Annotated[list[Annotated[str, Field(max_length=400)]], Field(max_length=40)] = []
    scenario: Annotated[
        list[Annotated[str, Field(max_length=400)]],
        Field(max_length=20, description="without one, the five boards of the prajoda source"),
    ] = []
    trials: Annotated[int, Field(ge=1, le=100)] | None = None
    iterations: Annotated[int, Field(ge=1, le=100_000)] | None = None
    paper: Annotated[bool, Field(description="as the prajoda source: 100,000 iterations, 5 trials")] = False
    baseline: Annotated[str, Field(max_length=40)] | None = None
    seed: SafeInteger = 0
    memory: bool = False
    again: Again = False

    model_config = ConfigDict(strict=False)  # a query is all texts
