"""Questions about detectors: who has won, and how they tell."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.responses import Response

from noughts.detect import watching
from noughts.detect.watching import Detection, Detectors, Exhibits, LabellingProof
from noughts.web import cost
from noughts.web.asking import (
    EMPTY,
    REFUSED,
    GameText,
    MovesText,
    PositionText,
    answer,
    read_game,
    read_moves,
    read_position,
    text,
)
from noughts.web.schema import model

router = APIRouter(tags=["detectors"])
DetectorText = Annotated[str, text(40, "magic_square", "a detector or an exhibit, by its name")]


@router.get("/detect", response_model=model(Detection), responses=REFUSED)
async def detect(
    request: Request, position: PositionText = EMPTY, moves: MovesText = "", detector: DetectorText = "shifts"
) -> Response:
    """A detector at work on the position after these moves: every step, ready to draw."""
    start = await read_position(request, position)
    return await answer(request, cost.of_watching(start.game), watching.detect, start, read_moves(moves), detector)


@router.get("/detectors", response_model=model(Detectors), responses=REFUSED)
async def detectors(request: Request, position: PositionText = EMPTY, moves: MovesText = "") -> Response:
    """Every detector: what it is, whether it takes this game, and what it costs on this position."""
    start = await read_position(request, position)
    return await answer(request, cost.of_watching(start.game), watching.detectors, start, read_moves(moves))


@router.get("/exhibits", response_model=model(Exhibits), responses=REFUSED)
async def exhibits(request: Request) -> Response:
    """Published methods that are wrong, each on the smallest board that fools it."""
    return await answer(request, cost.SOME, watching.exhibits)


@router.get("/labelling", response_model=model(LabellingProof), responses=REFUSED)
async def labelling(request: Request, game: GameText = "4x4k4") -> Response:
    """Why no labels tell the lines of a game from all other sets of cells: the steps of the proof."""
    asked = read_game(game)
    return await answer(request, cost.of_watching(asked), LabellingProof, asked)
