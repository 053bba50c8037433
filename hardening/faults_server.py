"""The real server among bad clients: slow ones, silent ones, ones that send too much, ones that leave in the middle.

While they are there quick questions are answered as quickly as before; and when the server has closed on the slow ones
and the others have gone, its memory, open files and processes are what they were.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator

from laws import footprint, require

CLIENTS = 50
QUICK = "/api/v1/analyze?position=XO./.X./..O"
POST = b"POST /api/v1/move HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
ASKED = 300  # quick questions in each measurement
SETTLE = 120  # seconds within which the server must be as it was
GROWTH = 24 << 20  # bytes that it may keep

Place = tuple[str, int]


def main() -> str:
    """Measure, crowd, measure again, and wait until the crowd is gone."""
    with server() as (process, place):
        _wake(place)
        before, times = footprint(process.pid), measure(place)
        print(f"  alone: {said(times)}; {shown(before)}", flush=True)
        with contextlib.ExitStack() as crowd:
            for kind in (slow_headers, slow_bodies, slow_readers, silent):
                for _ in range(CLIENTS):
                    crowd.enter_context(kind(place))
            still = threading.Event()
            rude = [
                threading.Thread(target=_again, args=(still, act, place))
                for act in (too_large, leave_stream, leave_job)
            ]
            for thread in rude:
                thread.start()
            time.sleep(3)
            most, crowded = footprint(process.pid), measure(place)
            still.set()
            for thread in rude:
                thread.join()
            print(f"  among {4 * CLIENTS} bad clients: {said(crowded)}; {shown(most)}", flush=True)
            limit = 10 * statistics.median(times) + 0.05
            require(statistics.median(crowded) < limit, "quick questions are no longer quick")
            closed = _until(lambda: footprint(process.pid)[1] <= before[1] + CLIENTS)  # the slow readers stay
            require(closed, f"slow clients hold their connections: {shown(footprint(process.pid))}")
            print(f"  the server has closed on the slow ones: {shown(footprint(process.pid))}", flush=True)
        back = _until(lambda: _is_back(before, footprint(process.pid)))
        after = footprint(process.pid)
        require(back, f"before: {shown(before)}; after: {shown(after)}")
        print(f"  afterwards: {said(measure(place))}; {shown(after)}", flush=True)
        require(process.poll() is None, "the server has ended")
    return (
        f"{4 * CLIENTS} slow or silent clients at once, beside oversized and leaving ones: quick answers {said(times)} "
        f"before, {said(crowded)} among them; memory {before[0] / 2**20:.0f} MB before and "
        f"{after[0] / 2**20:.0f} MB after, open files {before[1]} and {after[1]}, processes {before[2]} and {after[2]}"
    )


# The server


@contextlib.contextmanager
def server() -> Iterator[tuple[subprocess.Popen[str], Place]]:
    """The command, as anybody starts it."""
    with tempfile.TemporaryDirectory(prefix="noughts-server-") as home:
        process = subprocess.Popen(
            [sys.executable, "-m", "noughts", "serve", "--no-browser", "--port", "0"],
            stderr=subprocess.PIPE, text=True, env=os.environ | {"NOUGHTS_CACHE": home},
        )  # fmt: skip
        try:
            assert process.stderr
            found = re.search(r"http://([\d.]+):(\d+)/", process.stderr.readline())
            require(found, "it did not say where it is")
            threading.Thread(target=process.stderr.read, daemon=True).start()
            yield process, (found[1], int(found[2]))  # type: ignore[index]
        finally:
            process.terminate()
            process.wait(30)


def shown(found: tuple[int, int, int]) -> str:
    """A footprint in words."""
    return f"{found[0] / 2**20:.0f} MB, {found[1]} files, {found[2]} processes"


def _is_back(before: tuple[int, int, int], after: tuple[int, int, int]) -> bool:
    return after[0] <= before[0] + GROWTH and after[1] <= before[1] + 2 and after[2] <= before[2]


def _until(law: Callable[[], bool]) -> bool:
    end = time.monotonic() + SETTLE
    while not law():
        if time.monotonic() > end:
            return False
        time.sleep(0.2)
    return True


def _wake(place: Place) -> None:
    """Bring up every worker, and load what is loaded once."""
    text = "4x4k4:X.../..../..../...."
    threads = [threading.Thread(target=ask, args=(place, f"/api/v1/analyze?position={text}")) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    leave_stream(place)
    time.sleep(8)  # a run whose readers have left is kept for a moment


# Good clients


def ask(place: Place, path: str) -> float:
    """The seconds that an answer took."""
    began = time.perf_counter()
    connection = http.client.HTTPConnection(*place, timeout=60)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        require(answer.status == 200, f"{answer.status} to {path}")
    finally:
        connection.close()
    return time.perf_counter() - began


def measure(place: Place) -> list[float]:
    """The times of quick questions."""
    return [ask(place, QUICK) for _ in range(ASKED)]


def said(times: list[float]) -> str:
    """Median and 99th percentile."""
    return f"p50 {1000 * statistics.median(times):.1f} ms, p99 {1000 * statistics.quantiles(times, n=100)[98]:.1f} ms"


# Bad clients


@contextlib.contextmanager
def _trickle(place: Place, beginning: bytes, piece: bytes) -> Iterator[None]:
    """Send a beginning, and then a piece now and then."""
    over = threading.Event()
    connection = socket.create_connection(place)
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
    connection.close()


def slow_headers(place: Place) -> contextlib.AbstractContextManager[None]:
    """A head that never ends."""
    return _trickle(place, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"X-A: b\r\n")


def slow_bodies(place: Place) -> contextlib.AbstractContextManager[None]:
    """A body that never ends."""
    return _trickle(place, POST + b"Content-Length: 5000\r\n\r\n", b" ")


@contextlib.contextmanager
def slow_readers(place: Place) -> Iterator[None]:
    """Asks for much, and reads nothing."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    connection.connect(place)
    request = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    connection.sendall(request * 4)
    yield
    connection.close()


@contextlib.contextmanager
def silent(place: Place) -> Iterator[None]:
    """Opens a connection, and says nothing."""
    with socket.create_connection(place):
        yield


def _again(still: threading.Event, act: Callable[[Place], None], place: Place) -> None:
    while not still.wait(0.05):
        with contextlib.suppress(OSError):
            act(place)


def too_large(place: Place) -> None:
    """A body and a head beyond all limits."""
    head = b"POST /api/v1/move HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    for data in (
        head + b"Content-Length: 20000000\r\n\r\n" + b"x" * 2_000_000,
        head
        + b"Transfer-Encoding: chunked\r\n\r\n"
        + b"10000\r\n"
        + b"x" * 65536
        + b"\r\n"
        + b"80000\r\n"
        + b"x" * 524_288,
        POST + b"X-Long: " + b"x" * 500_000 + b"\r\n\r\n",
        b"G" * 500_000,
    ):
        with socket.create_connection(place, timeout=30) as connection, contextlib.suppress(OSError):
            connection.sendall(data)
            status = connection.recv(12)
            require(not status.startswith(b"HTTP/1.1 5"), f"{status!r} to something too large")


def leave_stream(place: Place) -> None:
    """Begins to follow a solve, and leaves."""
    with socket.create_connection(place, timeout=60) as connection:
        connection.sendall(b"GET /api/v1/solve?game=4x5k4 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        connection.recv(2000)


def leave_job(place: Place) -> None:
    """Asks something slow, and leaves before the answer."""
    body = b'{"position": "15x15k5:' + b"/".join([b"." * 15] * 15) + b'", "player": "mcts:9000000"}'
    head = POST + f"Content-Length: {len(body)}\r\n\r\n".encode()
    with socket.create_connection(place, timeout=60) as connection:
        connection.sendall(head + body)
        time.sleep(0.3)


if __name__ == "__main__":
    print(main())
