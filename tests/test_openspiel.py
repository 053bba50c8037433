"""OpenSpiel: its own tests pass on our games, its games are ours move by move, and players cross over both ways."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from conftest import reachable

from noughts import Game, Position, best_moves, bridges
from noughts.play import PLAYERS, CannotPlay, Forfeit, certify, find_player, match

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install open_spiel==2.0.2")
np = pytest.importorskip("numpy")

from open_spiel.python.algorithms import exploitability, mcts, minimax  # noqa: E402

from noughts.bridges import openspiel  # noqa: E402
from noughts.bridges.openspiel import (  # noqa: E402
    SpielBot,
    SpielPlayer,
    ValuePolicy,
    game_of,
    position_of,
    state_of,
    tabular_policy,
)  # fmt: skip

SPREAD = ["3x3k3", "3x3k3m", "1x1k1", "2x5k2", "4x4k3e", "15x15k5e", "6x7k4g", "4x5k3egm", "5x4k3g"]


def load(name: str) -> Any:
    return pyspiel.load_game("noughts", {"game": name})


# The game


@pytest.mark.parametrize("name", SPREAD)
def test_openspiels_own_test_passes(name: str) -> None:
    pyspiel.random_sim_test(load(name), num_sims=2 if "15" in name else 10, serialize=True, verbose=False)


SAME = {
    "tic_tac_toe": "3x3k3",
    "mnk(m=5,n=4,k=3)": "4x5k3",
    "mnk": "15x15k5",
    "gomoku": "15x15k5",
    "gomoku(size=6,connect=3)": "6x6k3",
    "gomoku(size=5,connect=3,anti=True)": "5x5k3m",
    "connect_four": "6x7k4g",
    "connect_four(rows=5,columns=4,x_in_row=3)": "5x4k3g",
}
PLANES = ("tic_tac_toe", "mnk")  # whose observations have the planes of ours


def equal_over(theirs: str, games: int) -> None:
    """Play random games of theirs and of ours side by side: all that either says of a state is the same."""
    a, b, rng = pyspiel.load_game(theirs), load(SAME[theirs]), Random(theirs)
    assert str(game_of(a)) == str(game_of(b)) == SAME[theirs]
    assert (a.num_distinct_actions(), a.max_game_length()) == (b.num_distinct_actions(), b.max_game_length())
    for number in range(games):
        state, mine = a.new_initial_state(), b.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            assert (actions, state.current_player()) == (mine.legal_actions(), mine.current_player())
            if number < 20 and theirs.startswith(PLANES):
                assert state.observation_tensor() == mine.observation_tensor()
            action = rng.choice(actions)
            state.apply_action(action)
            mine.apply_action(action)
            assert state.is_terminal() == mine.is_terminal(), f"{state}\n{mine}"
        assert (state.returns(), mine.legal_actions(), mine.current_player()) == (mine.returns(), [], -4)
        if number < 20:
            assert position_of(state) == mine.position


@pytest.mark.parametrize("theirs", SAME)
def test_openspiels_games_are_ours_move_by_move(theirs: str) -> None:
    equal_over(theirs, 20 if "15x15" in SAME[theirs] else 500)


@pytest.mark.slow
@pytest.mark.parametrize("theirs", SAME)
def test_openspiels_games_are_ours_over_ten_thousand_games(theirs: str) -> None:
    equal_over(theirs, 10_000)


def test_openspiels_python_minimax_and_mcts_run_on_our_games() -> None:
    worth, _ = minimax.alpha_beta_search(load("2x4k3"))
    assert worth == 0
    worth, action = minimax.alpha_beta_search(load("3x4k3"), maximum_depth=3, value_function=lambda state: 0.0)
    assert worth == 0
    assert action is not None
    rng = np.random.RandomState(7)
    bot = mcts.MCTSBot(load("3x3k3"), 2.0, 200, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    assert bot.step(state_of(Position.parse("XX./OO./..."))) == 2


CRASHING = """
import sys, pyspiel
from open_spiel.python import games
from noughts.bridges import openspiel
game = pyspiel.load_game(sys.argv[1])
bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 50, 100, True, 42, False)
print(bot.step(game.new_initial_state()))
"""


@pytest.mark.parametrize("name", ["noughts", "python_tic_tac_toe", "tic_tac_toe"])
def test_openspiels_c_plus_plus_mcts_crashes_on_every_game_in_python(name: str) -> None:
    """So say the docs: when this no longer holds, they are to be changed."""
    done = subprocess.run([sys.executable, "-c", CRASHING, name], capture_output=True, timeout=120, check=False)
    assert (done.returncode == 0) is (name == "tic_tac_toe"), done.stderr


# Bad input


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("noughts(game=0x0)", "is not a game: expected rows, columns and k"),
        ("noughts(game=3x3k9)", "k must be from 1 to 3"),
        ("noughts(board=3x3k3)", "Unknown parameter"),
    ],
)
def test_a_game_that_is_none_is_openspiels_error(text: str, says: str) -> None:
    with pytest.raises(pyspiel.SpielError, match=says):
        pyspiel.load_game(text)


@pytest.mark.parametrize("name", ["3x3k3", "6x7k4g"])
@pytest.mark.parametrize("action", [-5, -1, 99, 10**6])
def test_an_action_that_is_none_is_openspiels_error_and_changes_nothing(name: str, action: int) -> None:
    state = load(name).new_initial_state()
    state.apply_action(0)
    for _ in range(state.get_game().max_game_length()):
        with pytest.raises(pyspiel.SpielError):
            state.apply_action(action)
    assert (state.history(), position_of(state).marks) == ([0], 1)


def test_a_taken_cell_and_a_finished_game_take_no_action() -> None:
    state = load("3x3k3").new_initial_state()
    state.apply_action(4)
    with pytest.raises(pyspiel.SpielError, match="4 is no legal action"):
        state.apply_action(4)
    over = state_of(Position.parse("XXX/OO./..."))
    with pytest.raises(pyspiel.SpielError):
        over.apply_action(8)
    assert over.returns() == [1, -1]


def test_games_that_are_not_ours_are_refused() -> None:
    for name in ("chess", "gomoku(dims=3,size=4)", "gomoku(wrap=True)"):
        with pytest.raises(CannotPlay, match="is no game of noughts"):
            game_of(pyspiel.load_game(name))


# States


@pytest.mark.parametrize("name", ["3x3k3", "3x3k3m"])
def test_every_position_is_a_state_and_back(name: str) -> None:
    for position in reachable(Game.parse(name)):
        state = state_of(position)
        assert position_of(state) == position
        assert state.legal_actions() == [position.game.rule.action_of(cell) for cell in position.moves()]
        assert state.information_state_string(0) == str(position)


def test_a_clone_goes_its_own_way() -> None:
    state = load("15x15k5").new_initial_state()
    state.apply_action(112)
    other = state.clone()
    other.apply_action(0)
    assert (position_of(state).marks, position_of(other).marks) == (1, 2)
    again = state.get_game().deserialize_state(other.serialize())
    assert position_of(again) == position_of(other)


# Players and bots


@pytest.mark.parametrize("spiel", ["noughts", "tic_tac_toe", "mnk(m=3,n=3,k=3)"])
def test_our_players_are_bots_there(spiel: str) -> None:
    game, rng = pyspiel.load_game(spiel), np.random.RandomState(1)
    perfect = SpielBot(find_player("perfect"))
    random = pyspiel.make_uniform_random_bot(1, 5)
    for _ in range(10):
        worth, _ = pyspiel.evaluate_bots(game.new_initial_state(), [perfect, random], int(rng.randint(1000)))
        assert worth >= 0
    start = game.new_initial_state()
    policy, action = perfect.step_with_policy(start)
    assert action in dict(policy)
    assert dict(policy) == {cell: pytest.approx(1 / 9) for cell in best_moves(Game().start())}


def test_their_bots_are_players_here() -> None:
    rng = np.random.RandomState(3)
    bot = mcts.MCTSBot(load("3x3k3"), 2.0, 100, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    series = match(lambda seed: SpielPlayer(bot), PLAYERS["random"], 6)
    assert (series.a, series.forfeits) == ("MCTSBot", [])
    assert series.all.wins > series.all.losses
    native = pyspiel.load_game("tic_tac_toe")
    fast = pyspiel.MCTSBot(native, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 300, 100, True, 42, False)
    series = match(lambda seed: SpielPlayer(fast, native, "fast"), PLAYERS["random"], 10)
    assert (series.a, series.all.losses, series.forfeits) == ("fast", 0, [])


class Listening(pyspiel.Bot):  # type: ignore[misc]
    """A bot that follows the game by what it hears, and plays the first free action."""

    def __init__(self, wrong: bool = False) -> None:
        super().__init__()
        self.heard: list[int] = []
        self.restarts = 0
        self.wrong = wrong

    def restart(self) -> None:
        self.heard.clear()
        self.restarts += 1

    def inform_action(self, state: Any, player: int, action: int) -> None:
        assert state.current_player() == player
        assert state.history() == self.heard
        self.heard.append(action)

    def step(self, state: Any) -> int:
        assert state.history() == self.heard
        self.heard.append(state.legal_actions()[0])
        return 99 if self.wrong else self.heard[-1]


def test_a_bot_hears_every_move_of_its_games() -> None:
    bot = Listening()
    series = match(lambda seed: SpielPlayer(bot), PLAYERS["level-2"], 4)
    assert series.forfeits == []
    assert bot.restarts == 4
    assert certify(SpielPlayer(bot, load("2x3k3")), Game.parse("2x3k3")).difference is None


def test_a_bot_that_plays_what_it_may_not_loses() -> None:
    player = SpielPlayer(Listening(wrong=True))
    with pytest.raises(Forfeit, match="it failed: '99 is no legal action"):
        player(Game().start())
    with pytest.raises(CannotPlay, match="was made for 3x3k3, not for 4x4k4"):
        player(Game.parse("4x4k4").start())


# Values


def test_values_are_a_policy_that_nobody_can_exploit() -> None:
    game = load("2x3k3")
    table = tabular_policy(game)
    assert exploitability.nash_conv(game, table) == 0
    assert len(table.states) == sum(not position.is_over for position in reachable(Game.parse("2x3k3")))


def test_the_table_has_the_best_moves_of_every_position() -> None:
    table = tabular_policy(load("3x3k3"))
    assert len(table.states) == 4520
    for position in reachable(Game()):
        if not position.is_over:
            chances = table.policy_for_key(str(position))
            assert [cell for cell in range(9) if chances[cell]] == best_moves(position)
            assert sum(chances) == pytest.approx(1)


def test_values_are_a_policy_of_their_games_too() -> None:
    exact = ValuePolicy(pyspiel.load_game("connect_four(rows=4,columns=4,x_in_row=4)"))
    state = exact.game.new_initial_state()
    for action in (1, 0, 1, 0, 1, 3):
        state.apply_action(action)
    assert exact.action_probabilities(state) == {1: 1.0}


def test_what_is_unknown_has_no_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CannotPlay, match="unknown"):
        ValuePolicy(load("15x15k5")).action_probabilities(load("15x15k5").new_initial_state())
    monkeypatch.setattr(openspiel, "MAX_TABLE", 10_000)
    with pytest.raises(CannotPlay, match="more than 10,000 positions, too many for a table"):
        tabular_policy(load("4x4k4"))


# The examples


def test_the_examples_of_the_bridge_and_of_its_page_are_so() -> None:
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    page = Path(__file__).resolve().parents[1] / "docs" / "how-to" / "openspiel.md"
    for found in (doctest.testmod(openspiel, optionflags=options),
                  doctest.testfile(str(page), module_relative=False, optionflags=options)):  # fmt: skip
        assert found.attempted > 0
        assert found.failed == 0


# Versions


@pytest.mark.parametrize(
    ("found", "says"), [("1.5", "needs open_spiel 2.0.2 or newer .*, and this is 1.5: pip install"), ("", "needs open")]
)
def test_an_older_openspiel_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch, found: str, says: str) -> None:
    def version(name: str) -> str:
        if not found:
            raise bridges.PackageNotFoundError(name)
        return found

    monkeypatch.setattr(bridges, "version", version)
    with pytest.raises(bridges.NoBridge, match=says):
        bridges.require("openspiel")


def test_importing_the_bridges_loads_nothing_of_the_others() -> None:
    code = "import sys, noughts.bridges; print([name for name in ('pyspiel', 'numpy') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
