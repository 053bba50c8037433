"""OpenSpiel: every game of noughts as one of its games, its bots as players here, our players as bots there.

    pyspiel.load_game("noughts(game=15x15k5e)")     once this module is imported
    position_of(state)     state_of(position)       between the two, for its own tic_tac_toe, mnk, gomoku and
                                                    connect_four as well
    SpielBot(player)      SpielPlayer(bot)           a player as a pyspiel.Bot, a bot as a player
    ValuePolicy(game)      tabular_policy(game)     exact values as a policy: any best move

Player 0 is X, an action a cell, or where marks fall a column; a line is worth 1 to whom it makes win. The information
state is the position: orders of moves that lead to the same board are one state.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from noughts.bridges import require

require("openspiel")

import numpy as np
import pyspiel
from open_spiel.python import policy

from noughts.bridges.spiel import NAME, game_named
from noughts.play.player import CannotPlay, Forfeit, Player, choices, describe
from noughts.play.simple import Perfect
from noughts.rules.game import Cell, Game
from noughts.rules.legality import check
from noughts.rules.marks import Mark
from noughts.rules.notation import column_letters, format_move
from noughts.rules.position import IllegalMove, Position
from noughts.words import brief

USUAL = "3x3k3"
MAX_TABLE = 250_000  # positions of a tabular policy

TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="k in a row on any board",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"game": USUAL},
)


def cell_of(position: Position, action: int) -> Cell:
    """The cell of an action; SpielError where it cannot be played."""
    cell = position.game.rule.cell_of(action, position.playable)
    if cell is None:
        raise pyspiel.SpielError(f"{brief(action)} is no legal action in {position}")
    return cell


# The game, as OpenSpiel has games


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of noughts."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        try:
            self.game = Game.parse(str((params or {}).get("game", USUAL)))
        except ValueError as problem:
            raise pyspiel.SpielError(str(problem)) from None
        game = self.game
        info = pyspiel.GameInfo(
            num_distinct_actions=game.columns if game.gravity else game.cells,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=game.cells,
        )
        super().__init__(TYPE, info, params or {})

    def new_initial_state(self, state: Any = None) -> SpielState:
        """The empty board; OpenSpiel's description of another state is not read."""
        if state is not None:
            raise pyspiel.SpielError("a state of noughts begins with the empty board: apply the actions of the game")
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> BoardObserver:
        """What both players see: the board."""
        return BoardObserver(self.game, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position of noughts."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.position = game.game.start()

    def current_player(self) -> int:
        """0 for X, 1 for O, or that the game is over."""
        if self.position.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return 0 if self.position.turn is Mark.X else 1

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.position.game.rule.action_of(cell) for cell in self.position.moves())

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(cell_of(self.position, action))

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.position.game
        return f"{'XO'[player]} {column_letters(action) if game.gravity else format_move(game, action)}"

    def is_terminal(self) -> bool:
        """Is the game over?"""
        return self.position.is_over

    def returns(self) -> list[float]:
        """What the game was worth to X and to O."""
        winner = self.position.winner
        worth = 0.0 if winner is None else 1.0 if winner is Mark.X else -1.0
        return [worth, -worth]

    def __str__(self) -> str:
        return str(self.position)


class BoardObserver:
    """The board as three planes: free cells, O and X, each from the top left, as OpenSpiel's own games of this kind."""

    def __init__(self, game: Game, params: Any) -> None:
        if params:
            raise pyspiel.SpielError(f"noughts has no parameters for observations, such as {brief(params)}")
        self.tensor = np.zeros(3 * game.cells, np.float32)
        self.dict = {"observation": self.tensor.reshape(3, game.rows, game.columns)}

    def set_from(self, state: SpielState, player: int) -> None:
        """See this state."""
        position = state.position
        for plane, bits in zip(self.dict["observation"], (position.empty, position.o, position.x), strict=True):
            plane[:] = bits_of(bits, position.game.cells).reshape(plane.shape)

    def string_from(self, state: SpielState, player: int) -> str:
        """The position as text."""
        return str(state.position)


def bits_of(bits: int, count: int) -> Any:
    """A set of cells as an array of 0 and 1."""
    packed = np.frombuffer(bits.to_bytes(-(-count // 8), "little"), np.uint8)
    return np.unpackbits(packed, count=count, bitorder="little")


pyspiel.register_game(TYPE, SpielGame)


# Its own games of this kind


def game_of(spiel: Any) -> Game:
    """The game that a game of OpenSpiel is; CannotPlay if it is none of ours.

    >>> str(game_of(pyspiel.load_game("mnk(m=5,n=4,k=3)"))), str(game_of(pyspiel.load_game("connect_four")))
    ('4x5k3', '6x7k4g')
    """
    return game_named(spiel.get_type().short_name, spiel.get_type().parameter_specification | spiel.get_parameters())


def position_of(state: Any) -> Position:
    """The position of a state of OpenSpiel."""
    if isinstance(state, SpielState):
        return state.position
    position = game_of(state.get_game()).start()
    for action in state.history():
        position = position.play(cell_of(position, action))
    return position


def state_of(position: Position, spiel: Any = None) -> Any:
    """A state with this position: of `noughts`, or of the game of OpenSpiel that is given; reached in some order."""
    spiel = spiel or pyspiel.load_game(NAME, {"game": str(position.game)})
    state = spiel.new_initial_state()
    for action in actions_to(position):
        state.apply_action(action)
    return state


def actions_to(position: Position) -> list[int]:
    """Actions that lead to a position, in an order in which they can be played."""
    return [position.game.rule.action_of(cell) for cell in check(position).witness or ()]


# Players and bots


class SpielBot(pyspiel.Bot):  # type: ignore[misc]
    """A player of noughts as a bot, in every game that `game_of` knows; its policy is any of its choices."""

    def __init__(self, player: Player) -> None:
        super().__init__()
        self.player = player

    def __str__(self) -> str:
        return describe(self.player)

    def step(self, state: Any) -> int:
        """The action that the player chooses."""
        position = position_of(state)
        return position.game.rule.action_of(self.player(position))

    def provides_policy(self) -> bool:
        """A player always says among which moves it chooses."""
        return True

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        """Its choices, each as likely as the others."""
        position = position_of(state)
        return alike(position.game.rule.action_of(cell) for cell in choices(self.player, position))

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """Its choices, and the one that it makes."""
        return self.get_policy(state), self.step(state)

    def restart_at(self, state: Any) -> None:
        """A player remembers nothing: a position is all that it needs."""


class SpielPlayer:
    """A bot of OpenSpiel as a player of the game of OpenSpiel that it was made for, by default of `noughts`.

    The bot hears of every move of a game, as a bot there does; of another game than before it hears from its start.
    """

    def __init__(self, bot: Any, spiel: Any = None, name: str = "") -> None:
        self.bot = bot
        self.spiel = spiel or pyspiel.load_game(NAME)
        self.game = game_of(self.spiel)
        self.name = name or type(bot).__name__
        self.state: Any = None

    def __str__(self) -> str:
        return self.name

    def __call__(self, position: Position) -> Cell:
        if position.game != self.game:
            raise CannotPlay(f"{self} was made for {self.game}, not for {position.game}")
        try:
            self._follow(position)
            action = self.bot.step(self.state)
            cell = cell_of(position, action)
            self.state.apply_action(action)
        except (pyspiel.SpielError, IllegalMove) as problem:
            self.state = None
            raise Forfeit(position, f"it failed: {brief(str(problem), 160)}") from None
        return cell

    def _follow(self, position: Position) -> None:
        """Tell the bot what was played since it was last asked, or the whole of a new game."""
        before = None if self.state is None else position_of(self.state)
        actions = None if before is None else _between(before, position)
        if actions is None:
            self.bot.restart()
            self.state, actions = self.spiel.new_initial_state(), actions_to(position)
        for action in actions:
            self.bot.inform_action(self.state, self.state.current_player(), action)
            self.state.apply_action(action)


def _between(before: Position, after: Position) -> list[int] | None:
    """The one action from a position to another, or none if they are the same; None if there is no such way."""
    if before == after:
        return []
    new = (after.x | after.o) & ~(before.x | before.o)
    if new.bit_count() != 1 or (before.x & ~after.x) or (before.o & ~after.o):
        return None
    return [after.game.rule.action_of(new.bit_length() - 1)]


# Values


class ValuePolicy(policy.Policy):  # type: ignore[misc]
    """Any best move, each as likely as the others, wherever exact values are known."""

    def __init__(self, spiel: Any) -> None:
        super().__init__(spiel, [0, 1])
        self._known: dict[Position, dict[int, float]] = {}  # many orders of moves lead to one position

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        """The best actions: the highest value, the quickest win, the slowest loss."""
        position = position_of(state)
        if position not in self._known:
            perfect = Perfect()
            perfect.require(position)
            self._known[position] = dict(alike(position.game.rule.action_of(cell) for cell in perfect.likes(position)))
        return self._known[position]


def tabular_policy(spiel: Any) -> Any:
    """`ValuePolicy` as a table of all information states of a small game, for those algorithms that want one.

    Those of `noughts` are its positions; those of OpenSpiel's own games are orders of moves, which are far more.
    """
    game, states = game_of(spiel), None
    if spiel.get_type().short_name == NAME:
        states = {str(position): state_of(position, spiel) for position in _few(game)}
    table, exact = policy.TabularPolicy(spiel, states=states), ValuePolicy(spiel)
    table.action_probability_array[:] = 0.0
    for number, state in enumerate(table.states):
        for action, chance in exact.action_probabilities(state).items():
            table.action_probability_array[number][action] = chance
    return table


def _few(game: Game) -> list[Position]:
    """All positions in which somebody is to move, if they are not too many."""
    found = list(islice(game.positions(), MAX_TABLE + 1))
    if len(found) > MAX_TABLE:
        raise CannotPlay(f"{game} has more than {MAX_TABLE:,} positions, too many for a table")
    return [position for position in found if not position.is_over]


def alike(actions: Iterable[int]) -> list[tuple[int, float]]:
    """Actions with the same probability each."""
    several = sorted(set(actions))
    return [(action, 1 / len(several)) for action in several]
