"""Requests to a real server in a process of its own; every question comes from its OpenAPI document, and a few more
from beside it: the page of a framed board, GamesCrafters' provider, QR codes. A class follows one page there.

An input is the bytes of a request. They are made by schemathesis (what the document allows, and what it does not), from
the document's own examples and enumerations, and by mutating either.

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
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlsplit

import h11
from fuzzing import mutated, seeds
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
STREAM = 0.5  # seconds for which a stream is followed
EVERY = 50  # requests between two looks at the server's memory
GROWTH = 16 << 20  # bytes by which it may grow after the first third of the run: a leak of 2 KB a request is more
WORDS_ = (
    b'%00|%ff|&|=|3x3k3|33x1k1|-1|null|{|"|\r\n|\0|1e999|../| |\r\nContent-Length: 7|\r\nTransfer-Encoding: chunked'
)
WORDS = [*WORDS_.split(b"|"), b"\r\nHost: x", b"Expect: 100-continue", b"9" * 30, b"[" * 500]
TEXTS = ["1x33k5:" + "." * 33, "/".join(["."] * 33), "x" * 2000]
TEXTS += [word.decode() for line in seeds("http") for word in line.split()] + [
    seed.decode() for seed in seeds("notation")
]
TEXT = {"schema": {"type": "string"}}
MORE = {  # what the document does not tell of: an address, and the names in it
    "/embed": "game position moves against", "/uwapi/noughts/{variant}/start/": "", "/api/v1/qr": "link",
    "/": "lead game", "/uwapi/{name}/{variant}/positions/": "p", "/guide/": "q",
}  # fmt: skip
LEAD = {"key": "key", "word": "word"}  # of the class
place: tuple[str, int] = ("", 0)
document: dict[str, Any] = {}
questions: list[dict[str, Any]] = []
cases: list[bytes] = []
memory: list[int] = []  # of the server, from time to time
before = after = (0, 0, 0)
slowest, asked_so_far = 0.0, 0
server: subprocess.Popen[str]


class Asked(NamedTuple):
    """A whole request."""

    method: str
    target: str
    body: bytes
    foreign: bool = False  # does a browser say that a page of another site asks?


class Answer(NamedTuple):
    """What came back; status 0 where the connection was closed without an answer."""

    status: int
    kind: str = ""
    body: bytes = b""


@contextlib.contextmanager
def around() -> Iterator[None]:
    """The server, which has loaded whatever is loaded once, and is afterwards as it was."""
    global server, place, before
    with serving(str(Path(__file__).resolve())) as (server, place, said):
        try:
            document.update(json.loads(answer_to(request("GET", "/api/v1/openapi.json")).body))
            questions[:] = _questions()
            for question in questions:
                answer_to(informed(random.Random(0), question))
            for seed in range(RUNS + 1):  # it has remembered as many of the longest runs as it ever does
                answer_to(request("GET", f"/api/v1/match?a=random&n={MAX_MATCH}&seed={seed}"))
                time.sleep(LIMIT)
            before = footprint(server.pid)
            memory[:] = [before[0]]
            yield
            settle()
        finally:
            sys.stderr.write("".join(said))  # for the log, which is kept where something was found


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
    if kind < 0.35:
        if not cases:
            cases.extend(_from_document(rng))
        return cases.pop()
    data = informed(rng, question)
    if kind < 0.7:
        return data
    if kind < 0.72:
        body = b'{"position": "%b"}' % (b"." * (rng.choice((200_000, MAX_BODY, MAX_BODY + 1, 3_000_000)) - 16))
        return request(question["method"], question["path"], {}, body)
    return mutated(rng, data, cases or [data], WORDS)


def _from_document(rng: random.Random) -> list[bytes]:
    """Requests by schemathesis, for one question."""
    import requests
    import schemathesis
    from hypothesis import HealthCheck, Phase, given, seed, settings
    from hypothesis.errors import HypothesisException

    question = rng.choice([question for question in questions if question["told"]])
    mode = rng.choice(list(schemathesis.GenerationMode))
    operation = schemathesis.openapi.from_dict(document)[question["path"]][question["method"]]
    found = []

    @seed(rng.randrange(2**32))
    @settings(
        max_examples=20, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    @given(operation.as_strategy(generation_mode=mode))
    def collect(case: Any) -> None:
        with contextlib.suppress(ValueError, requests.exceptions.RequestException):
            ready = requests.Request(**case.as_transport_kwargs(base_url="http://noughts")).prepare()
            url = urlsplit(str(ready.url))
            body = ready.body.encode() if isinstance(ready.body, str) else ready.body or b""
            assert isinstance(body, bytes)
            leave = ("content-length", "connection")
            headers = {name: text for name, text in ready.headers.items() if name.lower() not in leave}
            path = url.path + (f"?{url.query}" if url.query else "")
            found.append(request(str(ready.method), path, headers, body))

    with warnings.catch_warnings(), contextlib.suppress(HypothesisException):
        warnings.simplefilter("ignore")
        collect()
    return found or [informed(rng, question)]


def informed(rng: random.Random, question: dict[str, Any]) -> bytes:
    """A request of which most parts make sense."""
    path, query, body = question["path"], [], None
    for parameter in question["parameters"]:
        name = parameter["name"]
        value = LEAD.get(name) if rng.random() < 0.5 else None
        value = _value(rng, parameter.get("schema", {})) if value is None else value
        if parameter["in"] == "path":
            path = path.replace("{" + name + "}", quote(str(value), safe=""))
        elif parameter.get("required") or rng.random() < 0.6:
            query.append(f"{name}={quote(str(value), safe='')}")
    headers = {}
    if question["body"] is not None:
        value = _value(rng, question["body"])
        if isinstance(value, dict) and "key" in value and rng.random() < 0.5:
            value["key"] = LEAD["key"]
        body, headers = json.dumps(value).encode(), {"content-type": "application/json"}
    if rng.random() < 0.1:
        headers["Sec-Fetch-Site"] = rng.choice(["cross-site", "same-site", "same-origin", "none"])
    return request(question["method"], path + ("?" + "&".join(query) if query else ""), headers, body)


def _value(rng: random.Random, schema: dict[str, Any], depth: int = 0) -> Any:
    """Something for a schema: an example, a value that it allows, or what noughts knows of."""
    if "$ref" in schema:
        found: Any = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return _value(rng, found, depth)
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return _value(rng, rng.choice(schema[several]), depth)
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if "examples" in schema and rng.random() < 0.4:
        return rng.choice(schema["examples"])
    kind = schema.get("type")
    if kind == "object" and depth < 4:
        needed, parts = schema.get("required", []), schema.get("properties", {}).items()
        return {name: _value(rng, part, depth + 1) for name, part in parts if name in needed or rng.random() < 0.5}
    if kind == "array":
        return [_value(rng, schema.get("items", {}), depth + 1) for _ in range(rng.choice((0, 1, 3, 9, 40)))]
    if kind in ("integer", "number"):
        low, high = schema.get("minimum", 0), schema.get("maximum", 10**6)
        return rng.choice([low, high, schema.get("default", low), low - 1, high + 1, 1, 2, 10])
    if kind == "boolean":
        return rng.choice([True, False])
    return None if kind == "null" else rng.choice(TEXTS)


def request(method: str, path: str, headers: dict[str, Any] | None = None, body: bytes | None = None) -> bytes:
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
    answer = answer_to(data)
    asked_so_far += 1
    if asked:
        slowest = max(slowest, time.monotonic() - began)
    if asked_so_far % EVERY == 0:
        memory.append(footprint(server.pid)[0])
    require(server.poll() is None, f"the server ended after {data[:2000]!r}")
    try:
        require(answer.status < 500, "a fault")
        if asked:
            judge(asked, answer)
    except Broken as problem:
        raise Broken(f"{problem}: {answer.status} {answer.body[:500]!r} to {data[:2000]!r}") from None
    return f"whole with {answer.status}" if asked else f"broken with {answer.status}"


def judge(asked: Asked, answer: Answer) -> None:
    """What must hold of the answer to a whole request."""
    path, _, query = asked.target.partition("?")
    taken = [each for each in questions if (each["path"], each["method"]) == (unquote(path), asked.method)]
    takes = bool(taken) and taken[0]["body"] is not None
    large = len(asked.body) > MAX_BODY
    unread = len(asked.body) > (MAX_BODY if takes else HIGH_WATER_LIMIT)  # a reset may overtake the answer
    require(answer.status or unread, "closed without an answer")
    require(not asked.foreign or answer.kind != "text/event-stream", "a run for a page of another site")
    require(answer.status != 413 or large, "refused as too large")
    if takes and large:
        require(answer.status in (0, 413, 421), f"a body of {len(asked.body):,} bytes was taken")
    if taken and taken[0]["told"] and answer.status == 200:
        names = [parameter["name"] for parameter in taken[0]["parameters"]]
        said = {name: text for name, text in parse_qsl(query, keep_blank_values=True) if name in names}
        require(side(json.loads(asked.body) if takes else said) <= MAX_SIDE, "too large a board")
    for_people = answer.kind == "text/html" and not f"{unquote(path)}/".startswith("/api/")
    if answer.status >= 400 and not (answer.status == 404 and for_people):
        require(answer.kind == "application/json", "a refusal that is not JSON")
        detail = "." if asked.method == "HEAD" else None
        with contextlib.suppress(ValueError, KeyError, TypeError):
            detail = json.loads(answer.body)["detail"]
        require(isinstance(detail, str) and len(detail.splitlines()) == 1, "a refusal that is not one sentence")


def answer_to(data: bytes) -> Answer:
    """The answer to these bytes; Broken if they are a whole request and there is none in time."""
    asked = read(data)
    with socket.create_connection(place, timeout=PATIENCE) as connection:
        with contextlib.suppress(OSError):  # refused before its end: there may be an answer all the same
            connection.sendall(data.replace(b"Host: noughts", "Host: {}:{}".format(*place).encode(), 1))
        connection.settimeout(PATIENCE if asked else BRIEFLY)
        answer = http.client.HTTPResponse(connection, method=asked and asked.method)
        try:
            answer.begin()
            kind = (answer.headers.get("content-type") or "").partition(";")[0]
            return Answer(answer.status, kind, _some(answer, connection) if "event" in kind else answer.read())
        except TimeoutError:
            require(not asked, f"no answer within {PATIENCE:g} s to {data[:2000]!r}")
        except (OSError, http.client.HTTPException):
            pass
    return Answer(0)


def _some(answer: http.client.HTTPResponse, connection: socket.socket) -> bytes:
    """The beginning of a stream."""
    end, found = time.monotonic() + STREAM, b""
    with contextlib.suppress(OSError, http.client.HTTPException):
        while (left := end - time.monotonic()) > 0:
            connection.settimeout(max(0.01, left))
            if not (some := answer.read1(65536)):
                break
            found += some
    require(b"this is a fault in noughts" not in found, f"a fault in a stream: {found[-1000:]!r}")
    return found


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
                    return Asked(head.method.decode(), head.target.decode(), body, foreign)
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


def _questions() -> Iterator[dict[str, Any]]:
    for path, methods in document["paths"].items():
        for method, question in methods.items():
            content = question.get("requestBody", {}).get("content", {}).get("application/json", {})
            parameters = question.get("parameters", [])
            yield {
                "path": path,
                "method": method.upper(),
                "parameters": parameters,
                "body": content.get("schema"),
                "told": 1,
            }
    for path, names in MORE.items():
        inside = [{"name": word.strip("{}"), "in": "path", **TEXT} for word in path.split("/") if word[:1] == "{"]
        asked = [{"name": name, "in": "query", **TEXT} for name in names.split()]
        yield {"path": path, "method": "GET", "parameters": inside + asked, "body": None, "told": 0}


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
        app = create_app(desk=desk, uwapi=True, lesson=Lesson(LEAD["word"], LEAD["key"]))
        Server(configure(app), desk).run(sockets=[listening])


if __name__ == "__main__":
    serve()
