"""Wins by fours and pairings that hold: never wrong, natively as plainly, and as far as they reach."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest
from conftest import crowded, native

from noughts import Game, Position
from noughts.proofs import PROVERS, fours, judge, pairing, threes, verdict
from noughts.proofs.prover import Budget
from noughts.proofs.verdicts import UNKNOWN, Verdict
from noughts.rules.position import replay
from noughts.rules.value import RANK
from noughts.solve import Solution

ROUNDS = (("7x7k5", 20), ("8x8k5", 24), ("5x5k4", 9), ("6x6k4e", 12), ("7x7k4", 10), ("9x9k5e", 30), ("4x5k3", 5))
WAYS = tuple(PROVERS[name] for name in ("threats", "pairing"))


# Fours


def agree(count: int, seed: int) -> None:
    rng = random.Random(seed)
    for name, marks in ROUNDS:
        game, wins = Game.parse(name), 0
        for _ in range(count):
            position = crowded(game, marks, rng)
            for passed in (False, True):
                found = fours.search(position, 20_000, passed=passed)
                sides = position.sides[::-1] if passed else position.sides
                assert found == fours.search_plainly(game, *sides, 20_000), position
                if not passed and found.wins:
                    wins += 1
                    after = position
                    for cell in found.line:
                        after = after.play(cell)
                    assert after.winner is position.turn
        assert 0 < wins < count


def agree_on_threes(count: int, seed: int) -> None:
    """To the node: the strategy, whether it is sure, and what was looked at; however few nodes there are."""
    rng = random.Random(seed)
    for name, marks in ROUNDS:
        game, seen = Game.parse(name), set()
        for _ in range(count):
            position = crowded(game, marks, rng)
            for passed, first in ((False, None), (True, None), (False, rng.choice(position.moves()))):
                nodes, question = rng.choice([30, 200, 800]), rng.choice([1, 20, 500])
                found = threes.search(position, nodes, passed=passed, first=first, question=question)
                sides = position.sides[::-1] if passed else position.sides
                plain = threes.search_plainly(game, *sides, nodes, first, question)
                assert found == plain, (position, passed, first, nodes, question)
                seen.add((found.strategy is not None, found.complete))
        assert {(True, True), (False, True)} <= seen, name


@native
def test_the_native_search_is_its_twin() -> None:
    agree(60, 1)
    agree_on_threes(8, 1)


@native
@pytest.mark.slow
def test_the_native_search_is_its_twin_on_ten_thousand_positions() -> None:
    agree(10_000 // len(ROUNDS) + 1, 2)


@native
@pytest.mark.slow
def test_the_native_search_by_threes_is_its_twin_on_six_hundred_positions() -> None:
    agree_on_threes(600 // len(ROUNDS) + 1, 2)


def test_a_longer_look_is_one_at_each_search_by_fours_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one node for each, it is not sure that there is no win; more are given until it is, however long that is."""
    monkeypatch.setattr(threes, "QUESTION", 1)
    rng, cut = random.Random(4), 0
    for _ in range(40):
        position, budget = crowded(Game(8, 8, 5), 24, rng), Budget(seconds=600)
        cut += not threes.search(position, question=1).complete
        found = PROVERS["threats"].prove(position, budget)
        assert found.is_known or not budget.cut
    assert cut


def test_a_budget_of_nodes_is_kept() -> None:
    position = crowded(Game(15, 15, 5), 20, random.Random(3))
    every = fours.search(position)
    assert every.complete
    for nodes in range(1, every.nodes):
        few = fours.search(position, nodes)
        assert (few.line, few.complete, few.nodes) == ((), False, nodes)


@pytest.mark.parametrize("bad", [0, -1, 1.5, float("nan"), float("inf"), 10**30, "5", None, True])
def test_absurd_budgets_are_refused_in_a_sentence(bad: Any) -> None:
    start = Game(15, 15, 5).start()
    for search in (fours.search, threes.search, partial(pairing.find, holder_moves=True)):
        if bad != 10**30 or search in (fours.search, threes.search):
            with pytest.raises(ValueError, match="nodes must be "):
                search(start, nodes=bad)
    for search in (fours.search, threes.search):
        if bad != 1.5:
            with pytest.raises(ValueError, match="seconds must be more than 0 and at most 1,000,000,000, not "):
                search(start, 10, seconds=bad)


@pytest.mark.parametrize(("cell", "why"), [(112, "not free"), (-5, "from 0 to 224"), (999, "from 0 to 224")])
def test_a_win_begins_on_a_free_cell(cell: int, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        threes.search(Game(15, 15, 5).start().play(112), 50, first=cell)


def test_an_open_three_wins_in_three() -> None:
    position = Game(15, 15, 5).start()
    for move in ("h8", "a1", "i8", "c1", "j8", "e1"):
        position = position.play(move)
    found = verdict(position)
    assert (found.at_least, found.remoteness, found.how) == ("win", 3, ("threats",))


@pytest.mark.parametrize("name", ["3x3k3m", "6x7k4g", "33x5k4", "5x5k2"])
def test_what_it_does_not_take_is_refused_in_a_sentence_and_not_asked(name: str) -> None:
    start = Game.parse(name).start()
    with pytest.raises(ValueError, match=f"not looked for on {name}: it "):
        fours.search(start)
    assert PROVERS["threats"].verdict(start) == UNKNOWN
    assert PROVERS["threats"].moves(start) == {}


# Lines


def test_a_line_is_played_from_the_position_and_ends_the_game() -> None:
    rng, seen = random.Random(6), set()
    for name, marks in (("7x7k4", 8), ("9x9k5", 30), ("15x15k5", 50), ("9x9k5e", 30)) * 12:
        position = crowded(Game.parse(name), marks, rng)
        judged = judge(position)
        for found in (judged.verdict, verdict(position)):
            if found.is_exact and found.line:
                seen.add((found.at_least, len(found.line) > 2))
                *_, end = replay(position, found.line)
                assert end.winner is (position.turn if found.at_least == "win" else position.turn.other), position
        for cell, move in judged.moves.items():  # of a move that wins with it, of one that loses what follows it
            if move.line:
                *_, end = replay(position if move.at_least == "win" else position.play(cell), move.line)
                assert end.is_over, (position, cell)
        if judged.verdict.at_least == "win":
            assert judged.best, position
    assert {("win", True), ("loss", True), ("loss", False)} <= seen


# Never wrong


def within(found: Verdict, value: tuple[str, int | None]) -> bool:
    outcome, plies = value
    ok = RANK[found.at_least] <= RANK[outcome] <= RANK[found.at_most]
    if found.remoteness is not None:
        ok = ok and found.remoteness == plies
    return ok and (not found.is_exact or found.within is None or found.within >= plies)


def settled(positions: list[Position], solution: Solution) -> int:
    """How many of these positions the two provers settle; each must be told rightly, with all its moves."""
    count = 0
    for position in positions:
        found = UNKNOWN
        for prover in WAYS:
            said = prover.verdict(position)
            assert within(said, solution[position]), (position, prover.name)
            found = found.narrowed(said)
            for cell, each in prover.moves(position).items():
                assert within(each, solution[position.play(cell)].for_mover()), (position, cell)
        count += found.is_exact
    return count


def ongoing(game: Game) -> list[Position]:
    return [position for position in game.positions() if not position.is_over]


def test_every_position_of_3x3_is_told_rightly() -> None:
    game = Game()
    assert settled(ongoing(game), Solution.solve(game)) > 2_000


@native
@pytest.mark.parametrize("name", ["3x4k3", "3x4k3e", "4x4k3", "4x4k4", "4x5k4", "4x4k4e"])
def test_random_positions_are_told_rightly(name: str) -> None:
    game, rng = Game.parse(name), random.Random(name)
    some = [crowded(game, rng.randrange(2, game.cells - 3), rng) for _ in range(150)]
    assert settled(some, Solution.solve(game)) > 20


@native
@pytest.mark.slow
@pytest.mark.parametrize("name", ["3x4k3", "3x4k3e"])
def test_every_class_of_3x4_is_told_rightly(name: str) -> None:
    game = Game.parse(name)
    classes = [position for position in ongoing(game) if position == position.canonical()]
    assert settled(classes, Solution.solve(game)) > 5_000


# Pairings


def test_the_pairing_of_the_plane_has_a_pair_for_each_line_of_its_square() -> None:
    seen, kinds = set(), set()
    for (down, right), firsts in pairing.PLANE.items():
        for first in firsts:
            row, column = divmod(first, 8)
            ends = (row, column), ((row + down) % 8, (column + right) % 8)
            assert not seen.intersection(ends)
            seen.update(ends)
            kinds.add((down, right, (row * right - column * down) % 8))
    assert len(seen) == 64
    assert len(kinds) == 32


@pytest.mark.parametrize("name", ["9x9k9", "12x20k10", "32x32k9", "256x256k9", "17x17k9e"])
def test_nine_in_a_row_is_a_tie_on_every_board(name: str) -> None:
    start = Game.parse(name).start()
    found = verdict(start)
    assert (found.at_least, found.at_most, found.remoteness) == ("tie", "tie", start.game.cells)
    assert "pairing" in found.how


@pytest.mark.parametrize("name", ["12x12k9", "7x7k6", "5x5k5", "4x4k4", "10x10k10e", "1x9k4"])
@pytest.mark.parametrize("holder_moves", [False, True])
def test_a_pairing_is_what_it_says(name: str, holder_moves: bool) -> None:
    game, rng, found = Game.parse(name), random.Random(name), 0
    for _ in range(12):
        position = crowded(game, rng.randrange(0, max(2, game.cells // 3)), rng)
        held = pairing.find(position, holder_moves).held
        if held is None:
            continue
        found += 1
        cells = [cell for pair in held.pairs for cell in pair]
        first = [] if held.first is None else [held.first]
        assert len({*cells, *first}) == len(cells) + len(first)
        assert all(position.empty >> cell & 1 for cell in [*cells, *first])
        assert holder_moves or not first
        other = position.sides[1] if holder_moves else position.sides[0]
        for line, _ in game.rule.open_lines(other, position.empty):
            kept = any(line >> low & line >> high & 1 for low, high in held.pairs)
            assert kept or any(line >> cell & 1 for cell in first), (position, line)
    assert found


def test_where_a_line_lacks_one_cell_nothing_holds_but_taking_it() -> None:
    position = Position.parse("1x6k3:XX..O.")
    assert pairing.find(position, holder_moves=True).held == pairing.Held((), 2)


def test_a_pairing_is_looked_for_ever_longer() -> None:
    start = Game(10, 10, 7).start()
    first = pairing.find(start, holder_moves=False)
    assert (first.held, first.complete, first.nodes) == (None, False, pairing.NODES)
    assert PROVERS["pairing"].prove(start, Budget(1)).at_most == "win"
    budget = Budget(20_000_000)
    assert PROVERS["pairing"].prove(start, budget).at_most == "tie"
    assert pairing.NODES < budget.nodes < 20_000_000 - budget.left
    few = Budget(2 * pairing.NODES * 4 * start.game.cells + 1)  # a little is left, too little for a node
    assert PROVERS["pairing"].prove(start, few).at_most == "win"
    assert few.is_spent
    late = pairing.find(start, holder_moves=False, nodes=10**9, seconds=1e-9)
    assert (late.held, late.complete, late.nodes) == (None, False, 0)
