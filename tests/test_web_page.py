"""The page in a real browser: what it shows is what Python says, whoever looks and however they press."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import answers
import pytest
from browser import address, expect

from noughts import Game, Position
from noughts.play import find_player
from noughts.rules.notation import format_move
from noughts.web.jobs import Desk
from noughts.web.server import bind, in_background

SEED = 7


# Playing


@cache
def script(player: str, outcome: str) -> tuple[tuple[str, str], ...]:
    """X's moves against this player with the page's seed, and its replies, that end in a win, a loss or a draw."""
    opponent = find_player(player, SEED)

    def search(position: Position) -> list[tuple[str, str]] | None:
        for cell in position.moves():
            after, reply = position.play(cell), ""
            if not after.is_over:
                reply = format_move(position.game, opponent(after))
                after = after.play(reply)
            step = format_move(position.game, cell), reply
            if after.is_over:
                ended = "draw" if after.winner is None else "win" if str(after.winner) == "X" else "loss"
                if ended == outcome:
                    return [step]
            elif rest := search(after):
                return [step, *rest]
        return None

    found = search(Game().start())
    assert found
    return tuple(found)


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
@pytest.mark.parametrize(
    ("player", "outcome", "heading"),
    [("level-1", "win", "You won"), ("level-4", "loss", "You lost"), ("perfect", "draw", "A draw")],
)
def test_a_game_is_played_to_its_end(visit: Any, player: str, outcome: str, heading: str, by: str) -> None:
    someone = visit().open(address(o=player, seed=SEED))
    someone.says("Your turn")
    position, moves = Game().start(), []
    for mine, reply in script(player, outcome):
        if by == "mouse":
            someone.press(mine)
        else:
            someone.walk(mine, Game())
            someone.page.keyboard.press("Enter")
        for move in filter(None, (mine, reply)):
            position = position.play(move)
            moves.append(move)
        someone.shows(position)
    someone.says(heading)
    expect(someone.page.locator(".winning-line")).to_have_count(len(position.lines()))
    told = answers.review("3x3k3", None, moves, "X")
    account = someone.page.locator(".account")
    expect(account).to_contain_text(told["summary"])
    expect(account.locator("li")).to_have_count(min(3, len(told["turning_points"])))
    for point in told["turning_points"][-3:]:
        for sentence in point["sentences"]:
            expect(account).to_contain_text(sentence)


def test_the_opponent_begins_when_you_are_second(visit: Any) -> None:
    someone = visit().open(address(x="level-4", o="you", seed=SEED))
    someone.shows(Game().start().play(find_player("level-4", SEED)(Game().start())))
    someone.says("Your turn")
    expect(someone.page.get_by_role("button", name="Undo")).to_be_disabled()


def test_two_people_undo_redo_and_begin_again(visit: Any) -> None:
    someone = visit().open(address(o="you"))
    start = Game().start()
    someone.says("X to move")
    someone.press("b2")
    someone.shows(start.play("b2"))
    someone.press("a1")
    someone.shows(start.play("b2").play("a1"))
    someone.page.keyboard.press("u")
    someone.shows(start.play("b2"))
    someone.page.get_by_role("button", name="Undo").click()
    someone.shows(start)
    someone.page.keyboard.press("r")
    someone.page.keyboard.press("r")
    someone.shows(start.play("b2").play("a1"))
    someone.page.get_by_role("button", name="Undo").click()
    someone.shows(start.play("b2"))
    someone.press("c3")
    someone.shows(start.play("b2").play("c3"))
    expect(someone.page.get_by_role("button", name="Redo")).to_be_disabled()
    someone.page.keyboard.press("n")
    someone.shows(start)


def test_undo_against_an_opponent_takes_back_both_moves(visit: Any) -> None:
    someone = visit().open(address(o="perfect", seed=SEED))
    someone.press("b2")
    after = Game().start().play("b2")
    someone.shows(after.play(find_player("perfect", SEED)(after)))
    someone.page.keyboard.press("u")
    someone.shows(Game().start())
    someone.says("Your turn")


def test_a_hint_shows_the_best_moves_with_their_reason(visit: Any) -> None:
    someone = visit().open(address(o="you", position="XX./OO./..."))
    someone.page.keyboard.press("h")
    expect(someone.page.get_by_role("gridcell", name=re.compile("hint"))).to_have_count(1)
    expect(someone.cell("c3")).to_have_attribute("aria-label", "c3, empty, hint")
    expect(someone.page.locator(".hint-words")).to_have_text("Hint: c3. Completes a line. It wins.")


def test_while_you_play_nothing_gives_the_values_away(visit: Any) -> None:
    someone = visit().open(address(o="you", position="XX./OO./..."))
    expect(someone.page.locator(".value-label")).to_have_count(0)
    assert someone.cell("c3").get_attribute("aria-label") == "c3, empty"


def test_a_custom_misere_board_is_set_up_and_lost_by_completing_a_line(visit: Any) -> None:
    someone = visit().open(address(o="you"))
    someone.page.get_by_role("radio", name="Custom").check()
    for name, number in (("Rows", 2), ("Columns", 4), ("In a row", 2)):
        someone.page.get_by_label(name, exact=True).fill(str(number))
    someone.page.get_by_label(re.compile("Misère: a line loses")).check()
    someone.page.get_by_role("button", name="Set up").click()
    expect(someone.page.get_by_role("gridcell")).to_have_count(8)
    position = Game.parse("2x4k2m").start()
    for move in ("a1", "c1", "b1"):
        someone.press(move)
        position = position.play(move)
        someone.shows(position)
    someone.says("O won")
    expect(someone.page.locator(".winning-line")).to_have_count(1)


def test_in_misere_one_is_told_of_the_line_and_only_then_of_values(visit: Any) -> None:
    someone = visit().open(address(game="3x3k3m", x="you", o="level-4", moves="a1,b2,a2,c3,a3"))
    account = someone.page.locator(".account")
    expect(account).to_contain_text("You completed three in a line (a3 a2 a1), and here that loses.")
    expect(account.get_by_role("heading", name="Move 1: X a1")).to_be_hidden()
    account.get_by_text("Where the value slipped, move by move").click()
    expect(account.get_by_role("heading", name="Move 1: X a1")).to_be_visible()
    someone.has_no_barrier(someone.viewport["width"])


@pytest.mark.parametrize(("title", "game"), [("4 × 4", "4x4k4"), ("5 × 5", "5x5k4"), ("15 × 15", "15x15k5")])
def test_other_boards_are_played_too(visit: Any, title: str, game: str) -> None:
    someone = visit().open(address(o="level-1", seed=SEED))
    someone.page.get_by_role("radio", name=title, exact=True).check()
    board = Game.parse(game)
    expect(someone.page.get_by_role("gridcell")).to_have_count(board.cells)
    someone.press("b2")
    expect(someone.page.get_by_role("gridcell", name=re.compile(", O$"))).to_have_count(1)
    assert f"game={game}" in someone.page.url


# Analysing


def test_every_cell_says_what_it_is_worth(visit: Any) -> None:
    for text in (".........", "XO./.X./..O", "3x3k3m:XO./.X./..O"):
        someone = visit().open(address(view="analyse", position=text))
        found = answers.analyze(text)
        expect(someone.page.locator(".status p").first).to_have_text(found["sentence"])
        for move in found["moves"]:
            best = ", best" if move["move"] in found["best"] else ""
            label = f"{move['move']}, empty, {move['value']} in {move['remoteness']}{best}"
            expect(someone.cell(move["move"])).to_have_attribute("aria-label", label)
            shown = f"{move['value']} {move['remoteness']}"
            expect(someone.cell(move["move"]).locator("text")).to_have_text(shown)
            for reason in move["reasons"]:
                row = someone.page.locator(
                    ".moves li", has=someone.page.get_by_role("button", name=f"Play {move['move']}")
                )
                expect(row).to_contain_text(reason)
        line = someone.page.locator(".line button")
        expect(line).to_have_text([f"{step['turn']} {step['move']}" for step in found["best_line"]])


def test_values_appear_on_4x4_once_few_cells_are_free(visit: Any) -> None:
    text = "4x4k4:XOXO/OXXO/.OXX/...."
    someone = visit().open(address(view="analyse", position=text))
    for move in answers.analyze(text)["moves"]:
        expect(someone.cell(move["move"])).to_have_attribute("aria-label", re.compile(f"{move['value']} in"))


def test_half_a_verdict_is_said_in_the_command_and_on_the_page(visit: Any) -> None:
    someone = visit().open(address(view="analyse", game="15x15k5"))
    someone.says("X cannot lose")
    expect(someone.page.get_by_text(answers.analyze(str(Game(15, 15, 5).start()))["sentence"])).to_be_visible()


def test_an_outcome_without_its_distance_is_said_without_a_number(visit: Any) -> None:
    someone, known = visit(), {"value": "win", "remoteness": None, "at_least": "win", "at_most": "win"}

    def without_distance(route: Any) -> None:
        answer = route.fetch()
        told = answer.json()
        moves = [{**move, **known} for move in told["moves"]]
        route.fulfill(response=answer, json={**told, **known, "best_line": [], "moves": moves})

    someone.page.route("**/api/v1/analyze**", without_distance)
    someone.open(address(view="analyse", position="XO./.X./..O"))
    someone.says("X wins")
    assert "null" not in someone.page.locator("main").inner_text()


def test_an_unknown_value_is_said_to_be_unknown(visit: Any) -> None:
    someone = visit().open(address(view="analyse", game="15x15k5", moves="h8,h9"))
    someone.says("Value unknown")
    expect(someone.page.get_by_text("The exact value of this position is unknown.")).to_be_visible()
    expect(someone.cell("a1")).to_have_attribute("aria-label", "a1, empty, value unknown")
    course = "Value after each move: X cannot lose, unknown, unknown"  # the first player could steal a win
    expect(someone.page.locator("svg.chart")).to_have_attribute("aria-label", course)
    expect(someone.page.locator(".moment")).to_have_count(0)
    someone.page.keyboard.press("h")
    expect(someone.page.locator(".cell.hint")).to_have_count(1)


def test_the_position_is_edited_and_refused_with_the_reason(visit: Any) -> None:
    someone = visit().open(address(view="analyse"))
    someone.page.get_by_role("button", name="Edit", exact=True).click()
    someone.press("a3")
    someone.press("b3")
    someone.says("This cannot arise")
    reason = answers.legality("XX./.../...")["reason"]
    expect(someone.page.locator(".status .problem")).to_contain_text(reason[1:])
    someone.page.get_by_role("radio", name="O", exact=True).check()
    someone.press("c1")
    someone.says(f"O wins in {answers.analyze('XX./.../..O')['remoteness']}")
    someone.page.get_by_label("As text").fill("XX./OO./...")
    someone.page.get_by_role("button", name="Set", exact=True).click()
    someone.says("X wins in 1")
    someone.page.get_by_role("button", name="Done").click()
    someone.shows(Position.parse("XX./OO./..."))
    assert "position=XX./OO./..." in someone.page.url
    someone.press("c3")
    someone.says("X has won")


def test_a_link_to_a_board_that_cannot_arise_says_why(visit: Any) -> None:
    someone = visit().open(address(view="analyse", position="XXX/OOO/..."))
    someone.says("This cannot arise")
    expect(someone.page.locator(".status .problem")).to_contain_text("oth players have completed a line")


def test_the_move_list_steps_through_the_game(visit: Any) -> None:
    moves = ["b2", "b3", "a1", "c3", "a3"]
    someone = visit().open(address(view="analyse", moves=",".join(moves)))
    entries = someone.page.locator(".move-list button")
    expect(entries).to_have_count(6)
    expect(someone.page.locator(".move-list .slipped")).to_have_count(1)
    expect(someone.page.locator("svg.chart circle")).to_have_count(6)
    entries.last.focus()
    line = [Game().start()]
    for move in moves:
        line.append(line[-1].play(move))
    for position in line[-2::-1]:
        someone.page.keyboard.press("ArrowLeft")
        someone.shows(position)
    someone.page.keyboard.press("End")
    someone.shows(line[-1])
    someone.page.keyboard.press("ArrowUp")
    someone.shows(line[-2])
    assert "at=4" in someone.page.url


def test_the_orbit_shows_every_twin_with_its_code(visit: Any) -> None:
    someone = visit().open(address(view="analyse", position="XO./.X./..O"))
    twins = answers.orbit(Position.parse("XO./.X./..O"))
    expect(someone.page.locator(".orbit .code")).to_have_text([str(twin["code"]) for twin in twins])
    expect(someone.page.locator(".orbit .canonical .code")).to_have_text(
        next(str(twin["code"]) for twin in twins if twin["canonical"])
    )
    someone.page.locator(".orbit .canonical").click()
    someone.shows(Position.parse("XO./.X./..O").canonical())


def test_the_position_is_copied_as_text(visit: Any) -> None:
    someone = visit(permissions=["clipboard-read", "clipboard-write"]).open(address(view="analyse", moves="b2,a1"))
    position = Game().start().play("b2").play("a1")
    for name, text in {
        "Copy as text": str(position),
        "Copy drawing": answers.analyze(str(position))["picture"],
    }.items():
        someone.page.get_by_role("button", name=name).click()
        expect(someone.page.get_by_role("button", name=name)).to_contain_text("Copied")
        assert someone.page.evaluate("navigator.clipboard.readText()") == text


# Links, tabs, and a server that goes away


def test_a_shared_link_restores_the_game(visit: Any) -> None:
    someone = visit().open(address(o="you", game="4x4k3"))
    position = Game.parse("4x4k3").start()
    for move in ("a1", "b2", "d4"):
        someone.press(move)
        position = position.play(move)
        someone.shows(position)
    someone.page.keyboard.press("u")
    someone.shows(Game.parse("4x4k3").start().play("a1").play("b2"))
    link = someone.page.url.removeprefix(someone.server)
    other = visit().open(link)
    other.shows(Game.parse("4x4k3").start().play("a1").play("b2"))
    other.page.keyboard.press("r")
    other.shows(position)
    other.page.get_by_role("link", name="Analyse").click()
    expect(other.page.locator(".move-list button")).to_have_count(4)
    other.page.go_back()
    other.says("O to move")


def test_two_tabs_play_two_games(visit: Any) -> None:
    first, second = visit().open(address(o="you")), visit().open(address(o="you", game="4x4k4"))
    first.press("b2")
    second.press("d4")
    first.shows(Game().start().play("b2"))
    first.press("a1")
    first.shows(Game().start().play("b2").play("a1"))
    second.shows(Game.parse("4x4k4").start().play("d4"))


def test_a_server_that_stops_is_said_to_be_gone_and_comes_back(visit: Any) -> None:
    with bind(port=0) as free:
        port = free.getsockname()[1]
    someone = visit()
    someone.server = f"http://127.0.0.1:{port}/"
    with in_background(Desk(), port):
        someone.open(address(o="you"))
        someone.press("b2")
        someone.shows(Game().start().play("b2"))
    someone.press("a1")
    expect(someone.page.get_by_role("alert").first).to_contain_text("The server does not answer.")
    someone.shows(Game().start().play("b2"))
    with in_background(Desk(), port):
        someone.shows(Game().start().play("b2").play("a1"))
        expect(someone.page.get_by_text("The server does not answer.")).to_have_count(0)
        someone.press("c3")
        someone.shows(Game().start().play("b2").play("a1").play("c3"))
    refused = [complaint for complaint in someone.complaints if "ERR_CONNECTION_REFUSED" in complaint]
    someone.complaints = [complaint for complaint in someone.complaints if complaint not in refused]
    assert refused


def test_another_view_begins_at_its_heading(visit: Any) -> None:
    someone = visit().open(address(o="you"))
    heading = someone.page.locator("main h1")
    expect(someone.page.locator("body")).to_be_focused()  # a page that was loaded begins where pages do
    for tab in ("Analyse", "Algorithms", "Search", "Solve", "Play"):
        someone.page.get_by_role("link", name=tab, exact=True).click()
        expect(someone.page.get_by_role("link", name=tab, exact=True)).to_have_attribute("aria-current", "page")
        expect(heading).to_be_focused()
        assert heading.evaluate("each => getComputedStyle(each).outlineStyle") == "none"
    someone.page.go_back()
    expect(heading).to_have_text("Solve")
    expect(heading).to_be_focused()
    someone.page.get_by_role("link", name="Analyse", exact=True).focus()
    someone.page.keyboard.press("Enter")
    expect(heading).to_have_text("A tie for X")
    expect(heading).to_be_focused()
    assert heading.evaluate("each => getComputedStyle(each).outlineStyle") == "solid"


def test_the_best_line_is_left_when_a_move_is_taken_back(visit: Any) -> None:
    someone = visit().open(address(view="analyse", moves="b2,a1"))
    with someone.waiting_for("/move") as asked:
        someone.page.locator(".line button").nth(2).click()
        expect(someone.page.locator(".line button")).to_have_count(7)
        someone.page.keyboard.press("u")
        expect(someone.page.locator(".line button")).to_have_count(8)
        someone.shows(Game().start().play("b2"))
        assert len(asked) == 1


def test_a_mark_put_just_before_the_end_of_editing_counts(visit: Any) -> None:
    someone = visit().open(address(view="analyse"))
    someone.page.get_by_role("button", name="Edit", exact=True).click()
    editing = someone.page.get_by_role("heading", name="Edit the position")
    expect(editing).to_be_visible()
    with someone.waiting_for("/legality"):
        someone.press("a3")
        someone.page.get_by_role("button", name="Done").click()
    someone.says("A tie for O")
    expect(editing).to_have_count(0)
    someone.shows(Position.parse("X../.../..."))
    expect(someone.page).to_have_url(re.compile("position=X../"))


# For everybody

VIEWS = {
    "play": "/",
    "played": address(x="level-4", o="you", moves="b2,b3,a1,c3,a3,c1,a2"),
    "analyse": address(view="analyse", moves="b2,b3,a1"),
    "edit": address(view="analyse", position="XXX/OOO/..."),
    "unknown": address(view="analyse", game="15x15k5", moves="h8,h9"),
}


@pytest.mark.parametrize(("view", "hidden"), [("play", "after"), ("match", "before")])
def test_on_a_phone_the_tab_that_is_looked_at_is_in_sight(visit: Any, view: str, hidden: str) -> None:
    someone = visit(viewport={"width": 360, "height": 740}).go(address(view=view))
    expect(someone.page.locator(".tabs [aria-current]")).to_be_in_viewport(ratio=0.99)
    expect(someone.page.locator(".tabs")).to_have_class(f"tabs more-{hidden}")


@pytest.mark.parametrize(
    ("width", "theme"), [(360, "light"), (1280, "dark"), pytest.param(1920, "light", marks=pytest.mark.slow)]
)
def test_no_accessibility_violation_and_nothing_sticks_out(visit: Any, width: int, theme: str) -> None:
    someone = visit(viewport={"width": width, "height": 740}, color_scheme=theme)
    for name, view in VIEWS.items():
        someone.open(view)
        if name == "played":
            expect(someone.page.get_by_role("button", name="Play again")).to_be_visible()
        someone.has_no_barrier(width)
        board = someone.page.locator("svg.board").bounding_box()
        assert board
        assert board["x"] >= 0
        assert board["x"] + board["width"] <= width


def test_the_board_is_a_grid_with_one_stop_for_the_tab_key(visit: Any) -> None:
    someone = visit().open(address(view="analyse"))
    grid = someone.page.get_by_role("grid")
    expect(grid.get_by_role("row")).to_have_count(3)
    expect(grid.get_by_role("gridcell")).to_have_count(9)
    expect(grid.locator("[tabindex='0']")).to_have_count(1)
    expect(someone.cell("b2")).to_have_attribute("aria-label", "b2, empty, tie in 9, best")
    someone.cell("b2").focus()
    for key, move in {"Home": "a2", "PageUp": "a3", "End": "c3", "Control+End": "c1", "Control+Home": "a3"}.items():
        someone.page.keyboard.press(key)
        expect(someone.cell(move)).to_be_focused()
    expect(grid.locator("[tabindex='0']")).to_have_count(1)


def test_the_focus_stays_on_the_board_while_one_plays_by_keyboard(visit: Any) -> None:
    someone = visit().open(address(o="you"))
    someone.walk("a1", Game())
    someone.page.keyboard.press("Space")
    someone.shows(Game().start().play("a1"))
    expect(someone.cell("a1")).to_be_focused()


def test_marks_are_drawn_unless_less_motion_is_wanted(visit: Any) -> None:
    for wish, animation in (("no-preference", "draw"), ("reduce", "none")):
        someone = visit(reduced_motion=wish).open(address(o="you", moves="b2"))
        stroke = someone.page.locator(".mark .stroke").first
        assert stroke.evaluate("each => getComputedStyle(each).animationName") == animation


def test_the_colours_can_be_chosen_and_are_kept(visit: Any) -> None:
    someone = visit(color_scheme="light").open()
    someone.page.get_by_role("button", name="Use dark colours").click()
    assert someone.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 19, 23)"
    someone.open()
    assert someone.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 19, 23)"


def test_the_values_have_their_colours_in_both_themes(visit: Any) -> None:
    colours = {"light": ["#0072b2", "#767676", "#c24e00"], "dark": ["#56b4e9", "#b0b0b0", "#e69f00"]}
    for theme, wanted in colours.items():
        someone = visit(color_scheme=theme).open(address(view="analyse", position="O../.../..X"))
        for value, colour in zip(("win", "tie", "loss"), wanted, strict=True):
            shape = someone.page.locator(f".board path.value-{value}").first
            red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
            assert shape.evaluate("each => getComputedStyle(each).fill") == f"rgb({red}, {green}, {blue})", theme


def test_the_api_is_described_offline_and_can_be_tried(visit: Any) -> None:
    someone = visit()
    someone.page.goto(f"{someone.server}docs")
    offered = sum(map(len, someone.page.request.get(f"{someone.server}api/v1/openapi.json").json()["paths"].values()))
    expect(someone.page.locator(".operation")).to_have_count(offered)
    for named in someone.page.locator("dt").all_inner_texts():
        assert re.match(r"\w+ \S", named), "a name, a space, and what it is"
    someone.page.get_by_role("button", name="Ask").first.click()
    expect(someone.page.locator("pre").first).to_contain_text('"canonical": ".OX/.X./O.."')
    someone.has_no_barrier(1280)


@pytest.mark.parametrize("view", ["nonsense", "constructor"])
def test_a_link_to_a_view_that_does_not_exist_leads_to_a_game(visit: Any, view: str) -> None:
    someone = visit().open(address(view=view))
    someone.press("b2")
    expect(someone.page.get_by_role("gridcell", name=re.compile(r"^\w+, O"))).to_have_count(1)


@pytest.mark.parametrize("view", ["play", "analyse", "algorithms", "search"])
def test_a_link_that_cannot_be_read_says_so_under_one_heading_and_offers_a_new_game(visit: Any, view: str) -> None:
    someone = visit().go(address(view=view, moves="b2,b2"))
    nowhere = someone.page.get_by_role("heading", name="This link leads nowhere")
    expect(nowhere).to_be_visible()
    expect(someone.page.get_by_role("heading", level=1)).to_have_count(1)
    expect(someone.page.get_by_role("alert").last).to_have_text("Move 2 does not replay: b2 is taken by X.")
    someone.page.get_by_role("button", name="Begin a new game").click()
    expect(nowhere).to_have_count(0)
    expect(someone.page.get_by_role("grid").first).to_be_visible()
    assert len(someone.complaints) == 1, "the browser notes the 422"
    someone.complaints.clear()


def test_an_opponent_who_cannot_play_here_says_why_and_another_takes_over(visit: Any) -> None:
    someone = visit().open(address(x="perfect", o="you", game="15x15k5"))
    expect(someone.page.locator(".status .problem")).to_contain_text("does not guess")
    someone.page.get_by_role("radio", name="Level 1").check()
    expect(someone.page.get_by_role("gridcell", name=re.compile(", X$"))).to_have_count(1)
    someone.says("Your turn")
    someone.complaints.clear()
