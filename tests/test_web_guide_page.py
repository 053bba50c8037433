"""The documentation in a real browser: readable by everybody, in light and dark, on a phone and on a desk."""

from __future__ import annotations

from typing import Any

import pytest
from browser import expect


@pytest.mark.parametrize(
    "name",
    ["", "explanation/minimax", "explanation/symmetry-and-counting", "how-to/serve", "reference/play", "?q=minimax"],
)
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_nobody_meets_a_barrier(visit: Any, name: str, scheme: str, width: int) -> None:
    visitor = visit(color_scheme=scheme, viewport={"width": width, "height": 800})
    visitor.go(f"guide/{name}")
    expect(visitor.page.locator("h1")).to_be_visible()
    visitor.has_no_barrier(width)


def test_pictures_are_drawn_and_follow_the_theme(visit: Any) -> None:
    visitor = visit(color_scheme="light")
    visitor.go("guide/explanation/bitboards")
    picture = visitor.page.locator("main img").first
    assert picture.evaluate("image => image.complete && image.naturalWidth > 100")
    light = picture.screenshot()
    visitor.page.evaluate("window.theme.toggle()")
    assert picture.screenshot() != light


def frame_of(visitor: Any, number: int = 0) -> Any:
    """Something to play with on a page, in sight."""
    place = visitor.page.locator(".live iframe").nth(number)
    place.scroll_into_view_if_needed()
    return place.content_frame


def test_the_game_of_fifteen_is_played_on_its_page(visit: Any) -> None:
    visitor = visit()
    visitor.go("guide/explanation/magic-square")
    game = frame_of(visitor)
    numbers = game.get_by_role("group", name="Numbers on the table")
    for taken in (1, 2):
        numbers.locator("button:not([disabled])").first.click()
        expect(numbers.locator("[data-taken=O]")).to_have_count(taken)  # it is answered
    expect(numbers.locator("[data-taken=X]")).to_have_count(2)
    game.get_by_role("button", name="What game is this?").click()
    expect(game.get_by_text("taking a number is a move of tic-tac-toe")).to_be_visible()
    game.get_by_role("button", name="New game").click()
    expect(numbers.locator("button:not([disabled])")).to_have_count(9)


def test_an_algorithm_and_a_tree_are_stepped_through_on_their_pages(visit: Any) -> None:
    visitor = visit()
    visitor.go("guide/explanation/magic-square")
    walk = frame_of(visitor, 1)
    expect(walk.get_by_role("status").filter(has_text="15 − 2 = 13")).to_be_visible()  # the step that the page tells of
    walk.locator(".step-play").press("Home")
    expect(walk.get_by_text("Every line adds up to 15.")).to_be_visible()
    visitor.go("guide/explanation/minimax")
    tree = frame_of(visitor, 1)
    expect(tree.get_by_text("Beta cut: MAX can reach 9 here")).to_be_visible()
    tree.get_by_role("button", name="Next cut").click()
    expect(tree.get_by_text("Beta cut: MAX can reach 10 here")).to_be_visible()
    address = tree.get_by_role("link", name="Open this in the laboratory").get_attribute("href")
    assert address.startswith("/?view=search&position=.XX/O../X.O")


def test_a_win_is_tried_to_refute_on_its_page(visit: Any) -> None:
    visitor = visit()
    visitor.go("guide/explanation/winning-by-force")
    proof = frame_of(visitor)
    expect(proof.get_by_role("heading", name="X wins: try to refute it")).to_be_visible()
    for _ in range(5):
        if proof.get_by_role("heading", name="X has won").count():
            break
        proof.get_by_role("button", name="Longest reply").click()
        visitor.page.wait_for_timeout(200)
    expect(proof.get_by_role("heading", name="X has won")).to_be_visible()


def test_a_frame_is_as_high_as_what_it_shows(visit: Any) -> None:
    visitor = visit()
    visitor.go("guide/explanation/magic-square")
    for number in range(2):
        inside = frame_of(visitor, number)
        expect(inside.get_by_role("link", name="Open this in the laboratory")).to_be_visible()
        visitor.page.wait_for_function(
            "number => { const frame = document.querySelectorAll('.live iframe')[number];"
            " const { scrollHeight, clientHeight } = frame.contentDocument.documentElement;"
            " return scrollHeight <= clientHeight && clientHeight > 200 }",
            arg=number,
        )


EMBEDDED = [
    "view=fifteen",
    "view=algorithms&detector=shifts&moves=b2,a1,c3&step=2",
    "view=search&position=XO./.OX/OX.",
    "view=analyse&position=7x7k4:......./......./..XX.../......./....O../.....O./.......&show=win",
    "moves=b2&values=1",
]


@pytest.mark.parametrize("query", EMBEDDED, ids=lambda query: query.partition("&")[0])
@pytest.mark.parametrize(("scheme", "width"), [("light", 720), ("dark", 340)])
def test_nobody_meets_a_barrier_in_what_is_played_with(visit: Any, query: str, scheme: str, width: int) -> None:
    visitor = visit(color_scheme=scheme, viewport={"width": width, "height": 600})
    visitor.go(f"embed?{query}")
    expect(visitor.page.locator("main :is([role=grid], [role=tree], .numbers button)").first).to_be_visible()
    visitor.has_no_barrier(width)


def test_what_cannot_be_embedded_is_said(visit: Any) -> None:
    visitor = visit()
    visitor.go("embed?view=nonsense")
    expect(visitor.page.locator("main")).to_contain_text("There is nothing called nonsense to show")


def test_the_way_back_to_the_game(visit: Any) -> None:
    visitor = visit()
    visitor.go("guide/explanation/who-has-won")
    visitor.page.get_by_role("link", name="a page of its own").click()
    expect(visitor.page.locator("h1")).to_contain_text("magic square")
    visitor.page.locator(".wordmark").click()
    expect(visitor.page.locator("svg.board").first).to_be_visible()


def test_a_block_of_code_is_copied_without_its_prompts(visit: Any) -> None:
    visitor = visit()
    visitor.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.go("guide/how-to/match-players")
    frame = visitor.page.locator(".code-frame").filter(has_text="series = match(PLAYERS").first
    frame.get_by_role("button", name="Copy").click()
    expect(frame.get_by_role("button", name="Copied")).to_be_visible()
    text = visitor.page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("from noughts.play import PLAYERS, match\nseries = match(")
    assert ">>>" not in text
    assert "(100, 100)" not in text  # what is answered


def test_one_searches_and_goes_on_to_the_next_page(visit: Any) -> None:
    visitor = visit()
    visitor.go("guide/")
    visitor.page.get_by_label("Search the guide").fill("round robin")
    visitor.page.get_by_role("button", name="Search").click()
    visitor.page.locator("main").get_by_role("link", name="Everybody against everybody").first.click()
    expect(visitor.page.locator("h1")).to_have_text("Match players")
    visitor.page.locator(".beside [rel=next]").click()
    expect(visitor.page.locator("h1")).not_to_have_text("Match players")
