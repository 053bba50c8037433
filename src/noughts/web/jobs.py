"""Slow work in processes of its own: limited in number and time, and stopped when nobody waits for it any more.

quick question ----------------------------------------> answered on the spot
slow question  -> Desk.run -> [worker] [worker] …        a worker stays and remembers what it solved;
                    |                                    stopping a job kills its worker
                    too many already waiting: Busy
a solve        -> Desk.stream -> a process of its own that prints a line of JSON now and then (`solving.py`)
"""

from __future__ import annotations

import json
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

import anyio
from anyio import CapacityLimiter, to_process
from anyio.streams.buffered import BufferedByteReceiveStream
from starlette.requests import Request

from noughts.web.worker import answer

MAX_LINE = 1_000_000

T = TypeVar("T")


class Busy(Exception):
    """As many jobs as are allowed are under way or waiting."""


class TookTooLong(Exception):
    """The job was stopped at its time limit."""


class Stopping(Exception):
    """The server is being stopped, and its jobs with it."""


class Gone(Exception):
    """The client has left: nobody waits for the answer."""


@dataclass
class Desk:
    """Takes jobs in, as long as there is room."""

    workers: int = field(default_factory=lambda: max(2, min(4, os.cpu_count() or 1)))
    waiting: int = 6  # jobs that may wait for a worker
    solves: int = 2  # solves under way at once
    seconds: float = 20  # for one job, its wait included
    solve_seconds: float = 1200
    under_way: dict[str, int] = field(default_factory=lambda: {"jobs": 0, "solves": 0})

    def __post_init__(self) -> None:
        self._limiter: CapacityLimiter | None = None
        self._scopes: set[anyio.CancelScope] = set()

    async def run(self, job: Callable[..., dict[str, Any]], *args: Any) -> bytes:
        """The answer of a job as JSON, from a worker."""
        if self._limiter is None:  # belongs to the event loop, which did not run yet when the desk was set up
            self._limiter = CapacityLimiter(self.workers)
        with self._place("jobs", self.workers + self.waiting, self.seconds):
            return await to_process.run_sync(
                answer, int(self.seconds) + 1, job, *args, cancellable=True, limiter=self._limiter
            )
        raise AssertionError("not reached")

    async def warm_up(self, job: Callable[..., dict[str, Any]], *args: Any) -> None:
        """Do a job for nobody: the first who asks need not wait for a process to start."""
        with suppress(Busy, Stopping, TookTooLong):
            await self.run(job, *args)

    async def stream(self, tell: Callable[[dict[str, Any]], Awaitable[None]], *command: str) -> None:
        """Start a process and tell each line of JSON that it prints; leaving ends the process."""
        with self._place("solves", self.solves, self.solve_seconds):
            async with await anyio.open_process(command, stderr=None) as process:
                assert process.stdout
                lines = BufferedByteReceiveStream(process.stdout)
                with suppress(anyio.EndOfStream, anyio.IncompleteRead):
                    while True:
                        await tell(json.loads(await lines.receive_until(b"\n", MAX_LINE)))

    def close(self) -> None:
        """Stop every job."""
        for scope in self._scopes:
            scope.cancel()

    @contextmanager
    def _place(self, kind: str, most: int, seconds: float) -> Iterator[None]:
        """A place for one job, for so long."""
        if self.under_way[kind] >= most:
            raise Busy(f"the server is busy: at most {most} {kind} at once; try again in a moment")
        self.under_way[kind] += 1
        began = anyio.current_time()
        try:
            with anyio.move_on_after(seconds) as scope:
                self._scopes.add(scope)
                yield
        finally:
            self._scopes.discard(scope)
            self.under_way[kind] -= 1
        if scope.cancelled_caught:
            if anyio.current_time() < began + seconds:
                raise Stopping("the server is being stopped")
            raise TookTooLong(
                f"this took longer than the limit of {seconds:g} seconds and was stopped: "
                "try a smaller board, a fuller position or another player"
            )


async def while_listening(request: Request, job: Callable[[], Awaitable[T]]) -> T:
    """The result of an asynchronous job, which is cancelled as soon as the client leaves."""
    outcome: list[T] = []
    problems: list[Exception] = []

    async def listen() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        group.start_soon(listen)
        try:
            outcome.append(await job())
        except Exception as problem:
            problems.append(problem)
        group.cancel_scope.cancel()
    if problems:
        raise problems[0]
    if not outcome:
        raise Gone
    return outcome[0]
