"""Notation: what is printed can be read back; what is wrong is named, quickly."""

from __future__ import annotations

import pytest
from conftest import SPREAD, games, positions
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game, InvalidGame, NotationError, Position, Setup
from noughts.rules.game import MAX_SIDE
from noughts.rules.notation import (
    MAX_TEXT,
    column_letters,
    column_number,
    draw_board,
    format_board,
    format_move,
    parse_board,
    parse_game,
    parse_move,
)  # fmt: skip


@given(games)
def test_a_game_reads_back(game: Game) -> None:
    assert Game.parse(str(game)) == game


@given(positions())
def test_a_position_reads_back(position: Position) -> None:
    assert Position.parse(str(position)) == position
    assert Position.parse(str(position).lower().replace(".", "_").replace("X", "x")) == position


@given(games, st.data())
def test_any_board_reads_back_even_one_that_cannot_arise(game: Game, data: st.DataObject) -> None:
    marks = data.draw(st.lists(st.sampled_from(".XO"), min_size=game.cells, max_size=game.cells))
    board = Setup(
        game,
        game.bits_of(cell for cell, mark in enumerate(marks) if mark == "X"),
        game.bits_of(cell for cell, mark in enumerate(marks) if mark == "O"),
    )
    assert parse_board(format_board(board)) == board


def test_every_move_reads_back_on_every_kind_of_board() -> None:
    for game in [*SPREAD, Game(2, MAX_SIDE, 2), Game(MAX_SIDE, 2, 2)]:
        for cell in range(game.cells):
            assert parse_move(game, format_move(game, cell)) == cell


def test_columns_count_like_a_spreadsheet() -> None:
    letters = [column_letters(column) for column in range(MAX_SIDE)]
    assert [letters[i] for i in (0, 25, 26, 27, 51, 52, 255)] == ["a", "z", "aa", "ab", "az", "ba", "iv"]
    assert [column_number(name) for name in letters] == list(range(MAX_SIDE))


def test_a1_is_bottom_left() -> None:
    game = Game(4, 5, 4)
    assert [format_move(game, cell) for cell in (0, 4, 15, 19)] == ["a4", "e4", "a1", "e1"]


def test_the_game_is_named_only_when_it_is_not_3x3k3() -> None:
    assert str(Game().start()) == ".../.../..."
    assert str(Game(misere=True).start()) == "3x3k3m:.../.../..."
    assert str(Game(1, 4, 2).start().play("b1")) == "1x4k2:.X.."


def test_nine_characters_will_do_on_3x3() -> None:
    assert Position.parse("X.O.X...O") == Position.parse("X.O/.X./..O")
    assert Position.parse("3x3k2m:x_o______") == Position.parse("3x3k2m:X.O/.../...")


def test_drawing_shows_the_labels() -> None:
    board = parse_board("10x1k2:" + "/".join(".X........"))
    assert draw_board(board).splitlines()[:2] == ["10  .", " 9  X"]
    assert draw_board(board).splitlines()[-1] == "    a"
    wide = draw_board(Game(1, 28, 3).start().play("ab1"))
    assert wide.endswith(" z aa ab")
    assert wide.splitlines()[0].endswith(".  X")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "'' is not a game"),
        ("3x3", "'3x3' is not a game: expected rows, columns and k as in 3x3k3"),
        ("3x3k3 ", "'3x3k3 ' is not a game"),
        ("3X3K3", "is not a game"),
        ("03x3k3", "is not a game"),
        ("3x3k3mm", "is not a game"),
        ("-3x3k3", "is not a game"),
        ("٣x3k3", "is not a game"),
        ("3x3k3\x00", r"'3x3k3\\x00' is not a game"),
        ("3x3k0", "3x3k0 is not a game: k must be from 1 to 3"),
        ("3x3k4", "k must be from 1 to 3 on a board of 3 x 3, not 4"),
        ("0x3k1", "rows must be from 1 to 256, not 0"),
        ("999999999x3k3", "rows must be from 1 to 256, not 999999999"),
        ("3" * 10_000_000, "is not a game"),
    ],
)
def test_a_bad_game_is_refused_by_name(text: str, says: str) -> None:
    assert_refused_quickly(parse_game, text, says)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the board is empty text: expected 3 rows of 3 cells for 3x3k3"),
        ("4x4k4:", "the board is empty text: expected 4 rows of 4 cells"),
        ("X.O/.X.", "the board has 2 rows: expected 3 rows of 3 cells"),
        ("X.O/.X./..O/...", "the board has 4 rows"),
        ("X.O/.X/..O", "row 2 has 2 cells: expected 3 rows of 3 cells"),
        ("X.O/.X.O/..O", "row 2 has 4 cells"),
        ("X.O/.Z./..O", "row 2 has 'Z' in place 2: expected X, O or ."),
        ("X.O/.X./..O ", "row 3 has ' ' in place 4"),
        ("X.O/.X./..O\n", r"row 3 has '\\n' in place 4"),
        ("X.O/.X./.\x00O", r"row 3 has '\\x00' in place 2"),
        ("X.0/.X./..O", "row 1 has '0' in place 3"),
        ("X.О/.X./..O", "row 1 has 'О' in place 3"),
        ("X.O.X...", "the board has 1 row"),
        ("3x3k3:X.O:.X./..O", "row 1 has ':' in place 4"),
        ("4x4k4:X.O/.X./..O", "the board has 3 rows: expected 4 rows of 4 cells for 4x4k4"),
        ("3x3:X.O/.X./..O", "'3x3' is not a game"),
        (":X.O/.X./..O", "'' is not a game"),
        ("X" * 10_000_000, "the text is too long for a board"),
        ("/" * MAX_TEXT, "the board has "),
    ],
)
def test_a_bad_board_is_refused_by_name(text: str, says: str) -> None:
    assert_refused_quickly(Position.parse, text, says)


def assert_refused_quickly(parse, text: str, says: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises((NotationError, InvalidGame), match=says) as caught:
        parse(text)
    assert len(str(caught.value)) < 250
    assert "\n" not in str(caught.value)


@given(st.text(alphabet="xXoO._/:0123456789k m", max_size=40) | st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        board = parse_board(text)
    except (NotationError, InvalidGame):
        return
    assert parse_board(format_board(board)) == board


def test_the_largest_board_is_read_and_a_longer_text_is_not() -> None:
    text = str(Game(256, 256, 256, misere=True, exact=True, gravity=True).start())
    assert len(text) == MAX_TEXT - 1
    assert str(Position.parse(text)) == text
    with pytest.raises(NotationError, match="too long"):
        parse_board("." * (MAX_TEXT + 1))
