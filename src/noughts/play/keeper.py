r"""Keeps another program: limits what it takes, and ends all that it started when it ends or nobody listens any more.

Started by path as `python -I -S keeper.py LIMITS COMMAND...`, with the standard library alone; LIMITS are the numbers
of `process.Limits` in their order, with commas between, and nothing for what has no limit. On Linux there are then two
processes: the keeper, which only waits, and the program. Whatever the program starts, even what leaves its group or
its session, becomes the keeper's child when its own parent ends (the kernel calls that a subreaper), and the keeper
ends it with the program, or when the other end of the pipe is gone. The keeper then ends as the program did.

    noughts --- standard input --> keeper (looks only for the end of the pipe)
                               \-> program -> what it starts

What the program and all that it started hold, write and are in number is looked at often; too much ends them. The
program is in a group of its own, which one signal ends however fast it grows. Where the kernel has seccomp, those whose
number is limited cannot leave that group; where it has Landlock, those whose files are limited can write in the working
folder only.

Elsewhere this process becomes the program: its group is ended with it, and what has left that stays.
"""

from __future__ import annotations

import os
import signal
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from math import inf

NOT_FOUND = 127  # as a shell says it
TOO_MUCH, TOO_MANY, TOO_FULL = 113, 114, 115  # how this ends after it has ended what held, started or wrote too much
OFTEN = 50  # milliseconds: whatever starts itself again and again has some hundreds by then


def main(limits: str, *command: str) -> None:
    """Run a command within these limits, and keep it where this system can."""
    memory, file, files, *others = (int(each) if each else None for each in limits.split(","))
    together, processes, written, kept = (inf if each is None else each for each in others)
    _keep(together, processes, written, kept)
    if processes < inf:
        _stay_in_group()
    if min(written, kept) < inf:
        _write_only_here()
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


def _keep(*limits: float) -> None:
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
        os.setpgid(0, 0)  # a group that can be ended at one blow
        ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG: without its keeper it ends, too
        return
    os.closerange(1, 3)  # the program's alone: whoever reads them sees their end with its end
    ready = select.poll()
    ready.register(os.pidfd_open(child), select.POLLIN)
    ready.register(0, 0)  # nothing but the end of the pipe: what comes through it is the program's
    too = 0
    while not too and not ready.poll(None if min(limits) == inf else OFTEN):
        too = _exceeded(*limits)
    status = os.waitstatus_to_exitcode(_end_all(child))
    if too:
        os._exit(too)
    if status < 0:
        if -status not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status % 256)


# Limits in all


def _exceeded(together: float, processes: float, written: float, kept: float) -> int:
    """How this is to end because of what the program and all that it started take; 0 if it is not too much."""
    below = _below(processes)
    if len(below) > processes:
        return TOO_MANY
    if together < inf and sum(map(_held, below)) > together:
        return TOO_MUCH
    sizes = list(_sizes()) if min(written, kept) < inf else []
    return TOO_FULL if sum(sizes) > written or len(sizes) > kept else 0


def _below(most: float = inf) -> set[int]:
    """Every process below this one, or of those a few more than `most`: whatever starts others is to be met early."""
    found: set[int] = set()
    ahead = [os.getpid()]
    while ahead and len(found) <= most:
        more = set(_children(ahead.pop())) - found
        found |= more
        ahead += more
    return found


def _children(pid: int) -> Iterator[int]:
    """The processes that a process has started."""
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 (a path costs more than the reading)
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:  # noqa: PTH123
                yield from map(int, file.read().split())
        return
    if not os.path.exists(f"/proc/self/task/{os.getpid()}/children"):  # noqa: PTH110
        yield from _children_by_parent(pid)


def _children_by_parent(pid: int) -> Iterator[int]:
    """The processes that a process has started, for a kernel that keeps no list of them."""
    for name in os.listdir("/proc"):  # noqa: PTH208
        with suppress(OSError, ValueError, IndexError), open(f"/proc/{int(name)}/stat", "rb") as file:  # noqa: PTH123
            if int(file.read().rpartition(b")")[2].split()[1]) == pid:
                yield int(name)


def _sizes() -> Iterator[int]:
    """The bytes of each file, and something for each folder, below the working folder."""
    for place, folders, names in os.walk("."):
        for name in (*folders, *names):
            with suppress(OSError):
                yield os.lstat(f"{place}/{name}").st_size


def _held(pid: int) -> int:
    """The bytes of memory that a process holds."""
    with suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/statm", "rb") as file:  # noqa: PTH123
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


# Walls


def _stay_in_group() -> None:
    """Let nothing leave the group of this process, where the kernel filters system calls (seccomp)."""
    known = {"x86_64": (0xC000003E, 112, 109), "aarch64": (0xC00000B7, 157, 154)}  # its sign, setsid, setpgid
    if not (here := known.get(os.uname().machine)):
        return
    load, equal, least, leave = 0x20, 0x15, 0x35, 0x06
    steps = (  # what to do, so many steps on if so, so many if not, and with which number
        (load, 0, 0, 4), (equal, 0, 5, here[0]), (load, 0, 0, 0), (equal, 3, 0, here[1]), (equal, 2, 0, here[2]),
        (least, 1, 0, 0x40000000), (leave, 0, 0, 0x7FFF0000), (leave, 0, 0, 0x00050001),  # go on; EPERM
    )  # fmt: skip
    with suppress(ImportError, OSError, AttributeError):
        import ctypes

        program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
        head = ctypes.create_string_buffer(struct.pack("HP", len(steps), ctypes.addressof(program)))
        system = ctypes.CDLL(None)
        system.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
        system.prctl(22, 2, head, 0, 0)  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER


def _write_only_here() -> None:
    """Let this process and all that it starts write below the working folder only, where the kernel has Landlock."""
    with suppress(ImportError, OSError, AttributeError):
        import ctypes

        system = ctypes.CDLL(None)
        version = system.syscall(444, None, 0, 1)  # landlock_create_ruleset, which then tells its version
        if version < 1:
            return
        rights = 2 | sum(1 << bit for bit in range(4, 12 + min(version, 3)))  # write, remove, make, move, truncate
        rules = system.syscall(444, struct.pack("Q", rights), 8, 0)
        for path, allowed in ((".", rights), (os.devnull, 2)):
            place = os.open(path, os.O_PATH)
            system.syscall(445, rules, 1, struct.pack("=Qi", allowed, place), 0)  # landlock_add_rule, beneath a path
            os.close(place)
        system.prctl(38, 1, 0, 0, 0)
        system.syscall(446, rules, 0)  # landlock_restrict_self
        os.close(rules)


# The end


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


def end_session(leader: int) -> None:
    """End every process of a session, whose keeper did not get to it."""
    with suppress(OSError):
        for name in os.listdir("/proc"):  # noqa: PTH208
            with suppress(OSError, ValueError):
                if os.getsid(int(name)) == leader:
                    os.kill(int(name), signal.SIGKILL)


def _end_all(child: int) -> int:
    """End every process below this one; the status with which the child ended."""
    status = signal.SIGKILL.value
    with suppress(OSError):
        os.killpg(child, signal.SIGKILL)  # no fork outruns that; what has left the group is met below
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
