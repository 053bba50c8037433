"""Requests to a real server in a process of its own; every question comes from its OpenAPI document, and a few more
from beside it: the page of a framed board, GamesCrafters' provider, QR codes. A class follows one page there.

An input is the bytes of a request, by schemathesis: what the document allows, what it does not, and what it allows with
words that noughts knows in place of every text; or one of those, mutated.

Laws: whoever sends a whole request gets an answer in time, if its body is one that the server reads to the end, and
nobody ever gets a fault (5xx); a refusal is JSON with one sentence in `detail`; a question that takes a body refuses
one above the limit, and every question a board above it; a page of another site starts no run; open files and processes
return to where they were, and memory no longer grows after the first third of the run.
"""

from __future__ import annotations

import contextlib
import dataclasses
import http.client
import json
import random
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import h11
from fuzzing import ODD, mutated, seeds
from laws import Broken, footprint, require
from serving import serving
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT

from noughts.rules.game import Game
from noughts.rules.notation import parse_board
from noughts.web.asking import MAX_SIDE
from noughts.web.guard import MAX_BODY
from noughts.web.routes.play import MAX_MATCH
from noughts.web.server import Parser

LIMIT = 1.5  # seconds that the server gives a job here
PATIENCE = LIMIT + 15  # seconds for an answer: a busy machine may take some to start a process
BRIEFLY = 0.3  # seconds for the answer to a broken request, if there is one
RUNS = 2  # at once; one more is remembered
SETTLE = 60  # seconds within which the server must be as it was
STREAM = 0.5  # seconds of silence after which a stream is left
EVERY = 50  # requests between two looks at the server's memory
GROWTH = 16 << 20  # bytes by which it may grow after the first third of the run: a leak of 2 KB a request is more
WORDS = [*ODD, b"%00", b"../", b"\r\nContent-Length: 7", b"\r\nTransfer-Encoding: chunked", b"\r\nHost: x",
         b"\r\nExpect: 100-continue"]  # fmt: skip
KNOWN = {name: words for name, *words in (line.decode().split() for line in seeds("http"))}  # of a parameter
TEXTS = ["1x33k5:" + "." * 33, "/".join(["."] * 33), "x" * 2000, *chain(*KNOWN.values())]
MORE = {  # what the document does not tell of: a method, an address, and the names in it, of a POST those in its body
    "GET /embed": "game position moves against", "GET /api/v1/qr": "link", "GET /": "lead game", "GET /guide/": "q",
    "GET /uwapi/noughts/{variant}/start/": "variant", "GET /uwapi/{name}/{variant}/positions/": "name variant p",
    "GET /api/v1/class/board": "word", "POST /api/v1/class/board": "key shown", "GET /api/v1/class": "X-Lead",
}  # fmt: skip
place: tuple[str, int] = ("", 0)
schemas: list[Any] = []  # of the document, as it is and with words that noughts knows
questions: list[dict[str, Any]] = []
cases: list[bytes] = []
memory: list[int] = []  # of the server, from time to time
before = after = (0, 0, 0)
slowest, asked_so_far = 0.0, 0
server: subprocess.Popen[str]
Asked = tuple[str, str, bytes, bool]  # a whole request: method, target, body, and is it sent by a page of another site?


@contextlib.contextmanager
def around() -> Iterator[None]:
    """The server, which has loaded whatever is loaded once, and is afterwards as it was."""
    global server, place, before
    with serving(str(Path(__file__).resolve())) as (server, place, said):
        try:
            KNOWN["link"].append("http://{}:{}/".format(*place))
            understand(json.loads(answer_to(request("GET", "/api/v1/openapi.json"))[2]))
            for question in questions:
                answer_to(requests_for(question, random.Random(0), schemas[1])[0])
            for seed in range(RUNS + 1):  # it has remembered as many of the longest runs as it ever does
                answer_to(request("GET", f"/api/v1/match?a=random&n={MAX_MATCH}&seed={seed}"))
                time.sleep(LIMIT)
            before = footprint(server.pid)
            memory[:] = [before[0]]
            yield
            settle()
        finally:
            sys.stderr.write("".join(said))  # for the log, which is kept where something was found


def understand(document: dict[str, Any]) -> None:
    """The questions of a document, and of what it does not tell of."""
    import schemathesis

    for line, names in MORE.items():
        (method, path), text = line.lower().split(), {"type": "string"}
        told: dict[str, Any] = {"parameters": [], "responses": {"200": {"description": ""}}}
        if method == "post":
            fields = {"type": "object", "required": names.split(), "properties": dict.fromkeys(names.split(), text)}
            told["requestBody"] = {"required": True, "content": {"application/json": {"schema": fields}}}
        for name in names.split() if method == "get" else []:
            where = "path" if "{" + name + "}" in path else "header" if "-" in name else "query"
            told["parameters"].append({"name": name, "in": where, "required": where == "path", "schema": text})
        document["paths"].setdefault(path, {})[method] = told
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            parameters, body = told.setdefault("parameters", []), told.get("requestBody")
            question = {"path": path, "method": method.upper(), "parameters": [*parameters], "body": body}
            questions.append(question | {"told": f"{method.upper()} {path}" not in MORE})
            sites = {"enum": ["cross-site", "same-site", "same-origin", "none"]}
            parameters.append({"name": "Sec-Fetch-Site", "in": "header", "schema": sites})
    schemas[:] = map(schemathesis.openapi.from_dict, (document, with_words(document)))


def with_words(thing: Any, name: str = "") -> Any:
    """The document with words that noughts knows in place of every text."""
    if isinstance(thing, list):
        return [with_words(each, name) for each in thing]
    if not isinstance(thing, dict):
        return thing
    if thing.get("type") == "string" and "enum" not in thing:
        return {"enum": [*KNOWN.get(name, TEXTS), *thing.get("examples", []), "x"]}
    own = thing.get("name")
    return {key: with_words(part, own if isinstance(own, str) else key) for key, part in thing.items()}


def figures() -> str:
    """How the server looks."""
    first, then = (third := _third()) - before[0], after[0] - third
    return (
        f"{len(questions)} questions; the slowest answer to a whole one {slowest:.1f} s; the server grew by "
        f"{first / 2**20:.0f} MB in the first third and {then / 2**20:.0f} MB after it, by "
        f"{after[1] - before[1]} files, {after[2] - before[2]} processes"
    )


def settle() -> None:
    """Wait until the server is as it was; Broken if it never is."""
    global after
    end = time.monotonic() + SETTLE
    while True:
        after = footprint(server.pid)
        if not (after[0] - _third() > GROWTH or after[1] > before[1] + 8 or after[2] > before[2] + 2):
            return
        files = sorted(str(file.readlink()) for file in Path(f"/proc/{server.pid}/fd").iterdir())
        says = f"the server had (bytes, files, processes) {before}, {_third()} bytes in the first third of the run"
        require(time.monotonic() < end, f"{says}, and now {after}: {files}")
        time.sleep(0.5)


def _third() -> int:
    """The most memory that it had in the first third of the run: what it remembers comes and goes."""
    return max(memory[: len(memory) // 3 + 1])


# Inputs


def made(rng: random.Random) -> bytes:
    """The bytes of a request."""
    kind, question = rng.random(), rng.choice(questions)
    if kind < 0.02:
        body = b'{"position": "%b"}' % (b"." * (rng.choice((200_000, MAX_BODY, MAX_BODY + 1, 3_000_000)) - 16))
        return request(question["method"], question["path"], {}, body)
    if not cases:
        cases.extend(requests_for(question, rng, rng.choice(schemas)))
    data = cases.pop()
    return data if kind < 0.7 else mutated(rng, data, cases or [data], WORDS)


def requests_for(question: dict[str, Any], rng: random.Random, schema: Any) -> list[bytes]:
    """Requests by schemathesis, for one question: with words that noughts knows only what is allowed."""
    import requests
    from hypothesis import HealthCheck, Phase, given, seed, settings
    from hypothesis.errors import HypothesisException
    from schemathesis import GenerationMode

    mode = GenerationMode.POSITIVE if schema is schemas[1] else rng.choice(list(GenerationMode))
    found = [request(question["method"], question["path"])]

    @seed(rng.randrange(2**32))
    @settings(
        max_examples=20, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    @given(schema[question["path"]][question["method"]].as_strategy(generation_mode=mode))
    def collect(case: Any) -> None:
        with contextlib.suppress(ValueError, requests.exceptions.RequestException):
            ready = requests.Request(**case.as_transport_kwargs(base_url="http://noughts")).prepare()
            url, body = urlsplit(str(ready.url)), ready.body or b""
            leave = ("content-length", "connection")
            headers = {name: text for name, text in ready.headers.items() if name.lower() not in leave}
            path = url.path + (f"?{url.query}" if url.query else "")
            found.append(request(str(ready.method), path, headers, body.encode() if isinstance(body, str) else body))

    with warnings.catch_warnings(), contextlib.suppress(HypothesisException):
        warnings.simplefilter("ignore")
        collect()
    return found[::-1]


def request(method: str, path: str, headers: dict[str, Any] | None = None, body: Any = None) -> bytes:
    """The bytes of a request; the host is put in when it is sent."""
    lines = [f"{method} {path} HTTP/1.1", "Host: noughts", "Connection: close"]
    lines += [f"{name}: {text}" for name, text in (headers or {}).items()]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode("utf-8", "replace") + b"\r\n\r\n" + (body or b"")


# Laws


def law(data: bytes) -> str:
    """Send a request."""
    global slowest, asked_so_far
    asked, began = read(data), time.monotonic()
    status, kind, body = answer_to(data)
    asked_so_far += 1
    if asked:
        slowest = max(slowest, time.monotonic() - began)
    if asked_so_far % EVERY == 0:
        memory.append(footprint(server.pid)[0])
    require(server.poll() is None, f"the server ended after {data[:2000]!r}")
    try:
        require(status < 500, "a fault")
        if asked:
            judge(asked, status, kind, body)
    except Broken as problem:
        raise Broken(f"{problem}: {status} {body[:500]!r} to {data[:2000]!r}") from None
    return f"{'whole' if asked else 'broken'} with {status}"


def judge(asked: Asked, status: int, kind: str, body: bytes) -> None:
    """What must hold of the answer to a whole request."""
    method, target, sent, foreign = asked
    path, _, query = target.partition("?")
    taken = [each for each in questions if (each["path"], each["method"]) == (unquote(path), method)]
    takes = bool(taken) and taken[0]["body"] is not None
    large = len(sent) > MAX_BODY
    unread = len(sent) > (MAX_BODY if takes else HIGH_WATER_LIMIT)  # a reset may overtake the answer
    require(status or unread, "closed without an answer")
    require(not foreign or kind != "text/event-stream", "a run for a page of another site")
    require(status != 413 or large, "refused as too large")
    if takes and large:
        require(status in (0, 413, 421), f"a body of {len(sent):,} bytes was taken")
    if taken and taken[0]["told"] and status == 200:
        names = [parameter["name"] for parameter in taken[0]["parameters"]]
        said = {name: text for name, text in parse_qsl(query, keep_blank_values=True) if name in names}
        require(side(json.loads(sent) if takes else said) <= MAX_SIDE, "too large a board")
    for_people = kind == "text/html" and not f"{unquote(path)}/".startswith("/api/")
    if status >= 400 and not (status == 404 and for_people):
        require(kind == "application/json", "a refusal that is not JSON")
        detail = "." if method == "HEAD" else None
        with contextlib.suppress(ValueError, KeyError, TypeError):
            detail = json.loads(body)["detail"]
        require(isinstance(detail, str) and len(detail.splitlines()) == 1, "a refusal that is not one sentence")


def answer_to(data: bytes) -> tuple[int, str, bytes]:
    """Status, type and body of the answer, status 0 for none; Broken if the request is whole and none came in time."""
    asked = read(data)
    with socket.create_connection(place, timeout=PATIENCE) as connection:
        with contextlib.suppress(OSError):  # refused before its end: there may be an answer all the same
            connection.sendall(data.replace(b"Host: noughts", "Host: {}:{}".format(*place).encode(), 1))
        connection.settimeout(PATIENCE if asked else BRIEFLY)
        answer = http.client.HTTPResponse(connection, method=asked and asked[0])
        try:
            answer.begin()
            kind = (answer.headers.get("content-type") or "").partition(";")[0]
            return answer.status, kind, _some(answer, connection) if "event" in kind else answer.read()
        except TimeoutError:
            require(not asked, f"no answer within {PATIENCE:g} s to {data[:2000]!r}")
        except (OSError, http.client.HTTPException):
            pass
    return 0, "", b""


def _some(answer: http.client.HTTPResponse, connection: socket.socket) -> bytes:
    """A stream, until it ends or pauses: no job is long."""
    found = bytearray()
    connection.settimeout(STREAM)
    with contextlib.suppress(OSError, http.client.HTTPException):
        for some in iter(lambda: answer.read1(65536), b""):
            found += some
    require(b"this is a fault in noughts" not in found, f"a fault in a stream: {found[-1000:]!r}")
    return bytes(found)


def read(data: bytes) -> Asked | None:
    """The request that the server's parser finds in these bytes, in whatever pieces they come; None: no whole one."""
    parser, head, body = Parser(h11.SERVER), None, b""
    with contextlib.suppress(h11.RemoteProtocolError):
        for start in range(0, len(data), 1024):
            parser.receive_data(data[start : start + 1024])
            while (event := parser.next_event()) not in (h11.NEED_DATA, h11.PAUSED):
                if isinstance(event, h11.Request):
                    head = event
                elif isinstance(event, h11.Data):
                    body += event.data
                elif head:
                    foreign = dict(head.headers).get(b"sec-fetch-site") in (b"cross-site", b"same-site")
                    return head.method.decode(), head.target.decode(), body, foreign
    return None


def side(said: dict[str, Any]) -> int:
    """The longer side of the board that a question names, 0 if none: its game counts where it has no position."""
    text, game = said.get("position"), said.get("game")
    with contextlib.suppress(ValueError):
        if text is not None:
            game = str(parse_board(text).game)
        if game is not None:
            return max((found := Game.parse(game)).rows, found.columns)
    return 0


def serve() -> None:
    """The server, with little time for each job, a class and a provider."""
    from noughts.web.app import create_app
    from noughts.web.jobs import Desk
    from noughts.web.lesson import Lesson
    from noughts.web.server import HOST, Server, address_of, bind, configure

    limits = {each.name: LIMIT for each in dataclasses.fields(Desk) if each.name.endswith("seconds")}
    desk = Desk(workers=2, waiting=4, runs=RUNS, remembered=1, **limits)  # type: ignore[arg-type]
    with bind(HOST, 0) as listening:
        print(address_of(listening, HOST), file=sys.stderr, flush=True)
        app = create_app(desk=desk, uwapi=True, lesson=Lesson("word", "key"))
        Server(configure(app), desk).run(sockets=[listening])


if __name__ == "__main__":
    serve()
