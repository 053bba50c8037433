"""Questions about puzzles."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import Field

from noughts.play.puzzles import LEVELS, Attempt, Puzzle, attempt, daily, solution
from noughts.web import asking
from noughts.web.schema import model

router = APIRouter(tags=["puzzles"])
SOME = 1_500.0  # milliseconds: values of Connect Four, or of a board of 16 cells that is solved first

Day = Annotated[str | None, asking.text(10, "2026-01-05", "the day; today if it is left out")]
Level = Annotated[int | None, Field(ge=1, le=LEVELS, description="another level than that of the day")]
Tried = Annotated[
    str, asking.text(200, "b2,c1", "the moves that were tried, the last of which is judged; none: the solution")
]


@router.get("/puzzle", response_model=model(Puzzle), responses=asking.REFUSED)
async def puzzle(request: Request, date: Day = None, level: Level = None) -> Response:
    """The puzzle of a day: a position with exactly one right move, the same for everyone."""
    return await asking.answer(request, SOME, daily, date, level)


@router.get("/puzzle/attempt", response_model=model(Attempt), responses=asking.REFUSED)
async def try_(request: Request, moves: Tried = "", date: Day = None, level: Level = None) -> Response:
    """Whether a move is right, why, and how the game goes on; without a move, the solution."""
    return await asking.answer(request, SOME, tried, date, level, asking.read_moves(moves))


def tried(day: Any, level: int | None, moves: tuple[str, ...]) -> Attempt:
    """An attempt at the puzzle of a day, or its solution."""
    found = daily(day, level)
    return attempt(found, moves) if moves else solution(found)
