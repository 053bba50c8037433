"""Slow work in processes of its own: limited in number and time, and stopped when nobody waits for it any more.

quick question ----------------------------------------> answered on the spot
short question -> Desk.run -> [worker] [worker] … [one more]   a worker stays and remembers what it solved;
long question  -> Desk.run -> [worker] [worker] …              stopping a job kills its worker
                    |
                    waits for its turn (`turns.py`); too many already waiting: TooManyJobs
a long run     -> Desk.open   -> a process of its own that prints a line of JSON now and then (`runs.py`)
                                     everybody who asks for the same follows the same run, from its beginning;
                                     it outlives a reload of the page, and ends when nobody has come back for it
"""

from __future__ import annotations

import json
import logging
import os
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from math import inf
from typing import Any, TypeVar

import anyio
from anyio.abc import TaskGroup
from anyio.streams.buffered import BufferedByteReceiveStream
from starlette.requests import Request

from noughts import child
from noughts.web.pool import Pool, within
from noughts.web.turns import TooManyJobs, Turns

MAX_LINE = 1_000_000

T = TypeVar("T")


class TookTooLong(Exception):
    """The job was stopped at its time limit."""


class Stopping(Exception):
    """The server is being stopped, and its jobs with it."""


class Cancelled(Exception):
    """Somebody who followed the run has stopped it."""


class Gone(Exception):
    """The client has left: nobody waits for the answer."""


@dataclass(eq=False)
class Run:
    """A process and what it has told so far.

    Each event has a serial number. A progress event takes the place of the one before it about the same level, so that
    whoever comes late reads a short story. Events are kept as the JSON that they came in: objects take far more.
    """

    command: tuple[str, ...]
    name: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    told: list[tuple[int, bytes]] = field(default_factory=list)
    about: tuple[str, Any] = "", None  # the last event: its kind and its level
    followers: int = 0
    leavings: int = 0  # how often the last of them has left
    over: bool = False
    problem: Exception | None = None
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    news: anyio.Event = field(default_factory=anyio.Event)

    @property
    def can_be_followed(self) -> bool:
        """Is it under way and to go on, or did it tell its result?"""
        if self.over:
            return self.about[0] == "summary"
        return not self.scope.cancel_called

    def tell(self, line: bytes) -> None:
        """One more event, as a line of JSON, for all who follow."""
        event = json.loads(line)
        serial = self.told[-1][0] if self.told else 0
        before, self.about = self.about, (event["event"], event.get("level"))
        if before == self.about and before[0] in ("progress", "waiting"):
            self.told.pop()
        self.told.append((serial + 1, line))
        self._wake()

    def end(self, problem: Exception | None = None) -> None:
        """Tell all who follow that no more events come."""
        self.over, self.problem = True, problem
        self._wake()

    async def follow(self, tell: Callable[[dict[str, Any]], Awaitable[None]]) -> None:
        """Tell every event from the first on, as they come, until the end."""
        seen = 0
        while True:
            news, over = self.news, self.over
            for serial, line in list(self.told):
                if serial > seen:
                    seen = serial
                    await tell(json.loads(line))
            if over:
                break
            await news.wait()
        if self.problem:
            raise self.problem

    def _wake(self) -> None:
        self.news.set()
        self.news = anyio.Event()


@dataclass
class Desk:
    """Takes jobs in, as long as there is room."""

    workers: int = field(default_factory=lambda: max(2, min(4, os.cpu_count() or 1)))  # and one for short jobs alone
    waiting: int = 64  # jobs that may wait for a worker: a class; as many short ones beside them, and as many runs
    each: int = 8  # of these of one client
    runs: int = 2  # long runs under way at once
    seconds: float = 20  # for one job, once it is its turn
    run_seconds: float = 1200
    patience: float = 5  # seconds for which a run goes on when nobody follows it: long enough to load a page again
    remembered: int = 8  # finished runs
    under_way: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("jobs", "short jobs", "runs", "followers"), 0)
    )

    def __post_init__(self) -> None:
        self._pool: Pool | None = None
        self.turns = Turns(self.workers + 1, self.workers, self.waiting, self.each)
        self.run_turns = Turns(self.runs, self.runs, self.waiting, self.each, pace=5, patience=inf)
        self._scopes: set[anyio.CancelScope] = set()
        self._runs: dict[tuple[str, ...], Run] = {}
        self._group: TaskGroup | None = None

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[TaskGroup]:
        """While the server runs: where long runs live."""
        async with anyio.create_task_group() as group:
            self._group = group
            yield group
            group.cancel_scope.cancel()
        if self._pool:
            await self._pool.close()

    async def run(self, job: Callable[..., T], *args: Any, long: bool = True, who: str = "") -> T:
        """What a function returns, from a worker, when it is this client's turn; long jobs leave one worker free."""
        if self._pool is None:  # belongs to the event loop, which did not run yet when the desk was set up
            self._pool = Pool(self.workers + 1)
        with self.place("jobs" if long else "short jobs"):
            async with self.turns.turn(who, long):
                with _within(self.seconds):
                    return await self._pool.run(within, int(self.seconds) + 1, job, *args)
        raise AssertionError("not reached")

    async def warm_up(self, job: Callable[..., object], *args: Any) -> None:
        """Do a job for nobody: the first who asks need not wait for a process to start."""
        with suppress(Exception):  # whoever asks first will hear of it
            await self.run(job, *args, long=False)

    def open(self, *command: str, again: bool = False, who: str = "") -> Run:
        """The run of this command: under way, remembered (unless it is to run `again`), or a new one of this client."""
        run = self._runs.get(command)
        if run is None or not run.can_be_followed or (again and run.over):
            assert self._group, "the desk is not at work"
            self._runs.pop(command, None)
            finished = [key for key, each in self._runs.items() if each.over]
            for old in finished[: max(0, len(finished) - self.remembered)]:
                del self._runs[old]
            run = self._runs[command] = Run(command)
            self._group.start_soon(self._live, run, who)
        return run

    async def follow(self, run: Run, tell: Callable[[dict[str, Any]], Awaitable[None]]) -> None:
        """Tell each event of a run; when its last follower leaves, it ends after a while."""
        run.followers += 1
        try:
            await run.follow(tell)
        finally:
            run.followers -= 1
            if not run.followers and not run.over and self._group:
                run.leavings += 1
                self._group.start_soon(self._wait_for_followers, run, run.leavings)

    def cancel(self, name: str) -> bool:
        """Stop a run, known by its name: was there one?"""
        for run in self._runs.values():
            if secrets.compare_digest(run.name.encode(), name.encode()):
                if not run.over:
                    run.end(Cancelled("this run was stopped"))
                    run.scope.cancel()
                return True
        return False

    async def _live(self, run: Run, who: str) -> None:
        """When it is its turn, start the process of a run and take down each line of JSON that it prints."""
        problem: Exception | None = None

        def told(place: int) -> None:
            run.tell(b'{"event": "waiting", "place": %d}' % place)

        with run.scope:
            try:
                with self.place("runs"):
                    async with self.run_turns.turn(who, told=told):
                        with _within(self.run_seconds):
                            async with await child.open_process(run.command) as process:
                                assert process.stdout
                                lines = BufferedByteReceiveStream(process.stdout)
                                with suppress(anyio.EndOfStream, anyio.IncompleteRead):
                                    while True:
                                        run.tell(await lines.receive_until(b"\n", MAX_LINE))
            except (TooManyJobs, Stopping, TookTooLong) as found:
                problem = found
            except Exception:  # a fault of this run, and of no other: it ends without a result
                logging.getLogger(__name__).exception("a long run has failed")
        if not run.over:
            run.end(Gone() if run.scope.cancelled_caught else problem)

    async def _wait_for_followers(self, run: Run, leaving: int) -> None:
        await anyio.sleep(self.patience)
        if not run.followers and run.leavings == leaving:  # nobody came, or came and left again, since
            run.scope.cancel()

    def close(self) -> None:
        """Stop every job."""
        for scope in self._scopes:
            scope.cancel()

    @contextmanager
    def place(self, kind: str) -> Iterator[None]:
        """Count one more of a kind, which ends when the server does."""
        self.under_way[kind] += 1
        try:
            with anyio.CancelScope() as scope:
                self._scopes.add(scope)
                yield
        finally:
            self._scopes.discard(scope)
            self.under_way[kind] -= 1
        if scope.cancelled_caught:
            raise Stopping("the server is being stopped")


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """Stop what takes longer."""
    with anyio.move_on_after(seconds) as scope:
        yield
    if scope.cancelled_caught:
        raise TookTooLong(
            f"this took longer than the limit of {seconds:g} seconds and was stopped: "
            "try a smaller board, a fuller position or another player"
        )


async def while_listening(request: Request, job: Callable[[], Awaitable[T]]) -> T:
    """The result of an asynchronous job, which is cancelled as soon as the client leaves or sends too much."""

    async def listen() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        group.cancel_scope.cancel()

    try:
        async with anyio.create_task_group() as group:  # whichever ends first ends the other
            group.start_soon(listen)
            outcome = await job()
            group.cancel_scope.cancel()
            return outcome
    except ExceptionGroup as problems:
        raise problems.exceptions[0] from None
    raise Gone
