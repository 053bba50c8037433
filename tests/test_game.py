"""Game: its numbers, its geometry, its lines."""

from __future__ import annotations

import pickle
from functools import cache

import pytest
from conftest import SPREAD
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game, InvalidGame
from noughts.game import MAX_SIDE

games = st.builds(
    lambda rows, columns, k, misere: Game(rows, columns, 1 + k % max(rows, columns), misere),
    st.integers(1, 12), st.integers(1, 12), st.integers(0, 11), st.booleans(),
)  # fmt: skip


@cache
def slow_lines(game: Game) -> set[tuple[int, ...]]:
    """Every line, straight from the definition."""
    found = set()
    for row in range(game.rows):
        for column in range(game.columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + i * down, column + i * right) for i in range(game.k)]
                if all(0 <= r < game.rows and 0 <= c < game.columns for r, c in cells):
                    found.add(tuple(r * game.columns + c for r, c in cells))
    return found


@given(games)
def test_lines_are_those_of_the_definition(game: Game) -> None:
    lines = list(game.lines())
    assert set(lines) == slow_lines(game)
    assert len(lines) == len(set(lines)) == game.line_count


@given(games, st.data())
def test_win_test_is_exact(game: Game, data: st.DataObject) -> None:
    cells = data.draw(st.sets(st.integers(0, game.cells - 1)))
    bits = game.bits_of(cells)
    complete = {line for line in slow_lines(game) if cells.issuperset(line)}
    assert set(game.lines_in(bits)) == complete
    assert game.has_line(bits) is bool(complete)


def test_win_test_is_exact_on_every_set_of_small_boards() -> None:
    for name in ("3x3k3", "3x3k2", "2x5k3", "5x2k2", "1x9k4", "3x4k3"):
        game = Game.parse(name)
        lines = [game.bits_of(line) for line in slow_lines(game)]
        for compact in range(1 << game.cells):
            bits = game.spread(compact)
            assert game.has_line(bits) is any(bits & line == line for line in lines)


@given(games, st.data())
def test_sets_cells_and_compact_sets_are_one_thing(game: Game, data: st.DataObject) -> None:
    cells = data.draw(st.sets(st.integers(0, game.cells - 1)))
    bits = game.bits_of(cells)
    assert game.cells_of(bits) == sorted(cells)
    assert game.compact(bits) == sum(1 << cell for cell in cells)
    assert game.spread(game.compact(bits)) == bits
    assert bits & ~game.full == 0


@given(games, st.data())
def test_completing_cells_are_those_that_complete_a_line(game: Game, data: st.DataObject) -> None:
    cells = data.draw(st.sets(st.integers(0, game.cells - 1)))
    expected = {
        cell for line in slow_lines(game) for cell in line if cell not in cells and cells.issuperset(set(line) - {cell})
    }
    assert set(game.cells_of(game.completing(game.bits_of(cells)))) == expected


def test_win_test_takes_about_log2_k_steps() -> None:
    for k in range(2, MAX_SIDE + 1):
        steps = Game(1, MAX_SIDE, k).win_test.count(">>")
        assert steps == (k - 1).bit_length()


def test_full_board_holds_every_cell() -> None:
    for game in SPREAD:
        assert game.cells_of(game.full) == list(range(game.cells))


@pytest.mark.parametrize(
    ("numbers", "says"),
    [
        ((0, 3, 3), "rows must be from 1 to 256, not 0"),
        ((3, 257, 3), "columns must be from 1 to 256, not 257"),
        ((3, 3, 0), "k must be from 1 to 3"),
        ((3, 4, 5), "k must be from 1 to 4"),
        ((-1, 3, 3), "rows must be"),
        ((3.0, 3, 3), "rows must be a whole number"),
        ((True, 3, 3), "rows must be a whole number"),
        (("3", 3, 3), "rows must be a whole number"),
        ((3, 3, 3, 1), "misere must be True or False"),
        ((10**5000, 3, 3), "rows must be from 1 to 256, not a number of more than 20 digits"),
    ],
)
def test_impossible_games_are_refused_by_name(numbers: tuple[int, ...], says: str) -> None:
    with pytest.raises(InvalidGame, match=says):
        Game(*numbers)


def test_a_game_is_a_frozen_value() -> None:
    game = Game(4, 5, 3)
    assert game == Game(4, 5, 3) != Game(4, 5, 3, misere=True)
    assert len({game, Game(4, 5, 3), Game(5, 4, 3)}) == 2
    game.has_line(0)
    assert pickle.loads(pickle.dumps(game)) == game
    with pytest.raises(AttributeError, match="never changes"):
        game.rows = 3
    with pytest.raises(AttributeError, match="never changes"):
        del game.rows
