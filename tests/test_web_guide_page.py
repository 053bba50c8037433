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
