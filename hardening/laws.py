"""What fuzzing and faults share: laws that must hold, and what a process holds on to."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path


class Broken(Exception):
    """A law that did not hold."""


def require(law: object, says: str) -> None:
    """Raise Broken unless the law holds."""
    if not law:
        raise Broken(says)


def family(pid: int) -> list[int]:
    """The descendants of a process, children first."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    found = [pid]
    for each in found:
        found += [child for child, parent in parents.items() if parent == each]
    return found[1:]


def require_alone(seconds: float = 10) -> None:
    """No process is left that this one, or one that it started, has started: one that is ending gets so much time."""
    end = time.monotonic() + seconds
    while left := family(os.getpid()):
        for pid in left:
            with contextlib.suppress(OSError):
                os.waitpid(pid, os.WNOHANG)  # an orphan that has ended
        if time.monotonic() > end:
            words = [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in left if Path(f"/proc/{pid}").exists()]
            raise Broken(f"processes were left: {words}")
        time.sleep(0.02)


def footprint(pid: int) -> tuple[int, int, int]:
    """The bytes, the open files and the number of descendants of a process."""
    folder = Path(f"/proc/{pid}")
    resident = int((folder / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resident, len(list((folder / "fd").iterdir())), len(family(pid))
