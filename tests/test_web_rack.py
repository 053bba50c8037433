"""Where marks fall, in a real browser: the rack is played by mouse, finger and keyboard, and shows what Python says."""

from __future__ import annotations

import re
from typing import Any

import answers
import pytest
from browser import address, expect

from noughts import Game, Position
from noughts.play import find_player
from noughts.rules.notation import column_letters, format_move

SEED = 7
FOUR = Game.parse("6x7k4g")
TWO = address(game="6x7k4g", o="you")
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LATE = "6x7k4g:4444443333332"  # two columns are full, and the rest is known


def column(someone: Any, letter: str) -> Any:
    """The head of a column, which has its name and the focus."""
    return someone.page.get_by_role("gridcell", name=re.compile(f"^column {letter},"))


def four(columns: str) -> Position:
    return Position.parse(f"6x7k4g:{columns}")


# Playing


def test_a_press_anywhere_in_a_column_drops_a_mark(visit: Any) -> None:
    someone = visit().open(TWO)
    for cell, columns in (("d4", "4"), ("d4", "44"), ("a6", "441")):
        someone.press(cell)
        someone.shows(four(columns))
    someone.cell("d1").click()  # on a mark, too
    someone.shows(four("4414"))
    column(someone, "g").click()  # over the rack
    someone.shows(four("44147"))


def test_a_tap_anywhere_in_a_column_drops_a_mark(visit: Any) -> None:
    someone = visit(**PHONE).open(TWO)
    for cell, columns in (("d6", "4"), ("d1", "44"), ("g3", "447")):
        someone.cell(cell).tap()
        someone.shows(four(columns))
    expect(someone.page.locator(".aim")).to_have_count(0)


def test_where_columns_are_narrow_a_finger_aims_first(visit: Any) -> None:
    game = Game.parse("6x20k4g")
    someone = visit(**PHONE).open(address(game=game, o="you"))
    someone.cell("c6").tap()
    expect(someone.page.locator(".board-frame [role=status]")).to_have_text("c1: tap again to confirm")
    someone.shows(game.start())
    someone.cell("c4").tap()  # the same column
    someone.shows(game.start().play("c"))


def test_the_rack_is_played_by_keys(visit: Any) -> None:
    someone = visit().open(TWO)
    press = someone.page.keyboard.press
    press("e")  # wherever the focus is
    someone.shows(four("5"))
    column(someone, "e").focus()
    press("ArrowLeft")
    expect(column(someone, "d")).to_be_focused()
    press("Enter")
    someone.shows(four("54"))
    press("Space")
    someone.shows(four("544"))
    press("ArrowDown")  # a column is one place
    expect(column(someone, "d")).to_be_focused()
    press("Home")
    expect(column(someone, "a")).to_be_focused()
    press("ArrowLeft")
    expect(column(someone, "a")).to_be_focused()
    press("End")
    expect(column(someone, "g")).to_be_focused()
    press("b")
    someone.shows(four("5442"))
    expect(column(someone, "b")).to_be_focused()
    press("u")
    someone.shows(four("544"))


def test_a_letter_that_is_a_key_of_the_page_names_a_column_on_the_rack_alone(visit: Any) -> None:
    game = Game.parse("4x8k4g")
    someone = visit().open(address(view="analyse", game=game, o="you"))
    someone.page.get_by_role("link", name="Play", exact=True).click()
    someone.says("X to move")
    someone.page.keyboard.press("h")
    expect(someone.page.locator(".hint-words")).not_to_be_empty()
    someone.shows(game.start())
    column(someone, "a").focus()
    someone.page.keyboard.press("h")
    someone.shows(game.start().play("h"))


def test_letters_in_a_field_are_no_moves(visit: Any) -> None:
    someone = visit().open(address(game="6x7k4g", o="level-1", seed=SEED))
    someone.page.get_by_label("or an algorithm").focus()
    someone.page.keyboard.press("g")
    column(someone, "a").focus()
    someone.page.keyboard.press("d")
    expect(someone.page.get_by_role("gridcell", name=re.compile(r"^\w+, O"))).to_have_count(1)
    someone.says("Your turn")
    expect(someone.page.get_by_role("gridcell", name=re.compile(r"^\w+, X"))).to_have_count(1)
    expect(someone.cell("d1")).to_have_attribute("aria-label", "d1, X")


def test_mouse_and_focus_show_where_a_mark_lands(visit: Any) -> None:
    someone = visit().open(address(position="6x7k4g:44", o="you"))
    ghost = someone.page.locator(".ghost")
    expect(ghost).to_have_count(0)
    for cell, lands in (("d6", "d3"), ("d1", "d3"), ("a5", "a1")):
        someone.cell(cell).hover()
        expect(ghost).to_have_attribute("data-lands", str(FOUR.start().cell(lands)))
        expect(ghost.locator(".landing .disc-x")).to_have_count(1)
    column(someone, "d").focus()
    someone.page.keyboard.press("ArrowRight")  # whoever takes the keyboard has left the mouse
    expect(ghost).to_have_attribute("data-lands", str(FOUR.start().cell("e1")))
    someone.cell("b5").hover()
    expect(ghost).to_have_attribute("data-lands", str(FOUR.start().cell("b1")))
    someone.page.get_by_role("button", name="Hint").focus()
    someone.page.mouse.move(0, 0)
    expect(ghost).to_have_count(0)


def test_nothing_lands_while_it_is_not_your_turn(visit: Any) -> None:
    someone = visit()
    with someone.waiting_for("/api/v1/move"):
        someone.open(address(game="6x7k4g", x="level-1", o="you", seed=SEED))
        someone.cell("d6").hover()
        expect(column(someone, "d")).to_have_attribute("aria-disabled", "true")
        expect(someone.page.locator(".ghost")).to_have_count(0)
        someone.page.keyboard.press("d")
    expect(someone.page.get_by_role("gridcell", name=re.compile(", X"))).to_have_count(1)
    someone.says("Your turn")


FALLING = "() => document.getAnimations().filter((each) => each.animationName === 'fall').length"


@pytest.mark.parametrize(("motion", "falls"), [("no-preference", 1), ("reduce", 0)])
def test_a_mark_falls_unless_motion_is_unwanted(visit: Any, motion: str, falls: int) -> None:
    someone = visit(reduced_motion=motion).open(TWO)
    tools = someone.page.context.new_cdp_session(someone.page)
    tools.send("Animation.enable")
    tools.send("Animation.setPlaybackRate", {"playbackRate": 0.001})  # slow enough to be seen
    someone.press("d4")
    expect(someone.page.locator(".falls .disc-x")).to_have_count(1)
    assert someone.page.evaluate(FALLING) == falls
    tools.send("Animation.setPlaybackRate", {"playbackRate": 1})
    tools.detach()


def test_a_position_that_is_opened_stands_still(visit: Any) -> None:
    someone = visit(reduced_motion="no-preference").open(address(position=LATE, o="you"))
    someone.shows(Position.parse(LATE))
    expect(someone.page.locator(".falls")).to_have_count(0)


def test_marks_are_told_apart_without_colour(visit: Any) -> None:
    someone = visit().open(address(game="6x7k4g", o="you", moves="d,d,e"))
    signs = {
        mark: [each.get_attribute("d") for each in someone.page.locator(f".disc-{mark} path").all()] for mark in "xo"
    }
    assert (len(signs["x"]), len(set(signs["x"])), len(signs["o"])) == (2, 1, 1)
    assert not set(signs["x"]) & set(signs["o"])


def test_a_game_ends_with_its_line(visit: Any) -> None:
    someone, played = visit().open(TWO), "4455667"
    for number, digit in enumerate(played, 1):
        someone.page.keyboard.press(column_letters(int(digit) - 1))
        someone.shows(four(played[:number]))
    someone.says("X won")
    expect(someone.page.locator(".winning-line")).to_have_count(1)
    expect(someone.page.locator(".spot.in-line")).to_have_count(4)
    someone.page.keyboard.press("a")  # it is over
    someone.shows(four(played))


@pytest.mark.parametrize("level", ["level-4", "level-5"])
def test_connect_four_is_offered_and_played_with_undo_and_hint(visit: Any, level: str) -> None:
    someone = visit().open(address(o=level, seed=SEED))
    someone.page.get_by_role("radio", name="Connect Four").check()
    expect(someone.page.locator(".column")).to_have_count(7)
    someone.says("Your turn")
    someone.page.keyboard.press("d")
    expect(someone.page.get_by_role("gridcell", name=re.compile(r"^\w+, O"))).to_have_count(1)
    reply = someone.page.locator(".cell", has=someone.page.locator(".disc-o")).get_attribute("aria-label")
    expect(someone.page.locator(".status [role=status]")).to_contain_text(f"O played {reply.split(',')[0]}.")
    someone.page.keyboard.press("u")
    someone.shows(FOUR.start())
    someone.page.keyboard.press("h")
    expect(someone.page.locator(".spot.hint")).to_have_count(1)
    expect(someone.page.get_by_role("gridcell", name=re.compile("^column .*hint$"))).to_have_count(1)


def test_the_opponent_on_the_page_is_the_one_of_python(visit: Any) -> None:
    start = four("4453526112")
    reply = start.play("d").play(find_player("level-5", SEED)(start.play("d")))
    someone = visit().open(address(position=start, o="level-5", seed=SEED))
    someone.page.keyboard.press("d")
    someone.shows(reply)


# What a screen reader says


def test_columns_say_how_many_cells_are_free(visit: Any) -> None:
    someone = visit().open(address(position="6x7k4g:4441111112", o="you"))
    for letter, free in (("a", "full"), ("b", "5 free"), ("d", "3 free"), ("g", "6 free")):
        expect(column(someone, letter)).to_have_attribute("aria-label", f"column {letter}, {free}")
    grid = someone.page.get_by_role("grid")
    expect(grid.get_by_role("row")).to_have_count(7)
    expect(grid.get_by_role("gridcell")).to_have_count(7 + 42)
    expect(someone.page.locator("svg.board [tabindex='0']")).to_have_count(1)


SCREENS = [(360, 640, "dark"), (390, 844, "light"), (1280, 800, "dark")]


@pytest.mark.parametrize(
    ("view", "width", "height", "scheme"),
    [(view, *screen) for view in ("play", "analyse") for screen in SCREENS]
    + [("search", *SCREENS[0]), ("algorithms", *SCREENS[1]), ("match", *SCREENS[0]), ("solve", *SCREENS[2])],
)
def test_nobody_is_shut_out(visit: Any, view: str, width: int, height: int, scheme: str) -> None:
    someone = visit(viewport={"width": width, "height": height}, color_scheme=scheme)
    more = {"match": {"on": "6x7k4g", "a": "level-1", "b": "level-1", "run": "game", "ply": 0}}.get(view, {})
    someone.go(address(view=view, o="you", position=LATE, **more))
    expect(someone.page.locator("h1")).to_have_count(1)
    expect(someone.page.locator(".solve-atlas table" if view == "solve" else "svg.board.rack").first).to_be_visible()
    someone.has_no_barrier(width)


# Analysing


def test_every_column_shows_its_value_over_the_rack(visit: Any) -> None:
    for text in (LATE, "6x7k4g:44444433333322227", "4x5k4g:112233", "4x4k3gm:1122", "3x4k3eg:21"):
        someone = visit().open(address(view="analyse", position=text))
        found = answers.analyze(text)
        expect(someone.page.locator(".status p").first).to_have_text(found["sentence"])
        assert found["moves"]
        for move in found["moves"]:
            head = column(someone, column_letters(move["column"]))
            best = ", best" if move["move"] in found["best"] else ""
            said = re.compile(f"free, {move['value']} in {move['remoteness']}{best}$")
            expect(head).to_have_attribute("aria-label", said)
            expect(head).to_have_class(re.compile(rf"\bvalue-{move['value']}\b"))
            expect(head.locator("text")).to_have_text([move["value"], str(move["remoteness"])])
            expect(head.locator(".value-shape")).to_have_count(1)
        full = found["board"]["columns"] - len(found["moves"])
        expect(someone.page.locator(".column .full")).to_have_text(["full"] * full)
        expect(someone.page.locator(".column.best")).to_have_count(len(found["best"]))


def test_an_unknown_value_is_a_dot_and_no_word(visit: Any) -> None:
    someone = visit().open(address(view="analyse", game="15x15k5g"))
    expect(column(someone, "a")).to_have_attribute("aria-label", "column a, 15 free, value unknown")
    expect(someone.page.locator(".column .unknown-dot")).to_have_count(15)
    expect(someone.page.locator(".column text")).to_have_count(0)


def test_a_press_on_a_value_plays_its_column(visit: Any) -> None:
    someone = visit().open(address(view="analyse", position=LATE))
    column(someone, "e").click()
    someone.shows(Position.parse(LATE + "5"))


def test_the_mirror_is_the_only_symmetry(visit: Any) -> None:
    someone = visit().open(address(view="analyse", position="6x7k4g:12"))
    expect(someone.page.locator(".orbit li")).to_have_count(2)
    expect(someone.page.get_by_text("Flipped from left to right, this position has 2 forms")).to_be_visible()


# Positions as text, and what cannot be


@pytest.mark.parametrize("typed", ["6x7k4g:4453", "6x7k4g:ddec", "4453", "DDEC", str(four("4453"))])
def test_columns_are_a_position_in_the_field(visit: Any, typed: str) -> None:
    someone = visit().open(address(view="analyse", game="6x7k4g"))
    someone.page.get_by_role("button", name="Edit", exact=True).click()
    someone.page.get_by_label("As text").fill(typed)
    someone.page.get_by_role("button", name="Set", exact=True).click()
    someone.shows(four("4453"))
    someone.page.get_by_role("button", name="Done").click()
    expect(column(someone, "d")).to_be_focused()


@pytest.mark.parametrize("columns", ["4453", "ddec"])
def test_columns_are_a_position_in_the_address(visit: Any, columns: str) -> None:
    visit().open(address(view="analyse", position=f"6x7k4g:{columns}")).shows(four("4453"))


def test_a_full_column_is_said_to_be_full(visit: Any) -> None:
    for view in ("play", "analyse", "search", "algorithms"):
        someone = visit().open(address(view=view, position=LATE, o="you"))
        expect(someone.page.locator(".column.can-play")).to_have_count(5)  # its moves are known
        for press, where in ((someone.press, "d3"), (someone.page.keyboard.press, "d")):
            with someone.page.expect_response("**/api/v1/move"):  # meanwhile no other move is taken
                press(where)
            expect(someone.page.get_by_role("alert").filter(has_text="Column d is full.")).to_be_visible()
            someone.shows(Position.parse(LATE))
        someone.page.keyboard.press("e")
        someone.shows(Position.parse(LATE + "5"))
        expect(someone.page.get_by_text("Column d is full.")).to_have_count(0)
        someone.complaints.clear()  # the browser notes each refusal


def test_a_mark_that_hangs_in_the_air_is_refused_in_a_sentence(visit: Any) -> None:
    someone = visit().open(address(view="analyse", game="6x7k4g"))
    someone.page.get_by_role("button", name="Edit", exact=True).click()
    someone.press("f5")
    someone.says("This cannot arise")
    reason = answers.legality("6x7k4g:......./.....X./......./......./......./.......")["reason"]
    expect(someone.page.locator(".status .problem")).to_have_text(f"{reason[0].upper()}{reason[1:]}.")
    someone.press("f5")  # taken away
    someone.press("f1")
    someone.shows(four("6"))
    someone.page.keyboard.press("ArrowUp")  # cell by cell
    someone.page.keyboard.press("Enter")
    expect(someone.cell("f2")).to_have_attribute("aria-label", "f2, X")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("6x7k4g:48", "Move 2 is 8: expected a column from 1 to 7."),
        ("6x7k4g:4444444", "Move 7 is 4: column d is full."),
        ("6x7k4g:dh", "Move 2 is h: expected a column from a to g."),
    ],
)
def test_columns_that_cannot_be_are_refused_in_a_sentence(visit: Any, typed: str, said: str) -> None:
    someone = visit().open(address(view="analyse", game="6x7k4g"))
    someone.page.get_by_role("button", name="Edit", exact=True).click()
    someone.page.get_by_label("As text").fill(typed)
    someone.page.get_by_role("button", name="Set", exact=True).click()
    expect(someone.page.locator(".position-field .problem")).to_have_text(said)
    someone.shows(FOUR.start())
    someone.complaints.clear()  # the browser notes the refusal


# The other tabs


def test_the_tree_of_a_search_shows_racks(visit: Any) -> None:
    someone = visit().open(address(view="search"))
    someone.page.get_by_role("button", name="Marks that fall").click()
    expect(someone.page.locator("svg.board.rack")).to_be_visible()
    text = someone.page.evaluate("new URLSearchParams(location.search).get('position')")
    found = answers.search(text, answers.Options("alphabeta", window="carried"), 300, [])
    expect(someone.page.locator(".item.node .small-panel").first).to_be_visible()
    expect(someone.page.get_by_text(f"{found['nodes']} nodes").first).to_be_visible()
    free = Position.parse(text).empty.bit_count()  # the game can go on for so many plies, however few moves there are
    depths = someone.page.get_by_label("Depth").locator("option")
    expect(depths).to_have_count(1 + min(9, free))


def test_a_match_is_watched_on_a_rack(visit: Any) -> None:
    someone = visit().open(address(view="match", on="6x7k4g", a="level-1", b="level-1", run="game", ply=5, chance=SEED))
    expect(someone.page.locator("svg.board.rack")).to_be_visible()
    expect(someone.page.locator(".disc")).to_have_count(5)
    expect(someone.page.locator(".column")).to_have_count(0)  # there is nothing to play
    listed = someone.page.locator(".move-list li").all_inner_texts()
    moves = [re.findall(r"\b[a-g][1-6]\b", text)[0] for text in listed[:5]]
    position = FOUR.start()
    for move in moves:
        position = position.play(move)
    someone.shows(position)


def test_solving_says_in_a_sentence_what_is_out_of_reach(visit: Any) -> None:
    someone = visit().go(address(view="solve", solve="6x7k4g"))
    expect(someone.page.get_by_role("heading", name="Out of reach")).to_be_visible()
    said = someone.page.locator(".solve-cost .problem")
    expect(said).to_have_text(re.compile(r"6x7k4g.*\.$"))
    someone.page.get_by_role("link", name="Play 6x7k4g").click()
    expect(someone.page.locator("svg.board.rack")).to_be_visible()


def test_the_atlas_shows_the_games_where_marks_fall(visit: Any) -> None:
    someone = visit()
    row = {"value": "win", "remoteness": 7, "positions": 1, "sentence": "X wins.", "rows": 4, "columns": 3, "k": 3}

    def with_gravity(route: Any) -> None:
        answer = route.fetch()
        told = answer.json()
        games = [each for each in told["games"] if not each["gravity"]]
        told["games"] = [*games, {**games[0], **row, "game": "4x3k3g", "gravity": True, "misere": False}]
        route.fulfill(response=answer, json=told)

    someone.page.route("**/api/v1/atlas**", with_gravity)
    someone.go(address(view="solve"))
    someone.page.get_by_role("radio", name="wins, and marks fall").check()
    expect(someone.page.locator(".atlas-cell")).to_have_count(1)
    expect(someone.page.get_by_role("link", name="4x3k3g: X wins in 7")).to_be_visible()
    someone.page.get_by_role("radio", name="loses (misère)").check()
    expect(someone.page.locator("[data-game='3x3k3m']")).to_be_visible()
    expect(someone.page.locator("[data-game='4x3k3g']")).to_have_count(0)


def test_algorithms_show_what_applies_and_say_what_does_not(visit: Any) -> None:
    moves = "d1,e1,e2,f1,g1,f2,f3,g2,g3,a1,g4"
    someone = visit().open(address(view="algorithms", game="6x7k4g", moves=moves, detector="last_move", step="end"))
    found = answers.detectors("6x7k4g:......./......./......./......./......./.......", moves.split(","))
    expect(someone.page.locator(".judgement")).to_contain_text("X has a line.")
    expect(someone.page.locator(".spot.role-hit")).to_have_count(4)
    refused = [each for each in found["detectors"] if not each["exhibit"] and not each["supports"]]
    assert refused
    for each in refused:
        someone.page.get_by_role("radio", name=re.compile(f"^{each['title']}")).check()
        expect(someone.page.locator(".stage-card .problem")).to_have_text(f"{each['refusal']}.")


def test_pictures_of_racks_are_small_racks(visit: Any) -> None:
    someone = visit().open(address(view="algorithms"))
    example = someone.page.get_by_role("button", name=re.compile("^Connect Four"))
    expect(example.locator(".small-panel")).to_have_count(1)
    example.click()
    expect(someone.page.locator("svg.board.rack")).to_be_visible()
    expect(someone.page.locator(".whose-turn h2")).to_have_text("X has won")


def test_boards_without_gravity_are_no_racks(visit: Any) -> None:
    someone = visit().open(address(o="you", game="6x7k4", moves="d1,d2"))
    expect(someone.page.locator(".rack, .disc, .rack-panel, .column")).to_have_count(0)
    someone.page.keyboard.press("d")
    someone.press("d6")
    someone.shows(Game.parse("6x7k4").start().play("d1").play("d2").play("d6"))
    assert format_move(Game.parse("6x7k4"), 3) == "d6"
