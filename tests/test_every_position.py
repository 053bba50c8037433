"""The plain recursion and the native levels, compared on every position of boards up to 4x4 (minutes, gigabytes)."""

from __future__ import annotations

import pytest

from noughts import Game, native
from noughts.solve import Solution, plain

np = pytest.importorskip("numpy", reason="numpy is not installed: pip install noughts[batch]")


@pytest.mark.slow
@pytest.mark.skipif(native.core() is None, reason="needs the native core")
@pytest.mark.parametrize("name", ["3x3k3", "3x3k3m", "3x4k3", "3x4k3m", "4x4k3", "4x4k3m", "4x4k4", "4x4k4m"])
def test_the_plain_recursion_and_the_native_levels_agree_on_every_position(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game.parse(name)
    monkeypatch.setattr(plain, "MAX_KNOWN", 10**12)  # forget nothing
    solver = plain._Solver.of.__wrapped__(game)  # not the one that is kept: its gigabyte goes with this test
    solver.score(0, 0)  # fills in every ongoing position
    sets = np.array(list(solver.known), np.int64)
    scores = np.fromiter(solver.known.values(), np.int64, len(solver.known))
    mine, theirs = sets[:, 0], sets[:, 1]
    x_to_move = np.bitwise_count(mine) == np.bitwise_count(theirs)
    x, o = np.where(x_to_move, mine, theirs), np.where(x_to_move, theirs, mine)
    solution = Solution.solve(game)
    outcomes, remoteness = solution.values(x, o)
    assert (outcomes == np.sign(scores)).all()
    decided = scores != 0
    assert (remoteness[decided] == plain.WON - np.abs(scores[decided])).all()
    marks = np.bitwise_count(mine) + np.bitwise_count(theirs)
    assert (remoteness[~decided] == game.cells - marks[~decided]).all()
    finished = sum(count.positions for count in solution.counts) - len(scores)
    assert finished > 0
