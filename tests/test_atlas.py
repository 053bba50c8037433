"""The atlas: every game has its row, every row adds up, and those that can be are computed again."""

from __future__ import annotations

import json
import re
import runpy
from dataclasses import replace
from functools import partial
from math import comb
from pathlib import Path
from typing import Any

import pytest
from conftest import native
from shell import run

from noughts import Game
from noughts.progress import finish
from noughts.rules.symmetry import symmetries
from noughts.solve import DatabaseError, atlas

ROWS = atlas.load()
TROMP = {  # Connect Four on other boards, as his table has it
    "4x4k4g": (161_029, "tie"), "4x5k4g": (3_945_711, "tie"), "4x6k4g": (94_910_577, "loss"),
    "4x7k4g": (2_265_792_710, "tie"), "5x4k4g": (1_706_255, "tie"), "5x5k4g": (69_763_700, "tie"),
    "5x6k4g": (2_818_972_642, "tie"), "6x4k4g": (15_835_683, "tie"), "6x5k4g": (1_044_334_437, "tie"),
    "7x4k4g": (135_385_909, "tie"),
}  # fmt: skip
PICTURES = Path(__file__).parents[1] / "docs" / "pictures"


def test_the_atlas_has_all_games_of_up_to_20_cells_and_some_boards_beyond() -> None:
    small = {
        Game(rows, columns, k, misere)
        for rows in range(1, 21)
        for columns in range(rows, 21)
        for k in range(2, columns + 1)
        for misere in (False, True)
        if rows * columns <= 20
    }
    large = {game for game in ROWS if game.cells > 20 and not game.gravity}
    assert {game for game in ROWS if not game.gravity} - large == small
    huge = {game for game in large if game.cells > 25}
    assert {(game.rows, game.columns) for game in large - huge} == {(4, 6), (5, 5)}
    assert len(large - huge) == 2 * (5 + 4)
    assert {(game.rows, game.columns) for game in huge} == {(1, 26), (2, 13), (3, 9), (2, 14), (4, 7)}
    assert len(huge) == 2 * (25 + 12 + 8 + 13 + 6)
    assert all(ROWS[game].computed for game in small)


def test_rows_made_on_a_gpu_have_a_checksum_of_each_level() -> None:
    made = [row for row in ROWS.values() if row.checksums]
    assert {row.game for row in made} == {game for game in ROWS if atlas.is_huge(game) and ROWS[game].computed}
    for row in made:
        assert len(row.checksums) == row.game.cells + 1
        assert all(re.fullmatch("[0-9a-f]{16}", sum_) for sum_ in row.checksums)
        # The empty board is one byte at place 0: its own checksum.
        value = {"tie": 127, "win": 254 - row.remoteness, "loss": row.remoteness}[row.value]
        assert int(row.checksums[0], 16) == value


def test_every_computed_row_says_who_solved_it() -> None:
    for row in ROWS.values():
        assert bool(row.solved_by) == row.computed
        assert set(row.solved_by or ()) <= {"native", "cuda"}
    twice = {str(row.game) for row in ROWS.values() if len(row.solved_by or ()) > 1}
    assert {"2x13k3", "2x13k3m", "2x13k4", "2x13k4m"} <= twice  # on a GPU, and on disk by the native core


def test_rows_differ_by_a_checksum_where_both_have_them() -> None:
    row = next(row for row in ROWS.values() if row.checksums)
    other = replace(row, checksums=[*row.checksums[:-1], "0" * 16])
    assert row.differs(other) == ["checksums"]
    assert row.differs(replace(row, checksums=None)) == []


def test_the_atlas_has_all_games_of_up_to_20_cells_in_which_marks_fall_and_connect_four_beyond() -> None:
    small = {
        Game(rows, columns, k, misere, gravity=True)
        for rows in range(2, 11)
        for columns in range(2, 11)
        for k in range(2, max(rows, columns) + 1)
        for misere in (False, True)
        if rows * columns <= 20
    }
    large = {game for game in ROWS if game.cells > 20 and game.gravity}
    assert {game for game in ROWS if game.gravity} - large == small
    assert {str(game) for game in large} == {name for name in TROMP if Game.parse(name).cells > 20}
    assert all(ROWS[game].computed for game in small | large)


def test_the_help_names_the_rules_that_the_atlas_has() -> None:
    assert {game.rule.exact for game in ROWS} == {False}
    assert "standard and misere, but not exact" in " ".join(run("atlas", "--help").stdout.split())


def test_every_computed_row_adds_up() -> None:
    for game, row in ROWS.items():
        if not row.computed:
            assert {row.remoteness, row.positions, row.classes, row.win, row.loss, row.tie, row.seconds} == {None}
            continue
        assert row.positions == row.win + row.loss + row.tie
        group = len(symmetries(game))
        assert row.positions / group <= row.classes <= row.positions / group * 1.2 + 20
        levels = range(game.cells + 1)
        most = sum(comb(game.cells, (n + 1) // 2) * comb(game.cells - (n + 1) // 2, n // 2) for n in levels)
        assert row.positions <= most
        if not game.gravity and game.k > (game.cells + 1) // 2:  # nobody can have a line: every set of marks arises
            assert row.positions == row.tie == most
        assert row.remoteness <= game.cells
        assert row.value != "tie" or row.remoteness == game.cells


def test_both_rules_reach_the_same_positions() -> None:
    for game, row in ROWS.items():
        twin = ROWS.get(Game(game.rows, game.columns, game.k, not game.misere, gravity=game.gravity))
        if twin and row.computed and twin.computed:
            assert (row.positions, row.classes) == (twin.positions, twin.classes)


def test_nobody_does_worse_by_moving_first_in_the_standard_game() -> None:
    """Strategy stealing: an extra mark never hurts, so O cannot win."""
    assert not [game for game, row in ROWS.items() if not (game.misere or game.gravity) and row.value == "loss"]


def test_rows_are_those_that_are_known() -> None:
    known = {
        "3x3k3": ("tie", 9, 5478, 765, 2836, 1574, 1068),
        "3x3k3m": ("tie", 9, 5478, 765, 3054, 1444, 980),
        "4x4k4": ("tie", 16, 9722011, 1217977, 2730266, 960556, 6031189),
        "4x4k4g": ("tie", 16, 161029, 80541, 38675, 32234, 90120),
    }
    for name, facts in known.items():
        assert tuple(getattr(ROWS[Game.parse(name)], fact) for fact in atlas.FACTS) == facts
    assert (ROWS[Game(4, 4, 3)].value, ROWS[Game(4, 4, 3)].remoteness) == ("win", 5)
    assert {name: (ROWS[Game.parse(name)].positions, ROWS[Game.parse(name)].value) for name in TROMP} == TROMP


@native
@pytest.mark.parametrize("misere", [False, True])
def test_rows_of_up_to_16_cells_are_computed_again(misere: bool) -> None:
    for game, row in ROWS.items():
        if game.cells <= 16 and game.misere is misere:
            assert not atlas.compute(game).differs(row), game


@native
@pytest.mark.slow
def test_all_rows_of_up_to_20_cells_are_computed_again() -> None:
    done = run("atlas", "--check")
    assert done.returncode == 0, done.stderr
    assert "764 games solved again, all as in the atlas" in done.stderr


@pytest.mark.parametrize("name", ["3x3k3", "2x4k3m", "3x3k3g", "2x4k3gm"])
def test_the_plain_twin_computes_the_same_row(name: str) -> None:
    from noughts.solve import solve

    found, row = solve(Game.parse(name), backend="python"), ROWS[Game.parse(name)]
    assert (found.value, found.positions, found.classes) == (row.worth, row.positions, row.classes)


# The command


def test_the_command_gives_every_row() -> None:
    rows = json.loads(run("atlas", "--json").stdout)
    assert [row["game"] for row in rows] == [str(game) for game in ROWS]
    assert rows[0].keys() >= {"game", *atlas.FACTS, "seconds", "threads"}


def test_the_command_shows_a_grid_a_board_and_a_game() -> None:
    grid = run("atlas").stdout.splitlines()
    assert "3x4   X 3  X 7    =" in grid
    assert "4x4   X 3  X 5    =" in grid
    board = run("atlas", "4x4").stdout
    assert [line.split()[0] for line in board.splitlines()[1:]] == [
        "4x4k2",
        "4x4k2m",
        "4x4k3",
        "4x4k3m",
        "4x4k4",
        "4x4k4m",
    ]
    assert "9,722,011" in run("atlas", "4x4k4").stdout
    falling = [line.split()[0] for line in run("atlas", "3x4g").stdout.splitlines()[1:]]
    assert falling == ["3x4k2g", "3x4k2gm", "3x4k3g", "3x4k3gm", "3x4k4g", "3x4k4gm"]


def test_a_board_may_be_turned() -> None:
    assert run("atlas", "4x3k3", "--json").stdout == run("atlas", "3x4k3", "--json").stdout != ""


def test_what_is_not_there_is_said() -> None:
    done = run("atlas", "6x7k4")
    assert (done.returncode, done.stdout) == (2, "")
    assert "the atlas has no game '6x7k4'" in done.stderr


@native
def test_checking_finds_a_wrong_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {game: row for game, row in ROWS.items() if game.cells <= 9}
    bad = Game(3, 3, 2)
    wrong[bad] = replace(wrong[bad], tie=1)
    monkeypatch.setattr(atlas, "load", lambda: wrong)
    with pytest.raises(DatabaseError, match=r"wrong about 3x3k2 \(tie\): 1 of"):
        finish(atlas.solving_again(atlas.find()))
    with pytest.raises(DatabaseError, match=r"wrong about 3x3k2 \(tie\): 1 of"):
        finish(atlas.solving_again(atlas.find("3x3")))


@native
def test_rebuilding_writes_what_it_computes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "atlas.json"
    monkeypatch.setattr(atlas, "FILE", path)
    path.write_text('{"rows": []}')
    rows = finish(atlas.solving_again(atlas.find("3x3"), rebuild=True))
    assert all(not row.differs(ROWS[row.game]) for row in rows)
    again = atlas.load()
    assert list(again) == list(ROWS)
    assert [game for game, row in again.items() if row.computed] == [row.game for row in rows]


@native
def test_large_games_on_disk_go_on_where_they_were_stopped_and_join_what_a_gpu_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """3x3 stands for the large boards: one run is stopped after two of its games, the next solves the others."""
    games, path = [row.game for row in atlas.find("3x3")], tmp_path / "atlas.json"
    rows = {game: replace(atlas.compute(game), solved_by=["cuda"]) for game in games}
    monkeypatch.setattr(atlas, "FILE", path)
    monkeypatch.setattr(atlas, "is_large", lambda game: True)
    monkeypatch.setattr(atlas, "is_huge", lambda game: True)
    solved = []

    def counting(game: Game, *options: Any) -> Any:
        if len(solved) == 2:
            raise KeyboardInterrupt
        row = yield from computing(game, *options)
        solved.append(game)
        return row

    computing = atlas.computing
    sums = {game: finish(computing(game, tmp_path / "sums")).checksums for game in games}
    atlas.save([replace(rows[game], checksums=sums[game]) for game in games], path)
    monkeypatch.setattr(atlas, "computing", counting)
    ask = partial(atlas.solving_again, rebuild=True, upto=9, scratch=tmp_path / "scratch")
    with pytest.raises(KeyboardInterrupt):
        finish(ask(atlas.find("3x3")))
    monkeypatch.setattr(atlas, "computing", computing)
    first = [path.name for path in (tmp_path / "scratch").iterdir()]
    assert sorted(first) == sorted(f"{game}.json" for game in solved)
    found = finish(ask(atlas.find("3x3")))
    assert [row.solved_by for row in found] == [["cuda", "native"]] * len(games)
    assert all(row.checksums == sums[row.game] for row in found)
    assert not list((tmp_path / "scratch").iterdir())

    wrong = [replace(row, checksums=["0" * 16, *row.checksums[1:]]) for row in found[:1]]
    atlas.save([*wrong, *found[1:]], path)
    with pytest.raises(DatabaseError, match=rf"wrong about {games[0]} \(checksums\): 1 of"):
        finish(ask(atlas.find("3x3")))


def test_an_atlas_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    for text in ("", "[]", '{"rows": [{}]}', '{"rows": [{"game": "3x3k3", "other": 1}]}'):
        (tmp_path / "atlas.json").write_text(text)
        with pytest.raises(DatabaseError, match="cannot be read"):
            atlas.load(tmp_path / "atlas.json")


def test_the_picture_shows_the_atlas_as_it_is() -> None:
    script = runpy.run_path(str(PICTURES / "atlas.py"))
    for falls, name in script["FILES"].items():
        assert script["draw"](list(ROWS.values()), falls) == (PICTURES / name).read_text(encoding="utf-8")
