"""The long checks of the server can fail: each law is tried on a server, or an answer, that breaks it."""

from __future__ import annotations

import contextlib
import os
import random
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

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
from laws import Broken, family, footprint  # noqa: E402

from noughts.web.asking import MAX_SIDE  # noqa: E402
from noughts.web.guard import MAX_BODY  # noqa: E402

PROBLEM = b'{"detail": "no"}'


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


@pytest.fixture(autouse=True)
def _patience(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Little where nothing will come, much where something will, however busy the machine is."""
    given = request.node.callspec.params if hasattr(request.node, "callspec") else {}
    for module, name in ((faults_server, "PATIENCE"), (fuzz_http, "PATIENCE"), (fuzz_http, "BRIEFLY")):
        monkeypatch.setattr(module, name, 0.2 if given.get("says", b"") is None else 60)
    monkeypatch.setattr(fuzz_http, "SETTLE", 0)


# A server that is crowded


@pytest.mark.parametrize("says", [response(200), response(500), response(404), None], ids=["200", "500", "404", "held"])
def test_a_server_that_takes_too_much_is_found(says: bytes | None) -> None:
    with fake(says) as place, pytest.raises(Broken):
        faults_server.too_large(place)


def test_closing_on_too_much_is_allowed() -> None:
    with fake(b"") as place:
        faults_server.too_large(place)


@pytest.mark.parametrize("says", [response(200), None], ids=["answered", "held"])
def test_a_server_that_waits_for_the_other_half_is_found(says: bytes | None) -> None:
    with fake(says) as place, pytest.raises(Broken):
        faults_server.half_close(place)


@pytest.mark.parametrize("says", [response(500), b""], ids=["500", "closed"])
def test_a_solve_that_nobody_can_follow_is_found(says: bytes) -> None:
    with fake(says) as place, pytest.raises(Broken):
        faults_server.leave_stream(place)


@pytest.mark.parametrize(
    "act", [lambda _: faults_server.require(False, "no"), lambda _: socket.create_connection(("", 1))]
)
def test_what_a_rude_client_finds_is_raised(act: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Event()

    def once(place: serving.Place) -> None:
        done.set()
        act(place)

    monkeypatch.setattr(faults_server, "RUDE", [once])
    with pytest.raises(Broken), faults_server.rudeness(("127.0.0.1", 1)):
        done.wait()


def test_a_fault_while_it_wakes_is_found() -> None:
    with fake(response(500)) as place, pytest.raises(Broken, match="500"):
        faults_server.wake(place)


@pytest.mark.parametrize("crowded", [[0.014] * 300, [0.002] * 290 + [0.07] * 10], ids=["p50", "p99"])
def test_slower_answers_are_found(crowded: list[float]) -> None:
    alone = [0.002] * 290 + [0.003] * 10
    faults_server.require_quick(alone, alone)
    with pytest.raises(Broken):
        faults_server.require_quick(alone, crowded)


def test_answers_that_wait_for_heavy_clients_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextlib.contextmanager
    def nothing(*_: object) -> Iterator[Any]:
        yield SimpleNamespace(pid=0), ("127.0.0.1", 1), []

    times = iter([[0.005] * 300, [1.0] * 300])
    for name, instead in {
        "serving": nothing, "rudeness": nothing, "wake": print, "measure": lambda _: next(times), "strangers": print,
        "footprint": lambda _: (0, 0, 0),
    }.items():  # fmt: skip
        monkeypatch.setattr(faults_server, name, instead)
    with pytest.raises(Broken, match=r"p50 is .* among heavy clients"):
        faults_server.main()


@pytest.mark.parametrize("says", [response(500), response(404)], ids=["500", "404"])
def test_a_heavy_question_that_is_neither_answered_nor_refused_is_found(says: bytes) -> None:
    with fake(says) as place, pytest.raises(Broken, match="to /api/v1/search"):
        faults_server.costly(place)


@pytest.mark.parametrize("status", [200, 429])
def test_a_server_that_works_for_another_site_is_found(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults_server, "cached", lambda _: set())
    process = SimpleNamespace(pid=os.getpid())
    with fake(response(status)) as place, pytest.raises(Broken, match="to a page of another site"):
        faults_server.strangers(place, process)  # type: ignore[arg-type]


@pytest.mark.parametrize("what", ["process", "cache"])
def test_what_another_site_leaves_behind_is_found(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = iter([set(), {Path("level")} if what == "cache" else set()])
    prints = iter([(0, 0, 1), (0, 0, 2 if what == "process" else 1)])
    monkeypatch.setattr(faults_server, "cached", lambda _: next(kept))
    monkeypatch.setattr(faults_server, "footprint", lambda _: next(prints))
    with fake(response(403)) as place, pytest.raises(Broken, match=what):
        faults_server.strangers(place, SimpleNamespace(pid=0))  # type: ignore[arg-type]


def test_the_files_in_the_cache_of_a_server_are_seen() -> None:
    script = "import os, sys, time; open(os.environ['NOUGHTS_CACHE'] + '/level', 'w').close(); "
    script += "print('http://127.0.0.1:1/', file=sys.stderr, flush=True); time.sleep(60)"
    with serving.serving("-c", script) as (process, *_):
        assert [path.name for path in serving.cached(process)] == ["level"]


@pytest.mark.parametrize("often", [3, faults_server.OFTEN])
def test_readers_who_got_everything_held_nothing_up(often: int) -> None:
    here, there = socket.socketpair()
    with here:
        there.sendall(b"HTTP/1.1 200 OK\r\n" * often)
        there.close()
        with pytest.raises(Broken) if often == faults_server.OFTEN else contextlib.nullcontext():
            faults_server.require_held_up([here])


def test_what_is_kept_is_found() -> None:
    before = (50 << 20, 10, 2)
    assert faults_server._is_back(before, before)
    for after in ((before[0] + faults_server.GROWTH + 1, 10, 2), (50 << 20, 13, 2), (50 << 20, 10, 3)):
        assert not faults_server._is_back(before, after)


def test_connections_are_counted_until_the_server_closes_them() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        place = listening.getsockname()
        assert serving.held(place) == 0
        with socket.create_connection(place), socket.create_connection(place):
            taken = [listening.accept()[0] for _ in range(2)]
            assert serving.held(place) == 2
            taken[0].close()
            assert serving.held(place) == 1
            taken[1].close()
            assert serving.held(place) == 0


def test_slow_clients_who_are_not_there_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextlib.contextmanager
    def nothing(*_: object) -> Iterator[Any]:
        yield SimpleNamespace(pid=0), ("127.0.0.1", 1), []

    for name, instead in {
        "serving": nothing, "crowd": nothing, "rudeness": nothing, "wake": print, "measure": lambda _: [0.1] * 300,
        "strangers": print,
        "footprint": lambda _: (0, 0, 0), "held": lambda _: 4 * faults_server.CLIENTS - 1,
    }.items():  # fmt: skip
        monkeypatch.setattr(faults_server, name, instead)
    with pytest.raises(Broken, match="were there to the end"):
        faults_server.main()


@pytest.mark.parametrize("script", ["", "import sys; print('http://127.0.0.1:1/', file=sys.stderr)"])
def test_a_server_that_does_not_stay_is_found(script: str) -> None:
    with pytest.raises(Broken), serving.serving("-c", script) as (process, *_):
        process.wait(30)


@pytest.mark.parametrize("name", ["random", "pickle", "anyio"])
def test_a_server_that_imports_from_its_folder_is_found(name: str) -> None:
    script = (
        f"import sys, {name}; print('http://127.0.0.1:1/', file=sys.stderr, flush=True); import time; time.sleep(60)"
    )
    with pytest.raises(Broken, match=f"were run: {name}"), serving.serving("-c", script):
        pass


# A server whose processes are killed


@pytest.mark.parametrize("says", [response(500), response(200), None], ids=["500", "no summary", "held"])
def test_a_server_that_misses_a_dead_worker_is_found(says: bytes | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults_workers, "PATIENCE", 0.2 if says is None else 60)
    with fake(says) as place, pytest.raises(Broken):
        faults_workers.require_answered(place)


def test_an_odd_answer_amid_kills_is_found() -> None:
    with fake(response(404)) as place, pytest.raises(Broken, match="404"), faults_workers.asking(place):
        pass


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


def test_kills_that_never_came_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextlib.contextmanager
    def nothing(*_: object) -> Iterator[Any]:
        yield SimpleNamespace(pid=0), ("127.0.0.1", 1), []

    for name, instead in {
        "serving": nothing, "asking": nothing, "require_answered": print, "kill_first": lambda *_: False, "KILLS": 0,
        "family": lambda _: [],
    }.items():  # fmt: skip
        monkeypatch.setattr(faults_workers, name, instead)
    monkeypatch.setattr(faults_workers.time, "sleep", print)
    with pytest.raises(Broken, match="killed"):
        faults_workers.main()


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
    with fake(says) as place, pytest.raises(Broken, match=law) if law else contextlib.nullcontext():
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
