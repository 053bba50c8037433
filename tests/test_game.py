"""Game: its numbers, its geometry, its lines."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from itertools import count, product
from unittest.mock import ANY

import pytest
from conftest import SPREAD, games, slow_lines
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game, InvalidGame
from noughts.rules.game import MAX_SIDE
from noughts.rules.rule import FEW
from noughts.words import brief, no_such


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
    assert set(game.rule.lines_in(bits)) == complete
    assert game.rule.has_line(bits) is bool(complete)


def test_win_test_is_exact_on_every_set_of_small_boards() -> None:
    for name in ("3x3k3", "3x3k2", "2x5k3", "5x2k2", "1x9k4", "3x4k3"):
        game = Game.parse(name)
        lines = [game.bits_of(line) for line in slow_lines(game)]
        for bits in range(1 << game.cells):
            assert game.rule.has_line(bits) is any(bits & line == line for line in lines)


@given(games, st.data())
def test_bit_i_is_cell_i(game: Game, data: st.DataObject) -> None:
    cells = data.draw(st.sets(st.integers(0, game.cells - 1)))
    bits = game.bits_of(cells)
    assert game.cells_of(bits) == sorted(cells)
    assert bits == sum(1 << cell for cell in cells)
    assert bits & ~game.full == 0


@given(games, st.data())
def test_completing_cells_are_those_that_complete_a_line(game: Game, data: st.DataObject) -> None:
    cells = data.draw(st.sets(st.integers(0, game.cells - 1)))
    expected = {
        cell for line in slow_lines(game) for cell in line if cell not in cells and cells.issuperset(set(line) - {cell})
    }
    assert set(game.cells_of(game.rule.completing(game.bits_of(cells)))) == expected


@pytest.mark.parametrize(
    ("name", "directions"),
    [
        ("3x3k3", ((0, 1), (1, 0), (1, 1), (1, -1))),
        ("2x5k2", ((0, 1), (1, 0), (1, 1), (1, -1))),
        ("2x5k3", ((0, 1),)),
        ("5x2k3", ((1, 0),)),
        ("3x3k1", ((0, 1),)),
        ("5x1k1", ((0, 1),)),
    ],
)
def test_directions_are_those_in_which_a_line_fits(name: str, directions: tuple[tuple[int, int], ...]) -> None:
    assert Game.parse(name).directions == directions


@pytest.mark.parametrize(("game", "kept"), [(Game(), 9), (Game(32, 32, 3), 1024), (Game(25, 41, 3), 0)], ids=str)
def test_the_bit_of_each_cell_is_known_and_kept_only_for_small_boards(game: Game, kept: int) -> None:
    bit_of = game.playing[0]
    assert len(bit_of) == kept
    for cell in (0, 1, game.cells - 1):
        assert bit_of[cell] == 1 << cell
    assert bit_of[-1] == bit_of[game.cells] == 0


def test_a_cell_named_twice_is_in_the_set_once() -> None:
    assert Game().bits_of([4, 4, 0]) == Game().bits_of([0, 4])


def test_win_test_takes_about_log2_k_steps() -> None:
    for k in range(2, MAX_SIDE + 1):
        steps = Game(1, MAX_SIDE, k).rule.win_test.count(">>")
        assert steps == (k - 1).bit_length()


def test_full_board_holds_every_cell() -> None:
    for game in SPREAD:
        assert game.cells_of(game.full) == list(range(game.cells))


@pytest.mark.parametrize("name", ["1x1k1", "3x3k3", "3x3k3m", "2x4k2", "3x2k3"])
def test_positions_are_all_that_play_reaches_each_once_the_emptier_first(name: str) -> None:
    game = Game.parse(name)
    found, todo = {game.start()}, [game.start()]
    while todo:
        position = todo.pop()
        after = {position.play(cell) for cell in position.moves()} - found
        found |= after
        todo += after
    positions = list(game.positions())
    assert len(positions) == len(found)
    assert set(positions) == found
    assert positions == sorted(positions, key=lambda position: position.marks)


# What is refused, and with which words


@pytest.mark.parametrize(
    ("numbers", "says"),
    [
        ((0, 3, 3), "rows must be from 1 to 256, not 0"),
        ((3, 257, 3), "columns must be from 1 to 256, not 257"),
        ((3, 0, 3), "columns must be from 1 to 256, not 0"),
        ((257, 3, 3), "rows must be from 1 to 256, not 257"),
        ((3, 3, 0), "k must be from 1 to 3 on a board of 3 x 3, not 0"),
        ((3, 4, 5), "k must be from 1 to 4 on a board of 3 x 4, not 5"),
        ((5, 4, 6), "k must be from 1 to 5 on a board of 5 x 4, not 6"),
        ((-1, 3, 3), "rows must be from 1 to 256, not -1"),
        ((3.0, 3, 3), "rows must be a whole number, not 3.0"),
        ((True, 3, 3), "rows must be a whole number, not True"),
        (("3", 3, 3), "rows must be a whole number, not '3'"),
        ((3, None, 3), "columns must be a whole number, not None"),
        ((3, 3, [3]), "k must be a whole number, not [3]"),
        (("a", "b", "c"), "rows must be a whole number, not 'a'"),
        ((3, "b", "c"), "columns must be a whole number, not 'b'"),
        ((0, 0, 1), "rows must be from 1 to 256, not 0"),
        ((3, 3, 3, 1), "misere must be True or False, not 1"),
        ((10**5000, 3, 3), "rows must be from 1 to 256, not a number of more than 20 digits"),
    ],
)
def test_impossible_games_are_refused_by_name(numbers: tuple[int, ...], says: str) -> None:
    with pytest.raises(InvalidGame) as caught:
        Game(*numbers)
    assert str(caught.value) == says


def test_without_numbers_it_is_tic_tac_toe() -> None:
    assert Game() == Game(3, 3, 3, misere=False)
    assert Game(2, 3) == Game(2, 3, 3)


def test_a_game_is_read_and_written_as_text() -> None:
    game = Game(4, 5, 3, misere=True)
    assert repr(game) == "Game(rows=4, columns=5, k=3, misere=True)"
    assert (str(game), str(Game(5, 4, 3))) == ("4x5k3m", "5x4k3")
    assert Game.parse("4x5k3m") == game.parse("4x5k3m") == game


def test_the_smallest_and_the_largest_game_are_games() -> None:
    assert (Game(1, 1, 1).cells, Game(256, 256, 256).cells) == (1, 65536)


@pytest.mark.parametrize(
    ("thing", "shown"),
    [
        (10**20 - 1, "9" * 20),
        (10**20, "a number of more than 20 digits"),
        (1 - 10**20, "-" + "9" * 20),
        (-(10**20), "a number of more than 20 digits"),
        ("a" * 38, repr("a" * 38)),
        ("a" * 39, "'" + "a" * 36 + "..."),
        ("a" * 10**6, "'" + "a" * 36 + "..."),
        ("a" * 39 + "'", '"' + "a" * 36 + "..."),  # the quote is among the 40 characters that are looked at,
        ("a" * 40 + "'", "'" + "a" * 36 + "..."),  # or not
        (b"\0" * 10**6, "b'" + r"\x00" * 8 + r"\x0" + "..."),
        ([1, 2], "[1, 2]"),
        (list(range(100)), "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11..."),
    ],
    ids=count(),
)
def test_what_an_error_quotes_is_one_short_line(thing: object, shown: str) -> None:
    assert brief(thing) == shown


def test_a_game_is_a_frozen_value() -> None:
    game = Game(4, 5, 3)
    assert game == Game(4, 5, 3) != Game(4, 5, 3, misere=True)
    assert len({game, Game(4, 5, 3), Game(5, 4, 3)}) == 2
    assert (game == "4x5k3") is False
    assert game == ANY
    game.rule.has_line(0)
    assert pickle.loads(pickle.dumps(game)) == game
    with pytest.raises(AttributeError, match=r"^a Game never changes: rows cannot be set$"):
        game.rows = 3
    with pytest.raises(AttributeError, match=r"^a Game never changes: rows cannot be deleted$"):
        del game.rows


def test_of_several_near_names_the_nearest_is_suggested() -> None:
    assert no_such("player", "perfec", ["perfects", "perfect", "random"]) == (
        "there is no player 'perfec': did you mean perfect?"
    )
    assert no_such("rule", 7, ["standard", "misere"]) == "there is no rule 7: expected one of standard, misere"


def test_the_quick_win_test_says_what_the_win_test_says_on_every_small_board() -> None:
    for rows, columns in product(range(1, FEW + 1), repeat=2):
        for k in range(1, max(rows, columns) + 1) if rows * columns <= FEW else ():
            game = Game(rows, columns, k)
            for bits in range(1 << game.cells):
                assert game.rule.quick_has_line(bits) is game.rule.has_line(bits)


FORKED = """
import os, signal, threading
from noughts import Game

held, go_on = threading.Event(), threading.Event()

class Slow(int):
    def __mul__(self, other):
        held.set()
        go_on.wait()
        return int(self) * other

slow = Game()
slow.__dict__["rows"] = Slow(3)
thread = threading.Thread(target=lambda: slow.cells)
thread.start()
held.wait()
child = os.fork()
if child == 0:
    signal.alarm(60)  # ends a hang, and with it this test
    os._exit(Game(4, 4, 3).cells != 16)
print("child", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
go_on.set()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_child_that_was_forked_while_another_thread_computes_a_property_computes_its_own() -> None:
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout == "child 0\n"
