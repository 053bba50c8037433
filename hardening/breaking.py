"""What the faults share: the command as a process, folders that are compared by their hashes, small disks."""

from __future__ import annotations

import hashlib
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from commands import Needs
from laws import require

Done = subprocess.CompletedProcess[str]


def noughts(*words: object, by: Sequence[str] = (), limit: float = 300, **options: Any) -> Done:
    """Run the command to its end, `by` another program where one is given."""
    line = [*by, sys.executable, "-m", "noughts", *map(str, words)]
    return subprocess.run(line, capture_output=True, text=True, timeout=limit, check=False, **options)


def ended(process: subprocess.Popen[str], limit: float = 600) -> Done:
    """A process, when it has come to its end."""
    out, err = process.communicate(timeout=limit)
    return Done(process.args, process.returncode, out, err)


def refused(done: Done, codes: set[int], *says: str) -> str:
    """The last line of a command that failed as it should: with one of these codes, a clear line, and no traceback."""
    require(done.returncode in codes, f"exit code {done.returncode}, expected {codes}: {done.stderr[-2000:]}")
    require("Traceback" not in done.stderr, f"a traceback: {done.stderr[-2000:]}")
    last = (done.stderr.strip().splitlines() or [""])[-1]
    require(last.startswith("noughts: "), f"the last line is {last!r}")
    for part in says:
        require(part in last, f"{last!r} does not say {part!r}")
    print(f"  exit {done.returncode}: {last}", flush=True)
    return last


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def hashes(folder: Path) -> dict[str, str]:
    """The digest of each file of a folder; of the lock only its name, as it tells a process."""
    return {path.name: "" if path.name == "lock" else digest(path) for path in sorted(folder.iterdir())}


def completed(game: str, folder: Path, right: dict[str, str], by: Sequence[str] = ()) -> None:
    """Solve into a folder once more: it must go through, leave the right files, and verify."""
    done = noughts("solve", game, "--save", folder, by=by)
    require(done.returncode == 0, f"the next solve failed: {done.stderr[-1000:]}")
    require(hashes(folder) == right, f"the files differ from those of an undisturbed solve: {folder}")
    done = noughts("solve", "--verify", folder, "--sample", "all")
    require(done.returncode == 0 and "right" in done.stdout, f"it does not verify: {done.stderr[-1000:]}")


def need_root(why: str) -> None:
    """Raise Needs unless this process may do everything."""
    if os.geteuid() != 0:
        raise Needs(f"needs root, {why}")


@contextmanager
def disk(folder: Path, size: int) -> Iterator[Path]:
    """A disk of so many bytes."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)
        folder.rmdir()


def remount(folder: Path, option: str) -> None:
    """Change a disk."""
    subprocess.run(["mount", "-o", f"remount,{option}", folder], check=True)


def limited(size: int) -> Callable[[], None]:
    """What a process does as it starts, so that it has no more memory than this."""
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))
