"""Encoding: codes, ranks and planes go there and back."""

from __future__ import annotations

import pytest
from conftest import positions, reachable
from hypothesis import given

from noughts import Game, Position, Setup
from noughts.rules.encoding import code, decode, from_planes, level_size, planes, rank, unrank


@given(positions())
def test_code_is_its_definition_and_reads_back(position: Position) -> None:
    game = position.game
    digits = [(position.o & (1 << cell) > 0) + 2 * (position.x & (1 << cell) > 0) for cell in range(game.cells)]
    assert position.code == sum(digit * 3**cell for cell, digit in enumerate(digits))
    assert Position(*decode(game, position.code)) == position


def test_every_code_of_small_boards_reads_back() -> None:
    for game in (Game(), Game(2, 4, 3), Game(1, 5, 2)):
        assert [code(decode(game, number)) for number in range(3**game.cells)] == list(range(3**game.cells))


def test_the_code_of_the_largest_board_is_quick() -> None:
    position = Game(256, 256, 5).start().play("iv1")
    assert position.code == 2 * 3**65535
    assert Position(*decode(position.game, position.code)) == position


def test_gamescrafters_example_has_code_4700() -> None:
    assert Position.parse("X../.OO/.X.").code == 4700


@pytest.mark.parametrize("name", ["3x3k3", "2x4k3", "1x7k2", "2x5k3"])
def test_rank_is_a_bijection_on_every_level(name: str) -> None:
    game = Game.parse(name)
    for level in range(game.cells + 1):
        boards = [unrank(game, level, number) for number in range(level_size(game, level))]
        assert len(set(boards)) == len(boards)
        assert [rank(board) for board in boards] == [(level, number) for number in range(len(boards))]
    every = {decode(game, number) for number in range(3**game.cells)}
    balanced = [board for board in every if board.x.bit_count() - board.o.bit_count() in (0, 1)]
    assert len(balanced) == sum(level_size(game, level) for level in range(game.cells + 1))


@given(positions())
def test_rank_reads_back(position: Position) -> None:
    assert Position(*unrank(position.game, *rank(position))) == position


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: decode(Game(), 3**9), "19683 is not a code of 3x3k3: they run from 0 to 3^9 - 1"),
        (lambda: decode(Game(), -1), "-1 is not a code of 3x3k3: they run from 0 to 3^9 - 1"),
        (lambda: level_size(Game(), 19), "19 is not a level of 3x3k3: they run from 0 to 9"),
        (lambda: unrank(Game(), 10, 0), "10 is not a level of 3x3k3: they run from 0 to 9"),
        (lambda: unrank(Game(), -1, 0), "-1 is not a level of 3x3k3: they run from 0 to 9"),
        (lambda: unrank(Game(), 1, 9), "9 is not a rank in level 1 of 3x3k3: they run from 0 to 8"),
        (lambda: unrank(Game(), 1, -1), "-1 is not a rank in level 1 of 3x3k3: they run from 0 to 8"),
        (lambda: rank(Setup(Game(), 0b11, 0)), "only boards with balanced counts have a rank, not 2 X and 0 O"),
        (lambda: rank(Setup(Game(), 0, 0b1)), "only boards with balanced counts have a rank, not 0 X and 1 O"),
    ],
)
def test_what_has_no_code_or_rank_is_refused(call, says: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=" ") as caught:
        call()
    assert str(caught.value) == says


def test_planes_read_back_and_hold_plus_one_for_x() -> None:
    np = pytest.importorskip("numpy")
    everything = reachable(Game())
    array = planes(everything)
    assert array.dtype == np.int8
    assert array.shape == (5478, 3, 3)
    assert [Position(*board) for board in from_planes(Game(), array)] == list(everything)
    assert planes([Position.parse("X.O/.../...")])[0].tolist() == [[1, 0, -1], [0, 0, 0], [0, 0, 0]]


def test_one_plane_is_read_like_an_array_of_one() -> None:
    np = pytest.importorskip("numpy")
    plane = np.array([[1, 0], [-1, 0], [0, 0]], np.int8)
    game = Game(3, 2, 3)
    assert from_planes(game, plane) == from_planes(game, plane[None]) == [Setup(game, 0b1, 0b100)]


def test_planes_have_rows_and_columns_in_that_order() -> None:
    pytest.importorskip("numpy")
    start = Game(2, 3, 3).start()
    assert planes([start, start.play(2)]).tolist() == [[[0, 0, 0], [0, 0, 0]], [[0, 0, 1], [0, 0, 0]]]


def test_every_cell_of_a_plane_is_looked_at() -> None:
    np = pytest.importorskip("numpy")
    assert from_planes(Game(2, 3, 3), np.zeros((2, 3), np.int8)) == [Setup(Game(2, 3, 3), 0, 0)]
    with pytest.raises(ValueError, match="nothing else"):
        from_planes(Game(2, 3, 3), np.array([[0, 1, -1], [0, 3, 0]], np.int8))


@pytest.mark.parametrize("kind", ["f4", "f8", "?", "O", "U1", "c8"])
def test_planes_of_anything_but_whole_numbers_are_refused(kind: str) -> None:
    np = pytest.importorskip("numpy")
    with pytest.raises(ValueError, match=r"expected planes int8\[n, 2, 3\] for 2x3k3, not "):
        from_planes(Game(2, 3, 3), np.zeros((2, 3), kind))


EXPECTED = "expected planes int8[n, 2, 3] for 2x3k3"
ELSE = "a plane holds +1 for X, -1 for O and 0 for empty, nothing else"


@pytest.mark.parametrize(
    ("shape", "fill", "says"),
    [
        ((3, 2), 0, f"{EXPECTED}, not int8[3, 2]"),
        ((6,), 0, f"{EXPECTED}, not int8[6]"),
        ((2, 2, 2, 3), 0, f"{EXPECTED}, not int8[2, 2, 2, 3]"),
        ((2, 3), 2, ELSE),
        ((2, 3), -2, ELSE),
    ],
)
def test_bad_planes_are_refused(shape: tuple[int, ...], fill: int, says: str) -> None:
    np = pytest.importorskip("numpy")
    with pytest.raises(ValueError, match=" ") as caught:
        from_planes(Game(2, 3, 3), np.full(shape, fill, np.int8))
    assert str(caught.value) == says


def test_planes_of_mixed_or_no_games_are_refused() -> None:
    pytest.importorskip("numpy")
    with pytest.raises(ValueError, match=r"^all boards of an array must be of one game, not 3x3k3 and 3x4k3$"):
        planes([Game().start(), Game(3, 4, 3).start()])
    with pytest.raises(ValueError, match=r"^no boards were given: the size of the array is not known$"):
        planes([])
