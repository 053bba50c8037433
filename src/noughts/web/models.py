"""The shape of questions and answers: FastAPI makes the OpenAPI document from these.

The answers themselves come ready from `answers`, `watching`, `searching` and `solved`; tests hold them to these models.
A key means the same in every answer, so `KEYS` says once what it holds, and a shape is a list of keys.
"""

from __future__ import annotations

from types import GenericAlias
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator
from pydantic_core import PydanticCustomError

from noughts.detect.scene import Part
from noughts.solve.backends import BACKENDS
from noughts.web.answers import MAX_SIDE, MAX_TEXT, SIZE
from noughts.web.matching import MAX_MATCH
from noughts.web.searching import Algorithm, Order, Window
from noughts.web.solved import MAX_GAMES

MAX_KEYS = 100  # of a question
SafeInteger = Annotated[int, Field(ge=0, le=2**53 - 1)]
GameText = Annotated[
    str,
    Field(
        max_length=20, examples=["3x3k3"], description="rows, columns and k: 4x5k4; then e for exactly k, m for misere"
    ),
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
PlayerText = Annotated[
    str,
    Field(max_length=40, examples=["level-3"], description="a player's name; alphabeta:4, mcts:2000 with a number"),
]
GamesNumber = Annotated[int, Field(ge=1, le=MAX_MATCH, description="how many games")]
AtlasLimit = Annotated[int, Field(ge=1, le=MAX_GAMES, description="at most so many games")]
SourceText = Annotated[
    str, Field(max_length=40, examples=["gordon"], description="prajoda, gordon, lastmove, gamescrafters or minimax")
]
Names = list[Annotated[str, Field(max_length=400)]]
Again = Annotated[bool, Field(description="run it anew, even if its result is remembered")]
Mark = Literal["X", "O"]


# Questions


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


class MoveQuestion(QuestionBody):
    """Who is to move here (a player and its seed), or which move is to be made."""

    position: PositionText
    player: Annotated[str, Field(max_length=40, examples=["level-3"])] | None = None
    seed: SafeInteger = 0
    move: MoveText | None = None

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"position": "XO./.X./..O", "player": "perfect", "seed": 7}]}
    )


class ReviewQuestion(QuestionBody):
    """A game: its moves from the empty board, or from `position` if that is given."""

    game: GameText = "3x3k3"
    position: PositionText | None = None
    moves: Annotated[list[MoveText], Field(max_length=MAX_SIDE * MAX_SIDE)]
    you: Annotated[Mark | None, Field(description="who reads the account; null speaks of X and O")] = None

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"moves": ["b2", "b3", "a1", "c3", "a3", "c1", "a2"], "you": "O"}]}
    )


class BenchQuestion(QuestionBody):
    """The options of `noughts bench`, with defaults that take some seconds and limits; names may be given as `a,b`."""

    experiment: Annotated[str, Field(max_length=20, description="scenarios, growth or all")] = "scenarios"
    detector: Annotated[Names, Field(max_length=40)] = []
    scenario: Annotated[
        Names, Field(max_length=20, description="without one, the five boards of the prajoda source")
    ] = []
    trials: Annotated[int, Field(ge=1, le=100)] | None = None
    iterations: Annotated[int, Field(ge=1, le=100_000)] | None = None
    paper: Annotated[bool, Field(description="as the prajoda source: 100,000 iterations, 5 trials")] = False
    baseline: Annotated[str, Field(max_length=40)] | None = None
    seed: SafeInteger = 0
    memory: bool = False
    again: Again = False

    model_config = ConfigDict(strict=False)  # a query is all texts


# What can go wrong


class Problem(BaseModel):
    """One sentence that says what is wrong and what was expected."""

    detail: str


class CannotArise(Problem):
    """A well-formed board that legal play cannot reach; `legal` is null where that could not be decided."""

    game: str
    position: str
    legal: Literal[False] | None
    reason: str


# Answers

Outcome = Literal["win", "tie", "loss"]
Worth = Literal["win", "tie", "loss", "unknown"]
Side = Annotated[int, Field(ge=1, le=MAX_SIDE)]


def each(keys: str, kind: Any) -> dict[str, Any]:
    """These keys hold values of this kind."""
    return dict.fromkeys(keys.split(), kind)


KEYS: dict[str, Any] = {
    **each("game position start code sentence summary picture title name detector source idea cost scope", str),
    **each("claim why_wrong headline say text why stopped move marks", str),
    **each("reason reason_name refusal refused home merged_with note", str | None),
    **each("best how line path reasons refutation keeping sentences skipped symmetries", list[str]),
    **each("row_labels column_labels", list[str]),
    **each("rows columns", Side),
    **each("k cell row column seed node nodes prunes alpha_cuts beta_cuts ply omitted kept limit asked score", int),
    **each("table_hits judged unknown max_side number", int),
    **each("remoteness within depth alpha beta memory threads positions classes win loss tie", int | None),
    **each("best_remoteness got_remoteness", int | None),
    **each("seconds saved_against_minimax saved_against_alphabeta", float | None),
    **each("misere exact legal dead plays slipped supports impossible complete table symmetry", bool),
    **each("mark turn", Mark),
    **each("winner verdict truth", Mark | None),
    **each("status", Literal["ongoing", "x_wins", "o_wins", "draw"]),
    **each("value best_value got_value", Worth),
    **each("at_least at_most", Outcome),
    **each("bound", Literal["exact", "upper", "lower"]),
    **each("backend", Literal[*BACKENDS] | None),
    **each("algorithm", Algorithm),
    **each("window", Window),
    **each("order", Order),
    "follows": Annotated[bool, Field(description="does it keep tables and follow the game move by move?")],
    "exhibit": Annotated[bool, Field(description="is it a published method that is wrong?")],
    "proof": Annotated[bool, Field(description="is there a proof (`labelling`) that it cannot work on this board?")],
}
PLACE = "move cell row column"  # rows and columns are counted from 0 at the top left
KNOWN = "value remoteness at_least at_most within"
COUNTS = "nodes prunes alpha_cuts beta_cuts"
DETECTOR = "detector title source idea cost scope follows exhibit"


class Answer(BaseModel):
    """More keys may be added to any answer."""

    model_config = ConfigDict(extra="allow")


def many(kind: Any) -> Any:
    """A list of these."""
    return GenericAlias(list, kind)


def shape(name: str, about: str, keys: str, /, **more: Any) -> Any:
    """The model of an answer: what it is about, its keys, and more keys with what they hold in this answer alone."""
    held = {key: KEYS[key] for key in keys.split()} | more
    fields: dict[str, Any] = {key: (kind, ...) for key, kind in held.items()}
    return create_model(name, __base__=Answer, __doc__=about, __module__=__name__, **fields)


# Positions

BoardPicture = shape(
    "BoardPicture",
    "What draws a board: `marks` row by row from the top left, X, O or . for an empty cell.",
    f"{SIZE} marks column_labels row_labels",
)
KEYS["board"] = BoardPicture

MoveValue = shape(
    "MoveValue",
    "A legal move, its value for the player who makes it, and what it does.",
    f"{PLACE} {KNOWN} reasons refutation",
)
LineMove = shape("LineMove", "A move of a line, and who makes it.", "mark move")
Twin = shape(
    "Twin",
    "A symmetric twin of a position, and the turns and flips that make it.",
    "position code symmetries marks",
    canonical=bool,
)
AnalysisAnswer = shape(
    "AnalysisAnswer",
    "The keys of `noughts analyze --json` (`code` as a string), and what draws them.",
    f"game position turn status winner dead code {KNOWN} how line best sentence board picture",
    winning_lines=list[list[str]],
    legal=Literal[True],
    reason=None,
    canonical=str,
    moves=many(MoveValue),
    best_line=many(LineMove),
    orbit=many(Twin),
)
LegalityAnswer = shape(
    "LegalityAnswer",
    "Can this board arise? A reason if not, a game that leads to it if so.",
    "game position legal reason reason_name board picture",
    witness=list[str] | None,
)

# Moves and games

Move = shape(
    "Move",
    "A move, and the analysis of the position after it.",
    f"{PLACE} seed",
    player=str | None,
    analysis=AnalysisAnswer,
)
Player = shape(
    "Player",
    "An opponent; `refusal` says why it does not play this game, `number` what a number after its name means.",
    "name title summary plays refusal",
    kind=Literal["level", "algorithm"],
    number=Literal["depth", "playouts"] | None,
)
Players = shape("Players", "Who plays this game, and its empty board.", "game board", players=many(Player))
GameOffer = shape("GameOffer", "A game that the page offers.", "game title summary start board")
GamesOnOffer = shape(
    "GamesOnOffer", "The games on offer and the largest board that is served.", "max_side", games=many(GameOffer)
)
ReviewedMove = shape(
    "ReviewedMove",
    "One move: the best that was to be had, what was got, and whether something slipped.",
    f"number {PLACE} mark position best_value best_remoteness got_value got_remoteness slipped keeping refutation",
)
Standing = shape(
    "Standing",
    "How a position of the game stands, whoever is to move.",
    "remoteness",
    marks=int,
    outcome=Literal["x_wins", "tie", "o_wins", "unknown"],
)
TurningPoint = shape(
    "TurningPoint",
    "A move that threw an outcome away, in words; `marks` is the board before it.",
    "number mark move cell marks sentences",
    keeping_cells=list[int],
)
Review = shape(
    "Review",
    "The account of a game; `history` has one moment more than there are moves.",
    "game start position status winner headline summary board judged unknown",
    moves=many(ReviewedMove),
    history=many(Standing),
    turning_points=many(TurningPoint),
)

# Solving

ATLAS_ROW = "game remoteness positions classes win loss tie sentence"
ExpectedLevel = shape("ExpectedLevel", "A level and about how many positions it has.", "", marks=int, positions=int)
KnownGame = shape(
    "KnownGame",
    "A game of the atlas: its value for X, who begins, and its positions; nulls where it was not solved.",
    ATLAS_ROW,
    value=Outcome | None,
)
Prospect = shape(
    "Prospect",
    "What a solve will take; `refusal` says why it will not be done.",
    f"game {SIZE} refusal positions seconds memory backend threads",
    levels=many(ExpectedLevel),
    known=KnownGame | None,
)
AtlasGame = shape(
    "AtlasGame",
    "A game of the atlas, as `KnownGame` has it, with what draws it.",
    f"{ATLAS_ROW} {SIZE}",
    value=Outcome | None,
)
Atlas = shape("Atlas", "The solved games, small boards first.", "", games=many(AtlasGame))
Stopped = shape("Stopped", "The run of this name is stopped.", "stopped")

# Searching

SearchedMove = shape(
    "SearchedMove",
    "A root move, its score from X's side, and what finding it took.",
    f"{PLACE} score bound {COUNTS} merged_with",
)
CutOff = shape(
    "CutOff",
    "Why the rest of a node was skipped: alpha >= beta.",
    "skipped why",
    kind=Literal["alpha", "beta"],
    alpha=int,
    beta=int,
)
TreeNode = shape(
    "TreeNode",
    "A node as the whole search left it: the window it was entered with (null: no bound), its score, all below it.",
    "position alpha beta score bound nodes prunes omitted marks",
    move=str | None,
    cell=int | None,
    player=Literal["MAX", "MIN"],
    kind=Literal["over", "horizon", "table", "searched"],
    reason=str,
    cut=CutOff | None,
    merged=dict[str, str],
    lines=list[list[int]],
    best=str | None,
    children=many("TreeNode"),
)
TreePart = shape(
    "TreePart",
    "The branch that was asked for; `complete` says whether every node of it is here.",
    "game position algorithm window depth nodes kept complete",
    root=TreeNode,
)
SearchStep = shape(
    "SearchStep",
    "A moment of the replay: `node` is a number in the order of entry, `nodes` and `prunes` are the totals so far.",
    "node ply alpha beta nodes prunes text",
    kind=Literal["enter", "back", "cut", "omitted", "leave"],
    best=int | None,
)
Searched = shape(
    "Searched",
    "The keys of `noughts search --json`; the branch below `path` and its replay.",
    f"game position algorithm window depth order table symmetry score best {COUNTS} table_hits limit note board path",
    moves=many(SearchedMove),
    tree=TreePart,
    steps=many(SearchStep),
)
SearchedWay = shape(
    "SearchedWay",
    "One way to search, and the share of nodes that it saves; `refused` says why it was not tried.",
    "algorithm order table symmetry saved_against_minimax saved_against_alphabeta refused",
    **each("score nodes prunes table_hits", int | None),
)
SideBySide = shape(
    "SideBySide",
    "A position searched in several ways; `asked` is the number of the one that was asked for.",
    "game position window depth limit asked",
    score=int | None,
    ways=many(SearchedWay),
)

# Detectors

WatchedStep = shape(
    "WatchedStep",
    "One thing that a detector does: in words, on the board, and as rows of parts to draw.",
    "say",
    cells=dict[str, list[int]],
    operations=int,
    found=Mark | None,
    moves=int | None,
    scene=list[list[Annotated[Part, Field(discriminator="kind")]]],
)
Detection = shape(
    "Detection",
    "A detector at work: `found` is the number of the step that found the line, counted from 0.",
    f"{DETECTOR} game position winner sentence board",
    order=list[str],
    verdict=Annotated[Mark | None, Field(description="who owns a line, as this method sees it")],
    truth=Annotated[Mark | None, Field(description="who does own one")],
    found=int | None,
    operations=Annotated[int, Field(description="for this answer; where it follows the game, for the last move")],
    total=Annotated[int, Field(description="for all steps, with those of the moves before")],
    left_out=Annotated[int, Field(description="steps for which one in the middle stands")],
    steps=many(WatchedStep),
)
DetectorEntry = shape(
    "DetectorEntry",
    "A detector, and what it costs on this position if it takes this game.",
    f"{DETECTOR} supports refusal proof verdict",
    home=Annotated[str | None, Field(description="a game that it takes, where it does not take this one")],
    operations=int | None,
    total=int | None,
)
Example = shape("Example", "A game that shows something.", "title summary game detector board", moves=str)
Detectors = shape(
    "Detectors",
    "All detectors, and the exhibits after them, on one position.",
    "game position turn status winner board",
    detectors=many(DetectorEntry),
    examples=many(Example),
)
ExhibitEntry = shape(
    "ExhibitEntry",
    "A method known to be wrong, on the smallest board that fools it: what it says there, and what is so.",
    f"{DETECTOR} claim why_wrong game position verdict truth board",
    cells=list[int],
)
Exhibits = shape("Exhibits", "The methods known to be wrong.", "", exhibits=many(ExhibitEntry))
LabellingProof = shape(
    "LabellingProof",
    "Why no labels tell the lines of a game from all other sets of cells; without steps where no proof is known.",
    "game impossible sentence board",
    steps=many(WatchedStep),
)
