"""The web server under load: 200 questions a second about 3x3 positions on one core, alone and among others.

The others are one slow job, and 20 clients each of whom asks the costliest questions that there are, one after another.

    python benchmarks/web.py               prints a table and writes benchmarks/results/web.json
    python benchmarks/web.py --class 30    thirty pages at once on two cores; writes benchmarks/results/web-class.json
    python benchmarks/web.py --class 30 --real 5       five of them are tabs of chromium

The load is open: a question is due every 5 ms whether or not the last one was answered, and its time runs from when it
was due. Positions are drawn from all 5,478, of which the server remembers the last 2,000 that were asked about. It and
its workers are kept to one core, the client to another, where the system can (Linux). Every answer is checked; what is
wrong or missing is counted. `_class.py` says what a class is.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from collections import Counter
from itertools import count
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any
from urllib.parse import quote

import _class
from _server import CORES, Connection, serving, write

from noughts import Game, Position, value

RATE, SECONDS, CONNECTIONS = 200, 20, 32
SLOW = {"position": str(Game.parse("15x15k5").start().play("h8")), "player": "mcts:9000000"}
HEAVY_CLIENTS = 20


def heavy(number: int) -> list[str]:
    """The costliest questions that there are: for each number others, so that nobody can remember the answers."""
    largest = Game.parse("32x32k5").start().play(number % 1024)
    how = f"position={quote(str(largest))}&depth=1&symmetry=true&table=true&order=best-known"
    game = Game.parse(("5x5k4", "6x6k4", "4x9k4", "3x3k2", "3x12k4")[number % 5])
    return [
        f"/api/v1/search?{how}&keep=2000",
        f"/api/v1/detectors?position={quote(str(game.start()))}",
        f"/api/v1/search/compare?{how}",
        f"/api/v1/legality?position={quote(str(largest))}",
        "/api/v1/atlas",
        "/api/v1/openapi.json",
        "/guide/",
    ]


def positions() -> list[Position]:
    """Every position of 3x3."""
    found = {Game().start(): None}
    todo = list(found)
    for position in todo:
        for cell in position.moves():
            after = position.play(cell)
            if after not in found:
                found[after] = None
                todo.append(after)
    return todo


async def burden(port: int, first: int, asked: Counter[int]) -> None:
    """One costly question after another, for ever; counts what comes back, by status."""
    connection = Connection(port)
    for number in count(first, HEAVY_CLIENTS):
        for path in heavy(number):
            status, _ = await connection.ask("GET", path, read=False)
            asked[status] += 1
            if status == 429:
                await asyncio.sleep(0.05)


async def load(port: int, seconds: float, slow_jobs: int = 0, burdened: int = 0, rate: int = RATE) -> dict[str, Any]:
    """Ask for so long, while so many slow jobs run and so many heavy clients ask beside it."""
    rng, drawn = Random(7), positions()
    truth = {position: value(position) for position in drawn}
    bystanders = [Connection(port) for _ in range(slow_jobs)]
    waiting = [asyncio.create_task(each.ask("POST", "/api/v1/move", json.dumps(SLOW).encode())) for each in bystanders]
    asked: Counter[int] = Counter()
    burdens = [asyncio.create_task(burden(port, number, asked)) for number in range(burdened)]
    if waiting or burdens:
        await asyncio.sleep(1)
    free: asyncio.Queue[Connection] = asyncio.Queue()
    for _ in range(CONNECTIONS):
        free.put_nowait(Connection(port))
    times: list[float] = []
    errors = 0

    async def one(due: float) -> None:
        nonlocal errors
        position = rng.choice(drawn)
        connection = await free.get()
        try:
            status, answer = await connection.ask("GET", f"/api/v1/analyze?position={quote(str(position))}")
            worth = truth[position]
            assert worth
            if status != 200 or (answer["value"], answer["remoteness"]) != (worth.outcome, worth.remoteness):
                errors += 1
        except (OSError, EOFError, ValueError, asyncio.IncompleteReadError):
            errors += 1
            await connection.close()
            connection = Connection(port)
        times.append(perf_counter() - due)
        free.put_nowait(connection)

    began = perf_counter()
    tasks = []
    for number in range(int(rate * seconds)):
        due = began + number / rate
        if (wait := due - perf_counter()) > 0:
            await asyncio.sleep(wait)
        tasks.append(asyncio.create_task(one(due)))
    await asyncio.gather(*tasks)
    took = perf_counter() - began
    still = sum(not task.done() for task in waiting)
    for task in (*waiting, *burdens):
        task.cancel()
    await asyncio.gather(*waiting, *burdens, return_exceptions=True)
    for each in [*bystanders, *(free.get_nowait() for _ in range(CONNECTIONS))]:
        await each.close()
    times.sort()
    return {
        "questions": len(times),
        "errors": errors,
        "rate": len(times) / took,
        "median_ms": median(times) * 1e3,
        "p99_ms": times[int(len(times) * 0.99)] * 1e3,
        "max_ms": times[-1] * 1e3,
        "slow_jobs": slow_jobs,
        "slow_jobs_still_running": still,
        "heavy_clients": burdened,
        "heavy_answers": dict(asked),
    }


def one_core(number: int) -> None:
    """Keep this process, and those that it will start, to one core."""
    if CORES:
        os.sched_setaffinity(0, {CORES[number % len(CORES)]})


def processor_seconds(pid: int) -> float:
    """What a process has used so far, its workers not counted; 0 where the system does not say."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure() -> list[dict[str, Any]]:
    """Start a server, load it, and stop it."""
    one_core(0)  # what is started stays there
    with serving() as (server, port):
        one_core(1)
        asyncio.run(load(port, 2))  # to warm up
        rows = []
        for slow_jobs, burdened in ((0, 0), (1, 0), (0, HEAVY_CLIENTS)):
            before = processor_seconds(server.pid)
            row = asyncio.run(load(port, SECONDS, slow_jobs, burdened))
            spent = processor_seconds(server.pid) - before
            rows.append({**row, "processor_ms": spent / row["questions"] * 1e3})
        return rows


def main() -> None:
    """Measure, print, write."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--class", dest="pages", type=int, help="so many pages at once instead, at least 3")
    options.add_argument("--real", type=int, default=0, help="so many of these in chromium")
    asked = options.parse_args()
    if asked.pages:
        _class.measure(max(3, asked.pages), asked.real)
        return
    rows = measure()
    titles = {"asked": 7, "errors": 8, "per s": 8, "median": 10, "p99": 10, "max": 10, "CPU each": 10}
    print(f"{'3x3 analysis, one core':<26}" + "".join(f"{title:>{width}}" for title, width in titles.items()))
    for row in rows:
        name = "alone"
        if row["slow_jobs"]:
            name = f"beside {row['slow_jobs']} slow job"
        if row["heavy_clients"]:
            name = f"among {row['heavy_clients']} heavy clients"
        times = "".join(f"{row[key]:>8.1f}ms" for key in ("median_ms", "p99_ms", "max_ms", "processor_ms"))
        print(f"{name:<26}{row['questions']:>7}{row['errors']:>8}{row['rate']:>8.0f}{times}")
    alone = rows[0]
    reached = alone["errors"] == 0 and alone["rate"] > RATE * 0.98 and alone["p99_ms"] < 50
    print(f"reach: {RATE} a second with p99 under 50 ms and no error: {'reached' if reached else 'MISSED'}")
    write("web", reached, rows)


if __name__ == "__main__":
    main()
