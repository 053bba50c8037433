"""A full disk, a read-only folder, files that vanish, two solves into one folder, too little memory.

Each must end with a clear line, and the same solve must go through afterwards, with the files of an undisturbed one.
Disks are small tmpfs, so this needs root and Linux; the memory is limited by RLIMIT_AS.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from breaking import completed, hashes, is_root, noughts, refused
from laws import Broken, require

from noughts.solve.database import Solution

GAME, LARGE, HUGE = "4x4k4", "3x6k4", "4x5k4"
STEP = 4 << 20  # bytes between two limits of memory

# The check for free disk is told a fairy tale, so that the disk fills up in the middle.
BLIND = """
import collections, runpy, shutil, sys
shutil.disk_usage = lambda path: collections.namedtuple("usage", "total used free")(1e15, 0, 1e15)
sys.argv[0] = "noughts"
runpy.run_module("noughts", run_name="__main__")
"""


def main() -> str:
    """Each in turn."""
    if not is_root():
        raise Broken("this needs root, to mount small disks")
    with tempfile.TemporaryDirectory(prefix="noughts-faults-") as name:
        home = Path(name)
        os.environ["NOUGHTS_CACHE"] = str(home / "cache")
        right = {}
        for form in ("raw", "zstd"):
            noughts("solve", GAME, "--save", home / form, *(["--compress"] if form == "zstd" else []))
            right[form] = hashes(home / form)
        return ", ".join(
            [
                full(home, right),
                read_only(home, right["raw"]),
                removed(home, right["raw"]),
                together(home),
                memory(home, right["raw"]),
            ]
        )


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


def full(home: Path, right: dict[str, dict[str, str]]) -> str:
    """The disk is too small, or fills up."""
    count = 0
    for form in ("raw", "zstd"):
        options = ["--compress"] if form == "zstd" else []
        for size in (50_000, 150_000, 300_000, 400_000):
            print(f"  a disk of {size:,} bytes, {form}", flush=True)
            with disk(home / "full", size) as folder:
                refused(noughts("solve", GAME, "--save", folder / "s", *options), {2}, "free are", "of disk")
                line = [sys.executable, "-c", BLIND, "solve", GAME, "--save", str(folder / "s"), *options]
                done = subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)
                refused(done, {1}, "No space left on device")
                remount(folder, "size=64m")
                completed(GAME, folder / "s", right[form], *options)
                count += 1
    with disk(home / "full", 64_000) as folder:
        refused(noughts("solve", "3x3k3", "--export", folder / "out.jsonl"), {1}, "No space left on device")
        require(not list(folder.iterdir()), f"an export left {list(folder.iterdir())}")
        refused(noughts("search", "........./", "--tree", folder / "tree.json"), {2})
        refused(noughts("search", ".........", "--depth", "5", "--tree", folder / "tree.json"), {1}, "No space left")
        done = noughts("analyze", "4x4k4:..../..../..../....", env=os.environ | {"NOUGHTS_CACHE": str(folder)})
        require(done.returncode == 0, f"analyze needs its cache: {done.stderr}")
    return f"full disk {count + 4} times"


def read_only(home: Path, right: dict[str, str]) -> str:
    """Nothing can be written."""
    print("  a read-only disk", flush=True)
    with disk(home / "ro", 64 << 20) as folder:
        shutil.copytree(home / "raw", folder / "s")
        remount(folder, "ro")
        refused(noughts("solve", GAME, "--save", folder / "new"), {2}, "cannot be written")
        refused(noughts("solve", GAME, "--save", folder / "s"), {2}, "cannot be written")
        refused(noughts("solve", "3x3k3", "--export", folder / "out.jsonl"), {1, 2}, "ead-only file system")
        done = noughts("solve", "--verify", folder / "s")
        require(done.returncode == 0, f"what cannot be written can be read: {done.stderr}")
        done = noughts("analyze", "4x4k4:X.../..../..../....", env=os.environ | {"NOUGHTS_CACHE": str(folder / "s")})
        require(done.returncode == 0, f"analyze needs its cache: {done.stderr}")
        remount(folder, "rw")
        completed(GAME, folder / "new", right)
    return "read-only folder"


def removed(home: Path, right: dict[str, str]) -> str:
    """Files are removed under an open solution, and under a solve."""
    print("  files removed", flush=True)
    folder = home / "removed"
    shutil.copytree(home / "raw", folder)
    with Solution.open(folder) as solution:
        position = solution.game.start()
        line = solution.line(position)
        for path in folder.iterdir():
            path.unlink()
        require(solution.line(position) == line, "an open solution forgot what it knew")
        require(solution.line(position.play(5)) is not None, "an open solution cannot read on")
    refused(noughts("solve", "--verify", folder), {2}, "holds no solution")
    process = subprocess.Popen(
        [sys.executable, "-m", "noughts", "solve", LARGE, "--save", str(home / "gone"), "--threads", "1"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    _wait_for(home / "gone", "level-18.noughts")
    while (home / "gone").exists():
        shutil.rmtree(home / "gone", ignore_errors=True)  # the solve renames a level while it is looked for
    out, err = process.communicate(timeout=300)
    refused(subprocess.CompletedProcess([], process.returncode, out, err), {1, 2}, "No such file")
    completed(GAME, folder, right)
    return "files removed under a solution and under a solve"


def together(home: Path, rounds: int = 5) -> str:
    """Solves into one folder at once: one gets through, the others say who is at it."""
    print("  solves at once", flush=True)
    told = 0
    for number in range(rounds):
        folder = home / f"both{number}"
        line = [sys.executable, "-m", "noughts", "solve", GAME, "--save", str(folder)]
        both = [subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
        ends = [(process.communicate(timeout=300), process.returncode) for process in both]
        require(0 in [code for _, code in ends], f"nobody got through: {ends}")
        for (out, err), code in ends:
            if code:
                refused(subprocess.CompletedProcess([], code, out, err), {2}, "is solving into")
                told += 1
        require(hashes(folder) == hashes(home / "raw"), "two solves at once made other files")
    holder = subprocess.Popen(
        [sys.executable, "-m", "noughts", "solve", LARGE, "--save", str(home / "held"), "--threads", "1"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    _wait_for(home / "held", "lock")
    holder.send_signal(signal.SIGSTOP)  # it takes its time
    refused(noughts("solve", LARGE, "--save", home / "held"), {2}, f"process {holder.pid}", "is solving into")
    holder.send_signal(signal.SIGCONT)
    require(holder.wait(300) == 0, "the first of two solves failed")
    return f"solves into one folder at once ({told + 1} turned away)"


def memory(home: Path, right: dict[str, str]) -> str:
    """Less memory than is asked for."""
    print("  little memory", flush=True)
    refused(
        noughts("solve", LARGE, "--memory", "100kB", "--save", home / "small"), {2}, "the limit is 100 kB of memory"
    )
    require(not (home / "small").exists() or not list((home / "small").glob("level*")), "what was refused was begun")
    limit = 16 << 20
    while noughts("solve", "2x2k2", "--save", home / "tiny", preexec_fn=_limited(limit)).returncode:
        limit += STEP
    failures, folder = 0, home / "tight"
    for game, options in ((HUGE, []), (LARGE, ["--save", str(folder), "--compress"])):
        more = limit
        while (done := noughts("solve", game, *options, preexec_fn=_limited(more))).returncode:
            refused(done, {1}, "memory")
            failures += 1
            more += STEP
    require(failures, "there was never too little memory")
    shutil.rmtree(folder)
    completed(GAME, folder, right)
    return f"too little memory ({failures + 1} times)"


def _limited(size: int):  # type: ignore[no-untyped-def]
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))


def _wait_for(folder: Path, name: str) -> None:
    end = time.monotonic() + 120
    while not (folder / name).exists():
        require(time.monotonic() < end, f"{folder / name} never came")
        time.sleep(0.001)


if __name__ == "__main__":
    print(main())
