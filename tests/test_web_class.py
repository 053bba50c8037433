"""The pages of `benchmarks/web.py --class`: they ask what a page asks."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from browser import Visitor, expect
from loop import in_a_loop

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


def class_of_pages() -> Any:
    """The benchmark, as a module."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return importlib.import_module("_class")
    finally:
        sys.path.remove(str(BENCHMARKS))


def test_a_page_of_the_benchmark_asks_what_a_page_in_a_browser_asks(visit: Any) -> None:
    """All files and the first questions, then by kind those of two games: a tap, an answer, the account, a new game."""
    someone: Visitor = visit()
    page, asked, bench = someone.page, [], class_of_pages()
    page.on("request", lambda request: asked.append((request.method, request.url.removeprefix(someone.server[:-1]))))
    someone.open("/")
    expect(page.get_by_label("or an algorithm")).to_be_visible()
    opened, taps = Counter((method, unquote(path)) for method, path in asked), 0
    asked.clear()
    for game in range(2):
        while page.locator(".can-play").count():
            marks = page.locator(bench.MARKED).count()
            page.locator(".can-play").first.click()
            taps += 1
            expect(page.locator(bench.MARKED).nth(marks + 1).or_(page.locator(bench.OVER)).first).to_be_visible()
            expect(page.locator(f".can-play, {bench.OVER}").first).to_be_visible()
        if game == 0:
            page.keyboard.press("n")
            expect(page.locator(".can-play")).to_have_count(9)
    kinds = Counter((method, urlsplit(path).path) for method, path in asked if "icon.svg" not in path)

    client = bench.Pupil(int(someone.server.split(":")[-1].strip("/")), 7)

    async def play() -> tuple[Counter[Any], Counter[Any]]:
        await client.open()
        first = Counter((method, unquote(path)) for method, path in client.asked)
        client.asked.clear()
        await client.play(games=2)
        await client.connection.close()
        return first, Counter((method, urlsplit(path).path) for method, path in client.asked)

    first, later = in_a_loop(play)
    assert first == dict.fromkeys(opened, 1)  # a browser may look at its icon more than once
    assert later.keys() == kinds.keys()
    moves = ("POST", "/api/v1/move")
    for each in kinds.keys() - {moves}:
        assert later[each] == kinds[each], each
    assert (client.taps, client.refused, client.again) == (client.answered, 0, 0)
    assert abs(2 * taps - kinds[moves]) <= 2 >= abs(2 * client.taps - later[moves])  # the last tap of a game may end it
