"""Questions about moves, players and games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import ConfigDict, Field

from noughts.account import Review, review
from noughts.play import find_player
from noughts.play.balance import Laid, Opening, Taken, lay, read_opening, take
from noughts.play.opponents import MoveMade, Opponents, choose_move, make_move
from noughts.rules.answer import Answer
from noughts.rules.game import Game
from noughts.rules.position import Position, replay
from noughts.web import asking, cost
from noughts.web.guard import require_json
from noughts.web.pool import dump
from noughts.web.schema import model

router = APIRouter(tags=["play"])
MAX_MATCH = 10_000  # games over HTTP

GAMES = {
    "3x3k3": ("Tic-tac-toe", "Three in a row. With best play it is a tie."),
    "4x4k4": ("4 × 4", "Four in a row on a board of four rows."),
    "5x5k4": ("5 × 5", "Four in a row on a board of five rows."),
    "15x15k5": ("Five in a row", "Five or more in a row on 15 × 15, as gomoku is played freely."),
    "15x15k5e": ("Standard gomoku", "Exactly five in a row on 15 × 15: six or more are nothing."),
    "6x7k4g": ("Connect Four", "Four in a row, and marks fall: press a column or its letter."),
    "3x3k3m": ("Misère", "Tic-tac-toe turned round: whoever completes three in a row loses."),
}


@dataclass(frozen=True)
class GameOffer(Answer):
    """A game that the page offers."""

    keys = "game title summary start board=start#"

    game: str
    title: str
    summary: str

    @property
    def start(self) -> Position:
        """The empty board of the game."""
        return Game.parse(self.game).start()


@dataclass(frozen=True)
class GamesOnOffer(Answer):
    """The games on offer and the largest board that is served."""

    games: tuple[GameOffer, ...] = tuple(GameOffer(name, *about) for name, about in GAMES.items())
    max_side: int = asking.MAX_SIDE


class MoveQuestion(asking.QuestionBody):
    """Who is to move here (a player and its seed), or which move is to be made."""

    position: asking.PositionText
    player: asking.PlayerText | None = None
    seed: asking.SafeInteger = 0
    move: asking.MoveText | None = None

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"position": "XO./.X./..O", "player": "perfect", "seed": 7}]}
    )


class ReviewQuestion(asking.QuestionBody):
    """A game: its moves from the empty board, or from `position` if that is given."""

    game: asking.GameText = "3x3k3"
    position: asking.PositionText | None = None
    moves: Annotated[list[asking.MoveText], Field(max_length=asking.MAX_SIDE * asking.MAX_SIDE)]
    you: Annotated[Literal["X", "O"] | None, Field(description="who reads the account; null speaks of X and O")] = None
    values: Annotated[bool, Field(description="false: the moves alone, none of them judged, at once")] = True

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"moves": ["b2", "b3", "a1", "c3", "a3", "c1", "a2"], "you": "O"}]}
    )


@router.post("/move", response_model=model(MoveMade), responses=asking.REFUSED_BODY)
async def move(request: Request, question: MoveQuestion) -> Response:
    """Make a move: the one that a player chooses (`player`, `seed`), or a given one (`move`); then the analysis."""
    require_json(request.headers)
    position, player = await asking.read_position(request, question.position), question.player
    most = cost.of_values(position.game) if player is None else cost.of_player(position.game, player)
    if most > cost.QUICK:
        return await asking.answer(request, most, make_move, position, player, question.seed, question.move)
    chosen = choose_move(position, player, question.seed, question.move)
    after = asking.analysis_at_once(position.play(chosen.cell))
    return asking.Json(b'%s,"analysis":%s}' % (dump(chosen.to_json())[:-1], after))  # what `MoveMade` says


@router.get("/players", response_model=model(Opponents), responses=asking.REFUSED)
async def players(request: Request, game: asking.GameText = "3x3k3") -> Response:
    """Who can be played against, and which of them play this game."""
    asked = asking.read_game(game)
    return await asking.answer(request, cost.of_values(asked), Opponents, asked, tuple(request.app.state.bots))


@router.get("/games", response_model=model(GamesOnOffer))
async def games(request: Request) -> Response:
    """The games on offer; any other with at most 32 rows and columns can be asked about as well."""
    return await asking.answer(request, cost.of_rows(len(GAMES)), GamesOnOffer)


@router.post("/review", response_model=model(Review), responses=asking.REFUSED_BODY)
async def account(request: Request, question: ReviewQuestion) -> Response:
    """The account of a game: where the value slipped, what would have kept it, in words."""
    require_json(request.headers)
    if question.position is None:
        start = asking.read_game(question.game).start()
    else:
        start = await asking.read_position(request, question.position)
    most = cost.of_values(start.game, len(question.moves) + 1)
    if not question.values:
        most = min(most, cost.of_replay(start.game, len(question.moves)))
    return await asking.answer(request, most, review, start, question.moves, question.you, question.values)


@router.get("/review", status_code=200, response_class=asking.Events, responses=asking.EVENTS)
async def looking_back(
    request: Request,
    position: asking.PositionText,
    moves: asking.MovesText = "",
    you: Annotated[Literal["X", "O", ""], Field(description="who reads the account")] = "",
    again: asking.Again = False,
) -> Response:
    """The account of a game from a position, with how far it is on the way: on a large board it takes seconds."""
    found = await asking.read_position(request, position)
    replay(found, asking.read_moves(moves))
    return asking.events(request, "review", str(found), moves, you, again=again)


@router.get("/match", status_code=200, response_class=asking.Events, responses=asking.EVENTS)
async def match(
    request: Request,
    a: asking.PlayerText = "perfect",
    b: asking.PlayerText = "random",
    game: asking.GameText = "3x3k3",
    n: Annotated[int, Field(ge=1, le=MAX_MATCH, description="how many games")] = 100,
    seed: asking.SafeInteger = 0,
    opening: Annotated[Opening, Field(description="by which rule games begin")] = "free",
    again: asking.Again = False,
) -> Response:
    """A seeded series between two players, who change sides after each game: its games as they are played."""
    asked, bots = asking.read_game(game), request.app.state.bots
    for name in (a, b):
        if name not in bots:
            find_player(name)  # refuses what is no player: bots that are not on offer, too
    rule = read_opening(opening, asked)
    words = bots.get(a, a), bots.get(b, b), str(asked), str(n), str(seed), rule
    return asking.events(request, "match", *words, again=again)


@router.get("/opening", response_model=model(Laid), responses=asking.REFUSED)
async def opening(request: Request, game: asking.GameText = "15x15k5", seed: asking.SafeInteger = 0) -> Response:
    """Three marks that look even to the engine, for a game by swap or swap2."""
    asked = asking.read_game(game)
    read_opening("swap", asked)
    return await asking.answer(request, cost.of_player(asked, "engine"), lay, asked, seed)


@router.get("/side", response_model=model(Taken), responses=asking.REFUSED)
async def side(request: Request, position: asking.PositionText) -> Response:
    """The side that the engine takes in a position, for a game by swap or swap2."""
    asked = await asking.read_position(request, position)
    return await asking.answer(request, cost.of_player(asked.game, "engine"), take, asked)
