"""Another program, with which one talks in lines over its standard streams.

send     gives it a line                         never waits for long: a program that does not read is late
line     its next line, within a time limit      never waits longer, whatever the program does
leave    gives it a last line, and a moment      then it is ended as well
close    ends it, and all that it started

Whatever the program does instead of answering raises Failed, with words for it; the program is then ended. It may take
so much memory, and between two lines that are sent to it write so much. What it writes to its standard error is thrown
away, but for the last line, which may say why a program ended. It ends when this program does, however that ends
(`keeper`).
"""

from __future__ import annotations

import os
import queue
import select
import signal
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from tempfile import TemporaryDirectory
from time import monotonic
from typing import IO, Literal, NoReturn

from noughts import child
from noughts.play import keeper
from noughts.words import brief, size

MEMORY = 4 << 30  # bytes for each process of a program
OUTPUT = 1 << 20  # bytes that it may write, on each of its two streams, before it is given another line
FAREWELL = 5.0  # seconds for ending what a program has started
PIECE = 1 << 16  # bytes that are read at once

Kind = Literal["late", "ended", "flooded"]


@dataclass(frozen=True)
class Limits:
    """What a program may take, as far as the system can tell; None: as much as it likes."""

    memory: int | None = MEMORY  # bytes for each of its processes
    file: int | None = None  # bytes of a file that it writes
    files: int | None = None  # that each process has open
    together: int | None = None  # bytes that all of them hold
    processes: int | None = None  # at once; they then stay in one group
    written: int | None = None  # bytes of all its files; they are then in a folder of its own, and go with it
    kept: int | None = None  # files; as above

    @property
    def has_folder(self) -> bool:
        """Does the program get a folder of its own to write in?"""
        return self.written is not None or self.kept is not None


class Failed(Exception):
    """A program did not answer: `kind` says how, `problem` in words that follow `it`, `status` how it ended."""

    def __init__(self, kind: Kind, problem: str, status: int = 0) -> None:
        super().__init__(f"it {problem}")
        self.kind = kind
        self.problem = problem
        self.status = status


class Process:
    """A program at work. Use it in a `with` statement, or close it.

    >>> with Process(["cat"]) as cat:
    ...     cat.ask("hello", seconds=60)
    'hello'
    """

    def __init__(
        self, command: Sequence[str], *, limits: Limits | None = None, output: int = OUTPUT,
        environment: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        self.limits = limits or Limits()
        told = ",".join("" if most is None else str(most) for most in astuple(self.limits))
        kept = child.bare(keeper.__file__, told, *command) if hasattr(os, "fork") else command
        self._folder = (
            TemporaryDirectory(prefix="noughts-", ignore_cleanup_errors=True) if self.limits.has_folder else None
        )
        here = {"TMPDIR": self._folder.name} if self._folder else {}
        self._popen = child.start(kept, {**(environment or {}), **here}, here.get("TMPDIR"))
        assert self._popen.stdin
        assert self._popen.stdout
        assert self._popen.stderr
        self._input = self._popen.stdin
        if hasattr(select, "poll"):
            os.set_blocking(self._input.fileno(), False)
        self._output = output
        self._lines: queue.SimpleQueue[bytes | Failed | None] = queue.SimpleQueue()  # None: it has closed its output
        self._written = {1: 0, 2: 0}  # bytes since it was last given a line
        self._closed = False
        self._failed: Failed | None = None  # once it has failed, that stays the answer
        self.complaint = ""  # the last line that it wrote to its standard error
        self._readers = [
            threading.Thread(target=self._read, args=(1, self._popen.stdout), daemon=True),
            threading.Thread(target=self._read, args=(2, self._popen.stderr), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The number of the process that was started."""
        return self._popen.pid

    # Talking

    def ask(self, text: str, seconds: float) -> str:
        """Give it a line; the line that comes next, both within so many seconds."""
        end = monotonic() + seconds
        self.send(text, seconds)
        return self.line(max(0.0, end - monotonic()), of=seconds)

    def send(self, text: str, seconds: float = 10.0) -> None:
        """Give it a line, or several; one that has ended says so when it is asked for a line."""
        end, data = monotonic() + seconds, text.encode(errors="replace") + b"\n"
        self._written = {1: 0, 2: 0}
        with suppress(OSError, ValueError):  # it takes no more: what it has written, or has not, tells why
            while data:
                written: int | None = self._input.write(data)  # None: there is no room
                data = data[written or 0 :]
                if written is None and not self._room(end - monotonic()):
                    self._fail(Failed("late", f"did not read what it was given within {seconds:g} s"))

    def line(self, seconds: float, of: float | None = None) -> str:
        """The next line that it writes, without its end, within these seconds, which may be the rest `of` some."""
        if self._failed:
            raise self._failed
        end = monotonic() + seconds
        try:
            found = self._lines.get(timeout=seconds)
            if found is None:
                found = self._ended(max(0.0, end - monotonic()))
        except (queue.Empty, child.TimeoutExpired):  # it has not answered, or it can not, and goes on
            found = Failed("late", f"gave no answer within {of or seconds:g} s")
        return found.decode(errors="replace").rstrip("\r") if isinstance(found, bytes) else self._fail(found)

    def leave(self, text: str, seconds: float = 1.0) -> None:
        """Give it a last line, and a while to answer that or to end by itself; then close."""
        with suppress(Failed):
            self.ask(text, seconds)
        self.close()

    def close(self) -> None:
        """End it, and all that it started; a second time this does nothing."""
        if self._closed:
            return
        self._closed = True
        with suppress(OSError):
            self._input.close()  # the keeper now ends all that it keeps
        with suppress(child.TimeoutExpired):
            self._popen.wait(FAREWELL)
        if self._popen.poll() is None:
            keeper.end_session(self._popen.pid)
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.kill()
        self._popen.wait()
        if self._folder:
            self._folder.cleanup()

    # Behind it

    def _fail(self, failed: Failed) -> NoReturn:
        self._failed = failed
        self.close()
        raise failed

    def _room(self, seconds: float) -> bool:
        """Wait until it reads, but not longer than this."""
        ready = select.poll()
        ready.register(self._input.fileno(), select.POLLOUT)
        return bool(ready.poll(max(0.0, 1000 * seconds)))

    def _read(self, stream: int, pipe: IO[bytes]) -> None:
        """Pass on its lines (1) or keep the last complaint (2), until there is no more, or too much."""
        rest = b""
        with pipe, suppress(OSError, ValueError):
            while piece := pipe.read(PIECE):
                self._written[stream] += len(piece)
                if self._written[stream] > self._output:
                    where = "" if stream == 1 else " to its standard error"
                    self._lines.put(Failed("flooded", f"wrote more than {size(self._output)}{where}, and no answer"))
                    return
                *lines, rest = (rest + piece).split(b"\n")
                for line in lines:
                    if stream == 1:
                        self._lines.put(line)
                    elif line.strip():
                        self.complaint = line.decode(errors="replace").strip()
        if stream == 1:
            if rest:
                self._lines.put(rest)  # a last line without an end
            self._lines.put(None)
        elif rest.strip():
            self.complaint = rest.decode(errors="replace").strip()

    def _ended(self, seconds: float) -> Failed:
        """How it ended, after it closed its output; TimeoutExpired if it goes on for so long."""
        status = self._popen.wait(seconds)
        self._readers[1].join(FAREWELL)
        said = f", and complained: {brief(self.complaint, 160)}" if self.complaint else ""
        return Failed("ended", self._exceeded(status) or how_ended(status) + said, status)

    def _exceeded(self, status: int) -> str:
        """The limit for which the keeper ended it, in words that follow `it`."""
        if status == keeper.TOO_MUCH and self.limits.together:
            return f"was ended: it held more than {size(self.limits.together)} of memory"
        if status == keeper.TOO_MANY and self.limits.processes:
            return f"was ended: it had more than {self.limits.processes} processes at once"
        if status == keeper.TOO_FULL and self.limits.has_folder:
            most = [size(self.limits.written)] if self.limits.written else []
            most += [f"{self.limits.kept:,} files"] if self.limits.kept else []
            return f"was ended: it wrote more than {' or '.join(most)}"
        return ""


def how_ended(status: int) -> str:
    """The end of a process in words that follow `it`.

    >>> how_ended(3), how_ended(-11)
    ('ended its process (status 3)', 'ended its process by signal 11 (SIGSEGV)')
    """
    if status >= 0:
        return f"ended its process (status {status})"
    name = next((each.name for each in signal.Signals if each == -status), "unknown")
    return f"ended its process by signal {-status} ({name})"
