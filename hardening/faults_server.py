"""The real server among bad clients: slow ones, silent ones, ones that send too much, ones that leave in the middle.

While they are there quick questions are answered as quickly as before; the server closes on every slow one, and when
the others have gone, its memory, open files and processes are what they were. Clients who ask the costliest questions
that there are keep its workers busy, and nobody else waiting.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
import statistics
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from laws import Broken, footprint, require
from serving import SERVE, Place, asked, held, meanwhile, serving

sys.path.append(str(Path(__file__).resolve().parents[1] / "benchmarks"))
from _class import Pupil  # type: ignore[import-not-found]

CLIENTS = 50  # of each kind
PUPILS = 30
QUICK = "/api/v1/analyze?position=XO./.X./..O"
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
# Quick answers stay quick, as far as a busy machine with two cores can tell: at most so many times as long as alone,
# and so many milliseconds more, at the median and at the 99th percentile. The bad ones alone keep both cores at work,
# which delays some answer by a slice of time or two. A server that waits for one, or a loop that is held up by one,
# costs every answer more than 5 ms, or some more than 50. Heavy clients keep all workers at it as well; a loop that
# does their work itself costs every answer seconds.
LIMITS = {"bad": {"p50": (4, 5), "p99": (5, 50)}, "heavy": {"p50": (10, 50), "p99": (10, 250)}}

GET = b"GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
POST = b"POST /api/v1/move HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
SIZED = POST + b"Content-Length: %d\r\n\r\n"
MUCH = GET % b"/api/v1/openapi.json" * OFTEN
HALVES = [b"", POST, SIZED % 5000 + b'{"position":']  # before a request, in its head, and in its body
LARGE = POST + b"Connection: close\r\n"
REFUSED = [  # what is closed on, or refused with this status before; halves, after which there will be no more, are not
    (LARGE + b"Content-Length: 20000000\r\n\r\n" + b"x" * 2_000_000, b"413"),
    (LARGE + b"Transfer-Encoding: chunked\r\n\r\n10000\r\n%b\r\n80000\r\n%b" % (b"x" * 2**16, b"x" * 2**19), b"413"),
    (LARGE + b"X-Long: " + b"x" * 500_000 + b"\r\n\r\n", b"400"),
    (b"G" * 500_000, b"400"),
    *((half, None) for half in HALVES),
]
SLOW = {  # what they send at first, and then twice a second
    "a head that never ends": (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"X-A: b\r\n"),
    "a body that never ends": (SIZED % 5000, b" "),
    "nothing, like one whose machine has gone": (b"", b""),
}
KINDS = len(SLOW) + 1  # with those who ask for much, and read nothing
LONG = b'{"position": "15x15k5:' + b"/".join([b"." * 15] * 15) + b'", "player": "mcts:9000000"}'

Footprint = tuple[int, int, int]


def main() -> str:
    """Measure, crowd, measure again, and wait until the crowd is gone."""
    with serving(*SERVE) as (process, place, _):

        def tell(when: str, times: list[float]) -> list[float]:
            print(f"  {when}: {said(times)}; {shown(footprint(process.pid))}", flush=True)
            return times

        wake(place)
        before, alone = footprint(process.pid), tell("alone", measure(place))
        with rudeness(place, *[costly] * HEAVY):
            time.sleep(1)  # until they are at it
            burdened = tell(f"among {HEAVY} heavy clients", measure(place))
        require_quick(alone, burdened, "heavy")
        with crowd(place) as readers:
            with rudeness(place):
                crowded = tell("among bad clients", measure(place))
            time.sleep(0.5)  # until the server has seen that the rude ones are gone
            there, slow = held(place), KINDS * CLIENTS
            require(there >= slow, f"of {slow} slow clients {there} were there to the end of measuring")
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
        tell("afterwards", measure(place))
    return (
        f"{slow} slow or silent clients at once, beside oversized, half-closed, vanishing and leaving ones: "
        f"quick answers {said(alone)} before, {said(crowded)} among them, {said(burdened)} among {HEAVY} who ask what "
        f"costs most; among as many {taught}; the server closed on every slow "
        f"one; before {shown(before)}, after {shown(after)}"
    )


# Laws


def require_quick(alone: list[float], crowded: list[float], who: str = "bad") -> None:
    """Quick answers are within the limits."""
    for (name, (times, more)), before, among in zip(LIMITS[who].items(), spread(alone), spread(crowded), strict=True):
        limit = times * before + more
        require(among <= limit, f"{name} is {among:.1f} ms among {who} clients: expected {limit:.1f} at most")


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
    """Median and 99th percentile, in milliseconds."""
    return 1000 * statistics.median(times), 1000 * statistics.quantiles(times, n=100)[98]


def said(times: list[float]) -> str:
    """The same in words."""
    return "p50 {:.1f} ms, p99 {:.1f} ms".format(*spread(times))


# Good clients


def wake(place: Place) -> None:
    """Bring up every worker, load what is loaded once, and let a crowd take what it takes: more would be a leak."""
    with ThreadPoolExecutor() as pool:
        list(pool.map(ask, [place] * 4, ["/api/v1/analyze?position=4x4k4:X.../..../..../...."] * 4))
    for path in asked_about_another():
        ask(place, path)
    with rudeness(place, *[costly] * HEAVY):
        time.sleep(5)
    for _ in range(2):  # after that it keeps next to nothing more of each
        with crowd(place), rudeness(place):
            measure(place)
            asyncio.run(lesson(place[1]))
    time.sleep(8)  # a run whose readers have left is kept for a moment


def ask(place: Place, path: str, allowed: tuple[int, ...] = (200,)) -> float:
    """The seconds that an answer took, which has one of these statuses."""
    began = time.perf_counter()
    status, _ = asked(place, path, patience=PATIENCE, follow=False)
    require(status in allowed, f"{status} to {path[:200]}")
    return time.perf_counter() - began


def measure(place: Place) -> list[float]:
    """The times of quick questions."""
    return [ask(place, QUICK) for _ in range(ASKED)]


async def lesson(port: int) -> str:
    """A class plays: everybody opens the page, and plays a game against level 4. Every tap must be answered."""
    pupils = [Pupil(port, number) for number in range(PUPILS)]
    await asyncio.gather(*(pupil.open() for pupil in pupils))
    await asyncio.gather(*(pupil.play(1) for pupil in pupils))
    taps, answered, refused = (sum(getattr(each, name) for each in pupils) for name in ("taps", "answered", "refused"))
    require(taps == answered and not refused, f"of {taps} taps {answered} were answered, {refused} questions refused")
    times = [1000 * each for pupil in pupils for each in pupil.times]
    return f"a class of {PUPILS} played, {taps} taps, none lost, level 4 at p50 {statistics.median(times):.0f} ms"


# Slow clients


@contextlib.contextmanager
def crowd(place: Place) -> Iterator[list[socket.socket]]:
    """So many of each kind at once; those among them who ask for much, and read nothing."""
    over = threading.Event()
    with contextlib.ExitStack() as stack:
        readers = [stack.enter_context(socket.socket()) for _ in range(CLIENTS)]
        for reader in readers:
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            reader.settimeout(PATIENCE)
            reader.connect(place)
            reader.sendall(MUCH)
        time.sleep(5)  # until they are served as far as they can be
        slow = [(stack.enter_context(socket.create_connection(place)), each) for each in [*SLOW.values()] * CLIENTS]

        def trickle() -> None:
            for connection, (beginning, _) in slow:
                connection.sendall(beginning)
            while not over.wait(0.5):
                for connection, (_, piece) in slow:
                    with contextlib.suppress(OSError):
                        connection.sendall(piece)

        with meanwhile(over, trickle):
            time.sleep(1)
            yield readers


# Heavy clients


def costly(place: Place) -> None:
    """Asks what costs most, each time about another board: answered, refused for want of room, or stopped."""
    for path in asked_about_another():
        ask(place, path, (200, 422, 429))


def asked_about_another() -> list[str]:
    """The costly questions, about a board that hardly anybody has asked about."""
    row, column = divmod(random.randrange(1024), 32)
    rows = ["." * 32] * 32
    rows[row] = "." * column + "X" + "." * (31 - column)
    return [path.format(large="32x32k5:" + "/".join(rows)) for path in COSTLY]


# Rude clients


@contextlib.contextmanager
def rudeness(place: Place, *acts: Callable[[Place], None]) -> Iterator[None]:
    """Every rude client, or these, again and again; afterwards raises what one of them found broken."""
    over = threading.Event()

    def again(act: Callable[[Place], None]) -> None:
        while not over.wait(0.05):
            try:
                act(place)
            except OSError as problem:
                raise Broken(f"{act.__name__}: {problem}") from problem

    with meanwhile(over, *(partial(again, act) for act in acts or RUDE)):
        yield


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


def refused(place: Place) -> None:
    """Sends too much, or half of it: the server closes, and says nothing else."""
    for data, status in REFUSED:
        with socket.create_connection(place, timeout=PATIENCE) as connection:
            with contextlib.suppress(OSError):  # closed before their end: there may be an answer all the same
                connection.sendall(data)
                if status is None:
                    connection.shutdown(socket.SHUT_WR)
            answer = _rest(connection)
        require(not answer or answer.split()[1] == status, f"{answer[:100]!r} to {len(data):,} bytes, {data[:60]!r}")


def vanish(place: Place) -> None:
    """Resets the connection, at every half, and while it is answered."""
    for data in (*HALVES, MUCH):
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
    with socket.create_connection(place, timeout=PATIENCE) as connection:
        connection.sendall(SIZED % len(LONG) + LONG)
        time.sleep(0.3)


RUDE = [refused, vanish, leave_stream, leave_job]
