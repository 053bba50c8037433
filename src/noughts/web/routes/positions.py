"""Questions about one position."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from noughts.analysis import Analysis, analyze
from noughts.rules.legality import Legality, check
from noughts.web import cost
from noughts.web.asking import REFUSED, PositionText, Problem, Responses, answer, read_board, read_position
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
    return await answer(request, cost.of_values(found.game), analyze, found)


@router.get("/legality", response_model=model(Legality), responses=REFUSED)
async def legality(request: Request, position: PositionText) -> Response:
    """Can this board arise? The reason if not, a game that leads to it if so."""
    board = read_board(position)
    return await answer(request, cost.of_board(board.game), check, board)
