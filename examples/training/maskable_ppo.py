"""MaskablePPO learns 3x3 in some minutes, and certification then says exactly how good it has become.

    make train                                          or, where stable-baselines3 and sb3-contrib are installed:
    python examples/training/maskable_ppo.py [STEPS]

It learns both sides against a player that plays exactly half of the time and anything otherwise. Afterwards nothing is
sampled: certification follows the learner through every game that can arise, and each decision is judged by the value.
"""

from __future__ import annotations

import sys
from random import Random
from time import perf_counter

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env

from noughts import Game, Position, move_values
from noughts.bridges.gymnasium import KInARow
from noughts.play import certify, find_player
from noughts.rules.notation import format_move

STEPS = 400_000
DICE = Random(1)
EXACT, ANY = find_player("perfect"), find_player("random")


def half_exact(position: Position) -> int:
    """Exact half of the time, else any move."""
    liked = (EXACT if DICE.random() < 0.5 else ANY).choices(position)
    return DICE.choice(liked)


def make() -> KInARow:
    """The learner's environment: flat observations, either side."""
    return KInARow("3x3k3", opponent=half_exact, side="random", flat=True)


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else STEPS
    check_env(make())
    model = MaskablePPO(
        "MlpPolicy", make_vec_env(make, n_envs=16, seed=1), n_steps=128, batch_size=512, gamma=1.0, ent_coef=0.02,
        policy_kwargs={"net_arch": [128, 128]}, seed=1, device="cpu",
    )  # fmt: skip
    start = perf_counter()
    model.learn(steps)
    print(f"MaskablePPO took {steps:,} steps in {perf_counter() - start:.0f} s")

    def learner(position: Position) -> int:
        mask = position.mask().astype(np.bool_)
        action, _ = model.predict(position.planes().reshape(-1), action_masks=mask, deterministic=True)
        return int(action)

    found = certify(learner, Game())
    for side in (found.x, found.o):
        lost = side.decisions - side.kept_value
        print(f"as {side.mark}: {lost} of {side.decisions} positions that it can meet lose value by its move; ", end="")
        if side.counterexample is None:
            print("it never loses: proven")
        else:
            print("it loses, for example", " ".join(format_move(Game(), cell) for cell in side.counterexample))
    going_on = [position for position in Game().positions() if not position.is_over]
    wrong = sum(loses_value(position, learner(position)) for position in going_on)
    print(f"of all {len(going_on):,} positions in which somebody is to move, {wrong} lose value by its move")


def loses_value(position: Position, cell: int) -> bool:
    """Does this move end worse, with best play after it, than the best one?"""
    values = {move: value for move, value in move_values(position).items() if value}
    return values[cell].outcome != max(values.values()).outcome


if __name__ == "__main__":
    main()
