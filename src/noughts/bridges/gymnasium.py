"""Gymnasium: one learner against a player of noughts, as a single environment or as thousands of boards at once.

    import gymnasium as gym
    NAME = "noughts.bridges.gymnasium:noughts/KInARow-v0"       # the part before the colon is imported first
    env = gym.make(NAME, game="4x4k3", opponent="level-3", side="X")
    envs = gym.make_vec(NAME, num_envs=4096, vectorization_mode="vector_entry_point", opponent="random")

observation    int8[2, rows, columns], the learner's cells first; with flat=True int8[2 * rows * columns], since
               Stable-Baselines3 takes three dimensions for an image
action         a cell, or where marks fall a column; the mask of those that may be taken is in info["action_mask"], and
               `env.unwrapped.action_masks()` gives it to sb3-contrib
reward         +1, 0 or -1 for the learner, at the end
opponent       any player of noughts by name or as a function, `first` (free cell), `exact`; None: the learner moves for
               both sides, and the reward is for the side that moved. Thousands at once know random, first and exact.
illegal        an action that cannot be taken now: `lose` (the default), `refuse` (InvalidAction) or `ignore`; one that
               is no cell or column at all is always refused
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from noughts.bridges import require

require("gymnasium")

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.vector import AutoresetMode

from noughts.bridges.common import PictureWindow, beginning, picture, whole_action
from noughts.play import Player, find_player
from noughts.play.player import played
from noughts.play.vector import ILLEGAL, OPPONENTS, IllegalAction, VectorEnv, brief_action
from noughts.rules.board import Board
from noughts.rules.game import Cell, Game
from noughts.rules.marks import Mark
from noughts.rules.notation import draw_board
from noughts.rules.position import Position
from noughts.words import brief, known

Array = np.ndarray[Any, Any]

ID = "noughts/KInARow-v0"
OURS: dict[str, Callable[[int], Player]] = {  # of the core's names, those that are no names of players
    "first": lambda seed: lambda position: position.moves()[0],
    "exact": lambda seed: find_player("perfect", seed),
}


class NoSuchChoice(ValueError):
    """There is no such side, opponent, or way with illegal actions."""


def _spaces(game: Game, flat: bool) -> tuple[spaces.Box, spaces.Discrete]:
    shape = (2 * game.cells,) if flat else (2, game.rows, game.columns)
    return spaces.Box(0, 1, shape, np.int8), spaces.Discrete(game.rule.most_moves)


class KInARow(gymnasium.Env[Array, Any]):  # type: ignore[misc]
    """One game after the other, for one learner."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["human", "rgb_array", "ansi"], "render_fps": 10}

    def __init__(
        self, game: Game | str | None = None, opponent: str | Player | None = "random", side: str | Mark = "X",
        start: Position | str | None = None, illegal: str = "lose", flat: bool = False, render_mode: str | None = None,
    ) -> None:  # fmt: skip
        self.start = beginning(game, start)
        self.game, self.flat, self.render_mode = self.start.game, flat, render_mode
        known("side", str(side), ("X", "O", "random"), NoSuchChoice)
        known("way with illegal actions", illegal, ILLEGAL, NoSuchChoice)
        if render_mode is not None:
            known("render mode", render_mode, self.metadata["render_modes"], NoSuchChoice)
        self.side, self.illegal, self.opponent = str(side), illegal, opponent
        if opponent is None and self.side != "X":
            raise NoSuchChoice("without an opponent the learner moves for both sides: leave out side")
        self.player: Player | None = self._player(0)  # and if there is no such player, that is said now
        others_turn = self.side != self.start.turn.value and opponent is not None
        if others_turn and any(self.start.play(cell).is_over for cell in self.start.moves()):
            raise ValueError(
                f"the opponent's first move could end the game at {self.start}: give the learner the first move"
            )
        self.observation_space, self.action_space = _spaces(self.game, flat)
        self.window = PictureWindow(f"noughts {self.game}", self.metadata["render_fps"])
        self.board: Board | None = None
        self.learner = Mark.X

    def _player(self, seed: int) -> Player | None:
        if not isinstance(self.opponent, str):
            if self.opponent is not None and not callable(self.opponent):
                raise TypeError(f"an opponent is a player's name or a function, not {brief(self.opponent)}")
            return self.opponent
        made = OURS.get(self.opponent)
        return made(seed) if made else find_player(self.opponent, seed)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin a game; the opponent moves if it is its turn."""
        super().reset(seed=seed)
        self.board = Board.from_position(self.start)
        chance, player_seed = self.np_random.integers(0, [2, 2**31])
        self.learner = Mark(self.side) if self.side != "random" else (Mark.X, Mark.O)[int(chance)]
        self.player = self._player(int(player_seed))
        if self.player and self.board.turn is not self.learner:
            self._answer(self.board, self.player)
        self._show()
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Act, and let the opponent answer."""
        if self.board is None or self.board.is_over:
            raise ResetNeeded("the game is over, or none has begun: call reset() first")
        mover, cell = self.board.turn, self._cell(action)
        if cell is None:
            lost = self.illegal == "lose"
            info = {**self._info(), "illegal": True}
            if lost:
                seen, self.board = self._seen(), None
                return seen, -1.0, True, False, info
            return self._seen(), 0.0, False, False, info
        self.board.push(cell)
        if self.player and not self.board.is_over:
            self._answer(self.board, self.player)
        winner = self.board.winner
        reward = 0.0 if winner is None else 1.0 if winner is mover else -1.0
        self._show()
        return self._seen(), reward, self.board.is_over, False, self._info()

    def _cell(self, action: Any) -> Cell | None:
        """The cell of an action, None if it cannot be taken; InvalidAction for what is no action at all."""
        assert self.board is not None
        try:
            number = whole_action(action)
        except TypeError as problem:
            raise InvalidAction(str(problem)) from None
        if not 0 <= number < self.game.rule.most_moves:
            raise InvalidAction(brief_action(self.game, number))
        cell = self.board.cell_of(number)
        if cell is None and self.illegal == "refuse":
            raise InvalidAction(brief_action(self.game, number))
        return cell

    def _answer(self, board: Board, player: Player) -> None:
        position = board.position()
        board.push(played(position, player(position))[0])

    def action_masks(self) -> Array:
        """Which actions may be taken, as sb3-contrib asks for it."""
        if self.board is None:
            return np.zeros(self.game.rule.most_moves, np.bool_)
        return self.board.mask().astype(np.bool_)

    def _seen(self) -> Array:
        assert self.board is not None
        planes = self.board.planes()
        if self.player and self.board.turn is not self.learner:  # the game is over, and it would be the other's turn
            planes = planes[::-1].copy()
        return planes.reshape(self.observation_space.shape)

    def _info(self) -> dict[str, Any]:
        assert self.board is not None
        return {"action_mask": self.board.mask()}

    def render(self) -> Any:
        """The board as text, as an image, or in a window."""
        if self.board is None or self.render_mode is None:
            return None
        position = self.board.position()
        if self.render_mode == "ansi":
            return draw_board(position)
        if self.render_mode == "rgb_array":
            return picture(position)
        self.window.show(picture(position))
        return None

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Close the window, if one was opened."""
        self.window.close()


class KInARowVector(gymnasium.vector.VectorEnv[Array, Array, Array]):  # type: ignore[misc]
    """Many boards at once, on the vector environment of the core. A game that ends begins anew in the same step."""

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(
        self, num_envs: int = 1, game: Game | str | None = None, opponent: str | None = "random",
        side: str | Mark = "X", start: Position | str | None = None, illegal: str = "lose", flat: bool = False,
        copy: bool = True, render_mode: str | None = None,
    ) -> None:  # fmt: skip
        if render_mode is not None:
            raise NoSuchChoice("many boards at once are not shown: leave out render_mode")
        if opponent is not None:
            known("opponent for many boards at once", opponent, OPPONENTS[1:], NoSuchChoice)
        position = beginning(game, start)
        self.env = VectorEnv(
            position.game, num_envs, opponent=opponent, side=side, illegal=illegal, start=position, finals=True
        )
        self.num_envs, self.copy, self.render_mode = num_envs, copy, None
        self.single_observation_space, self.single_action_space = _spaces(position.game, flat)
        batch = gymnasium.vector.utils.batch_space
        self.observation_space = batch(self.single_observation_space, num_envs)
        self.action_space = batch(self.single_action_space, num_envs)
        self.actions = np.uint64(position.game.rule.most_moves)
        self.never = np.zeros(num_envs, np.bool_)
        self.begun = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin a game on every board."""
        if options:
            raise NoSuchChoice("a reset begins all games anew, and takes no options")
        super().reset(seed=seed)
        if seed is None and not self.begun:
            seed = int(self.np_random.integers(2**31))
        self.env.reset(seed)
        self.begun = True
        return self._seen(), {"action_mask": self._own(self.env.rows.masks)}

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Take an action on every board."""
        if not self.begun:
            raise ResetNeeded("no game has begun: call reset() first")
        try:
            chosen = self.env.checked(actions)
            if (wrong := chosen.view(np.uint64) >= self.actions).any():
                board = int(wrong.argmax())  # what is no action at all is no move that could lose or be ignored
                raise IllegalAction(f"board {board}: {brief_action(self.env.game, int(chosen[board]))}")
            rows = self.env.step(chosen)
        except ValueError as problem:
            raise InvalidAction(str(problem)) from None
        info: dict[str, Any] = {"action_mask": self._own(rows.masks)}
        if rows.illegal.any():
            info["illegal"] = self._own(rows.illegal)
        ended = self._own(rows.terminations)
        if ended.any():
            assert rows.finals is not None
            info |= {"final_obs": self._own(rows.finals).reshape(self.observation_space.shape), "_final_obs": ended}
        return self._seen(), self._own(rows.rewards), ended, self._own(self.never), info

    def _seen(self) -> Array:
        return self._own(self.env.rows.observations).reshape(self.observation_space.shape)

    def _own(self, array: Array) -> Array:
        """An array for the caller: a copy, or with copy=False the very one that the next step writes to."""
        return array.copy() if self.copy else array


if ID not in gymnasium.registry:
    gymnasium.register(ID, entry_point=KInARow, vector_entry_point=KInARowVector)
