"""Every screen, from a small phone to a large monitor: the whole board is seen, and its controls with it."""

from __future__ import annotations

from typing import Any

import pytest
from browser import address, expect

SIZES = [
    (320, 568), (360, 640), (390, 844), (667, 375), (844, 390), (768, 1024), (1024, 768), (1280, 720),
    (720, 450),  # 1440 x 900 at 200 %
    (1440, 900), (1920, 1080), (2560, 1440),
]  # fmt: skip
GAMES = ["3x3k3", "3x18k3", "18x3k3", "15x15k5", "32x32k5"]

# What the window shows, once the board has the size that it will have: the board with its labels, what else has to be
# in sight, and what sticks out.
MEASURE = """async ([selector, scroll]) => {
    const frames = (n) => new Promise((done) => requestAnimationFrame(() => (n ? frames(n - 1).then(done) : done())));
    await frames(2);
    const board = document.querySelector('svg.board');
    if (scroll) board.scrollIntoView({ block: 'center', behavior: 'instant' });
    else scrollTo(0, 0);
    const box = (...all) => {
        const boxes = all.map((each) => each.getBoundingClientRect());
        const edge = (pick, name) => pick(...boxes.map((each) => each[name]));
        return [edge(Math.min, 'left'), edge(Math.min, 'top'), edge(Math.max, 'right'), edge(Math.max, 'bottom')];
    };
    const { clientWidth, clientHeight, scrollWidth } = document.documentElement;
    const beside = [...document.querySelectorAll(selector || ':not(*)')].map((each) => box(each));
    return { board: box(board, ...board.querySelectorAll('.lattice text')), frame: box(board.parentElement), beside,
        window: [0, 0, clientWidth, clientHeight], page: scrollWidth };
}"""


def lies_within(inner: list[float], outer: list[float]) -> bool:
    """Is no edge of a box (left, top, right, bottom) outside the other, by more than a rounding?"""
    return all(a >= b - 0.5 for a, b in zip(inner[:2], outer[:2], strict=True)) and all(
        a <= b + 0.5 for a, b in zip(inner[2:], outer[2:], strict=True)
    )


def seen(someone: Any, width: int, height: int, selector: str = "", scroll: bool = False) -> Any:
    """What a window of this size shows."""
    someone.page.set_viewport_size({"width": width, "height": height})
    return someone.page.evaluate(MEASURE, [selector, scroll])


@pytest.mark.parametrize("view", ["play", "analyse"])
def test_the_whole_board_and_its_controls_are_seen_without_scrolling(visit: Any, view: str) -> None:
    someone, wrong = visit(), []
    for game in GAMES:
        someone.open(address(view=view, o="you", game=game))
        expect(someone.page.locator(".controls button")).to_have_count(4)
        for width, height in SIZES:
            found = seen(someone, width, height, ".status h1, .controls button")
            left, top, right, bottom = found["board"]
            if not lies_within(found["board"], found["window"]):
                wrong.append((game, width, height, "the board", found["board"]))
            if not all(lies_within(each, found["window"]) for each in found["beside"]):
                wrong.append((game, width, height, "the controls", found["beside"]))
            if found["page"] > width:
                wrong.append((game, width, height, "the page", found["page"]))
            if max((right - left) / width, (bottom - top) / height) < 0.45:
                wrong.append((game, width, height, "small", found["board"]))
    assert wrong == []


@pytest.mark.parametrize("view", ["algorithms", "search", "match"])
def test_a_board_fits_into_the_height_in_every_other_tab(visit: Any, view: str) -> None:
    someone, wrong = visit(), []
    for game in ("3x3k3", "18x3k3", "15x15k5"):
        more = {"on": game, "a": "level-1", "b": "level-1", "run": "game"} if view == "match" else {"game": game}
        someone.open(address(view=view, **more))
        for width, height in SIZES[::2]:
            found = seen(someone, width, height, scroll=True)
            if not lies_within(found["board"], found["window"]) or found["page"] > width:
                wrong.append((game, width, height, found))
            if not lies_within(found["board"], found["frame"]):
                wrong.append((game, width, height, "cut off", found))
    assert wrong == []
