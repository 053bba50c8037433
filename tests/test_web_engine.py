"""What the engine believes, on the page: as a stream, with lines to walk, and the course of a game."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser import address, expect

from noughts import native

pytestmark = pytest.mark.skipif(native.core() is None, reason="the engine needs the native core")

GAME = "h8,i9,h9,h10,g8,i8,i10,f7,j11,k12,g7,g6"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_the_engine_is_started_stopped_and_its_line_walked(visit: Any) -> None:
    someone = visit().open(address(view="analyse", game="15x15k5", moves=GAME, o="you"))
    card = someone.page.get_by_label("What the engine believes", exact=True)
    card.get_by_role("button", name="Let the engine think").click()
    expect(card).to_contain_text(re.compile(r"Depth \d+, up to \d+ moves ahead"))
    card.get_by_role("button", name="Stop").click()
    expect(card.get_by_role("button", name="Think again")).to_be_visible()
    expect(card.get_by_role("img")).to_have_attribute("aria-label", re.compile(r"X \d+ %, O \d+ %"))
    first = card.locator(".engine-lines li").first.get_by_role("button")
    names = [first.nth(number).inner_text().split()[1] for number in range(2)]
    first.nth(1).click()
    expect(someone.page.locator(".move-list [aria-current]")).to_contain_text(names[1])
    assert f"{names[0]},{names[1]}" in someone.page.url.replace("%2C", ",")


def test_the_course_of_a_game_is_drawn_and_leads_to_its_mistakes(visit: Any) -> None:
    someone = visit(**PHONE, color_scheme="dark").open(address(view="analyse", game="15x15k5", moves=GAME, o="you"))
    card = someone.page.get_by_label("The course of the game", exact=True)
    card.get_by_role("button", name="Look at the whole game").click()
    expect(card.locator("circle.chance")).to_have_count(13)
    mistakes = card.locator(".mistakes li")
    expect(mistakes.first).to_be_visible()
    assert mistakes.count() == card.locator(".chances .sign").count()
    number = int(mistakes.first.get_by_role("button").inner_text())
    mistakes.first.get_by_role("button").click()
    played = GAME.split(",")[number - 2]
    expect(someone.page.locator(".move-list [aria-current]")).to_contain_text(played)
    someone.has_no_barrier(390)


def test_where_everything_is_known_or_the_engine_does_not_play_it_is_not_offered(visit: Any) -> None:
    someone = visit().open(address(view="analyse", moves="b2,a1", o="you"))
    expect(someone.page.get_by_label("Every move", exact=True)).to_be_visible()
    expect(someone.page.get_by_label("What the engine believes", exact=True)).to_have_count(0)
