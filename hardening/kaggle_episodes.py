"""Real episodes of Kaggle's environments with submissions of noughts: `make kaggle`.

Runs in an environment of its own, which has kaggle_environments and no noughts: the submission brings it. What the
agent was shown and answered is kept, for the tests.

    python hardening/kaggle_episodes.py SUBMISSION.tar.gz FILE.json
"""

from __future__ import annotations

import json
import sys
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
    if (ends := [agent["status"] for agent in steps[-1]]) != ["DONE", "DONE"]:
        raise SystemExit(f"{environment}: {ends}")
    asked = [
        {
            "observation": {**before[0]["observation"], **before[ours]["observation"]},
            "configuration": dict(env.configuration),
            "action": after[ours]["action"],
        }
        for before, after in pairwise(steps)
        if before[ours]["status"] == "ACTIVE"
    ]
    return steps[-1][ours]["reward"], asked


def main(submission: str, file: str) -> None:
    """Play every episode from both sides, and say how it went."""
    recorded: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as unpacked:
        with tarfile.open(submission) as archive:
            archive.extractall(unpacked, filter="data")
        agent = str(Path(unpacked) / "main.py")
        for environment, configuration in EPISODES:
            for ours, agents in enumerate(([agent, "random"], ["random", agent])):
                reward, asked = play(environment, configuration, agents, ours)
                size = "x".join(str(value) for value in configuration.values() if not isinstance(value, bool))
                what = f"{environment}{size and f' {size}'}, player {ours + 1}"
                print(f"{submission}: {what}: {reward:+g} in {len(asked)} moves")
                recorded[what] = asked
    Path(file).write_text(json.dumps(recorded), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
