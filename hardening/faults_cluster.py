"""Workers of a cluster are killed at random, fifty times, while they solve 4x5k4, then its scheduler and the client in
turn: every solve must count the same, and who loses its scheduler says so in a line.

KILLS=5 makes it fewer. It runs in the environment of `make cluster`, which has Dask.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from breaking import refused
from commands import Needs
from laws import Broken, require

from noughts.solve.summary import Summary

HOME = Path(__file__).resolve().parents[1]
PYTHON = HOME / ".venv" / "cluster" / "bin" / "python"
KILLS = int(os.environ.get("KILLS", "50"))
OTHERS = 6  # kills of the scheduler and the client
GAME = "4x5k4"

SOLVE = """
import os, random, signal, sys, tempfile, threading
from noughts import Game
from noughts.progress import finish
from noughts.solve.cluster import connecting
from noughts.solve.strong import solving

POSITIONS, WIN, TIE = 674_794_169, int(sys.argv[2]), int(sys.argv[3])

def main():
    kills, solves, rng = 0, 0, random.Random(4)
    with connecting("local:2") as client:
        while kills < int(sys.argv[1]):
            done = threading.Event()
            def killer():
                nonlocal kills
                while not done.wait(rng.uniform(0.3, 2.0)) and kills < int(sys.argv[1]):
                    pids = list(client.run(os.getpid, on_error="ignore").values())
                    if pids and not done.is_set():
                        os.kill(rng.choice(pids), signal.SIGKILL)
                        kills += 1
            with tempfile.TemporaryDirectory() as folder:
                thread = threading.Thread(target=killer, daemon=True)
                thread.start()
                try:
                    where = {"scratch": folder + "/scratch", "cluster": client}
                    found = finish(solving(Game.parse("4x5k4"), part=1_000_000, **where))
                finally:
                    done.set()
                thread.join()
            assert (found.positions, found.win, found.tie) == (POSITIONS, WIN, TIE), found
            solves += 1
            print(f"{kills} kills, {solves} solves, all right", flush=True)
    print(kills, solves)

if __name__ == "__main__":
    main()
"""


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A scheduler with two workers, each a process of its own: its address, and itself."""
    told, where = folder / "scheduler.json", ("--host", "127.0.0.1", "--no-dashboard")

    def begin(kind: str, *words: str) -> subprocess.Popen[bytes]:
        line = [str(PYTHON), "-m", f"distributed.cli.dask_{kind}", *where, *words]
        return subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)

    told.unlink(missing_ok=True)
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


def others(plain: Summary) -> int:
    """The scheduler and the client are killed in turn; the same command goes on, with a new cluster. How many were."""
    rng, killed = random.Random(5), 0
    with tempfile.TemporaryDirectory() as name:
        while True:
            with cluster(Path(name)) as (address, scheduler):
                words = ["solve", GAME, "--scratch", f"{name}/s", "--part", "1MB", "--cluster", address, "--json"]
                client = subprocess.Popen(
                    [PYTHON, "-P", "-m", "noughts", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
                )
                if killed < OTHERS:
                    time.sleep(rng.uniform(3, 8))
                    (client if killed % 2 else scheduler).kill()
                out, err = client.communicate(timeout=600)
                if killed >= OTHERS:
                    break
                if not killed % 2 and client.returncode:
                    refused(subprocess.CompletedProcess([], client.returncode, out, err), {1, 2})
                killed += 1
        require(client.returncode == 0, f"after {killed} kills it does not go on: {err[-1000:]}")
        found = json.loads(out)
        same = (found["positions"], found["win"], found["tie"]) == (plain.positions, plain.win, plain.tie)
        require(same, f"after {killed} kills it counts {found}")
    return killed


def main() -> str:
    """Kill workers until enough are dead."""
    if not PYTHON.exists():
        raise Needs("needs Dask: make cluster")
    from noughts import Game
    from noughts.solve import solve

    plain = solve(Game.parse(GAME))
    script = HOME / ".venv" / "cluster" / "killed.py"  # a file: the workers import it again
    script.write_text(SOLVE, encoding="utf-8")
    found = subprocess.run(
        [PYTHON, script, str(KILLS), str(plain.win), str(plain.tie)], stdout=subprocess.PIPE, text=True, check=False
    )
    print(found.stdout)
    if found.returncode:
        raise Broken("a solve on a cluster did not survive its workers")
    kills, solves = found.stdout.split()[-2:]
    ends = (
        f"{kills} workers killed during {solves} solves, the scheduler and the client {others(plain)} times during one"
    )
    return f"{GAME} on local:2 and over TCP, {ends}: all counts right"
