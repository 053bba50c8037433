"""No question holds up the event loop: what the loop does for each is counted, and what costs more goes to a worker.

Counted are the lines of Python that the loop runs for a request, from the first to the last byte, and a tenth of the
bytes of an answer that is made there. Counts do not depend on the machine; MOST of them take a slow one about 20 ms.
"""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

import pytest

pytest.importorskip("fastapi", reason="the web tests need the extra: pip install noughts[web]")
pytest.importorskip("uvicorn", reason="the web tests need the extra: pip install noughts[web]")

import anyio
import h11
from loop import in_a_loop
from starlette.exceptions import HTTPException

from noughts import Game, Position
from noughts.detect import DETECTORS
from noughts.play import PLAYERS
from noughts.rules.notation import format_move
from noughts.solve import at_hand
from noughts.solve.plain import _Solver
from noughts.web import app, cost, server
from noughts.web.app import create_app
from noughts.web.asking import API, analysis_at_once
from noughts.web.guard import HEADERS, MAX_BODY, require_json
from noughts.web.jobs import Desk, Run

MOST = 100_000


class Asked:
    """What came of a request: how much the loop did, whether the rest went elsewhere, and the status."""

    lines = 0
    worker: str | None = None
    status = 0
    body = b""

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}

    @property
    def count(self) -> int:
        return self.lines + (0 if self.worker else len(self.body) // 10)


class Elsewhere(Desk):
    """Notes what would go to a worker or start a run, and answers at once."""

    asked: Asked

    async def run(self, job: Callable[..., Any], *args: Any, long: bool = True, who: str = "") -> bytes:
        self.asked.worker = "long" if long else "short"
        return b"{}"

    def open(self, *command: str, again: bool = False, who: str = "") -> Run:
        self.asked.worker = "run"
        run = Run(command)
        run.tell(b'{"event": "summary"}')
        run.end()
        return run


@contextmanager
def counted(asked: Asked) -> Iterator[None]:
    """Count the lines that this thread runs; far above MOST, stop counting to come to an end."""

    def watch(frame: Any, event: str, arg: Any) -> Any:
        if event == "line":
            asked.lines += 1
            if asked.lines > 3 * MOST:
                sys.settrace(None)
                return None
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        yield
    finally:
        sys.settrace(before)


DESK = Elsewhere()
APP = create_app(desk=DESK)


async def request(
    method: str,
    path: str,
    body: bytes = b"",
    headers: dict[str, str] | None = None,
    *,
    of: Any = APP,
    without: str = "",
) -> Asked:
    asked = DESK.asked = Asked()
    target, _, query = path.partition("?")
    said = {"host": "127.0.0.1", "content-type": "application/json", **(headers or {})}
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
        "path": target, "raw_path": target.encode(), "root_path": "", "query_string": query.encode(),
        "headers": [(name.encode(), text.encode()) for name, text in said.items() if name != without],
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80),
    }  # fmt: skip
    pieces = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Any:
        if pieces:
            return pieces.pop()
        return await anyio.sleep_forever()

    async def send(message: Any) -> None:
        asked.status = message.get("status", asked.status)
        asked.headers |= {name.decode(): text.decode() for name, text in message.get("headers", ())}
        asked.body += message.get("body", b"")

    with counted(asked):
        await of(scope, receive, send)
    return asked


def ask(method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Asked:
    """What a request comes to, with nothing known of its game beforehand."""
    for game in GAMES:
        at_hand.forget(game)
    _Solver.of.cache_clear()
    analysis_at_once.cache_clear()
    sent = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else b""
    work: Callable[..., Awaitable[Asked]] = request
    found: Asked = in_a_loop(work, method, path, sent, headers)
    return found


@pytest.fixture(scope="module", autouse=True)
def _awake() -> None:
    """What is made once, when the server starts or is first asked, is made."""
    for path in ("analyze?position=.........", "search?position=XOXOXO...", "players", "games", "atlas?limit=1"):
        ask("GET", f"{API}/{path}")
    ask("POST", f"{API}/review", {"moves": ["a1"]})


# The questions, from small to the largest, and the worst of each size

SMALL = [
    Game(rows, columns, k, misere)
    for rows, columns in ((1, 1), (2, 2), (1, 6), (2, 3), (2, 4), (1, 9), (9, 1), (3, 3))
    for k in sorted({1, 2, 3, max(rows, columns)} & set(range(1, max(rows, columns) + 1)))
    for misere in (False, True)
]
LARGER = [
    Game.parse(name)
    for name in (
        "2x5k3", "3x4k3m", "4x4k4", "4x5k4", "5x5k4", "6x6k4", "4x9k4", "8x8k5", "15x15k5", "1x32k2", "32x1k3",
        "32x32k1", "32x32k2", "32x32k3m", "32x32k5", "32x32k17", "32x32k32",
    )
]  # fmt: skip
GAMES = [*SMALL, *LARGER]
# Always asked about: the smallest and the largest, both sides of every border, and what took longest of its size.
OFTEN = {
    "1x1k1", "2x2k2", "1x6k6", "2x3k2m", "1x9k2", "9x1k9", "2x4k3m", "3x3k1", "3x3k2m", "3x3k3", "3x3k3m",
    "2x5k3", "4x4k4", "5x5k4", "6x6k4", "15x15k5", "32x32k2", "32x32k3m", "32x32k5", "32x32k32",
}  # fmt: skip


def quick(games: list[Game], often: set[str]) -> list[Any]:
    """Parameters of a test; the games that are not asked about so often are marked."""
    return [game if str(game) in often else pytest.param(game, marks=pytest.mark.slow) for game in games]


def played(game: Game, marks: int, seed: int = 1) -> tuple[str, list[str]]:
    """A position after so many random moves, if the game lasts so long, and the moves."""
    position, rng, moves = game.start(), Random(seed), []
    while not position.is_over and position.marks < marks:
        moves.append(format_move(game, rng.choice(position.moves())))
        position = position.play(moves[-1])
    return str(position), moves


def filled(game: Game, pattern: Callable[[int, int], str]) -> str:
    """Any board, whether it can arise or not."""
    rows = ("".join(pattern(row, column) for column in range(game.columns)) for row in range(game.rows))
    return f"{game}:{'/'.join(rows)}"


def boards(game: Game) -> list[str]:
    """Empty, in the middle, nearly full; and boards that make reading and judging them hard."""
    blocks = [["O", "X"], ["X", "O"]]
    return [
        str(game.start()),
        played(game, game.cells // 2)[0],
        played(game, game.cells)[0],
        filled(game, lambda row, column: blocks[row % 4 // 2][column % 2]),
        filled(game, lambda row, column: blocks[row % 4 // 2][column % 2] if (row, column) >= (0, 8) else "."),
        filled(game, lambda row, column: "X" if column < (game.columns + 1) // 2 else "O"),
        filled(game, lambda row, column: "X" if (row + column) % 2 == 0 else "."),
        filled(game, lambda row, column: "X" if row == 0 or column == 0 or row == column else "O"),
        filled(game, lambda row, column: "X"),
        filled(game, lambda row, column: "X.O"[column % 3] if row else "x"),
        filled(game, lambda row, column: "?"),
        f"{game}:",
    ]


def about_positions(game: Game) -> Iterator[tuple[str, str, Any]]:
    for position in boards(game):
        said = urlencode({"position": position})
        for question in (
            "analyze",
            "legality",
            "proof",
            "prove",
            "engine",
            "course",
            "detectors",
            "search/compare",
            "search?depth=1",
            "search?keep=2000",
        ):
            yield "GET", f"{API}/{question}{'&' if '?' in question else '?'}{said}", None
        yield "GET", f"{API}/search?{said}&depth=1&keep=2000&symmetry=true&table=true&order=best-known", None
        yield "GET", f"{API}/search/compare?{said}&depth=2&symmetry=true&table=true&order=best-known", None
        yield "GET", f"{API}/detect?{said}", None
        yield "POST", f"{API}/move", {"position": position, "move": "a1"}
        for player in ("perfect", "level-4", "level-5"):
            yield "POST", f"{API}/move", {"position": position, "player": player}
        yield "GET", f"{API}/side?{said}", None
        yield "POST", f"{API}/review", {"position": position, "moves": ["a1", "b1"]}
        yield "POST", f"{API}/review", {"position": position, "moves": ["a1", "b1"], "values": False}


def about_games(game: Game) -> Iterator[tuple[str, str, Any]]:
    _, moves = played(game, game.cells)
    yield "POST", f"{API}/review", {"game": str(game), "moves": moves, "you": "X"}
    yield "POST", f"{API}/review", {"game": str(game), "moves": moves, "values": False}
    yield "POST", f"{API}/review", {"game": str(game), "moves": ["a1"] * 1024}
    many = urlencode({"position": str(game.start()), "moves": ",".join(moves)})
    for name in DETECTORS:
        yield "GET", f"{API}/detect?{many}&detector={name}", None
    yield "GET", f"{API}/detectors?{many}", None
    for question in ("players", "labelling", "solve", "prospect", "match", "opening"):
        yield "GET", f"{API}/{question}?game={game}", None


OTHERS: list[tuple[str, str, Any]] = [
    *(("GET", f"{API}/{question}", None) for question in ("games", "exhibits", "papers", "papers?source=no", "bench")),
    *(("GET", f"{API}/{question}", None) for question in ("queue", "class", "puzzle", "puzzle/attempt", "proven")),
    *(("GET", f"{API}/against?{asked}", None) for asked in ("game=7x7k5&moves=d4,e4", "game=9x9k5", "moves=zz1")),
    ("POST", f"{API}/games/read", {"text": "3x3k3: b2 a1"}),
    ("POST", f"{API}/games/write", {"format": "sgf", "moves": []}),
    ("POST", f"{API}/figure", {"title": "Moves", "head": ["move", "value"], "rows": [["b2", 1]], "kind": "bars"}),
    *(("GET", f"{API}/atlas?limit={limit}", None) for limit in (1, 100, 500, 501, 1000)),
    ("GET", f"{API}/bench?" + urlencode({"detector": ["a,b"] * 40, "scenario": ["x" * 400] * 20}, True), None),
    *(("GET", f"{API}/bench?" + "&".join(f"{each}=1" for each in range(parts)), None) for parts in (99, 5_000)),
    ("DELETE", f"{API}/runs/" + "x" * 40, None),
    ("GET", f"{API}/openapi.json", None),
    ("GET", "/docs", None),
    ("GET", "/", None),
    ("GET", "/guide/", None),
    ("GET", "/static/main.js", None),
    ("GET", "/nothing", None),
    ("GET", f"{API}/analyze?position=" + "X/" * 30_000, None),
    ("GET", f"{API}/analyze?position=1x1066k1:" + "X" * 1050, None),
]  # fmt: skip
BODIES = [
    json.dumps({"moves": [1] * (MAX_BODY // 3 - 10)}).encode(),
    json.dumps({"moves": ["a1"] * (MAX_BODY // 6 - 10)}).encode(),
    json.dumps({"moves": [], **{f"{number}": 1 for number in range(MAX_BODY // 12)}}).encode(),
    b"[" * MAX_BODY,
    b'{"a":' * (MAX_BODY // 5),
    b'{"moves": ["' + b"\\ud83d\\ude00" * (MAX_BODY // 12 - 10) + b'"]}',
    b"9" * MAX_BODY,
]


def within(method: str, path: str, asked: Asked) -> str:
    assert asked.count <= MOST, f"{method} {path[:120]}: {asked.count:,} on the loop ({asked.status}, {asked.worker})"
    assert asked.status, path
    return asked.worker or "loop"


@pytest.mark.parametrize("game", quick(GAMES, OFTEN), ids=str)
def test_no_question_about_a_board_holds_up_the_loop(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    made = at_hand._make_once

    def make(asked: Game) -> Any:
        assert asked.cells <= cost.SMALL, f"{asked} is solved where everybody waits for it"
        return made(asked)

    monkeypatch.setattr(at_hand, "_make_once", make)
    for method, path, body in (*about_positions(game), *about_games(game)):
        within(method, path, ask(method, path, body))


@pytest.mark.parametrize(("method", "path", "body"), OTHERS, ids=lambda part: str(part)[:60])
def test_nor_does_any_other(method: str, path: str, body: Any) -> None:
    within(method, path, ask(method, path, body))


@pytest.mark.parametrize("path", ["move", "review"])
@pytest.mark.parametrize("body", BODIES, ids=lambda body: repr(body[:16]))
def test_nor_does_the_largest_body(path: str, body: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    complaints: list[Any] = []  # they are made by native code, where no line is counted
    said = app._sentence
    monkeypatch.setattr(app, "_sentence", lambda problem: complaints.extend(problem.errors()) or said(problem))
    assert len(body) <= MAX_BODY
    asked = ask("POST", f"{API}/{path}", body)
    within("POST", path, asked)
    assert asked.status == 422
    assert len(complaints) <= 2
    assert len(json.loads(asked.body)["detail"]) < 1000


def test_what_is_asked_often_is_among_the_games() -> None:
    assert {str(game) for game in GAMES} > OFTEN


def test_every_route_is_asked() -> None:
    paths = [path for _, path, _ in (*about_positions(Game()), *about_games(Game()), *OTHERS)]
    described = [f"{path}" for path in APP.openapi()["paths"]]
    assert len(described) > 15
    for route in (*described, "/", "/docs", "/guide/", "/static/", f"{API}/openapi.json"):
        assert any(path.partition("?")[0].startswith(route.partition("{")[0]) for path in paths), route


def test_the_count_sees_what_takes_long() -> None:
    asked = Asked()
    with counted(asked):
        sum(number for number in range(2 * MOST))
    assert asked.count > MOST


# Who answers


LARGEST = Game.parse("32x32k5").start()


@pytest.mark.parametrize(
    ("path", "who"),
    [
        ("analyze?position=.........", "loop"),
        ("analyze?position=XO./.X./..O", "loop"),
        (f"legality?position={LARGEST}", "loop"),
        ("search?position=XOX/O.X/.O.", "loop"),
        ("search?position=.........", "long"),
        ("search?position=XOX/O../...&depth=9", "short"),
        (f"search?position={LARGEST}&depth=1&keep=2000&symmetry=true&table=true&order=best-known", "long"),
        (f"search/compare?position={LARGEST}&depth=1", "long"),
        ("search?position=8x8k5:" + "/".join(["." * 8] * 8) + "&depth=1", "short"),
        ("detectors?position=6x6k4:" + "/".join(["......"] * 6), "short"),
        ("detectors?position=8x8k3:" + "/".join(["." * 8] * 8), "long"),
        (f"detectors?position={LARGEST}", "short"),
        ("detect?position=8x8k3:" + "/".join(["." * 8] * 8), "long"),
        ("labelling?game=4x4k4", "short"),
        ("labelling?game=8x8k3", "long"),
        ("prospect?game=5x5k4", "short"),
        ("analyze?position=15x15k5:" + "/".join(["." * 15] * 15), "short"),
        (f"analyze?position={LARGEST}", "short"),
        ("analyze?position=4x4k4:XOXO/XOXO/OXOX/....", "long"),
        ("players?game=4x4k4", "long"),
        ("players?game=15x15k5", "short"),
        ("atlas?limit=1000", "short"),
        ("atlas?limit=10", "loop"),
        ("solve?game=3x3k3", "run"),
    ],
)
@pytest.mark.skipif(cost.SMALL < 9, reason="without the native core fewer questions are quick")
def test_who_answers_is_decided_by_cost(path: str, who: str) -> None:
    assert within("GET", path, ask("GET", f"{API}/{path}")) == who


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ({"move": "a1"}, "loop"),
        ({"player": "level-4"}, "loop"),
        ({"player": "perfect"}, "loop"),
        ({"player": "minimax"}, "short"),
        ({"player": "mcts:9000000"}, "long"),
    ],
)
@pytest.mark.skipif(cost.SMALL < 9, reason="without the native core fewer questions are quick")
def test_a_player_who_searches_does_so_elsewhere(question: dict[str, str], who: str) -> None:
    assert within("POST", "move", ask("POST", f"{API}/move", {"position": ".........", **question})) == who


def test_every_player_who_answers_at_sight_is_one() -> None:
    assert set(PLAYERS) >= cost.AT_SIGHT


def test_a_search_costs_more_the_more_there_is_to_do() -> None:
    costs = [cost.of_search(Position.parse("XOX/O.X/.O."), None), cost.of_search(Game().start(), 2)]
    costs += [cost.of_search(LARGEST, 1), cost.of_search(LARGEST, 2)]
    assert costs == sorted(costs)


@pytest.mark.parametrize("of", [cost.of_watching, cost.of_prospect, cost.of_board])
def test_what_a_larger_board_takes_is_more(of: Callable[[Game], float]) -> None:
    costs = [of(Game(rows, columns, 3)) for rows, columns in ((3, 3), (3, 4), (4, 4), (4, 5))]
    assert costs == sorted(set(costs))


# Who may ask


FOREIGN = [
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},  # another port of this machine, say
    {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"},
    {"sec-fetch-site": "", "host": "127.0.0.1:80"},
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://127.0.0.1:3000", "host": "127.0.0.1:8765"},
    {"origin": "http://[", "host": "127.0.0.1:8765"},
    {"referer": "http://evil.example/page"},
    {"referer": "http://127.0.0.1.evil.example/"},
    # A page that hides where it is, in a browser that says nothing of it: an image, a frame, a link, a fetch that
    # cannot be read. It cannot hide that it is a browser, whatever it accepts.
    *(
        {"user-agent": agent, "accept": accept, "origin": ""}
        for agent in (
            "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/15.6 Safari/605.1.15",
        )
        for accept in ("image/avif,image/webp,*/*", "text/html,application/xhtml+xml", "*/*", "text/event-stream")
    ),
]
LAN = {"host": "192.168.1.5:8765", "user-agent": "Mozilla/5.0 (X11; Linux x86_64)", "accept": "text/event-stream"}
OURS: list[dict[str, str]] = [
    {},
    {"sec-fetch-site": "same-origin"},
    {"sec-fetch-site": "none", "sec-fetch-mode": "navigate"},
    {"sec-fetch-site": "same-origin", "origin": "https://a.proxy.example"},
    {"origin": "http://127.0.0.1:8765", "host": "127.0.0.1:8765"},
    {"origin": "http://[::1]:8765", "host": "[::1]:8765"},
    {"referer": "http://localhost:8765/?view=search", "host": "localhost:8765"},
    {"user-agent": "curl/8.5.0", "accept": "*/*"},
    {"user-agent": "python-httpx/0.28.1"},
    {"user-agent": "Mozilla/5.0 (X11; Linux x86_64)", "sec-fetch-site": "same-origin", "accept": "text/event-stream"},
    {"user-agent": "Mozilla/5.0", "referer": "http://127.0.0.1:8765/?view=solve", "host": "127.0.0.1:8765"},
]
COSTLY = "analyze?position=4x4k4:X.../.O../..../....", "detectors", "search?position=.........", "prospect", "solve"


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
@pytest.mark.parametrize("path", COSTLY)
def test_what_costs_is_refused_to_pages_of_other_sites(path: str, headers: dict[str, str]) -> None:
    asked = ask("GET", f"{API}/{path}", None, headers)
    assert (asked.status, asked.worker) == (403, None)
    assert "other sites" in json.loads(asked.body)["detail"]


WORK = ["view=solve&solve=4x5k4&run=1", "game=4x5k4", "view=analyse&game=3x3k3", 'view=search&x="><script>']


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_link_on_another_site_has_no_work_done_before_somebody_says_so(headers: dict[str, str]) -> None:
    for query in WORK:
        asked = ask("GET", f"/?{quote(query, safe='=&')}", None, headers)
        assert asked.status == 200
        assert (b"Open it" in asked.body, b"<script" in asked.body) == (True, False), query
    for query in ("", "?view=play", "?game=15x15k5", "?game=junk"):
        assert b"Open it" not in ask("GET", f"/{query}", None, headers).body


def test_who_has_been_here_opens_an_address_again_where_a_browser_does_not_say_who_led_there() -> None:
    """A tablet that loads the page again without https; a link on another site does not send the cookie."""
    hidden = {"user-agent": "Mozilla/5.0 (a tablet)", "host": "127.0.0.1:8765"}
    cookie = ask("GET", "/", None, hidden).headers["set-cookie"]
    assert cookie == "been-here=1; HttpOnly; Path=/; SameSite=strict"
    again = {**hidden, "cookie": "been-here=1"}
    for query in WORK[:3]:
        assert b"Open it" in ask("GET", f"/?{query}", None, hidden).body
        assert b"Open it" not in ask("GET", f"/?{query}", None, again).body
        for headers in FOREIGN[:-3]:
            assert b"Open it" in ask("GET", f"/?{query}", None, {**again, **headers}).body, headers
    assert ask("GET", f"{API}/{COSTLY[0]}", None, again).status == 403  # a question is no address


@pytest.mark.parametrize("headers", OURS, ids=str)
def test_our_own_addresses_open_as_they_are(headers: dict[str, str]) -> None:
    for query in WORK[:3]:
        assert b"Open it" not in ask("GET", f"/?{query}", None, headers).body


@pytest.mark.parametrize("headers", OURS, ids=str)
@pytest.mark.parametrize("path", COSTLY)
def test_what_costs_is_answered_to_our_page_and_to_programs(path: str, headers: dict[str, str]) -> None:
    asked = ask("GET", f"{API}/{path}", None, headers)
    assert asked.status == 200
    assert asked.worker


@pytest.mark.parametrize("game", quick([Game(), Game.parse("4x4k4"), Game.parse("6x6k4")], {"4x4k4"}), ids=str)
def test_no_question_of_another_site_costs_anything(game: Game) -> None:
    refused = 0
    for method, path, body in (*about_positions(game), *about_games(game), *OTHERS):
        ours, theirs = ask(method, path, body), ask(method, path, body, FOREIGN[0])
        assert theirs.worker is None, path
        assert theirs.status == (403 if ours.worker else ours.status), path
        refused += theirs.status == 403
    assert refused > 30


def test_who_asks_from_another_machine_is_told_by_its_referer() -> None:
    everywhere = create_app(("*",), DESK)
    for headers, status in (
        ({**LAN, "referer": "http://192.168.1.5:8765/?view=solve"}, 200),
        (LAN, 403),
        ({**LAN, "referer": "http://192.168.1.5:9999/"}, 403),
        ({"host": "192.168.1.5:8765", "user-agent": "curl/8.5.0"}, 200),
    ):
        for path in ("solve", "match", "papers", "bench", "players?game=4x5k4"):
            asked = in_a_loop(partial(request, of=everywhere), "GET", f"{API}/{path}", b"", headers)
            assert (asked.status, bool(asked.worker)) == (status, status == 200), (path, headers)


def test_our_page_is_named_to_us_and_to_nobody_else() -> None:
    assert HEADERS["referrer-policy"] == "same-origin"


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "GET"])
def test_a_method_that_a_question_does_not_have_begins_nothing(method: str) -> None:
    refused = 0
    for theirs, path, body in (*about_games(Game.parse("4x4k4")), *list(about_positions(Game.parse("4x4k4")))[:14]):
        both = path == f"{API}/review"  # the answer, or the way to it as events
        if method != theirs and not (both and method in ("GET", "POST")):
            asked = ask(method, path, body)
            assert (asked.status, asked.worker) == (405, None), path
            refused += 1
    assert refused


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "json"])
@pytest.mark.parametrize("question", ["move", "review"])
def test_a_body_that_a_form_could_send_begins_nothing(question: str, kind: str) -> None:
    body = {"position": "4x4k4:X.../.O../..../....", "player": "perfect"} if question == "move" else {"moves": ["a1"]}
    asked = ask("POST", f"{API}/{question}", body, {"content-type": kind})
    assert (asked.status, asked.worker) == (422, None)
    none = in_a_loop(partial(request, without="content-type"), "POST", f"{API}/{question}", json.dumps(body).encode())
    assert (none.status, none.worker) == (422, None)
    with pytest.raises(HTTPException):  # whatever the framework makes of it
        require_json({"content-type": kind} if kind else {})


def test_json_may_say_more_of_itself() -> None:
    for kind in ("application/json", "Application/JSON; charset=utf-8", "application/problem+json"):
        require_json({"content-type": kind})


def test_no_preflight_is_granted() -> None:
    asks = {"origin": "https://evil.example", "access-control-request-method": "DELETE"}
    asked = ask("OPTIONS", f"{API}/runs/x", None, asks)
    assert asked.status == 405


# What comes before a question


def heads(lines: int) -> list[bytes]:
    """Requests with so many headers: one alone, one after another request, one with bare line ends."""
    first = b"GET /api/v1/games HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    head = first + b"Connection: close\r\n" + b"a: b\r\n" * (lines - 2) + b"\r\n"
    return [head, first + b"\r\n" + head, head.replace(b"\r\n", b"\n")]


@pytest.mark.parametrize("kind", range(3), ids=["alone", "second", "bare"])
@pytest.mark.parametrize("piece", [10**6, 1000], ids=["at once", "in pieces"])
@pytest.mark.parametrize("lines", [server.MAX_HEADERS, server.MAX_HEADERS + 1, 5_000])
def test_only_a_head_of_few_lines_is_read(lines: int, piece: int, kind: int) -> None:
    said, data, read = b"", heads(lines)[kind], lines <= server.MAX_HEADERS
    with server.in_background() as address, socket.socket() as connection:
        connection.settimeout(60)
        connection.connect(("127.0.0.1", int(address.rstrip("/").rpartition(":")[2])))
        with suppress(ConnectionError):  # closed before the end
            for start in range(0, len(data), piece):
                connection.sendall(data[start : start + piece])
            while some := connection.recv(65536):
                said += some
    if lines < 1_000:  # of a longer one a reset may overtake the answers
        assert said.count(b"HTTP/1.1 400") == (not read)
        assert said.count(b"HTTP/1.1 200") == (kind == 1) + read
    assert said.count(b"HTTP/1.1 200") <= (kind == 1) + read


def test_a_head_of_many_lines_does_not_hold_up_the_loop() -> None:
    asked, parser = Asked(), server.Parser(h11.SERVER)
    with counted(asked), suppress(h11.RemoteProtocolError):
        parser.receive_data(heads(40_000)[0])
        parser.next_event()
    assert asked.lines < MOST // 10
