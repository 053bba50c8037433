"""The processes of the server are killed at random moments amid questions, and as they wait.

Each time the next questions are answered, by a worker and by a long run; and at the end nothing is left of the dead.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial

from laws import family, require
from serving import SERVE, Place, asked, meanwhile, serving

SERVERS, KILLS = 8, 25  # of each server
PATIENCE = 60.0  # seconds within which an answer comes
LONGEST = 1.5  # seconds after which the next kill comes
MOVE = ("/api/v1/move", {"position": "4x4k4:X.../.O../..../....", "player": "perfect"})
RUNS = [("/api/v1/solve?game=3x3k3&again=true", None), ("/api/v1/match?n=20&again=true", None)]
WHEN = ("amid questions", "idle")


def main() -> str:
    """Kill, and ask."""
    rng, killed = random.Random(0), Counter[str]()
    for number in range(SERVERS):
        with serving(*SERVE) as (process, place, _):
            require_answered(place)
            with asking(place):
                for _ in range(KILLS):
                    time.sleep(rng.uniform(0, LONGEST))
                    killed[WHEN[0]] += kill_one(process.pid, rng)
            time.sleep(1)
            killed[WHEN[1]] += sum(map(kill, family(process.pid)))
            require_answered(place)
        shown = ", ".join(f"{killed[when]} {when}" for when in WHEN)
        print(f"  {number + 1} servers: {shown}", flush=True)
    require(all(killed[when] for when in WHEN), f"killed {shown}")
    return f"{killed.total()} kills ({shown}) of {SERVERS} servers' processes: every next question was answered"


def kill(pid: int) -> bool:
    """Kill a process: was it there?"""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
        return True
    return False


def kill_one(server: int, rng: random.Random) -> bool:
    """Kill some process of the server."""
    there = family(server)
    return bool(there) and kill(rng.choice(there))


def require_answered(place: Place) -> None:
    """A worker answers, and a long run tells its result."""
    for path, body in (MOVE, *RUNS):
        status, said = asked(place, path, body, patience=PATIENCE)
        whole = body or b"event: summary" in said
        require(status == 200 and whole, f"{status} to {path} after a kill: {said[-300:]!r}")


@contextlib.contextmanager
def asking(place: Place) -> Iterator[None]:
    """Questions without an end, of both kinds; one that loses its process may say so, and must come to an end."""
    over = threading.Event()

    def ask(path: str, body: object) -> None:
        while not over.is_set():
            status, said = asked(place, path, body, patience=PATIENCE)
            fine = status in (200, 429, 500) or b"ended without a result" in said
            require(fine, f"{status} to {path} amid kills: {said[:300]!r}")

    with meanwhile(over, *(partial(ask, *each) for each in (MOVE, MOVE, *RUNS))):
        yield
