"""The routes: each reads a question, asks `answers`, and sends what comes back.

Each says what its question may cost (`cost`): cheap ones are answered on the spot, the others by a worker (`jobs`), and
only for pages of ours (`guard`). Every refusal is a 4xx with one sentence.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from html import escape
from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import FastAPI, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from noughts import child
from noughts.lab.machine import installed
from noughts.lab.papers import chosen
from noughts.play import find_player
from noughts.rules.game import Game
from noughts.rules.legality import Reason, check
from noughts.solve.at_hand import MAX_CELLS, ON_THE_SPOT
from noughts.web import answers, benching, cost, guide, models, searching, solved, watching
from noughts.web.guard import Guard, TooMuch, is_foreign, require_json, require_ours
from noughts.web.jobs import Cancelled, Desk, Gone, Run, Stopping, TookTooLong, TooManyJobs, while_listening
from noughts.web.worker import dump
from noughts.words import brief

STATIC = FilePath(__file__).parent / "static"
API = "/api/v1"
EMPTY = "........."
NO_JSON = "the body is not JSON: expected an object in UTF-8"
LOCAL = ("127.0.0.1", "localhost", "[::1]")

ABOUT = """Who has won, who is winning, what to play, why: for tic-tac-toe and every k-in-a-row game.

A position is written as its rows from the top, `X.O/.X./..O`, with the game in front when it is not 3x3k3:
`4x4k4:X.../.O../..../....`. A move is a column letter and a row counted from the bottom: `a1` is bottom left.
A value is for the player to move; its remoteness is the number of moves, counting both sides, to the end."""

Responses = dict[int | str, dict[str, Any]]
PROBLEMS = {
    403: "A page of another site asks for something that costs",
    404: "There is no such run",
    413: "The body is too large",
    422: "The question cannot be answered: `detail` says why",
    429: "Too many jobs at once",
}


def problems(*more: int) -> Responses:
    """How a question is refused: as every one may be, and with these statuses."""
    return {status: {"model": models.Problem, "description": PROBLEMS[status]} for status in (403, 422, 429, *more)}


REFUSED, REFUSED_BODY, NO_RUN = problems(), problems(413), problems(404)
CANNOT_ARISE: Responses = {
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
EVENTS: Responses = {
    200: {
        "description": "events: progress, and at the end summary (the keys of the command's --json) or problem",
        "content": {"text/event-stream": {"schema": AN_EVENT}},
    },
    **{status: {"description": said["description"], "content": A_PROBLEM} for status, said in REFUSED.items()},
}


class Json(Response):
    """An answer that is JSON already."""

    media_type = "application/json"


def create_app(hosts: Sequence[str] = LOCAL, desk: Desk | None = None) -> FastAPI:
    """The application, for requests that name one of these hosts ("*": any)."""
    desk = desk or Desk()

    @asynccontextmanager
    async def with_a_worker_at_hand(app: FastAPI) -> AsyncIterator[None]:
        async with desk.at_work() as group:
            group.start_soon(desk.warm_up, answers.legality, EMPTY)
            yield

    app = FastAPI(
        title="noughts", version=installed("noughts") or "0", description=ABOUT, lifespan=with_a_worker_at_hand,
        docs_url=None, redoc_url=None, openapi_url=None,
    )  # fmt: skip
    _add_api(app, desk)
    _add_page(app)
    _add_refusals(app)
    app.add_middleware(Guard, hosts=hosts)
    return app


# The questions


def _add_api(app: FastAPI, desk: Desk) -> None:
    async def answer(request: Request, most: float, job: Callable[..., dict[str, Any]], *args: Any) -> Response:
        """What a job gives that may take so many milliseconds."""
        if most <= cost.QUICK:
            return Json(dump(job(*args)))
        require_ours(request.headers)
        return Json(await while_listening(request, lambda: desk.run(job, *args, long=most > cost.SHORT)))

    def events(request: Request, module: str, *args: str, again: bool = False) -> Response:
        require_ours(request.headers)
        return Events(desk, desk.open(*child.module(module, *args), again=again))

    @app.get(f"{API}/openapi.json", include_in_schema=False)
    def description() -> Response:  # in a thread: it is long in the making, the first time
        with guide.MAKING:
            return Json(dump(app.openapi()))

    @app.get(f"{API}/analyze", response_model=models.AnalysisAnswer, responses=CANNOT_ARISE, tags=["positions"])
    async def analyze(request: Request, position: models.PositionText) -> Response:
        """Everything known of a position: status, value, every move with its value and reasons, its symmetric twins."""
        board = answers.read_board(position)
        verdict = check(board, work=0)
        if not verdict.legal:  # for sure, or a worker has to look for an order of the moves
            most = cost.of_judging(board.game) if verdict.reason is Reason.UNDECIDED else 0
            told = json.loads(bytes((await answer(request, most, answers.legality, position)).body))
            if not told["legal"]:
                sure = "this board cannot arise: " if told["legal"] is False else ""
                return Json(dump({"detail": sure + told["reason"], **told}), 422)
        return await answer(request, cost.of_values(board.game), answers.analyze, position)

    @app.get(f"{API}/legality", response_model=models.LegalityAnswer, responses=REFUSED, tags=["positions"])
    async def legality(request: Request, position: models.PositionText) -> Response:
        """Can this board arise? The reason if not, a game that leads to it if so."""
        return await answer(request, cost.of_board(answers.read_board(position).game), answers.legality, position)

    @app.post(f"{API}/move", response_model=models.Move, responses=REFUSED_BODY, tags=["play"])
    async def move(request: Request, question: models.MoveQuestion) -> Response:
        """Make a move: the one that a player chooses (`player`, `seed`), or a given one (`move`); then the analysis."""
        require_json(request.headers)
        game, player = answers.read_board(question.position).game, question.player
        most = cost.of_values(game) if player is None else cost.of_player(game, player)
        return await answer(request, most, answers.move, question.position, player, question.seed, question.move)

    @app.get(f"{API}/players", response_model=models.Players, responses=REFUSED, tags=["play"])
    async def players(request: Request, game: models.GameText = "3x3k3") -> Response:
        """Who can be played against, and which of them play this game."""
        return await answer(request, cost.of_values(answers.read_game(game)), answers.opponents, game)

    @app.get(f"{API}/games", response_model=models.GamesOnOffer, tags=["play"])
    async def games(request: Request) -> Response:
        """The games on offer; any other with at most 32 rows and columns can be asked about as well."""
        return await answer(request, cost.of_rows(len(answers.GAMES)), answers.games)

    @app.post(f"{API}/review", response_model=models.Review, responses=REFUSED_BODY, tags=["play"])
    async def review(request: Request, question: models.ReviewQuestion) -> Response:
        """The account of a game: where the value slipped, what would have kept it, in words."""
        require_json(request.headers)
        text = question.position
        game = answers.read_game(question.game) if text is None else answers.read_board(text).game
        most = cost.of_values(game, len(question.moves) + 1)
        return await answer(request, most, answers.review, question.game, text, question.moves, question.you)

    @app.get(f"{API}/detect", response_model=models.Detection, responses=REFUSED, tags=["detectors"])
    async def detect(
        request: Request,
        position: models.PositionText = EMPTY,
        moves: models.MovesText = "",
        detector: models.DetectorText = "shifts",
    ) -> Response:
        """A detector at work on the position after these moves: every step, ready to draw."""
        most = cost.of_watching(answers.read_board(position).game)
        return await answer(request, most, watching.detect, position, moves, detector)

    @app.get(f"{API}/detectors", response_model=models.Detectors, responses=REFUSED, tags=["detectors"])
    async def detectors(
        request: Request,
        position: models.PositionText = EMPTY,
        moves: models.MovesText = "",
    ) -> Response:
        """Every detector: what it is, whether it takes this game, and what it costs on this position."""
        most = cost.of_watching(answers.read_board(position).game)
        return await answer(request, most, watching.detectors, position, moves)

    @app.get(f"{API}/exhibits", response_model=models.Exhibits, responses=REFUSED, tags=["detectors"])
    async def exhibits(request: Request) -> Response:
        """Published methods that are wrong, each on the smallest board that fools it."""
        return await answer(request, cost.SOME, watching.exhibits)

    @app.get(f"{API}/labelling", response_model=models.LabellingProof, responses=REFUSED, tags=["detectors"])
    async def labelling(request: Request, game: models.GameText = "4x4k4") -> Response:
        """Why no labels tell the lines of a game from all other sets of cells: the steps of the proof."""
        return await answer(request, cost.of_watching(answers.read_game(game)), watching.labelling, game)

    @app.get(f"{API}/search", response_model=models.Searched, responses=REFUSED, tags=["search"])
    async def search(
        request: Request,
        options: searching.HowToSearch,
        position: models.PositionText,
        keep: searching.Keep = 300,
        path: searching.PathText = "",
    ) -> Response:
        """Search a position: every move's score and what it took, a branch of the tree, and its replay in words.

        Without a depth every game is searched to its end; where that is too large a depth is chosen and `note` says so.
        """
        most = cost.of_search(answers.read_board(position), options.depth)
        return await answer(request, most, searching.search, position, options, keep, searching.read_path(path))

    @app.get(f"{API}/search/compare", response_model=models.SideBySide, responses=REFUSED, tags=["search"])
    async def compare(request: Request, options: searching.HowToSearch, position: models.PositionText) -> Response:
        """What each improvement saves: the same position searched in several ways, the one asked for among them."""
        most = cost.of_search(answers.read_board(position), options.depth)
        return await answer(request, most, searching.side_by_side, position, options)

    @app.get(f"{API}/solve", status_code=200, response_class=Events, responses=EVENTS, tags=["solving"])
    async def solve(request: Request, game: models.GameText = "3x3k3", again: models.Again = False) -> Response:
        """Solve a game: progress as server-sent events, then the summary. It ends soon after the last listener left."""
        asked = answers.read_game(game)
        return events(request, "noughts.web.solving", str(asked), str(int(desk.run_seconds)), again=again)

    @app.get(f"{API}/prospect", response_model=models.Prospect, responses=REFUSED, tags=["solving"])
    async def prospect(request: Request, game: models.GameText = "3x3k3") -> Response:
        """What solving a game will take, why it is refused if so, and what the atlas knows of it."""
        asked = answers.read_game(game)
        return await answer(request, cost.of_prospect(asked), solved.prospect, str(asked), int(desk.run_seconds))

    @app.get(f"{API}/atlas", response_model=models.Atlas, responses=REFUSED, tags=["solving"])
    async def atlas(request: Request, limit: models.AtlasLimit = solved.MAX_GAMES) -> Response:
        """The atlas: who wins each solved game, small boards first. It may be kept for an hour."""
        told = await answer(request, cost.of_rows(limit), solved.atlas, limit)
        told.headers["cache-control"] = "max-age=3600"
        return told

    @app.get(f"{API}/match", status_code=200, response_class=Events, responses=EVENTS, tags=["play"])
    async def match(
        request: Request,
        a: models.PlayerText = "perfect",
        b: models.PlayerText = "random",
        game: models.GameText = "3x3k3",
        n: models.GamesNumber = 100,
        seed: models.SafeInteger = 0,
        again: models.Again = False,
    ) -> Response:
        """A seeded series between two players, who change sides after each game: its games as they are played."""
        asked = answers.read_game(game)
        for name in (a, b):
            find_player(name)  # refuses what is no player
        return events(request, "noughts.web.matching", a, b, str(asked), str(n), str(seed), again=again)

    @app.get(f"{API}/papers", status_code=200, response_class=Events, responses=EVENTS, tags=["laboratory"])
    async def papers(request: Request, source: models.SourceText = "", again: models.Again = False) -> Response:
        """Judge what the five sources claim, or one of them: an event a claim, at the end `verdicts` with every row."""
        if source:
            chosen(source)  # refuses what is no source
        return events(request, "noughts.web.judging", *filter(None, [source]), again=again)

    @app.get(f"{API}/bench", status_code=200, response_class=Events, responses=EVENTS, tags=["laboratory"])
    async def bench(request: Request, question: Annotated[models.BenchQuestion, Query()]) -> Response:
        """Time the detectors, each checked first: the means so far as events, then what `noughts bench --json` says."""
        asked = question.model_dump(exclude={"again"})
        return events(request, "noughts.web.benching", benching.options(**asked), again=question.again)

    @app.delete(f"{API}/runs/{{name}}", response_model=models.Stopped, responses=NO_RUN, tags=["runs"])
    async def stop(name: Annotated[str, Path(max_length=40)]) -> Response:
        """Stop a long run for all who follow it; its name is in the header `x-run` of its stream."""
        if not desk.cancel(name):
            return Json(dump({"detail": "there is no such run: it may have ended long ago"}), 404)
        return Json(dump({"stopped": name}))


class Refused(ValueError):
    """A long run was refused before it began."""


class Events(Response):
    """What a run tells, as server-sent events, from its first event on."""

    media_type = "text/event-stream"

    def __init__(self, desk: Desk | None = None, run: Run | None = None) -> None:
        super().__init__()
        self.desk, self.run = desk, run
        del self.headers["content-length"]
        if run:
            self.headers["x-run"] = run.name

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events as they come."""
        desk, run, last = self.desk, self.run, ""
        assert desk
        assert run

        async def tell(data: dict[str, Any]) -> None:
            nonlocal last
            name = data.pop("event")
            if not last and name == "problem":
                raise Refused(data["detail"])
            if not last:
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            last = name
            event = b"event: %s\ndata: %s\n\n" % (name.encode(), dump(data))
            await send({"type": "http.response.body", "body": event, "more_body": True})

        try:
            await while_listening(Request(scope, receive), lambda: desk.follow(run, tell))
            if last not in ("summary", "problem"):
                await tell({"event": "problem", "detail": "the run ended without a result"})
        except (Cancelled, Stopping, TookTooLong) as problem:
            await tell({"event": "problem", "detail": str(problem)})
        except Gone:
            if not last:
                return
        except TooMuch:
            if not last:  # else it is too late to refuse
                raise
        await send({"type": "http.response.body", "body": b""})


# The page


def _add_page(app: FastAPI) -> None:
    @app.api_route("/", methods=guide.READ, include_in_schema=False)
    async def page(request: Request) -> Response:
        # The page does what its address says as soon as it is open: a link on another site may not have that done.
        if _means_work(request.query_params) and is_foreign(request.headers):
            return HTMLResponse(ASKS_FIRST.format(escape(request.url.query)))
        return FileResponse(STATIC / "index.html")

    @app.api_route("/docs", methods=guide.READ, include_in_schema=False)
    async def docs() -> FileResponse:
        return FileResponse(STATIC / "docs" / "index.html")

    app.include_router(guide.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")


ASKS_FIRST = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>noughts</title>
<p>A link on another page leads here, and what it asks for is work for this computer.</p>
<p><a href="/?{}">Open it</a></p></html>
"""


def _means_work(query: Mapping[str, str]) -> bool:
    """Does an address of the page ask for more than a game to play, or for one that would be solved and kept?"""

    def is_solved(text: str) -> bool:
        try:
            return ON_THE_SPOT < Game.parse(text.partition(":")[0]).cells <= MAX_CELLS
        except ValueError:
            return False

    return query.get("view", "play") != "play" or "run" in query or any(map(is_solved, query.values()))


# What is refused


def _add_refusals(app: FastAPI) -> None:
    statuses = {RequestValidationError: 422, TookTooLong: 422, TooManyJobs: 429, Stopping: 503, Exception: 500}

    async def refuse(request: Request, problem: Exception) -> Response:
        return Json(dump({"detail": _sentence(problem)}), statuses.get(type(problem), 500))

    for kind in statuses:
        app.add_exception_handler(kind, refuse)

    @app.exception_handler(ValueError)
    async def complaint(request: Request, problem: ValueError) -> Response:
        if type(problem).__module__.partition(".")[0] != "noughts":
            raise problem  # not a complaint about the question, but a fault of ours
        return Json(dump({"detail": str(problem)}), 422)

    @app.exception_handler(HTTPException)
    async def elsewhere(request: Request, problem: HTTPException) -> Response:
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
