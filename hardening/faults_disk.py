"""A full disk under an old file, a folder of somebody else's, two solves into one folder, a crowded cache. (`long` has
what befalls long works.)

Each must end with a clear line, and the same command must go through afterwards, with the files of an undisturbed one.
What was there before a command that cannot write stays as it was, and the cache never grows beyond its limit.
Disks are small tmpfs, so this needs root and Linux.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from breaking import completed, disk, ended, hashes, need_root, noughts, refused, remount
from laws import require

from noughts import Game

GAME = "4x4k4"
OLD = "what was there"
Right = dict[str, str]  # the files of an undisturbed solve

# Somebody who may write only what is theirs, but reads everything: this Python may lie in root's own folder.
ORDINARY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
ORDINARY += ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]


def main() -> str:
    """Each in turn."""
    need_root("to mount small disks")
    told = []
    with tempfile.TemporaryDirectory(prefix="noughts-faults-") as name:
        home = Path(name)
        home.chmod(0o755)
        os.environ["NOUGHTS_CACHE"] = str(home / "cache")
        noughts("solve", GAME, "--save", home / GAME)
        right = hashes(home / GAME)
        for fault in (kept, read_only, together, cache):
            told.append(fault(home, right))
            print(f"  {told[-1]}", flush=True)
    return ", ".join(told)


def begun(*words: object, **options: object) -> subprocess.Popen[str]:
    """The command, begun."""
    line = [sys.executable, "-m", "noughts", *map(str, words)]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)  # type: ignore[call-overload,no-any-return]


def writers(target: Path) -> dict[str, tuple[list[str], str]]:
    """Every way to have a file written, this one: the words, and what is typed. Each writes more than a page."""
    search, file, folder = "search ......... --depth 5", str(target), str(target.parent)
    bench = "bench --experiment scenarios --scenario row_win --detector shifts --iterations 10 --trials 2 --no-memory"
    moves = "".join(f"{chr(97 + column)}{row}\n" for row in range(1, 60) for column in range(26))
    lines = {
        "an export": f"solve 3x3k3 --export {file}",
        "a tree": f"{search} --tree {file}",
        "a drawing": f"{search} --dot {file}",
        "a saved game": "play 60x26k60 --two",
        "a bench": f"{bench} --report {folder}",
        "the papers": f"papers --source lastmove --report {folder}",
        "the atlas": f"atlas --csv {file}",
        "a tournament": f"match random level-1 rules --round-robin --save {file}",
    }
    typed = {"a saved game": f"{moves}save {file}\n"}
    return {name: (line.split(), typed.get(name, "")) for name, line in lines.items()}


def kept(home: Path, right: Right) -> str:
    """A full disk keeps the old file, whoever wanted to write a new one."""
    for name in writers(home):
        print(f"  {name} over an old file, on a full disk", flush=True)
        with disk(home / "kept", 64_000) as folder:
            target = folder / "index.html"
            words, typed = writers(target)[name]
            target.write_text(OLD, encoding="utf-8")
            with suppress(OSError), (folder / "rest").open("wb", buffering=0) as rest:
                while True:
                    rest.write(bytes(4096))
            done = noughts(*words, input=typed)
            said = typed or refused(done, {1, 2})  # who plays is told, and plays on
            require(typed or "No space left on device" in said or "are free there" in said, f"{name}: {said}")
            there = target.read_text(encoding="utf-8") if target.exists() else None
            require(there == OLD, f"{name} on a full disk left {there and there[:60]!r} of what was there")
            beside = sorted(path.name for path in folder.iterdir())
            require(beside == ["index.html", "rest"], f"{name} on a full disk left {beside}")
            remount(folder, "size=64m")
            noughts(*words, input=typed)
            require(len(target.read_bytes()) > 4096, f"{name} did not go through with room enough")
    return f"the old file kept by {len(writers(home))} writers"


def read_only(home: Path, right: Right) -> str:
    """Nothing can be written: the whole disk, or a folder of somebody else's."""
    with disk(home / "ro", 64 << 20) as folder:
        shutil.copytree(home / GAME, folder / "s")
        remount(folder, "ro")
        told = _unwritable(folder, "Read-only file system")
        remount(folder, "rw")
        completed(GAME, folder / "new", right)
    folder = home / "foreign"
    shutil.copytree(home / GAME, folder / "s")
    told += _unwritable(folder, "Permission denied", by=ORDINARY)
    folder.chmod(0o777)
    completed(GAME, folder / "new", right, by=ORDINARY)
    return f"a read-only disk and a folder without permission ({len(told)} times refused)"


def _unwritable(folder: Path, reason: str, by: Sequence[str] = ()) -> list[str]:
    """What is said of a folder that holds a solution, `s`, and cannot be written; what is there can be read."""
    told = [
        refused(noughts("solve", GAME, "--save", folder / "new", by=by), {2}, "cannot be written"),
        refused(noughts("solve", GAME, "--save", folder / "s", by=by), {2}, "cannot be written"),
        refused(noughts("solve", "3x3k3", "--export", folder / "out.jsonl", by=by), {1, 2}, reason),
    ]
    done = noughts("solve", "--verify", folder / "s", by=by)
    require(done.returncode == 0, f"what cannot be written can be read: {done.stderr}")
    environment = os.environ | {"NOUGHTS_CACHE": str(folder / "s")}
    done = noughts("analyze", "4x4k4:X.../..../..../....", by=by, env=environment)
    require(done.returncode == 0, f"a cache that cannot be kept costs more than time: {done.stderr}")
    return told


def together(home: Path, right: Right, rounds: int = 5) -> str:
    """Solves into one folder at once: one gets through, the others say who is at it."""
    told = []
    for number in range(rounds):
        folder = home / f"both{number}"
        ends = [ended(each) for each in [begun("solve", GAME, "--save", folder) for _ in range(3)]]
        require(any(not done.returncode for done in ends), f"nobody got through: {ends}")
        told += [refused(done, {2}, "is solving into") for done in ends if done.returncode]
        require(hashes(folder) == right, "two solves at once made other files")
    require(told, "nobody was turned away: the solves were not at it at once")
    return f"solves into one folder at once ({len(told)} turned away)"


def cache(home: Path, right: Right) -> str:
    """Whatever is asked, and by however many at once, the cache stays within its limit."""
    folder, limit, most = home / "crowded", 3_000_000, 0
    boards = [f"{rows}x{columns}k{k}{misere}" for rows, columns, highest in ((4, 4, 4), (3, 5, 5), (2, 8, 8), (3, 6, 6))
              for k in range(2, highest + 1) for misere in ("", "m")]  # fmt: skip
    boards *= 2
    environment = os.environ | {"NOUGHTS_CACHE": str(folder), "NOUGHTS_CACHE_LIMIT": str(limit)}
    running: list[subprocess.Popen[str]] = []
    while boards or running:
        while boards and len(running) < 4:
            position = Game.parse(boards.pop()).start().play(0)
            running.append(begun("analyze", position, "--json", env=environment))
        most = max(most, within(folder, limit))
        for process in [each for each in running if each.poll() is not None]:
            running.remove(process)
            require(process.returncode == 0, f"analyze failed: {ended(process).stderr[-1000:]}")
        time.sleep(0.001)
    require(most > limit / 2, f"the cache had {most:,} bytes at most: it was hardly used")
    return f"a cache of at most {most:,} bytes of {limit:,}"


def within(folder: Path, limit: int) -> int:
    """The bytes of a folder, which are not more than this."""
    size = 0
    for inside, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                size += Path(inside, name).stat().st_size
    require(size <= limit, f"the cache has {size:,} bytes, and may have {limit:,}")
    return size
