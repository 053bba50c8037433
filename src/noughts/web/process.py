"""What the processes of long runs share: each does one piece of work and prints a line of JSON for every event.

    {"event": "progress", "level": 5, …}         now and then; takes the place of the one before it of the same level
    {"event": "summary", …}                      the result, or
    {"event": "problem", "detail": "one sentence"}

A run begins with `carry_out(work)`: the words of the command line are the arguments of `work`, which returns the
summary. The process lets the server go first, and ends when whoever started it closes its input.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from time import perf_counter
from typing import Any

from noughts.web.worker import step_back

PAUSE = 0.1  # seconds between two events that can wait


def say(event: str, data: dict[str, Any]) -> None:
    """Print one line for the server."""
    print(json.dumps({"event": event, **data}), flush=True)


def carry_out(work: Callable[..., dict[str, Any]]) -> None:
    """Do the work of this process, and tell its result or what is wrong with the question."""
    step_back()
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    try:
        say("summary", work(*sys.argv[1:]))
    except ValueError as problem:
        if type(problem).__module__.partition(".")[0] != "noughts":
            raise  # not a complaint about the question, but a fault of ours
        say("problem", {"detail": str(problem)})


class Clock:
    """The time since the start, and whether it is time to tell something again."""

    def __init__(self) -> None:
        self.began = perf_counter()
        self.told = self.began - PAUSE

    @property
    def seconds(self) -> float:
        """The seconds since the start."""
        return perf_counter() - self.began

    def strikes(self) -> bool:
        """Was nothing told for a while? Then it is to be told now."""
        now = perf_counter()
        if now - self.told < PAUSE:
            return False
        self.told = now
        return True


def _leave_with_parent() -> None:
    """Wait for the end of the input, then end."""
    sys.stdin.read()
    os._exit(0)
