"""The bridge to PettingZoo: its own conformance tests, and its tictactoe_v3 beside ours."""

from __future__ import annotations

import pickle
import random
import warnings
from typing import Any

import pytest

zoo = pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: make envs runs these tests")
classic = pytest.importorskip("pettingzoo.classic.tictactoe.tictactoe", reason="tictactoe_v3 needs pygame")

import numpy as np  # noqa: E402

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # their tests import their own games in a way that they gave up
    from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.conversions import aec_to_parallel  # noqa: E402

from noughts import Game, Mark, NotationError, Position  # noqa: E402
from noughts.bridges import pettingzoo as bridge  # noqa: E402
from noughts.play.vector import IllegalAction  # noqa: E402

NAMES = ["3x3k3", "1x5k3", "4x5k4", "3x3k3m", "4x4k3e", "6x7k4g", "4x5k3egm", "15x15k5"]


# They exempt their own games of this form from these by name, tictactoe_v3 among them.
@pytest.mark.filterwarnings(
    "error",
    "ignore:Observation is not a NumPy array",
    "ignore:Observation numpy array is all zeros",
    "ignore:Observation space for each agent probably should be",
)
@pytest.mark.parametrize("name", NAMES)
def test_every_game_conforms(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(bridge.env(name), num_cycles=60)
    seed_test(lambda: bridge.env(name), num_cycles=20)
    assert "Passed" in capsys.readouterr().out


def test_every_way_to_show_it_conforms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    render_test(lambda render_mode: bridge.env("3x4k3", render_mode=render_mode))


def same(ours: Any, theirs: Any) -> None:
    """Both environments say the same, to the type."""
    assert ours.agents == theirs.agents
    assert ours.agent_selection == theirs.agent_selection
    for agent in ours.possible_agents:
        mine, their = ours.observe(agent), theirs.observe(agent)
        assert mine.keys() == their.keys()
        for key in mine:
            assert (mine[key] == their[key]).all(), (agent, key)
            assert (mine[key].dtype, mine[key].shape) == (their[key].dtype, their[key].shape)
        assert ours.observation_space(agent) == theirs.observation_space(agent)
        assert ours.action_space(agent) == theirs.action_space(agent)
    assert ours.rewards == theirs.rewards
    assert ours._cumulative_rewards == theirs._cumulative_rewards
    assert ours.terminations == theirs.terminations
    assert ours.truncations == theirs.truncations
    assert ours.infos == theirs.infos
    if ours.agents:
        one, other = ours.last(), theirs.last()
        assert one[1:] == other[1:]
        assert [type(each) for each in one[1:]] == [type(each) for each in other[1:]]


@pytest.mark.filterwarnings("ignore:.*illegal move.*")
@pytest.mark.parametrize("wrapped", [True, False])
def test_3x3_is_their_tictactoe_side_by_side(wrapped: bool) -> None:
    ours, theirs = (bridge.env(), classic.env()) if wrapped else (bridge.raw_env(), classic.raw_env())
    rng = random.Random(4)
    for game in range(150):
        ours.reset(seed=game)
        theirs.reset(seed=game)
        same(ours, theirs)
        while ours.agents:
            mask = theirs.observe(theirs.agent_selection)["action_mask"]
            if theirs.terminations[theirs.agent_selection]:
                action = None
            elif wrapped and rng.random() < 0.05:
                action = rng.randrange(9)  # perhaps a taken cell
            else:
                action = rng.choice(np.flatnonzero(mask).tolist())
            ours.step(action)
            theirs.step(action)
            same(ours, theirs)


@pytest.mark.parametrize("name", NAMES)
def test_games_follow_the_rules(name: str) -> None:
    game, rng = Game.parse(name), random.Random(2)
    env = bridge.env(game)
    for _ in range(3):
        env.reset()
        position = game.start()
        while not position.is_over:
            seen, _, ended, _, _ = env.last()
            assert not ended
            assert env.agent_selection == bridge.AGENTS[position.turn.index]
            assert (np.moveaxis(seen["observation"], 2, 0) == position.planes()).all()
            assert (seen["action_mask"] == position.mask()).all()
            action = rng.choice(np.flatnonzero(seen["action_mask"]).tolist())
            position = position.play(game.rule.cell_of(action, position.playable))
            env.step(np.int64(action))
        for mark, agent in zip(Mark, bridge.AGENTS, strict=True):
            worth = 0 if position.winner is None else 1 if position.winner is mark else -1
            assert env.rewards[agent] == worth
            assert env.terminations[agent]


def test_a_start_of_ones_own_and_who_moves_there() -> None:
    start = "4x5k4:X..../.O.../X..../....."
    env = bridge.env(game="4x5k4", start=start, render_mode="ansi")
    env.reset()
    assert env.agent_selection == "player_2"
    assert env.observe("player_2")["observation"][..., 0].sum() == 1
    assert env.observe("player_1")["observation"][..., 0].sum() == 2
    assert env.observe("player_1")["action_mask"].sum() == 0
    assert env.render().splitlines() == ["4  X . . . .", "3  . O . . .", "2  X . . . .", "1  . . . . .", "   a b c d e"]


def test_pictures_show_the_marks_and_the_line() -> None:
    env = bridge.env(start="XX./OO./...", render_mode="rgb_array")
    env.reset()
    before = env.render()
    env.step(2)
    after = env.render()
    assert before.dtype == np.uint8
    assert before.shape == after.shape == (481, 481, 3)
    assert (before[1:160, 321:480] != after[1:160, 321:480]).any()
    assert (before[321:, :] == after[321:, :]).all()
    assert bridge.env("256x256k5", render_mode="rgb_array").unwrapped.render().shape == (1281, 1281, 3)


def test_a_game_is_not_parallel() -> None:
    with pytest.raises(AssertionError, match="is_parallelizable"):
        aec_to_parallel(bridge.env())


def test_a_pickled_environment_begins_the_same_game() -> None:
    env = pickle.loads(pickle.dumps(bridge.raw_env("3x3k3m", "3x3k3m:X../.../...")))
    env.reset()
    assert str(env.board.position()) == "3x3k3m:X../.../..."


@pytest.mark.parametrize(
    ("arguments", "error", "complaint"),
    [
        ({"game": "3x3"}, NotationError, "3x3"),
        ({"game": "3x3k9"}, ValueError, "k must be"),
        ({"start": "XXX/OO./..."}, ValueError, "no game can start at XXX/OO./...: it is over"),
        ({"game": "4x4k3", "start": "X../.../..."}, ValueError, "the start is a position of 3x3k3, not of 4x4k3"),
        ({"start": "XXX/.../..."}, ValueError, "X"),
        ({"render_mode": "text"}, ValueError, "there is no render mode 'text'"),
    ],
    ids=lambda each: str(each)[:30],
)
def test_what_makes_no_environment_is_refused(arguments: dict[str, str], error: type, complaint: str) -> None:
    with pytest.raises(error, match=complaint):
        bridge.env(**arguments)


def test_misuse_gets_their_own_errors_and_changes_nothing() -> None:
    env = bridge.env()
    with pytest.raises(AttributeError):
        _ = env.rewards  # before the first reset, as theirs
    env.reset()
    for action in (9, -1, 1.5, "b2", None):
        with pytest.raises((AssertionError, TypeError)):
            env.step(action)
    assert env.unwrapped.board.position() == Game().start()
    for cell in (0, 3, 1, 4, 2):
        env.step(cell)
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(5)
    raw = bridge.raw_env("6x7k4g")
    raw.reset()
    with pytest.raises(IllegalAction, match="7 is no column"):
        raw.step(7)
    for action in (1.0, True, None, "d"):
        with pytest.raises(TypeError, match="an action is a whole number"):
            raw.step(action)
    assert raw.board.position() == Position.parse("6x7k4g:")
