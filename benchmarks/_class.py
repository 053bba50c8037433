"""A class at one server: so many pages at once, which ask what a page asks, when it asks it.

Each is opened with all its files, then plays games against level 4, the next tap as soon as the answer is shown: the
taps of a game come within two seconds. But one solves 4x4 and one searches, again and again. Server, workers and pages
share two cores. `tests/test_web_class.py` holds what these pages ask against what a tab of chromium asks, and with
--real some of them are such tabs, which take far more of the two cores than the server does.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
from collections.abc import Iterable
from contextlib import asynccontextmanager, suppress
from posixpath import dirname, normpath
from random import Random
from statistics import median
from time import perf_counter
from typing import Any
from urllib.parse import urlencode

from _server import CORES, Connection, serving, write

GAMES_EACH, THINK = 5, 0.1  # seconds between an answer and the next tap
SHOWN = 0.35  # seconds after which a page shows an answer, however quickly it came (table.js)
LONG, BACK = 3.0, 1.5  # seconds after which it says that it waits, and looks for a server that was lost (server.js)
START = ".../.../..."
LINKED = re.compile(r'(?:src|href)="(/static/[^"]+\.(?:js|css|svg|woff2))"')
IMPORTED = re.compile(r'^(?:import|export)\b[^"]*"(\.[^"]+)"', re.MULTILINE)
TAB = ["/static/play/style.css", "/static/play/tab.js"]  # which the page fetches when the tab is looked at
SEARCH = {"algorithm": "alphabeta", "window": "carried", "order": "natural", "table": "false", "symmetry": "false"}
MARKED, OVER = "[role=gridcell]:is([aria-label*=', X'], [aria-label*=', O'])", "[aria-label=Game] .card"  # in a tab
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


class Pupil:
    """A page: what it asks, as it asks it; notes how long level 4 takes, what is refused, and what waits long."""

    def __init__(self, port: int, number: int) -> None:
        self.rng, self.connection = Random(number), Connection(port, f"page-{number}")
        self.asked: list[tuple[str, str]] = []
        self.times: list[float] = []
        self.taps = self.answered = self.again = self.refused = self.told = 0

    async def ask(self, method: str, path: str, body: Any = None, *, read: bool = True) -> Any:
        """An answer, asked for again when the server says so, and when it was lost and is back."""
        self.asked.append((method, path))
        text, began = json.dumps(body).encode() if body else b"", perf_counter()
        while True:
            try:
                status, answer = await self.connection.ask(method, path, text, read=read)
                later = self.connection.later * self.rng.uniform(1, 1.5)
            except (OSError, EOFError):
                await self.connection.close()
                self.connection = Connection(self.connection.port, self.connection.page)
                later = BACK
            if not later:
                self.refused += status != 200
                self.told += perf_counter() - began > LONG
                return answer
            self.again += 1
            await asyncio.sleep(later)

    async def open(self) -> None:
        """The page with its files, as a browser finds them, and what it asks first."""
        todo = ["/"]
        for path in todo:
            text = (await self.ask("GET", path, read=False)).decode(errors="ignore")
            found: Iterable[str] = LINKED.findall(text) if path == "/" else ()
            if path.endswith(".js") and "/vendor/" not in path:
                found = (normpath(f"{dirname(path)}/{each}") for each in IMPORTED.findall(text))
            todo += [each for each in (*found, *(TAB if path == "/" else ())) if each not in todo]
        for path in ("games", "class", "players?game=3x3k3"):
            await self.ask("GET", f"/api/v1/{path}")
        await self.begin()
        await self.ask("GET", f"/api/v1/analyze?{urlencode({'position': START})}")  # and remembers it

    async def begin(self) -> None:
        """The board of a new game."""
        board = {"game": "3x3k3", "position": None, "moves": [], "you": "X", "values": False}
        await self.ask("POST", "/api/v1/review", board)

    async def move(self, position: str, **how: Any) -> Any:
        """A move that is made or asked for: its name, and what then stands on the board."""
        answer = await self.ask("POST", "/api/v1/move", {"position": position, **how})
        return answer["move"], answer["analysis"]

    async def play(self, games: int = GAMES_EACH) -> None:
        """Games of taps, each answered by level 4, and the account at the end."""
        for number in range(games):
            if number:
                await self.begin()
                await self.ask("GET", "/api/v1/players?game=3x3k3")
            await self.game(self.rng.randrange(2**32))

    async def game(self, seed: int) -> None:
        """One game."""
        position, free, played = START, [f"{column}{row}" for column in "abc" for row in "123"], []
        while True:
            await asyncio.sleep(THINK)
            self.taps += 1
            move, found = await self.move(position, move=self.rng.choice(free))
            played.append(move)
            if found["status"] == "ongoing":
                began = perf_counter()
                shown = asyncio.create_task(asyncio.sleep(SHOWN))
                move, found = await self.move(found["position"], player="level-4", seed=seed)
                self.times.append(perf_counter() - began)
                played.append(move)
                await shown
            self.answered += 1
            if found["status"] != "ongoing":
                break
            position, free = found["position"], [each["move"] for each in found["moves"]]
        await self.ask("POST", "/api/v1/review", {"position": START, "moves": played, "you": "X"})

    async def solve(self) -> None:
        """Solve 4x4, for ever."""
        await self.ask("GET", "/api/v1/prospect?game=4x4k4")
        while True:
            await self.ask("GET", "/api/v1/solve?game=4x4k4&again=true")

    async def search(self) -> None:
        """Search the board after each first move, and compare the ways to do it, for ever."""
        while True:
            _, found = await self.move(START, move=self.rng.choice("abc") + self.rng.choice("123"))
            how = {"position": found["position"], **SEARCH}
            await self.ask("GET", f"/api/v1/search?{urlencode({**how, 'keep': 300})}")
            await self.ask("GET", f"/api/v1/search/compare?{urlencode(how)}")


class Tab(Pupil):
    """A real page: a tab of chromium, in which somebody presses cells."""

    page: Any

    async def open(self) -> None:
        """Open the page, and note whatever it says of a problem, of waiting, or of a server that is gone."""
        said = "document.querySelectorAll('.problem, .notice, .lost').forEach((each) => said.add(each.textContent))"
        watch = f"new MutationObserver(() => {said}).observe(document, {{ childList: true, subtree: true }})"
        await self.page.add_init_script(f"globalThis.said = new Set(); {watch}")
        self.page.on("requestfinished", self._note)
        await self.page.goto(f"http://127.0.0.1:{self.connection.port}/")
        await self.page.wait_for_selector(".can-play")

    def _note(self, request: Any) -> None:
        if '"player":"level-4"' in (request.post_data or ""):
            self.times.append((request.timing["responseEnd"] - request.timing["requestStart"]) / 1e3)

    async def begin(self) -> None:
        """A new game."""
        await self.page.keyboard.press("n")
        await self.page.wait_for_selector("[role=grid]:not(:has([aria-label*=', X']))")

    async def ask(self, method: str, path: str, body: Any = None, *, read: bool = True) -> Any:
        """The page asks by itself."""

    async def game(self, seed: int) -> None:
        """One game, until nothing can be pressed; at its end whatever the page has said counts as refused."""
        while cells := await self.page.query_selector_all(".can-play"):
            marks = await self.page.locator(MARKED).count()
            self.taps += 1
            await self.rng.choice(cells).click()
            answered = self.page.locator(MARKED).nth(marks + 1)
            await answered.or_(self.page.locator(OVER)).first.wait_for()
            self.answered += 1
            await self.page.wait_for_selector(f".can-play, {OVER}")
            await asyncio.sleep(THINK)
        self.told = await self.page.evaluate("said.size")


@asynccontextmanager
async def tabs(port: int, number: int) -> Any:
    """So many tabs of chromium, each with a storage of its own."""
    if not number:
        yield []
        return
    from playwright.async_api import async_playwright

    async with async_playwright() as started:
        browser = await started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        made = [Tab(port, 1000 + each) for each in range(number)]
        for each in made:
            each.page = await (await browser.new_context(reduced_motion="reduce")).new_page()
        yield made
        await browser.close()


async def lesson(port: int, pages: int, real: int = 0) -> dict[str, Any]:
    """So many pages at once."""
    async with tabs(port, real) as seen:
        solver, searcher, *players = [*(Pupil(port, number) for number in range(pages - real)), *seen]
        await asyncio.gather(*(each.open() for each in (solver, searcher, *players)))
        others = [asyncio.create_task(solver.solve()), asyncio.create_task(searcher.search())]
        began = perf_counter()
        await asyncio.gather(*(each.play() for each in players))
        took = perf_counter() - began
        failed = sum(task.done() for task in others)
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
    for each in (solver, searcher, *players):
        with suppress(OSError):
            await each.connection.close()
    times = sorted(time for each in players for time in each.times)
    return {
        "pages": pages,
        "real": real,
        "seconds": took,
        "taps": sum(each.taps for each in players),
        "lost": sum(each.taps - each.answered for each in players) + failed,
        "refused": sum(each.refused for each in (solver, searcher, *players)),
        "told": sum(each.told for each in players),
        "asked_again": sum(each.again for each in (solver, searcher, *players)),
        "level_4_moves": len(times),
        "median_ms": median(times) * 1e3,
        "p95_ms": times[int(len(times) * 0.95)] * 1e3,
        "max_ms": times[-1] * 1e3,
    }


def measure(pages: int, real: int) -> None:
    """Start a server on two cores, open so many pages, print and write."""
    if CORES:
        os.sched_setaffinity(0, set(CORES[:2]))
    with serving() as server:
        row = asyncio.run(lesson(server[1], pages, min(real, pages - 2)))
    print(f"{pages} pages, {row['real']} of them in chromium; one solves 4x4, one searches; two cores")
    heads = {"taps": 8, "lost": 8, "refused": 9, "told": 8, "asked again": 13, "median": 10, "p95": 10, "max": 10}
    print("".join(f"{head:>{width}}" for head, width in heads.items()) + "   level-4 move")
    counts = "".join(f"{row[head.replace(' ', '_')]:>{width}}" for head, width in list(heads.items())[:5])
    print(counts + "".join(f"{row[key]:>8.1f}ms" for key in ("median_ms", "p95_ms", "max_ms")))
    reached = not (row["lost"] or row["refused"] or row["told"]) and row["p95_ms"] < 300
    print(f"reach: no lost move, no refusal, p95 under 300 ms: {'reached' if reached else 'MISSED'}")
    write("web-class", reached, [row])
