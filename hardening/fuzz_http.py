"""Requests to a real server in a process of its own; every question comes from its OpenAPI document.

An input is the bytes of a request. They are made by schemathesis (what the document allows, and what it does not), from
the document's own examples and enumerations, and by mutating either.

Laws: whoever sends a whole request gets an answer in time, never a fault (5xx); a refusal is JSON with one sentence in
`detail`; a body above the limit is refused; memory, open files and processes return to where they were.
"""

from __future__ import annotations

import contextlib
import dataclasses
import http.client
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from fuzzing import mutated, seeds
from laws import Broken, footprint, require

LIMIT = 1.5  # seconds that the server gives a job here
SLACK = 60  # seconds on top, for a busy machine
STREAM = 0.5  # seconds for which a stream is followed
GROWTH = 64 << 20  # bytes by which the server may have grown at the end

WORDS = [
    b"%00",
    b"%ff",
    b"&",
    b"=",
    b"3x3k3",
    b"9" * 30,
    b"-1",
    b"null",
    b"{",
    b"[" * 500,
    b'"',
    b"\r\n",
    b"\0",
    b"1e999",
]
WORDS += [
    b"\r\nContent-Length: 7",
    b"\r\nTransfer-Encoding: chunked",
    b"\r\nHost: x",
    b"Expect: 100-continue",
    b"../",
    b" ",
]


class Target:
    """Requests."""

    name = "http"

    def __init__(self) -> None:
        self.statuses: dict[int, int] = {}
        self.cases: list[bytes] = []
        self.home = tempfile.TemporaryDirectory(prefix="noughts-fuzz-http-")

    def __enter__(self) -> Target:
        environment = os.environ | {"NOUGHTS_CACHE": self.home.name}
        self.server = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        assert self.server.stdout
        address = urlsplit(self.server.stdout.readline().strip())
        self.place = (str(address.hostname), int(address.port or 0))
        self.host = f"{address.hostname}:{address.port}".encode()
        self.document = json.loads(self.ask(self.request("GET", "/api/v1/openapi.json"))[1])
        self.questions = list(_questions(self.document))
        self.texts = [seed.decode() for seed in seeds("notation")] + ["3x3k3", "4x4k4", "5x5k4", "15x15k5", "level-3"]
        self.texts += ["random", "perfect", "mcts:50", "b2", "minimax", "alphabeta", "prajoda", "shifts", "x" * 2000]
        for question in self.questions:  # so that what is loaded once is loaded
            self.ask(self.informed(random.Random(0), question))
        self.before = footprint(self.server.pid)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self.settle()
        finally:
            self.server.communicate()  # closes its input, and so ends it
            self.home.cleanup()

    def figures(self) -> str:
        """What was answered, and how the server looks."""
        answers = ", ".join(f"{count:,} times {status or 'closed'}" for status, count in sorted(self.statuses.items()))
        memory, files, processes = self.after
        grown = (memory - self.before[0]) / 2**20
        return (
            f" ({len(self.questions)} questions; {answers}; the server grew by {grown:.0f} MB, "
            f"{files - self.before[1]} files, {processes - self.before[2]} processes)"
        )

    # The server

    def settle(self) -> None:
        """Wait until the server is as it was at first; Broken if it never is."""
        end = time.monotonic() + SLACK
        while True:
            self.after = memory, opened, processes = footprint(self.server.pid)
            grown = memory - self.before[0] > GROWTH, opened > self.before[1] + 8, processes > self.before[2] + 2
            if not any(grown):
                return
            if time.monotonic() > end:
                folder = Path(f"/proc/{self.server.pid}/fd")
                files = sorted(str(file.readlink()) for file in folder.iterdir())
                raise Broken(f"the server had (bytes, files, processes) {self.before}, now {self.after}: {files}")
            time.sleep(0.5)

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
            size = rng.choice((200_000, 262_144, 262_145, 3_000_000))
            return self.request("POST", "/api/v1/move", {}, b'{"position": "' + b"." * (size - 16) + b'"}')
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
        status, body, kind = self.ask(data)
        self.statuses[status] = self.statuses.get(status, 0) + 1
        require(status < 500, f"{status} {body[:500]!r} to {data[:2000]!r}")
        require(self.server.poll() is None, f"the server ended after {data[:2000]!r}")
        if status >= 400 and kind == "application/json":
            detail = json.loads(body)["detail"]
            require(isinstance(detail, str) and len(detail.splitlines()) == 1, f"{detail!r} to {data[:2000]!r}")
        length = re.search(rb"\r\nContent-Length: (\d+)\r\n", data)
        if status == 200 and length:
            require(int(length[1]) <= 262_144, f"a body of {length[1]!r} bytes was taken")

    def ask(self, data: bytes) -> tuple[int, bytes, str]:
        """Status, body and content type of the answer; status 0 where the connection was closed without one."""
        whole = _is_whole(data)
        sent = data.replace(b"Host: noughts", b"Host: " + self.host, 1)
        with socket.create_connection(self.place, timeout=LIMIT + SLACK) as connection:
            with contextlib.suppress(OSError):  # refused before its end: there may be an answer all the same
                connection.sendall(sent)
            connection.settimeout(LIMIT + SLACK if whole else 0.3)
            answer = http.client.HTTPResponse(connection)
            try:
                answer.begin()
                kind = (answer.headers.get("content-type") or "").partition(";")[0]
                if kind == "text/event-stream":
                    return answer.status, _some(answer, connection), kind
                return answer.status, answer.read(), kind
            except TimeoutError:
                require(not whole, f"no answer within {LIMIT + SLACK:g} s to {data[:2000]!r}")
            except (OSError, http.client.HTTPException):
                require(self.server.poll() is None, f"the server ended after {data[:2000]!r}")
        return 0, b"", ""


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


def _is_whole(data: bytes) -> bool:
    """Does the parser that the server uses find a whole request in these bytes?"""
    import h11

    parser = h11.Connection(h11.SERVER)
    try:
        parser.receive_data(data)
        while True:
            event = parser.next_event()
            if event is h11.NEED_DATA or event is h11.PAUSED:
                return False
            if isinstance(event, h11.EndOfMessage):
                return True
    except h11.RemoteProtocolError:
        return False


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
    """The server, with little time for each job, until its input ends."""
    from noughts.web.jobs import Desk
    from noughts.web.server import in_background

    limits = {each.name: LIMIT for each in dataclasses.fields(Desk) if each.name.endswith("seconds")}
    with in_background(Desk(workers=2, waiting=4, **limits)) as address:  # type: ignore[arg-type]
        print(address, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    serve()
