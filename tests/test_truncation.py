"""A level file that is cut short, or grows, under an open solution: right answers or DatabaseError, never a signal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import native
from levels import FORMS

from noughts import Game, Position, Value
from noughts.solve import DatabaseError, Solution, solve
from noughts.solve.folder import level_path
from noughts.solve.levelfile import HEADER, MOST_PIECES, PAGE, LevelFile

if sys.platform == "win32":
    pytest.skip("there an open file cannot be cut short", allow_module_level=True)

# What a long-lived process does: it opens a solution, asks a little, and goes on asking after the files were cut.
ASKING = """
import os, random, sys
from pathlib import Path
import numpy as np
from noughts import Game, Position
from noughts.solve import DatabaseError, Solution, verify
from noughts.solve.folder import whole_level

folder, keep, game = Path(sys.argv[1]), int(sys.argv[2]), Game.parse(sys.argv[3])
solution, truth, rng, refused = Solution.open(folder), Solution.solve(game), random.Random(0), 0
positions = []
for _ in range(200):
    position = game.start()
    while not position.is_over:
        positions.append(position)
        position = position.play(rng.choice(position.moves()))
for position in positions[:5]:
    assert solution[position] == truth[position]
for path in folder.glob("level-*"):
    os.truncate(path, min(keep, path.stat().st_size))

def ask(question, answer=None):
    global refused
    try:
        found = question()
    except DatabaseError as problem:
        refused += 1
    else:
        assert answer is None or found == answer(), (found, answer())

for position in positions:
    ask(lambda: solution[position], lambda: truth[position])
x, o = (np.array(sets) for sets in zip(*((p.x, p.o) for p in positions)))
lists = lambda found: [each.tolist() for each in found]
ask(lambda: lists(solution.values(x, o)), lambda: lists(truth.values(x, o)))
for level in solution.levels:
    ask(lambda: [level.page(number) for number in range(level.header.pages)])
    ask(lambda: bytes(whole_level(level, folder)))
ask(lambda: verify(folder))
print(refused)
"""


@native
@pytest.mark.parametrize("compress", FORMS)
@pytest.mark.parametrize("keep", [0, 100, HEADER, HEADER + 64, 5000, 12_000])
def test_files_cut_short_under_an_open_solution_are_refused_and_harm_nobody(
    keep: int, compress: bool, tmp_path: Path
) -> None:
    pytest.importorskip("numpy")
    solve(Game(4, 4, 3), save=tmp_path, compress=compress)
    line = [sys.executable, "-c", ASKING, str(tmp_path), str(keep), "4x4k3"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 10


@pytest.mark.parametrize("compress", FORMS)
def test_a_file_cut_short_is_called_damaged(compress: bool, tmp_path: Path) -> None:
    solve(Game(), save=tmp_path, compress=compress)
    with Solution.open(tmp_path) as solution:
        os.truncate(level_path(tmp_path, 2), HEADER)
        with pytest.raises(DatabaseError, match=r"level-02\.noughts is damaged: it was cut short"):
            solution[Position.parse("XO./.../...")]
        assert solution[Game().start()] == Value("tie", 9)


def test_a_closed_solution_answers_no_more(tmp_path: Path) -> None:
    solve(Game(), save=tmp_path)
    with Solution.open(tmp_path) as solution:
        assert solution[Game().start()] == Value("tie", 9)
    with pytest.raises(DatabaseError, match=r"level-00\.noughts is closed"):
        solution[Game().start()]


@native
def test_what_stays_in_memory_is_bounded_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All files of the process together keep so many pieces, and those that made room are right when read again."""
    from noughts.solve import levelfile

    monkeypatch.setattr(levelfile, "MOST_PIECES", 3)
    solve(Game(4, 4, 4), save=tmp_path)
    levels = [LevelFile(level_path(tmp_path, marks)) for marks in (9, 10)]
    for _ in range(2):
        for level in levels:
            good = level.path.read_bytes()[level.header.start :]
            for place in range(0, len(level), PAGE // 2):
                assert level[place] == good[place]
            assert level.header.pages > 3
    assert sum(len(level._pieces) for level in levels) <= 3
    assert MOST_PIECES * PAGE <= 64 << 20
