"""Questions about one position."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import Field

from noughts.analysis import Analysis, analyze
from noughts.course import NODES
from noughts.engine import require_game, require_open
from noughts.rules.legality import Legality, check
from noughts.rules.position import replay
from noughts.walk import MAX_SECONDS, ProofShown, require_provable, show
from noughts.web import cost
from noughts.web.asking import (
    EVENTS,
    REFUSED,
    Again,
    Events,
    Json,
    MovesText,
    PositionText,
    Problem,
    Responses,
    analysis_at_once,
    answer,
    events,
    read_board,
    read_moves,
    read_position,
)  # fmt: skip
from noughts.web.schema import model

router = APIRouter(tags=["positions"])


class NotAPosition(Problem, model(Legality)):  # type: ignore[misc]
    """A well-formed board that legal play cannot reach; `legal` is null where that could not be decided."""


CANNOT_ARISE: Responses = {
    **REFUSED,
    422: {"model": NotAPosition | Problem, "description": "Not a position: `detail` says why"},
}


@router.get("/analyze", response_model=model(Analysis), responses=CANNOT_ARISE)
async def analyze_position(request: Request, position: PositionText) -> Response:
    """Everything known of a position: status, value, every move with its value and reasons, its symmetric twins."""
    found = await read_position(request, position)
    most = cost.of_values(found.game)
    return Json(analysis_at_once(found)) if most <= cost.QUICK else await answer(request, most, analyze, found)


@router.get("/legality", response_model=model(Legality), responses=REFUSED)
async def legality(request: Request, position: PositionText) -> Response:
    """Can this board arise? The reason if not, a game that leads to it if so."""
    board = read_board(position)
    return await answer(request, cost.of_board(board.game), check, board)


@router.get("/proof", response_model=model(ProofShown), responses=CANNOT_ARISE)
async def proof(request: Request, position: PositionText) -> Response:
    """What is proven of a position within about a second, with the strategy that wins or the pairs that hold."""
    found = await read_position(request, position)
    require_provable(found)
    return await answer(request, cost.of_proof(found.game), show, found)


@router.get("/prove", status_code=200, response_class=Events, responses=EVENTS)
async def long_proof(
    request: Request,
    position: PositionText,
    seconds: Annotated[int, Field(ge=1, le=int(MAX_SECONDS), description="for how long")] = 30,
    again: Again = False,
) -> Response:
    """Look longer for a proof: how far it has come as server-sent events, then what `/proof` answers."""
    found = await read_position(request, position)
    require_provable(found)
    return events(request, "prove", str(found), str(seconds), again=again)


MAX_THINKING, MAX_LINES = 60, 8  # seconds and lines of the engine over HTTP
MAX_NODES = 200_000  # of it, for each position of a game


@router.get("/engine", status_code=200, response_class=Events, responses=EVENTS)
async def think(
    request: Request,
    position: PositionText,
    seconds: Annotated[float, Field(gt=0, le=MAX_THINKING, description="for how long")] = 5.0,
    lines: Annotated[int, Field(ge=1, le=MAX_LINES, description="how many best lines")] = 3,
    again: Again = False,
) -> Response:
    """What the engine believes of a position, after each depth, as server-sent events; a guess, and no verdict."""
    found = await read_position(request, position)
    require_game(found.game)
    require_open(found)
    return events(request, "think", str(found), str(seconds), str(lines), again=again)


@router.get("/course", status_code=200, response_class=Events, responses=EVENTS)
async def course(
    request: Request,
    position: PositionText,
    moves: MovesText = "",
    you: Annotated[Literal["X", "O", ""], Field(description="who reads the account")] = "",
    nodes: Annotated[int, Field(ge=100, le=MAX_NODES, description="of the engine, for each position")] = NODES,
    again: Again = False,
) -> Response:
    """How a game stood after each of its moves, with what the engine believes, and its mistakes: proven or believed."""
    found = await read_position(request, position)
    require_game(found.game)
    replay(found, read_moves(moves))
    return events(request, "course", str(found), moves, you, str(nodes), again=again)
