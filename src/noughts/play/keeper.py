r"""Keeps another program: limits its memory, and ends all that it started when it ends or nobody listens any more.

Started by path as `python -I -S keeper.py MEMORY COMMAND...`, with the standard library alone. On Linux there are then
two processes: the keeper, which only waits, and the program. Whatever the program starts, even what leaves its group or
its session, becomes the keeper's child when its own parent ends (the kernel calls that a subreaper), and the keeper
ends it with the program, or when the other end of the pipe is gone. The keeper then ends as the program did.

    noughts --- standard input --> keeper (looks only for the end of the pipe)
                               \-> program -> what it starts

Elsewhere this process becomes the program: its group is ended with it, and what has left that stays.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

NOT_FOUND = 127  # as a shell says it


def main(memory: int, *command: str) -> None:
    """Run a command within so many bytes for each of its processes, and keep it where this system can."""
    _keep()
    with suppress(ImportError, AttributeError, ValueError, OSError):  # not every system has such a limit
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name in ("SIGPIPE", "SIGXFSZ"):  # which Python ignores, and with it whatever it becomes
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    try:
        os.execvp(command[0], command)
    except (OSError, ValueError) as problem:
        os.write(2, f"{command[0]}: {getattr(problem, 'strerror', None) or problem}\n".encode(errors="replace"))
        os._exit(NOT_FOUND)


def _keep() -> None:
    """Go on in a child, where this system can; this process then only waits, ends what is left, and ends as it did."""
    try:
        import ctypes
        import select

        os.close(os.pidfd_open(os.getpid()))
        if ctypes.CDLL(None).prctl(36, 1, 0, 0, 0):  # PR_SET_CHILD_SUBREAPER
            return
    except (ImportError, AttributeError, TypeError, OSError):
        return  # not on this system
    child = os.fork()
    if not child:
        return
    os.closerange(1, 3)  # the program's alone: whoever reads them sees their end with its end
    ready = select.poll()
    ready.register(os.pidfd_open(child), select.POLLIN)
    ready.register(0, 0)  # nothing but the end of the pipe: what comes through it is the program's
    ready.poll()
    status = os.waitstatus_to_exitcode(_end_all(child))
    if status < 0:
        if -status not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status % 256)


def _end_all(child: int) -> int:
    """End every process below this one; the status with which the child ended."""
    status = signal.SIGKILL.value
    while True:
        parents = {}
        for name in os.listdir("/proc"):  # noqa: PTH208 (a path costs more than the reading)
            with suppress(OSError, ValueError, IndexError), open(f"/proc/{int(name)}/stat", "rb") as file:  # noqa: PTH123
                parents[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
        below = {os.getpid()}
        while more := {pid for pid, parent in parents.items() if parent in below} - below:
            below |= more
        for pid in below - {os.getpid()}:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:
            ended, how = os.waitpid(-1, 0)
        except ChildProcessError:
            return status
        if ended == child:
            status = how


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
