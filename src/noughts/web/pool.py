"""Worker processes that stay: each does one job at a time, and remembers what it has solved.

    server --- length, pickle of (job, arguments) ---> worker        `noughts.web.pool` as a program
           <-- length, pickle of (good, result) ------

Whoever stops waiting for a job ends its worker, and no process is ever lost, whenever that happens. A worker ends when
its input does. One that dies, at whatever moment, is replaced, and its job given once more to a new one.

`anyio.to_process` has such workers, too, and ends one whose job is given up; but it starts them where a file of the
user's in the current folder can pass for a module, and asks no dead one's job again. `concurrent.futures` ends none.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import anyio
from anyio import CancelScope, CapacityLimiter
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from noughts import child

LENGTH = 8  # bytes of a length

T = TypeVar("T")


class WorkerDied(Exception):
    """A worker ended in the middle of a job."""


class Pool:
    """Up to so many workers, started when they are needed; belongs to the event loop in which it was made."""

    def __init__(self, most: int) -> None:
        self._limiter = CapacityLimiter(most)
        self._idle: list[Process] = []

    async def run(self, job: Callable[..., T], *args: Any) -> T:
        """What a function that both sides can import returns, or raises, in a worker."""
        request = pickle.dumps((job, args))
        async with self._limiter:
            try:
                good, result = await self._ask(await self._worker(), request)
            except WorkerDied:  # perhaps long ago, while it waited: a new one tells whether it is the job's fault
                good, result = await self._ask(await _start(), request)
        if not good:
            raise result
        found: T = result
        return found

    async def close(self) -> None:
        """End the workers that wait for a job."""
        while self._idle:
            await _end(self._idle.pop())

    async def _worker(self) -> Process:
        while self._idle:
            worker = self._idle.pop()
            if worker.returncode is None:
                return worker
            await _end(worker)
        return await _start()

    async def _ask(self, worker: Process, request: bytes) -> tuple[bool, Any]:
        assert worker.stdin
        assert worker.stdout
        try:
            await worker.stdin.send(len(request).to_bytes(LENGTH, "big") + request)
            replies = BufferedByteReceiveStream(worker.stdout)
            size = int.from_bytes(await replies.receive_exactly(LENGTH), "big")
            reply: tuple[bool, Any] = pickle.loads(await replies.receive_exactly(size))
        except BaseException as problem:
            await _end(worker)
            if isinstance(problem, OSError | anyio.BrokenResourceError | anyio.EndOfStream | anyio.IncompleteRead):
                raise WorkerDied("a worker ended in the middle of a job") from None
            raise
        self._idle.append(worker)
        return reply


async def _start() -> Process:
    with CancelScope(shield=True):  # soon done, and half a start could not be undone
        return await child.open_process(child.module(__name__))
    raise AssertionError("not reached")


async def _end(worker: Process) -> None:
    with suppress(ProcessLookupError):
        worker.kill()
    with CancelScope(shield=True):
        await worker.aclose()


# In the worker


def within(seconds: int, job: Callable[..., T], *args: Any) -> T:
    """Do a job. Should the server be killed meanwhile, an alarm ends this process too."""
    alarm = getattr(signal, "alarm", lambda seconds: None)  # not on Windows
    alarm(seconds)
    try:
        return job(*args)
    finally:
        alarm(0)


def dump(data: Any) -> bytes:
    """An answer as JSON."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def step_back() -> None:
    """Let the server go first, and leave Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setpriority"):  # not on Windows
        os.setpriority(os.PRIO_PROCESS, 0, max(10, os.getpriority(os.PRIO_PROCESS, 0)))


def main() -> None:
    """The worker: do jobs until there are no more."""
    step_back()
    requests, replies = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a job prints goes where complaints go
    while length := requests.read(LENGTH):
        job, args = pickle.loads(requests.read(int.from_bytes(length, "big")))
        try:
            reply = pickle.dumps((True, job(*args)))
        except Exception as problem:
            reply = pickle.dumps((False, problem))
        replies.write(len(reply).to_bytes(LENGTH, "big") + reply)
        replies.flush()


if __name__ == "__main__":
    main()
