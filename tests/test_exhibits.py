"""Exhibits: each is as wrong as we say, and on no smaller board than we show."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from conftest import reachable

from noughts import Game, Mark, Position
from noughts.detect import DETECTORS, EXHIBITS, as_printed, line_owner
from noughts.detect.exhibits import Magic16, PrajodaBoolean, SingleLoop

VERDICT = {Mark.X: 1, Mark.O: -1, None: 0}


@pytest.mark.parametrize("name", EXHIBITS)
def test_every_exhibit_introduces_itself_and_is_wrong(name: str) -> None:
    exhibit = EXHIBITS[name]
    assert name not in DETECTORS
    assert exhibit.source in {"prajoda", "gordon", "lastmove"}
    assert exhibit.claim.endswith(".")
    assert exhibit.why_wrong.endswith(".")
    failure = exhibit.smallest_failure()
    assert Position.parse(str(failure)) == failure, "the board shown cannot arise"
    assert exhibit(failure.game).winner(failure) is not line_owner(failure)


@pytest.mark.parametrize("name", ["prajoda_boolean", "single_loop"])
def test_failures_are_all_misjudged_positions_fewest_marks_first(name: str) -> None:
    game = Game() if name == "prajoda_boolean" else Game(3, 3, 2)
    exhibit = EXHIBITS[name](game)
    failures = list(exhibit.failures())
    misjudged = {position for position in reachable(game) if exhibit.winner(position) is not line_owner(position)}
    assert set(failures) == misjudged
    assert len(failures) == len(misjudged) > 0
    assert [failure.marks for failure in failures] == sorted(failure.marks for failure in failures)


# The Boolean method of prajoda, as printed


def test_the_printed_masks_misjudge_95_of_the_942_decided_positions() -> None:
    decided = [position for position in reachable(Game()) if position.winner]
    failures = set(PrajodaBoolean(Game()).failures())
    assert len(decided) == 942
    assert len(failures) == 95
    assert failures < set(decided)


def test_the_printed_masks_overlook_top_rows_and_never_see_a_line_that_is_not_there() -> None:
    exhibit = PrajodaBoolean(Game())
    for failure in exhibit.failures():
        assert exhibit.winner(failure) is None
        assert failure.lines() == ((0, 1, 2),)


def test_the_printed_masks_err_as_early_as_a_game_can_end() -> None:
    smallest = PrajodaBoolean.smallest_failure()
    assert str(smallest) == "XXX/OO./..."
    assert smallest.marks == min(position.marks for position in reachable(Game()) if position.is_over)


@pytest.mark.parametrize("as_lists", [False, True])
def test_the_papers_methods_with_correct_masks_are_right(as_lists: bool) -> None:
    if not as_lists:
        pytest.importorskip("numpy")
    for position in reachable(Game()):
        grid = as_printed.grid(position)
        board = [[int(number) for number in row] for row in grid] if as_lists else grid
        truth = VERDICT[line_owner(position)]
        assert as_printed.traditional(board) == truth
        assert as_printed.boolean(board, as_printed.MASKS) == truth


def test_the_papers_board_is_a_numpy_array_of_integers() -> None:
    np = pytest.importorskip("numpy")
    grid = as_printed.grid(Position.parse("X.O/.X./..O"))
    assert np.array_equal(grid, np.array([[1, 0, -1], [0, 1, 0], [0, 0, -1]]))
    assert np.asarray(grid).dtype == np.dtype(int)


# The magic square on 4x4


def test_the_magic_square_of_16_sees_a_line_in_a_corner_block() -> None:
    smallest = Magic16.smallest_failure()
    assert str(smallest) == "4x4k4:XXOO/XXO./..../...."
    assert Magic16(smallest.game).winner(smallest) is Mark.X
    assert sum(Magic16.labels[cell] for cell in (0, 1, 4, 5)) == Magic16.total
    assert smallest.marks == 7, "with fewer marks nobody has four, so nobody can be misjudged"


def test_the_magic_square_of_16_is_wrong_exactly_where_four_marks_happen_to_make_34() -> None:
    game = Game(4, 4, 4)
    exhibit, rng = Magic16(game), Random(4)
    for _ in range(300):
        position = game.start()
        while not position.is_over:
            position = position.play(rng.choice(position.moves()))
            made = {
                mark: any(
                    sum(Magic16.labels[cell] for cell in cells) == 34 for cells in combinations(game.cells_of(bits), 4)
                )
                for mark, bits in ((Mark.X, position.x), (Mark.O, position.o))
            }
            assert exhibit.winner(position) is next((mark for mark in Mark if made[mark]), None)


# Counting in a single loop


def test_counting_without_adjacency_errs_first_on_3x3_with_k_2() -> None:
    assert str(SingleLoop.smallest_failure()) == "3x3k2:XOX/.../..."
    for name in ("1x1k1", "2x2k1", "2x2k2", "3x3k1"):
        assert not list(SingleLoop(Game.parse(name)).failures())


@pytest.mark.parametrize("side", [3, 4, 5])
def test_counting_without_adjacency_errs_for_every_k_between_1_and_the_side(side: int) -> None:
    for k in range(2, side):
        failure = next(SingleLoop(Game(side, side, k)).failures())
        assert failure.marks == 2 * k - 1
        assert not failure.lines()


def test_counting_without_adjacency_is_exact_where_k_is_the_side() -> None:
    assert not list(SingleLoop(Game()).failures())
    rng = Random(5)
    for game in (Game(4, 4, 4), Game(6, 6, 6)):
        exhibit = SingleLoop(game)
        for _ in range(100):
            position = game.start()
            while not position.is_over:
                position = position.play(rng.choice(position.moves()))
                assert exhibit.winner(position) is line_owner(position)
