"""The long checks of the server can fail: each law is tried on a server, or an answer, that breaks it."""

from __future__ import annotations

import contextlib
import random
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

HARDENING = Path(__file__).resolve().parents[1] / "hardening"

if not HARDENING.is_dir() or sys.platform != "linux":
    pytest.skip("the long checks need a checkout, and Linux", allow_module_level=True)
pytest.importorskip("anyio", reason="the web tests need the extra: pip install noughts[web]")
pytest.importorskip("uvicorn", reason="the web tests need the extra: pip install noughts[web]")
sys.path.append(str(HARDENING))

import faults_server  # noqa: E402
import faults_workers  # noqa: E402
import fuzz_http  # noqa: E402
import serving  # noqa: E402
from laws import Broken, family, footprint, require  # noqa: E402

from noughts.web.asking import MAX_SIDE  # noqa: E402
from noughts.web.guard import MAX_BODY  # noqa: E402

PROBLEM = b'{"detail": "no"}'
NOWHERE = ("127.0.0.1", 1)


def response(status: int, body: bytes = PROBLEM, kind: str = "application/json") -> bytes:
    head = f"HTTP/1.1 {status} Word\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


@contextlib.contextmanager
def fake(says: bytes | None) -> Iterator[serving.Place]:
    """A server that says this to everybody and closes; None: neither, ever."""
    with socket.create_server(("127.0.0.1", 0)) as listening, contextlib.ExitStack() as kept:

        def work() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection = kept.enter_context(listening.accept()[0])
                    if says is not None:
                        with contextlib.suppress(OSError):
                            connection.recv(1000)
                            connection.sendall(says)
                            connection.shutdown(socket.SHUT_WR)
                            while connection.recv(65536):  # closing on unread bytes could take the answer back
                                pass
                        connection.close()

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        yield listening.getsockname()
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()


@contextlib.contextmanager
def broken(law: str | None) -> Iterator[None]:
    with pytest.raises(Broken, match=law) if law else contextlib.nullcontext():
        yield


@pytest.fixture(autouse=True)
def _patience(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Little where nothing will come, much where something will, however busy the machine is."""
    given = request.node.callspec.params if hasattr(request.node, "callspec") else {}
    patience = 0.2 if given.get("says", b"") is None else 60
    for module in (faults_server, faults_workers, fuzz_http):
        monkeypatch.setattr(module, "PATIENCE", patience)
    monkeypatch.setattr(fuzz_http, "BRIEFLY", patience)
    monkeypatch.setattr(fuzz_http, "SETTLE", 0)


# A server that is crowded, and one whose processes are killed


def halves(place: serving.Place) -> None:
    with patch.object(faults_server, "REFUSED", [each for each in faults_server.REFUSED if each[1] is None]):
        faults_server.refused(place)


def asking(place: serving.Place) -> None:
    with faults_workers.asking(place):
        pass


def rudely(place: serving.Place, act: Callable[[serving.Place], object]) -> None:
    done = threading.Event()

    def once(place: serving.Place) -> None:
        done.set()
        act(place)

    with faults_server.rudeness(place, once):
        done.wait()


SERVES = "import sys, time; print('http://127.0.0.1:1/', file=sys.stderr, flush=True); time.sleep(60)"


@pytest.mark.parametrize(
    ("act", "says", "law"),
    [
        (faults_server.refused, response(200), "200 Word.* to 2,000,"),
        (faults_server.refused, response(500), "500 Word.* to 2,000,"),
        (faults_server.refused, response(404), "404 Word.* to 2,000,"),
        (faults_server.refused, None, "holds on to a client"),
        (faults_server.refused, b"", None),
        (halves, response(200), "200 Word.* to 0 bytes"),
        (halves, response(413), "413 Word.* to 0 bytes"),
        (halves, None, "holds on to a client"),
        (faults_server.leave_stream, response(500), "to one who follows a solve"),
        (faults_server.leave_stream, b"", "to one who follows a solve"),
        (faults_server.wake, response(500), "500 to /api"),
        (faults_server.costly, response(500), "500 to /api/v1/search"),
        (faults_server.costly, response(404), "404 to /api/v1/search"),
        (lambda place: rudely(place, lambda _: require(False, "no")), b"", "no"),
        (lambda place: rudely(place, lambda _: socket.create_connection(("", 1))), b"", "once: "),
        (faults_workers.require_answered, response(500), "500 to /api/v1/move after a kill"),
        (faults_workers.require_answered, response(200), "200 to /api/v1/solve.* after a kill"),
        (faults_workers.require_answered, None, "no answer to /api/v1/move"),
        (asking, response(404), "404 to .* amid kills"),
        (asking, response(500), None),
    ],
)
def test_a_server_that_breaks_a_law_is_found(act: Callable[[Any], None], says: bytes | None, law: str | None) -> None:
    with fake(says) as place, broken(law):
        act(place)


ALONE = [0.002] * 290 + [0.003] * 10
NONE: dict[str, Any] = {"wake": print, "footprint": lambda _: (0, 0, 0)}


@pytest.mark.parametrize(
    ("module", "parts", "law"),
    [
        (faults_server, {**NONE, "measure": iter([ALONE, [1.0] * 300])}, "p50 is .* among heavy clients"),
        (faults_server, {**NONE, "measure": iter([ALONE] * 2 + [[0.014] * 300]), "held": 200}, "p50 .* among bad"),
        (faults_server, {**NONE, "measure": iter([ALONE] * 2 + [ALONE[10:] + [0.07] * 10]), "held": 200}, "p99 .* bad"),
        (faults_server, {**NONE, "measure": iter([ALONE] * 3), "held": 199}, "were there to the end"),
        (faults_server, {**NONE, "measure": iter([ALONE] * 3), "held": 200, "SETTLE": 0}, "hold their connections"),
        (faults_workers, {"require_answered": print, "KILLS": 0}, "killed 0 amid"),
    ],
    ids=["slow beside heavy", "slow beside bad", "some slow beside bad", "clients gone", "clients held", "no kills"],
)
def test_a_run_that_breaks_a_law_is_found(
    module: ModuleType, parts: dict[str, Any], law: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No server runs, and what it would be found to do is given."""

    @contextlib.contextmanager
    def nothing(*_: object) -> Iterator[Any]:
        yield SimpleNamespace(pid=0), NOWHERE, []

    for name in ("serving", "crowd", "rudeness", "asking", "family"):
        monkeypatch.setattr(module, name, (lambda _: []) if name == "family" else nothing, raising=False)
    for name, part in parts.items():
        instead = (lambda _, part=part: next(part)) if name == "measure" else part
        monkeypatch.setattr(module, name, (lambda _, part=part: part) if name == "held" else instead)
    monkeypatch.setattr(module.time, "sleep", print)
    with broken(law):
        module.main()


def test_quick_answers_may_take_as_long_as_before() -> None:
    faults_server.require_quick(ALONE, ALONE)


@pytest.mark.parametrize("often", [3, faults_server.OFTEN])
def test_readers_who_got_everything_held_nothing_up(often: int) -> None:
    here, there = socket.socketpair()
    with here, broken("has to ask more often" if often == faults_server.OFTEN else None):
        there.sendall(b"HTTP/1.1 200 OK\r\n" * often)
        there.close()
        faults_server.require_held_up([here])


@pytest.mark.parametrize("more", [(0, 0, 0), (faults_server.GROWTH + 1, 0, 0), (0, 3, 0), (0, 0, 1)])
def test_what_is_kept_is_found(more: tuple[int, int, int]) -> None:
    before = (50 << 20, 10, 2)
    after = (before[0] + more[0], before[1] + more[1], before[2] + more[2])
    assert faults_server._is_back(before, after) is not any(more)


def test_connections_are_counted_until_the_server_closes_them() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        place = listening.getsockname()
        assert serving.held(place) == 0
        with socket.create_connection(place), socket.create_connection(place):
            taken = [listening.accept()[0] for _ in range(2)]
            for left in (2, 1, 0):
                assert serving.held(place) == left
                taken.pop().close() if taken else None


@pytest.mark.parametrize(
    ("script", "law"),
    [
        ("", "did not say where it is"),
        ("import sys; print('http://127.0.0.1:1/', file=sys.stderr)", "ended by itself"),
        *((f"import {name}; {SERVES}", f"were run: {name}") for name in ("random", "pickle", "anyio")),
        (SERVES, None),
    ],
)
def test_a_server_that_ends_or_imports_from_its_folder_is_found(script: str, law: str | None) -> None:
    with broken(law), serving.serving("-c", script) as (process, *_):
        if SERVES not in script:
            process.wait(30)


SLEEPERS = """
import subprocess, sys
both = [subprocess.Popen(["sleep", "600"]) for _ in range(2)]
print(*(each.pid for each in both), flush=True)
for each in both:
    each.wait()
"""


def test_what_is_killed_is_a_process_of_the_server() -> None:
    with subprocess.Popen([sys.executable, "-c", SLEEPERS], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        sleepers = {int(word) for word in server.stdout.readline().split()}
        assert {*family(server.pid)} == sleepers
        assert faults_workers.kill_one(server.pid, random.Random(0))
        for sleeper in sleepers:
            faults_workers.kill(sleeper)
        assert server.wait(60) == 0, "both have ended"
    assert not any(map(faults_workers.kill, sleepers))


# A server that is fuzzed


@pytest.fixture
def target(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    with subprocess.Popen(["sleep", "60"]) as server:
        before = footprint(server.pid)
        questions = [
            {"path": "/api/v1/move", "method": "POST", "parameters": [], "body": {}, "told": 1},
            {"path": "/api/v1/solve", "method": "GET", "parameters": [{"name": "game"}], "body": None, "told": 1},
        ]
        values = {"server": server, "before": before, "after": before, "memory": [before[0]], "questions": questions}
        for name, value in values.items():
            monkeypatch.setattr(fuzz_http, name, value, raising=False)
        yield monkeypatch
        server.kill()


def post(body: bytes) -> bytes:
    return b"POST /api/v1/move HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)


def get(target: str) -> bytes:
    return f"GET {target} HTTP/1.1\r\nHost: a\r\n\r\n".encode()


LARGE = post(b"." * (MAX_BODY + 1))
FITS = post(b"." * MAX_BODY)
SOLVE = get("/api/v1/solve")
FOREIGN = SOLVE.replace(b"Host", b"Sec-Fetch-Site: cross-site\r\nHost")


@pytest.mark.parametrize(
    ("data", "says", "law"),
    [
        (LARGE, response(200), "was taken"),
        (LARGE, response(422), "was taken"),
        (FITS, response(413), "refused as too large"),
        (FITS, response(422), None),
        (LARGE, response(413), None),
        (LARGE, b"", None),
        (SOLVE, b"", "closed without an answer"),
        (FITS, b"", "closed without an answer"),
        (FITS.replace(b"POST", b"GET"), b"", None),
        (SOLVE[:-1], b"", None),
        (SOLVE, None, "no answer within"),
        (SOLVE[:-1], None, None),
        (SOLVE, response(500), "a fault"),
        (SOLVE[:-1], response(500), "a fault"),
        (FOREIGN, response(200, b"event: x\n\n", "text/event-stream"), "a run for a page of another site"),
        (SOLVE, response(200, b"event: x\n\n", "text/event-stream"), None),
        (FOREIGN, response(403), None),
        (get("/nothing"), response(404, kind="text/plain"), "not JSON"),
        (get("/nothing"), response(422, kind="text/html"), "not JSON"),
        (get("/api/v1/nothing"), response(404, kind="text/html"), "not JSON"),
        (get("/nothing"), response(404, kind="text/html"), None),
        (get("/nothing"), response(404, b'{"detail": "one\\ntwo"}'), "not one sentence"),
        (get("/nothing"), response(404, b'{"detail": ["no"]}'), "not one sentence"),
        (get("/nothing"), response(404, b"no"), "not one sentence"),
        (get("/nothing"), response(404), None),
        (get(f"/api/v1/solve?game={MAX_SIDE + 1}x1k1"), response(200), "too large a board"),
        (get(f"/api/v1/solve?game=3x{MAX_SIDE + 1}k3"), response(200), "too large a board"),
        (get(f"/api/v1/solve?game={MAX_SIDE}x{MAX_SIDE}k5"), response(200), None),
        (get(f"/api/v1/solve?game={MAX_SIDE + 1}x1k1"), response(422), None),
        (get(f"/api/v1/solve?other={MAX_SIDE + 1}x1k1"), response(200), None),
        (
            post(b'{"position": "1x%dk1:%b"}' % (MAX_SIDE + 1, b"." * (MAX_SIDE + 1))),
            response(200),
            "too large a board",
        ),
        (post(b'{"position": "X../.../..."}'), response(200), None),
    ],
)
def test_an_answer_that_breaks_a_law_is_found(
    target: pytest.MonkeyPatch, data: bytes, says: bytes | None, law: str | None
) -> None:
    with fake(says) as place, broken(law):
        target.setattr(fuzz_http, "place", place)
        fuzz_http.law(data)


def test_a_request_is_whole_in_whatever_pieces_it_comes() -> None:
    assert fuzz_http.read(post(b"...")) == ("POST", "/api/v1/move", b"...", False)
    assert fuzz_http.read(post(b"...")[:-1]) is None
    assert fuzz_http.read(get("/" + "x" * 100_000)) is None, "its head only fits if it comes at once"


def test_answers_to_whole_and_broken_requests_are_counted_apart(target: pytest.MonkeyPatch) -> None:
    with fake(response(422)) as place:
        target.setattr(fuzz_http, "place", place)
        assert [fuzz_http.law(SOLVE), fuzz_http.law(SOLVE[:-1])] == ["whole with 422", "broken with 422"]


def test_growth_after_the_first_third_is_found(target: pytest.MonkeyPatch) -> None:
    now = footprint(fuzz_http.server.pid)[0]
    target.setattr(fuzz_http, "memory", [0, now, now, now])
    fuzz_http.settle()
    target.setattr(fuzz_http, "memory", [now - fuzz_http.GROWTH - 1] * 2 + [now, now])
    with pytest.raises(Broken, match="in the first third of the run"):
        fuzz_http.settle()


# What they found


def answers(address: str, data: bytes) -> bytes:
    place = address.removeprefix("http://").rstrip("/").split(":")
    with socket.create_connection((place[0], int(place[1])), timeout=60) as connection:
        connection.sendall(data)
        return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.parametrize("path", ["/api/v1/exhibits", "/api/v1/solve?game=1x1k1"])
def test_a_slow_question_with_too_large_a_body_is_refused(path: str) -> None:
    from noughts.web.server import in_background

    body = b"." * (MAX_BODY + 1)
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    with in_background() as address:
        status, *_, said = answers(address, head.encode() + body).splitlines()
    assert (status.split()[1], b"too large" in said) == (b"413", True)
