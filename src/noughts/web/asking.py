"""How a question is asked over HTTP and answered: read once, here, then by the loop itself or by a worker.

    text -> Game or Position -> a function of the library -> its answer -> JSON

Each route says what its question may cost (`cost`): cheap ones are answered on the spot, the others by a worker
(`jobs`), and only for pages of ours (`guard`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Any

from fastapi import Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError
from starlette.types import Receive, Scope, Send

from noughts import child
from noughts.analysis import analyze
from noughts.rules.game import Game
from noughts.rules.legality import Legality, Reason, check
from noughts.rules.notation import parse_board
from noughts.rules.position import InvalidPosition, Position, Setup
from noughts.rules.rule import RULES
from noughts.web import cost, runs
from noughts.web.guard import TooMuch, require_ours
from noughts.web.jobs import Cancelled, Desk, Gone, Run, Stopping, TookTooLong, while_listening
from noughts.web.pool import dump
from noughts.web.turns import TooManyJobs

API = "/api/v1"
EMPTY = "........."
MAX_SIDE = 32  # rows and columns over HTTP
MAX_TEXT = len("32x32k32:") + len(RULES) + MAX_SIDE * (MAX_SIDE + 1)
MAX_KEYS = 100  # of a question

SafeInteger = Annotated[int, Field(ge=0, le=2**53 - 1)]


def text(most: int, example: str, description: str) -> Any:
    """What is said of a text that a question may hold, of so many characters."""
    return Field(max_length=most, examples=[example], description=description)


GameText = Annotated[
    str, text(20, "3x3k3", "rows, columns and k: 4x5k4; then e for exactly k, g for gravity, m for misere")
]
ABOUT_POSITIONS = "rows from the top; the game in front when it is not 3x3k3, as in 4x4k4:X.../.O../..../...."
PositionText = Annotated[str, text(MAX_TEXT, "XO./.X./..O", ABOUT_POSITIONS)]
MoveText = Annotated[str, text(5, "b2", "column letter and row from the bottom: a1 is bottom left")]
MAX_MOVES = MAX_SIDE * MAX_SIDE * len("af32,")
MovesText = Annotated[str, text(MAX_MOVES, "b2,a1,c3", "moves in their order, with commas between them")]
PlayerText = Annotated[str, text(40, "level-3", "a player's name; alphabeta:4, mcts:2000 with a number")]
Again = Annotated[bool, Field(description="run it anew, even if its result is remembered")]


class QuestionBody(BaseModel):
    """A key that is not known is refused: it may be a misspelt one."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _few(cls, given: Any) -> Any:
        """Thousands of unknown keys are one complaint: it takes long to make one for each."""
        if isinstance(given, dict) and len(given) > MAX_KEYS:
            raise PydanticCustomError("too_many_keys", f"there are {len(given):,} keys: expected at most {MAX_KEYS}")
        return given


# What is asked about


class BoardTooLarge(ValueError):
    """This board is larger than the server takes."""


def read_game(text: str) -> Game:
    """A game from its name, if it is small enough to be served."""
    return small(Game.parse(text))


def read_board(text: str) -> Setup:
    """A board from its text, if it is small enough to be served."""
    board = parse_board(text)
    small(board.game)
    return board


def small(game: Game) -> Game:
    """Refuse a game that is too large to be served."""
    if game.rows > MAX_SIDE or game.columns > MAX_SIDE:
        raise BoardTooLarge(
            f"{game} is too large: over HTTP a board has at most {MAX_SIDE} rows and {MAX_SIDE} columns "
            "(noughts in the shell and in Python takes up to 256)"
        )
    return game


def read_moves(text: str) -> tuple[str, ...]:
    """Moves with commas between them.

    >>> read_moves("c3,b2"), read_moves("")
    (('c3', 'b2'), ())
    """
    return tuple(part for part in text.split(",") if part)


class CannotArise(InvalidPosition):
    """A board that legal play cannot reach, or that is not known to arise."""

    def __init__(self, judged: Legality) -> None:
        super().__init__(f"this board {judged.refusal}", judged.reason)
        self.judged = judged


async def read_position(request: Request, text: str) -> Position:
    """A position from its text, if it is small enough to be served and can arise.

    Where the order of its moves matters, one may have to be looked for: that is a worker's.
    """
    board = read_board(text)
    judged = check(board, work=0)
    if judged.reason is Reason.UNDECIDED:
        judged = await work(request, cost.of_judging(board.game), check, board)
    if not judged.legal:
        raise CannotArise(judged)
    return Position.unchecked(*board)


# How it is answered


class Json(Response):
    """An answer that is JSON already."""

    media_type = "application/json"


def desk_of(request: Request) -> Desk:
    """Where the work of this server is done."""
    desk: Desk = request.app.state.desk
    return desk


def client_of(request: Request) -> str:
    """Who asks, for whose turn it is: the page, by the name that it gives itself until it is closed, or the address."""
    address = request.client.host if request.client else ""
    return f"{address} {request.headers.get('x-page', '')[:40]}"


async def work(request: Request, most: float, job: Callable[..., Any], *args: Any) -> Any:
    """What a function of the library gives that may take so many milliseconds."""
    if most <= cost.QUICK:
        return job(*args)
    require_ours(request.headers)
    desk, who = desk_of(request), client_of(request)
    return await while_listening(request, lambda: desk.run(job, *args, long=most > cost.SHORT, who=who))


async def answer(request: Request, most: float, job: Callable[..., Any], *args: Any) -> Response:
    """What a function of the library answers that may take so many milliseconds, as JSON."""
    return Json(await work(request, most, in_json, job, *args))


def in_json(job: Callable[..., Any], *args: Any) -> bytes:
    """The answer of a function as JSON."""
    return dump(job(*args).to_json())


@lru_cache(maxsize=2_000)
def analysis_at_once(position: Position) -> bytes:
    """The analysis of a position of a small game as JSON: a class of thirty asks for the same few again and again."""
    return in_json(analyze, position)


def events(request: Request, name: str, *args: str, again: bool = False) -> Response:
    """The events of a long run (`runs`), and its answer at the end."""
    require_ours(request.headers)
    desk = desk_of(request)
    return Events(desk, desk.open(*child.module(runs.__name__, name, *args), again=again, who=client_of(request)))


class Refused(ValueError):
    """A long run was refused before it began."""


class Events(Response):
    """What a run tells, as server-sent events, from its first event on."""

    media_type = "text/event-stream"

    def __init__(self, desk: Desk, run: Run) -> None:
        super().__init__(headers={"x-run": run.name})
        self.desk, self.run = desk, run
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events as they come."""
        last = ""

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
            await while_listening(Request(scope, receive), lambda: self.desk.follow(self.run, tell))
            if last not in ("summary", "problem"):
                await tell({"event": "problem", "detail": "the run ended without a result"})
        except (Cancelled, Stopping, TookTooLong) as problem:
            await tell({"event": "problem", "detail": str(problem)})
        except Gone:
            if not last:
                return
        except (TooMuch, TooManyJobs):
            if not last:  # else it is too late to refuse
                raise
        await send({"type": "http.response.body", "body": b""})


# How it is refused


class Problem(BaseModel):
    """One sentence that says what is wrong and what was expected."""

    detail: str


Responses = dict[int | str, dict[str, Any]]
PROBLEMS = {
    403: "A page of another site asks for something that costs",
    404: "There is no such run",
    413: "The body is too large",
    422: "The question cannot be answered: `detail` says why",
    429: "Too many wait already: `Retry-After` says in how many seconds to ask again",
}


def problems(*more: int) -> Responses:
    """How a question is refused: as every one may be, and with these statuses."""
    return {status: {"model": Problem, "description": PROBLEMS[status]} for status in (403, 422, 429, *more)}


REFUSED, REFUSED_BODY, NO_RUN = problems(), problems(413), problems(404)
AN_EVENT = {
    "type": "object",
    "properties": {
        "event": {"enum": ["waiting", "progress", "summary", "problem"]},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
    "required": ["event", "data"],
}
EVENTS: Responses = {
    200: {
        "description": "events: waiting, with its place, until it begins; progress; and at the end summary (the keys "
        "of the command's --json) or problem",
        "content": {"text/event-stream": {"schema": AN_EVENT}},
    },
    **{
        status: {
            "description": said["description"],
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status, said in REFUSED.items()
    },
}
