"""The routes: each reads a question, asks `answers`, and sends what comes back.

Quick questions are answered on the spot, slow ones by a worker (`jobs`). Every refusal is a 4xx with one sentence.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

import anyio
from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from noughts.legality import check
from noughts.web import answers, models
from noughts.web.guard import Guard
from noughts.web.jobs import Busy, Desk, Gone, Stopping, TookTooLong, while_listening
from noughts.web.worker import dump

STATIC = Path(__file__).parent / "static"
API = "/api/v1"
LOCAL = ("127.0.0.1", "localhost", "[::1]")

ABOUT = """Who has won, who is winning, what to play, why: for tic-tac-toe and every k-in-a-row game.

A position is written as its rows from the top, `X.O/.X./..O`, with the game in front when it is not 3x3k3:
`4x4k4:X.../.O../..../....`. A move is a column letter and a row counted from the bottom: `a1` is bottom left.
A value is for the player to move; its remoteness is the number of moves, counting both sides, to the end."""

REFUSED: dict[int | str, dict[str, Any]] = {
    422: {"model": models.Problem, "description": "The question cannot be answered: `detail` says why"},
    429: {"model": models.Problem, "description": "Too many jobs at once"},
}
REFUSED_BODY: dict[int | str, dict[str, Any]] = {
    **REFUSED,
    413: {"model": models.Problem, "description": "The body is too large"},
}
CANNOT_ARISE: dict[int | str, dict[str, Any]] = {
    **REFUSED,
    422: {"model": models.CannotArise | models.Problem, "description": "Not a position: `detail` says why"},
}
A_PROBLEM = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
AN_EVENT = {
    "type": "object",
    "properties": {
        "event": {"enum": ["progress", "summary", "problem"]},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
    "required": ["event", "data"],
}
EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "events: progress, and at the end summary (the keys of noughts solve --json) or problem",
        "content": {"text/event-stream": {"schema": AN_EVENT}},
    },
    **{status: {"description": said["description"], "content": A_PROBLEM} for status, said in REFUSED.items()},
}


class Json(Response):
    """An answer that is JSON already."""

    media_type = "application/json"


def create_app(hosts: Sequence[str] = LOCAL, desk: Desk | None = None) -> FastAPI:
    """The application, for requests that name one of these hosts ("*": any)."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("noughts")
    except PackageNotFoundError:
        number = "0"
    desk = desk or Desk()

    @asynccontextmanager
    async def with_a_worker_at_hand(app: FastAPI) -> AsyncIterator[None]:
        async with anyio.create_task_group() as group:
            group.start_soon(desk.warm_up, answers.legality, ".........")
            yield
            group.cancel_scope.cancel()

    app = FastAPI(
        title="noughts", version=number, description=ABOUT, docs_url=None, redoc_url=None,
        openapi_url=f"{API}/openapi.json", lifespan=with_a_worker_at_hand,
    )  # fmt: skip
    _add_api(app, desk)
    _add_page(app)
    _add_refusals(app)
    app.add_middleware(Guard, hosts=hosts)
    return app


# The questions


def _add_api(app: FastAPI, desk: Desk) -> None:
    async def answer(request: Request, quick: bool, job: Callable[..., dict[str, Any]], *args: Any) -> Response:
        if quick:
            return Json(dump(job(*args)))
        return Json(await while_listening(request, lambda: desk.run(job, *args)))

    @app.get(f"{API}/analyze", response_model=models.Analysis, responses=CANNOT_ARISE, tags=["positions"])
    async def analyze(request: Request, position: Annotated[models.PositionText, Query()]) -> Response:
        """Everything known of a position: status, value, every move with its value and reasons, its symmetric twins."""
        board = answers.read_board(position)
        if not check(board).legal:
            verdict = answers.legality(position)
            return Json(dump({"detail": f"this board cannot arise: {verdict['reason']}", **verdict}), 422)
        return await answer(request, answers.is_quick(board), answers.analyze, position)

    @app.get(f"{API}/legality", response_model=models.Legality, responses=REFUSED, tags=["positions"])
    async def legality(position: Annotated[models.PositionText, Query()]) -> Response:
        """Can this board arise? The reason if not, a game that leads to it if so."""
        return Json(dump(answers.legality(position)))

    @app.post(f"{API}/move", response_model=models.Move, responses=REFUSED_BODY, tags=["play"])
    async def move(request: Request, question: models.MoveQuestion) -> Response:
        """Make a move: the one that a player chooses (`player`, `seed`), or a given one (`move`); then the analysis."""
        quick = question.player is None and answers.is_quick(answers.read_board(question.position))
        given = question.position, question.player, question.seed, question.move
        return await answer(request, quick, answers.move, *given)

    @app.get(f"{API}/players", response_model=models.Players, responses=REFUSED, tags=["play"])
    async def players(game: Annotated[models.GameText, Query()] = "3x3k3") -> Response:
        """Who can be played against, and which of them play this game."""
        asked = answers.read_game(game)
        return Json(dump({"game": str(asked), "players": answers.players(asked)}))

    @app.get(f"{API}/games", response_model=models.Games, tags=["play"])
    async def games() -> Response:
        """The games on offer; any other with at most 32 rows and columns can be asked about as well."""
        return Json(dump({"games": answers.games(), "max_side": answers.MAX_SIDE}))

    @app.post(f"{API}/review", response_model=models.Review, responses=REFUSED_BODY, tags=["play"])
    async def review(request: Request, question: models.ReviewQuestion) -> Response:
        """The account of a game: where the value slipped, what would have kept it, in words."""
        text = question.position
        game = answers.read_game(question.game) if text is None else answers.read_board(text).game
        given = question.game, text, question.moves, question.you
        return await answer(request, game.cells <= answers.SMALL, answers.review, *given)

    @app.get(f"{API}/solve", status_code=200, response_class=Events, responses=EVENTS, tags=["solving"])
    async def solve(game: Annotated[models.GameText, Query()] = "3x3k3") -> Response:
        """Solve a game: progress as server-sent events, then the summary; closing the connection stops it."""
        asked = answers.read_game(game)
        return Events(desk, sys.executable, "-m", "noughts.web.solving", str(asked), str(int(desk.solve_seconds)))


class CannotSolve(ValueError):
    """A solve was refused before it began."""


class Events(Response):
    """What a process tells, as server-sent events; when the client leaves, the process is ended."""

    media_type = "text/event-stream"

    def __init__(self, desk: Desk | None = None, *command: str) -> None:
        super().__init__()
        self.desk, self.command = desk, command
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events as they come."""
        desk, last = self.desk, ""
        assert desk

        async def tell(data: dict[str, Any]) -> None:
            nonlocal last
            name = data.pop("event")
            if not last and name == "problem":
                raise CannotSolve(data["detail"])
            if not last:
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            last = name
            event = b"event: %s\ndata: %s\n\n" % (name.encode(), dump(data))
            await send({"type": "http.response.body", "body": event, "more_body": True})

        try:
            await while_listening(Request(scope, receive), lambda: desk.stream(tell, *self.command))
            if last not in ("summary", "problem"):
                await tell({"event": "problem", "detail": "the solve ended without a result"})
        except (Stopping, TookTooLong) as problem:
            await tell({"event": "problem", "detail": str(problem)})
        except Gone:
            return
        await send({"type": "http.response.body", "body": b""})


# The page


def _add_page(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(STATIC / "index.html")

    @app.get("/docs", include_in_schema=False)
    async def docs() -> FileResponse:
        return FileResponse(STATIC / "docs.html")

    app.mount("/static", StaticFiles(directory=STATIC), name="static")


# What is refused


def _add_refusals(app: FastAPI) -> None:
    def refuse(kind: type[Exception], status: int) -> None:
        async def handler(request: Request, problem: Exception) -> Response:
            return Json(dump({"detail": _sentence(problem)}), status)

        app.add_exception_handler(kind, handler)

    refuse(RequestValidationError, 422)
    refuse(TookTooLong, 422)
    refuse(Busy, 429)
    refuse(Stopping, 503)
    refuse(Exception, 500)

    @app.exception_handler(ValueError)
    async def complaint(request: Request, problem: ValueError) -> Response:
        if type(problem).__module__.partition(".")[0] != "noughts":
            raise problem  # not a complaint about the question, but a fault of ours
        return Json(dump({"detail": str(problem)}), 422)

    @app.exception_handler(HTTPException)
    async def elsewhere(request: Request, problem: HTTPException) -> Response:
        status = 422 if problem.status_code == 400 else problem.status_code
        detail = {
            400: "the body is not JSON: expected an object in UTF-8",
            404: "there is nothing at this address: the page is at /, the API is described at /docs",
            405: f"{request.method} is not offered at this address: /docs describes what is",
        }.get(problem.status_code, str(problem.detail))
        return Json(dump({"detail": detail}), status, problem.headers)

    @app.exception_handler(Gone)
    async def gone(request: Request, problem: Exception) -> Response:
        return Response(status_code=499)  # nobody reads it


def _sentence(problem: Exception) -> str:
    """One sentence for what went wrong."""
    if isinstance(problem, RequestValidationError):
        first = problem.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:]) or "the body"
        return f"{where}: {first['msg'][:1].lower()}{first['msg'][1:]}"
    if isinstance(problem, Busy | Stopping | TookTooLong):
        return str(problem)
    return "this is a fault in noughts, not in the question: the terminal where it runs says more"
