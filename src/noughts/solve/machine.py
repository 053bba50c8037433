"""What this machine has: processors, memory, and what the process has taken of it."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from pathlib import Path

from noughts.words import brief


def processors() -> int:
    """How many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def free_memory() -> int | None:
    """The bytes of memory that a job can take without swapping; None where that cannot be told."""
    return min((number for number in (_meminfo(), _cgroup()) if number is not None), default=None)


def _meminfo() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)


def _cgroup() -> int | None:
    """What a container leaves: its limit less what is in use and cannot be dropped."""
    folder = Path("/sys/fs/cgroup")
    try:
        most, now = ((folder / name).read_text(encoding="ascii").strip() for name in ("memory.max", "memory.current"))
        stat = dict(line.split() for line in (folder / "memory.stat").read_text(encoding="ascii").splitlines())
        return None if most == "max" else int(most) - int(now) + int(stat.get("inactive_file", 0))
    except (OSError, ValueError):
        return None


def peak_rss_bytes() -> int:
    """The most memory that the process has had at any time; 0 where that cannot be told."""
    with suppress(OSError):  # on Linux: what `resource` tells includes the process that started this one
        if found := re.search(rb"^VmHWM:\s*(\d+)", Path("/proc/self/status").read_bytes(), re.MULTILINE):
            return int(found[1]) * 1024
    try:
        import resource
    except ImportError:  # Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def rss_bytes() -> int:
    """The memory that the process has now; the most that it had where that cannot be told."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return peak_rss_bytes()
    return pages * os.sysconf("SC_PAGE_SIZE")


UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}


def parse_size(text: str) -> int:
    """Bytes from a text such as 8GB, 500M or 2GiB.

    >>> parse_size("8GB"), parse_size("1.5 GiB")
    (8000000000, 1610612736)
    """
    word = text.strip().lower().removesuffix("b")
    number = word.rstrip("kmgti ")
    unit = word[len(number) :].strip()
    try:
        size = float(number) * UNITS[unit]
        if not 1 <= size <= 10**18:  # nan is neither
            raise ValueError
    except (KeyError, ValueError):
        raise InvalidSize(f"{brief(text)} is not a size: expected something like 8GB, 500MB or 2GiB") from None
    return int(size)


def parse_rate(text: str) -> int:
    """Bytes a second from a text such as 2GB/s.

    >>> parse_rate("2GB/s")
    2000000000
    """
    if not text.strip().lower().endswith("/s"):
        raise InvalidSize(f"{brief(text)} is not a rate: expected something like 2GB/s")
    return parse_size(text.strip()[:-2])


class InvalidSize(ValueError):
    """This text is not a number of bytes."""
