"""The search view: nodes, prunes and windows are those of the library, and a branch is the one that was searched."""

from __future__ import annotations

import gc
import re
import tracemalloc
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import answers
import pytest
from browser import address, expect

from noughts import Game, Position
from noughts.lab.papers.minimax import EXAMPLE
from noughts.rules.notation import format_move
from noughts.search import ALGORITHMS, ORDERS, WINDOWS, Node, NotVisited, Options, Result, Tree, TreeTooLarge
from noughts.search.dispatch import search_with
from noughts.search.exploring import LIMIT, Exploration, SideBySide, ladder
from noughts.web.pool import dump

TEN = Position.parse("XO./.OX/OX.")  # the page's example of a cut
BOARDS = [EXAMPLE, TEN, Position.parse("2x4k3:X.OX/O..."), Position.parse("3x3k3m:XO./.O./..X")]
LARGE = Position.parse("X../.O./...")
CARRIED = Options(window="carried")


def every_way(depth: int | None = None) -> Iterator[Options]:
    for algorithm, window, order, table, symmetry in product(ALGORITHMS, WINDOWS, ORDERS, (False, True), (False, True)):
        yield Options(algorithm, depth, window, order, table, symmetry)


def whole(position: Position, options: Options) -> tuple[Result, Tree]:
    found = search_with(position, options, record=10**6)
    assert found.tree
    assert found.tree.complete
    return found, found.tree


def paths(node: Node, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Node]]:
    yield above, node
    for child in node.children:
        yield from paths(child, (*above, format_move(node.position.game, child.move or 0)))


# The answers


@pytest.mark.parametrize("position", BOARDS, ids=str)
def test_every_way_counts_what_the_library_counts(position: Position) -> None:
    for options in every_way():
        plain, found = search_with(position, options), answers.search(str(position), options, 40, ())
        answers.conforms(Exploration, found)
        for key, said in plain.to_json().items():
            assert found[key] == said or key == "backend", (options, key)
        last = found["steps"][-1]
        assert (last["nodes"], last["prunes"], last["best"]) == (plain.nodes, plain.prunes, plain.score)


@pytest.mark.parametrize("position", BOARDS, ids=str)
def test_a_branch_is_exactly_what_the_whole_search_visited(position: Position) -> None:
    for options in every_way():
        _, tree = whole(position, options)
        every = [*paths(tree.root)]
        for path, node in Random(1).sample(every, min(4, len(every))):
            found = answers.search(str(position), options, 2_000, path)["tree"]
            assert found["complete"]
            assert same(found["root"], node), (options, path)


def same(drawn: dict[str, Any], node: Node) -> bool:
    told = node.to_json()
    below = zip(drawn["children"], node.children, strict=True)
    return all(drawn[key] == said for key, said in told.items() if key != "children") and all(
        same(each, child) for each, child in below
    )


@pytest.mark.parametrize("keep", [1, 9, 60, 300])
def test_whole_plies_are_sent_as_long_as_there_is_room(keep: int) -> None:
    position = Position.parse("X../.O./...")
    for options in (Options("minimax"), Options(), CARRIED, Options(order="evaluation", table=True, symmetry=True)):
        _, tree = whole(position, options)
        sizes: list[int] = []
        level = tree.root.children
        while level:
            sizes.append(len(level))
            level = [child for node in level for child in node.children]
        found = answers.search(str(position), options, keep, ())["tree"]
        fitting = [sum(sizes[:plies]) for plies in range(1, len(sizes) + 1) if plies == 1 or sum(sizes[:plies]) <= keep]
        assert found["kept"] == 1 + fitting[-1]
        sent = [found["root"]]
        for node in sent:
            sent += node["children"]
            itself = options.window == "carried" or node is not found["root"]
            assert node["omitted"] == node["nodes"] - itself - sum(child["nodes"] for child in node["children"])


def test_the_replay_names_nodes_in_the_order_of_entry() -> None:
    for options in (Options("minimax"), CARRIED, Options(symmetry=True, table=True)):
        found = answers.search(str(EXAMPLE), options, 300, ())
        sent: list[dict[str, Any]] = []
        waiting = [found["tree"]["root"]]
        while waiting:
            sent.append(waiting.pop())
            waiting += reversed(sent[-1]["children"])
        entered = [step for step in found["steps"] if step["kind"] == "enter"]
        assert [step["node"] for step in entered] == list(range(len(sent)))
        for step, node in zip(entered, sent, strict=True):
            assert (step["alpha"], step["beta"]) == (node["alpha"], node["beta"])
            assert node["position"] in step["text"]
        for step in found["steps"]:
            if step["kind"] == "cut":
                assert step["text"] == sent[step["node"]]["cut"]["why"]


def test_a_branch_that_was_cut_is_refused_with_the_reason() -> None:
    _, tree = whole(EXAMPLE, Options())
    path, node = next((path, node) for path, node in paths(tree.root) if node.cut and node.cut.skipped)
    assert node.cut
    skipped = format_move(EXAMPLE.game, node.cut.skipped[0])
    with pytest.raises(NotVisited, match=re.escape(node.cut.why)):
        answers.search(str(EXAMPLE), Options(), 300, (*path, skipped))
    with pytest.raises(NotVisited, match="mirror image of a3"):
        answers.search("." * 9, Options(symmetry=True), 300, ("c3",))


def test_too_large_is_refused_and_without_a_depth_one_is_chosen() -> None:
    start = str(Game(4, 4, 4).start())
    with pytest.raises(TreeTooLarge, match=rf"about .* nodes, and the limit is {LIMIT:,}"):
        answers.search(start, Options(depth=9), 300, ())
    found = answers.search(start, Options(), 300, ())
    assert f"searched {found['depth']} plies deep" in found["note"]
    assert f"{LIMIT:,}" in found["note"]
    assert found["nodes"] == search_with(Game(4, 4, 4).start(), Options(depth=found["depth"])).nodes


def test_the_rungs_are_searched_and_the_one_asked_for_is_marked() -> None:
    for options in (CARRIED, Options("minimax"), Options(order="centre", table=True), Options(symmetry=True)):
        found = answers.side_by_side(str(EXAMPLE), options)
        answers.conforms(SideBySide, found)
        for way in found["ways"]:
            asked = Options(
                way["algorithm"], None, options.window, way["order"], table=way["table"], symmetry=way["symmetry"]
            )
            result = search_with(EXAMPLE, asked)
            assert (way["nodes"], way["prunes"], way["score"]) == (result.nodes, result.prunes, found["score"])
        marked = found["ways"][found["asked"]]
        for name in ("algorithm", "order", "table", "symmetry"):
            assert marked[name] == getattr(options, name)


# The page


def counter(someone: Any, name: str) -> Any:
    return someone.page.locator(f".counter-{name} b")


def shows_totals(someone: Any, found: Result) -> None:
    expect(counter(someone, "nodes")).to_have_text(f"{found.nodes:,}")
    expect(counter(someone, "prunes")).to_have_text(f"{found.prunes:,}")


def item(someone: Any, *moves: str) -> Any:
    return someone.page.locator(f'.item[data-id="{",".join(moves)}"]')


def test_the_page_shows_the_counts_of_the_library(visit: Any) -> None:
    someone = visit().open(address(view="search", position=EXAMPLE))
    shows_totals(someone, search_with(EXAMPLE, CARRIED))
    someone.page.get_by_label("Remember positions").check()
    shows_totals(someone, search_with(EXAMPLE, Options(window="carried", table=True)))
    someone.page.get_by_label("Merge symmetric").check()
    someone.page.get_by_label("Moves are tried").select_option("evaluation")
    best = Options(window="carried", order="evaluation", table=True, symmetry=True)
    shows_totals(someone, search_with(EXAMPLE, best))
    someone.page.get_by_label("Window at the root").select_option("each")
    someone.page.get_by_role("radio", name="Minimax").check()
    shows_totals(someone, search_with(EXAMPLE, Options("minimax", order="evaluation", table=True, symmetry=True)))
    someone.page.get_by_label("Depth").select_option("2")
    shows_totals(someone, search_with(EXAMPLE, Options("minimax", 2, order="evaluation", table=True, symmetry=True)))


def test_the_ways_stand_side_by_side_and_lead_to_their_trees(visit: Any) -> None:
    someone = visit().open(address(view="search", position=EXAMPLE))
    ways = someone.page.locator(".way")
    for number, options in enumerate(ladder(CARRIED)):
        found = search_with(EXAMPLE, Options(**{**vars(options), "window": "carried"}))
        expect(ways.nth(number).locator(".way-nodes b")).to_have_text(f"{found.nodes:,}")
    expect(someone.page.locator(".way[aria-current]")).to_contain_text(f"{search_with(EXAMPLE, CARRIED).nodes}")
    ways.first.click()
    shows_totals(someone, search_with(EXAMPLE, Options("minimax", window="carried")))
    expect(someone.page.locator(".way[aria-current]")).to_contain_text("Minimax")


def test_a_small_tree_is_drawn_whole_with_its_scores_windows_and_cuts(visit: Any) -> None:
    someone = visit().open(address(view="search", position=TEN))
    found, tree = whole(TEN, CARRIED)
    expect(someone.page.locator(".item.node")).to_have_count(found.nodes)
    expect(someone.page.locator(".item.cut")).to_have_count(found.prunes)
    signs = {"exact": "", "upper": "≤ ", "lower": "≥ "}
    for path, node in paths(tree.root):
        drawn = item(someone, *path)
        expect(drawn.locator(".score")).to_have_text(f"{signs[node.bound]}{node.score}".replace("-", "−"))
        window = f"[{node.alpha}, {node.beta}]".replace("-inf", "−∞").replace("inf", "∞").replace("-", "−")
        expect(drawn.locator(".window")).to_have_text(window)
        if node.cut:
            cut = item(someone, *path, "cut")
            cut.click()
            why = node.cut.why
            expect(cut).to_have_attribute("aria-label", why)
            expect(someone.page.locator(".caption")).to_have_text(f"{why[0].upper()}{why[1:]}.")


def test_a_student_watches_a_cut_within_a_press(visit: Any) -> None:
    someone = visit().open(address(view="search"))
    someone.page.get_by_role("button", name="A cut in ten nodes").click()
    someone.page.get_by_label("Speed").select_option("fast")
    found, tree = whole(TEN, CARRIED)
    shows_totals(someone, found)
    expect(someone.page.get_by_role("button", name="Play the search")).to_be_visible()
    someone.page.get_by_role("button", name="To the beginning").click()
    expect(counter(someone, "nodes")).to_have_text("1")
    expect(someone.page.locator(".item.node")).to_have_count(1)
    for number, step in enumerate((step for step in tree.replay() if step.kind == "cut"), 1):
        someone.page.get_by_role("button", name="Next cut").click()
        expect(someone.page.locator(".caption-text")).to_have_text(f"{step.text[0].upper()}{step.text[1:]}.")
        expect(counter(someone, "prunes")).to_have_text(str(number))
        expect(counter(someone, "nodes")).to_have_text(str(step.nodes))
        expect(someone.page.locator(".item.current")).to_contain_text(f"[{step.alpha}, {step.beta}]".replace("-", "−"))
        expect(someone.page.locator(".gauge.crossed")).to_have_count(1)
        expect(someone.page.locator(".item.elsewhere .score")).to_have_text(str(step.alpha))


def test_the_replay_by_keyboard_and_what_it_says(visit: Any) -> None:
    someone = visit().open(address(view="search", position=EXAMPLE, window="each", step=1))
    steps = list(whole(EXAMPLE, Options())[1].replay())
    expect(someone.page.locator(".caption-head")).to_contain_text(f"step 1 of {len(steps)}")
    for step in steps[1:9]:
        someone.page.keyboard.press("ArrowRight")
        expect(counter(someone, "nodes")).to_have_text(str(step.nodes))
        words = step.text.replace(f"{step.node.position}, ", "").replace("-inf", "−∞").replace("inf", "∞")
        expect(someone.page.locator(".caption-text")).to_contain_text(words)
    someone.page.keyboard.press("ArrowLeft")
    expect(someone.page.locator(".caption-head")).to_contain_text(f"step 8 of {len(steps)}")
    expect(someone.page).to_have_url(re.compile(r"step=8\b"))
    someone.page.get_by_label("Step of the search").fill(str(len(steps) - 1))
    shows_totals(someone, search_with(EXAMPLE, Options()))


def test_keys_pressed_at_once_are_all_heard(visit: Any) -> None:
    someone = visit().open(address(view="search", position=EXAMPLE, window="each", step=1))
    expect(someone.page.locator(".caption-head")).to_contain_text("step 1 of")
    someone.press_at_once("ArrowRight", 5)
    expect(someone.page.locator(".caption-head")).to_contain_text("step 6 of")
    someone.press_at_once("ArrowLeft", 9)
    expect(someone.page.locator(".caption-head")).to_contain_text("step 1 of")
    someone.page.keyboard.press("End")
    shows_totals(someone, search_with(EXAMPLE, Options()))


WHERE = """() => {
  const [frame, node] = ["svg.tree", '.item[data-id="c3"]'].map((name) =>
    document.querySelector(name).getBoundingClientRect());
  return { x: node.x - frame.x, y: node.y - frame.y, width: node.width };
}"""


def test_the_picture_is_dragged_zoomed_and_fitted(visit: Any) -> None:
    someone = visit().open(address(view="search", position=TEN))
    expect(someone.page.locator(".way")).to_have_count(5)
    first = someone.page.evaluate(WHERE)

    def comes_to(law: str) -> None:
        near = "const near = (a, b) => Math.abs(a - b) < 1.5;"
        someone.page.wait_for_function(f"(first) => {{ {near} const now = ({WHERE})(); return {law}; }}", arg=first)

    fits = "near(now.x, first.x) && near(now.y, first.y) && near(now.width, first.width)"
    someone.page.locator("svg.tree").scroll_into_view_if_needed()
    frame = someone.page.locator("svg.tree").bounding_box()
    x, y = frame["x"] + 200, frame["y"] + 60
    someone.page.mouse.move(x, y)
    someone.page.mouse.down()
    someone.page.mouse.move(x + 30, y + 20, steps=4)
    someone.page.mouse.up()
    comes_to("near(now.x, first.x + 30) && near(now.y, first.y + 20) && near(now.width, first.width)")
    someone.page.get_by_role("button", name="Zoom in").click()
    comes_to("now.width > first.width * 1.1")
    someone.page.get_by_role("button", name="Fit").click()
    comes_to(fits)
    item(someone).focus()
    someone.page.mouse.move(x, y)
    someone.page.mouse.wheel(0, 300)
    comes_to("now.width < first.width * 0.9")
    someone.page.keyboard.press("0")
    comes_to(fits)
    someone.page.keyboard.press("+")
    comes_to("now.width > first.width * 1.1")


def test_two_fingers_zoom_the_picture_and_one_moves_it(visit: Any) -> None:
    someone = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    someone.open(address(view="search", position=TEN))
    expect(someone.page.locator(".way")).to_have_count(5)
    someone.page.locator("svg.tree").scroll_into_view_if_needed()
    frame = someone.page.locator("svg.tree").bounding_box()
    left, top = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    screen = someone.page.context.new_cdp_session(someone.page)

    def touch(kind: str, *fingers: tuple[float, float]) -> None:
        points = [{"x": left + x, "y": top + y, "id": number} for number, (x, y) in enumerate(fingers)]
        screen.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    def comes_to(law: str, first: dict[str, float]) -> None:
        near = "const near = (a, b) => Math.abs(a - b) < 2;"
        someone.page.wait_for_function(f"(first) => {{ {near} const now = ({WHERE})(); return {law}; }}", arg=first)

    first = someone.page.evaluate(WHERE)
    touch("Start", (-30, 0), (30, 0))
    for spread in (36, 44, 52, 60):
        touch("Move", (-spread, 0), (spread, 0))
    touch("End")
    comes_to("near(now.width, first.width * 2)", first)
    apart = someone.page.evaluate(WHERE)
    middle = frame["width"] / 2
    assert abs((apart["x"] - middle) - 2 * (first["x"] - middle)) < 2, "what is between the fingers stays there"
    touch("Start", (0, 0))
    for way in (10, 20, 30, 40):
        touch("Move", (way, way / 2))
    touch("End")
    comes_to("near(now.x, first.x + 40) && near(now.y, first.y + 20) && near(now.width, first.width)", apart)
    touch("Start", (-60, 0), (60, 0))
    for spread in (52, 44, 36, 30):
        touch("Move", (-spread, 0), (spread, 0))
    touch("End")
    comes_to("near(now.width, first.width)", first)


def test_a_move_that_is_pressed_ends_the_replay(visit: Any) -> None:
    someone = visit().open(address(view="search", position=TEN, step=1))
    someone.page.get_by_label("Speed").select_option("slow")
    someone.page.get_by_role("button", name="Play the search").click()
    expect(someone.page.get_by_role("button", name="Pause")).to_be_visible()
    someone.page.locator(".root-moves").get_by_role("button", name="c3").click()
    expect(someone.page.locator(".caption")).to_contain_text("After c3")
    expect(someone.page.get_by_role("button", name="Play the search")).to_be_visible()
    expect(someone.page).to_have_url(re.compile("node=c3"))
    assert "step=" not in someone.page.url


def test_an_example_plays_when_it_is_pressed_and_not_when_one_comes_back_to_it(visit: Any) -> None:
    someone = visit().open(address(view="search"))
    playing, still = (someone.page.get_by_role("button", name=name) for name in ("Pause", "Play the search"))
    someone.page.get_by_role("button", name="A cut in ten nodes").click()
    expect(playing).to_be_visible()
    someone.page.get_by_role("button", name="To the beginning").click()
    expect(someone.page).to_have_url(re.compile(r"step=1\b"))
    someone.page.get_by_role("button", name="The source’s example").click()
    shows_totals(someone, search_with(EXAMPLE, Options()))
    someone.page.go_back()
    expect(someone.page.locator(".caption-head")).to_contain_text("step 1 of")
    expect(still).to_be_visible()
    someone.page.get_by_role("button", name="A cut in ten nodes").click()
    expect(playing).to_be_visible()


def test_in_a_pause_any_node_can_be_asked(visit: Any) -> None:
    someone = visit().open(address(view="search", position=TEN, step=21))
    _, tree = whole(TEN, CARRIED)
    expect(someone.page.locator(".caption-head")).to_contain_text("Cut")
    item(someone, "c3").click()
    expect(someone.page.locator(".caption")).to_contain_text("After c3")
    expect(someone.page.locator(".caption")).to_contain_text(f"Score {dict(paths(tree.root))['c3',].score}")
    item(someone).click()
    expect(someone.page.locator(".caption")).to_contain_text("under way")
    someone.page.get_by_role("button", name="One step on").click()
    expect(someone.page.locator(".caption-head")).to_contain_text("step 22")


def test_a_large_tree_is_opened_as_far_as_one_looks(visit: Any) -> None:
    someone = visit().open(address(view="search", position=LARGE, algorithm="minimax"))
    shows_totals(someone, search_with(LARGE, Options("minimax", window="carried")))
    position, path = LARGE, []
    item(someone).focus()
    for move in ("b3", "c3", "a2", "c2"):
        someone.page.keyboard.press("ArrowDown")
        path.append(move)
        position = position.play(move)
        expect(item(someone, *path)).to_be_focused()
        score = search_with(position, Options("minimax")).score
        expect(item(someone, *path).locator(".score")).to_have_text(str(score).replace("-", "−"))
        if item(someone, *path).get_attribute("aria-expanded") == "false":
            someone.page.keyboard.press("Enter")
        expect(item(someone, *path)).to_have_attribute("aria-expanded", "true")
        for cell in position.moves():
            expect(item(someone, *path, format_move(LARGE.game, cell))).to_be_visible()
    someone.page.keyboard.press("ArrowRight")
    expect(item(someone, "b3", "c3", "a2", "a1")).to_be_focused()
    someone.page.keyboard.press("ArrowUp")
    expect(item(someone, "b3", "c3", "a2")).to_be_focused()
    someone.page.keyboard.press("Enter")
    expect(item(someone, "b3", "c3", "a2", "c2")).to_have_count(0)
    expect(someone.page).to_have_url(re.compile(r"node=b3,c3,a2$"))


def test_a_link_leads_to_the_node_and_the_branch(visit: Any) -> None:
    path = ("b3", "c3", "a2", "c2")
    someone = visit().open(address(view="search", position=LARGE, algorithm="minimax", node=",".join(path)))
    expect(item(someone, *path)).to_have_class(re.compile("selected"))
    expect(someone.page.locator(".caption-head")).to_have_text(f"After {' '.join(path)}")
    someone.page.get_by_role("button", name="This branch alone").click()
    found, tree = whole(LARGE, Options("minimax", window="carried"))
    node = dict(paths(tree.root))[path]
    expect(counter(someone, "nodes")).to_have_text(str(node.nodes))
    someone.page.reload()
    expect(counter(someone, "nodes")).to_have_text(str(node.nodes))
    expect(someone.page.locator(".item.node")).to_have_count(node.nodes)
    expect(someone.page.locator(".trail")).to_contain_text("c2")
    someone.page.get_by_role("button", name="The tree").click()
    shows_totals(someone, found)


def test_symmetric_positions_are_merged_on_request(visit: Any) -> None:
    someone = visit().open(address(view="search", symmetry=1))
    shows_totals(someone, search_with(Game().start(), Options(window="carried", symmetry=True)))
    for move in ("a3", "b3", "b2"):
        expect(item(someone, move)).to_be_visible()
    expect(someone.page.locator(".item.node[aria-level='2']")).to_have_count(3)
    item(someone, "merged").click()
    expect(someone.page.locator(".caption")).to_contain_text("c3, a1 and c1 lead to mirror images of a3")


def test_the_sources_example_is_a_press_away_and_play_goes_on_from_there(visit: Any) -> None:
    someone = visit().open(address(view="search"))
    someone.page.get_by_role("button", name="The source’s example").click()
    shows_totals(someone, search_with(EXAMPLE, Options()))
    someone.shows(EXAMPLE)
    rows = someone.page.locator(".root-moves tbody tr")
    for number, move in enumerate(search_with(EXAMPLE, Options()).moves):
        expect(rows.nth(number).locator("td")).to_have_text(
            [str(move.score).replace("-", "−"), str(move.nodes), str(move.prunes)]
        )
    someone.page.get_by_role("button", name="One step on").click()
    someone.press("c3")
    shows_totals(someone, search_with(EXAMPLE.play("c3"), Options()))
    someone.page.keyboard.press("u")
    shows_totals(someone, search_with(EXAMPLE, Options()))
    assert "step" not in someone.page.url


def test_the_way_back_leads_to_the_search_that_was_left(visit: Any) -> None:
    someone = visit().open(address(view="search", position=TEN, step=21, node="c3"))
    expect(counter(someone, "nodes")).to_have_text("8")
    someone.page.get_by_role("button", name="The source’s example").click()
    shows_totals(someone, search_with(EXAMPLE, Options()))
    someone.page.go_back()
    someone.shows(TEN)
    expect(counter(someone, "nodes")).to_have_text("8")
    expect(item(someone, "c3")).to_have_class(re.compile("selected"))


def test_what_is_too_large_is_said(visit: Any) -> None:
    someone = visit().open(address(view="search", game="4x4k4"))
    expect(someone.page.locator(".search-note")).to_contain_text("Searched 4 plies deep")
    someone.page.goto(someone.page.url + "&depth=9")
    expect(someone.page.locator(".search-refused .problem")).to_contain_text(f"the limit is {LIMIT:,}")
    someone.page.get_by_role("button", name="Let the depth be chosen").click()
    expect(someone.page.locator(".item.node").first).to_be_visible()
    someone.complaints[:] = [said for said in someone.complaints if "422" not in said]  # the browser logs refusals


@pytest.mark.parametrize(
    ("asked", "said", "way"),
    [
        ({"algorithm": "foo"}, "There is no algorithm 'foo': expected 'minimax' or 'alphabeta'.", "with alpha-beta"),
        ({"order": "foo", "window": "bar", "depth": "9"}, "There is no window 'bar': expected 'each' or", "as usual"),
    ],
)
def test_what_is_not_known_is_named_and_the_usual_is_offered(
    visit: Any, asked: dict[str, str], said: str, way: str
) -> None:
    someone = visit().open(address(view="search", position=TEN, **asked))
    expect(someone.page.locator(".search-refused .problem")).to_contain_text(said)
    someone.page.get_by_role("button", name=f"Search {way}").click()
    shows_totals(someone, search_with(TEN, CARRIED))
    assert not re.search("foo|bar", someone.page.url)
    someone.complaints[:] = [said for said in someone.complaints if "422" not in said]  # the browser logs refusals


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1280, "dark")])
def test_the_search_view_has_no_barrier(visit: Any, width: int, scheme: str) -> None:
    someone = visit(viewport={"width": width, "height": 800}, color_scheme=scheme)
    someone.open(address(view="search", position=TEN, step=21))
    expect(someone.page.locator(".item.cut")).to_have_count(1)
    expect(someone.page.locator(".way")).to_have_count(5)
    someone.has_no_barrier(width)
    someone.page.get_by_role("button", name="To the end").click()
    expect(someone.page.locator(".item.cut")).to_have_count(2)
    someone.has_no_barrier(width)


# Nothing is kept


def test_large_answers_are_not_kept() -> None:
    start = Game.parse("15x15k5").start()
    options = Options("minimax", depth=1, table=True)

    def found(cell: int) -> int:
        return len(dump(answers.search(str(start.play(cell)), options, 2_000, ())))

    size = found(0)  # what is made once is made
    answers.side_by_side(str(start.play(0)), options)
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        sizes = [found(cell) for cell in range(1, 9)]
        answers.side_by_side(str(start), options)
        gc.collect()
        after, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert min(sizes) > size // 2 > 100_000
    assert most - before > 2 * size  # so much is made for one
    assert after - before < size
