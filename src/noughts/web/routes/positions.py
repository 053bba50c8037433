"""Questions about one position."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import Field

from noughts.analysis import Analysis, analyze
from noughts.rules.legality import Legality, check
from noughts.walk import MAX_SECONDS, ProofShown, require_provable, show
from noughts.web import cost
from noughts.web.asking import (
    EVENTS,
    REFUSED,
    Again,
    Events,
    Json,
    PositionText,
    Problem,
    Responses,
    analysis_at_once,
    answer,
    events,
    read_board,
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
