r"""Keeps another program: limits its memory, and ends all that it started when it ends or nobody listens any more.

Started by path as `python -I -S keeper.py LIMITS COMMAND...`, with the standard library alone; LIMITS are the numbers
of `process.Limits` in their order, with commas between, and nothing for what has no limit. On Linux there are then two
processes: the keeper, which only waits, and the program. Whatever the program starts, even what leaves its group or
its session, becomes the keeper's child when its own parent ends (the kernel calls that a subreaper), and the keeper
ends it with the program, or when the other end of the pipe is gone. The keeper then ends as the program did.

    noughts --- standard input --> keeper (looks only for the end of the pipe)
                               \-> program -> what it starts

What the program and all that it started hold and are in number is looked at often; too much ends them.
Elsewhere this process becomes the program: its group is ended with it, and what has left that stays.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

NOT_FOUND = 127  # as a shell says it
TOO_MUCH, TOO_MANY = 113, 114  # how this ends after it has ended a program that held, or started, too much
OFTEN = 50  # milliseconds: whatever starts itself again and again has some hundreds by then


def main(limits: str, *command: str) -> None:
    """Run a command within these limits, and keep it where this system can."""
    memory, together, processes, file, files = (int(each) if each else None for each in limits.split(","))
    _keep(together, processes)
    with suppress(ImportError):
        import resource

        each = {"DATA": memory, "CORE": 0, "FSIZE": file, "NOFILE": files}
        for name, most in each.items():
            with suppress(AttributeError, ValueError, OSError):  # not every system has such a limit
                if most is not None:
                    resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))
    for name in ("SIGPIPE", "SIGXFSZ"):  # which Python ignores, and with it whatever it becomes
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    try:
        os.execvp(command[0], command)
    except (OSError, ValueError) as problem:
        os.write(2, f"{command[0]}: {getattr(problem, 'strerror', None) or problem}\n".encode(errors="replace"))
        os._exit(NOT_FOUND)


def _keep(together: int | None, processes: int | None) -> None:
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
    too = 0
    while not too and not ready.poll(None if together is processes is None else OFTEN):
        below = _below()
        if processes is not None and len(below) > processes:
            too = TOO_MANY
        elif together is not None and sum(map(_held, below)) > together:
            too = TOO_MUCH
    status = os.waitstatus_to_exitcode(_end_all(child))
    if too:
        os._exit(too)
    if status < 0:
        if -status not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status % 256)


def _below() -> set[int]:
    """Every process below this one."""
    parents = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 (a path costs more than the reading)
        with suppress(OSError, ValueError, IndexError), open(f"/proc/{int(name)}/stat", "rb") as file:  # noqa: PTH123
            parents[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
    below = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in below} - below:
        below |= more
    return below - {os.getpid()}


def _held(pid: int) -> int:
    """The bytes of memory that a process holds."""
    with suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/statm", "rb") as file:  # noqa: PTH123
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _halted() -> set[int]:
    """Every process below this one, none of which runs any more: what starts others is not to outrun us."""
    found: set[int] = set()
    while more := _below() - found:
        _send(signal.SIGSTOP, more)
        found |= more
    return found


def _send(sign: signal.Signals, pids: set[int]) -> None:
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, sign)


def _end_all(child: int) -> int:
    """End every process below this one; the status with which the child ended."""
    status = signal.SIGKILL.value
    while True:
        _send(signal.SIGKILL, _halted())
        try:
            ended, how = os.waitpid(-1, 0)
            while ended:  # all that have ended, before looking at everybody again
                if ended == child:
                    status = how
                ended, how = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status


if __name__ == "__main__":
    main(*sys.argv[1:])
