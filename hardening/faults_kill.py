"""kill -9 at random moments of a saving solve, again and again, until it gets through: the files are as if undisturbed.

The moments are spread over the whole run, from before the first file is made to after the last has its name.
"""

from __future__ import annotations

import os
import random
import select
import shutil
import signal
import tempfile
import time
from collections import Counter
from pathlib import Path

from breaking import digest, hashes
from laws import require

from noughts import Game
from noughts.solve.levelfile import zstd
from noughts.solve.problems import DatabaseError
from noughts.solve.solution import Solution
from noughts.solve.strong import solve
from noughts.solve.verification import verify

SAMPLE = 100_000  # positions derived again: the others are compared with these files
GAME, KILLS = "3x6k4", int(os.environ.get("KILLS", "200"))


def main() -> str:
    """Kill, and go on."""
    zstd()  # loaded before the copies are made
    rng, cells = random.Random(0), Game.parse(GAME).cells
    folders = kills = resumed = 0
    levels: Counter[int] = Counter()
    with tempfile.TemporaryDirectory(prefix="noughts-kill-") as name:
        home = Path(name)
        whole, seconds = {}, {}
        for form in ("raw", "zstd"):
            seconds[form] = _undisturbed(home / f"whole-{form}", form)
            whole[form] = hashes(home / f"whole-{form}")
            _verified(home / f"whole-{form}")
            print(f"  undisturbed, {form}: {seconds[form]:.2f} s, {len(whole[form])} files", flush=True)
        while kills < KILLS:
            form = ("raw", "zstd")[folders % 2]
            folder = home / f"{folders}"
            while not _killed(folder, form, rng.uniform(0, seconds[form]) if kills < KILLS else None):
                kills += 1
                there = {path.name: path for path in folder.glob("level-*.noughts")} if folder.exists() else {}
                levels[len(there)] += 1
                resumed += 0 < len(there) <= cells
                for each, path in there.items():
                    require(digest(path) == whole[form][each], f"{path} is named and not finished, after {kills} kills")
                if len(there) <= cells:
                    _not_finished(folder)
                if kills % 50 == 0:
                    print(f"  {kills} kills", flush=True)
            require(hashes(folder) == whole[form], f"{folder} differs after {kills} kills")
            shutil.rmtree(folder)
            folders += 1
    seen = sum(1 for count in levels if 0 < count <= cells)
    took = ", ".join(f"{form} {each:.1f} s" for form, each in seconds.items())
    return (
        f"{kills} kills of a saving solve of {GAME} ({took}), "
        f"{resumed} of them with some of the {cells + 1} levels finished ({seen} different numbers of them), "
        f"{folders} solutions completed, all identical to an undisturbed one"
    )


def _start(folder: Path, form: str) -> int:
    """A process that solves: a copy of this one, which has everything loaded and no threads."""
    process = os.fork()
    if not process:
        code = 1
        try:
            solve(Game.parse(GAME), save=folder, compress=form == "zstd", threads=1)
            code = 0
        finally:
            os._exit(code)
    return process


def _undisturbed(folder: Path, form: str) -> float:
    process, began = _start(folder, form), time.monotonic()
    require(os.waitpid(process, 0)[1] == 0, "an undisturbed solve failed")
    return time.monotonic() - began


def _killed(folder: Path, form: str, after: float | None) -> bool:
    """Solve, and kill after so many seconds; True if it was done before that."""
    process = _start(folder, form)
    ended = os.pidfd_open(process)
    if not select.select([ended], [], [], after)[0]:
        os.kill(process, signal.SIGKILL)
    os.close(ended)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    require(code in (0, -signal.SIGKILL), f"it ended with {code}")
    return code == 0


def _verified(folder: Path) -> None:
    process = os.fork()  # this one must stay without threads
    if not process:
        code = 1
        try:
            verify(folder, sample=SAMPLE, threads=1)
            code = 0
        finally:
            os._exit(code)
    require(os.waitpid(process, 0)[1] == 0, f"{folder} does not verify")


def _not_finished(folder: Path) -> None:
    try:
        Solution.open(folder)
    except DatabaseError:
        return
    require(False, f"{folder} opens, and is not finished")
