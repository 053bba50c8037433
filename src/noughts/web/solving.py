"""One solve as a process of its own: `python -m noughts.web.solving 4x4k4 1200` prints a line of JSON for each step.

    {"event": "progress", "level": 5, "done": 512, "size": 937, "seconds": 0.02}
    {"event": "summary", …}      the answer of `noughts solve --json`
    {"event": "problem", "detail": "one sentence"}

The number is the most seconds that it may take. Levels are solved from the full board down: `level` is the number of
marks at work, and `done` of `size` bytes are computed. The process ends when whoever started it closes its input.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from time import perf_counter
from typing import Any

from noughts.game import Game
from noughts.solve.strong import Expected, expect, solve
from noughts.web.worker import step_back


class TooMuchWork(ValueError):
    """Nobody waits that long before a page."""


def expect_at_most(game: Game, seconds: int) -> Expected:
    """What this solve takes; refused if that is more than the machine has, or takes longer."""
    expected = expect(game)
    expected.require(None, None)
    if expected.seconds > seconds:
        raise TooMuchWork(f"{expected}; over HTTP a solve may take {seconds} seconds, in the shell as long as it needs")
    return expected


def say(event: str, data: dict[str, Any]) -> None:
    """Print one line for the server."""
    print(json.dumps({"event": event, **data}), flush=True)


def leave_with_parent() -> None:
    """Wait for the end of the input, then end."""
    sys.stdin.read()
    os._exit(0)


def main() -> None:
    """Solve the game named on the command line."""
    step_back()
    threading.Thread(target=leave_with_parent, daemon=True).start()
    game, seconds = Game.parse(sys.argv[1]), int(sys.argv[2])
    began = perf_counter()
    said = (-1, 0.0)

    def progress(level: int, done: int, size: int) -> None:
        nonlocal said
        seconds = perf_counter() - began
        if level != said[0] or seconds - said[1] > 0.1:
            said = level, seconds
            say("progress", {"level": level, "done": done, "size": size, "seconds": round(seconds, 3)})

    try:
        size = expect_at_most(game, seconds).size
        progress(game.cells, 0, size)
        say("summary", solve(game, progress=progress).to_json())
    except ValueError as problem:
        say("problem", {"detail": str(problem)})


if __name__ == "__main__":
    main()
