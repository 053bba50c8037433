"""Long works that keep what they have: solves, a proof, a dataset, the opening book. Each is killed with -9 at random
moments, has its disk too small, read-only or taken away, and too little memory.

Each time it ends with one clear line, or not at all; whatever has its name then is whole; and the same command goes
through, with what an undisturbed run gives. KILLS=3 makes the kills fewer.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from breaking import digest, disk, ended, hashes, limited, need_root, refused, remount
from laws import Broken, require

from noughts.proofs.check import check_file
from noughts.solve import book
from noughts.solve.problems import DatabaseError
from noughts.solve.solution import Solution
from noughts.solve.verification import verify

STEP = 16 << 20  # bytes between two limits of memory
SIZES = (20_000, 150_000, 400_000)  # bytes of disks that are too small
# The check for free disk is told a fairy tale, so that the disk fills up in the middle.
BLIND = """
import collections, shutil
shutil.disk_usage = lambda path: collections.namedtuple("usage", "total used free")(1e15, 0, 1e15)
"""
# What is kept now and then is kept all the time; and the book has only a few positions to look for.
START = """
import sys
from noughts.proofs import proof
from noughts.solve import book
proof.KEEP_SECONDS, book.SECONDS = 0.0, 0.0
if sys.argv[1] == "book":
    from noughts.cli.meter import finish_showing
    quick = sorted(book.level(book.MARKS), key=lambda sets: book.kept()[sets].plies)[:40]
    book.in_turn = lambda: iter(quick)
    try:
        finish_showing(book.computing(__import__("pathlib").Path(sys.argv[2]), 20))
    except OSError as problem:
        sys.exit(f"noughts: {problem.strerror}")
else:
    from noughts.cli import main
    main()
"""


class Work(NamedTuple):
    """A command that takes a folder; what it leaves there when it has gone through; what may have its name before."""

    words: str
    result: Callable[[Path, str], Any]
    whole: Callable[[Path, Any], object] = lambda folder, right: None  # raises if something is named and is not whole
    kills: int = 20


def counts(folder: Path, said: str) -> Any:
    """What was counted."""
    return {name: number for name, number in json.loads(said).items() if name in ("positions", "win", "loss", "tie")}


def levels(folder: Path, right: Any) -> None:
    """Every level that has its name is that of an undisturbed solve; it opens only when all are there."""
    there = {path.name: digest(path) for path in (folder / "s").glob("level-*.noughts")}
    require(there.items() <= right.items(), f"{folder}: a level is named and not finished")
    if there.keys() < {name for name in right if name.startswith("level-")}:
        with suppress(DatabaseError):
            Solution.open(folder / "s")
            raise Broken(f"{folder} opens, and is not finished")


def saved(folder: Path, said: str) -> Any:
    """The counts, and the value of the empty board; every position of a sample is right."""
    verify(folder / "s", sample=1000)
    with Solution.open(folder / "s") as solution:
        return counts(folder, said), solution[solution.game.start()]


def proven(folder: Path, said: object = "") -> Any:
    """The claim of the certificate, which holds."""
    with (folder / "proof").open("rb") as file:
        ruling = check_file(file)
    require(ruling.holds, f"the certificate does not hold: {ruling.reason}")
    return ruling.claim


def known(folder: Path, said: object = "") -> Any:
    """How much the book knows, all of which is right."""
    found = book.read(folder / "book")
    require(found.items() <= book.kept().items(), "the book is wrong")
    return len(found)


SAVE = "solve 3x6k4 --threads 1 --save {}/s"
PROVE = "prove 7x7k5 --only stealing,proof --threads 1 --seconds 300 --memory 64MB --resume {}/kept --save {}/proof"
WORKS = {
    "save": Work(SAVE, lambda folder, _: hashes(folder / "s"), levels, 100),
    "save, compressed": Work(f"{SAVE} --compress", lambda folder, _: hashes(folder / "s"), levels, 100),
    "in memory": Work("solve 4x5k4 --json", counts),
    "scratch": Work("solve 4x4k4 --scratch {}/s --part 200kB --json", counts),
    "in parts": Work("solve 4x4k4 --save {}/s --part 200kB --json", saved),
    "proof": Work(PROVE, proven, lambda folder, _: (folder / "proof").exists() and proven(folder)),
    "dataset": Work("dataset 4x4k3 -n 3000 -o {}/set.jsonl", lambda folder, _: digest(folder / "set.jsonl")),
    "book": Work("book {}/book", known, lambda folder, _: (folder / "book").exists() and known(folder)),
}


def start(work: Work, folder: Path, memory: int = 0, blind: bool = False) -> subprocess.Popen[str]:
    """The command at work in a folder; blind, it believes that there is room on every disk."""
    words = [word.format(folder) for word in work.words.split()]
    return subprocess.Popen(
        [sys.executable, "-P", "-c", BLIND * blind + START, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, preexec_fn=limited(memory) if memory else None,  # noqa: PLW1509  # there are no threads here
    )  # fmt: skip


def require_right(work: Work, folder: Path, right: Any, when: str) -> None:
    """The command goes through, and leaves what an undisturbed one does."""
    require(left(work, folder) == right, f"{work.words} gives something else {when}")


def left(work: Work, folder: Path) -> Any:
    """What the command leaves; it must go through."""
    done = ended(start(work, folder))
    require(done.returncode == 0, f"{work.words} failed: {done.stderr[-1000:]}")
    return work.result(folder, done.stdout)


def main() -> str:
    """Each work, each fault."""
    need_root("to mount small disks")
    rng, told = random.Random(0), []
    with tempfile.TemporaryDirectory(prefix="noughts-faults-") as name:
        os.environ["NOUGHTS_CACHE"] = str(Path(name) / "cache")
        for title, work in WORKS.items():
            home = Path(name) / title
            home.mkdir()
            began, right = time.monotonic(), left(work, _new(home))
            took = time.monotonic() - began
            kills = killed(work, home, right, took, rng)
            refusals = full(work, home, right) + taken(work, home, right, took) + little(work, home, right)
            told.append(f"{title} {took:.1f} s, {kills} kills, {refusals} times refused")
            print(f"  {told[-1]}", flush=True)
    return f"{'; '.join(told)}; each went through in the end as if undisturbed"


def _new(home: Path) -> Path:
    folder = home / f"{len(list(home.iterdir()))}"
    folder.mkdir()
    return folder


def killed(work: Work, home: Path, right: Any, took: float, rng: random.Random) -> int:
    """kill -9, again and again, each time a new one goes on."""
    folder, kills, most = _new(home), 0, int(os.environ.get("KILLS", work.kills))
    while kills < most:
        process = start(work, folder)
        with suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=rng.uniform(0.2, max(0.6, took)))
        if process.poll() is None:
            process.kill()
            process.communicate()
            kills += 1
            work.whole(folder, right)
        else:
            require(process.returncode == 0, f"{work.words} ended with {process.returncode} after {kills} kills")
            folder = _new(home)
    require_right(work, folder, right, f"after {kills} kills")
    return kills


def full(work: Work, home: Path, right: Any) -> int:
    """A disk that is too small, or fills up, and then read-only, and then neither; how often it was refused."""
    if "{}" not in work.words:
        return 0
    told = 0
    for size in SIZES:
        with disk(home / "disk", size) as folder:
            for blind in (False, True):
                if (done := ended(start(work, folder, blind=blind))).returncode:
                    says = refused(done, {1, 2})
                    require("No space left" in says or "of disk" in says, says)
                    work.whole(folder, right)
                    told += 1
            if told:
                remount(folder, "ro")
                if (done := ended(start(work, folder))).returncode:
                    refused(done, {1, 2}, "Read-only")
                    told += 1
                remount(folder, "rw,size=500m")
                require_right(work, folder, right, "on a disk with room")
    require(told, f"{work.words}: there was never too little room")
    return told


def taken(work: Work, home: Path, right: Any, took: float) -> int:
    """The folder is removed under it: it fails with a line, or goes through, and the next one does."""
    folder = _new(home)
    process = start(work, folder)
    with suppress(subprocess.TimeoutExpired):
        process.communicate(timeout=max(0.5, took * 0.6))
    shutil.rmtree(folder, ignore_errors=True)
    done = ended(process)
    if done.returncode:
        refused(done, {1, 2})
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    require_right(work, folder, right, "after its folder was removed")
    return bool(done.returncode)


def little(work: Work, home: Path, right: Any) -> int:
    """Less memory than it takes, until it is enough; how often it was refused."""
    folder, told, memory = _new(home), 0, STEP
    while (done := ended(start(work, folder, memory))).returncode:
        if "noughts: " in done.stderr and "failed to map" not in done.stderr:  # else Python did not come up
            refused(done, {1, 2}, "memory")
            told += 1
        memory += max(STEP, memory // 8)
    require(work.result(folder, done.stdout) == right, f"{work.words} gives something else with little memory")
    return told
