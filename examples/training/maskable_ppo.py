"""MaskablePPO learns 3x3 in some minutes, and certification then says exactly how good it has become.

    make train                                          or, where stable-baselines3 and sb3-contrib are installed:
    python examples/training/maskable_ppo.py [STEPS]

It learns both sides against a player that plays exactly half of the time and anything otherwise. Afterwards nothing is
sampled: certification follows the learner through every game that can arise, and each decision is judged by the value;
then the learner plays on from every position that is not lost yet, against every opponent that there could be.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import cache
from random import Random
from time import perf_counter

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env

from noughts import Game, Position, value
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
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make())
    model = MaskablePPO(
        "MlpPolicy", make_vec_env(make, n_envs=16, seed=1), n_steps=128, batch_size=512, gamma=1.0, ent_coef=0.02,
        policy_kwargs={"net_arch": [128, 128]}, seed=1, device="cpu",
    )  # fmt: skip
    start = perf_counter()
    model.learn(steps)
    print(f"MaskablePPO took {steps:,} steps in {perf_counter() - start:.0f} s")

    @cache
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
    open_still = [each for each in Game().positions() if not each.is_over and value(each).outcome != "loss"]
    beaten = sum(loses_from(position, learner) for position in open_still)
    print(f"of all {len(open_still):,} positions that whoever is to move need not lose, it still loses from {beaten:,}")


def loses_from(position: Position, player: Callable[[Position], int]) -> bool:
    """Can some opponent beat the player, who is to move here?"""
    after = position.play(player(position))
    if after.is_over:
        return after.winner is after.turn
    ends = [after.play(cell) for cell in after.moves()]
    return any(end.winner is after.turn if end.is_over else loses_from(end, player) for end in ends)


if __name__ == "__main__":
    main()
