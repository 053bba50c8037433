"""The real server among bad clients: slow ones, silent ones, ones that send too much, ones that leave in the middle.

While they are there quick questions are answered as quickly as before; the server closes on every slow one, and when
the others have gone, its memory, open files and processes are what they were. Clients who ask the costliest questions
that there are keep its workers busy, and nobody else waiting. A page of another site makes it do nothing at all.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import random
import socket
import statistics
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from laws import Broken, footprint, require
from serving import Place, cached, held, meanwhile, serving

sys.path.append(str(Path(__file__).resolve().parents[1] / "benchmarks"))
from _class import Pupil  # type: ignore[import-not-found]

CLIENTS = 50  # of each kind
PUPILS = 30
QUICK = "/api/v1/analyze?position=XO./.X./..O"
GET = b"GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
POST = b"POST /api/v1/move HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
OFTEN = 100  # questions that a slow reader asks: more than the kernel keeps for it
ASKED = 300  # quick questions in each measurement
PATIENCE = 30.0  # seconds within which the server answers or closes
SETTLE = 120  # seconds within which the server must be as it was
GROWTH = 8 << 20  # bytes that it may keep
HEAVY = 20  # clients who ask what costs most
COSTLY = [
    "/api/v1/search?position={large}&depth=1&keep=2000&symmetry=true&table=true&order=best-known",
    "/api/v1/search/compare?position={large}&depth=1&symmetry=true&table=true&order=best-known",
    "/api/v1/detectors?position=6x6k4:" + "/".join(["." * 6] * 6),
    "/api/v1/analyze?position={large}",
    "/api/v1/atlas",
]
RUNS = ["/api/v1/solve?game=4x4k4", "/api/v1/match?game=4x4k4&b=perfect", "/api/v1/papers", "/api/v1/bench"]

Footprint = tuple[int, int, int]


def main() -> str:
    """Measure, crowd, measure again, and wait until the crowd is gone."""
    with serving("-P", "-m", "noughts", "serve", "--no-browser", "--port", "0") as (process, place, _):
        wake(place)
        before, alone = footprint(process.pid), measure(place)
        print(f"  alone: {said(alone)}; {shown(before)}", flush=True)
        strangers(place, process)
        with rudeness(place, *[costly] * HEAVY):
            time.sleep(1)  # until they are at it
            burdened = measure(place)
        print(f"  among {HEAVY} heavy clients: {said(burdened)}; {shown(footprint(process.pid))}", flush=True)
        require_quick(alone, burdened, "heavy", (10, 10), (0.05, 0.25))
        with crowd(place) as readers:
            with rudeness(place):
                crowded, most = measure(place), footprint(process.pid)
            time.sleep(0.5)  # until the server has seen that the rude ones are gone
            there = held(place)
            print(f"  among {there} bad clients: {said(crowded)}; {shown(most)}", flush=True)
            require(there >= 4 * CLIENTS, f"of {4 * CLIENTS} slow clients {there} were there to the end of measuring")
            require_quick(alone, crowded)
            require(_until(lambda: not held(place)), f"{held(place)} slow clients hold their connections")
            require_held_up(readers)
            print(f"  the server has closed on every slow one: {shown(footprint(process.pid))}", flush=True)
        with crowd(place), rudeness(place):
            taught = asyncio.run(lesson(place[1]))
        print(f"  a class among as many: {taught}", flush=True)
        back = _until(lambda: _is_back(before, footprint(process.pid)))
        after = footprint(process.pid)
        require(back, f"before: {shown(before)}; after: {shown(after)}")
        print(f"  afterwards: {said(measure(place))}; {shown(after)}", flush=True)
    return (
        f"{4 * CLIENTS} slow or silent clients at once, beside oversized, half-closed, vanishing and leaving ones: "
        f"quick answers {said(alone)} before, {said(crowded)} among them, {said(burdened)} among {HEAVY} who ask what "
        f"costs most; among as many {taught}; a page of another site cost nothing; the server closed on every slow "
        f"one; before {shown(before)}, after {shown(after)}"
    )


# Laws


def require_quick(
    alone: list[float],
    crowded: list[float],
    who: str = "bad",
    times: tuple[int, int] = (4, 5),
    more: tuple[float, float] = (0.005, 0.05),
) -> None:
    """Quick answers stay quick, as far as a busy machine with two cores can tell.

    The rude ones alone keep both cores at work, which delays some answer by a slice of time or two. A server that waits
    for a bad client, or a loop that is held up by one, costs every answer more than 5 ms, or some more than 50 ms.
    Heavy clients keep all workers at it as well; a loop that does their work itself costs every answer seconds.
    """
    for name, before, among, factor, extra in zip(
        ("p50", "p99"), spread(alone), spread(crowded), times, more, strict=True
    ):
        limit = factor * before + extra
        require(
            among <= limit, f"{name} is {1000 * among:.1f} ms among {who} clients: expected {1000 * limit:.1f} at most"
        )


def require_held_up(readers: list[socket.socket]) -> None:
    """The server had more to send to each than the kernel takes, and dropped it."""
    got = max(_rest(reader).count(b"HTTP/1.1 200 OK") for reader in readers)
    require(got < OFTEN, "all answers fitted on the way to a slow reader: it has to ask more often")


def _is_back(before: Footprint, after: Footprint) -> bool:
    return after[0] <= before[0] + GROWTH and after[1] <= before[1] + 2 and after[2] <= before[2]


def _until(law: Callable[[], bool]) -> bool:
    end = time.monotonic() + SETTLE
    while not law():
        if time.monotonic() > end:
            return False
        time.sleep(0.2)
    return True


def shown(found: Footprint) -> str:
    """A footprint in words."""
    return f"{found[0] / 2**20:.0f} MB, {found[1]} files, {found[2]} processes"


def spread(times: list[float]) -> tuple[float, float]:
    """Median and 99th percentile."""
    return statistics.median(times), statistics.quantiles(times, n=100)[98]


def said(times: list[float]) -> str:
    """The same in words."""
    return "p50 {:.1f} ms, p99 {:.1f} ms".format(*(1000 * each for each in spread(times)))


# Good clients


def wake(place: Place) -> None:
    """Bring up every worker, load what is loaded once, and let a crowd take what it takes: more would be a leak."""
    with ThreadPoolExecutor() as pool:
        list(pool.map(ask, [place] * 4, ["/api/v1/analyze?position=4x4k4:X.../..../..../...."] * 4))
    for path in asked_about_another():
        ask(place, path)
    with rudeness(place, *[costly] * HEAVY):
        time.sleep(5)
    with crowd(place), rudeness(place):
        measure(place)
    time.sleep(8)  # a run whose readers have left is kept for a moment


def ask(place: Place, path: str) -> float:
    """The seconds that an answer took."""
    began = time.perf_counter()
    status = status_of(place, path)
    require(status == 200, f"{status} to {path}")
    return time.perf_counter() - began


def status_of(place: Place, path: str, headers: dict[str, str] | None = None) -> int:
    """What comes of a question; of a stream only its beginning is read."""
    with contextlib.closing(http.client.HTTPConnection(*place, timeout=PATIENCE)) as connection:
        try:
            connection.request("GET", path, headers=headers or {})
            answer = connection.getresponse()
            if answer.getheader("content-type") != "text/event-stream":
                answer.read()
        except OSError as problem:
            raise Broken(f"no answer to {path[:200]}: {problem!r}") from problem
    return answer.status


def measure(place: Place) -> list[float]:
    """The times of quick questions."""
    return [ask(place, QUICK) for _ in range(ASKED)]


async def lesson(port: int) -> str:
    """A class plays: everybody opens the page, and plays a game against level 4. Every tap must be answered."""
    pupils = [Pupil(port, number) for number in range(PUPILS)]
    await asyncio.gather(*(pupil.open() for pupil in pupils))
    await asyncio.gather(*(pupil.play(1) for pupil in pupils))
    taps, answered = (sum(getattr(pupil, name) for pupil in pupils) for name in ("taps", "answered"))
    refused = sum(pupil.refused for pupil in pupils)
    require(taps == answered and not refused, f"of {taps} taps {answered} were answered, {refused} questions refused")
    times = [1000 * each for pupil in pupils for each in pupil.times]
    return f"a class of {PUPILS} played, {taps} taps, none lost, level 4 at p50 {statistics.median(times):.0f} ms"


# Slow clients


@contextlib.contextmanager
def crowd(place: Place) -> Iterator[list[socket.socket]]:
    """So many of each kind at once; the slow readers among them."""
    with contextlib.ExitStack() as stack:
        readers = [stack.enter_context(slow_reader(place)) for _ in range(CLIENTS)]
        time.sleep(5)  # until they are served as far as they can be
        for kind in (slow_head, slow_body, silent):
            for _ in range(CLIENTS):
                stack.enter_context(kind(place))
        time.sleep(1)
        yield readers


@contextlib.contextmanager
def _trickle(place: Place, beginning: bytes, piece: bytes) -> Iterator[None]:
    """Send a beginning, and then a piece now and then."""
    over = threading.Event()
    with socket.create_connection(place) as connection:
        connection.sendall(beginning)

        def work() -> None:
            with contextlib.suppress(OSError):
                while not over.wait(0.5):
                    connection.sendall(piece)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        yield
        over.set()
        thread.join()


def slow_head(place: Place) -> contextlib.AbstractContextManager[None]:
    """A head that never ends."""
    return _trickle(place, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"X-A: b\r\n")


def slow_body(place: Place) -> contextlib.AbstractContextManager[None]:
    """A body that never ends."""
    return _trickle(place, POST + b"Content-Length: 5000\r\n\r\n", b" ")


@contextlib.contextmanager
def slow_reader(place: Place) -> Iterator[socket.socket]:
    """Asks for much, and reads nothing."""
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.settimeout(PATIENCE)
        connection.connect(place)
        connection.sendall(GET % b"/api/v1/openapi.json" * OFTEN)
        yield connection


@contextlib.contextmanager
def silent(place: Place) -> Iterator[None]:
    """Opens a connection, and says nothing; so does one whose machine has gone."""
    with socket.create_connection(place):
        yield


# Heavy clients, and those of other sites


def costly(place: Place) -> None:
    """Asks what costs most, each time about another board: answered, refused for want of room, or stopped."""
    for path in asked_about_another():
        status = status_of(place, path)
        require(status in (200, 422, 429), f"{status} to {path[:200]}")


def asked_about_another() -> list[str]:
    """The costly questions, about a board that hardly anybody has asked about."""
    row, column = divmod(random.randrange(1024), 32)
    rows = ["." * 32] * 32
    rows[row] = "." * column + "X" + "." * (31 - column)
    return [path.format(large="32x32k5:" + "/".join(rows)) for path in COSTLY]


def strangers(place: Place, process: subprocess.Popen[str]) -> None:
    """Pages of other sites ask for everything that costs: all refused, nothing begun, nothing kept."""
    before, kept = footprint(process.pid), cached(process)
    for path in (*asked_about_another(), *RUNS, "/api/v1/players?game=4x5k4"):
        for headers in ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, {"User-Agent": "Mozilla/5.0"}):
            status = status_of(place, path, headers)
            require(status == 403, f"{status} to a page of another site that asks {path[:200]} with {headers}")
    require(footprint(process.pid)[2] <= before[2], "a page of another site has started a process")
    require(cached(process) == kept, "a page of another site has filled the cache folder")


# Rude clients


@contextlib.contextmanager
def rudeness(place: Place, *acts: Callable[[Place], None]) -> Iterator[None]:
    """Every rude client, or these, again and again; afterwards raises what one of them found broken."""
    over = threading.Event()
    acts = acts or tuple(RUDE)

    def again(act: Callable[[Place], None]) -> None:
        while not over.wait(0.05):
            try:
                act(place)
            except OSError as problem:
                raise Broken(f"{act.__name__}: {problem}") from problem

    with meanwhile(over, *(partial(again, act) for act in acts)):
        yield


def answer_to(place: Place, data: bytes, *, shut: bool = False) -> bytes:
    """All that the server says to these bytes until it closes; Broken if it does neither for a while."""
    with socket.create_connection(place, timeout=PATIENCE) as connection:
        with contextlib.suppress(OSError):  # closed before their end: there may be an answer all the same
            connection.sendall(data)
            if shut:
                connection.shutdown(socket.SHUT_WR)
        return _rest(connection)


def _rest(connection: socket.socket) -> bytes:
    read = b""
    try:
        while some := connection.recv(1 << 20):
            read += some
    except TimeoutError:
        require(False, f"the server holds on to a client that it should close on, after {read[:100]!r}")
    except ConnectionError:  # it closed before it had read everything
        pass
    return read


def too_large(place: Place) -> None:
    """A body and a head beyond all limits: refused, or closed on."""
    post = POST + b"Connection: close\r\n"
    for data, status in (
        (post + b"Content-Length: 20000000\r\n\r\n" + b"x" * 2_000_000, b"413"),
        (post + b"Transfer-Encoding: chunked\r\n\r\n10000\r\n%b\r\n80000\r\n%b" % (b"x" * 2**16, b"x" * 2**19), b"413"),
        (post + b"X-Long: " + b"x" * 500_000 + b"\r\n\r\n", b"400"),
        (b"G" * 500_000, b"400"),
    ):
        answer = answer_to(place, data)
        require(not answer or answer.split()[1] == status, f"{answer[:100]!r} to too much, which begins {data[:20]!r}")


def half_close(place: Place) -> None:
    """Says that there will be no more, before a request, in its head, and in its body: closed on without an answer."""
    for data in (b"", POST, POST + b'Content-Length: 5000\r\n\r\n{"position":'):
        answer = answer_to(place, data, shut=True)
        require(not answer, f"{answer[:100]!r} to half a request")


def vanish(place: Place) -> None:
    """Resets the connection, before a request, in its head, in its body, and while it is answered."""
    for data in (b"", POST, POST + b'Content-Length: 5000\r\n\r\n{"position":', GET % b"/api/v1/openapi.json" * OFTEN):
        with socket.create_connection(place) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.sendall(data)
            time.sleep(0.05)


def leave_stream(place: Place) -> None:
    """Begins to follow a solve, and leaves."""
    with socket.create_connection(place, timeout=PATIENCE) as connection:
        connection.sendall(GET % b"/api/v1/solve?game=4x5k4")
        answer = connection.recv(2000)
        require(answer.split()[1:2] in ([b"200"], [b"429"]), f"{answer[:100]!r} to one who follows a solve")


def leave_job(place: Place) -> None:
    """Asks something slow, and leaves before the answer."""
    body = b'{"position": "15x15k5:' + b"/".join([b"." * 15] * 15) + b'", "player": "mcts:9000000"}'
    with socket.create_connection(place, timeout=PATIENCE) as connection:
        connection.sendall(POST + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        time.sleep(0.3)


RUDE = [too_large, half_close, vanish, leave_stream, leave_job]

if __name__ == "__main__":
    print(main())
