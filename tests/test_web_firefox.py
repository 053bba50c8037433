"""The page in Firefox: what a class, a wall, paper and other people's pages ask of it."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import pytest

pytest.importorskip("fastapi", reason="the web tests need the extra: pip install noughts[web]")
pytest.importorskip("httpx", reason="HTTP is asked")

import httpx
from firefox import Firefox, firefox

from noughts.web.app import STATIC
from noughts.web.lesson import Lesson
from noughts.web.server import in_background

TABS = sorted(tab.parent.name for tab in STATIC.glob("*/tab.js"))
ENTER, UP, LEFT, DOWN = "\ue007\ue013\ue012\ue015"


@pytest.fixture(scope="module")
def held() -> Lesson:
    return Lesson("apple")


@pytest.fixture(scope="module")
def server(held: Lesson) -> Iterator[str]:
    with in_background(lesson=held, addresses=["http://192.168.1.7:8765/"]) as address:
        yield address


@pytest.fixture(scope="module")
def fox(server: str) -> Iterator[Firefox]:
    with firefox() as window:
        yield window


def marks(fox: Firefox) -> str:
    """What the cells are called, without what is said of them beside it."""
    cells = "[...document.querySelectorAll('[role=gridcell]')]"
    names = fox.run(f"return {cells}.map((each) => each.getAttribute('aria-label'))")
    return "".join({"X": "X", "O": "O"}.get(name.split(", ")[1], ".") for name in names)


def test_a_game_is_played_by_pointer_and_by_keyboard(fox: Firefox, server: str) -> None:
    fox.go(server)
    fox.press("[data-cell='4']")
    fox.wait_for("document.querySelectorAll('[role=gridcell][aria-label*=\", O\"]').length === 1")
    row = marks(fox)[::3].index(".")  # the first with room at its left
    fox.type((UP, "", DOWN)[row] + LEFT + ENTER)
    fox.wait_for(f"document.querySelector('[data-cell=\"{3 * row}\"]').getAttribute('aria-label').includes(', X')")


@pytest.mark.parametrize("view", TABS)
def test_every_tab_opens_on_the_screen_on_a_wall_and_on_paper(fox: Firefox, server: str, view: str) -> None:
    fox.go(f"{server}?view={view}&position=XO./.OX/OX.")
    fox.wait_for("document.querySelector('main :is(svg.board, .card, .claims, .beside)')")
    fox.wait_for("!document.querySelector('.loading')")
    assert fox.run("return document.querySelectorAll('.problem, .lost').length") == 0
    assert fox.run("return document.documentElement.scrollWidth - innerWidth") <= 0
    printed = base64.b64decode(fox.ask("WebDriver:Print", page={"width": 21.0, "height": 29.7}))
    assert printed.startswith(b"%PDF")
    fox.run("document.activeElement.blur()")
    fox.type("p")
    fox.wait_for("document.querySelector('.presenter')")
    fox.type("p")
    fox.wait_for("!document.querySelector('.presenter')")


def test_a_page_follows_the_class(fox: Firefox, server: str, held: Lesson) -> None:
    fox.go(f"{server}?join=apple")
    fox.wait_for("document.querySelector('.notice')?.textContent.includes('it has not begun')")
    shown = {"key": held.key, "shown": "?view=algorithms&moves=b2,a1"}
    assert httpx.post(f"{server}api/v1/class/board", json=shown).status_code == 200
    fox.wait_for("document.querySelector('.notice')?.textContent.includes('You follow the class')")
    fox.wait_for("document.querySelector('h1')?.textContent === 'Algorithms'")
    assert marks(fox) == "....X.O.."


def test_a_board_stands_alone(fox: Firefox, server: str) -> None:
    fox.go(f"{server}embed?position=XX./OO./...&values=1")
    inside = "document.querySelector('noughts-board').shadowRoot"
    fox.wait_for(f"{inside}.querySelector('[role=status]').textContent === 'X to move.'")
    fox.run(f"{inside}.querySelector('[data-cell=\"2\"]').focus()")
    fox.type(ENTER)
    fox.wait_for(f"{inside}.querySelector('[role=status]').textContent === 'X has won.'")
