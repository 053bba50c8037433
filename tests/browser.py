"""A real browser for the tests of the page: visitors who open it, press cells, and note every complaint.

The fixture `visit` (in conftest.py) makes them. Import this module first: it skips where there is no browser.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import pytest

NEEDED = "the page's tests need the extra web, playwright, axe-playwright-python and Debian's chromium"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

if CHROMIUM is None:
    pytest.skip(f"chromium is not installed: {NEEDED}", allow_module_level=True)
pytest.importorskip("fastapi", reason=NEEDED)
pytest.importorskip("uvicorn", reason=NEEDED)
playwright = pytest.importorskip("playwright.sync_api", reason=NEEDED)
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason=NEEDED)

from noughts import Game, Position  # noqa: E402
from noughts.rules.notation import format_move  # noqa: E402

expect = playwright.expect
PATIENCE = 30_000  # milliseconds: the machine may have other things to do
expect.set_options(timeout=PATIENCE)

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
QUIET += ["--disable-sync", "--no-first-run", "--disable-quic"]


class Visitor:
    """A person with a tab: opens pages, presses cells, and notes what the browser complains about."""

    def __init__(self, page: Any, server: str) -> None:
        self.server = self.home = server
        self.page = page
        self.viewport = page.viewport_size
        self.page.set_default_timeout(PATIENCE)
        self.complaints: list[str] = []
        self.notes = {
            "console": lambda said: self.complaints.append(said.text) if said.type == "error" else None,
            "pageerror": lambda problem: self.complaints.append(str(problem)),
            "request": self._check_host,
        }
        for event, note in self.notes.items():
            self.page.on(event, note)

    def leave(self) -> None:
        """Leave the tab as it was found: nothing is stored, and nothing lies behind."""
        for event, note in self.notes.items():
            self.page.remove_listener(event, note)
        self.page.unroute_all(behavior="ignoreErrors")
        self.page.goto(f"{self.home}api/v1/games")  # light, and shown by the same process
        self.page.set_viewport_size(self.viewport)
        devtools = self.page.context.new_cdp_session(self.page)
        devtools.send("Storage.clearDataForOrigin", {"origin": self.home, "storageTypes": "all"})
        devtools.send("Page.resetNavigationHistory")
        devtools.detach()

    def _check_host(self, request: Any) -> None:
        if not request.url.startswith(self.server):
            self.complaints.append(f"a request to another host: {request.url}")

    def open(self, address: str = "") -> Visitor:
        """Open a view with a board."""
        self.go(address)
        expect(self.page.locator("svg.board").first).to_be_visible()
        return self

    def go(self, address: str = "") -> Visitor:
        """Open any page."""
        self.page.goto(self.server + address.removeprefix("/"))
        return self

    def press_at_once(self, key: str, times: int) -> None:
        """Press a key so quickly that the page cannot draw in between."""
        self.page.evaluate(
            "([key, times]) => { for (let i = 0; i < times; i++)"
            " document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })) }",
            [key, times],
        )

    @contextmanager
    def waiting_for(self, question: str) -> Iterator[list[Any]]:
        """A slow server: what is asked with these words is answered only when the block ends."""
        held: list[Any] = []
        is_slow = True
        asked = re.compile(re.escape(question))
        self.page.route(asked, lambda route: held.append(route) if is_slow else route.continue_())
        yield held
        is_slow = False
        for route in held:
            route.continue_()

    def cell(self, move: str) -> Any:
        return self.page.get_by_role("gridcell", name=re.compile(f"^{move},"))

    def press(self, move: str) -> None:
        self.cell(move).click()

    def says(self, heading: str) -> None:
        expect(self.page.locator("h1")).to_have_text(heading)

    def shows(self, position: Position) -> None:
        """The marks on the board are those of the position."""
        game = position.game
        for mark, bits in (("X", position.x), ("O", position.o)):
            for cell in game.cells_of(bits):
                name = re.compile(f"^{format_move(game, cell)}, {mark}")
                expect(self.page.get_by_role("gridcell", name=name)).to_have_count(1)
        expect(self.page.get_by_role("gridcell", name=re.compile(r"^\w+, [XO]"))).to_have_count(position.marks)

    def walk(self, move: str, game: Game) -> None:
        """To a cell by the arrow keys alone, from wherever the focus of the board is."""
        here = self.page.locator("svg.board [tabindex='0']")
        here.focus()
        row, column = divmod(int(here.get_attribute("data-cell")), game.columns)
        to_row, to_column = divmod(game.start().cell(move), game.columns)
        for _ in range(abs(to_row - row)):
            self.page.keyboard.press("ArrowDown" if to_row > row else "ArrowUp")
        for _ in range(abs(to_column - column)):
            self.page.keyboard.press("ArrowRight" if to_column > column else "ArrowLeft")

    def has_no_barrier(self, width: int) -> None:
        """Axe finds nothing to complain about, and nothing sticks out at the side."""
        found = axe.Axe().run(self.page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"], each["nodes"][0]["failureSummary"]) for each in found] == []
        assert self.page.evaluate("document.documentElement.scrollWidth") <= width


def address(**parts: object) -> str:
    """The address of a view: address(view="analyse", moves="b2,a1")."""
    return "/?" + "&".join(f"{name}={quote(str(text), safe='/:,.')}" for name, text in parts.items())
