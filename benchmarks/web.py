"""The web server under load: 200 questions a second about 3x3 positions on one core, alone and among others.

The others are one slow job, and 20 clients each of whom asks the costliest questions that there are, one after another.

    python benchmarks/web.py               prints a table and writes benchmarks/results/web.json
    python benchmarks/web.py --class 30    thirty pages at once on two cores; writes benchmarks/results/web-class.json

The load is open: a question is due every 5 ms whether or not the last one was answered, and its time runs from when it
was due. Positions are drawn from all 5,478, of which the server remembers the last 2,000 that were asked about. It and
its workers are kept to one core, the client to another, where the system can (Linux). Every answer is checked; what is
wrong or missing is counted.

A class is so many pages that are opened at the same moment, with all their files, and ask what a page asks: each plays
games against level 4 with its taps within two seconds, but one solves 4x4 and one searches, again and again. As a page
does, they ask again where the server says when. Server, workers and pages share two cores.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any
from urllib.parse import quote

import noughts
from noughts import Game, Position, native, value

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


class Connection:
    """One connection that is kept alive; HTTP as far as our own server speaks it."""

    def __init__(self, port: int, page: str = "") -> None:
        self.port, self.page = port, page
        self.later = 0  # seconds after which the last question is to be asked again
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, body: bytes = b"", *, read: bool = True) -> tuple[int, Any]:
        """The status and the JSON of an answer, unless it is not to be read."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        assert self.reader
        kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
        kind += f"X-Page: {self.page}\r\n" if self.page else ""
        self.writer.write(f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{kind}\r\n".encode() + body)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        later = re.search(r"retry-after: (\d+)", head, re.IGNORECASE)
        self.later = int(later[1]) if later else 0
        length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
        if length:
            body = await self.reader.readexactly(int(length[1]))
        else:  # events, of which the last counts
            body = b""
            while line := await self.reader.readline():
                body = line.removeprefix(b"data: ") if line.startswith(b"data: ") else body
                if line == b"0\r\n":
                    await self.reader.readline()
                    break
        return int(head.split()[1]), json.loads(body) if read else None

    async def close(self) -> None:
        """End it."""
        if self.writer:
            self.writer.close()


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


# A class

GAMES_EACH, TAPS, THINK = 5, 5, 0.35  # five taps of a game are made within two seconds
STATIC = Path(noughts.__file__).parent / "web" / "static"


class Pupil:
    """A page: what it asks, as it asks it; notes how long level 4 takes, and what is refused in the end."""

    def __init__(self, port: int, number: int) -> None:
        self.rng, self.connection = Random(number), Connection(port, f"page-{number}")
        self.times: list[float] = []
        self.taps = self.answered = self.again = self.refused = 0

    async def ask(self, method: str, path: str, body: Any = None, *, read: bool = True) -> Any:
        """An answer, asked for again as long as the server says when."""
        while True:
            status, answer = await self.connection.ask(
                method, path, json.dumps(body).encode() if body else b"", read=read
            )
            if not self.connection.later:
                self.refused += status != 200
                return answer
            self.again += 1
            await asyncio.sleep(self.connection.later * self.rng.uniform(1, 1.5))

    async def open(self) -> None:
        """The page with its files, and what it asks first."""
        shown = [path for folder in ("", "shared", "play", "vendor") for path in (STATIC / folder).glob("*.*")]
        for path in ("/", *(f"/static/{each.relative_to(STATIC)}" for each in shown if each.suffix in (".js", ".css"))):
            await self.ask("GET", path, read=False)
        for path in ("class", "games", "players?game=3x3k3"):
            await self.ask("GET", f"/api/v1/{path}")

    async def play(self) -> None:
        """Games of taps, each answered by level 4."""
        for _ in range(GAMES_EACH):
            await self.ask("POST", "/api/v1/review", {"game": "3x3k3", "moves": [], "values": False})
            found = await self.ask("GET", f"/api/v1/analyze?position={'.' * 9}")
            seed = self.rng.randrange(2**32)
            while found["status"] == "ongoing":
                await asyncio.sleep(THINK)
                tap = {"position": found["position"], "move": self.rng.choice(found["moves"])["move"]}
                self.taps += 1
                found = (await self.ask("POST", "/api/v1/move", tap))["analysis"]
                if found["status"] == "ongoing":
                    began = perf_counter()
                    question = {"position": found["position"], "player": "level-4", "seed": seed}
                    found = (await self.ask("POST", "/api/v1/move", question))["analysis"]
                    self.times.append(perf_counter() - began)
                self.answered += 1
            await self.ask("POST", "/api/v1/review", {"position": found["position"], "moves": []})

    async def repeat(self, paths: list[str]) -> None:
        """Ask these, one after another, for ever."""
        while True:
            for path in paths:
                await self.ask("GET", path)


async def lesson(port: int, pages: int) -> dict[str, Any]:
    """So many pages at once."""
    pupils = [Pupil(port, number) for number in range(pages)]
    solver, searcher, *players = pupils
    await asyncio.gather(*(each.open() for each in pupils))
    others = [
        asyncio.create_task(solver.repeat(["/api/v1/solve?game=4x4k4&again=true"])),
        asyncio.create_task(
            searcher.repeat(
                [f"/api/v1/search?position={'.' * 9}&keep=300", f"/api/v1/search/compare?position={'.' * 9}"]
            )
        ),
    ]
    began = perf_counter()
    await asyncio.gather(*(each.play() for each in players))
    took = perf_counter() - began
    failed = [task for task in others if task.done()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    for each in pupils:
        await each.connection.close()
    times = sorted(time for each in players for time in each.times)
    return {
        "pages": pages,
        "seconds": took,
        "taps": sum(each.taps for each in pupils),
        "lost": sum(each.taps - each.answered for each in pupils) + len(failed),
        "refused": sum(each.refused for each in pupils),
        "asked_again": sum(each.again for each in pupils),
        "level_4_moves": len(times),
        "median_ms": median(times) * 1e3,
        "p95_ms": times[int(len(times) * 0.95)] * 1e3,
        "max_ms": times[-1] * 1e3,
    }


def measure_class(pages: int) -> None:
    """Start a server on two cores, open so many pages, print and write."""
    if CORES:
        os.sched_setaffinity(0, set(CORES[:2]))
    with serving() as server:
        row = asyncio.run(lesson(server[1], pages))
    print(f"{pages} pages, one solves 4x4, one searches; two cores")
    print(f"{'taps':>8}{'lost':>8}{'refused':>9}{'asked again':>13}{'median':>10}{'p95':>10}{'max':>10}   level-4 move")
    counts = f"{row['taps']:>8}{row['lost']:>8}{row['refused']:>9}{row['asked_again']:>13}"
    print(counts + "".join(f"{row[key]:>8.1f}ms" for key in ("median_ms", "p95_ms", "max_ms")))
    reached = not row["lost"] and not row["refused"] and row["p95_ms"] < 300
    print(f"reach: no lost move, no refusal, p95 under 300 ms: {'reached' if reached else 'MISSED'}")
    write("web-class", reached, [row])


CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


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


@contextmanager
def serving() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server on the cores of this process, and its port."""
    command = [sys.executable, "-m", "noughts", "serve", "--no-browser", "--port", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr
        found = re.search(r":(\d+)/", server.stderr.readline())
        assert found
        yield server, int(found[1])
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()


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
    if pages := options.parse_args().pages:
        measure_class(max(3, pages))
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


def write(name: str, reached: bool, rows: list[dict[str, Any]]) -> None:
    """Write what was measured, and on what."""
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    facts = {"python": platform.python_version(), "machine": platform.machine(), "core": native.status()}
    load_average = os.getloadavg() if hasattr(os, "getloadavg") else None
    found = {**facts, "cpus": os.cpu_count(), "load_average": load_average, "reached": reached, "rows": rows}
    (results / f"{name}.json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
