"""Wins by any moves: every claim passes the checker, none is wrong, and the native search is its twin."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from random import Random

import pytest
from conftest import crowded, native, reachable

from noughts import Game, Position
from noughts.proofs import check, wins
from noughts.proofs.certificate import Part, lines, plies, tree
from noughts.proofs.wins import Wins
from noughts.solve import Solution

SMALL = [
    Game(rows, columns, k)
    for rows in range(1, 6)
    for columns in range(max(rows, 2), 25 // rows + 1)
    for k in range(1, min(columns, 3) + 1)
]


def passes(position: Position, found: Wins, *, second: bool = False) -> bool:
    """Does the checker take the strategy?"""
    assert found.strategy
    side = position.turn.other if second else position.turn
    text = "".join(f"{line}\n" for line in lines(position, (Part(side, "wins", found.strategy),)))
    ruled = check.check_file(BytesIO(text.encode()))
    assert ruled.holds, (position, ruled.reason)
    return ruled.holds


# Results


@native
@pytest.mark.parametrize("name", ["5x6k4", "6x6k4", "7x7k4"])
def test_x_wins_with_four_in_a_row(name: str) -> None:
    start = Game.parse(name).start()
    assert passes(start, wins.search(start))


def wide_enough(game: Game) -> bool:
    """Does X win with so few in a row? With three if both sides are as long, and one is longer."""
    needs = {1: (1, 1), 2: (1, 3), 3: (3, 4)}[game.k]
    return (game.rows >= needs[0] and game.columns >= needs[1]) or (game.k == 2 == game.rows)


def test_x_wins_the_small_boards_that_are_wide_enough() -> None:
    for game in SMALL:
        start = game.start()
        found = wins.search(start, 2_000)
        assert bool(found.strategy) is wide_enough(game), game
        if found.strategy:
            assert passes(start, found)
            quick = wins.shorter(start, found)
            assert (plies(quick.strategy), quick.complete) == ((1, 3, 7 if game.rows == 3 else 5)[game.k - 1], True)


@native
def test_the_player_to_move_second_wins() -> None:
    won = 0
    for name, marks in (("4x4k3", 3), ("5x5k4", 9), ("7x7k4", 5), ("5x5k4e", 9)):
        rng = Random(name)
        for _ in range(60):
            position = crowded(Game.parse(name), marks, rng)
            found = wins.search(position, 5_000, second=True)
            if found.strategy:
                assert found.strategy.cell is None
                won += passes(position, found, second=True)
    assert won


# Truth


def some(game: Game, count: int) -> Iterator[Position]:
    """Random positions of a game, not over."""
    rng = Random(str(game))
    while count:
        position = game.start()
        for _ in range(rng.randrange(game.cells)):
            position = position.play(rng.choice(position.moves()))
            if position.is_over:
                break
        else:
            yield position
            count -= 1


def settled(game: Game, positions: Iterator[Position], nodes: int) -> float:
    """The share of won positions that are found; no claim is wrong, and what is said to be complete is."""
    solution, won, seen = Solution.solve(game), 0, 0
    for position in positions:
        truth = solution[position].outcome
        for second, wanted in ((False, "win"), (True, "loss")):
            found = wins.search(position, nodes, second=second)
            assert not found.strategy or truth == wanted, position
            assert not found.complete or bool(found.strategy) is (truth == wanted), position
            if found.strategy and seen % 10 == 0:
                passes(position, found, second=second)
            won += truth == wanted
            seen += truth == wanted and bool(found.strategy)
    return seen / won


@native
@pytest.mark.parametrize("name", ["3x3k3", "3x4k3"])
def test_all_wins_of_a_small_game_are_found_and_no_others(name: str) -> None:
    game = Game.parse(name)
    positions = [position for position in reachable(game) if not position.is_over]
    assert settled(game, iter(positions[:: 1 if game.cells < 10 else 7]), 20_000) == 1


@native
@pytest.mark.parametrize("name", ["4x4k3", "4x4k4"])
def test_all_wins_among_random_positions_are_found_and_no_others(name: str) -> None:
    game = Game.parse(name)
    assert settled(game, some(game, 200), 20_000) == 1


@native
@pytest.mark.slow
def test_all_wins_of_3x4_and_among_a_thousand_positions_of_4x4_are_found_and_no_others() -> None:
    for name, count in (("3x4k3", 0), ("4x4k3", 1_000), ("4x4k4", 1_000), ("4x5k4", 300)):
        game = Game.parse(name)
        positions = some(game, count) if count else (each for each in reachable(game) if not each.is_over)
        assert settled(game, positions, 100_000) == 1


@native
def test_the_shortest_win_has_the_remoteness_of_the_strong_solution() -> None:
    game = Game.parse("4x4k3")
    solution, long = Solution.solve(game), 0
    for position in some(game, 100):
        truth = solution[position]
        for second, wanted in ((False, "win"), (True, "loss")):
            if truth.outcome == wanted:
                quick = wins.shorter(position, wins.search(position, second=second), second=second)
                assert (plies(quick.strategy), quick.complete) == (truth.remoteness, True), position
                long += truth.remoteness > 4
    assert long


# The twin


@native
@pytest.mark.parametrize("name", ["3x3k3", "4x4k3", "4x4k4", "5x5k4", "2x5k2", "1x7k3", "4x5k3e", "5x5k4e", "3x3k1"])
def test_the_native_search_is_its_twin(name: str) -> None:
    game, rng, won = Game.parse(name), Random(name), 0
    for marks in range(min(6, game.cells - 2)):
        position = crowded(game, min(marks, game.k - 1 and marks), rng) if game.k > 2 else game.start()
        for passed, second, moves in ((0, 0, 99), (1, 0, 99), (0, 1, 99), (0, 0, 3)):
            found = wins.search(position, 200, passed=bool(passed), second=bool(second), moves=moves)
            mine, theirs = position.sides[::-1] if passed or second else position.sides
            plain = wins.PlainWins(game, mine, theirs, second=bool(second), moves=moves)
            plain.run(200)
            same = (plain.settled, plain.nodes, plain.proof, plain.refutation)
            assert (found.complete, found.nodes, found.proof, found.refutation) == same, position
            strategy = plain.strategy()
            assert bool(strategy) is bool(found.strategy)
            if strategy and found.strategy:
                assert [*tree(strategy)] == [*tree(found.strategy)]
                won += 1
    assert won or game.k == 4


# Its ends


def test_a_budget_of_nodes_ends_it_and_finds_the_same_each_time() -> None:
    start = Game(5, 5, 4).start()
    found = wins.search(start, 500)
    assert (found.strategy, found.complete) == (None, False)
    assert found == wins.search(start, 500)
    assert found.nodes >= 500


@pytest.mark.parametrize("name", ["4x4k3", "5x5k4", "6x6k4", "4x6k4"])
def test_the_line_it_is_at_can_be_played_however_its_positions_were_turned(name: str) -> None:
    start, told = Game.parse(name).start(), set()
    search = wins.PlainWins(start.game, 0, 0) if name == "4x4k3" else wins.begin(start)
    for _ in range(40):
        search.run(25 if name == "4x4k3" else 500, 10.0)
        line = [cell for cell in search.line() if cell >= 0]
        assert len(set(line)) == len(line)
        assert set(line) <= set(start.moves())
        told.add(tuple(line))
    assert len(told) > 3 or search.settled


@native
def test_progress_tells_where_it_is_and_the_answer_is_the_same() -> None:
    start = Game(6, 6, 5).start()
    looking = wins.searching(start, 3 * wins.SLICE)
    told = [next(looking), next(looking)]
    with pytest.raises(StopIteration) as end:
        next(looking)
    assert end.value.value == wins.search(start, 3 * wins.SLICE)
    for event in told:
        assert event.line[0] in start.moves()
        assert event.proof
        assert event.refutation


@native
def test_a_full_memory_ends_it() -> None:
    found = wins.search(Game(15, 15, 5).start(), memory=1 << 20)
    assert (found.strategy, found.complete) == (None, False)
    assert found.nodes < wins.NODES


@native
def test_with_little_memory_it_forgets_what_nothing_leads_to_any_more_and_goes_on() -> None:
    start = Game(5, 6, 4).start()
    much, little = wins.search(start), wins.search(start, memory=3_000_000)
    assert little.nodes > much.nodes  # it looked at some of them twice
    assert passes(start, little)


@pytest.mark.parametrize("name", ["3x3k3m", "6x7k4g", "33x5k4"])
def test_what_it_does_not_take_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(ValueError, match=f"not looked for on {name}: it "):
        wins.search(Game.parse(name).start())


def test_absurd_numbers_are_refused() -> None:
    start = Game().start()
    for bad in ({"nodes": 0}, {"moves": 0}, {"memory": -1}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            wins.search(start, **bad)


def test_a_game_that_is_over_is_not_won_again() -> None:
    assert wins.search(Position.parse("XXX/OO./...")) == wins.NO_WIN
