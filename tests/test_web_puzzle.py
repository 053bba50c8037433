"""The puzzle of the day, and games to keep, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest
from browser import address, expect

from noughts.play.puzzles import attempt, daily, solution
from noughts.rules.notation import format_move

MONDAY = "2026-01-05"


def name(puzzle: Any, cell: int) -> str:
    return format_move(puzzle.game, cell)


def test_a_wrong_move_is_refuted_and_the_right_one_can_be_shared(visit: Any) -> None:
    puzzle = daily(MONDAY)
    wrong = next(cell for cell in puzzle.cells if cell != puzzle.solution)
    someone = visit(reduced_motion="reduce").open(address(view="puzzle", date=MONDAY))
    page = someone.page
    expect(page.locator(".task")).to_have_text(puzzle.task)
    someone.shows(puzzle.position)
    someone.press(name(puzzle, wrong))
    told = attempt(puzzle, [wrong])
    for sentence in told.sentences:
        expect(page.locator(".said")).to_contain_text(sentence)
    expect(page.get_by_text("Share it")).to_have_count(0)
    if told.line:
        page.get_by_role("button", name="To the end").click()
        someone.shows(told.played[-1])
    page.get_by_role("button", name="Try again").click()
    someone.shows(puzzle.position)
    someone.press(name(puzzle, puzzle.solution))
    expect(page.locator(".said .right")).to_have_text("Right")
    expect(page.locator(".share-text")).to_have_text(attempt(puzzle, [wrong, puzzle.solution]).share)
    assert name(puzzle, puzzle.solution) not in page.locator(".share-text").inner_text().split()


def test_days_in_a_row_are_counted_in_this_browser(visit: Any) -> None:
    someone = visit(reduced_motion="reduce")
    page = someone.page
    for day, said in ((MONDAY, "Solved one day in a row."), ("2026-01-06", "Solved 2 days in a row.")):
        puzzle = daily(day)
        someone.open(address(view="puzzle", date=day))
        someone.press(name(puzzle, puzzle.solution))
        expect(page.get_by_text(said)).to_be_visible()
    expect(page.locator(".share-text")).to_contain_text("2 days in a row")
    page.reload()
    expect(page.get_by_text("Solved 2 days in a row.")).to_be_visible()
    page.get_by_role("button", name="The day before").click()
    expect(page.get_by_role("heading", name=f"Puzzle of {MONDAY}")).to_be_visible()
    expect(page.get_by_text("Solved one day in a row.")).to_be_visible()


def test_the_solution_is_shown_and_does_not_count(visit: Any) -> None:
    someone = visit(reduced_motion="reduce").open(address(view="puzzle", date=MONDAY, level="3"))
    found = solution(daily(MONDAY, 3))
    someone.page.get_by_role("button", name="Show the solution").click()
    expect(someone.page.locator(".said")).to_contain_text(found.sentences[0])
    expect(someone.page.locator(".share-text")).to_have_count(0)
    expect(someone.page.get_by_text("Solved one day")).to_have_count(0)


def test_a_day_to_come_is_refused_with_its_reason(visit: Any) -> None:
    someone = visit().go(address(view="puzzle", date="2999-01-01"))
    expect(someone.page.get_by_text("2999-01-01 is still to come")).to_be_visible()
    someone.complaints.clear()  # the browser notes that the question was refused


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_nobody_meets_a_barrier(visit: Any, width: int, scheme: str) -> None:
    someone = visit(viewport={"width": width, "height": 740}, color_scheme=scheme, reduced_motion="reduce")
    for level in ("1", "2", "5"):
        someone.open(address(view="puzzle", date=MONDAY, level=level))
        someone.has_no_barrier(width)
    someone.page.get_by_role("button", name="Show the solution").click()
    expect(someone.page.locator(".said")).to_contain_text("is right")
    someone.has_no_barrier(width)


# Games to keep

TREE = "(;GM[4]SZ[15]RU[3x3k3];B[bb]C[the middle];W[ac](;B[aa])(;B[ca]C[not so good];W[aa]))"


def opened(visit: Any, **looks: Any) -> Any:
    someone = visit(**looks).open(address(view="analyse"))
    someone.page.get_by_text("Open a game").click()
    someone.page.get_by_label("SGF, .psq, a list of moves, or a link").fill(TREE)
    someone.page.get_by_role("button", name="Open it").click()
    expect(someone.page.locator(".variations")).to_contain_text("3. X a3")
    return someone


def test_a_game_is_opened_with_its_variations_and_written_again(visit: Any) -> None:
    someone = opened(visit)
    page = someone.page
    variations = page.locator(".variations")
    expect(variations.locator("p")).to_have_count(2)
    expect(variations).to_contain_text("the middle")
    variations.get_by_role("button", name="4. O a3").click()
    expect(variations.locator("[aria-current]")).to_have_text("4. O a3")
    someone.press("c1")
    expect(variations).to_contain_text("5. X c1")
    page.get_by_label("Comment on c1").fill("blocks]")
    page.get_by_role("button", name="Write it").click()
    text = page.get_by_label("The game as text")
    expect(text).to_have_value(
        "(;FF[4]GM[4]CA[UTF-8]AP[noughts]SZ[3]RU[3x3k3]\n"
        ";B[bb]C[the middle];W[ac](;B[aa])(;B[ca]C[not so good];W[aa];B[cc]C[blocks\\]]))\n"
    )
    page.get_by_label("Format").select_option("link")
    page.get_by_role("button", name="Write it").click()
    expect(text).to_have_value("http://127.0.0.1:8765/?view=analyse&game=3x3k3&moves=b2,a1,a3\n")


def test_move_numbers_are_drawn_on_the_marks(visit: Any) -> None:
    someone = visit().open(address(view="analyse", moves="b2,a1,c3"))
    someone.page.get_by_label("Show move numbers on the board").check()
    numbers = someone.page.locator(".move-numbers text")
    expect(numbers).to_have_count(3)
    assert sorted(map(str.strip, numbers.all_text_contents())) == ["1", "2", "3"]


def test_a_bad_file_is_refused_in_a_sentence(visit: Any) -> None:
    someone = visit().open(address(view="analyse"))
    someone.page.get_by_text("Open a game").click()
    someone.page.get_by_label("SGF, .psq, a list of moves, or a link").fill("(;GM[4]SZ[15];B[hh];W[hh])")
    someone.page.get_by_role("button", name="Open it").click()
    expect(someone.page.get_by_text("h8 is taken by X")).to_be_visible()
    someone.complaints.clear()  # the browser notes that the question was refused


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1280, "dark")])
def test_the_variations_are_for_everybody(visit: Any, width: int, scheme: str) -> None:
    someone = opened(visit, viewport={"width": width, "height": 740}, color_scheme=scheme)
    someone.page.get_by_role("button", name="Write it").click()
    expect(someone.page.get_by_label("The game as text")).to_be_visible()
    someone.has_no_barrier(width)
