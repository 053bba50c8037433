"""Strong solving where marks fall: bytes, places, counts, files, against plain recursion and what others published."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from math import comb
from pathlib import Path

import numpy as np
import pytest
from conftest import native
from levels import contents, forge
from shell import run

from noughts import Game
from noughts.native import solver
from noughts.progress import finish
from noughts.solve import Solution, TooLarge, plain, solve, verify
from noughts.solve.counting import count_positions
from noughts.solve.folder import level_path
from noughts.solve.index import UNREACHABLE, decode, index_of
from noughts.solve.levelfile import LevelFile
from noughts.solve.problems import Damaged, InvalidSolve
from noughts.solve.racks import RackIndex
from noughts.solve.strong import expect, solving_in_memory

SMALL = ["1x1k1g", "2x2k2g", "3x3k3g", "3x3k2gm", "2x4k3eg", "4x2k3g", "1x6k2eg", "5x1k3g", "3x3k1gm", "2x5k3egm"]
BY_PLIES = (1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623, 4568683, 12236101)  # OEIS A212693


# The bytes


@native
@pytest.mark.parametrize("name", [*SMALL, "3x4k3g", "4x3k3gm", "6x2k2egm"])
def test_native_levels_are_those_of_the_plain_twin(name: str) -> None:
    game = Game.parse(name)
    (natively, bytes_), (plainly, twins) = (
        finish(solving_in_memory(game, backend=backend)) for backend in ("native", "python")
    )
    assert bytes_ == twins
    assert (natively.value, natively.levels) == (plainly.value, plainly.levels)


@native
@pytest.mark.parametrize("name", ["3x4k3g", pytest.param("4x4k4g", marks=pytest.mark.slow), "4x4k3g"])
def test_plain_recursion_agrees_on_every_position(name: str) -> None:
    game, seen = Game.parse(name), Counter[int]()
    solution = Solution.solve(game)
    for position in game.positions():
        seen[position.marks] += 1
        assert solution[position] == plain.value(position), position
    assert {level.marks: level.positions for level in solution.counts if level.positions} == seen


@native
@pytest.mark.parametrize("name", ["4x5k4g", "3x5k3gm", "5x3k3eg", "2x7k2g"])
def test_threads_change_no_byte(name: str) -> None:
    native_solver, found = solver(Game.parse(name)), []
    for threads in (1, 2, 5):
        levels, counts = [bytearray(size) for size in native_solver.level_bytes()], []
        native_solver.run(threads, 0, "", None, counts.append, [], levels)
        found.append((levels, counts))
    assert all(other == found[0] for other in found)


@native
@pytest.mark.parametrize("name", ["4x4k4g", "4x5k4gm", "5x4k3eg", "6x3k4g"])
def test_the_solver_for_single_positions_finds_the_same(name: str) -> None:
    from noughts.solve import falling

    game, rng = Game.parse(name), random.Random(name)
    solution = Solution.solve(game)
    for _ in range(50):
        position = game.start()
        while not position.is_over:
            assert falling.value(position) == solution[position]
            position = position.play(rng.choice(position.moves()))


# Places


@pytest.mark.parametrize("name", [*SMALL, "3x4k3g", "4x3k3g"])
def test_every_place_has_one_position_and_every_position_one_place(name: str) -> None:
    game = Game.parse(name)
    natively, plainly = index_of(game), RackIndex(game)
    assert natively.level_bytes() == plainly.level_bytes()
    for marks, size in enumerate(natively.level_bytes()):
        places = [natively.position_at(marks, place) for place in range(size)]
        assert places == [plainly.position_at(marks, place) for place in range(size)] == [*plainly.boards(marks)]
        for index in (natively, plainly):
            assert [index.locate(*sets) for sets in places] == [*range(size)]
            assert [index.locate(*map(plainly.mirrored, sets)) for sets in places] == [
                natively.locate(*map(plainly.mirrored, sets)) for sets in places
            ]


@native
@pytest.mark.parametrize("name", ["5x6k4g", "4x7k4g", "8x4k4gm", "2x10k5eg", "1x15k3g", "32x1k4g"])
def test_places_of_large_boards_are_right_where_they_are_tried(name: str) -> None:
    game, rng = Game.parse(name), random.Random(name)
    index, twin = index_of(game), RackIndex(game)
    for marks, size in enumerate(index.level_bytes()):
        assert index.block_bytes(marks) == comb(marks, marks // 2)
        for place in [0, size - 1, *(rng.randrange(size) for _ in range(20))]:
            x, o = index.position_at(marks, place)
            assert (x, o) == twin.position_at(marks, place)
            assert (x & o, x.bit_count(), o.bit_count()) == (0, (marks + 1) // 2, marks // 2)
            assert index.locate(x, o) == twin.locate(x, o) == place


@native
def test_a_board_that_is_none_has_no_place() -> None:
    index = index_of(Game.parse("3x3k3g"))
    for x, o, said in ((1, 0, "hangs in the air"), (1 << 9, 0, "outside"), (0, 1 << 8, "as many marks")):
        with pytest.raises(ValueError, match=said):
            index.locate(x, o)


# Counts


def test_counts_of_connect_four_by_marks_are_the_published_ones() -> None:
    game, most = Game.parse("6x7k4g"), 7
    assert count_positions(game, most).positions == BY_PLIES[: most + 1]


@native
def test_many_positions_are_counted_as_published() -> None:
    assert count_positions(Game.parse("6x7k4g"), 12, threads=2).positions == BY_PLIES


@pytest.mark.parametrize("name", ["3x4k3g", "4x3k3gm", "2x5k3eg"])
def test_counting_alone_counts_what_solving_does(name: str) -> None:
    game = Game.parse(name)
    counted = count_positions(game, game.cells).positions
    assert counted == tuple(level.positions for level in solve(game).levels)


@native
def test_the_plain_twin_counts_the_same() -> None:
    environment = {**os.environ, "NOUGHTS_NATIVE": "0", "NOUGHTS_REQUIRE_NATIVE": "0"}
    code = "from noughts.cli import main; main()"
    line = [sys.executable, "-c", code, "solve", "6x7k4g", "--count", "7", "--json"]
    done = subprocess.run(line, capture_output=True, text=True, env=environment, timeout=120, check=True)
    assert json.loads(done.stdout)["positions"] == [*BY_PLIES[:8]]


def test_what_cannot_be_counted_is_refused_in_a_sentence() -> None:
    with pytest.raises(InvalidSolve, match="where marks fall, as in 3x3k3g"):
        count_positions(Game(), 3)
    with pytest.raises(InvalidSolve, match="marks must be from 0 to 9"):
        count_positions(Game.parse("3x3k3g"), 10)
    for name, marks, said in (("9x9k5g", 3, "ways to fill its columns"), ("6x7k4g", 33, "at most 32 marks")):
        with pytest.raises(TooLarge, match=said):
            count_positions(Game.parse(name), marks)


# Files


@native
@pytest.mark.parametrize("lowest", [12, 9, 8, 3, 1, 0])
def test_a_solve_goes_on_below_any_level(lowest: int, tmp_path: Path) -> None:
    game = Game.parse("3x4k3g")
    first = solve(game, save=tmp_path)
    before = contents(tmp_path)
    for marks in range(lowest):
        level_path(tmp_path, marks).unlink()
    again = solve(game, save=tmp_path)
    assert contents(tmp_path) == before
    assert (again.value, again.levels) == (first.value, first.levels)
    found = verify(tmp_path, sample=None)
    assert found.blocks_derived == found.blocks


@pytest.mark.parametrize("core", ["native", "python"])
def test_a_saved_solution_answers_and_is_exported(core: str, tmp_path: Path) -> None:
    game = Game.parse("3x3k3g")
    solve(game, save=tmp_path / "saved", backend=core if core == "python" else None)
    with Solution.open(tmp_path / "saved") as solution:
        for position in game.positions():
            assert solution[position] == plain.value(position)
    assert run("solve", "3x3k3g", "--export", str(tmp_path / "all.jsonl")).returncode == 0
    rows = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    values = {str(position): plain.value(position) for position in game.positions()}
    assert {row["position"]: (row["value"], row["remoteness"]) for row in rows} == values
    assert len(rows) == 694


@pytest.mark.parametrize("marks", range(10))
def test_a_wrong_byte_is_found_behind_right_checksums(marks: int, tmp_path: Path) -> None:
    solve(Game.parse("3x3k3g"), save=tmp_path)
    level = LevelFile(level_path(tmp_path, marks))
    for place in random.Random(marks).sample(range(len(level)), min(3, len(level))):
        right = level[place]
        forge(level.path, place, 127 if right != 127 else UNREACHABLE)
        with pytest.raises(Damaged, match=r"level-0\d\.noughts is wrong: it says .* of 3x3k3g:"):
            verify(tmp_path)
        forge(level.path, place, right)
    assert verify(tmp_path).game == Game.parse("3x3k3g")


@native
def test_many_lookups_are_single_lookups() -> None:
    game = Game.parse("3x4k3g")
    solution = Solution.solve(game)
    positions = [*game.positions()]
    x, o = (np.array([getattr(position, side) for position in positions]) for side in "xo")
    outcomes, plies = solution.values(x, o)
    for position, outcome, remoteness in zip(positions, outcomes.tolist(), plies.tolist(), strict=True):
        assert (("loss", "tie", "win")[outcome + 1], remoteness) == solution[position]


def test_codes_tell_values_of_32_cells() -> None:
    assert decode(32, 0, 32) == ("loss", 32)
    assert decode(254 - 31, 0, 32) == ("win", 31)


# Size


def test_what_is_too_large_is_refused_in_a_sentence() -> None:
    for name, said in (
        ("6x7k4g", "6x7k4g has 42 cells: strong solving takes at most 32"),
        ("1x21k3g", "1x21k3g has 2,097,152 ways to fill its columns"),
    ):
        with pytest.raises(TooLarge, match=said):
            solve(Game.parse(name))


@native
def test_a_solve_foretells_what_it_takes() -> None:
    foretold = expect(Game.parse("5x5k4g"), threads=1)
    assert foretold.total == sum(index_of(Game.parse("5x5k4g")).level_bytes())
    assert str(foretold).startswith("5x5k4g: at most 191,197,774 positions, ")
