"""Actions of every kind for the environments of learners: Gymnasium, PettingZoo, and many boards at once.

Law: what is an action is taken as the rules have it, and is shown so; what is none is refused in one line, or answered
as was agreed (lose, ignore), and changes nothing.
"""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
from fuzzing import one_line
from gymnasium.error import InvalidAction
from laws import require

from noughts import Game, Position
from noughts.bridges import pettingzoo
from noughts.bridges.gymnasium import KInARow
from noughts.play.vector import ILLEGAL, VectorEnv

GAMES = ["3x3k3", "3x3k3m", "1x1k1", "2x5k2", "4x4k3g", "6x7k4g", "5x5k4e", "15x15k5"]
ODD: list[Any] = [
    None, True, np.True_, 1.5, float("nan"), "3", b"3", [], [3], {}, np.int64(3), np.uint8(255), np.array(3),
    np.array([3]), np.array([[3]]), np.float32(3), 2**63, -(2**63) - 1, 10**400, -1, object(), np.array([None]), 3j,
    np.datetime64("2026-01-01"), "x" * 9999, np.uint64(2**64 - 1), np.iinfo(np.int64).min, lambda: 3,
]  # fmt: skip
BOARDS = 3


def made(rng: random.Random) -> bytes:
    """A game, a kind of environment, and actions: from 1000 on they are odd ones."""
    game = Game.parse(rng.choice(GAMES))
    most = game.rule.most_moves
    odd = rng.choice((0, 0.1, 0.5))
    actions = [1000 + rng.randrange(len(ODD)) if rng.random() < odd else rng.randrange(-1, most + 1) for _ in range(40)]
    kind = rng.choice(("gymnasium", "pettingzoo", "boards"))
    return json.dumps([kind, str(game), rng.choice(ILLEGAL), actions]).encode()


def law(data: bytes) -> str:
    """Act, and follow by the rules."""
    kind, name, illegal, numbers = json.loads(data)
    actions = [ODD[number - 1000] if number >= 1000 else number for number in numbers]
    return f"{kind}: {globals()[f'_{kind}'](Game.parse(name), illegal, actions)}"


def cell_of(position: Position, action: Any) -> int | None:
    """The cell of an action, if it can be taken; the rules, said once more."""
    whole = isinstance(action, (int, np.integer)) and not isinstance(action, (bool, np.bool_))
    whole = whole or (isinstance(action, np.ndarray) and action.shape == () and action.dtype.kind in "iu")
    if not whole or position.is_over:
        return None
    game = position.game
    cells = [cell for cell in position.moves() if not game.gravity or cell % game.columns == int(action)]
    return next((cell for cell in cells if game.gravity or cell == int(action)), None)


def shown(position: Position, planes: Any, mask: Any) -> None:
    """Planes and mask are those of the position, the own cells of whoever is to move first."""
    x, o = ([side >> cell & 1 for cell in range(position.game.cells)] for side in position.sides)
    require([*planes.reshape(2, -1)[0]] == x and [*planes.reshape(2, -1)[1]] == o, f"{position} is shown as {planes}")
    places = {cell % position.game.columns if position.game.gravity else cell for cell in position.moves()}
    require({*map(int, np.flatnonzero(mask))} == places, f"{position} has the mask {mask}")


def _gymnasium(game: Game, illegal: str, actions: list[Any]) -> str:
    env, position, refused = KInARow(game, opponent=None, illegal=illegal), game.start(), 0
    env.reset(seed=0)
    for action in actions:
        cell = cell_of(position, action)
        try:
            seen, reward, over, _, info = env.step(action)
        except InvalidAction as problem:
            require(cell is None, f"{action!r} was refused in {position}: {problem}")
            one_line(str(problem))
            refused += 1
            continue
        if cell is None:
            require(illegal != "refuse" and info["illegal"], f"{action!r} was taken in {position}")
            require((reward, over) == ((-1.0, True) if illegal == "lose" else (0.0, False)), f"{reward} for {action!r}")
            if over:
                break
        else:
            mover, position = position.turn, position.play(cell)
            wins = {None: 0.0, mover: 1.0}.get(position.winner, -1.0)
            require((reward, over) == (wins, position.is_over), f"{reward}, {over} at {position}")
            shown(position, seen, info["action_mask"] if not over else np.zeros(1))
            if over:
                break
    return "refused" if refused else "taken"


def _pettingzoo(game: Game, _: str, actions: list[Any]) -> str:
    env, position, refused = pettingzoo.raw_env(str(game)), game.start(), 0
    env.reset()
    for action in actions:
        if position.is_over:
            break
        cell = cell_of(position, action)
        try:
            env.step(action)
        except (TypeError, ValueError) as problem:
            require(cell is None, f"{action!r} was refused in {position}: {problem}")
            one_line(str(problem))
            refused += 1
            continue
        require(cell is not None, f"{action!r} was taken in {position}")
        position = position.play(cell or 0)
        require(all(env.terminations.values()) == position.is_over, f"over or not at {position}")
        if not position.is_over:
            seen = env.observe(env.agent_selection)
            shown(position, seen["observation"].transpose(2, 0, 1), seen["action_mask"])
    return "refused" if refused else "taken"


def _boards(game: Game, illegal: str, actions: list[Any]) -> str:
    env, refused = VectorEnv(game, BOARDS, illegal=illegal), 0
    env.reset()
    for at in range(len(actions) - BOARDS):
        before = env.rows.observations.copy(), env.rows.masks.copy()
        try:
            given: Any = np.array(actions[at : at + BOARDS]) if at % 2 else actions[at : at + BOARDS]
        except (ValueError, OverflowError, TypeError):  # what numpy itself makes no array of
            given = actions[at]
        try:
            env.step(given)
        except (ValueError, TypeError, OverflowError) as problem:
            one_line(str(problem))
            same = (before[0] == env.rows.observations).all() and (before[1] == env.rows.masks).all()
            require(same, f"{given!r} was refused, and has changed something: {problem}")
            refused += 1
    return "refused" if refused else "taken"
