"""The application: the questions (`routes`), the page, and how every refusal is a 4xx with one sentence."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from html import escape
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.routing import Router

from noughts.lab.machine import installed
from noughts.rules.game import Game
from noughts.rules.legality import check
from noughts.solve.at_hand import MAX_CELLS, ON_THE_SPOT
from noughts.web import asking, cost, guide
from noughts.web.asking import API, EMPTY, CannotArise, Json, in_json
from noughts.web.guard import FRAMED, Guard, is_foreign
from noughts.web.jobs import Desk, Gone, Stopping, TookTooLong
from noughts.web.lesson import Lesson
from noughts.web.pool import dump
from noughts.web.routes import ROUTERS, together
from noughts.web.turns import TooManyJobs
from noughts.words import brief

STATIC = Path(__file__).parent / "static"
NO_JSON = "the body is not JSON: expected an object in UTF-8"
LOCAL = ("127.0.0.1", "localhost", "[::1]")

ABOUT = """Who has won, who is winning, what to play, why: for tic-tac-toe and every k-in-a-row game.

A position is written as its rows from the top, `X.O/.X./..O`, with the game in front when it is not 3x3k3:
`4x4k4:X.../.O../..../....`. A move is a column letter and a row counted from the bottom: `a1` is bottom left.
A value is for the player to move; its remoteness is the number of moves, counting both sides, to the end."""


def create_app(
    hosts: Sequence[str] = LOCAL,
    desk: Desk | None = None,
    *,
    bots: Mapping[str, str] | None = None,
    uwapi: bool = False,
    lesson: Lesson | None = None,
    addresses: Sequence[str] = (),
    origins: Sequence[str] = (),
) -> FastAPI:
    """The application, for requests that name one of these hosts ("*": any).

    In matches it offers these bots, by name, beside our own players; with `uwapi` it has a data provider for
    GamesCrafters' page, at /uwapi; with a lesson a class can follow one page. The page shows the addresses to others.
    Pages of these origins may ask as our own may, and frame a board (/embed).
    """
    desk = desk or Desk()

    @asynccontextmanager
    async def with_a_worker_at_hand(app: FastAPI) -> AsyncIterator[None]:
        async with desk.at_work() as group:
            group.start_soon(desk.warm_up, in_json, check, EMPTY)
            yield

    app = FastAPI(
        title="noughts", version=installed("noughts") or "0", description=ABOUT, lifespan=with_a_worker_at_hand,
        docs_url=None, redoc_url=None, openapi_url=None,
    )  # fmt: skip
    app.state.desk, app.state.bots = desk, bots or {}
    app.state.lesson, app.state.addresses = lesson, tuple(addresses)
    for router in ROUTERS:
        app.include_router(router, prefix=API)
    if lesson:
        app.include_router(together.class_router, prefix=API)
    if uwapi:
        _add_provider(app)
    _add_page(app)
    _add_refusals(app)
    app.add_middleware(Guard, hosts=hosts, origins=origins)
    return app


def _add_provider(app: FastAPI) -> None:
    from noughts.bridges import uwapi

    async def work(request: Request, job: uwapi.Job, game: Game, text: str) -> dict[str, Any]:
        answer: dict[str, Any] = await asking.work(request, cost.of_values(game), job, game, text)
        return answer

    app.mount("/uwapi", Router(uwapi.routes(work)))


# The page


def _add_page(app: FastAPI) -> None:
    @app.api_route("/", methods=guide.READ, include_in_schema=False)
    async def page(request: Request) -> Response:
        return _open(request, request.query_params, "", STATIC / "index.html")

    @app.api_route(FRAMED, methods=guide.READ, include_in_schema=False)
    async def embed(request: Request) -> Response:
        return _open(request, _framed(request.query_params), "embed", STATIC / "embed" / "index.html")

    @app.api_route("/docs", methods=guide.READ, include_in_schema=False)
    async def docs() -> FileResponse:
        return FileResponse(STATIC / "docs" / "index.html")

    @app.api_route("/favicon.ico", methods=guide.READ, include_in_schema=False)
    async def icon() -> FileResponse:  # what a browser asks for where no page names one
        return FileResponse(STATIC / "icon.svg")

    @app.get(f"{API}/openapi.json", include_in_schema=False)
    def description() -> Response:  # in a thread: it is long in the making, the first time
        with guide.MAKING:
            return Json(dump(app.openapi()))

    app.include_router(guide.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")


BEEN_HERE = "been-here"  # a cookie without content, until the browser is closed: no link on another site sends it
ASKS_FIRST = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>noughts</title>
<main><h1>Open it?</h1>
<p>What this address asks for is work for the computer that serves it, and somebody else's page may have led here.</p>
<p><a href="/{page}?{}">Open it</a></p></main></html>
"""


def _open(request: Request, query: Mapping[str, str], page: str, file: Path) -> Response:
    """A page that does what its address says as soon as it is open: a link on another site may not have that done.

    Without https a browser does not say who led to an address that is typed, kept or loaded again. Whoever has been
    here sends the cookie then, and from no other site.
    """
    if _means_work(query) and is_foreign(request.headers):
        named = any(name in request.headers for name in ("sec-fetch-site", "origin", "referer"))
        if named or BEEN_HERE not in request.cookies:
            return HTMLResponse(ASKS_FIRST.format(escape(request.url.query), page=page))
    shown = FileResponse(file)
    shown.set_cookie(BEEN_HERE, "1", samesite="strict", httponly=True)
    return shown


def _means_work(query: Mapping[str, str]) -> bool:
    """Does an address of the page ask for more than a game to play, or for one that would be solved and kept?"""

    def is_solved(text: str) -> bool:
        try:
            return ON_THE_SPOT < Game.parse(text.partition(":")[0]).cells <= MAX_CELLS
        except ValueError:
            return False

    return query.get("view", "play") != "play" or "run" in query or any(map(is_solved, query.values()))


def _framed(query: Mapping[str, str]) -> dict[str, str]:
    """What the address of a frame asks for: a board and the game of fifteen are no more than a game to play."""
    return {**query, "view": "play" if query.get("view", "board") in ("board", "fifteen") else query["view"]}


# What is refused


def _add_refusals(app: FastAPI) -> None:
    statuses = {RequestValidationError: 422, TookTooLong: 422, TooManyJobs: 429, Stopping: 503, Exception: 500}

    async def refuse(request: Request, problem: Exception) -> Response:
        later = {"retry-after": str(problem.seconds)} if isinstance(problem, TooManyJobs) else None
        return Json(dump({"detail": _sentence(problem)}), statuses.get(type(problem), 500), later)

    for kind in statuses:
        app.add_exception_handler(kind, refuse)

    @app.exception_handler(ValueError)
    async def complaint(request: Request, problem: ValueError) -> Response:
        if type(problem).__module__.partition(".")[0] != "noughts":
            raise problem  # not a complaint about the question, but a fault of ours
        return Json(dump({"detail": str(problem)}), 422)

    @app.exception_handler(CannotArise)
    async def told_in_full(request: Request, problem: CannotArise) -> Response:
        return Json(dump({"detail": str(problem), **problem.judged.to_json()}), 422)

    @app.exception_handler(HTTPException)
    async def elsewhere(request: Request, problem: HTTPException) -> Response:
        if problem.status_code == 404 and not f"{request.scope['path']}/".startswith("/api/"):
            return HTMLResponse(guide.MISSING, 404)
        status = 422 if problem.status_code == 400 else problem.status_code
        detail = {
            400: NO_JSON,
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
        if first["type"] == "json_invalid":
            return NO_JSON
        where = ".".join(_shown(str(part)) for part in first["loc"][1:]) or "the body"
        if first["type"] == "literal_error":
            return f"there is no {where} {brief(first['input'])}: expected {first['ctx']['expected']}"
        return f"{where}: {first['msg'][:1].lower()}{first['msg'][1:]}"
    if isinstance(problem, TooManyJobs | Stopping | TookTooLong):
        return str(problem)
    return "this is a fault in noughts, not in the question: the terminal where it runs says more"


def _shown(key: str) -> str:
    """A key as it is, unless it would not fit into a sentence."""
    return key if key.isprintable() and len(key) <= 40 else brief(key)
