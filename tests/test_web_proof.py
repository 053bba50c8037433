"""Threats and proofs in a real browser: drawn, shown, tried to refute; and the account of a lost game."""

from __future__ import annotations

import re
from typing import Any

import answers
import pytest
from browser import address, expect

from noughts import Game, Position
from noughts.account import review
from noughts.rules.position import replay
from noughts.walk import show

GOMOKU = Game(15, 15, 5)
LOST = "h8,h9,g7,a1,i9,o15,j10,f6,k11"
FACING = ",".join(LOST.split(",")[:5])  # X has an open three, O is to move
WON = ",".join(LOST.split(",")[:6])  # O did not meet it
MIXED = "c3,b3,d3,h8,e3,i9,f3,j10"  # X has a closed four, O an open three
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LOOKS = [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"color_scheme": "dark", "forced_colors": "active"}]


def after(moves: str) -> Position:
    return replay(GOMOKU.start(), moves.split(","))[-1]


def analysing(moves: str, **more: str) -> str:
    return address(view="analyse", game="15x15k5", moves=moves, o="you", **more)


def test_threats_are_drawn_and_listed_and_told_apart_without_colour(visit: Any) -> None:
    someone = visit().open(analysing(MIXED))
    told = answers.analyze(str(after(MIXED)))["shapes"]
    assert [(each["owner"], each["kind"], each["open"]) for each in told] == [
        ("X", "four", False),
        ("O", "three", True),
    ]
    drawn = someone.page.locator(".board .threat")
    expect(drawn).to_have_count(2)
    four, three = drawn.nth(0), drawn.nth(1)
    expect(four).to_have_attribute("data-open", "false")
    expect(three).to_have_attribute("data-open", "true")
    assert four.locator(".stem").get_attribute("stroke-dasharray") is None  # X is solid, O dashed
    assert three.locator(".stem").get_attribute("stroke-dasharray")
    wide = [float(each.locator(".stem").get_attribute("stroke-width")) for each in (four, three)]
    assert wide[0] > wide[1]
    assert (four.locator("circle").count(), three.locator("rect").count()) == (1, len(told[1]["meets"]))
    arrows = [each.locator(".end").get_attribute("d").count("L") for each in (four, three)]
    assert arrows == [3, 4]  # a bar and an arrow, two arrows
    listed = someone.page.get_by_label("Threats", exact=True)
    expect(listed).to_contain_text("g3 completes the four at c3 d3 e3 f3")
    listed.get_by_label("Show threats on the board").uncheck()
    expect(drawn).to_have_count(0)
    someone.page.reload()
    expect(listed.get_by_label("Show threats on the board")).not_to_be_checked()


def test_what_must_be_met_is_said(visit: Any) -> None:
    someone = visit().open(analysing(FACING))
    expect(someone.page.get_by_label("Threats", exact=True)).to_contain_text(
        "the three at g7 h8 i9 must be met at f6 or j10"
    )


def test_half_a_verdict_is_told_in_words(visit: Any) -> None:
    empty = str(Game(13, 13, 8).start())
    someone = visit().open(address(view="analyse", position=empty, o="you"))
    someone.says("X cannot lose")
    [half] = [move["move"] for move in answers.analyze(empty)["moves"] if move["at_least"] == "tie"]
    told = someone.page.locator(".moves li").filter(has_text=half)
    expect(told.locator(".value-tag")).to_have_text("cannot lose")
    proof = someone.page.get_by_label("The proof", exact=True)
    expect(proof).to_contain_text("X cannot lose here: a win of O's could be stolen")
    expect(proof).to_contain_text("Look longer for a proof")


def test_in_a_game_threats_are_shown_only_if_asked_for(visit: Any) -> None:
    someone = visit().open(address(game="15x15k5", moves=FACING, o="you"))
    drawn = someone.page.locator(".board .threat")
    tick = someone.page.get_by_label("Show threats on the board")
    expect(tick).not_to_be_checked()
    expect(drawn).to_have_count(0)
    tick.check()
    expect(drawn).to_have_count(1)
    someone.page.keyboard.press("h")
    hint = "Hint: j10 or f6. The three at g7 h8 i9 must be met at f6 or j10. Every other move is known to be worse."
    expect(someone.page.locator(".hint-words")).to_have_text(hint)


def test_three_in_a_row_has_twos_to_show(visit: Any) -> None:
    someone = visit().open(address(view="analyse", position="XX./.O./..."))
    expect(someone.page.locator(".board .threat")).to_have_count(1)
    expect(someone.page.get_by_label("Threats", exact=True)).to_contain_text("the two at a3 b3 must be met at c3")
    someone.open(address(view="analyse", position="3x3k3m:XX./.O./..."))
    expect(someone.page.get_by_label("Show threats on the board")).to_have_count(0)


def test_a_win_is_shown_and_every_reply_is_answered(visit: Any) -> None:
    someone = visit().open(analysing(WON))
    position = after(WON)
    [claim] = show(position).claims
    expect(someone.page.get_by_label("The proof", exact=True)).to_contain_text(claim.text)
    someone.page.get_by_role("button", name="Show me the win").click()
    someone.says("X wins: try to refute it")
    first = claim.steps[0]
    assert first.cell is not None
    now = position.play(first.cell)
    someone.shows(now)
    for reply in ("c3", "k11"):  # one that changes nothing, and one that stops half of it
        someone.press(reply)
        cell = now.cell(reply)
        answer = claim.steps[first.replies.get(cell, first.idle)].cell
        someone.shows(now.play(reply).play(answer))
        someone.says("X has won")
        expect(someone.page.locator(".winning-line")).to_have_count(1)
        someone.page.get_by_role("button", name="Back", exact=True).click()
        someone.shows(now)
    someone.page.get_by_role("button", name="Longest reply").click()
    someone.says("X has won")
    someone.page.get_by_role("button", name="Begin again").click()
    someone.shows(now)
    assert "show=win" in someone.page.url
    someone.page.get_by_role("button", name="Done").click()
    someone.shows(position)
    assert "show" not in someone.page.url


def test_a_link_opens_the_proof(visit: Any) -> None:
    someone = visit().open(analysing(WON, show="win"))
    someone.says("X wins: try to refute it")


def test_pairs_are_drawn(visit: Any) -> None:
    position = Position.parse("6x6k5:....../....../..X.../....../....../......")
    someone = visit().open(address(view="analyse", position=str(position)))
    proof = someone.page.get_by_label("The proof", exact=True)
    claims = show(position).claims
    for claim in claims:
        expect(proof).to_contain_text(claim.text)
    expect(someone.page.locator(".board .value-label").first).to_be_visible()
    proof.get_by_role("button", name="Show the pairs").first.click()
    expect(someone.page.locator(".board .pair")).to_have_count(len(claims[0].pairs))
    numbers = someone.page.locator(".board .pair").first.locator("text").all_text_contents()
    assert numbers == ["1", "1"]
    expect(someone.page.locator(".board .value-label")).to_have_count(0)  # there is no room for both
    proof.get_by_role("button", name="Hide the pairs").click()
    expect(someone.page.locator(".board .pair")).to_have_count(0)


def test_a_longer_look_can_be_had_and_tells_how_far_it_is(visit: Any) -> None:
    someone = visit().open(analysing("h8,h9"))
    proof = someone.page.get_by_label("The proof", exact=True)
    expect(proof).to_contain_text("Nothing is proven here within a second. That does not mean that it is a draw.")
    with someone.waiting_for("/prove"):
        proof.get_by_role("button", name="Look longer for a proof").click()
        expect(proof.locator("progress")).to_be_visible()
        expect(proof.get_by_role("button", name="Stop")).to_be_visible()
    expect(proof).to_contain_text("Who wins stays open.")


def test_a_lost_game_tells_where_and_shows_the_win(visit: Any) -> None:
    someone = visit().open(address(game="15x15k5", moves=LOST, o="you"))
    found = review(GOMOKU.start(), LOST.split(","))
    account = someone.page.locator(".account")
    expect(account).to_contain_text(found.summary)
    assert found.lost_from
    for sentence in found.lost_from.sentences:
        expect(account).to_contain_text(sentence)
    account.get_by_role("button", name="Show me the win").click()
    someone.says("X wins: try to refute it")


def test_an_account_that_takes_long_tells_how_far_it_is(visit: Any) -> None:
    someone = visit()
    told = 'event: progress\ndata: {"level": "look", "done": 3, "total": 20}\n\n'  # and then the line breaks
    someone.page.route("**/review?*", lambda route: route.fulfill(content_type="text/event-stream", body=told))
    someone.open(address(game="15x15k5", moves=LOST, o="you"))
    bar = someone.page.get_by_role("progressbar", name="How far the look back is")
    expect(bar).to_have_attribute("aria-valuenow", "15")
    someone.page.unroute("**/review?*")
    expect(someone.page.locator(".account")).to_contain_text(review(GOMOKU.start(), LOST.split(",")).summary[:20])
    expect(bar).to_have_count(0)


def test_the_course_shows_what_is_known_in_part(visit: Any) -> None:
    someone = visit().open(analysing(LOST))
    course = someone.page.locator("svg.chart")
    label = re.compile("^Value after each move: X cannot lose, (unknown, ){5}X wins in 3, X wins")
    expect(course).to_have_attribute("aria-label", label)
    expect(course.locator(".unknown rect")).to_have_count(2)  # half of it, then all
    expect(course.locator(".moment")).to_have_count(4)


@pytest.mark.parametrize("look", LOOKS, ids=str)
@pytest.mark.parametrize("more", [{}, {"show": "win"}], ids=["threats", "walk"])
def test_the_new_parts_have_no_barrier(visit: Any, look: dict[str, Any], more: dict[str, str]) -> None:
    someone = visit(**PHONE, **look).open(analysing(WON, **more))
    expect(someone.page.get_by_label("The proof", exact=True)).to_contain_text("X wins by force")
    expect(someone.page.locator("svg.chart")).to_be_visible()
    someone.has_no_barrier(390)


@pytest.mark.parametrize("show", ["pairs-X", "pairs-O"])
def test_pairs_have_no_barrier(visit: Any, show: str) -> None:
    someone = visit(**PHONE).open(
        address(view="analyse", position="6x6k5:....../....../..X.../....../....../......", show=show)
    )
    expect(someone.page.locator(".board .pair").first).to_be_visible()
    someone.has_no_barrier(390)


def test_on_a_phone_a_reply_is_confirmed_and_answered(visit: Any) -> None:
    someone = visit(**PHONE).open(analysing(WON, show="win"))
    someone.says("X wins: try to refute it")
    someone.cell("c3").tap()
    someone.page.get_by_role("button", name="Play c3").tap()
    someone.says("X has won")
