"""A user's own player, or any functions of a user's file, run in a process of their own and within a time limit.

Whatever the file does, it does there: it may raise, loop, print, exit or crash, and this end tells what happened. The
process ends with `close`, after a question that it did not answer in time, and when this program ends, however it ends.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from noughts import child
from noughts.play import worker
from noughts.play.player import Forfeit, InvalidPlayer, played
from noughts.play.process import Failed, Limits, Process
from noughts.rules.game import Cell
from noughts.rules.position import Position
from noughts.words import brief

TIME_LIMIT = 10.0  # seconds for one answer
LONGEST = 1e6
LOADING = 30.0  # seconds for loading the file, at least
OUTPUT = 1 << 24  # bytes of all answers that are on their way
AT_ONCE = 100  # requests on their way: few enough for any pipe

Reply = dict[str, Any]


class UserFile:
    """A user's Python file at work in another process; use it in a `with` statement.

    `ask` gives what the function did: its `value`, or `raised`, `exited`, `ended` (the process), `late` or `garbled`
    (something else than an answer came).
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        time_limit: float = TIME_LIMIT,
        limits: Limits | None = None,
        loading: float | None = None,
    ) -> None:
        self.limits = limits
        self.loading = max(LOADING, time_limit) if loading is None else loading
        self.path = Path(path).absolute()
        self.name = Path(path).name
        self.time_limit = time_limit
        if not 0 < time_limit <= LONGEST:
            raise InvalidPlayer(f"the time limit must be from above 0 to {LONGEST:,.0f} seconds, not {time_limit:g}")
        if not self.path.is_file():
            raise InvalidPlayer(f"there is no file {brief(str(path))}")
        self.process: Process | None = None
        self.starts = 0
        self.functions: list[str] = []
        self.printed = 0
        self.first_print = ""

    def __enter__(self) -> UserFile:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The process

    def start(self) -> None:
        """Start the process and load the file; InvalidPlayer says why it cannot be loaded."""
        self.close()
        self.starts += 1
        self.process = Process(
            child.file(worker.__file__, str(self.path), child.ROOT),
            output=OUTPUT,
            limits=self.limits,
            environment={"PYTHONHASHSEED": str(self.starts)},  # each has its own order of sets, and the same next time
        )
        loaded = self._hear(self.loading)
        if "value" not in loaded:
            raise InvalidPlayer(f"{self.name} cannot be loaded: it {what_happened(loaded)}")
        self.functions = [name for name in loaded["value"] if type(name) is str]

    def close(self) -> None:
        """End the process, and all that it started."""
        process, self.process = self.process, None
        if process is not None:
            process.close()

    # Questions

    def require(self, function: str) -> None:
        """Check that the file has this function."""
        if function not in self.functions:
            near = get_close_matches(function, self.functions, 1)
            own = [name for name in self.functions if not name.startswith("_")]
            hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(own[:8]) or 'none'}"
            raise InvalidPlayer(f"{self.name} has no function {brief(function)}: {hint}")

    def ask(self, request: dict[str, Any]) -> Reply:
        """What came of one request."""
        return next(self.ask_all([request]))

    def ask_all(self, requests: Sequence[dict[str, Any]]) -> Generator[Reply, None, None]:
        """What came of each of these requests, in order; after one that ended the process it starts anew."""
        done = expected = 0
        try:
            while done < len(requests):
                if self.process is None:
                    self.start()
                some = requests[done : done + AT_ONCE]
                self._send(some)
                expected = len(some)
                while expected and self.process is not None:
                    reply = self._hear(self.time_limit)
                    done, expected = done + 1, expected - 1
                    yield reply
        finally:
            if expected:  # nobody wants the replies that are still to come
                self.close()

    def _send(self, requests: Sequence[dict[str, Any]]) -> None:
        assert self.process
        with suppress(Failed):  # which the replies will tell
            self.process.send("\n".join(map(json.dumps, requests)), self.time_limit)

    def _hear(self, seconds: float) -> Reply:
        """The next reply; when there is none, why, and the process is ended."""
        assert self.process
        try:
            reply = read_reply(self.process.line(seconds))
        except Failed as failed:
            reply = {"garbled": True} if failed.kind == "flooded" else {failed.kind: failed.problem}
        if not reply.keys() & {"value", "raised", "exited"}:
            self.close()
        if printed := reply.get("printed", {}).get("lines"):
            self.first_print = self.first_print or reply["printed"]["first"]
            self.printed += printed
        return reply


def read_reply(line: str) -> Reply:
    """A reply of the worker; the file can write into the pipe as well, and then this may be anything.

    >>> read_reply('{"value": 4, "printed": {"lines": 0, "first": ""}}')["value"], read_reply("hello")
    (4, {'garbled': True})
    """
    try:
        reply = json.loads(line)
        printed = reply["printed"]
        if "value" in reply:
            worker.decode(reply["value"])
        right = (
            len(reply.keys() & {"value", "raised", "exited"}) == 1
            and not reply.keys() - {"value", "raised", "line", "exited", "printed", "changed"}
            and all(type(reply.get(name, "")) is str for name in ("raised", "exited"))
            and type(reply.get("line")) in (int, type(None))
            and (type(printed["lines"]), type(printed["first"])) == (int, str)
        )
        return reply if right else {"garbled": True}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {"garbled": True}


def what_happened(reply: Reply) -> str:
    """What the user's code did instead of answering, in words that follow `it`."""
    if "raised" in reply:
        return f"raised {reply['raised']}" + (f" (line {reply['line']})" if reply.get("line") else "")
    if "exited" in reply:
        return f"called exit({'' if reply['exited'] == 'None' else reply['exited']})"
    if "garbled" in reply:
        return "wrote something of its own into the pipe for its answers"
    return str(reply.get("late") or reply["ended"])


class UserPlayer:
    """A function of a user's file as a player: it gets a Position, and returns a cell, a (row, column) or a move text.

    Its process must be running (`with UserFile(...) as file`). What it does wrong is raised as Forfeit.
    """

    def __init__(self, file: UserFile, function: str) -> None:
        file.require(function)
        self.file = file
        self.function = function
        self.name = f"{file.name}:{function}"

    def __str__(self) -> str:
        return self.name

    def __call__(self, position: Position) -> Cell:
        return played(position, self._ask("move", position))[0]

    def renew(self) -> None:
        """Go on in a fresh process, which knows nothing of the one before."""
        self.file.start()

    def choices(self, position: Position) -> list[Cell]:
        """The choices that the user's function names, or else its one move."""
        moves = self._ask("choices", position)
        if not isinstance(moves, list):
            raise Forfeit(position, "its choices are too many")
        return [played(position, move)[0] for move in moves]

    def _ask(self, what: str, position: Position) -> Any:
        reply = self.file.ask({what: self.function, "position": str(position)})
        if "value" not in reply:
            raise Forfeit(position, f"it {what_happened(reply)}")
        return worker.decode(reply["value"])
