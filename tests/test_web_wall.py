"""The page on a wall, on paper, in the colours of a system, and in the hands of a class."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from browser import Visitor, address, expect
from conftest import eventually

from noughts import Position
from noughts.web.lesson import MOST, Lesson
from noughts.web.server import in_background

PAPER = {"A4": 680, "Letter": 703}  # pixels between the margins
WALL = {"viewport": {"width": 1920, "height": 1080}}
COLOURS = [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"forced_colors": "active"}]
WALK = {"view": "algorithms", "position": "XXX/OO./...", "detector": "shifts", "step": 1}
PRINTED = [
    *("/?moves=b2,a1,b1", "/?moves=a3,b2,b3,c1,c3", "/?view=puzzle", "/?view=analyse&moves=b2,a1", "/?view=lab"),
    *("/?view=solve&run=1", "/?view=match&run=game", "/?view=algorithms&position=XXX/OO./...&detector=shifts&step=1"),
]
CUTS = {"view": "search", "position": "XO./.OX/OX.", "step": 1}


# On a wall


def test_presenting_shows_one_thing_at_a_time_and_a_clicker_leads_on_and_back(visit: Any) -> None:
    someone = visit(**WALL).open(address(view="analyse", moves="b2,a1"))
    page = someone.page
    expect(page.locator(".panel .card").nth(2)).to_be_visible()
    size = "parseFloat(getComputedStyle(document.body).fontSize)"
    before = page.evaluate(size)
    page.keyboard.press("p")
    expect(page.locator("main .card:visible")).to_have_count(1)
    assert page.evaluate(size) > before
    expect(page.locator(".foot")).to_be_hidden()
    page.keyboard.press("PageUp")
    someone.shows(Position.parse("X........").game.start().play("b2"))
    page.keyboard.press("PageDown")
    someone.shows(Position.parse(".........").play("b2").play("a1"))
    page.keyboard.press("PageDown")  # no move is left: the next part
    expect(page.locator(".presenter [role=status]")).to_have_text(re.compile("^Part 2 of"))
    expect(page.locator("main .card:visible")).to_have_count(1)
    page.keyboard.press(".")
    assert page.locator("main").evaluate("(main) => getComputedStyle(main).visibility") == "hidden"
    page.keyboard.press(".")
    page.get_by_role("button", name="End", exact=True).click()
    expect(page.locator(".foot")).to_be_visible()
    expect(page.locator("[data-part]")).to_have_count(0)


def test_a_clicker_steps_through_an_algorithm(visit: Any) -> None:
    page = visit(**WALL).open(address(**WALK)).page
    expect(page.locator(".step-count")).to_have_text(re.compile("^1 of"))
    page.get_by_role("button", name="Present").click()
    page.keyboard.press("PageDown")
    expect(page.locator(".step-count")).to_have_text(re.compile("^2 of"))
    page.keyboard.press("PageUp")
    expect(page.locator(".step-count")).to_have_text(re.compile("^1 of"))
    page.keyboard.press("Escape")
    expect(page.locator(".foot")).to_be_visible()


def test_a_clicker_leads_by_arrows_too_and_wherever_the_keyboard_is(visit: Any) -> None:
    someone = visit(**WALL).open(address(**WALK))
    page = someone.page
    steps, there = page.locator(".step-count"), page.locator(".presenter [role=status]")
    page.get_by_role("button", name="Present").click()
    page.keyboard.press("ArrowRight")
    expect(steps).to_have_text("2 of 2")
    page.keyboard.press("ArrowRight")  # beyond the last step
    expect(there).to_have_text(re.compile("^Part 2 of"))
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("b")
    expect(page.locator("html[data-dark-screen]")).to_have_count(1)
    page.keyboard.press("b")
    someone.go(address(view="analyse", moves="b2,a1"))
    page.get_by_role("button", name="Present").click()
    someone.cell("c3").focus()
    page.keyboard.press("PageUp")
    someone.shows(Position.parse(".........").play("b2"))
    someone.cell("c3").focus()
    page.keyboard.press("ArrowLeft")  # stays with the board
    expect(page.locator("[role=gridcell]:focus")).to_have_count(1)
    someone.shows(Position.parse(".........").play("b2"))
    someone.open(address(game="6x7k4g", x="you", o="you"))
    page.get_by_role("button", name="Present").click()
    page.keyboard.press("b")  # names a column here
    expect(someone.cell("b1")).to_have_accessible_name(re.compile("^b1, X"))
    expect(page.locator("html[data-dark-screen]")).to_have_count(0)


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)], ids=str)
@pytest.mark.parametrize("detector", ["line_sums", "magic_square", "last_move", "lookup"])
def test_presented_a_step_is_seen_whole(visit: Any, detector: str, size: tuple[int, int]) -> None:
    someone = visit(viewport=dict(zip(("width", "height"), size, strict=True)))
    page = someone.open(address(**{**WALK, "detector": detector, "step": 2})).page
    expect(page.locator(".scene-row").first).to_be_visible()
    page.get_by_role("button", name="Present").click()
    card, foot = page.locator(".stage-card").bounding_box(), page.locator(".presenter").bounding_box()
    assert card["y"] + card["height"] <= foot["y"]
    scene = page.locator(".scene").bounding_box()
    assert scene["height"] > 0.2 * size[1]
    page.get_by_role("button", name="End", exact=True).click()
    assert page.locator(".scene").evaluate("(scene) => getComputedStyle(scene).zoom") == "1"


@pytest.mark.parametrize("detector", ["shifts", "magic_square", "line_counts"])
def test_the_drawing_uses_the_room_that_it_has(visit: Any, detector: str) -> None:
    someone = visit(**WALL).open(address(**{**WALK, "detector": detector}))
    drawn = someone.page.locator(".scene-row").first
    expect(drawn).to_be_visible()
    places = drawn.evaluate("(row) => [...row.children].map((part) => part.getBoundingClientRect().toJSON())")
    frame = someone.page.locator(".scene-frame").bounding_box()
    assert max(each["right"] for each in places) - min(each["left"] for each in places) > 0.3 * frame["width"]
    assert max(each["height"] for each in places) > 250


def test_an_algorithm_has_a_speed(visit: Any) -> None:
    page = visit().open(address(**WALK)).page
    speed = page.get_by_label("Speed")
    expect(speed).to_be_visible()
    assert speed.locator("option").all_inner_texts() == ["Slow", "Steady", "Quick", "Fast"]
    speed.select_option("fast")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Replay")).to_be_visible()  # at its end


def test_who_has_won_is_asked_before_it_is_shown(visit: Any) -> None:
    page = visit().open(address(**WALK, quiz=1)).page
    asked = page.get_by_role("group", name="A question")
    expect(asked).to_contain_text("Who has won here?")
    expect(page.get_by_text("X has won")).to_have_count(0)
    expect(page.locator(".scene")).to_have_count(0)
    expect(page.locator("svg.board [class*=role-]")).to_have_count(0)  # which would give it away
    asked.get_by_role("button", name="O", exact=True).click()
    expect(asked.get_by_role("status")).to_have_text("No, it is X.")
    expect(page.locator(".scene")).to_be_visible()
    expect(page.get_by_role("heading", name="X has won")).to_be_visible()
    page.get_by_label("Ask first").uncheck()
    expect(asked).to_have_count(0)


def test_what_is_cut_and_what_a_node_is_worth_is_asked_before_it_is_shown(visit: Any) -> None:
    page = visit().open(address(**CUTS, quiz=1)).page
    asked = page.get_by_role("group", name="A question")
    seen = set()
    page.get_by_role("button", name="Present").click()
    while len(seen) < 2:
        expect(page.locator(".caption-head")).to_be_visible()
        if asked.count() and asked.get_by_role("button", name="Show it").count():
            seen.add(asked.locator(".quiz-question").inner_text().split(" ")[0])
            step = page.locator(".caption-head").inner_text()
            page.keyboard.press("PageDown")  # reveals, and stays
            expect(asked.get_by_role("status")).to_have_text(re.compile(r"^It is .+\.$"))
            assert page.locator(".caption-head").inner_text() == step
        before = page.locator(".caption-head").inner_text()
        page.keyboard.press("PageDown")
        expect(page.locator(".caption-head")).not_to_have_text(before)
    assert seen == {"Which", "What"}


def test_asked_which_branch_is_cut_it_may_be_one_or_none(visit: Any) -> None:
    """And nothing on the page says which before it is revealed."""
    page = visit().open(address(**CUTS, quiz=1)).page
    asked, right = page.get_by_role("group", name="A question"), []
    for step in (8, 16, 20, 27):
        page.goto(page.url.split("?")[0] + address(**{**CUTS, "step": step}, quiz=1).removeprefix("/"))
        expect(asked).to_contain_text("Which branch is cut next?")
        expect(page.locator(".gauge .scissors, .gauge.crossed, .tree .item.cut")).to_have_count(int(step > 20))
        asked.get_by_role("button", name="Show it").click()
        right.append(asked.get_by_role("status").inner_text())
    assert right == ["It is none now.", "It is none now.", "It is below a2.", "It is below c1."]


def test_fit_does_not_look_like_full_screen(visit: Any) -> None:
    page = visit().open(address(**CUTS)).page
    drawn = page.get_by_role("button", name="Fit", exact=True).locator("path").get_attribute("d")
    assert drawn.count("h4") == drawn.count("v4") == 0  # the four corners of a screen


# On paper


@pytest.mark.parametrize("width", PAPER.values(), ids=PAPER)
def test_boards_are_whole_and_nothing_is_cut_off_on_paper(visit: Any, width: int) -> None:
    someone = visit(color_scheme="dark")
    page = someone.page
    for where in (*PRINTED, "/guide/explanation/bitboards"):
        someone.go(where)
        expect(page.locator("pre, svg.board, .atlas-cell, .verdict-true").first).to_be_visible()
        page.set_viewport_size({"width": width, "height": 980})
        page.emulate_media(media="print")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for wide in page.locator("main :is(pre, .figures, .scene-frame, .atlas-picture > div):visible").all():
            assert wide.evaluate("(each) => each.scrollWidth <= each.clientWidth + 1"), wide.inner_text()
        expect(page.locator("main :is(.setup, .match-setup, select, textarea, input):visible")).to_have_count(0)
        if page.locator("svg.board").count():
            board = page.locator("svg.board").bounding_box()
            assert board["x"] >= 0
            assert board["x"] + board["width"] <= width
            assert board["height"] < 700
            heading = page.locator("main :is(h1, h2)").first.bounding_box()
            assert heading["y"] + heading["height"] <= board["y"] + 1
            avoid = page.locator(".board-frame").evaluate("(frame) => getComputedStyle(frame).breakInside")
            assert avoid == "avoid"
            expect(page.locator(".controls")).to_be_hidden()
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert paper == "rgb(255, 255, 255)"
        page.emulate_media(media="screen")


def test_a_match_stands_on_paper_one_thing_under_the_other(visit: Any) -> None:
    page = visit().open("/?view=match&run=game&ply=2").page
    expect(page.locator(".watch-side .note")).to_be_visible()
    page.emulate_media(media="print")
    board, said = page.locator("svg.board").bounding_box(), page.locator(".watch-side .note").bounding_box()
    assert board["y"] + board["height"] <= said["y"]
    page.emulate_media(media="screen")


def test_a_claim_is_printed_with_its_words_and_a_tree_whole(visit: Any) -> None:
    someone = visit(**WALL).go("/?view=lab")
    page = someone.page
    expect(page.locator(".claim.verdict-true").first).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(".claim .unfold").first).to_be_visible()
    page.emulate_media(media="screen")
    someone.open(address(**CUTS))
    expect(page.locator(".tree .item").first).to_be_visible()
    size = page.locator("svg.tree").bounding_box()
    page.emulate_media(media="print")
    page.set_viewport_size({"width": PAPER["A4"], "height": 980})
    printed = page.locator("svg.tree").bounding_box()
    shape = page.locator("svg.tree").get_attribute("viewBox").split()
    assert printed["width"] <= PAPER["A4"] < size["width"]
    assert abs(printed["height"] / printed["width"] - float(shape[3]) / float(shape[2])) < 0.01
    page.emulate_media(media="screen")


def test_charts_are_printed_in_the_colours_of_paper(visit: Any) -> None:
    page = visit(color_scheme="dark").go("/?view=solve&run=1").page
    expect(page.locator("canvas").first).to_be_visible()
    drawn = "[...document.querySelectorAll('canvas')].map((each) => each.toDataURL()).join()"
    dark = page.evaluate(drawn)
    page.emulate_media(media="print")
    eventually(lambda: page.evaluate(drawn) != dark)
    page.emulate_media(media="screen")
    eventually(lambda: page.evaluate(drawn) == dark)


def test_claims_are_printed_as_a_table(visit: Any) -> None:
    page = visit().go("/?view=lab").page
    expect(page.locator(".claim.verdict-true").first).to_be_visible()
    page.set_viewport_size({"width": PAPER["A4"], "height": 980})
    page.emulate_media(media="print")
    places = [each.bounding_box() for each in page.locator(".claim").first.locator("td:visible").all()]
    page.emulate_media(media="screen")
    assert len(places) == 4
    assert len({place["y"] for place in places}) == 1


def test_bars_are_printed(visit: Any) -> None:
    someone = visit().open(address(**WALK))
    page = someone.page
    page.emulate_media(media="print")
    bar = page.locator(".bar > span").first
    expect(bar).to_be_visible()
    style = bar.evaluate("(bar) => [getComputedStyle(bar).printColorAdjust, getComputedStyle(bar).backgroundColor]")
    assert style[0] == "exact"
    assert style[1] != "rgba(0, 0, 0, 0)"
    assert len(page.pdf(format="A4")) > 10_000
    page.emulate_media(media="screen")


# In the colours of a system


def looks(page: Any, selector: str) -> list[str]:
    """How the first such thing looks, as far as somebody can see."""
    what = "['backgroundColor', 'color', 'borderTopColor', 'outlineStyle', 'outlineColor', 'height']"
    return page.locator(selector).first.evaluate(f"(each) => {what}.map((name) => getComputedStyle(each)[name])")


def test_what_is_chosen_which_tab_and_which_step_are_seen_in_forced_colours(visit: Any) -> None:
    page = visit(forced_colors="active").open(address(**{**WALK, "position": "XXO/OX./...", "step": 2})).page
    expect(page.locator(".step-ticks .now")).to_have_count(1)
    for chosen, other in (
        (".segments input:checked + span", ".segments input:not(:checked) + span"),
        (".tabs a[aria-current]", ".tabs a:not([aria-current])"),
        (".step-ticks .now", ".step-ticks i:not(.now, .past, .found)"),
        (
            ".bar-list [aria-current], .bar-list [aria-pressed='true']",
            ".bar-list button:not([aria-current]):not([aria-pressed='true'])",
        ),
    ):
        assert looks(page, chosen)[:5] != looks(page, other)[:5], chosen
    ink = page.evaluate("getComputedStyle(document.querySelector('.mark-x path')).stroke")
    assert ink == page.evaluate("getComputedStyle(document.body).color")
    bar = looks(page, ".bar > span")[0]
    assert bar not in (looks(page, ".bar")[0], "rgba(0, 0, 0, 0)")


# A class


@pytest.fixture
def lesson(chromium: Any) -> Iterator[Any]:
    """A class with its word, and those who come: visitors of one server."""
    held = Lesson("apple")
    with in_background(lesson=held, addresses=["http://192.168.1.7:8765/"]) as home:
        pages = []

        def come(address: str, **options: Any) -> Visitor:
            page = chromium.new_context(reduced_motion="reduce", **options).new_page()
            pages.append(Visitor(page, home))
            return pages[-1].open(address)

        yield held, come
        for each in pages:
            each.page.context.close()
        assert [complaint for each in pages for complaint in each.complaints] == []


def test_a_class_follows_board_tab_and_step_and_may_look_on_its_own(lesson: tuple[Lesson, Any]) -> None:
    held, come = lesson
    teacher, pupil = come(f"/?lead={held.key}"), come("/?join=Apple")
    assert held.key not in teacher.page.url
    expect(pupil.page.locator(".notice")).to_contain_text("it has not begun")
    teacher.page.get_by_role("button", name="Others").click()
    expect(teacher.page.get_by_role("dialog").get_by_role("img")).to_have_js_property("complete", True)
    assert teacher.page.get_by_role("dialog").get_by_role("img").evaluate("(code) => code.naturalWidth") > 0
    teacher.page.get_by_role("button", name="Follow me").click()
    teacher.page.keyboard.press("Escape")
    expect(pupil.page.locator(".notice")).to_contain_text("You follow the class")
    teacher.press("b2")
    expect(pupil.cell("b2")).to_have_accessible_name(re.compile("^b2, X"))
    expect(teacher.page.get_by_role("gridcell", name=re.compile(", O"))).to_have_count(1)
    expect(pupil.page.get_by_role("gridcell", name=re.compile(", O"))).to_have_count(1)  # the same one, not its own
    teacher.page.get_by_role("link", name="Algorithms").click()
    expect(pupil.page.locator(".step-count")).to_have_text(re.compile("^1 of"))
    teacher.page.get_by_role("button", name="One step on").click()
    expect(pupil.page.locator(".step-count")).to_have_text(re.compile("^2 of"))
    pupil.page.get_by_role("button", name="To the end").click()
    expect(pupil.page.locator(".notice")).to_contain_text("You look on your own")
    teacher.page.get_by_role("button", name="One step on").click()
    pupil.page.get_by_role("button", name="Back to the class").click()
    expect(pupil.page.locator(".step-count")).to_have_text(re.compile("^3 of"))
    teacher.page.locator(".notice").get_by_role("button", name="Stop").click()
    expect(pupil.page.locator(".notice")).to_contain_text("it has not begun")


def test_who_follows_on_a_phone_sees_what_is_shown_and_not_how_it_is_set_up(lesson: tuple[Lesson, Any]) -> None:
    held, come = lesson
    pupil = come("/?join=apple", viewport={"width": 390, "height": 844})
    held.show("?view=match&run=game&ply=2")
    expect(pupil.page.locator(".match-run .board")).to_be_in_viewport()
    expect(pupil.page.locator(".match-setup")).to_be_hidden()
    pupil.page.get_by_role("button", name="Leave").click()
    expect(pupil.page.locator(".match-setup")).to_be_visible()


def test_who_leads_goes_on_after_a_reload(lesson: tuple[Lesson, Any]) -> None:
    held, come = lesson
    teacher, pupil = come(f"/?lead={held.key}"), come("/?join=apple")
    teacher.page.get_by_role("button", name="Others").click()
    teacher.page.get_by_role("button", name="Follow me").click()
    teacher.page.keyboard.press("Escape")
    expect(pupil.page.locator(".notice")).to_contain_text("You follow the class")
    teacher.page.get_by_role("link", name="Algorithms").click()
    expect(pupil.page.locator("h1")).to_have_text("Algorithms")
    expect(pupil.page.locator(".step-count")).to_be_visible()
    pupil.page.wait_for_function("location.search.includes('step=')")  # the last that the class hears of
    shown = held.shown
    teacher.page.reload()
    expect(teacher.page.locator(".notice")).to_contain_text("Your class sees what you do here")
    expect(teacher.page.locator(".step-count")).to_be_visible()
    assert held.shown == shown
    teacher.page.get_by_role("link", name="Search").click()
    expect(pupil.page.locator("h1")).to_have_text("Search")


def test_who_finds_the_class_full_is_told_so_and_comes_in_when_there_is_room(lesson: tuple[Lesson, Any]) -> None:
    held, come = lesson
    held.followers = MOST
    late = come("/?join=apple")
    expect(late.page.locator(".notice")).to_contain_text("no room for you yet")
    held.followers = 0
    expect(late.page.locator(".notice")).to_contain_text("it has not begun")
    late.complaints[:] = [each for each in late.complaints if "429" not in each]  # the browser's own words


def test_who_types_a_wrong_word_is_told_so_and_can_try_again(lesson: tuple[Lesson, Any]) -> None:
    held, come = lesson
    held.pause = 0
    someone = come("/")
    page = someone.page
    page.get_by_role("button", name="Others").click()
    for word, said in (("pear", "not the word"), ("apple", "it has not begun")):
        page.get_by_label("The word of the class").fill(word)
        page.keyboard.press("Enter")
        if word == "pear":
            expect(page.get_by_role("dialog")).to_contain_text(said)
    page.keyboard.press("Escape")
    expect(page.locator(".notice")).to_contain_text("it has not begun")
    someone.complaints[:] = [each for each in someone.complaints if "422" not in each]  # the browser's own words


def test_a_page_asks_again_by_itself_and_no_refusal_is_shown(visit: Any) -> None:
    someone = visit().open("/")
    page = someone.page
    refused = []

    def busy(route: Any) -> None:
        if len(refused) < 2:
            refused.append(route.request.url)
            route.fulfill(
                status=429, headers={"retry-after": "1"}, content_type="application/json", body='{"detail": "busy"}'
            )
        else:
            route.continue_()

    page.route(re.compile("/api/v1/move"), busy)
    someone.press("b2")
    expect(someone.cell("b2")).to_have_accessible_name(re.compile("^b2, X"))
    expect(page.get_by_role("gridcell", name=re.compile(", O"))).to_have_count(1)
    assert len(refused) == 2
    expect(page.locator(".problem, .notice")).to_have_count(0)
    someone.complaints[:] = [each for each in someone.complaints if "429" not in each]  # the browser's own words


def test_a_page_tells_of_the_queue_only_if_it_takes_long(visit: Any) -> None:
    someone = visit().open("/")
    page = someone.page
    place = '{"place": 4, "waiting": 9, "retry_after": 2}'
    page.route(re.compile("/api/v1/queue"), lambda route: route.fulfill(content_type="application/json", body=place))
    with someone.waiting_for("/api/v1/move"):
        someone.press("b2")
        expect(page.locator(".notice")).to_contain_text("it is its turn after 3 others")
    expect(someone.cell("b2")).to_have_accessible_name(re.compile("^b2, X"))
    expect(page.locator(".notice")).to_have_count(0)


# Nobody is kept out


@pytest.mark.parametrize("options", COLOURS, ids=str)
def test_no_new_view_has_a_barrier(visit: Any, options: dict[str, str]) -> None:
    someone = visit(**options)
    for where in (address(**WALK, quiz=1), address(**{**CUTS, "step": 14}, quiz=1), address(view="analyse")):
        someone.open(where)
        someone.page.get_by_role("button", name="Present").click()
        expect(someone.page.get_by_role("navigation", name="Presentation")).to_be_visible()
        expect(someone.page.locator(".loading")).to_have_count(0)
        someone.has_no_barrier(someone.page.viewport_size["width"])


@pytest.mark.parametrize("options", COLOURS, ids=str)
def test_nor_has_a_class(lesson: tuple[Lesson, Any], options: dict[str, str]) -> None:
    held, come = lesson
    someone = come(f"/?lead={held.key}", **options)
    someone.page.get_by_role("button", name="Others").click()
    expect(someone.page.get_by_role("dialog")).to_be_visible()
    someone.has_no_barrier(1280)
    someone.page.get_by_role("button", name="Follow me").click()
    someone.page.keyboard.press("Escape")
    expect(someone.page.locator(".notice")).to_contain_text("Your class sees what you do here")
    someone.has_no_barrier(1280)
