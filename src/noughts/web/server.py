"""`noughts serve`: the socket, the browser, and a clean end on Ctrl-C; pressed again it ends at once."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from types import FrameType
from typing import Any

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from noughts.interrupt import leave
from noughts.web.addresses import in_terminal, others_open
from noughts.web.app import LOCAL, create_app
from noughts.web.jobs import Desk
from noughts.web.lesson import Lesson
from noughts.web.pool import dump

HOST, PORT, TRIES = "127.0.0.1", 8765, 20
MOST = 1000  # connections, wherever more files may be open
BACKLOG = 128  # connections that wait to be let in
# How soon a client who is out of reach is missed, where the system can be told: seconds, a number, milliseconds.
MISSED = {"TCP_KEEPIDLE": 20, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 60_000}
MAX_HEADERS = 100  # of a request


class CannotServe(ValueError):
    """No socket could be had."""


def bind(host: str = HOST, port: int | None = None) -> socket.socket:
    """A listening socket: on this port, or without one on the first free port from 8765 on."""
    ports = range(PORT, PORT + TRIES) if port is None else (port,)
    for number in ports:
        try:
            return _listen(host, number)
        except UnicodeError:  # so says Python of what cannot be a name
            raise CannotServe(f"{host[:40]!r} is not the name or address of a host") from None
        except OSError as problem:
            if problem.errno == errno.EADDRINUSE and port is None:
                continue
            raise CannotServe(_why(problem, host, number)) from None
    raise CannotServe(f"ports {PORT} to {PORT + TRIES - 1} are all in use: --port chooses another one, 0 any free one")


def _listen(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    made = Door(family, kind, protocol)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name in MISSED.keys() & vars(socket).keys():
            made.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), MISSED[name])
        made.bind(address)
        made.listen(BACKLOG)
    except BaseException:
        made.close()
        raise
    return made


class Door(socket.socket):
    """A listening socket that can close on clients even when this process may open no more files.

    It keeps a file that it can give up for a moment: a client who is not let in would be at the door again at once.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._spare = os.open(os.devnull, os.O_RDONLY)

    def accept(self) -> tuple[socket.socket, Any]:
        """The next client; BlockingIOError, as if there were none, after one that had to be turned away."""
        try:
            return super().accept()
        except OSError as problem:
            if problem.errno not in (errno.EMFILE, errno.ENFILE):
                raise
        os.close(self._spare)
        try:
            super().accept()[0].close()
        finally:
            self._spare = os.open(os.devnull, os.O_RDONLY)
        raise BlockingIOError

    def close(self) -> None:
        """Close the socket, and the file that is held in reserve."""
        spare, self._spare = self._spare, -1
        if spare >= 0:
            os.close(spare)
        super().close()


def most_connections() -> int:
    """How many clients are let in at once: half of the files that may be open; other work needs the rest."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_NOFILE, getrlimit
    except ImportError:  # not on Windows
        return MOST
    files = getrlimit(RLIMIT_NOFILE)[0]
    return MOST if files == RLIM_INFINITY else min(MOST, files // 2)


def let_more_in() -> None:
    """Take more clients, where the system lets this process open more files: a tablet may come with six connections."""
    with suppress(ImportError, OSError, ValueError):
        from resource import RLIM_INFINITY, RLIMIT_NOFILE, getrlimit, setrlimit

        files, most = getrlimit(RLIMIT_NOFILE)
        if RLIM_INFINITY != files < 2 * MOST:
            setrlimit(RLIMIT_NOFILE, (2 * MOST if most == RLIM_INFINITY else min(2 * MOST, most), most))
    Connection.most = most_connections()


def _why(problem: OSError, host: str, port: int) -> str:
    if problem.errno == errno.EADDRINUSE:
        return f"port {port} is in use, perhaps by another noughts serve: --port chooses another one, 0 any free one"
    if problem.errno == errno.EACCES:
        return f"port {port} needs special rights: choose one above 1023 with --port"
    return f"cannot listen on {host}, port {port}: {problem.strerror or problem}"


def address_of(listening: socket.socket, host: str) -> str:
    """What to type into the browser."""
    port = listening.getsockname()[1]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}/"


def serve(
    host: str = HOST, port: int | None = None, *, browser: bool = True, say: Callable[[str], None] = print,
    lesson: Lesson | None = None, **offers: Any,
) -> None:  # fmt: skip
    """Serve until Ctrl-C, with what `create_app` is to offer beyond the usual."""
    let_more_in()
    with bind(host, port) as listening, Stop() as stop:
        address = address_of(listening, host)
        local = host in ("127.0.0.1", "localhost", "::1")
        say(f"noughts: the laboratory is at {address}  (Ctrl-C ends it)")
        others = () if local else others_open(host, listening.getsockname()[1])
        if not local:
            say(f"noughts: anybody who reaches {host} can use it; it has no password")
            _invite(others, lesson, say)
        if lesson:
            address += f"?lead={lesson.key}"
            say(f"noughts: you lead the class from {address}  (keep this address to yourself)")
        desk = Desk()
        app = create_app(LOCAL if local else ("*",), desk, lesson=lesson, addresses=others, **offers)
        if browser:
            threading.Thread(target=_open, args=(address,), daemon=True).start()
        Server(configure(app), desk, stop).run(sockets=[listening])
        say("noughts: stopped")


def _invite(others: Sequence[str], lesson: Lesson | None, say: Callable[[str], None]) -> None:
    """Say which addresses others open, and show the likeliest as a QR code."""
    links = [f"{each}?join={lesson.word}" if lesson else each for each in others]
    if not links:
        say("noughts: no address of this machine was found that others could open; its network settings have it")
        return
    say(f"noughts: others open {' or '.join(links)}")
    if code := in_terminal(links[0]):
        say(code)


class Stop:
    """Ctrl-C, or the signal that ends processes: it asks the server to stop, and when it comes again it does not ask.

    It is never an exception: inside an event loop, or while an application is put together, nobody is ready for one.
    """

    def __init__(self) -> None:
        self.asked = False

    def __enter__(self) -> Stop:
        self._before = {number: signal.signal(number, self) for number in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Take note of the signal."""
        if self.asked:
            leave()
        self.asked = True


@contextmanager
def in_background(desk: Desk | None = None, port: int = 0, **offers: Any) -> Iterator[str]:
    """The laboratory in a thread of its own, for a notebook or a test: its address.

    What it is to offer beyond the usual goes to `create_app`.

    >>> from urllib.request import urlopen
    >>> with in_background() as address:
    ...     urlopen(address + "api/v1/games").status
    200
    """
    desk = desk or Desk()
    with bind(HOST, port) as listening:
        server = Server(configure(create_app(LOCAL, desk, **offers)), desk)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield address_of(listening, HOST)
        finally:
            server.should_exit = True
            thread.join(10)


def configure(app: FastAPI) -> uvicorn.Config:
    """How uvicorn runs the application."""
    return uvicorn.Config(
        app, http=Connection, log_level="warning", server_header=False, ws="none", timeout_graceful_shutdown=2,
        timeout_keep_alive=30, backlog=BACKLOG,
    )  # fmt: skip


class Parser(h11.Connection):
    """Reads requests, but none with thousands of headers: that takes long, and everybody waits meanwhile."""

    def next_event(self) -> Any:
        """What comes next, unless it begins with too many lines."""
        if self.their_state is h11.IDLE:
            head = re.split(rb"\n\r?\n", self.trailing_data[0], maxsplit=1)[0]
            if head.count(b"\n") > MAX_HEADERS:
                raise h11.RemoteProtocolError(f"a request has at most {MAX_HEADERS} headers")
        return super().next_event()


class Connection(H11Protocol):
    """A connection that nobody holds open for nothing: one whose client is too slow is closed.

    A request must be there with its last byte in time, counted from its first one or from the opening of the
    connection, and what does not fit on its way to the client must leave in time. When too many are there, the next
    one is told so and closed.
    """

    reading = 20.0  # seconds
    writing = 60.0
    most = most_connections()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.conn = Parser(h11.SERVER)
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client is there: its request is awaited, if there is room."""
        super().connection_made(transport)
        if len(self.connections) > self.most:
            transport.write(_full(self.most))
            transport.close()
        else:
            self._expect("reading", self.reading)

    def data_received(self, data: bytes) -> None:
        """Some of a request came."""
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._expect("reading", self.reading)
        else:
            self._came("reading")

    def pause_writing(self) -> None:
        """The client does not read fast enough."""
        super().pause_writing()
        self._expect("writing", self.writing)

    def resume_writing(self) -> None:
        """Go on writing: the client has caught up."""
        super().resume_writing()
        self._came("writing")

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        super().connection_lost(exc)
        self._came("reading")
        self._came("writing")

    def _expect(self, what: str, seconds: float) -> None:
        if what not in self._timers:
            self._timers[what] = self.loop.call_later(seconds, self.transport.abort)

    def _came(self, what: str) -> None:
        if what in self._timers:
            self._timers.pop(what).cancel()


def _full(most: int) -> bytes:
    """The answer to one too many."""
    body = dump({"detail": f"the server is full: at most {most} connections at once; try again in a moment"})
    head = (
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\nretry-after: 1\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + body


class Server(uvicorn.Server):
    """A server that stops the jobs under way before it waits for its connections to end."""

    def __init__(self, config: uvicorn.Config, desk: Desk, stop: Stop | None = None) -> None:
        super().__init__(config)
        self.desk, self.stop = desk, stop

    def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]
        """Leave the signals to `stop`, which has them since before there was a server."""
        return nullcontext()

    async def on_tick(self, counter: int) -> bool:
        """Is it to stop? Asked ten times a second."""
        return await super().on_tick(counter) or bool(self.stop and self.stop.asked)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop the server."""
        self.desk.close()
        await super().shutdown(sockets)


def _open(address: str) -> None:
    """Open the page in a browser that has a window of its own; a text browser would take the terminal."""
    with suppress(webbrowser.Error):
        found = webbrowser.get()
        if type(found) is not webbrowser.GenericBrowser:
            found.open(address)
