"""Many boards at once: the core and its numpy twin play the same games, and both keep the rules of Position."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import SPREAD
from conftest import native as needs_core

np = pytest.importorskip("numpy", reason="numpy is not installed: pip install noughts[batch]")

from noughts import Game, Position, native  # noqa: E402
from noughts.play import vector  # noqa: E402
from noughts.play.vector import IllegalAction, PlainVector, Rows, VectorEnv  # noqa: E402
from noughts.solve.problems import TooLarge  # noqa: E402

core = native.core()
ISAS = core.isas() if core else []
GAMES = [game for game in SPREAD if game.cells <= 400]
HARD = ["1x2k1", "2x2k2", "3x3k3", "3x3k3m", "4x4k3e", "4x5k3egm", "6x7k4g", "8x8k5", "9x9k5", "15x15k5", "10x9k4g"]


def plain(game: Game, boards: int, **options: Any) -> VectorEnv:
    """A vector environment on the numpy twin."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vector, "_native", lambda *_: None)
        env = VectorEnv(game, boards, **options)
    assert isinstance(env._core, PlainVector)
    return env


def actions(rows: Rows, rng: Any, wrong: float = 0.0) -> Any:
    """Random legal actions, and now and then any number at all."""
    legal = (rng.random(rows.masks.shape) * rows.masks).argmax(axis=1)
    return np.where(rng.random(len(legal)) < wrong, rng.integers(-2, rows.masks.shape[1] + 3, len(legal)), legal)


def alike(one: Rows, other: Rows) -> None:
    for name, mine, theirs in zip(Rows._fields, one, other, strict=True):
        assert mine.dtype == theirs.dtype, name
        assert (mine == theirs).all(), name


@needs_core
@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize("name", HARD)
def test_the_core_and_numpy_play_the_same_games(name: str, isa: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_ISA", isa)
    game, rng = Game.parse(name), np.random.default_rng(5)
    for boards, options in (
        (1, {}),
        (70, {"illegal": "lose"}),
        (131, {"illegal": "ignore", "opponent": "first" if game.k > 1 else None}),
        (64, {"opponent": "random", "side": "random" if game.k > 1 else "X", "illegal": "lose"}),
        (65, {"opponent": "random", "side": "O" if game.k > 1 else "X"}),
    ):
        one = VectorEnv(game, boards, seed=boards, finals=True, **options)
        other = plain(game, boards, seed=boards, finals=True, **options)
        assert not isinstance(one._core, PlainVector)
        rows, twins = one.reset(), other.reset()
        for _ in range(min(25, 3 * game.cells)):
            alike(rows, twins)
            chosen = actions(rows, rng, 0.2 if one.illegal != "refuse" else 0)
            rows, twins = one.step(chosen), other.step(chosen)
        alike(rows, twins)


@needs_core
@pytest.mark.parametrize("name", ["3x3k3", "3x3k3m", "4x3k3g", "3x4k3e"])
@pytest.mark.parametrize("side", ["X", "O", "random"])
def test_an_exact_opponent_is_the_same_in_both_and_never_loses_what_it_holds(name: str, side: str) -> None:
    game, rng = Game.parse(name), np.random.default_rng(3)
    one = VectorEnv(game, 40, opponent="exact", side=side, seed=9, finals=True)
    other = plain(game, 40, opponent="exact", side=side, seed=9, finals=True)
    rows, twins = one.reset(), other.reset()
    worst = 0
    for _ in range(30):
        alike(rows, twins)
        chosen = actions(rows, rng)
        rows, twins = one.step(chosen), other.step(chosen)
        worst = max(worst, rows.rewards.max())
    if name in ("3x3k3", "3x3k3m"):  # ties: nobody beats who plays exactly
        assert worst == 0


@pytest.mark.parametrize("make", [pytest.param(VectorEnv, marks=needs_core), plain], ids=["core", "numpy"])
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_board_is_a_game_by_the_rules(game: Game, make: Any) -> None:
    rng = np.random.default_rng(game.cells)
    env = make(game, 5, finals=True)
    rows, at = env.reset(), [game.start()] * 5
    for _ in range(min(40, 3 * game.cells)):
        for board, position in enumerate(at):
            assert (rows.observations[board] == position.planes()).all()
            assert (rows.masks[board] == position.mask()).all()
        chosen = actions(rows, rng)
        rows = env.step(chosen)
        assert not rows.illegal.any()
        for board, action in enumerate(chosen.tolist()):
            mover = at[board].turn
            after = at[board].play(game.rule.cell_of(action, at[board].playable))
            assert rows.terminations[board] == after.is_over
            assert rows.rewards[board] == (0 if after.winner is None else 1 if after.winner is mover else -1)
            if after.is_over:
                assert (rows.finals[board] == after.planes()).all()
            at[board] = game.start() if after.is_over else after


@pytest.mark.parametrize("make", [pytest.param(VectorEnv, marks=needs_core), plain], ids=["core", "numpy"])
def test_illegal_actions_are_refused_lose_or_are_ignored(make: Any) -> None:
    game = Game()
    env = make(game, 3)
    env.reset()
    env.step([4, 4, 4])
    before = env.rows.observations.copy()
    with pytest.raises(IllegalAction, match="board 1: cell 4 is taken"):
        env.step([0, 4, 9])
    with pytest.raises(IllegalAction, match="board 2: 9 is no cell: they run from 0 to 8"):
        env.step([0, 1, 9])
    assert (env.rows.observations == before).all()
    env.step([0, 1, 2])

    env = make(game, 2, illegal="lose")
    env.reset()
    env.step([4, 4])
    rows = env.step([4, 0])
    assert rows.rewards.tolist() == [-1, 0]
    assert rows.terminations.tolist() == rows.illegal.tolist() == [True, False]
    assert rows.observations[0].sum() == 0

    env = make(game, 2, illegal="ignore", opponent="first")
    env.reset()
    env.step([4, 4])
    rows = env.step([4, 8])
    assert rows.rewards.tolist() == [0, 0]
    assert rows.illegal.tolist() == [True, False]
    assert rows.terminations.tolist() == [False, False]
    assert rows.observations.sum(axis=(1, 2, 3)).tolist() == [2, 4]


def test_a_column_is_an_action_where_marks_fall() -> None:
    env = VectorEnv(Game.parse("2x3k2g"), 1)
    rows = env.reset()
    assert rows.masks.tolist() == [[1, 1, 1]]
    env.step([1])
    env.step([1])
    with pytest.raises(IllegalAction, match="board 0: column 1 is full"):
        env.step([1])
    assert env.rows.masks.tolist() == [[1, 0, 1]]


@pytest.mark.parametrize("make", [pytest.param(VectorEnv, marks=needs_core), plain], ids=["core", "numpy"])
def test_arrays_of_the_callers_own_are_written_to(make: Any) -> None:
    game = Game(4, 4, 3)
    env, mine = make(game, 6), Rows.empty(game, 6)
    buffer = np.full((5, 6, 2, 4, 4), 7, np.int8)  # a learner's memory of five steps
    rows = env.reset(into=mine._replace(observations=buffer[0]))
    assert rows.observations is not env.rows.observations
    for time in range(1, 5):
        env.step(actions(rows, np.random.default_rng(time)), into=mine._replace(observations=buffer[time]))
    assert buffer.sum(axis=(1, 2, 3, 4)).tolist() == [0, 6, 12, 18, 24]
    assert (env.rows.masks == 0).all()  # its own were never written


@pytest.mark.parametrize(
    "wrong",
    [
        {"rewards": np.zeros(4, np.float64)},
        {"masks": np.zeros((4, 8), np.int8)},
        {"terminations": [False] * 4},
        {"observations": np.zeros((4, 3, 3, 2), np.int8).transpose(0, 3, 1, 2)},
        {"observations": np.broadcast_to(np.int8(0), (4, 2, 3, 3))},
        {"illegal": None},
    ],
    ids=lambda each: next(iter(each)),
)
def test_arrays_that_do_not_fit_are_refused(wrong: dict[str, Any]) -> None:
    env = VectorEnv(Game(), 4)
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} must be a gapless, writable array"):
        env.reset(into=Rows.empty(Game(), 4)._replace(**wrong))


@pytest.mark.parametrize("make", [pytest.param(VectorEnv, marks=needs_core), plain], ids=["core", "numpy"])
def test_a_seed_makes_the_same_games_and_another_makes_others(make: Any) -> None:
    def played(env: VectorEnv, seed: int | None) -> list[bytes]:
        rows, seen = env.reset(seed), []
        for _ in range(12):
            rows = env.step(rows.masks.argmax(axis=1))
            seen.append(rows.observations.tobytes())
        return seen

    env = make(Game(4, 4, 4), 20, opponent="random", side="random", seed=3)
    first = played(env, None)
    assert played(env, None) != first  # goes on
    assert played(env, 3) == played(make(Game(4, 4, 4), 20, opponent="random", side="random"), 3)
    assert played(env, 4) != played(env, 3)
    assert played(env, -(2**70)) == played(env, -(2**70))


def test_sides_and_random_moves_are_even() -> None:
    env = VectorEnv(Game(), 20_000, opponent="random", side="random", seed=1)
    marks = env.reset().observations.reshape(20_000, 2, 9).sum(axis=0)
    assert marks[0].sum() == 0
    assert abs(marks[1].sum() - 10_000) < 400
    assert marks[1].min() > 900


def test_a_start_of_ones_own() -> None:
    start = Position.parse("4x4k4:X.../.O../..../....")
    env = VectorEnv(start.game, 2, start=start)
    assert (env.reset().observations[1] == start.planes()).all()
    as_o = VectorEnv(start.game, 2, start=start, opponent="first", side="O")
    assert (as_o.reset().observations[1] == start.play(1).planes()).all()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"opponent": "randon"}, "there is no opponent 'randon': did you mean random"),
        ({"side": "Z"}, "there is no side 'Z'"),
        ({"illegal": "forgive"}, "there is no way with illegal actions 'forgive'"),
        ({"boards": 0}, "boards must be"),
        ({"boards": 1 << 30}, "boards must be"),
        ({"side": "O"}, "without an opponent the learner moves for both sides"),
        ({"start": Position.parse("XXX/OO./...")}, "no game can start at XXX/OO./...: it is over"),
        ({"start": Game(4, 4, 3).start()}, "the start is a position of 4x4k3, not of 3x3k3"),
        ({"start": Position.parse("XX./OO./..."), "opponent": "random", "side": "O"}, "could end the game"),
        ({"seed": 0.5}, "seed must be"),
        ({"game": Game(6, 6, 4), "opponent": "exact"}, "an exact opponent needs a solution of 6x6k4"),
        ({"game": Game(256, 256, 5), "boards": 1 << 20}, "the limit is"),
    ],
    ids=lambda each: str(each)[:40],
)
def test_what_makes_no_environment_is_refused(options: dict[str, Any], complaint: str) -> None:
    given = {"game": Game(), "boards": 4, **options}
    with pytest.raises(ValueError, match=complaint) as refused:
        VectorEnv(given.pop("game"), given.pop("boards"), **given)
    if "limit" in complaint or "exact" in complaint:
        assert refused.type is TooLarge


@pytest.mark.parametrize(
    "given", [[0.5] * 4, [0] * 3, [[0] * 4], 0, ["a1"] * 4, [None] * 4, [True] * 4], ids=lambda each: str(each)[:20]
)
def test_actions_are_whole_numbers_one_a_board(given: object) -> None:
    env = VectorEnv(Game(), 4)
    env.reset()
    with pytest.raises(ValueError, match="expected 4 whole numbers, an action a board"):
        env.step(given)
    assert env.step(np.array([0, 1, 2, 3], np.uint8)).observations.sum() == 4


def test_an_action_beyond_every_number_is_illegal() -> None:
    env = VectorEnv(Game(), 1)
    env.reset()
    for action in (2**63, 2**64 - 1):
        with pytest.raises(IllegalAction, match="is no cell"):
            env.step(np.array([action], np.uint64))
    with pytest.raises(IllegalAction, match="is no cell"):
        env.step(np.array([-(2**63)]))
