"""GamesCrafters' UWAPI: noughts as one of the data providers whose games their page shows, with exact values.

    GET /noughts/3x3k3/start/                           the empty board
    GET /noughts/3x3k3/positions/?p=1_X--O-----         a position, its value, and every move with the position after it

The variant is any game of noughts. A position is written as their AutoGUI draws it: who moves (1 for X, 2 for O), then
a character for each cell from the top left. `describe` makes the answer; `routes` are for any ASGI server, and
`noughts serve --uwapi` has them at /uwapi.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from noughts.proofs import Verdict, judge
from noughts.rules.game import Cell, Game
from noughts.rules.marks import Mark
from noughts.rules.notation import board_rows, format_move, parse_board
from noughts.rules.position import InvalidPosition, Position, Setup
from noughts.rules.value import FLIPPED
from noughts.words import brief

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

GAME = "noughts"
MAX_SIDE = 32  # rows and columns
UNKNOWN = -100  # their remoteness of what ends some time, nobody knows when
VALUES = ("win", "tie", "lose", "unsolved")  # from best to worst, as they sort moves
THEIRS = {"win": "win", "tie": "tie", "loss": "lose", "unknown": "unsolved"}

Job = Callable[[Game, str], dict[str, Any]]
Work = Callable[["Request", Job, Game, str], Awaitable[dict[str, Any]]]


class NotServed(ValueError):
    """What is asked for is not there; `what` is what their server calls invalid: Game, Variant or Position."""

    def __init__(self, what: str, detail: str) -> None:
        super().__init__(what, detail)
        self.what = what
        self.detail = detail


# Their notation


def format_position(position: Position) -> str:
    """A position as AutoGUI draws it.

    >>> format_position(Position.parse("X../.O./..."))
    '1_X---O----'
    """
    mover = "1" if position.turn is Mark.X else "2"
    return f"{mover}_{''.join(board_rows(position)).replace('.', '-')}"


def read_variant(text: str) -> Game:
    """The game of a variant's name, if it is small enough to be served."""
    try:
        game = Game.parse(text)
    except ValueError as problem:
        raise NotServed("Variant", str(problem)) from None
    if max(game.rows, game.columns) > MAX_SIDE:
        raise NotServed("Variant", f"{game} is too large: expected at most {MAX_SIDE} rows and columns")
    return game


def read_position(game: Game, text: str) -> Position:
    """A position in their notation or in ours; NotServed if it is none, or cannot arise.

    >>> str(read_position(Game(), "1_X---O----"))
    'X../.O./...'
    """
    try:
        setup = _read(game, text)
        position = Position(*setup)
    except ValueError as problem:
        raise NotServed("Position", str(problem)) from None
    mover = text[:1]
    if text[1:2] == "_" and mover != format_position(position)[0]:
        raise NotServed("Position", f"{brief(text)} says that player {mover} is to move, and it is the other's turn")
    return position


def _read(game: Game, text: str) -> Setup:
    if text[1:2] != "_":
        setup = parse_board(text if ":" in text or game == Game() else f"{game}:{text}")
        if setup.game != game:
            raise InvalidPosition(f"{brief(text)} is a position of {setup.game}, not of {game}")
        return setup
    marks = text[2:]
    if text[0] not in "12" or len(marks) != game.cells or set(marks) - set("XO-"):
        raise InvalidPosition(
            f"{brief(text)} is not a position of {game}: expected 1_ or 2_ and {game.cells} of X, O and -"
        )
    x, o = (sum(1 << cell for cell, found in enumerate(marks) if found == mark) for mark in "XO")
    return Setup(game, x, o)


# Their answers


def start(game: Game) -> dict[str, str]:
    """The empty board."""
    position = format_position(game.start())
    return {"position": position, "autoguiPosition": position}


def describe(game: Game, text: str) -> dict[str, Any]:
    """A position with its value, and every move, the best first.

    >>> answer = describe(Game(), "1_XX-OO----")
    >>> answer["positionValue"], answer["remoteness"], answer["moves"][0]["move"], answer["moves"][0]["autoguiMove"]
    ('win', 1, 'c3', 'A_X_2_x')
    """
    position = read_position(game, text)
    judged = judge(position)
    moves = [_move(position, cell, verdict) for cell, verdict in judged.moves.items()]
    for value in VALUES:
        _add_deltas([move for move in moves if move["moveValue"] == value], value)
    moves.sort(key=lambda move: (VALUES.index(move["moveValue"]), move["deltaRemoteness"]))
    return _drawn(position) | _worth(judged.verdict.outcome, judged.verdict.remoteness) | {"moves": moves}


def _move(position: Position, cell: Cell, verdict: Verdict) -> dict[str, Any]:
    """A move, the position after it, and what that is worth to the other, who is then to move."""
    outcome = verdict.outcome
    after = outcome if outcome == "unknown" else FLIPPED[outcome]
    return {
        "move": format_move(position.game, cell),
        "autoguiMove": f"A_{position.turn}_{cell}_x",
        "moveValue": THEIRS[outcome],
        **_drawn(position.play(cell)),
        **_worth(after, None if verdict.remoteness is None else verdict.remoteness - 1),
    }


def _drawn(position: Position) -> dict[str, Any]:
    text = format_position(position)
    return {"position": text, "autoguiPosition": text}


def _worth(outcome: str, remoteness: int | None) -> dict[str, Any]:
    return {"positionValue": THEIRS[outcome], "remoteness": UNKNOWN if remoteness is None else remoteness}


def _add_deltas(moves: list[dict[str, Any]], value: str) -> None:
    """How much further than the best of the moves of one value each is from the end: a loss is better later."""
    known = [move["remoteness"] for move in moves if move["remoteness"] != UNKNOWN]
    last = max(known, default=0) + 1  # whatever is unknown comes after all that is known
    plies = [last if move["remoteness"] == UNKNOWN else move["remoteness"] for move in moves]
    for move, number in zip(moves, plies, strict=True):
        delta = max(plies) - number if value == "lose" else number - min(plies)
        move["deltaRemoteness"] = 0 if value == "unsolved" else delta


# Over HTTP


def routes(work: Work) -> list[Route]:
    """The routes of a data provider; `work` does what may take a while."""
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    def asked(request: Request) -> Game:
        if request.path_params["game"] != GAME:
            raise NotServed("Game", f"there is no game {brief(request.path_params['game'])}: expected {GAME}")
        return read_variant(request.path_params["variant"])

    def answering(answer: Callable[[Request], Awaitable[Any]]) -> Callable[[Request], Awaitable[Response]]:
        async def respond(request: Request) -> Response:
            try:
                return JSONResponse(await answer(request))
            except NotServed as problem:  # their server asks for an error status, and shows the sentence of its own
                return JSONResponse({"error": f"Invalid {problem.what}", "detail": problem.detail}, 404)

        return respond

    async def begin(request: Request) -> Any:
        return start(asked(request))

    async def position(request: Request) -> Any:
        game = asked(request)
        return await work(request, describe, game, request.query_params.get("p", ""))

    made = [
        Route("/{game}/{variant}/start/", answering(begin)),
        Route("/{game}/{variant}/positions/", answering(position)),
    ]
    for route in made:
        route.methods = {"GET"}  # it would take HEAD as well, and do all the work for nothing
    return made


def application() -> Starlette:
    """The data provider alone, as an ASGI application: uvicorn --factory noughts.bridges.uwapi:application."""
    from anyio import to_thread
    from starlette.applications import Starlette

    async def work(request: Request, job: Job, game: Game, text: str) -> dict[str, Any]:
        return await to_thread.run_sync(job, game, text)

    return Starlette(routes=routes(work))
