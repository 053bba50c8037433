"""Labels with equal line sums: exact on 3x3, impossible on 4x4, possible again on 5x5."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Game
from noughts.detect.exhibits import Magic16
from noughts.detect.labelled import add_mark, has_sum, makes, no_marks
from noughts.detect.labelling import (
    Labelling,
    certificate,
    combine,
    exact_labelling,
    forced_sets,
    general_labelling,
    rank,
    solutions,
)
from noughts.detect.magic_square import LABELS, MAGIC

THREE, FOUR, FIVE = Game(3, 3, 3), Game(4, 4, 4), Game(5, 5, 5)
FORCED = [(0, 3, 12, 15), (1, 2, 13, 14), (4, 7, 8, 11), (5, 6, 9, 10)]


def test_on_3x3_exactly_the_eight_lines_of_84_sets_make_15() -> None:
    sets = list(combinations(range(9), 3))
    fifteen = [cells for cells in sets if sum(LABELS[cell] for cell in cells) == MAGIC]
    assert len(sets) == 84
    assert sorted(fifteen) == sorted(THREE.lines())


def test_on_4x4_a_magic_square_gives_86_sets_the_sum_and_10_are_lines() -> None:
    square = Labelling(Magic16.labels, Magic16.total)
    assert sorted(square.labels) == list(range(1, 17))
    found = set(square.sets(4))
    assert len(found) == 86
    assert found > set(FOUR.lines())
    assert len(set(FOUR.lines())) == 10
    assert not square.is_exact(FOUR)


def test_on_5x5_the_numbers_1_to_25_can_never_be_exact() -> None:
    # However they are arranged, the same 1,394 sets of five numbers make 65, and there are only 12 lines.
    assert sum(sum(numbers) == 65 for numbers in combinations(range(1, 26), 5)) == 1394


# Forced sets


def test_four_sets_are_forced_on_4x4() -> None:
    assert forced_sets(FOUR) == FORCED
    assert rank(FOUR) == 9


@pytest.mark.parametrize("cells", FORCED)
def test_a_certificate_proves_each_forced_set(cells: tuple[int, ...]) -> None:
    proof = certificate(FOUR, cells)
    assert proof is not None
    assert set(proof) <= set(FOUR.lines())
    # So much of each line makes the set, cell by cell, and the shares add up to one: so does the sum.
    for cell in range(16):
        assert sum(share for line, share in proof.items() if cell in line) == (cell in cells)
    assert sum(proof.values()) == 1


def test_only_forced_sets_have_a_certificate() -> None:
    for cells in [*combinations(range(16), 4)][::13]:
        assert bool(certificate(FOUR, cells)) is (cells in FORCED or cells in set(FOUR.lines()))
    assert all(certificate(FOUR, line) for line in FOUR.lines())


@given(st.lists(st.integers(-1000, 1000), min_size=8, max_size=8))
@settings(max_examples=50)
def test_forced_sets_have_the_sum_in_every_labelling_of_4x4(amounts: list[int]) -> None:
    labels, total = combine(FOUR, solutions(FOUR), amounts)
    for cells in [*FOUR.lines(), *FORCED]:
        assert sum(labels[cell] for cell in cells) == total


def test_the_solutions_are_all_labellings() -> None:
    # As many as unknowns (a label for each cell, and the sum) less independent equations.
    for game in (THREE, FOUR, FIVE, Game(3, 4, 3)):
        basis = solutions(game)
        assert len(basis) == game.cells + 1 - rank(game)
        for *labels, total in basis:
            assert {sum(labels[cell] for cell in line) for line in game.lines()} == {total}


@pytest.mark.parametrize(("side", "independent"), [(3, 7), (5, 11), (6, 13)])
def test_no_set_is_forced_on_3x3_5x5_and_6x6(side: int, independent: int) -> None:
    game = Game(side, side, side)
    assert forced_sets(game) == []
    assert rank(game) == independent


@pytest.mark.parametrize("name", ["3x3k2", "3x4k3", "4x3k3", "4x4k3", "5x5k4"])
def test_with_lines_shorter_than_a_side_labels_never_work(name: str) -> None:
    # Two lines that overlap in all but one cell give their ends the same label, so one can stand for the other.
    assert forced_sets(Game.parse(name))


def test_a_board_with_too_many_sets_or_cells_is_refused() -> None:
    with pytest.raises(ValueError, match="7x7k7 has more than 5,000,000 sets of 7 cells"):
        forced_sets(Game(7, 7, 7))
    with pytest.raises(ValueError, match="50x50k2 has 2500 cells: the equations are solved for up to 64"):
        forced_sets(Game(50, 50, 2))


# Labels that do


@pytest.mark.parametrize("game", [THREE, FIVE], ids=str)
def test_exact_labels_tell_lines_from_all_other_sets(game: Game) -> None:
    labels, total = exact_labelling(game)
    found = [cells for cells in combinations(range(game.cells), game.k) if sum(labels[c] for c in cells) == total]
    assert sorted(found) == sorted(game.lines())
    assert min(labels) == 1
    assert len(set(labels)) == game.cells


@pytest.mark.parametrize("seed", [0, 1])
def test_any_seed_finds_exact_labels(seed: int) -> None:
    assert exact_labelling(FIVE, seed).is_exact(FIVE)
    assert exact_labelling(FIVE, seed) != exact_labelling(FIVE)


def test_the_search_is_repeatable() -> None:
    assert exact_labelling.__wrapped__(FIVE) == exact_labelling.__wrapped__(FIVE)
    assert max(exact_labelling(FIVE).labels) < 6_000


def test_exact_labels_of_4x4_are_refused_with_the_reason() -> None:
    with pytest.raises(ValueError, match=r"no labelling of 4x4k4 is exact: the cells \(0, 3, 12, 15\) always"):
        exact_labelling(FOUR)


def test_the_general_labelling_has_no_accidents() -> None:
    assert general_labelling(FIVE).is_exact(FIVE)
    assert sorted(general_labelling(FOUR).sets(4)) == sorted([*FOUR.lines(), *FORCED])


def test_a_labelling_with_unequal_lines_is_not_exact() -> None:
    assert not Labelling((8, 1, 6, 3, 5, 7, 4, 2, 9), 15).is_exact(THREE)


# Tables of sums


@given(st.lists(st.integers(1, 30), unique=True, max_size=8), st.integers(1, 5), st.integers(1, 90))
def test_levels_hold_the_sums_of_so_many_marks(labels: list[int], k: int, total: int) -> None:
    levels = no_marks(k)
    for label in labels:
        levels = add_mark(levels, label)
    for size, level in enumerate(levels):
        assert {n for n in range(level.bit_length()) if level >> n & 1} == set(map(sum, combinations(labels, size)))
    assert has_sum(labels, k, total) is (total in map(sum, combinations(labels, k)))


@given(st.permutations(range(1, 10)), st.integers(0, 9))
def test_pairs_are_the_sums_of_two_labels(order: list[int], marks: int) -> None:
    tables = no_marks(3)
    for label in order[:marks]:
        tables = add_mark(tables, label)
    _, taken, pairs = tables
    assert taken == sum(1 << label for label in order[:marks])
    assert pairs == sum({1 << a + b for a, b in combinations(order[:marks], 2)})


def test_a_label_does_not_pair_with_itself() -> None:
    # Recording first would let 5 win with 5 + 5 + 5, were it looked for afterwards.
    assert not makes(add_mark(no_marks(3), 5), MAGIC - 5)


def test_shares_are_exact_fractions() -> None:
    proof = certificate(FOUR, FORCED[0])
    assert proof is not None
    assert set(proof.values()) == {Fraction(1, 2), Fraction(-1, 2)}
