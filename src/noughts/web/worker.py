"""In a process beside the server: do a job, let the server go first, and end with it."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from typing import Any


def answer(seconds: int, job: Callable[..., dict[str, Any]], *args: Any) -> bytes:
    """Do a job. Should the server be killed meanwhile, an alarm ends this process too."""
    set_alarm(seconds)
    try:
        return dump(job(*args))
    finally:
        set_alarm(0)


def dump(data: Any) -> bytes:
    """An answer as JSON."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def step_back() -> None:
    """Let the server go first, and leave Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setpriority"):  # not on Windows
        os.setpriority(os.PRIO_PROCESS, 0, max(10, os.getpriority(os.PRIO_PROCESS, 0)))


def set_alarm(seconds: int) -> None:
    """End this process after so many seconds; 0: do not."""
    if hasattr(signal, "alarm"):  # not on Windows
        signal.alarm(seconds)
