"""The page on 15x15: how long the answers to what it asks take, and how long a person waits on a slow phone.

    python benchmarks/web_large.py         prints tables and writes benchmarks/results/web_large.json

Positions are middle games of 10 to 60 marks, as benchmarks/threats.py makes them. The first table has the time of each
route that the page asks; the account of a game is one long run, and its first word counts as well. The second has what
a person waits for in a real browser on a screen of a phone, its processor slowed down four times (by the browser's own
tools): from the press of a cell to the mark with its verdict, and from opening a link to the board with its verdict.
Without chromium and playwright it is left out.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from random import Random
from statistics import median, quantiles
from time import perf_counter
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from _native import save
from threats import middle_game

from noughts import Game, Position
from noughts.rules.notation import format_move
from noughts.threats import blocking_moves
from noughts.web.server import in_background

GAME = Game(15, 15, 5)
POSITIONS, GAMES = 60, 6
MARKS = range(10, 61)
SLOWER = 4  # times, as a phone is
PHONE = {"width": 390, "height": 844}
CELL = "svg.board [data-cell='{}']"


def positions() -> list[Position]:
    """Middle games."""
    random = Random("the page")
    return [middle_game(GAME, random.choice(MARKS), random) for _ in range(POSITIONS)]


def games() -> Iterator[tuple[str, list[str]]]:
    """Whole games of some seventy moves, from the empty board: the moves that lead to crowded middle games."""
    random = Random("accounts")
    for _ in range(GAMES):
        end = middle_game(GAME, 70, random)
        x, o = GAME.cells_of(end.x), GAME.cells_of(end.o)
        random.shuffle(x), random.shuffle(o)
        position, moves = GAME.start(), []
        for number in range(end.marks):
            cell = (o if number % 2 else x)[number // 2]
            position = position.play(cell)
            moves.append(format_move(GAME, cell))
            if position.is_over:
                break
        yield str(GAME.start()), moves


def asked(address: str) -> dict[str, list[float]]:
    """The milliseconds of each route."""
    found: dict[str, list[float]] = {}

    def note(what: str, began: float) -> None:
        found.setdefault(what, []).append((perf_counter() - began) * 1e3)

    for position in positions():
        began = perf_counter()
        analysis = json.load(urlopen(f"{address}api/v1/analyze?{urlencode({'position': str(position)})}"))
        note("GET /analyze", began)
        if {"threats", "pairing"} & {*analysis["how"]}:
            began = perf_counter()
            urlopen(f"{address}api/v1/proof?{urlencode({'position': str(position)})}").read()
            note("GET /proof", began)
        move = format_move(GAME, (blocking_moves(position) or position.moves())[0])
        body = json.dumps({"position": str(position), "move": move}).encode()
        began = perf_counter()
        urlopen(Request(f"{address}api/v1/move", body, {"content-type": "application/json"})).read()
        note("POST /move", began)
    for start, moves in games():
        began = perf_counter()
        with urlopen(f"{address}api/v1/review?{urlencode({'position': start, 'moves': ','.join(moves)})}") as events:
            events.readline()
            note("GET /review, its first word", began)
            events.read()
            note("GET /review, 70 moves", began)
    return found


def waited(address: str) -> dict[str, list[float]]:
    """The milliseconds that a person waits on a slow phone."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        print("(no chromium or no playwright: what a person waits for is left out)")
        return {}
    found: dict[str, list[float]] = {"opening a link": [], "a press": []}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport=PHONE, has_touch=True)
        slow_down = page.context.new_cdp_session(page)
        slow_down.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        for position in positions()[: POSITIONS // 2]:
            link = f"{address}?{urlencode({'view': 'analyse', 'position': str(position)})}"
            found["opening a link"].append(_timed(lambda at=link: (page.goto(at), page.wait_for_selector("h1"))))
            page.wait_for_load_state("networkidle")
            cell = CELL.format((blocking_moves(position) or position.moves())[0])
            taken = f"{cell}[aria-label*=', {position.turn}']"
            found["a press"].append(_timed(lambda at=cell, now=taken: (page.click(at), page.wait_for_selector(now))))
        browser.close()
    return found


def _timed(act: Callable[[], Any]) -> float:
    began = perf_counter()
    act()
    return (perf_counter() - began) * 1e3


def main() -> None:
    """Print the tables."""
    rows = []
    with in_background() as address:
        urlopen(f"{address}api/v1/analyze?{urlencode({'position': str(GAME.start())})}").read()  # a worker begins
        for title, measure in (("answers of the server", asked), ("on a phone, four times slower", waited)):
            print(f"15x15k5, {title}, milliseconds{'median':>10}{'p95':>9}{'most':>9}")
            for what, times in measure(address).items():
                row = {"what": what, "number": len(times), "median": median(times), "p95": quantiles(times, n=20)[-1]}
                rows.append({**row, "most": max(times)})
                print(f"  {what:<32}{len(times):>5}{row['median']:>12.0f}{row['p95']:>9.0f}{max(times):>9.0f}")
    save("web_large", rows)


if __name__ == "__main__":
    main()
