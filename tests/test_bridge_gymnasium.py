"""The bridge to Gymnasium: its own check, one game at a time and thousands at once."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

gym = pytest.importorskip("gymnasium", reason="Gymnasium is not installed: make envs runs these tests")

import numpy as np  # noqa: E402
from gymnasium.error import InvalidAction, ResetNeeded  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402

from noughts import Game, NotationError, Position  # noqa: E402
from noughts.bridges import gymnasium as bridge  # noqa: E402
from noughts.play import InvalidPlayer, find_player  # noqa: E402

NAME = "noughts.bridges.gymnasium:noughts/KInARow-v0"
NAMES = ["3x3k3", "3x3k3m", "4x5k4", "4x4k3e", "6x7k4g", "4x5k3egm", "15x15k5"]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("side", ["X", "O", "random"])
def test_every_game_conforms_without_a_warning(name: str, side: str, flat: bool) -> None:
    env = gym.make(NAME, game=name, opponent="random", side=side, flat=flat)
    check_env(env.unwrapped, skip_render_check=True)
    env.close()


@pytest.mark.filterwarnings("error")
def test_every_way_to_show_it_conforms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    check_env(gym.make(NAME, render_mode="ansi").unwrapped)
    for mode, kind in (("human", type(None)), ("rgb_array", np.ndarray), ("ansi", str)):
        env = gym.make(NAME, game="3x4k3", render_mode=mode)
        env.reset(seed=1)
        assert isinstance(env.render(), kind)
        env.step(0)
        assert isinstance(env.render(), kind)
        env.close()


def legal(info: dict[str, Any], rng: Any) -> int:
    return int(rng.choice(np.flatnonzero(info["action_mask"])))


@pytest.mark.parametrize("opponent", ["level-3", "random", "perfect", "first", "exact"])
@pytest.mark.parametrize("side", ["X", "O"])
def test_a_game_is_one_against_the_player(opponent: str, side: str) -> None:
    env, rng = gym.make(NAME, game="3x3k3", opponent=opponent, side=side), np.random.default_rng(3)
    for game in range(10):
        seen, info = env.reset(seed=game)
        board = env.unwrapped.board
        ended = False
        while not ended:
            before = board.position()
            assert before.turn.value == side
            assert (seen == before.planes()).all()
            assert (info["action_mask"] == before.mask()).all()
            assert (env.unwrapped.action_masks() == (before.mask() == 1)).all()
            seen, reward, ended, cut, info = env.step(legal(info, rng))
            assert not cut
        winner = board.winner
        assert reward == (0 if winner is None else 1 if winner.value == side else -1)
        assert info["action_mask"].sum() == 0
        own, other = (board.x, board.o) if side == "X" else (board.o, board.x)
        for plane, bits in zip(seen.reshape(2, 9), (own, other), strict=True):
            assert np.flatnonzero(plane).tolist() == Game().cells_of(bits)
        if opponent in ("perfect", "exact"):
            assert reward <= 0


def test_a_function_is_an_opponent_and_another_seed_another_player() -> None:
    env = gym.make(NAME, opponent=lambda position: position.moves()[-1], side="X")
    env.reset(seed=1)
    assert env.step(0)[0][1].tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 1]]
    env = gym.make(NAME, game="4x4k4", side="O")
    first = {env.reset(seed=seed)[0].tobytes() for seed in range(20)}
    assert len(first) > 5
    assert env.reset(seed=5)[0].tobytes() == env.reset(seed=5)[0].tobytes()


def test_alone_the_learner_moves_for_both() -> None:
    env = gym.make(NAME, opponent=None)
    env.reset()
    for cell in (0, 3, 1, 4):
        _, reward, ended, _, _ = env.step(cell)
        assert (reward, ended) == (0, False)
    seen, reward, ended, _, _ = env.step(2)
    assert (reward, ended) == (1, True)
    assert seen[1].sum() == 3  # the winner's cells are the other's, since it would be O's turn


def test_illegal_actions_lose_are_refused_or_ignored() -> None:
    env = gym.make(NAME, opponent="first")
    env.reset()
    env.step(4)
    before = env.unwrapped.board.position()
    seen, reward, ended, _, info = env.step(4)
    assert (reward, ended, info["illegal"]) == (-1, True, True)
    assert (seen == before.planes()).all()
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(5)

    for way in ("refuse", "ignore"):
        env = gym.make(NAME, opponent="first", illegal=way)
        env.reset()
        env.step(4)
        before = env.unwrapped.board.position()
        if way == "refuse":
            with pytest.raises(InvalidAction, match="cell 4 is taken"):
                env.step(4)
        else:
            _, reward, ended, _, info = env.step(4)
            assert (reward, ended, info["illegal"]) == (0, False, True)
        assert env.unwrapped.board.position() == before


@pytest.mark.parametrize("action", [9, -1, 1.5, "b2", None, [1], np.array([1.0]), True, 10**5000], ids=range(9))
def test_what_is_no_action_gets_their_error_and_changes_nothing(action: object) -> None:
    env = bridge.KInARow()
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(InvalidAction):
        env.step(action)
    assert env.board is not None
    assert env.board.position() == Game().start()


@pytest.mark.parametrize(
    ("arguments", "error", "complaint"),
    [
        ({"game": "3by3"}, NotationError, "3by3"),
        ({"opponent": "levle-3"}, InvalidPlayer, "did you mean level-3"),
        ({"side": "Y"}, ValueError, "there is no side 'Y'"),
        ({"illegal": "forgive"}, ValueError, "there is no way with illegal actions"),
        ({"start": "XXX/OO./..."}, ValueError, "it is over"),
        ({"start": "XX./OO./...", "side": "O"}, ValueError, "could end the game"),
        ({"opponent": None, "side": "O"}, ValueError, "moves for both sides"),
        ({"render_mode": "text"}, ValueError, "there is no render mode"),
        ({"game": 3}, TypeError, "an environment takes a Game, not 3"),
        ({"start": 5}, TypeError, "takes a Position, not 5"),
        ({"opponent": 5}, TypeError, "an opponent is a player's name or a function, not 5"),
    ],
    ids=lambda each: str(each)[:30],
)
def test_what_makes_no_environment_is_refused(arguments: dict[str, Any], error: type, complaint: str) -> None:
    with pytest.raises(error, match=complaint):
        bridge.KInARow(**arguments)


# Thousands at once


def many(**options: Any) -> Any:
    return gym.make_vec(NAME, num_envs=64, vectorization_mode="vector_entry_point", **options)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("flat", [False, True])
def test_many_boards_are_the_single_game_many_times(name: str, flat: bool) -> None:
    game, rng = Game.parse(name), np.random.default_rng(1)
    envs = many(game=name, opponent="first", flat=flat)
    one = [bridge.KInARow(game=name, opponent="first", flat=flat) for _ in range(4)]
    seen, info = envs.reset(seed=3)
    assert seen in envs.observation_space
    singles = [env.reset() for env in one]
    for _ in range(2 * game.cells if game.cells < 50 else 40):
        for board, (single, told) in enumerate(singles):
            assert (seen[board] == single).all()
            assert (info["action_mask"][board] == told["action_mask"]).all()
        chosen = (rng.random(info["action_mask"].shape) * info["action_mask"]).argmax(axis=1)
        seen, rewards, ended, cut, info = envs.step(chosen)
        assert seen in envs.observation_space
        assert not cut.any()
        for board, env in enumerate(one):
            single, reward, over, _, told = env.step(chosen[board])
            assert (rewards[board], ended[board]) == (reward, over)
            if over:
                assert info["_final_obs"][board]
                assert (info["final_obs"][board] == single).all()
                single, told = env.reset()
            singles[board] = single, told


def test_many_boards_copy_or_do_not() -> None:
    for copy in (True, False):
        envs = many(opponent="random", copy=copy)
        first, _ = envs.reset(seed=1)
        kept = first.copy()
        envs.step(np.zeros(64, np.int64))
        assert (first == kept).all() == copy


def test_many_boards_take_a_seed() -> None:
    def play(envs: Any, seed: int | None) -> bytes:
        envs.reset(seed=seed)
        return envs.step(np.full(64, 4))[0].tobytes()

    assert play(many(), 1) == play(many(), 1) != play(many(), 2)
    assert play(many(), None) != play(many(), None)
    assert many().metadata["autoreset_mode"] is gym.vector.AutoresetMode.SAME_STEP


def test_many_boards_refuse_what_they_do_not_know() -> None:
    with pytest.raises(ValueError, match="there is no opponent for many boards at once 'level-3'"):
        many(opponent="level-3")
    with pytest.raises(ValueError, match="not shown"):
        many(render_mode="ansi")
    envs = many(illegal="refuse")
    with pytest.raises(ResetNeeded):
        envs.step(np.zeros(64, np.int64))
    envs.reset(seed=1)
    with pytest.raises(ValueError, match="no options"):
        envs.reset(options={"board": 3})
    for wrong in (np.zeros(64), np.zeros(63, np.int64), np.full(64, 9), [None] * 64):
        with pytest.raises(InvalidAction):
            envs.step(wrong)
    for way in ("lose", "ignore"):  # there is no such action, on one board or on many
        envs = many(illegal=way)
        before, _ = envs.reset(seed=1)
        for beyond in (9, -1, 2**62):
            with pytest.raises(InvalidAction, match=f"board 7: {beyond} is no cell: they run from 0 to 8"):
                envs.step(np.where(np.arange(64) == 7, beyond, 0))
        assert not before.any()
        assert envs.step(np.zeros(64, np.int64))[0].sum() == 128  # and nothing had changed
    ignoring = many(illegal="ignore", opponent=None)
    ignoring.reset()
    ignoring.step(np.zeros(64, np.int64))
    assert ignoring.step(np.zeros(64, np.int64))[4]["illegal"].all()


def test_the_wrappers_of_gymnasium_take_it() -> None:
    envs = gym.wrappers.vector.RecordEpisodeStatistics(many(opponent="random"))
    envs.reset(seed=1)
    ends = 0
    rng = np.random.default_rng(1)
    mask = envs.reset(seed=1)[1]["action_mask"]
    for _ in range(20):
        _, _, ended, _, info = envs.step((rng.random(mask.shape) * mask).argmax(axis=1))
        mask, ends = info["action_mask"], ends + int(ended.sum())
    assert ends > 64
    assert len(envs.return_queue) == min(ends, 100)


def test_an_old_gymnasium_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    import noughts.bridges as bridges

    monkeypatch.setattr(bridges, "version", lambda package: "0.26.3")
    with pytest.raises(bridges.NoBridge, match=r"gymnasium needs gymnasium 1\.2\.2 or newer .*, and this is 0\.26\.3"):
        bridges.require("gymnasium")


def test_nothing_of_it_is_loaded_before_it_is_asked_for() -> None:
    code = (
        "import sys, noughts, noughts.bridges, noughts.cli; print('gymnasium' in sys.modules, 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == ["False", "False"]


def test_a_learner_from_a_position_meets_the_exact_player() -> None:
    start = Position.parse("X../.O./..X")
    env = gym.make(NAME, start=str(start), opponent="perfect", side="X")
    env.reset(seed=1)
    answer = env.unwrapped.board.played()[0]
    assert answer in find_player("perfect").choices(start)
