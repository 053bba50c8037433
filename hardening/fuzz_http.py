"""Requests to a real server in a process of its own; every question comes from its OpenAPI document.

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
import sys
import time
import warnings
from collections import Counter
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
PATIENCE = LIMIT + 5  # seconds for an answer: a busy machine may take some to start a process
BRIEFLY = 0.3  # seconds for the answer to a broken request, if there is one
RUNS = 2  # at once; one more is remembered
SETTLE = 60  # seconds within which the server must be as it was
STREAM = 0.5  # seconds for which a stream is followed
EVERY = 50  # requests between two looks at the server's memory
GROWTH = 16 << 20  # bytes by which it may grow after the first third of the run: a leak of 2 KB a request is more

WORDS = [
    b"%00", b"%ff", b"&", b"=", b"3x3k3", b"33x1k1", b"9" * 30, b"-1", b"null", b"{", b"[" * 500, b'"', b"\r\n", b"\0",
    b"1e999", b"../", b" ", b"\r\nContent-Length: 7", b"\r\nTransfer-Encoding: chunked", b"\r\nHost: x",
    b"Expect: 100-continue",
]  # fmt: skip
TEXTS = [
    "3x3k3", "4x4k4", "5x5k4", "15x15k5", "32x32k5", "33x1k1", "3x33k3", "1x33k5:" + "." * 33, "/".join(["."] * 33),
    "level-3", "random", "perfect", "mcts:50", "b2", "minimax", "alphabeta", "prajoda", "shifts", "x" * 2000,
]  # fmt: skip


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


class Target:
    """Requests."""

    name = "http"

    def __init__(self) -> None:
        self.answers: dict[bool, Counter[int]] = {True: Counter(), False: Counter()}  # to whole and to broken requests
        self.slowest = 0.0
        self.cases: list[bytes] = []

    def __enter__(self) -> Target:
        with contextlib.ExitStack() as stack:
            self.server, self.place, self.said = stack.enter_context(serving(str(Path(__file__).resolve())))
            self.document = json.loads(self.answer_to(self.request("GET", "/api/v1/openapi.json")).body)
            self.questions = list(_questions(self.document))
            self.texts = [seed.decode() for seed in seeds("notation")] + TEXTS
            for question in self.questions:  # so that what is loaded once is loaded
                self.answer_to(self.informed(random.Random(0), question))
            for seed in range(RUNS + 1):  # and so that it has remembered as many of the longest runs as it ever does
                self.answer_to(self.request("GET", f"/api/v1/match?a=random&n={MAX_MATCH}&seed={seed}"))
                time.sleep(LIMIT)
            self.before = footprint(self.server.pid)
            self.memory = [self.before[0]]
            self.stack = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with self.stack:
            if kind is None:
                self.settle()
        sys.stderr.write("".join(self.said))  # for the log, which is kept where something was found

    def figures(self) -> str:
        """What was answered, and how the server looks."""
        answers = "; ".join(
            f"to {'whole' if whole else 'broken'} requests "
            + ", ".join(f"{count:,} times {status or 'closed'}" for status, count in sorted(counts.items()))
            for whole, counts in self.answers.items()
        )
        memory, files, processes = self.after
        first, then = (third := self._third()) - self.before[0], memory - third
        return (
            f" ({len(self.questions)} questions; {answers}; the slowest answer to a whole one {self.slowest:.1f} s; "
            f"the server grew by {first / 2**20:.0f} MB in the first third and {then / 2**20:.0f} MB after it, by "
            f"{files - self.before[1]} files, {processes - self.before[2]} processes)"
        )

    # The server

    def settle(self) -> None:
        """Wait until the server is as it was; Broken if it never is."""
        end = time.monotonic() + SETTLE
        while True:
            self.after = memory, opened, processes = footprint(self.server.pid)
            grown = memory - self._third() > GROWTH, opened > self.before[1] + 8, processes > self.before[2] + 2
            if not any(grown):
                return
            if time.monotonic() > end:
                folder = Path(f"/proc/{self.server.pid}/fd")
                files = sorted(str(file.readlink()) for file in folder.iterdir())
                raise Broken(
                    f"the server had (bytes, files, processes) {self.before}, {self._third()} bytes in the first third "
                    f"of the run, and now {self.after}: {files}"
                )
            time.sleep(0.5)

    def _third(self) -> int:
        """The most memory that it had in the first third of the run: what it remembers comes and goes."""
        return max(self.memory[: len(self.memory) // 3 + 1])

    # Inputs

    def input(self, rng: random.Random) -> bytes:
        """The bytes of a request."""
        kind = rng.random()
        if kind < 0.35:
            if not self.cases:
                self.cases = self._from_document(rng)
            return self.cases.pop()
        data = self.informed(rng, rng.choice(self.questions))
        if kind < 0.7:
            return data
        if kind < 0.72:
            body = b'{"position": "%b"}' % (b"." * (rng.choice((200_000, MAX_BODY, MAX_BODY + 1, 3_000_000)) - 16))
            question = rng.choice(self.questions)
            return self.request(question["method"].upper(), question["path"], {}, body)
        return mutated(rng, data, self.cases or [data], WORDS)

    def _from_document(self, rng: random.Random) -> list[bytes]:
        """Requests by schemathesis, for one question."""
        import requests
        import schemathesis
        from hypothesis import HealthCheck, Phase, given, seed, settings
        from hypothesis.errors import HypothesisException

        question = rng.choice(self.questions)
        mode = rng.choice(list(schemathesis.GenerationMode))
        operation = schemathesis.openapi.from_dict(self.document)[question["path"]][question["method"].upper()]
        found = []

        @seed(rng.randrange(2**32))
        @settings(
            max_examples=20, database=None, deadline=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(operation.as_strategy(generation_mode=mode))
        def collect(case: Any) -> None:
            with contextlib.suppress(ValueError, requests.exceptions.RequestException):
                made = requests.Request(**case.as_transport_kwargs(base_url="http://noughts")).prepare()
                url = urlsplit(str(made.url))
                path = url.path + (f"?{url.query}" if url.query else "")
                body = made.body.encode() if isinstance(made.body, str) else made.body or b""
                assert isinstance(body, bytes)
                headers = {name: text for name, text in made.headers.items() if name.lower() != "content-length"}
                headers.pop("Connection", None)
                found.append(self.request(str(made.method), path, headers, body))

        with warnings.catch_warnings(), contextlib.suppress(HypothesisException):
            warnings.simplefilter("ignore")
            collect()
        return found or [self.informed(rng, question)]

    def informed(self, rng: random.Random, question: dict[str, Any]) -> bytes:
        """A request of which most parts make sense."""
        path, query, body = question["path"], [], None
        for parameter in question["parameters"]:
            value = self._value(rng, parameter.get("schema", {}))
            if parameter["in"] == "path":
                path = path.replace("{" + parameter["name"] + "}", quote(str(value), safe=""))
            elif parameter.get("required") or rng.random() < 0.6:
                query.append(f"{parameter['name']}={quote(str(value), safe='')}")
        if question["body"] is not None:
            body = json.dumps(self._value(rng, question["body"])).encode()
        headers = {"content-type": "application/json"} if body is not None else {}
        if rng.random() < 0.1:
            headers["Sec-Fetch-Site"] = rng.choice(["cross-site", "same-site", "same-origin", "none"])
        return self.request(question["method"].upper(), path + ("?" + "&".join(query) if query else ""), headers, body)

    def _value(self, rng: random.Random, schema: dict[str, Any], depth: int = 0) -> Any:
        """Something for a schema: an example, a value that it allows, or what noughts knows of."""
        if "$ref" in schema:
            return self._value(rng, _resolve(self.document, schema["$ref"]), depth)
        for several in ("anyOf", "oneOf", "allOf"):
            if several in schema:
                return self._value(rng, rng.choice(schema[several]), depth)
        if "enum" in schema:
            return rng.choice(schema["enum"])
        if "examples" in schema and rng.random() < 0.4:
            return rng.choice(schema["examples"])
        kind = schema.get("type")
        if kind == "object" and depth < 4:
            needed = schema.get("required", [])
            parts = schema.get("properties", {}).items()
            return {
                name: self._value(rng, part, depth + 1) for name, part in parts if name in needed or rng.random() < 0.5
            }
        if kind == "array":
            return [self._value(rng, schema.get("items", {}), depth + 1) for _ in range(rng.choice((0, 1, 3, 9, 40)))]
        if kind in ("integer", "number"):
            low, high = schema.get("minimum", 0), schema.get("maximum", 10**6)
            return rng.choice([low, high, schema.get("default", low), low - 1, high + 1, 1, 2, 10])
        if kind == "boolean":
            return rng.choice([True, False])
        return None if kind == "null" else rng.choice(self.texts)

    def request(
        self, method: str, path: str, headers: dict[str, Any] | None = None, body: bytes | None = None
    ) -> bytes:
        """The bytes of a request; the host is put in when it is sent."""
        lines = [f"{method} {path} HTTP/1.1", "Host: noughts", "Connection: close"]
        lines += [f"{name}: {text}" for name, text in (headers or {}).items()]
        if body is not None:
            lines.append(f"Content-Length: {len(body)}")
        return "\r\n".join(lines).encode("utf-8", "replace") + b"\r\n\r\n" + (body or b"")

    # Laws

    def run(self, data: bytes) -> None:
        """Send a request."""
        asked, began = read(data), time.monotonic()
        answer = self.answer_to(data)
        if asked:
            self.slowest = max(self.slowest, time.monotonic() - began)
        self.answers[asked is not None][answer.status] += 1
        if sum(each.total() for each in self.answers.values()) % EVERY == 0:
            self.memory.append(footprint(self.server.pid)[0])
        require(self.server.poll() is None, f"the server ended after {data[:2000]!r}")
        try:
            require(answer.status < 500, "a fault")
            if asked:
                self.judge(asked, answer)
        except Broken as problem:
            raise Broken(f"{problem}: {answer.status} {answer.body[:500]!r} to {data[:2000]!r}") from None

    def judge(self, asked: Asked, answer: Answer) -> None:
        """What must hold of the answer to a whole request."""
        path, _, query = asked.target.partition("?")
        taken = [
            question for question in self.questions
            if (question["path"], question["method"].upper()) == (unquote(path), asked.method)
        ]  # fmt: skip
        takes = bool(taken) and taken[0]["body"] is not None
        large = len(asked.body) > MAX_BODY
        unread = len(asked.body) > (MAX_BODY if takes else HIGH_WATER_LIMIT)  # a reset may overtake the answer
        require(answer.status or unread, "closed without an answer")
        require(not asked.foreign or answer.kind != "text/event-stream", "a run for a page of another site")
        require(answer.status != 413 or large, "refused as too large")
        if takes and large:
            require(answer.status in (0, 413, 421), f"a body of {len(asked.body):,} bytes was taken")
        if taken and answer.status == 200:
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

    def answer_to(self, data: bytes) -> Answer:
        """The answer to these bytes; Broken if they are a whole request and there is none in time."""
        asked = read(data)
        host = "Host: {}:{}".format(*self.place).encode()
        with socket.create_connection(self.place, timeout=PATIENCE) as connection:
            with contextlib.suppress(OSError):  # refused before its end: there may be an answer all the same
                connection.sendall(data.replace(b"Host: noughts", host, 1))
            connection.settimeout(PATIENCE if asked else BRIEFLY)
            answer = http.client.HTTPResponse(connection, method=asked and asked.method)
            try:
                answer.begin()
                kind = (answer.headers.get("content-type") or "").partition(";")[0]
                body = _some(answer, connection) if kind == "text/event-stream" else answer.read()
                return Answer(answer.status, kind, body)
            except TimeoutError:
                require(not asked, f"no answer within {PATIENCE:g} s to {data[:2000]!r}")
            except (OSError, http.client.HTTPException):
                pass
        return Answer(0)


def _some(answer: http.client.HTTPResponse, connection: socket.socket) -> bytes:
    """The beginning of a stream."""
    end, read = time.monotonic() + STREAM, b""
    while time.monotonic() < end:
        connection.settimeout(max(0.01, end - time.monotonic()))
        try:
            some = answer.read1(65536)
        except (OSError, http.client.HTTPException):
            break
        if not some:
            break
        read += some
    require(b"this is a fault in noughts" not in read, f"a fault in a stream: {read[-1000:]!r}")
    return read


def read(data: bytes) -> Asked | None:
    """The request that the server's parser finds in these bytes, in whatever pieces they come; None: no whole one."""
    parser, request, body = Parser(h11.SERVER), None, b""
    with contextlib.suppress(h11.RemoteProtocolError):
        for start in range(0, len(data), 1024):
            parser.receive_data(data[start : start + 1024])
            while (event := parser.next_event()) not in (h11.NEED_DATA, h11.PAUSED):
                if isinstance(event, h11.Request):
                    request = event
                elif isinstance(event, h11.Data):
                    body += event.data
                elif request:
                    site = dict(request.headers).get(b"sec-fetch-site", b"none")
                    return Asked(
                        request.method.decode(), request.target.decode(), body, site in (b"cross-site", b"same-site")
                    )
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


def _questions(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path, methods in document["paths"].items():
        for method, question in methods.items():
            content = question.get("requestBody", {}).get("content", {}).get("application/json", {})
            yield {
                "path": path,
                "method": method,
                "parameters": question.get("parameters", []),
                "body": content.get("schema"),
            }


def _resolve(document: dict[str, Any], reference: str) -> Any:
    found: Any = document
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    return found


def serve() -> None:
    """The server, with little time for each job."""
    from noughts.web.app import create_app
    from noughts.web.jobs import Desk
    from noughts.web.server import HOST, Server, address_of, bind, configure

    limits = {each.name: LIMIT for each in dataclasses.fields(Desk) if each.name.endswith("seconds")}
    desk = Desk(workers=2, waiting=4, runs=RUNS, remembered=1, **limits)  # type: ignore[arg-type]
    with bind(HOST, 0) as listening:
        print(address_of(listening, HOST), file=sys.stderr, flush=True)
        Server(configure(create_app(desk=desk)), desk).run(sockets=[listening])


if __name__ == "__main__":
    serve()
