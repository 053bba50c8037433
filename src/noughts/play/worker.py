"""The other end of `user_file`: runs a user's file in a process of its own, and answers questions about it.

Started as `python -P worker.py FILE ROOT`, by path, so that nothing of noughts is loaded before it is needed; ROOT is
where noughts itself is found. Requests come on standard input and replies leave on standard output, one JSON object a
line. The file never sees these two: its own standard streams lead nowhere, except that `print` is counted.

    {"call": NAME, "arguments": [...]}      call a function with these values
    {"choices": NAME, "position": TEXT}     ask a player for its choices; one without `choices` has one
    {"move": NAME, "position": TEXT}        ask a player for its move

A reply has `value`, or `raised` and the `line` of the file, or `exited`; and always `printed` and `changed` (whether a
call changed its arguments). The first reply, unasked, tells how loading the file went: its value is what can be called.
"""

from __future__ import annotations

import importlib.util
import io
import json
import operator
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any, BinaryIO

SHORT = 200  # characters of anything that is only shown
MANY = 100  # elements of anything that is compared


def main(path: str, root: str) -> None:
    """Load the file, and answer until there are no more requests."""
    requests, replies = _take_streams()
    own = os.getpid()
    waiting: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests, waiting), daemon=True).start()
    guest = Guest(path, root)

    def reply(answer: dict[str, Any]) -> None:
        if os.getpid() != own:  # the file has forked, and this is the copy: one answer is enough
            os._exit(0)
        replies.write(json.dumps(answer).encode() + b"\n")
        replies.flush()

    loaded = guest.attempt(guest.load)
    if guest.module:
        loaded["value"] = [name for name, thing in vars(guest.module).items() if callable(thing)]
    reply(loaded)
    while guest.module:
        reply(guest.answer(waiting.get()))


def _take_streams() -> tuple[BinaryIO, BinaryIO]:
    """The pipes to the other end; the standard streams of this process then lead nowhere."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    return requests, replies


def _listen(requests: BinaryIO, waiting: queue.SimpleQueue[dict[str, Any]]) -> None:
    """Pass requests on. When the other end is gone, so is this process, whatever it is doing, and all it started."""
    for line in requests:
        waiting.put(json.loads(line))
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():  # nobody keeps us
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


class Guest:
    """The user's file, and what is asked of it."""

    def __init__(self, path: str, root: str) -> None:
        self.path = path
        self.root = root
        self.module: ModuleType | None = None
        self.heard = Heard()
        self.printer = io.TextIOWrapper(self.heard, errors="replace", write_through=True)  # type: ignore[type-var]

    def load(self) -> None:
        """Make the file a module, its folder first on the path, as if it were run."""
        folder, name = os.path.split(self.path)
        sys.path.insert(0, folder)
        sys.dont_write_bytecode = True
        spec = importlib.util.spec_from_file_location(name.removesuffix(".py"), self.path)
        if not spec or not spec.loader:
            raise ImportError(f"{name} is not a Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        self.module = module

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Do what is asked, and tell what came of it."""
        if "call" in request:
            function = getattr(self.module, request["call"])
            arguments, before = (decode(request["arguments"]) for _ in range(2))
            answer = self.attempt(lambda: function(*arguments))
            return answer | {"changed": arguments != before}
        if self.root not in sys.path:
            sys.path.append(self.root)
        from noughts.rules.position import Position

        player = getattr(self.module, request.get("move") or request["choices"])
        position = Position.parse(request["position"])
        if "choices" in request and hasattr(player, "choices"):
            return self.attempt(lambda: list(player.choices(position)))
        return self.attempt(lambda: player(position) if "move" in request else [player(position)])

    def attempt(self, action: Callable[[], Any]) -> dict[str, Any]:
        """Run something of the user's."""
        sys.stdout = sys.stderr = self.printer
        self.heard.lines, self.heard.beginning = 0, b""
        answer: dict[str, Any]
        try:
            answer = {"value": encode(action())}
        except SystemExit as end:
            answer = {"exited": show(end.code)}
        except BaseException as problem:
            name, text = type(problem).__name__, str(problem)[:SHORT]
            raised = f"{name}: {text}" if text else name
            answer = {"raised": printable(raised[: 2 * SHORT]), "line": self.line(problem)}
        first = printable(self.heard.beginning.decode(errors="replace").partition("\n")[0])
        return answer | {"printed": {"lines": self.heard.lines, "first": first}}

    def line(self, problem: BaseException) -> int | None:
        """The last line of the file that was at work when this was raised."""
        found = problem.lineno if isinstance(problem, SyntaxError) else None
        trace = problem.__traceback__
        while trace:
            if trace.tb_frame.f_code.co_filename == self.path:
                found = trace.tb_lineno
            trace = trace.tb_next
        return found


class Heard(io.BufferedIOBase):
    """Where the user's print goes: it keeps the beginning, and counts lines."""

    lines = 0
    beginning = b""

    def writable(self) -> bool:
        """Say that text can be written here."""
        return True

    def write(self, data: Any) -> int:
        """Take a piece of output."""
        self.lines += bytes(data).count(b"\n")
        self.beginning = (self.beginning + bytes(data))[:SHORT]
        return len(data)


# Values on their way, both ways: a list as it is, {"tuple": [...]}, {"set": [...]}, {"frozenset": [...]} within
# another, and {"other": REPR} for what is neither plain nor small.

KINDS: dict[str, Callable[..., Any]] = {"tuple": tuple, "set": set, "frozenset": frozenset}


class Other:
    """What only a picture of came over."""

    def __init__(self, picture: str) -> None:
        self.picture = picture

    def __repr__(self) -> str:
        return self.picture


def encode(value: Any, depth: int = 0) -> Any:
    """A value for JSON."""
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, str) and len(value) <= SHORT:
        return str(value)
    if isinstance(value, list | tuple | set | frozenset) and len(value) <= MANY and depth < 4:
        elements = [encode(element, depth + 1) for element in value]
        if isinstance(value, list):
            return elements
        inner = depth and isinstance(value, frozenset)  # only such a one can be in a set
        return {"tuple" if isinstance(value, tuple) else "frozenset" if inner else "set": elements}
    try:
        number = operator.index(value)
        if abs(number) < 1 << 53:
            return number
    except TypeError:
        pass
    return {"other": show(value)}


def decode(value: Any) -> Any:
    """The value that was encoded; TypeError, ValueError or KeyError if none was."""
    if isinstance(value, list):
        return [decode(element) for element in value]
    if not isinstance(value, dict):
        return value
    [(kind, content)] = value.items()
    if kind == "other":
        return Other(content)
    return KINDS[kind](decode(element) for element in content)


def show(value: Any) -> str:
    """Anything as text, even if it resists."""
    try:
        return printable(repr(value)[:SHORT])
    except Exception as problem:
        return f"a {type(value).__name__} whose repr raises {type(problem).__name__}"


def printable(text: str) -> str:
    """A text on one line, without what a terminal would obey."""
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


if __name__ == "__main__":
    main(*sys.argv[1:])
