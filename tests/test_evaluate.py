"""The evaluation: the source's formula on 3x3, and the laws that carry it to every board."""

from __future__ import annotations

import pytest
from conftest import positions, reachable
from hypothesis import given

from noughts import Game, Mark, Position, Setup
from noughts.evaluate import evaluate, gain, open_lines, weights
from noughts.rules.notation import board_rows
from noughts.rules.symmetry import orbit

LINES = [
    [(0, 0), (0, 1), (0, 2)], [(1, 0), (1, 1), (1, 2)], [(2, 0), (2, 1), (2, 2)],
    [(0, 0), (1, 0), (2, 0)], [(0, 1), (1, 1), (2, 1)], [(0, 2), (1, 2), (2, 2)],
    [(0, 0), (1, 1), (2, 2)], [(0, 2), (1, 1), (2, 0)],
]  # fmt: skip


def as_printed(board: list[str]) -> int:
    """The evaluation as the minimax source prints it."""
    X3 = X2 = X1 = O3 = O2 = O1 = 0
    for line in LINES:
        vals = [board[r][c] for r, c in line]
        xcount, ocount = vals.count("X"), vals.count("O")
        if ocount == 0 and xcount > 0:
            X3, X2, X1 = X3 + (xcount == 3), X2 + (xcount == 2), X1 + (xcount == 1)
        if xcount == 0 and ocount > 0:
            O3, O2, O1 = O3 + (ocount == 3), O2 + (ocount == 2), O1 + (ocount == 1)
    return 8 * X3 + 3 * X2 + X1 - (8 * O3 + 3 * O2 + O1)


def test_on_3x3_it_is_the_formula_of_the_source() -> None:
    for position in reachable(Game()):
        assert evaluate(position) == as_printed(board_rows(position)), position


def test_the_weights_of_the_source_begin_the_general_ones() -> None:
    fibonacci = [0, 1]
    while len(fibonacci) < 40:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    assert weights(3) == (0, 1, 3, 8)
    assert weights(19) == tuple(fibonacci[::2])


def test_the_start_of_the_sources_example_is_0_the_centre_6_top_right_5() -> None:
    start = Position.parse(".X./O../X.O")
    assert [evaluate(board) for board in (start, start.play(4), start.play(2))] == [0, 6, 5]


def test_the_6_is_two_x2_and_one_x1_less_one_o1_not_as_the_source_breaks_it_down() -> None:
    x, o = open_lines(Position.parse(".X./OX./X.O"))
    assert (x[1:], o[1:]) == ((1, 2, 0), (1, 0, 0))


@given(positions())
def test_it_is_the_weighted_sum_of_the_open_lines(position: Position) -> None:
    weight = weights(position.game.k)
    total = sum((x - o) * w for x, o, w in zip(*open_lines(position), weight, strict=True))
    assert evaluate(position) == (-total if position.game.misere else total)


@given(positions())
def test_open_lines_are_those_with_marks_of_one_player_only(position: Position) -> None:
    x, o = open_lines(position)
    for found, mine, theirs in ((x, position.x, position.o), (o, position.o, position.x)):
        lines = position.game.rule.open_lines(0, position.game.full)
        counts = [(line & mine).bit_count() for line, beside in lines if not line & theirs | beside & mine]
        assert found == (0, *(counts.count(n) for n in range(1, position.game.k + 1)))


@given(positions())
def test_gain_is_what_a_move_changes(position: Position) -> None:
    before = evaluate(position)
    for cell in position.moves()[:12]:
        assert before + gain(position, cell) == evaluate(position.play(cell))


@given(positions())
def test_symmetry_preserves_it(position: Position) -> None:
    assert {evaluate(twin) for twin in orbit(position)} == {evaluate(position)}


@given(positions())
def test_swapping_the_players_turns_its_sign(position: Position) -> None:
    game, x, o = position.game, position.x, position.o
    assert evaluate(Setup(game, o, x)) == -evaluate(position)


@given(positions())
def test_misere_turns_its_sign(position: Position) -> None:
    game = position.game
    other = Game(game.rows, game.columns, game.k, not game.misere, game.exact)
    assert evaluate(Setup(other, position.x, position.o)) == -evaluate(position)


SIGN = {Mark.X: 1, Mark.O: -1, None: 0}


@pytest.mark.parametrize("name", ["3x3k3", "3x3k3m"])
def test_on_3x3_its_sign_at_the_end_is_the_outcome(name: str) -> None:
    for position in reachable(Game.parse(name)):
        if position.is_over:
            score = evaluate(position)
            assert (score > 0) - (score < 0) == SIGN[position.winner], position


def test_on_boards_wider_than_k_open_lines_can_outweigh_a_won_game() -> None:
    lost = Position.parse("3x4k3:..../.XX./OOOX")
    assert lost.winner is Mark.O
    assert evaluate(lost) > 0


def test_the_largest_boards_are_evaluated_too() -> None:
    for game in (Game(256, 256, 5), Game(256, 256, 256)):
        after = game.start().play((128, 128))
        assert evaluate(after) == gain(game.start(), 128 * 256 + 128) > 0
