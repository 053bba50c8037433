"""The board that changes in place, against the positions that it stands for, with the native core and without."""

from __future__ import annotations

import copy
import os
import pickle
import random
import subprocess
import sys

import pytest
from conftest import SPREAD
from hypothesis import given
from hypothesis import strategies as st

from noughts import Board, Game, IllegalMove, Mark, Position, Status, native
from noughts.rules.board import PlainBoard


def same(board: Board | PlainBoard, position: Position) -> None:
    """The board stands at this position."""
    assert board.status is position.status
    assert board.turn is position.turn
    assert board.is_over is position.is_over
    assert board.moves() == position.moves()
    assert board.bytes() == bytes(".XO".index(mark) for mark in position.pattern)


@pytest.mark.parametrize("game", SPREAD, ids=str)
def test_a_board_follows_a_game_and_takes_moves_back(game: Game) -> None:
    rng, board, plain = random.Random(game.cells), Board(game), PlainBoard(game.start())
    line = [game.start()]
    for number in range(min(120, 6 * game.cells)):
        if line[-1].is_over or (len(line) > 1 and rng.random() < 0.2):
            cell = board.pop()
            assert plain.pop() == cell
            assert line.pop() == line[-1].play(cell)
        else:
            cell = rng.choice(line[-1].moves())
            line.append(line[-1].play(cell))
            assert board.push(cell) is plain.push(cell) is line[-1].status
        if number % 4 == 0 or line[-1].is_over:
            same(board, line[-1])
            same(plain, line[-1])
            assert (board.x, board.o, board.winner) == (line[-1].x, line[-1].o, line[-1].winner)
            assert board.position() == line[-1]
    assert board.played() == plain.played()
    assert len(board.played()) == len(line) - 1


def test_every_position_of_3x3_has_its_board() -> None:
    for name in ("3x3k3", "3x3k3m", "3x3k3g"):
        for position in Game.parse(name).positions():
            board = Board.from_position(position)
            same(board, position)
            for cell in position.moves():
                assert board.push(cell) is position.play(cell).status
                assert board.pop() == cell
            assert board.position() == position


@pytest.mark.parametrize("move", [9, -1, 10**30, "z9", "b2", (1, 1), 1.5, None, True])
def test_what_cannot_be_played_is_refused_as_a_position_does_and_changes_nothing(move: object) -> None:
    board = Board(Game())
    board.push(4)
    before = board.copy()
    with pytest.raises(IllegalMove) as said:
        Position.parse(".../.X./...").play(move)
    with pytest.raises(IllegalMove) as told:
        board.push(move)
    assert str(told.value) == str(said.value)
    assert board == before


def test_a_finished_game_takes_no_move_and_a_mark_does_not_hang() -> None:
    board = Board.from_position(Position.parse("XXX/OO./..."))
    with pytest.raises(IllegalMove, match="the game is over"):
        board.push(5)
    with pytest.raises(IllegalMove, match="there is no move to take back"):
        board.pop()
    with pytest.raises(IllegalMove, match="hangs in the air"):
        Board(Game.parse("6x7k4g")).push(0)
    with pytest.raises(TypeError, match="Board takes a Game"):
        Board("3x3k3")  # type: ignore[arg-type]


def test_a_move_has_all_the_forms_of_a_position() -> None:
    board = Board(Game.parse("6x7k4g"))
    board.push("d")
    board.push((5, 4))
    board.push(31)
    assert board.played() == [38, 39, 31]


@given(st.data())
def test_copies_are_equal_and_go_their_own_way(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(SPREAD))
    board, rng = Board(game), data.draw(st.randoms(use_true_random=False))
    for _ in range(data.draw(st.integers(0, 12))):
        if not board.is_over:
            board.push(rng.choice(board.moves()))
    for twin in (board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert twin == board
        assert twin.played() == board.played()
        assert (twin.status, twin.turn, twin.game) == (board.status, board.turn, board.game)
        if twin.played():
            twin.pop()
            assert twin != board
    assert board != game
    assert Board.from_position(board.position()) == board


def test_a_board_is_no_key_since_it_changes() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(Board(Game()))
    assert Board(Game()) != Board(Game.parse("3x3k3m"))
    assert str(Board(Game())) == ".../.../..."
    assert repr(Board(Game())) == "Board.from_position(Position.parse('.../.../...'))"


def test_a_board_that_nothing_made_says_so() -> None:
    bare = Board.__new__(Board)
    for use in (
        lambda: bare.push(1),
        bare.pop,
        bare.moves,
        lambda: bare.status,
        lambda: bare.turn,
        lambda: bare.is_over,
    ):
        with pytest.raises((ValueError, AttributeError, TypeError)):
            use()


def test_marks_have_an_index() -> None:
    assert [mark.index for mark in Mark] == [0, 1]


@pytest.mark.parametrize("game", SPREAD, ids=str)
def test_planes_show_the_mover_first_and_masks_the_moves(game: Game) -> None:
    np = pytest.importorskip("numpy")
    rng, position = random.Random(7), game.start()
    for _ in range(min(30, game.cells)):
        if position.is_over:
            break
        position = position.play(rng.choice(position.moves()))
    for seen in (position, Board.from_position(position)):
        planes, mask = seen.planes(), seen.mask()
        assert planes.dtype == mask.dtype == np.int8
        assert planes.shape == (2, game.rows, game.columns)
        for plane, side in zip(planes.reshape(2, -1), position.sides, strict=True):
            assert np.flatnonzero(plane).tolist() == game.cells_of(side)
        assert set(np.unique(planes)) <= {0, 1}
        assert mask.shape == (game.rule.most_moves,)
        assert [game.rule.cell_of(action, position.playable) for action in np.flatnonzero(mask).tolist()] == sorted(
            position.moves(), key=game.rule.action_of
        )
        closed = np.flatnonzero(mask == 0).tolist()
        assert all(game.rule.cell_of(action, position.playable) is None for action in closed)
    board = Board.from_position(position)
    for action in range(-1, game.rule.most_moves + 1):
        assert board.cell_of(action) == game.rule.cell_of(action, position.playable)
    assert game.rule.cell_of(-1, position.playable) is None
    assert game.rule.cell_of(game.rule.most_moves, game.full) is None


@pytest.mark.skipif(native.core() is None, reason=native.status())
def test_without_the_core_a_board_is_a_stack_of_positions() -> None:
    code = (
        "from noughts import Board, Game; from noughts.rules.board import PlainBoard; import pickle\n"
        "board = Board(Game.parse('4x4k3g'))\n"
        "for move in ('a', 13, (3, 3), 'a2'): board.push(move)\n"
        "again = pickle.loads(pickle.dumps(board)); board.pop()\n"
        "print(isinstance(board, PlainBoard), board, again.played(), board.copy() == board, again == board)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60,
        env=os.environ | {"NOUGHTS_NATIVE": "0", "NOUGHTS_REQUIRE_NATIVE": "0"},
    )  # fmt: skip
    assert done.stdout.split() == ["True", "4x4k3g:..../..../..../XO.X", "[12,", "13,", "15,", "8]", "True", "False"]


def test_the_status_of_a_push_is_that_of_the_board() -> None:
    board = Board(Game.parse("3x3k3m"))
    statuses = [board.push(cell) for cell in (0, 3, 1, 4, 2)]
    assert statuses == [Status.ONGOING] * 4 + [Status.O_WINS]
    assert board.winner is Mark.O
