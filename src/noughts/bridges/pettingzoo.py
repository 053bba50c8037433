"""PettingZoo: every game as an AEC environment, in the manner of its own `tictactoe_v3`.

    from noughts.bridges import pettingzoo
    env = pettingzoo.env(game="4x5k4", render_mode="ansi")

agents         player_1 is X, player_2 is O
observation    int8[rows, columns, 2], the agent's own cells first; `action_mask` int8[actions], all 0 out of turn
action         a cell, or where marks fall a column
reward         +1 and -1 at the end of a won game, 0 and 0 of a draw; an illegal action ends it with -1 and 0
"""

from __future__ import annotations

from typing import Any, ClassVar

from noughts.bridges import require

require("pettingzoo")

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from noughts.bridges.common import PictureWindow, beginning, picture, whole_action
from noughts.play.vector import IllegalAction, brief_action
from noughts.rules.board import Board
from noughts.rules.game import Game
from noughts.rules.notation import draw_board
from noughts.rules.position import Position

AGENTS = ("player_1", "player_2")  # X, O


def env(
    game: Game | str | None = None, start: Position | str | None = None, render_mode: str | None = None
) -> wrappers.OrderEnforcingWrapper:
    """The environment in the wrappers of `tictactoe_v3`: illegal actions end the game, misuse is told."""
    made = raw_env(game, start, render_mode)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class raw_env(AECEnv, EzPickle):  # type: ignore[misc]
    """The environment without wrappers."""

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["human", "rgb_array", "ansi"],
        "name": "noughts_v0",
        "is_parallelizable": False,
        "render_fps": 10,
    }

    def __init__(
        self, game: Game | str | None = None, start: Position | str | None = None, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.start = beginning(game, start)
        EzPickle.__init__(self, str(self.start.game), self.start, render_mode)
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"there is no render mode {render_mode!r}: expected human, rgb_array or ansi")
        self.game, self.render_mode = self.start.game, render_mode
        self.window = PictureWindow(f"noughts {self.game}", 10)
        self.possible_agents = [*AGENTS]
        shape, actions = (self.game.rows, self.game.columns, 2), self.game.rule.most_moves
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low=0, high=1, shape=shape, dtype=np.int8),
                    "action_mask": spaces.Box(low=0, high=1, shape=(actions,), dtype=np.int8),
                }
            )
            for agent in AGENTS
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in AGENTS}
        self._begin()

    def _begin(self) -> None:
        self.board = Board.from_position(self.start)
        self.agents = [*AGENTS]
        self.rewards, self._cumulative_rewards = dict.fromkeys(AGENTS, 0), dict.fromkeys(AGENTS, 0)
        self.terminations, self.truncations = dict.fromkeys(AGENTS, False), dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.board.turn.index]

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent can do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; nothing in it is random."""
        self._begin()

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        """The board as an agent sees it, its own cells first."""
        game, own = self.game, AGENTS.index(agent)
        cells = np.frombuffer(self.board.bytes(), np.uint8)
        planes, mask = np.empty((game.cells, 2), np.int8), np.zeros(game.rule.most_moves, np.int8)
        np.equal(cells, own + 1, out=planes[:, 0])
        np.equal(cells, 2 - own, out=planes[:, 1])
        if agent == self.agent_selection:  # as in tictactoe_v3, of a finished game too
            np.equal(cells[: len(mask)], 0, out=mask)
        return {"observation": planes.reshape(game.rows, game.columns, 2), "action_mask": mask}

    def step(self, action: Any) -> None:
        """The selected agent acts."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        number = whole_action(action)
        cell = self.board.cell_of(number)
        if cell is None:
            raise IllegalAction(brief_action(self.game, number))
        self.board.push(cell)
        if self.board.is_over:
            winner = self.board.winner
            if winner:
                self.rewards[AGENTS[winner.index]] += 1
                self.rewards[AGENTS[winner.other.index]] -= 1
            self.terminations = dict.fromkeys(AGENTS, True)
            self._accumulate_rewards()
        self.agent_selection = AGENTS[self.board.turn.index]
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | np.ndarray[Any, Any] | None:
        """The board as text, as an image, or in a window."""
        if self.render_mode is None:
            gymnasium.logger.warn("You are calling render method without specifying any render mode.")
            return None
        position = self.board.position()
        if self.render_mode == "ansi":
            return draw_board(position)
        if self.render_mode == "rgb_array":
            return picture(position)
        self.window.show(picture(position))
        return None

    def close(self) -> None:
        """Close the window, if one was opened."""
        self.window.close()
