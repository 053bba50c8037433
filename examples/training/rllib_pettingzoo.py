"""RLlib takes noughts through its wrapper of PettingZoo: a game, each move the first that the mask allows.

make rllib                                          or, where ray[rllib] is installed:
python examples/training/rllib_pettingzoo.py
"""

from __future__ import annotations

from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv

from noughts.bridges import pettingzoo


def main() -> None:
    env = PettingZooEnv(pettingzoo.env("3x3k3"))
    seen, _ = env.reset(seed=1)
    moves = 0
    while True:
        ((agent, observation),) = seen.items()
        action = int(observation["action_mask"].argmax())
        seen, rewards, ended, _, _ = env.step({agent: action})
        moves += 1
        if ended["__all__"]:
            break
    print(f"RLlib played a game of {moves} moves; rewards {dict(rewards)}")


if __name__ == "__main__":
    main()
