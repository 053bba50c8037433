"""The tab Algorithms: its answers and what it shows are the steps that the library takes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from answers import conforms
from browser import address, expect

from noughts import Game, Mark, Position, threats
from noughts.detect import DETECTORS, EXHIBITS, line_owner, watching
from noughts.detect.labelling import forced_sets
from noughts.detect.watching import Detection, Detectors, Exhibits, LabellingProof, limit, watch
from noughts.rules.answer import BoardPicture
from noughts.rules.notation import format_move
from noughts.web.app import STATIC

httpx = pytest.importorskip("httpx", reason="the web tests need httpx")

EMPTY = "........."
FORK = "a3,b2,c1,a1,c3"
ROW = "a2,b3,b2,a1,c2"


def after(moves: str, game: str = "3x3k3") -> tuple[Position, list[int]]:
    position, order = Game.parse(game).start(), []
    for move in moves.split(","):
        order.append(position.cell(move))
        position = position.play(move)
    return position, order


# The answers


@pytest.fixture(scope="module")
def client(laboratory: str) -> Iterator[Any]:
    with httpx.Client(base_url=f"{laboratory}api/v1", timeout=60) as client:
        yield client


def get(client: Any, question: str, status: int = 200, **params: str) -> Any:
    answer = client.get(f"/{question}", params=params)
    assert answer.status_code == status, answer.text
    return answer.json()


@pytest.mark.parametrize("name", [*DETECTORS, *EXHIBITS])
def test_the_answer_is_the_librarys_walk(client: Any, name: str) -> None:
    game = EXHIBITS[name].smallest_failure().game if name in EXHIBITS else Game()
    rng = Random(name)
    for marks in (0, 3, 6, game.cells):
        position = game.start()
        moves: list[str] = []
        while not position.is_over and position.marks < marks:
            cell = rng.choice(position.moves())
            moves.append(format_move(game, cell))
            position = position.play(cell)
        found = get(client, "detect", position=str(game.start()), moves=",".join(moves), detector=name)
        conforms(Detection, found)
        walk = watch(name, position, [position.cell(move) for move in moves])
        assert found["position"] == str(position)
        assert [step["say"] for step in found["steps"]] == [step.say for step in walk.steps]
        assert found["verdict"] == (walk.verdict and str(walk.verdict))
        assert found["truth"] == (str(owner) if (owner := line_owner(position)) else None)
        assert (found["found"], found["operations"], found["total"]) == (walk.found, walk.operations, walk.total)


def test_a_position_without_its_moves_is_watched_too(client: Any) -> None:
    found = get(client, "detect", position="XXX/OO./...", detector="magic_square")
    assert (found["verdict"], found["winner"]) == ("X", "X")
    assert found["order"] == ["a3", "a2", "b3", "b2", "c3"]
    further = get(client, "detect", position="XX./OO./...", moves="c3", detector="magic_square")
    assert further["steps"] == found["steps"]


def test_in_misere_the_sentence_says_who_wins(client: Any) -> None:
    found = get(client, "detect", position="3x3k3m:XXX/OO./...", detector="shifts")
    assert (found["verdict"], found["winner"]) == ("X", "O")
    assert found["sentence"] == "X has a line, so O wins: in misère a line loses."


def test_the_list_has_every_detector_with_its_cost_or_its_refusal(client: Any) -> None:
    for text in ("XO./.X./..O", "4x4k4:X.../.O../..../....", str(Game.parse("15x15k5").start())):
        found = get(client, "detectors", position=text)
        conforms(Detectors, found)
        position = Position.parse(text)
        assert [entry["detector"] for entry in found["detectors"]] == [*DETECTORS, *EXHIBITS]
        for entry in found["detectors"]:
            kind = {**DETECTORS, **EXHIBITS}[entry["detector"]]
            assert entry["supports"] is kind.supports(position.game)
            if entry["supports"]:
                assert entry["operations"] == watch(entry["detector"], position).operations
            else:
                assert (
                    entry["refusal"] == f"{entry['detector']} does not take {position.game}: it works on {kind.scope}"
                )
                assert entry["home"] is None or kind.supports(Game.parse(entry["home"]))


def test_the_exhibits_are_shown_on_the_boards_that_fool_them(client: Any) -> None:
    found = get(client, "exhibits")
    conforms(Exhibits, found)
    assert [each["detector"] for each in found["exhibits"]] == list(EXHIBITS)
    for each in found["exhibits"]:
        position = Position.parse(each["position"])
        said, truth = EXHIBITS[each["detector"]](position.game).winner(position), line_owner(position)
        assert (each["verdict"], each["truth"]) == (said and str(said), truth and str(truth))
        assert said is not truth


def test_why_4x4_has_no_labels(client: Any) -> None:
    found = get(client, "labelling", game="4x4k4")
    conforms(LabellingProof, found)
    assert found["impossible"] is True
    assert tuple(found["steps"][-1]["cells"]["hit"]) in forced_sets(Game(4, 4, 4))
    assert get(client, "labelling", game="3x3k3") | {"board": None} == {
        "game": "3x3k3", "impossible": False, "sentence": "No proof is known here that labels cannot do it.",
        "steps": [], "board": None,
    }  # fmt: skip


@pytest.mark.parametrize("name", ["line_sums", "line_masks", "shifts", "last_move", "line_counts"])
def test_the_largest_board_is_answered_with_a_limited_number_of_steps(client: Any, name: str) -> None:
    game, rng = Game.parse("32x32k8"), Random(32)
    position = game.start()
    moves = []
    while not position.is_over and position.marks < 600:
        cell = rng.choice(position.moves())
        moves.append(format_move(game, cell))
        position = position.play(cell)
    found = get(client, "detect", position=str(game.start()), moves=",".join(moves), detector=name)
    assert len(found["steps"]) <= limit(game)
    assert found["verdict"] == (str(owner) if (owner := line_owner(position)) else None)
    if name in ("line_sums", "line_masks", "line_counts"):
        assert f"{found['left_out']:,} steps like these are left out here" in " ".join(
            step["say"] for step in found["steps"]
        )


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"detector": "abacus"}, "there is no detector 'abacus': expected one of line_sums,"),
        ({"detector": "magic_square", "position": str(Game(4, 4, 4).start())}, "it works on 3x3k3"),
        ({"moves": "b2,b2"}, "move 2 does not replay: b2 is taken by X"),
        ({"moves": "z9"}, "move 1 does not replay"),
        ({"position": "XXX/OOO/..."}, "both players have completed a line"),
        ({"position": str(Game(40, 40, 5).start())}, "at most"),
    ],
)
def test_what_cannot_be_watched_is_refused_with_a_sentence(client: Any, params: dict[str, str], sentence: str) -> None:
    assert sentence in get(client, "detect", 422, **params)["detail"]


def test_the_examples_show_what_they_say() -> None:
    told = {each.title: each.to_json() for each in watching.EXAMPLES}
    fork, _ = after(told["A fork"]["moves"])
    assert len(threats.winning_moves(fork, Mark.X)) == 2
    row, _ = after(told["A win by a row"]["moves"])
    assert [set(line) for line in row.lines()] == [{3, 4, 5}]
    draw, _ = after(told["A full draw"]["moves"])
    assert str(draw.status) == "draw"
    for each in told.values():
        position, _ = after(each["moves"], each["game"])
        assert each["board"] == BoardPicture(position).to_json()


# The page


def test_the_drawing_code_knows_no_algorithm_by_name() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in sorted(STATIC.glob("algorithms/*.js")))
    assert "Scene" in code
    assert not [name for name in (*DETECTORS, *EXHIBITS) if re.search(rf"""["'`]{name}["'`]""", code)]


def at_step(someone: Any, number: int, of: int) -> None:
    expect(someone.page.locator(".step-count")).to_have_text(f"{number} of {of}")


def test_the_steps_shown_are_the_steps_taken_and_end_in_the_verdict(visit: Any) -> None:
    position, order = after(ROW)
    someone = visit().open(address(view="algorithms", moves=ROW))
    someone.shows(position)
    for name in DETECTORS:
        walk = watch(name, position, order)
        count, last = len(walk.steps), walk.steps[-1]
        someone.page.get_by_role("radio", name=name.replace("_", " ")).check()
        at_step(someone, 1, count)
        expect(someone.page.locator(".step-say")).to_have_text(walk.steps[0].say)
        someone.page.keyboard.press("End")
        at_step(someone, count, count)
        expect(someone.page.locator(".step-say")).to_have_text(last.say)
        expect(someone.page.locator(".judgement")).to_contain_text(f"X has a line. Found in step {count}")
        expect(someone.page.locator(".step-ticks i")).to_have_count(count)
        expect(someone.page.locator(".step-ticks i.found")).to_have_count(1)
        expect(someone.page.locator(".step-ticks i").nth(count - 1)).to_have_class(re.compile("found"))
        for cell in last.cells["hit"]:
            move = format_move(position.game, cell)
            expect(someone.cell(move)).to_have_attribute("aria-label", f"{move}, X, found")


def test_the_magic_square_shows_the_fork_of_the_example(visit: Any) -> None:
    position, order = after(FORK)
    walk = watch("magic_square", position, order)
    someone = visit().open(address(view="algorithms"))
    someone.page.get_by_role("button", name=re.compile("A fork")).click()
    someone.shows(position)
    at_step(someone, len(walk.steps), len(walk.steps))
    expect(someone.page.locator(".step-say")).to_have_text(walk.steps[-1].say)
    wins = [format_move(position.game, cell) for cell in threats.winning_moves(position, Mark.X)]
    assert len(wins) == 2
    for move in wins:
        expect(someone.cell(move)).to_have_attribute("aria-label", f"{move}, empty, would complete a line")
    expect(someone.page.get_by_role("gridcell", name=re.compile("would complete a line"))).to_have_count(2)
    expect(someone.page.locator(".plate.is-want")).to_have_text(["8+ 7", "14+ 1"])
    expect(someone.page.locator(".scene-square.is-want text")).to_have_text(["1", "7"])


def test_the_keyboard_steps_plays_and_pauses(visit: Any) -> None:
    position, order = after(FORK)
    count = len(watch("magic_square", position, order).steps)
    someone = visit().open(address(view="algorithms", moves=FORK, detector="magic_square"))
    at_step(someone, 1, count)
    keys = someone.page.keyboard
    for key, number in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", count), ("Home", 1)):
        keys.press(key)
        at_step(someone, number, count)
    keys.press("Space")
    expect(someone.page.get_by_role("button", name="Pause")).to_be_visible()
    expect(someone.page.locator(".step-count")).not_to_have_text(f"1 of {count}")
    keys.press("Space")
    expect(someone.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    someone.page.get_by_role("button", name="To the end").click()
    at_step(someone, count, count)
    expect(someone.page.get_by_role("button", name="One step on")).to_be_disabled()
    someone.page.get_by_role("slider", name="Step").focus()
    keys.press("ArrowLeft")
    at_step(someone, count - 1, count)


def test_keys_pressed_at_once_are_all_heard(visit: Any) -> None:
    count = len(watch("line_sums", *after(FORK)).steps)
    someone = visit().open(address(view="algorithms", moves=FORK, detector="line_sums", step=1))
    at_step(someone, 1, count)
    someone.press_at_once("ArrowRight", 3)
    at_step(someone, 4, count)


def test_the_address_keeps_the_detector_and_the_step(visit: Any) -> None:
    someone = visit().open(address(view="algorithms", moves=FORK))
    someone.page.get_by_role("radio", name="Magic square").check()
    at_step(someone, 1, 11)
    someone.page.keyboard.press("End")
    at_step(someone, 11, 11)
    for part in (f"moves={FORK}", "detector=magic_square", "step=11"):
        expect(someone.page).to_have_url(re.compile(part))
    someone.page.reload()
    at_step(someone, 11, 11)
    expect(someone.page.get_by_role("radio", name="Magic square")).to_be_checked()


def test_back_and_forward_find_the_step_again(visit: Any) -> None:
    row, fork = (len(watch(name, *after(moves)).steps) for name, moves in (("line_sums", ROW), ("magic_square", FORK)))
    someone = visit().open(address(view="algorithms", moves=ROW, detector="line_sums", step=2))
    at_step(someone, 2, row)
    someone.page.get_by_role("button", name="A fork").click()
    at_step(someone, fork, fork)
    someone.page.get_by_role("button", name="One step back").click()
    expect(someone.page).to_have_url(re.compile(f"step={fork - 1}"))
    someone.page.go_back()
    at_step(someone, 2, row)
    someone.page.go_forward()
    at_step(someone, fork - 1, fork)


def test_on_a_phone_an_example_comes_into_sight_and_space_pauses_it(visit: Any) -> None:
    someone = visit(viewport={"width": 390, "height": 844}, reduced_motion="no-preference").open("?view=algorithms")
    someone.page.get_by_role("button", name="A fork").click()
    expect(someone.page.get_by_role("button", name="Pause")).to_be_focused()
    expect(someone.page.locator(".step-count")).to_have_text(re.compile("of 11"))
    someone.page.keyboard.press("Space")
    expect(someone.page.locator(".step-play")).to_have_text(re.compile("Play"))
    expect(someone.page.locator(".step-say")).to_be_in_viewport()
    expect(someone.page.locator(".scene-row").first).to_be_in_viewport()
    expect(someone.page.get_by_text("Magic square", exact=True).first).to_be_in_viewport(ratio=1)


def test_a_move_on_the_board_is_followed_and_taken_back(visit: Any) -> None:
    someone = visit().open(address(view="algorithms", moves="a2,b3,b2,a1", detector="shifts"))
    someone.press("c2")
    position, order = after(ROW)
    walk = watch("shifts", position, order)
    expect(someone.page.locator(".step-say")).to_have_text(walk.steps[-1].say)
    expect(someone.page.locator(".judgement")).to_contain_text("X has a line.")
    someone.page.get_by_role("button", name="Undo").click()
    before, order = after("a2,b3,b2,a1")
    expect(someone.page.locator(".step-say")).to_have_text(watch("shifts", before, order).steps[-1].say)
    expect(someone.page.locator(".judgement")).to_contain_text("Nobody has a line.")
    count = len(watch("shifts", before, order).steps)
    at_step(someone, count, count)
    someone.page.reload()
    at_step(someone, count, count)


def test_without_a_name_the_page_opens_on_a_detector_that_takes_the_game(visit: Any) -> None:
    someone = visit().open(address(view="algorithms", game="15x15k5e"))
    expect(someone.page.locator(".step-say")).to_have_text(
        watch("line_masks", Game.parse("15x15k5e").start()).steps[0].say
    )
    someone.open(address(view="algorithms", game="15x15k5e", detector="line_sums"))
    expect(someone.page.locator(".problem")).to_contain_text("line_sums does not take 15x15k5e: it does not know exact")


def test_on_4x4_the_page_shows_why_the_magic_square_cannot_work(visit: Any) -> None:
    someone = visit().open(address(view="algorithms", game="4x4k4", detector="magic_square"))
    expect(someone.page.locator(".problem")).to_have_text("magic_square does not take 4x4k4: it works on 3x3k3.")
    proof = watching.LabellingProof(Game(4, 4, 4)).to_json()["steps"]
    at_step(someone, 1, len(proof))
    someone.page.keyboard.press("End")
    at_step(someone, len(proof), len(proof))
    expect(someone.page.locator(".step-say")).to_have_text(proof[-1]["say"])
    for cell in proof[-1]["cells"]["hit"]:
        move = format_move(Game(4, 4, 4), cell)
        expect(someone.cell(move)).to_have_attribute("aria-label", f"{move}, empty, found")
    someone.page.get_by_role("button", name="Show it on 3x3k3").click()
    expect(someone.page.get_by_role("gridcell")).to_have_count(9)
    expect(someone.page.locator(".step-say")).to_have_text("Every line adds up to 15.")


def test_the_exhibits_go_wrong_before_your_eyes(visit: Any) -> None:
    someone = visit().open(address(view="algorithms"))
    for told in watching.exhibits().to_json()["exhibits"]:
        someone.page.get_by_role("button", name=f"Watch {told['title']} go wrong").click()
        position = Position.parse(told["position"])
        someone.shows(position)
        walk = watch(told["detector"], position)
        expect(someone.page.locator(".step-say")).to_have_text(walk.steps[-1].say)
        expect(someone.page.locator(".judgement.wrong")).to_contain_text(walk.sentence)
        shown = someone.page.locator(".algo-exhibits li.chosen")
        for kind, mark in (("wrong", told["verdict"]), ("right", told["truth"])):
            expect(shown.locator(f".{kind} dd")).to_have_text(f"{mark or 'nobody'} has a line")


def test_the_bars_are_the_counted_operations(visit: Any) -> None:
    position, order = after(FORK)
    someone = visit().open(address(view="algorithms", moves=FORK))
    for name in DETECTORS:
        walk = watch(name, position, order)
        title = name.replace("_", " ").capitalize()
        row = someone.page.locator(".cost", has_text=title)
        expect(row.locator(".cost-number")).to_contain_text(f"{walk.operations:,}")
    someone.page.locator(".cost", has_text="Lookup").click()
    expect(someone.page.get_by_role("radio", name="Lookup")).to_be_checked()


def test_the_largest_board_is_drawn_with_few_shapes_and_comes_to_rest(visit: Any) -> None:
    position, rng = Game.parse("32x32k8").start(), Random(32)
    while position.marks < 300:
        position = position.play(rng.choice(position.moves()))
    assert not position.is_over
    someone = visit(reduced_motion="no-preference")
    someone.open(address(view="algorithms", position=position, detector="shifts", step=1))
    for name in ("shifts", "line_sums", "line_counts"):
        someone.page.get_by_role("radio", name=name.replace("_", " ")).check()
        expect(someone.page.locator(".step-say")).to_have_text(watch(name, position).steps[0].say)
        assert someone.page.locator(".scene svg *").count() < 100, "squares that look alike are one shape"
    drawn = someone.page.locator("svg.board .mark:not(.still)")
    expect(someone.page.locator("svg.board .mark")).to_have_count(position.marks)
    expect(drawn).to_have_count(0)
    someone.press(format_move(position.game, position.moves()[0]))
    expect(drawn).to_have_count(1)
    someone.page.wait_for_function("() => !document.getAnimations().length")  # what stays animated is costly to draw


def test_what_is_pressed_before_the_steps_have_come_is_about_them(visit: Any) -> None:
    count = len(watch("shifts", *after(FORK)).steps)
    before = len(watch("magic_square", *after(FORK)).steps)
    assert before < count
    someone = visit().open(address(view="algorithms", moves=FORK, detector="magic_square", step=2))
    at_step(someone, 2, before)
    with someone.waiting_for("detector=shifts"):
        someone.page.get_by_role("radio", name="Shifts").check()
        at_step(someone, 1, before)
        someone.page.keyboard.press("End")
        at_step(someone, before, before)
        someone.page.get_by_role("button", name="One step back").click()  # before an end that is not known yet: nowhere
    at_step(someone, count, count)


def test_until_the_steps_have_come_the_board_is_not_marked_with_those_before(visit: Any) -> None:
    someone = visit().open(address(view="algorithms", moves=ROW, detector="shifts", step="end"))
    marked = someone.page.get_by_role("gridcell", name=re.compile("found"))
    expect(marked).to_have_count(3)
    with someone.waiting_for("/detect?"):
        someone.page.get_by_role("button", name="Undo").click()
        someone.shows(after("a2,b3,b2,a1")[0])
        expect(marked).to_have_count(0)


@pytest.mark.parametrize(
    ("width", "scheme", "place"),
    [
        (320, "light", {"moves": FORK, "detector": "magic_square", "step": 11}),
        (1280, "dark", {"moves": FORK, "detector": "magic_square", "step": 10}),
        (360, "light", {"game": "15x15k5", "moves": "h8,a1,i8,b1,j8", "detector": "shifts", "step": 2}),
        (1280, "dark", {"game": "4x4k4", "detector": "magic_square", "step": 5}),
        (360, "dark", {"position": "3x3k2:XOX/.../...", "detector": "single_loop", "step": 2}),
        (1280, "light", {"moves": ROW, "detector": "line_counts", "step": 6}),
    ],
)
def test_the_tab_has_no_barrier(visit: Any, width: int, scheme: str, place: dict[str, Any]) -> None:
    someone = visit(viewport={"width": width, "height": 800}, color_scheme=scheme)
    someone.open(address(view="algorithms", **place))
    expect(someone.page.locator(".scene")).to_be_visible()
    expect(someone.page.locator(".algo-exhibits li")).to_have_count(len(EXHIBITS))
    someone.has_no_barrier(width)
