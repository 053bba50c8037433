"""Questions about solving, solved games, and long runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response
from pydantic import Field

from noughts.proofs import proven
from noughts.proofs.opponent import Against
from noughts.proofs.proven import ProvenGames
from noughts.rules.answer import Answer
from noughts.solve.atlas import Row, load
from noughts.solve.prospect import Prospect, prospect
from noughts.web import asking, cost
from noughts.web.pool import dump
from noughts.web.schema import model

router = APIRouter(tags=["solving"])
MAX_GAMES = 1000  # of the atlas in one answer


@dataclass(frozen=True)
class Atlas(Answer):
    """The solved games, small boards first."""

    keys = "games"

    limit: int

    @property
    def games(self) -> tuple[Row, ...]:
        """The first `limit` games of the atlas."""
        return tuple(load().values())[: self.limit]


@dataclass(frozen=True)
class Stopped(Answer):
    """The run of this name is stopped."""

    stopped: str


@router.get("/solve", status_code=200, response_class=asking.Events, responses=asking.EVENTS)
async def solve(request: Request, game: asking.GameText = "3x3k3", again: asking.Again = False) -> Response:
    """Solve a game: progress as server-sent events, then the summary. It ends soon after the last listener left."""
    asked = asking.read_game(game)
    return asking.events(request, "solve", str(asked), str(int(asking.desk_of(request).run_seconds)), again=again)


@router.get("/prospect", response_model=model(Prospect), responses=asking.REFUSED)
async def what_it_takes(request: Request, game: asking.GameText = "3x3k3") -> Response:
    """What solving a game will take, why it is refused if so, and what the atlas knows of it."""
    asked = asking.read_game(game)
    return await asking.answer(
        request, cost.of_prospect(asked), prospect, asked, int(asking.desk_of(request).run_seconds)
    )


@router.get("/atlas", response_model=model(Atlas), responses=asking.REFUSED)
async def atlas(
    request: Request,
    limit: Annotated[int, Field(ge=1, le=MAX_GAMES, description="at most so many games")] = MAX_GAMES,
) -> Response:
    """The atlas: who wins each solved game, small boards first. It may be kept for an hour."""
    told = await asking.answer(request, cost.of_rows(limit), Atlas, limit)
    told.headers["cache-control"] = "max-age=3600"
    return told


@router.get("/proven", response_model=model(ProvenGames), responses=asking.REFUSED)
async def proven_games(request: Request) -> Response:
    """Games beyond the solved ones: what is proven here, what is published, what is open. It may be kept an hour."""
    told = await asking.answer(request, cost.of_rows(len(proven.load())), ProvenGames)
    told.headers["cache-control"] = "max-age=3600"
    return told


@router.get("/against", response_model=model(Against), responses=asking.REFUSED)
async def against(request: Request, game: asking.GameText = "7x7k5", moves: asking.MovesText = "") -> Response:
    """A game against a proof: the challenger's moves, each answered by the certificate, and why that suffices."""
    asked = asking.read_game(game)
    return await asking.answer(request, cost.SOME, proven.play_against, str(asked), asking.read_moves(moves))


@router.delete("/runs/{name}", response_model=model(Stopped), responses=asking.NO_RUN, tags=["runs"])
async def stop(request: Request, name: Annotated[str, Path(max_length=40)]) -> Response:
    """Stop a long run for all who follow it; its name is in the header `x-run` of its stream."""
    if not asking.desk_of(request).cancel(name):
        return asking.Json(dump({"detail": "there is no such run: it may have ended long ago"}), 404)
    return asking.Json(asking.in_json(Stopped, name))
