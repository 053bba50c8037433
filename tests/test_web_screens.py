"""Every screen, from a small phone to a large monitor: the whole board is seen, and its controls with it."""

from __future__ import annotations

from typing import Any

import pytest
from browser import address, expect

from noughts import Game

SIZES = [
    (320, 568), (360, 640), (390, 844), (667, 375), (844, 390), (768, 1024), (1024, 768), (1280, 720),
    (720, 450),  # 1440 x 900 at 200 %
    (1440, 900), (1920, 1080), (2560, 1440),
]  # fmt: skip
GAMES = ["3x3k3", "3x18k3", "18x3k3", "15x15k5", "32x32k5", "6x7k4g", "18x3k3g"]

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
            if max((right - left) / width, (bottom - top) / height) < 0.3:
                wrong.append((game, width, height, "small", found["board"]))
    assert wrong == []


@pytest.mark.parametrize("view", ["algorithms", "search", "match"])
def test_a_board_fits_into_the_height_in_every_other_tab(visit: Any, view: str) -> None:
    someone, wrong = visit(), []
    for game in ("3x3k3", "18x3k3", "15x15k5", "6x7k4g"):
        more = {"on": game, "a": "level-1", "b": "level-1", "run": "game"} if view == "match" else {"game": game}
        someone.open(address(view=view, **more))
        for width, height in SIZES[::2]:
            found = seen(someone, width, height, scroll=True)
            if not lies_within(found["board"], found["window"]) or found["page"] > width:
                wrong.append((game, width, height, found))
            if not lies_within(found["board"], found["frame"]):
                wrong.append((game, width, height, "cut off", found))
    assert wrong == []


# A finger on small cells

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
GOMOKU = address(o="you", game="15x15k5")


def aimed_at(someone: Any, move: str | None) -> None:
    """This cell waits to be confirmed, or none."""
    expect(someone.page.locator(".crosshair .aimed")).to_have_count(1 if move else 0)
    said = someone.page.locator(".board-frame [role=status]")
    expect(said).to_have_text(f"{move}: tap again to confirm" if move else "")


@pytest.mark.parametrize(
    ("by", "width", "height"), [("the button", 390, 844), ("the button", 844, 390), ("a second tap", 320, 568)]
)
def test_a_tap_on_a_small_cell_aims_and_another_plays(visit: Any, by: str, width: int, height: int) -> None:
    phone = {**PHONE, "viewport": {"width": width, "height": height}}
    someone, start = visit(**phone).open(GOMOKU), Game(15, 15, 5).start()
    someone.cell("a1").tap()
    aimed_at(someone, "a1")
    someone.cell("h8").tap()
    aimed_at(someone, "h8")
    someone.shows(start)
    someone.has_no_barrier(width)
    button = someone.page.get_by_role("button", name="Play h8")
    expect(button).to_be_in_viewport(ratio=1)
    (button if by == "the button" else someone.cell("h8")).tap()
    someone.shows(start.play("h8"))
    aimed_at(someone, None)
    someone.cell("h8").tap(force=True)  # is taken
    aimed_at(someone, None)
    someone.cell("h9").tap()
    someone.page.get_by_role("button", name="Cancel").tap()
    aimed_at(someone, None)
    someone.shows(start.play("h8"))


def test_taps_that_play_at_once_are_a_choice_that_is_remembered(visit: Any) -> None:
    someone, start = visit(**PHONE).open(GOMOKU), Game(15, 15, 5).start()
    setting = someone.page.get_by_role("checkbox", name="Confirm taps on small cells")
    expect(setting).to_be_checked()
    setting.uncheck()
    someone.cell("h8").tap()
    someone.shows(start.play("h8"))
    someone.open(GOMOKU)
    expect(setting).not_to_be_checked()
    someone.cell("c3").tap()
    someone.shows(start.play("c3"))
    setting.check()
    someone.cell("d4").tap()
    aimed_at(someone, "d4")


def test_large_cells_the_mouse_and_the_keyboard_need_no_second_press(visit: Any) -> None:
    someone = visit(**PHONE).open(address(o="you"))
    someone.cell("b2").tap()
    someone.shows(Game().start().play("b2"))
    someone.open(GOMOKU)
    someone.walk("g7", Game(15, 15, 5))
    someone.page.keyboard.press("Enter")
    someone.shows(Game(15, 15, 5).start().play("g7"))
    other = visit(viewport=PHONE["viewport"]).open(GOMOKU)
    expect(other.page.get_by_role("checkbox", name="Confirm taps on small cells")).to_be_hidden()
    other.press("h8")
    other.shows(Game(15, 15, 5).start().play("h8"))


# The part of the page that is seen, once it stays as it is: how much it is enlarged, and its corner.
ENLARGED = """async () => {
    const look = () => [visualViewport.scale, visualViewport.offsetLeft, visualViewport.offsetTop];
    let seen = look();
    for (let same = 0, frame = 0; same < 20 && frame < 600; frame++) {
        await new Promise(requestAnimationFrame);
        same = seen[0] > 1 && String(look()) === String(seen) ? same + 1 : 0;
        seen = look();
    }
    return seen;
}"""


def test_two_fingers_enlarge_the_board_and_a_tap_then_plays_the_cell_under_it(visit: Any) -> None:
    someone = visit(**PHONE).open(GOMOKU)
    box = someone.cell("d12").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tools = someone.page.context.new_cdp_session(someone.page)

    def touch(kind: str, *fingers: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(fingers)]
        tools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    for step, apart in enumerate(range(20, 80, 4)):
        touch("touchMove" if step else "touchStart", (x - apart, y - apart), (x + apart, y + apart))
    touch("touchEnd")
    scale, left, top = someone.page.evaluate(ENLARGED)
    assert scale > 1.5
    touch("touchStart", (x - left, y - top))  # counted from the corner of that part
    touch("touchEnd")
    someone.shows(Game(15, 15, 5).start().play("d12"))


# Other small things


def test_editing_begins_and_ends_at_the_board(visit: Any) -> None:
    someone = visit(**PHONE).open(address(view="analyse", moves="b2,a1"))
    edit = someone.page.get_by_role("button", name="Edit", exact=True)
    edit.scroll_into_view_if_needed()
    edit.click()
    expect(someone.page.get_by_role("radio", name="X", exact=True)).to_be_focused()
    for each in ("svg.board", ".edit-bar"):
        expect(someone.page.locator(each)).to_be_in_viewport(ratio=1)
    someone.has_no_barrier(390)
    someone.cell("c3").tap()
    someone.page.get_by_role("button", name="Done").click()
    expect(someone.page.locator(".edit-bar")).to_have_count(0)
    expect(someone.page.locator("svg.board :focus")).to_have_count(1)
    expect(someone.page.locator("svg.board")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
def test_a_phone_is_told_of_no_keys(visit: Any, width: int, height: int) -> None:
    phone = {**PHONE, "viewport": {"width": width, "height": height}}
    expect(visit(**phone).open().page.locator(".keys")).to_be_hidden()
    expect(visit().open().page.locator(".keys")).to_be_visible()


def test_in_a_tree_of_a_large_board_no_label_lies_on_a_node(visit: Any) -> None:
    someone = visit(viewport={"width": 1440, "height": 900}).open(
        address(view="search", game="15x15k5", moves="h8,h9", depth=1)
    )
    expect(someone.page.locator(".cut-badge, .item.node").first).to_be_visible()
    under = """() => [...document.querySelectorAll('.plies text')].flatMap((text) => {
        const { left, right, top, bottom } = text.getBoundingClientRect();
        const points = [left, (left + right) / 2, right].map((x) => [x, (top + bottom) / 2]);
        return points.flatMap(([x, y]) => document.elementsFromPoint(x, y)).filter((each) => each.closest('.item'));
    }).length"""
    assert someone.page.evaluate(under) == 0
    beside = """() => [...document.querySelectorAll('.item')].filter((item) => {
        const [badge, score] = ['.cut-badge .blade', '.score'].map((each) => item.querySelector(each));
        return badge && badge.getBoundingClientRect().left < score.getBoundingClientRect().right;
    }).length"""
    assert someone.page.evaluate(beside) == 0
