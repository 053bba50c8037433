"""Workers of a cluster are killed at random, fifty times, while they solve 4x5k4: every solve must count the same.

KILLS=5 makes it fewer. It runs in the environment of `make cluster`, which has Dask.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from commands import Needs
from laws import Broken

HOME = Path(__file__).resolve().parents[1]
PYTHON = HOME / ".venv" / "cluster" / "bin" / "python"
KILLS = int(os.environ.get("KILLS", "50"))

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


def main() -> str:
    """Kill workers until enough are dead."""
    if not PYTHON.exists():
        raise Needs("needs Dask: make cluster")
    from noughts import Game
    from noughts.solve import solve

    plain = solve(Game.parse("4x5k4"))
    script = HOME / ".venv" / "cluster" / "killed.py"  # a file: the workers import it again
    script.write_text(SOLVE, encoding="utf-8")
    found = subprocess.run(
        [PYTHON, script, str(KILLS), str(plain.win), str(plain.tie)], stdout=subprocess.PIPE, text=True, check=False
    )
    print(found.stdout)
    if found.returncode:
        raise Broken("a solve on a cluster did not survive its workers")
    kills, solves = found.stdout.split()[-2:]
    return f"4x5k4 on local:2, {kills} workers killed during {solves} solves, all counts right"
