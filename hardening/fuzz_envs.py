"""Actions of every kind for the environments of learners: Gymnasium, PettingZoo, and many boards at once.

Law: what is an action is taken as the rules have it, and is shown so; what is none is refused in one line, or answered
as was agreed (lose, ignore), and changes nothing.
"""

from __future__ import annotations

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
KINDS = ["gymnasium", "pettingzoo", "boards"]
BOARDS = 3


def made(rng: random.Random) -> bytes:
    """A chance: by it a kind of environment, a game, what becomes of illegal actions, and actions are chosen."""
    return b"%d" % rng.randrange(2**40)


def law(data: bytes) -> str:
    """Act, and follow by the rules."""
    rng = random.Random(data)
    kind, game, illegal = rng.choice(KINDS), Game.parse(rng.choice(GAMES)), rng.choice(ILLEGAL)
    odd, most = rng.choice((0, 0.1, 0.5)), game.rule.most_moves
    actions = [rng.choice(ODD) if rng.random() < odd else rng.randrange(-1, most + 1) for _ in range(40)]
    if kind == "boards":
        refused = _boards(VectorEnv(game, BOARDS, illegal=illegal), actions)
    elif kind == "gymnasium":
        refused = _follow(_gymnasium(game, illegal), InvalidAction, game, illegal, actions)
    else:
        refused = _follow(_pettingzoo(game), (TypeError, ValueError), game, "refuse", actions)
    return f"{kind}: {'refused' if refused else 'taken'}"


def _gymnasium(game: Game, illegal: str) -> Any:
    env = KInARow(game, opponent=None, illegal=illegal)
    env.reset(seed=0)

    def step(action: Any) -> Any:
        seen, reward, over, _, info = env.step(action)
        return seen, info["action_mask"], reward, over, info.get("illegal", False)

    return step


def _pettingzoo(game: Game) -> Any:
    env = pettingzoo.raw_env(game)
    env.reset()

    def step(action: Any) -> Any:
        mover = env.agent_selection
        env.step(action)
        seen = env.observe(env.agent_selection)
        over = all(env.terminations.values())
        return seen["observation"].transpose(2, 0, 1), seen["action_mask"], env.rewards[mover], over, False

    return step


def _follow(step: Any, refusal: Any, game: Game, illegal: str, actions: list[Any]) -> int:
    """Play until the game is over; how often an action was refused."""
    position, refused, over = game.start(), 0, False
    for action in actions:
        if over:
            break
        cell = cell_of(position, action)
        try:
            planes, mask, reward, over, bad = step(action)
        except refusal as problem:
            require(cell is None, f"{action!r} was refused in {position}: {problem}")
            one_line(str(problem))
            refused += 1
            continue
        require(bad == (cell is None), f"{action!r} was taken in {position}")
        right = (-1.0, True) if illegal == "lose" else (0.0, False)
        if cell is not None:
            mover, position = position.turn, position.play(cell)
            right = {None: 0.0, mover: 1.0}.get(position.winner, -1.0), position.is_over
        require((reward, over) == right, f"{reward}, {over} for {action!r}, at {position}")
        x, o = ([side >> each & 1 for each in range(game.cells)] for side in position.sides)
        require([*planes.reshape(2, -1)[0]] == x and [*planes.reshape(2, -1)[1]] == o, f"{position} is shown: {planes}")
        places = {each % game.columns if game.gravity else each for each in position.moves()}
        require(over or {*map(int, np.flatnonzero(mask))} == places, f"{position} has the mask {mask}")
    return refused


def cell_of(position: Position, action: Any) -> int | None:
    """The cell of an action, if it can be taken; the rules, said once more."""
    whole = isinstance(action, (int, np.integer)) and not isinstance(action, (bool, np.bool_))
    whole = whole or (isinstance(action, np.ndarray) and action.shape == () and action.dtype.kind in "iu")
    places = {cell % position.game.columns if position.game.gravity else cell: cell for cell in position.moves()}
    return places.get(int(action)) if whole else None


def _boards(env: VectorEnv, actions: list[Any]) -> int:
    """Many boards, of which only a refusal changes nothing; how often there was one."""
    env.reset()
    refused = 0
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
    return refused
