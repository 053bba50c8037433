"""A class: marks that weigh what is tested, limits in all, and files that are no use told as such."""

from __future__ import annotations

import csv
import sys
from ctypes import CDLL
from pathlib import Path

import pytest
from click.testing import CliRunner

from noughts.cli import cli
from noughts.lab import grades
from noughts.play.classroom import Grade, all_questions, grade
from noughts.play.gradebook import WEIGHTS, NoClass, check_weights, grade_folder, mark, read_weights
from noughts.play.process import Limits
from noughts.play.user_file import UserFile

LINES = [*zip(*[iter(range(9))] * 3, strict=True), *[(i, i + 3, i + 6) for i in range(3)], (0, 4, 8), (2, 4, 6)]
WINNER = """
LINES = {lines!r}
def winner(board):
    cells = [cell for row in board for cell in row]
    for a, b, c in LINES:
        if cells[a] and cells[a] == cells[b] == cells[c]:
            return cells[a]
"""
FIRST = """
def minimax(board):
    free = [(i, j) for i in range(3) for j in range(3) if not board[i][j]]
    return None if winner(board) or not free else free[0]
"""
DOUBLES = "import os, time\nfor _ in range(9):\n    os.fork()\ntime.sleep(60)\n"  # 512 processes in a moment
FORKS = "import os, time\nfor _ in range(30):\n    if not os.fork():\n        time.sleep(60)\ntime.sleep(60)\n"
BOMB = "import os\nwhile True:\n    os.fork()\n"
FILES = "n = 0\nwhile True:\n    n += 1\n    open(str(n), 'w').close()\n"
FILLS = "while True:\n    open('out', 'ab').write(b'x' * 100_000)\n"
LEAVES = """
import os
read, write = os.pipe()
if not os.fork():
    try:
        os.setsid()
    except PermissionError:
        os.write(write, b"held")
    os._exit(0)
os.close(write)
def how():
    return os.read(read, 4) == b"held"
"""
EATS = "import time\ndata = b'x' * (200 << 20)\ntime.sleep(60)\n"


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        folder.joinpath(f"{name}.py").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("missing", range(8))
def test_a_winner_that_misses_a_line_loses_a_line_whichever_it_is(tmp_path: Path, missing: int) -> None:
    lines = [line for line in LINES if line != LINES[missing]]
    # Asked of the questions themselves, as every line is: a process for each would take long.
    scope: dict[str, object] = {}
    exec(WINNER.format(lines=lines), scope)
    found = Grade("winner", 0)
    for question in all_questions()["winner"]:
        assert question.right
        found.count(question, question.right(scope["winner"](*question.arguments)))  # type: ignore[operator]
    assert found.percent
    assert found.percent > 95
    assert found.score
    assert 85 < found.score < 90
    wrong = [case for case, percent in found.cases.items() if percent == 0]
    assert len(wrong) == 2  # the same line of X and of O


def test_the_score_of_a_file_is_the_average_of_its_cases(tmp_path: Path) -> None:
    written(tmp_path, anna=WINNER.format(lines=LINES[:7]))
    found = {each.function: each for each in grade(tmp_path / "anna.py", partly=True).grades}["winner"]
    assert found.score == pytest.approx(sum(found.cases.values()) / len(found.cases))
    assert found.failure
    assert found.failure.question.case == "X has c3 b2 a1"
    assert found.counts.keys() == {question.case for question in all_questions()["winner"]}


def test_a_class_is_graded_together_and_each_alone(tmp_path: Path) -> None:
    written(tmp_path, anna=WINNER.format(lines=LINES), ben="import (", _helper="1/0")
    found = grade_folder(tmp_path, jobs=2, weights={name: float(name == "winner") for name in WEIGHTS})
    assert [(each.file, each.mark) for each in found.students] == [("anna.py", 100.0), ("ben.py", 0.0)]
    assert found.students[1].problem
    assert "ben.py cannot be loaded" in found.students[1].problem
    found.write_csv(tmp_path / "marks.csv")
    rows = list(csv.DictReader((tmp_path / "marks.csv").read_text(encoding="utf-8").splitlines()))
    assert [(row["file"], row["mark"], row["winner"]) for row in rows] == [
        ("anna.py", "100.0", "100.0"),
        ("ben.py", "0.0", ""),
    ]


def test_the_pages_show_what_went_wrong_and_play_it_through(tmp_path: Path) -> None:
    written(tmp_path, anna=WINNER.format(lines=LINES) + FIRST, index="x = 1")
    found = grade_folder(tmp_path, jobs=2, total_limit=20)
    page = grades.write(found, tmp_path / "report")
    assert page.name == "index.html"
    assert 'href="anna.html"' in page.read_text(encoding="utf-8")
    assert "index-of-student.html" in page.read_text(encoding="utf-8")
    shown = (tmp_path / "report" / "anna.html").read_text(encoding="utf-8")
    failure = found.students[0].functions["minimax"].failure
    assert failure
    assert "Played through:" in shown
    assert "Open it in the laboratory" in shown
    assert "wins at once" in shown
    for case in found.students[0].functions["minimax"].failures:
        assert case in shown


def test_what_a_function_is_not_asked_by_its_own_fault_counts_as_wrong(tmp_path: Path) -> None:
    ends = (
        WINNER.format(lines=LINES)
        + """
_winner = winner
def winner(board):
    if board[1][1] == "O" and board[0][0] == "X": raise SystemError("x") if LIVES else __import__("os")._exit(3)
    return _winner(board)
"""
    )
    written(tmp_path, ends="LIVES = 0\n" + ends, lives="LIVES = 1\n" + ends)
    ended, lived = (grade(tmp_path / f"{name}.py", partly=True).functions["winner"] for name in ("ends", "lives"))
    assert lived.asked == lived.questions > ended.asked
    assert ended.score is not None
    assert lived.score is not None
    assert ended.score < lived.score < 100
    assert ended.cases.keys() == lived.cases.keys()
    assert "given up" in ended.note


def test_weights_are_read_and_what_is_wrong_with_them_is_said(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    file.write_text('[weights]\nminimax = 0\n"result (illegal)" = 7.5\n')
    assert read_weights(file) == WEIGHTS | {"minimax": 0, "result (illegal)": 7.5}
    for text, why in {
        "[weights]\nwiner = 1": "there is no weight 'winer': did you mean winner?",
        "[weight]\nwinner = 1": "there is no table 'weight': did you mean weights?",
        "[weights]\nwinner = -1": "the weight of winner must be a number from 0, not -1",
        "weights = 3": "weights is a table",
        "[weights": "is not TOML",
    }.items():
        file.write_text(text)
        with pytest.raises(NoClass, match=why.replace("?", r"\?")):
            read_weights(file)
    with pytest.raises(NoClass, match="all weights are 0"):
        check_weights(dict.fromkeys(WEIGHTS, 0))
    with pytest.raises(NoClass, match="there is nobody to grade in"):
        grade_folder(tmp_path)


def test_a_function_that_is_missing_has_no_points(tmp_path: Path) -> None:
    written(tmp_path, anna="def initial_state():\n    return [[None] * 3 for _ in range(3)]\n")
    report = grade(tmp_path / "anna.py", partly=True)
    assert mark(report, WEIGHTS) == pytest.approx(100 * WEIGHTS["initial_state"] / sum(WEIGHTS.values()))


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="what all processes hold is told by /proc")
@pytest.mark.parametrize(
    ("text", "limits", "problem"),
    [
        (FORKS, Limits(processes=6), "more than 6 processes at once"),
        (DOUBLES, Limits(processes=6), "more than 6 processes at once"),
        (BOMB, Limits(processes=6), "more than 6 processes at once"),
        (EATS, Limits(together=100 << 20), "of memory"),
        (FILES, Limits(kept=50), "wrote more than 50 files"),
        (FILLS, Limits(written=10**6), "wrote more than 1 MB"),
    ],
)
def test_limits_hold_for_all_that_a_file_starts(tmp_path: Path, text: str, limits: Limits, problem: str) -> None:
    written(tmp_path, greedy=text)
    with pytest.raises(ValueError, match=problem), UserFile(tmp_path / "greedy.py", limits=limits):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="seccomp and Landlock are Linux's")
def test_what_is_limited_in_all_stays_where_it_is_looked_at(tmp_path: Path) -> None:
    written(tmp_path, leaves=LEAVES, here="import os\nhere = os.getcwd\n", out=f"open({str(tmp_path / 'x')!r}, 'w')\n")
    with UserFile(tmp_path / "leaves.py", limits=Limits(processes=20)) as file:
        assert file.ask({"call": "how", "arguments": []})["value"] is True
    with UserFile(tmp_path / "here.py", limits=Limits(kept=9)) as file:
        folder = Path(file.ask({"call": "here", "arguments": []})["value"])
        assert folder.is_dir()
    assert not folder.exists()
    assert folder != Path.cwd()
    if CDLL(None).syscall(444, None, 0, 1) > 0:  # the kernel has Landlock
        with pytest.raises(ValueError, match="PermissionError"), UserFile(tmp_path / "out.py", limits=Limits(kept=9)):
            pass


def test_loading_counts_among_the_time_for_the_whole_file(tmp_path: Path) -> None:
    written(tmp_path, sleeps="import time\ntime.sleep(60)\n")
    with pytest.raises(ValueError, match="cannot be loaded: it gave no answer within 1 s"):
        grade(tmp_path / "sleeps.py", total_limit=1, partly=True)


def test_a_file_is_limited_in_what_it_writes(tmp_path: Path) -> None:
    written(tmp_path, fills=f"open({str(tmp_path / 'out')!r}, 'wb').write(b'x' * 5_000_000)\n")
    with (
        pytest.raises(ValueError, match="cannot be loaded"),
        UserFile(tmp_path / "fills.py", limits=Limits(file=1 << 20)),
    ):
        pass
    assert (tmp_path / "out").stat().st_size <= 1 << 20


def test_the_command_refuses_what_is_for_a_folder() -> None:
    for words in ("--csv a.csv", "--html report", "--weights w.toml", "--jobs 2"):
        done = CliRunner().invoke(cli, ["certify", "rules", *words.split()])
        assert done.exit_code == 2
        assert "is for a folder of classroom files" in done.output


def test_the_cases_are_about_lines_and_about_moves() -> None:
    winner = {question.case for question in all_questions()["winner"]}
    assert len(winner) == 2 * 8 + 3  # each line of each, two at once, a draw, and a game that goes on
    assert {question.case for question in all_questions()["minimax"]} == {
        "wins at once", "wins by force", "keeps the draw", "any move will do", "the game is over",
    }  # fmt: skip
