"""Starts other processes: the one place that does.

Most children are another Python, which runs a module of noughts, a piece of code or a file. It takes no module from the
folder it happens to run in (`-P`), and noughts from where this noughts is; it ignores what this Python was told to
ignore. What PYTHONPATH names is found as always: that is the user's business. Programs of the user's are kept by a
small Python of ours (`play.keeper`), which is the one exception: it becomes another program.

Every process gets a session of its own: Ctrl-C in the terminal comes to this one alone, which then ends the others.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen, SubprocessError, TimeoutExpired, run
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anyio.abc import Process

__all__ = ["Command", "Popen", "TimeoutExpired", "bare", "code", "file", "module", "open_process", "output", "start"]

ROOT = str(Path(__file__).parents[1])
FIND = f"import sys; sys.path.insert(0, {ROOT!r}); import noughts; del sys.path[0]\n"

Command = tuple[str, ...]


# What to start


def file(path: str, *words: str) -> Command:
    """The command that runs a file, which finds noughts only if it is installed."""
    ignored = [word for word, said in (("-E", sys.flags.ignore_environment), ("-s", sys.flags.no_user_site)) if said]
    return sys.executable, *ignored, "-P", path, *words


def bare(path: str, *words: str) -> Command:
    """The command that runs a file which needs the standard library alone, and is to start quickly."""
    return sys.executable, "-I", "-S", path, *words


def code(text: str, *words: str) -> Command:
    """The command that runs a piece of code."""
    return file("-c", FIND + text, *words)


def module(name: str, *words: str) -> Command:
    """The command that runs a module as a program."""
    return code(f"import runpy; runpy.run_module({name!r}, run_name='__main__', alter_sys=True)", *words)


# Starting it


def start(command: Sequence[str], environment: Mapping[str, str], folder: str | None = None) -> Popen[bytes]:
    """A process to which one writes and from which one reads, what it complains of too, all without a buffer."""
    told = os.environ | environment
    return Popen(command, bufsize=0, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=told, cwd=folder, start_new_session=True)


async def open_process(command: Sequence[str]) -> Process:
    """A process to write to and to read from in an event loop; it complains where this one does."""
    import anyio

    return await anyio.open_process(command, stderr=None, start_new_session=True)


def output(command: Sequence[str], seconds: float = 10) -> str | None:
    """What a program prints until its end; None if it fails, takes too long or is not there."""
    try:
        done = run(
            command, stdin=DEVNULL, capture_output=True, text=True, timeout=seconds, check=True, start_new_session=True
        )
    except (OSError, ValueError, SubprocessError):
        return None
    return done.stdout.strip()
