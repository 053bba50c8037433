"""Minimax and alpha-beta: the source's tables, the native twin, and the laws that hold for every way to search."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import inf
from random import Random
from typing import Any

import pytest
from conftest import native, positions, reachable
from hypothesis import given, settings
from hypothesis import strategies as st
from shell import run

from noughts import Game, Mark, Position, value
from noughts.evaluate import evaluate
from noughts.native import core
from noughts.rules.notation import board_rows
from noughts.search import (
    ALGORITHMS,
    ORDERS,
    WINDOWS,
    InvalidSearch,
    MoveScore,
    Node,
    NotVisited,
    Options,
    Result,
    Tree,
    TreeTooLarge,
    compare,
    search,
)
from noughts.search.comparison import WAYS
from noughts.search.dispatch import search_with
from noughts.search.plain import Counts
from noughts.search.record import Branch
from noughts.search.size import most, probe

EXAMPLE = Position.parse(".X./O../X.O")
KEYS = {"game", "position", "algorithm", "window", "score", "best", "nodes", "prunes", "moves"}
MOVE_KEYS = {"move", "cell", "score", "bound", "nodes", "prunes"}

both_windows = pytest.mark.parametrize("window", WINDOWS)
both_algorithms = pytest.mark.parametrize("algorithm", ALGORITHMS)


def sample(step: int) -> tuple[Position, ...]:
    """Some positions of 3x3, of every size of tree."""
    return reachable(Game())[::step]


def facts(found: Result) -> tuple[object, ...]:
    """All that twins agree on."""
    return found.score, found.best, found.nodes, found.alpha_cuts, found.beta_cuts, found.moves


# The source


def test_the_minimax_table_of_the_source() -> None:
    found = search(EXAMPLE, "minimax")
    assert [(move.cell, move.score, move.nodes) for move in found.moves] == [
        (0, 0, 47), (2, 5, 35), (4, 5, 39), (5, 0, 61), (7, -8, 43),
    ]  # fmt: skip
    assert (found.score, found.best, found.nodes, found.prunes) == (5, (2, 4), 225, 0)


def test_the_alphabeta_table_of_the_source() -> None:
    found = search(EXAMPLE, "alphabeta")
    assert [(move.cell, move.score, move.nodes, move.prunes) for move in found.moves] == [
        (0, 0, 20, 6), (2, 5, 17, 6), (4, 5, 31, 6), (5, 0, 42, 14), (7, -8, 34, 6),
    ]  # fmt: skip
    assert (found.score, found.best, found.nodes, found.prunes) == (5, (2, 4), 144, 38)


def test_the_same_with_the_window_carried() -> None:
    found = search(EXAMPLE, "alphabeta", window="carried")
    assert (found.score, found.best, found.nodes, found.prunes) == (5, (2,), 98, 30)
    assert [(move.score, move.bound) for move in found.moves] == [
        (0, "exact"), (5, "exact"), (5, "upper"), (0, "upper"), (5, "upper"),
    ]  # fmt: skip
    assert search(EXAMPLE, "minimax", window="carried").nodes == 226


def as_printed(board: list[list[str]], player: str, alpha: float, beta: float, stats: dict[str, int]) -> float:
    """Alpha-beta as the minimax source prints it; the rules and the evaluation are its own, too."""
    stats["nodes"] += 1
    rows = board + [list(column) for column in zip(*board, strict=True)]
    rows += [[board[i][i] for i in range(3)], [board[i][2 - i] for i in range(3)]]
    legal = [(r, c) for r in range(3) for c in range(3) if board[r][c] == "."]
    if ["X"] * 3 in rows or ["O"] * 3 in rows or not legal:
        worth = {1: 1, 2: 3, 3: 8}
        xs = sum(worth.get(row.count("X"), 0) for row in rows if "O" not in row)
        return xs - sum(worth.get(row.count("O"), 0) for row in rows if "X" not in row)
    value = -inf if player == "X" else inf
    for r, c in legal:
        after = [row[:] for row in board]
        after[r][c] = player
        if player == "X":
            value = max(value, as_printed(after, "O", alpha, beta, stats))
            alpha = max(alpha, value)
        else:
            value = min(value, as_printed(after, "X", alpha, beta, stats))
            beta = min(beta, value)
        if alpha >= beta:
            stats["prunes"] += 1
            break
    return value


def test_alphabeta_does_what_the_listing_of_the_source_does() -> None:
    for position in sample(17):
        for move in search(position, "alphabeta").moves:
            after = position.play(move.cell)
            stats = {"nodes": 0, "prunes": 0}
            rows = [list(row) for row in board_rows(after)]
            score = as_printed(rows, str(after.turn), -inf, inf, stats)
            assert (score, stats) == (move.score, {"nodes": move.nodes, "prunes": move.prunes}), after


def test_the_whole_tree_of_3x3_has_549946_nodes() -> None:
    assert search(Game().start(), "minimax", window="carried").nodes == 549_946


# The native twin


@native
@both_windows
@both_algorithms
@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_native_equals_its_twin_on_positions_of_3x3(algorithm: str, window: str, step: int) -> None:
    for position in sample(step):
        twin = search(position, algorithm, window=window, backend="python")
        assert facts(search(position, algorithm, window=window, backend="native")) == facts(twin), position


@native
@both_windows
@both_algorithms
def test_native_equals_its_twin_at_every_depth(algorithm: str, window: str) -> None:
    for position in sample(97):
        for depth in range(1, 9):
            asked = {"window": window, "depth": depth}
            twin = search(position, algorithm, **asked, backend="python")  # type: ignore[arg-type]
            fast = search(position, algorithm, **asked, backend="native")  # type: ignore[arg-type]
            assert facts(fast) == facts(twin), (position, depth)


@native
@settings(max_examples=60)
@given(
    positions(), st.sampled_from(ALGORITHMS), st.sampled_from(WINDOWS), st.sampled_from(ORDERS[:3]), st.integers(1, 5)
)
def test_native_equals_its_twin_on_every_kind_of_board(
    position: Position, algorithm: str, window: str, order: str, depth: int
) -> None:
    while depth > 1 and most(position.empty.bit_count(), depth) > 3000:
        depth -= 1
    asked = Options(algorithm, depth, window, order)
    assert facts(search_with(position, asked, backend="native")) == facts(
        search_with(position, asked, backend="python")
    )


@native
@pytest.mark.parametrize("name", ["4x4k4", "5x4k3m", "8x8k5"])
@pytest.mark.parametrize("order", ORDERS[:3])
def test_native_equals_its_twin_on_larger_trees(name: str, order: str) -> None:
    start = Game.parse(name).start()
    asked = Options("alphabeta", {"8x8k5": 2}.get(name, 4), "carried", order)
    assert facts(search_with(start, asked, backend="native")) == facts(search_with(start, asked, backend="python"))


@native
def test_ctrl_c_stops_a_native_search() -> None:
    code = """if True:
        import _thread, os, signal, threading
        from noughts import Game
        from noughts.search import search
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            search(Game(4, 4, 4).start(), "minimax", limit=10**18, backend="native")
        except KeyboardInterrupt:
            print("stopped")
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "stopped\n"


# The laws


def test_alphabeta_has_the_scores_of_minimax_everywhere() -> None:
    step = 1 if core() else 20
    for position in sample(step):
        whole, pruned = search(position, "minimax"), search(position, "alphabeta")
        carried = search(position, "alphabeta", window="carried")
        scores = {move.cell: move.score for move in whole.moves}
        assert {move.cell: (move.score, move.bound) for move in pruned.moves} == {
            cell: (score, "exact") for cell, score in scores.items()
        }
        assert whole.score == pruned.score == carried.score
        assert set(carried.best) <= set(whole.best) == set(pruned.best)
        assert carried.nodes - 1 <= pruned.nodes <= whole.nodes
        honest(carried.moves, scores)


def honest(moves: tuple[MoveScore, ...], true: dict[int, int]) -> None:
    """What is called exact is, and a bound is one."""
    for move in moves:
        right = {
            "exact": move.score == true[move.cell],
            "upper": move.score >= true[move.cell],
            "lower": move.score <= true[move.cell],
        }
        assert right[move.bound], move


def some_trees() -> Iterator[tuple[Position, int | None]]:
    """Positions of many boards, with a depth that keeps the tree small."""
    yield from ((position, None) for position in sample(97) if position.marks >= 2)
    for name, depth in (("3x3k3m", 6), ("3x4k3", 4), ("4x4k4", 3), ("2x4k3m", 6), ("1x6k2", None), ("6x6k4", 2)):
        yield Game.parse(name).start(), depth


@both_windows
def test_every_way_to_search_gives_the_same_score(window: str) -> None:
    for position, depth in some_trees():
        if position.is_over:
            continue
        true = search(position, "minimax", depth=depth)
        scores = {move.cell: move.score for move in true.moves}
        for way in WAYS:
            found = search_with(position, replace(way, window=window, depth=depth), backend="python")
            assert found.score == true.score, (position, way)
            assert [move.cell for move in found.moves] == sorted(scores)
            honest(found.moves, scores)
            if window == "each":
                assert found.best == true.best


@both_windows
@both_algorithms
def test_without_improvements_improved_does_what_plain_does(algorithm: str, window: str) -> None:
    for position, depth in some_trees():
        asked = Options(algorithm, depth, window)
        recorded = search_with(position, asked, record=10)  # only `improved` records
        assert facts(recorded) == facts(search_with(position, asked, backend="python"))


def test_totals_are_the_sums_over_the_moves_and_the_root_where_it_is_carried() -> None:
    for position in sample(301):
        for way in WAYS:
            for window in WINDOWS:
                found = search_with(position, replace(way, window=window))
                roots = found.nodes - sum(move.nodes for move in found.moves)
                assert roots == 0 if window == "each" else roots == 1 or way.deepening
                assert found.prunes == sum(move.prunes for move in found.moves)


def test_symmetric_moves_are_searched_once() -> None:
    found = search(Game().start(), symmetry=True)
    assert [move.merged_with for move in found.moves] == [None, None, 0, 1, None, 1, 0, 1, 0]
    assert all(move.nodes == 0 for move in found.moves if move.merged_with is not None)


def test_no_order_beats_the_best_known_one_on_3x3() -> None:
    nodes = {order: search(Game().start(), order=order, window="carried").nodes for order in ORDERS}
    assert min(nodes, key=nodes.__getitem__) == "best-known"
    assert max(nodes, key=nodes.__getitem__) == "natural"


def test_deepening_stops_where_every_game_has_ended() -> None:
    position = Position.parse("XO./XO./...")  # X can end it at once, but not everything does
    deep = search(position, deepening=True, depth=5)
    assert facts(deep) == facts(search(position, deepening=True, depth=50))
    start = Game.parse("3x3k1").start()  # every first move ends the game
    assert search(start, deepening=True).nodes == 9


def test_the_depth_limit_scores_by_the_evaluation() -> None:
    for position in sample(53):
        for move in search(position, "minimax", depth=1).moves:
            assert (move.score, move.nodes) == (evaluate(position.play(move.cell)), 1)


@pytest.mark.parametrize("name", ["3x3k3", "3x3k3m"])
def test_on_3x3_the_sign_of_the_score_is_the_true_outcome(name: str) -> None:
    for position in reachable(Game.parse(name))[:: 1 if core() else 20]:
        exact = value(position)
        assert exact
        for_x = {"win": 1, "tie": 0, "loss": -1}[exact.outcome] * (1 if position.turn is Mark.X else -1)
        score = search(position).score
        assert (score > 0) - (score < 0) == for_x, position


def test_a_position_that_is_over_has_its_score_and_no_moves() -> None:
    for text, score in (("XXX/OO./...", 6), ("XOX/XOO/OXX", 0), ("3x3k3m:XXX/OO./...", -6)):
        for window, nodes in (("each", 0), ("carried", 1)):
            for algorithm in ALGORITHMS:
                found = search(Position.parse(text), algorithm, window=window)
                assert (found.score, found.best, found.moves, found.nodes) == (score, (), (), nodes)


# Comparing


def test_compare_shows_what_each_improvement_saves() -> None:
    table = compare(EXAMPLE)
    rows = {str(way.options): way for way in table.ways}
    assert table.score == 5
    assert len(rows) == len(WAYS)
    assert rows["minimax"].saved_against_minimax == rows["alphabeta"].saved_against_alphabeta == 0
    assert rows["alphabeta"].saved_against_minimax == 1 - 98 / 226
    for way in table.ways:
        assert way.result
        assert way.result.score == 5
        assert way.saved_against_alphabeta == 1 - way.result.nodes / 98
    json.dumps(table.to_json())


def test_compare_goes_on_where_one_way_is_refused() -> None:
    table = compare(EXAMPLE, limit=100)
    refused = {str(way.options) for way in table.ways if way.refused}
    assert "minimax" in refused
    assert "alphabeta" not in refused
    assert {way.saved_against_minimax for way in table.ways} == {None}


# The recorded tree


def trees(keep: int) -> Iterator[tuple[Result, Tree]]:
    for way in WAYS:
        for window in WINDOWS:
            if not way.deepening:
                found = search_with(EXAMPLE, replace(way, window=window), record=keep)
                assert found.tree
                yield found, found.tree


def test_the_tree_has_a_node_for_every_node_counted() -> None:
    for found, tree in trees(1000):
        assert tree.complete
        assert sum(1 for _ in tree) == found.nodes + (found.options.window == "each")
        assert sum(node.cut is not None for node in tree) == found.prunes
        assert (tree.root.score, tree.root.nodes) == (found.score, found.nodes)


def test_every_node_accounts_for_all_its_moves() -> None:
    for _, tree in trees(1000):
        for node in tree:
            if node.kind != "searched":
                assert not node.children
                continue
            skipped = node.cut.skipped if node.cut else ()
            shown = [child.move for child in node.children] + list(skipped)
            merged = {cell for cell in node.merged if cell not in shown}
            assert sorted([*shown, *merged]) == node.position.moves()


def test_every_node_has_the_score_that_its_children_give() -> None:
    for _, tree in trees(1000):
        for node in tree:
            if node.kind == "over":
                assert (node.score, node.position.is_over) == (evaluate(node.position), True)
            elif node.kind == "searched":
                choose = max if str(node.position.turn) == "X" else min
                exact = [child for child in node.children if node.move is not None or child.bound == "exact"]
                assert node.score == choose(child.score for child in exact)
                assert node.favourite
            if node.cut:
                assert node.cut.alpha >= node.cut.beta
                assert node.cut.kind in node.cut.why
                assert (node.cut.kind == "beta") == (str(node.position.turn) == "X")


def test_a_recorded_bound_is_honest() -> None:
    for _, tree in trees(1000):
        for node in tree:
            if not node.position.is_over:
                true = search(node.position, "minimax").score
                right = {"exact": node.score == true, "upper": node.score >= true, "lower": node.score <= true}
                assert right[node.bound]


@pytest.mark.parametrize("keep", [1, 7, 60, 1000])
def test_replay_ends_in_the_result(keep: int) -> None:
    for found, tree in trees(keep):
        steps = list(tree.replay())
        last = steps[-1]
        assert (last.kind, last.node, last.best) == ("leave", tree.root, found.score)
        assert (last.nodes, last.alpha_cuts, last.beta_cuts) == (found.nodes, found.alpha_cuts, found.beta_cuts)
        assert all(before.nodes <= after.nodes for before, after in pairwise(steps))
        assert sum(step.kind == "enter" for step in steps) == sum(1 for _ in tree)


def test_a_tree_keeps_no_more_than_it_is_told() -> None:
    for found, tree in trees(20):
        assert sum(1 for _ in tree) == 21  # and the root
        assert not tree.complete
        below = found.nodes - (found.options.window == "carried")
        assert sum(node.omitted for node in tree) == below - 20


def test_a_branch_is_what_the_whole_search_left_there() -> None:
    for found, tree in trees(1000):
        by_path = dict(with_paths(tree.root))
        for path in [(), *Random(1).sample(sorted(by_path), 6)]:
            branch = search_with(EXAMPLE, found.options, record=1000, below=path)
            assert facts(branch) == facts(found)
            assert branch.tree
            assert branch.tree.below == path
            assert branch.tree.root == by_path[path]  # and so all below it
            last = list(branch.tree.replay())[-1]
            assert (last.nodes, last.best) == (branch.tree.root.nodes, branch.tree.root.score)


def with_paths(node: Node, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Node]]:
    yield path, node
    for child in node.children:
        yield from with_paths(child, (*path, child.move or 0))


@pytest.mark.parametrize("keep", [1, 5, 25, 80])
def test_a_branch_keeps_whole_plies(keep: int) -> None:
    for found, tree in trees(1000):
        branch = search_with(EXAMPLE, found.options, record=keep, below=()).tree
        assert branch
        widths = Counter(len(path) for path, _ in with_paths(tree.root) if path)
        fits = [sum(widths[ply] for ply in range(1, deepest + 1)) for deepest in widths]
        assert sum(1 for _ in branch) - 1 == max((size for size in fits if size <= keep), default=widths[1])
        last = list(branch.replay())[-1]
        assert (last.nodes, last.alpha_cuts, last.beta_cuts) == (found.nodes, found.alpha_cuts, found.beta_cuts)
        counted = sum(1 for _ in branch) - (found.options.window == "each")
        assert found.nodes == counted + sum(node.omitted for node in branch)


def test_a_branch_of_a_large_tree_takes_what_is_the_same_again_as_counted() -> None:
    for game, depth in ((Game(), None), (Game(4, 4, 3), 4), (Game(3, 3, 3, True), None)):
        for algorithm in ALGORITHMS:
            asked = Options(algorithm, depth, "carried")
            assert facts(search_with(game.start(), asked, record=30, below=())) == facts(
                search_with(game.start(), asked)
            )


def test_a_branch_that_was_not_visited_says_why() -> None:
    with pytest.raises(NotVisited, match=r"did not try c3 in .*: it leads to a mirror image of a3"):
        search(Game().start(), symmetry=True, record=10, below=(2,))
    with pytest.raises(NotVisited, match=r"did not try b2 in .*: beta cut: MAX can reach 9 here"):
        search(EXAMPLE, record=10, below=(2, 5, 4))
    with pytest.raises(NotVisited, match="the depth limit"):
        search(EXAMPLE, depth=1, record=10, below=(2, 5))
    with pytest.raises(NotVisited, match="the game is over"):
        search(Position.parse("XXX/OO./..."), record=10, below=(5,))
    with pytest.raises(InvalidSearch, match="say how many nodes to record"):
        search(EXAMPLE, below=(2,))


def test_the_limit_holds_for_a_branch() -> None:
    start = Game().start()
    with pytest.raises(TreeTooLarge, match="limit of 400,000"):
        Branch(Options("minimax"), Counts(400_000), 9, start, ()).root(start)


def test_the_tree_as_json_is_the_tree() -> None:
    for found, tree in trees(1000):
        plain = json.loads(json.dumps(tree.to_json()))
        assert plain["nodes"] == found.nodes
        assert same(tree.root, plain["root"])


def same(node: Node, plain: dict[str, Any]) -> bool:
    return (
        plain["position"] == str(node.position)
        and (plain["score"], plain["bound"], plain["nodes"]) == (node.score, node.bound, node.nodes)
        and plain["alpha"] == (None if node.alpha == -inf else node.alpha)
        and plain["beta"] == (None if node.beta == inf else node.beta)
        and (plain["cut"] is None) == (node.cut is None)
        and len(plain["children"]) == len(node.children)
        and all(map(same, node.children, plain["children"]))
    )


QUOTED = r'"(?:[^"\\]|\\.)*"'
ATTRIBUTES = rf"\[\w+=(?:{QUOTED}|[\w.]+)(?:, \w+=(?:{QUOTED}|[\w.]+))*\]"
STATEMENT = re.compile(rf"  (\w+)(?: -> (\w+))? {ATTRIBUTES};")


@pytest.mark.parametrize("keep", [20, 1000])
def test_the_tree_as_dot_is_a_tree(keep: int) -> None:
    for _, tree in trees(keep):
        first, *lines, last, end = tree.to_dot().split("\n")
        assert (first, last, end) == ("digraph search {", "}", "")
        matches = [STATEMENT.fullmatch(line) for line in lines]
        assert all(matches), [line for line, match in zip(lines, matches, strict=True) if not match]
        statements = [match.groups() for match in matches if match and match[1] not in ("node", "edge")]
        nodes = [name for name, target in statements if target is None]
        edges = [(name, target) for name, target in statements if target is not None]
        assert len(nodes) == len(set(nodes)) == len(edges) + 1
        assert {target for _, target in edges} == set(nodes) - {"n0"}
        assert sum(re.fullmatch(r"n\d+", name) is not None for name in nodes) == sum(1 for _ in tree)


# Bad input


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        ({"algorithm": "minmax"}, "did you mean minimax"),
        ({"algorithm": "alpha-beta"}, "did you mean alphabeta"),
        ({"algorithm": 3}, "there is no algorithm 3: expected one of minimax, alphabeta"),
        ({"order": "center"}, "did you mean centre"),
        ({"order": "best known"}, "did you mean best-known"),
        ({"window": "carry"}, "did you mean carried"),
        ({"backend": "nativ"}, "did you mean native"),
        ({"depth": 0}, "depth must be at least 1, not 0"),
        ({"depth": -1}, "not -1"),
        ({"depth": 2.0}, "not 2.0"),
        ({"depth": True}, "not True"),
        ({"limit": 0}, "limit must be"),
        ({"record": 0}, "record must be"),
        ({"record": 5, "deepening": True}, "deepening searches many trees"),
        ({"backend": "native", "table": True}, "leave the backend open"),
    ],
)
def test_bad_options_are_refused_in_one_clear_line(asked: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InvalidSearch, match=re.escape(complaint)) as refusal:
        search(EXAMPLE, **asked)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("4x4k4", {"algorithm": "minimax"}),
        ("4x4k4", {"algorithm": "alphabeta"}),
        ("5x5k4", {"table": True, "symmetry": True, "order": "evaluation"}),
        ("15x15k5", {"algorithm": "minimax", "depth": 5}),
        ("15x15k5", {"order": "best-known"}),
        ("100x100k5", {"order": "evaluation", "depth": 2, "backend": "python"}),
        ("256x256k5", {"order": "evaluation", "depth": 2}),
        ("256x256k5", {"algorithm": "alphabeta"}),
        ("256x256k5", {"limit": 10**40}),
        ("256x256k256", {"depth": 2}),
        ("1x200k2m", {"deepening": True}),
    ],
)
def test_a_tree_too_large_is_refused_with_how_to_limit_it(name: str, asked: dict[str, Any]) -> None:
    with pytest.raises(TreeTooLarge, match="depth"):
        search(Game.parse(name).start(), **asked)


@both_algorithms
def test_the_depth_that_a_refusal_names_fits(algorithm: str) -> None:
    with pytest.raises(TreeTooLarge) as refusal:
        search(Game.parse("4x4k4").start(), algorithm, limit=5000)
    fits = int(re.findall(r"(\d+) fits for sure", str(refusal.value))[0])
    assert "5,000" in str(refusal.value)
    assert fits >= 2
    assert search(Game.parse("4x4k4").start(), algorithm, depth=fits, limit=5000).nodes <= 5000


@pytest.mark.parametrize("backend", [pytest.param("native", marks=native), "python"])
@both_windows
@both_algorithms
def test_no_search_enters_more_nodes_than_its_limit(
    algorithm: str, window: str, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.search.dispatch.require_small", lambda *_: None)
    nodes = search(EXAMPLE, algorithm, window=window).nodes
    assert search(EXAMPLE, algorithm, window=window, backend=backend, limit=nodes).nodes == nodes
    for limit in (1, 10, nodes - 1):
        with pytest.raises(TreeTooLarge, match=f"limit of {limit} nodes"):
            search(EXAMPLE, algorithm, window=window, backend=backend, limit=limit)


def test_the_estimate_is_near_the_truth() -> None:
    for position, depth in ((Game().start(), None), (Game.parse("3x4k3").start(), 6), (EXAMPLE, None)):
        nodes = search(position, "minimax", depth=depth, window="carried").nodes
        assert 0.8 * nodes < probe(position, depth) < 1.25 * nodes
        assert nodes <= most(position.empty.bit_count(), depth)


# The command


@both_windows
@both_algorithms
def test_the_command_gives_the_keys_of_the_contract(algorithm: str, window: str) -> None:
    done = run("search", str(EXAMPLE), "--algorithm", algorithm, "--window", window, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    data = json.loads(done.stdout)
    assert data.keys() >= KEYS
    assert all(move.keys() >= MOVE_KEYS for move in data["moves"])
    assert data == search(EXAMPLE, algorithm, window=window).to_json()
    totals = {"minimaxeach": 225, "minimaxcarried": 226, "alphabetaeach": 144, "alphabetacarried": 98}
    assert data["nodes"] == totals[algorithm + window]
    assert data["game"] == "3x3k3"
    assert data["best"] == (["c3"] if algorithm + window == "alphabetacarried" else ["c3", "b2"])


def test_the_command_shows_people_a_board_and_a_table(tmp_path: Any) -> None:
    done = run("search", str(EXAMPLE), "--tree", str(tmp_path / "a.json"), "--dot", str(tmp_path / "a.dot"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "3  . X ." in done.stdout
    assert re.search(r"\* c3 +5 +17 +6", done.stdout)
    assert re.search(r"total +144 +38", done.stdout)
    assert json.loads((tmp_path / "a.json").read_text("utf-8"))["nodes"] == 144
    assert (tmp_path / "a.dot").read_text("utf-8").startswith("digraph")


def test_the_command_compares() -> None:
    done = run("search", str(EXAMPLE), "--compare")
    assert done.returncode == 0
    assert re.search(r"alphabeta +98 +30 +56.64%", done.stdout)
    assert json.loads(run("search", str(EXAMPLE), "--compare", "--json").stdout) == compare(EXAMPLE).to_json()


def test_the_command_replays() -> None:
    done = run("search", str(EXAMPLE), "--replay", "--window", "carried")
    assert done.returncode == 0
    assert done.stdout.count(" cut: ") == 30


@pytest.mark.parametrize(
    "arguments",
    [
        (str(EXAMPLE), "--depth", "0"),
        (str(EXAMPLE), "--depth", "-1"),
        (str(EXAMPLE), "--depth", "x"),
        (str(EXAMPLE), "--algorithm", "minmax"),
        (str(EXAMPLE), "--order", "middle"),
        (str(EXAMPLE), "--compare", "--replay"),
        (str(EXAMPLE), "--dot", "/nonexistent/folder/a.dot"),
        ("4x4k4:..../..../..../....", "--algorithm", "minimax"),
        ("XXX/OOO/...",),
        ("nonsense",),
    ],
)
def test_the_command_answers_bad_input_with_one_line_and_exit_2(arguments: tuple[str, ...]) -> None:
    done = run("search", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("noughts: ")
    assert done.stderr.count("\n") == 1
