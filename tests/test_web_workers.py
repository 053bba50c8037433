"""A worker that dies, at whatever moment, is replaced: the next question is answered, and so are long runs."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the web tests need the extra: pip install noughts[web]")
httpx = pytest.importorskip("httpx")

from loop import in_a_loop  # noqa: E402

from noughts import child  # noqa: E402
from noughts.web import pool  # noqa: E402
from noughts.web.jobs import Desk  # noqa: E402
from noughts.web.server import in_background  # noqa: E402

PATIENCE = 60  # seconds: only there to end a hang
MOVE = {"position": ".........", "player": "minimax", "seed": 1}  # searched for by a worker


def require_all_answered(address: str) -> None:
    """A worker and the long runs do what they are asked."""
    with httpx.Client(base_url=f"{address}api/v1/", timeout=PATIENCE) as client:
        assert client.post("move", json=MOVE).status_code == 200
        for question in ("solve?game=3x3k3", "match?n=2"):
            answer = client.get(question)
            assert (answer.status_code, "event: summary" in answer.text) == (200, True), answer.text


def killing(monkeypatch: pytest.MonkeyPatch, first: int, kill: Callable[[Any], None]) -> list[Any]:
    """Have this done to so many of the first processes as soon as they are started; the list fills with them."""
    start, started = child.open_process, []

    async def open_process(command: Any) -> Any:
        process = await start(command)
        started.append(process)
        if len(started) <= first:
            kill(process)
        return process

    monkeypatch.setattr(child, "open_process", open_process)
    return started


def until(law: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not law():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.01)


@pytest.mark.parametrize("dying", [1, 2, 3])
def test_workers_that_die_while_they_warm_up_are_replaced(monkeypatch: pytest.MonkeyPatch, dying: int) -> None:
    started = killing(monkeypatch, dying, lambda process: process.kill())
    with in_background() as address:
        until(lambda: started and started[0].returncode is not None)
        if dying == 3:  # the first question loses its worker as well, and gets another
            until(lambda: len(started) == 2 and started[1].returncode is not None)
        require_all_answered(address)


def test_a_process_that_cannot_be_started_is_started_later(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[None] = []

    def fail(process: Any) -> None:
        process.kill()
        tried.append(None)
        raise BlockingIOError(11, "Resource temporarily unavailable")

    killing(monkeypatch, 1, fail)
    with in_background() as address:
        until(lambda: tried)
        require_all_answered(address)


def test_an_idle_worker_that_dies_is_replaced() -> None:
    desk = Desk()
    with in_background(desk) as address:
        require_all_answered(address)
        assert desk._pool
        for worker in desk._pool._idle:
            os.kill(worker.pid, signal.SIGKILL)
        require_all_answered(address)


def test_a_worker_that_dies_in_the_middle_is_replaced_and_the_question_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Any] = []
    ask = pool.Pool._ask

    async def once(self: pool.Pool, worker: Any, request: bytes) -> Any:
        """Kill the first worker when it has been asked."""
        asked.append(worker)
        if len(asked) == 1:
            asyncio.get_running_loop().call_soon(worker.kill)
        return await ask(self, worker, request)

    async def work() -> None:
        workers = pool.Pool(2)
        assert await workers.run(pow, 2, 10) == 1024
        assert len(asked) == 2
        await workers.close()

    monkeypatch.setattr(pool.Pool, "_ask", once)
    in_a_loop(work)


def test_a_job_that_ends_every_worker_is_given_up_and_costs_only_two(monkeypatch: pytest.MonkeyPatch) -> None:
    started = killing(monkeypatch, 0, lambda process: None)

    async def work() -> None:
        workers = pool.Pool(2)
        with pytest.raises(pool.WorkerDied):
            await workers.run(os._exit, 3)
        assert len(started) == 2
        assert await workers.run(abs, -4) == 4
        await workers.close()

    in_a_loop(work)


@pytest.mark.parametrize("says", ["no JSON", "[]", "{}", "x" * 2_000_000, '{"event": "progress"}'])
def test_a_run_that_talks_nonsense_or_dies_harms_no_other(says: str) -> None:
    """Whatever a run does, the place where runs live goes on."""
    heard: list[Any] = []

    async def hear(event: dict[str, Any]) -> None:
        heard.append(event["event"])

    async def work() -> None:
        desk = Desk()
        async with desk.at_work():
            told = f"print({says!r}[:{len(says)}], flush=True)" if len(says) < 99 else "print('x' * 2_000_000)"
            bad = desk.open(*child.code(told))
            await desk.follow(bad, hear)
            assert not bad.can_be_followed
            heard.clear()
            await desk.follow(desk.open(*child.code('print(\'{"event": "summary"}\')')), hear)

    in_a_loop(work)
    assert heard == ["summary"]
