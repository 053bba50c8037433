"""Games beyond the solved ones, and a proof to play against, in a real browser."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import pytest
from browser import address, expect

from noughts.proofs import proven


def test_a_proof_is_chosen_and_tried_and_answers_with_its_reason(visit: Any) -> None:
    someone = visit(reduced_motion="reduce").go(address(view="solve"))
    page = someone.page
    page.get_by_role("button", name="Play against the proof: 5x5k4").click()
    here = page.locator(".against")
    expect(here.get_by_role("heading")).to_have_text("5x5k4: a tie, so X cannot win. You are X")
    for moves in (["c3"], ["c3", "a1"]):
        someone.press(moves[-1])
        truth = proven.play_against("5x5k4", moves)
        expect(here.locator(".against-moves li")).to_have_count(len(moves))
        expect(here.locator(".against-moves li").last).to_contain_text(truth.proof_moves[-1].why)
        expect(here.get_by_role("status").first).to_contain_text(truth.sentence)
    assert "tried=c3,a1" in unquote(page.url)
    here.get_by_role("button", name="Take back").click()
    expect(here.locator(".against-moves li")).to_have_count(1)
    here.get_by_role("button", name="Done").click()
    expect(page.locator(".against")).to_have_count(0)


def test_a_win_begins_by_itself_and_ends_with_a_line(visit: Any) -> None:
    page = visit(reduced_motion="reduce").open(address(view="solve", against="5x6k4")).page
    here = page.locator(".against")
    expect(here.get_by_role("heading")).to_have_text("5x6k4: X wins. You are O")
    expect(here.locator(".against-moves li")).to_have_count(1)


@pytest.mark.parametrize("look", [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"forced_colors": "active"}])
def test_the_proofs_are_for_everybody(visit: Any, look: dict[str, str]) -> None:
    someone = visit(viewport={"width": 1280, "height": 900}, **look).open(
        address(view="solve", against="7x7k5", tried="d4,e4,c3")
    )
    expect(someone.page.locator(".against-moves li")).to_have_count(3)
    someone.has_no_barrier(1280)
