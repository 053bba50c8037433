"""The examples run, and what they print is so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from noughts import Game, native
from noughts.lab.papers import SOURCES

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def run(name: str, *arguments: str) -> str:
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_example_says_what_it_is_about_and_is_run_here() -> None:
    here = Path(__file__).read_text(encoding="utf-8")
    for path in EXAMPLES.glob("*.py"):
        assert path.read_text(encoding="utf-8").startswith('"""'), path
        assert f'run("{path.name}"' in here, path


def test_the_papers_are_reproduced() -> None:
    printed = run("papers.py", "gordon", "minimax")
    assert [SOURCES[name] in printed for name in ("gordon", "minimax", "prajoda")] == [True, True, False]
    assert "it says 10, and it is 86" in printed  # sets of four cells that sum to 34
    assert "it says 5, and it is -infinity" in printed  # the listing


def graded(*files: Path) -> dict[str, list[str]]:
    """What the example says of each file: the share of each function, and the mark."""
    printed = run("classroom.py", *map(str, files)).splitlines()
    return {line.split()[0]: line.split()[1:] for line in printed if ".py " in line[:12]}


WINNER, MINIMAX = 5, 8


def test_a_submission_is_graded() -> None:
    rows = graded(EXAMPLES / "submissions" / "cy.py")
    assert list(rows) == ["cy.py"]
    assert float(rows["cy.py"][WINNER]) == 100 > float(rows["cy.py"][MINIMAX])


@pytest.mark.slow
def test_the_class_is_graded() -> None:
    rows = graded()
    assert rows["ada.py"] == ["100.0"] * 9 + ["100"]
    assert float(rows["ben.py"][WINNER]) < 100
    assert float(rows["cy.py"][WINNER]) == 100 > float(rows["cy.py"][MINIMAX])


def test_the_labels_agree_with_the_solver(tmp_path: Path) -> None:
    np = pytest.importorskip("numpy", reason="the labels are numpy arrays")
    from noughts import Position, best_moves, value
    from noughts.rules.encoding import from_planes

    game = Game.parse("3x3k3m")
    assert "as the solver counts them" in run("labels.py", str(game), "--save", str(tmp_path))
    levels = sorted(tmp_path.glob("*.npz"))
    assert len(levels) == 10
    for path in levels:
        level = np.load(path)
        sign = 1 if level["marks"] % 2 == 0 else -1  # planes are seen by the player to move
        for number, board in enumerate(from_planes(game, level["planes"] * sign)):
            position = Position(*board)
            worth = value(position)
            assert worth
            assert {1: "win", 0: "tie", -1: "loss"}[int(level["outcome"][number])] == worth.outcome
            assert level["remoteness"][number] == worth.remoteness
            assert np.flatnonzero(level["best"][number]).tolist() == best_moves(position)


@pytest.mark.parametrize(
    ("game", "positions"), [("3x5k4", "3,414,564"), pytest.param("4x4k4", "9,722,011", marks=pytest.mark.slow)]
)
def test_every_position_of_a_larger_board_is_labelled(game: str, positions: str) -> None:
    pytest.importorskip("numpy", reason="the labels are numpy arrays")
    printed = run("labels.py", game)
    if native.core() is None:
        assert "left out" in printed
    else:
        assert positions in printed
        assert "as the solver counts them" in printed


def test_a_player_is_refuted_and_another_proven() -> None:
    hasty, patient = run("custom_player.py").split("patient:")
    assert "as O: loses" in hasty
    assert "as X: never loses" in patient
    assert "as O: never loses" in patient
