"""Real episodes of Kaggle's environments with submissions of noughts: `make kaggle`.

Runs in an environment of its own, which has kaggle_environments and no noughts: the submission brings it. With --record
it keeps what the agent was shown and answered, for the tests.

    python hardening/kaggle_episodes.py SUBMISSION.tar.gz [--record FILE]
"""

from __future__ import annotations

import argparse
import json
import tarfile
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

EPISODES: list[tuple[str, dict[str, Any]]] = [
    ("connectx", {}),
    ("connectx", {"rows": 4, "columns": 5, "inarow": 3}),
    ("open_spiel_tic_tac_toe", {"includeLegalActions": True}),
    ("open_spiel_connect_four", {"includeLegalActions": True}),
]


def play(environment: str, configuration: dict[str, Any], agents: list[Any], ours: int) -> tuple[Any, list[Any]]:
    """One episode: how it ended for our agent, and all that it was asked."""
    from kaggle_environments import make

    env = make(environment, configuration=configuration)
    steps = env.run(agents)
    if [agent["status"] for agent in steps[-1]] != ["DONE", "DONE"]:
        raise SystemExit(f"{environment}: {[agent['status'] for agent in steps[-1]]}")
    asked = []
    for before, after in pairwise(steps):
        if before[ours]["status"] == "ACTIVE":
            shown = {**before[0]["observation"], **before[ours]["observation"]}
            asked.append(
                {"observation": shown, "configuration": dict(env.configuration), "action": after[ours]["action"]}
            )
    return steps[-1][ours]["reward"], asked


def main() -> None:
    """Play every episode from both sides, and say how it went."""
    parser = argparse.ArgumentParser()
    parser.add_argument("submission", type=Path)
    parser.add_argument("--record", type=Path)
    given = parser.parse_args()
    recorded: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as unpacked:
        with tarfile.open(given.submission) as archive:
            archive.extractall(unpacked, filter="data")
        agent = str(Path(unpacked) / "main.py")
        for environment, configuration in EPISODES:
            for ours in (0, 1):
                agents = [agent, "random"] if ours == 0 else ["random", agent]
                reward, asked = play(environment, configuration, agents, ours)
                size = "x".join(str(value) for value in configuration.values() if not isinstance(value, bool))
                what = f"{environment}{size and f' {size}'}, player {ours + 1}"
                print(f"{given.submission.name}: {what}: {reward:+g} in {len(asked)} moves")
                recorded[what] = asked
    if given.record:
        given.record.write_text(json.dumps(recorded), encoding="utf-8")


if __name__ == "__main__":
    main()
