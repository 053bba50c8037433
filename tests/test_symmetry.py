"""Symmetry: a group that preserves everything but the names of cells."""

from __future__ import annotations

import pytest
from conftest import SPREAD, positions, reachable
from hypothesis import given

from noughts import Game, Position, value
from noughts.rules.symmetry import canonical, orbit, symmetries


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("3x3k3", 8),
        ("5x5k4", 8),
        ("2x2k2", 8),
        ("3x4k3", 4),
        ("2x7k3", 4),
        ("1x5k3", 2),
        ("6x1k3", 2),
        ("1x1k1", 1),
    ],
)
def test_squares_have_8_symmetries_rectangles_4_rows_2(name: str, count: int) -> None:
    assert len(symmetries(Game.parse(name))) == count


def test_symmetries_are_a_group() -> None:
    for game in SPREAD:
        maps = [symmetry.cells for symmetry in symmetries(game)]
        assert maps[0] == tuple(range(game.cells))
        assert len(set(maps)) == len(maps)
        products = {tuple(a[cell] for cell in b) for a in maps for b in maps}
        assert products == set(maps)
        for symmetry in symmetries(game):
            assert [symmetry.inverse(symmetry(cell)) for cell in range(game.cells)] == list(maps[0])
            assert symmetry.inverse in symmetries(game)


def test_symmetries_map_lines_to_lines() -> None:
    for game in SPREAD:
        lines = {frozenset(line) for line in game.lines()}
        for symmetry in symmetries(game):
            assert {frozenset(map(symmetry, line)) for line in lines} == lines


CORNERS = {  # where 0 1 2 3, the corners of a 2x2 board row by row, go
    "identity": (0, 1, 2, 3),
    "left-right flip": (1, 0, 3, 2),
    "top-bottom flip": (2, 3, 0, 1),
    "half turn": (3, 2, 1, 0),
    "quarter turn clockwise": (1, 3, 0, 2),
    "quarter turn anticlockwise": (2, 0, 3, 1),
    "main diagonal flip": (0, 2, 1, 3),
    "anti-diagonal flip": (3, 1, 2, 0),
}


def test_symmetries_are_what_their_names_say() -> None:
    assert {symmetry.name: symmetry.cells for symmetry in symmetries(Game(2, 2, 2))} == CORNERS
    for game, names in ((Game(), list(CORNERS)), (Game(2, 3, 3), list(CORNERS)[:4])):
        corners = (0, game.columns - 1, game.cells - game.columns, game.cells - 1)
        for symmetry, name in zip(symmetries(game), names, strict=True):
            assert symmetry.name == name
            assert [corners.index(symmetry(cell)) for cell in corners] == list(CORNERS[name])


def test_the_inverse_bears_the_name_of_its_map() -> None:
    for symmetry in symmetries(Game()):
        assert symmetry.inverse.cells == next(s.cells for s in symmetries(Game()) if s.name == symmetry.inverse.name)


def test_a_symmetry_never_changes_and_may_be_a_key() -> None:
    assert len(set(symmetries(Game()))) == 8
    with pytest.raises(AttributeError):
        symmetries(Game())[0].name = "another"  # type: ignore[misc]


@given(positions())
def test_symmetry_preserves_status_turn_and_lines(position: Position) -> None:
    for symmetry in symmetries(position.game):
        image = symmetry.apply(position)
        assert (image.status, image.turn) == (position.status, position.turn)
        assert image.is_dead is position.is_dead
        assert {frozenset(map(symmetry, line)) for line in position.lines()} == set(map(frozenset, image.lines()))
        assert image == Position.parse(str(image))


@given(positions())
def test_canonical_is_the_smallest_code_of_the_orbit_and_moves_come_back(position: Position) -> None:
    smallest, back = canonical(position)
    assert smallest.code == min(member.code for member in orbit(position))
    assert smallest == position.canonical()
    assert back.apply(smallest) == position
    for cell in smallest.moves()[:20]:
        assert back.apply(smallest.play(cell)) == position.play(back(cell))


def test_all_of_an_orbit_has_one_canonical_form() -> None:
    for position in reachable(Game(2, 4, 3)):
        assert {member.canonical() for member in orbit(position)} == {position.canonical()}


@pytest.mark.parametrize("misere", [False, True])
def test_3x3_has_765_canonical_positions(misere: bool) -> None:
    classes = {position.canonical() for position in reachable(Game(misere=misere))}
    assert len(classes) == 765
    outcomes = [value(position).outcome for position in classes]  # type: ignore[union-attr]
    counts = tuple(outcomes.count(outcome) for outcome in ("win", "loss", "tie"))
    assert counts == ((421, 204, 140) if misere else (390, 224, 151))


def test_the_printed_rotation_table_has_one_slip() -> None:
    # GamesCrafters' table says which cell each place is filled from; its third entry is 9 where 0 belongs.
    printed = [6, 3, 9, 7, 4, 1, 8, 5, 2]
    turn = next(s for s in symmetries(Game()) if s.name == "quarter turn clockwise")
    filled_from = list(turn.inverse.cells)
    assert [place for place in range(9) if printed[place] != filled_from[place]] == [2]
    assert filled_from[2] == 0
