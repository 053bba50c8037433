"""TorchRL takes noughts through Gymnasium and PettingZoo: its own check of both, and a game by each.

make torchrl                                        or, where torchrl is installed:
python examples/training/torchrl_specs.py
"""

from __future__ import annotations

from torchrl.envs import GymWrapper, PettingZooWrapper, check_env_specs

from noughts.bridges import pettingzoo
from noughts.bridges.gymnasium import KInARow


def main() -> None:
    single = GymWrapper(KInARow("4x4k3", opponent="random"))
    check_env_specs(single)
    print("Gymnasium: check_env_specs passed;", single.rollout(20).shape[0], "steps of a game, random actions")

    pair = PettingZooWrapper(pettingzoo.env("3x3k3"), use_mask=True)
    check_env_specs(pair)
    print("PettingZoo: check_env_specs passed;", pair.rollout(9).shape[0], "moves of a game, random legal actions")


if __name__ == "__main__":
    main()
