"""Workers of a cluster are killed at random, fifty times, while they solve 4x5k4, then its scheduler and the client in
turn: every solve must count the same, and who loses its scheduler says so in a line.

KILLS=5 makes it fewer. It runs in the environment of `make cluster`, which has Dask.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from breaking import ended, refused
from commands import ROOT, Needs
from laws import require

PYTHON = ROOT / ".venv" / "cluster" / "bin" / "python"
KILLS = int(os.environ.get("KILLS", "50"))
OTHERS = 6  # kills of the scheduler and the client
GAME = "4x5k4"
Counts = dict[str, Any]
# It solves until enough workers were killed, and tells of each solve. A file, because the workers import it again.
SOLVE = """
import json, os, random, signal, sys, tempfile, threading, time
from noughts import Game
from noughts.progress import finish
from noughts.solve.cluster import connecting
from noughts.solve.strong import solving

def main():
    rng, kills, most, game = random.Random(4), 0, int(sys.argv[1]), Game.parse(sys.argv[2])
    with connecting("local:2") as client:
        def killer():
            nonlocal kills
            while kills < most:
                time.sleep(rng.uniform(0.3, 2.0))
                if pids := list(client.run(os.getpid, on_error="ignore").values()):
                    os.kill(rng.choice(pids), signal.SIGKILL)
                    kills += 1
        thread = threading.Thread(target=killer, daemon=True)
        thread.start()
        while thread.is_alive():
            with tempfile.TemporaryDirectory() as folder:
                found = finish(solving(game, part=1_000_000, scratch=folder + "/scratch", cluster=client))
            print(json.dumps({**{name: getattr(found, name) for name in ("positions", "win", "tie")}, "kills": kills}))

if __name__ == "__main__":
    main()
"""


def started(*words: str | Path, folder: str, out: int = subprocess.PIPE) -> subprocess.Popen[str]:
    """The Python of the cluster with these words, in a folder."""
    return subprocess.Popen([PYTHON, *words], stdout=out, stderr=out, text=True, cwd=folder)


@contextmanager
def cluster(folder: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A scheduler with two workers, each a process of its own: its address, and itself."""
    told = Path(folder, "scheduler.json")
    told.unlink(missing_ok=True)

    def begin(kind: str, *words: str) -> subprocess.Popen[str]:
        words = ("-m", f"distributed.cli.dask_{kind}", "--host", "127.0.0.1", "--no-dashboard", *words)
        return started(*words, folder=folder, out=subprocess.DEVNULL)

    processes = [begin("scheduler", "--port", "0", "--scheduler-file", str(told))]
    try:
        while not told.exists():
            require(processes[0].poll() is None, "there is no scheduler")
            time.sleep(0.1)
        address = json.loads(told.read_text())["address"]
        processes += [begin("worker", address, "--nthreads", "1", "--no-nanny") for _ in range(2)]
        yield address, processes[0]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def counted(done: subprocess.CompletedProcess[str], right: Counts, when: str) -> list[Counts]:
    """What was counted in each solve: all went through and counted right."""
    require(done.returncode == 0, f"{when} a solve fails: {done.stderr[-1000:]}")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    for each in found:
        require(each.items() >= right.items(), f"{when} it counts {each}")
    return found


def workers(right: Counts) -> str:
    """Workers are killed."""
    with TemporaryDirectory() as folder:
        script = Path(folder, "killed.py")
        script.write_text(SOLVE, encoding="utf-8")
        found = counted(ended(started(script, str(KILLS), GAME, folder=folder), 1800), right, "among dying workers")
    return f"{found[-1]['kills']} workers killed during {len(found)} solves"


def others(right: Counts) -> str:
    """The scheduler and the client are killed in turn; the same command goes on, with a new cluster."""
    rng = random.Random(5)
    with TemporaryDirectory() as folder:
        for killed in range(OTHERS + 1):
            with cluster(folder) as (address, scheduler):
                words = ["solve", GAME, "--scratch", f"{folder}/s", "--part", "1MB", "--cluster", address, "--json"]
                client = started("-P", "-m", "noughts", *words, folder=folder)
                if killed < OTHERS:
                    time.sleep(rng.uniform(3, 8))
                    (client if killed % 2 else scheduler).kill()
                done = ended(client)
            if killed < OTHERS and not killed % 2 and done.returncode:
                refused(done, {1, 2})
    counted(done, right, f"after {killed} kills of scheduler and client")
    return f"the scheduler and the client {killed} times during one"


def main() -> str:
    """Both."""
    if not PYTHON.exists():
        raise Needs("needs Dask: make cluster")
    from noughts import Game
    from noughts.solve import solve

    plain = solve(Game.parse(GAME))
    right = {"positions": plain.positions, "win": plain.win, "tie": plain.tie}
    return f"{GAME} on local:2 and over TCP, {workers(right)}, {others(right)}: all counts right"
