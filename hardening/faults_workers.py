"""The processes of the server are killed at random moments: as they start, as they wait, as they work.

Each time the next questions are answered, by a worker and by a long run; and at the end nothing is left of the dead.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial

from laws import Broken, family, require
from serving import Place, meanwhile, serving

SERVERS, KILLS = 8, 25  # of each server
PATIENCE = 60.0  # seconds within which an answer comes
LONGEST = 1.5  # seconds after which the next kill comes
MOVE = {"position": "4x4k4:X.../.O../..../....", "player": "perfect"}
RUNS = ["/api/v1/solve?game=3x3k3&again=true", "/api/v1/match?n=20&again=true"]


def main() -> str:
    """Kill, and ask."""
    rng, killed = random.Random(0), Counter[str]()
    for number in range(SERVERS):
        with serving("-P", "-m", "noughts", "serve", "--no-browser", "--port", "0") as (process, place, _):
            if kill_first(process.pid, rng.uniform(0, 0.3)):
                killed["while it warmed up"] += 1
            require_answered(place)
            with asking(place):
                for _ in range(KILLS):
                    time.sleep(rng.uniform(0, LONGEST))
                    killed["amid questions"] += kill_one(process.pid, rng)
            time.sleep(1)
            for pid in family(process.pid):
                killed["idle"] += kill(pid)
            require_answered(place)
        print(f"  {number + 1} servers: {shown(killed)}", flush=True)
    require(all(killed[when] for when in ("while it warmed up", "amid questions", "idle")), f"killed {shown(killed)}")
    return f"{killed.total()} kills ({shown(killed)}) of {SERVERS} servers' processes: every next question was answered"


def shown(killed: Counter[str]) -> str:
    """How many were killed when."""
    return ", ".join(f"{count} {when}" for when, count in killed.items())


# Killing


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


def kill_first(server: int, seconds: float) -> bool:
    """Kill the first worker so many seconds after it was started."""
    end = time.monotonic() + PATIENCE
    while not (there := family(server)):
        if time.monotonic() > end:
            return False
        time.sleep(0.001)
    time.sleep(seconds)
    return kill(there[0])


# Asking


def status(place: Place, path: str, body: object = None) -> tuple[int, bytes]:
    """What the server answers."""
    with contextlib.closing(http.client.HTTPConnection(*place, timeout=PATIENCE)) as connection:
        try:
            if body is None:
                connection.request("GET", path)
            else:
                connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException) as problem:
            raise Broken(f"no answer to {path}: {problem!r}") from problem


def require_answered(place: Place) -> None:
    """A worker answers, and a long run tells its result."""
    found, said = status(place, "/api/v1/move", MOVE)
    require(found == 200, f"{found} to a move after a worker was killed: {said[:300]!r}")
    for path in RUNS:
        found, said = status(place, path)
        require(found == 200 and b"event: summary" in said, f"{found} to {path} after a kill: {said[-300:]!r}")


@contextlib.contextmanager
def asking(place: Place) -> Iterator[None]:
    """Questions without an end, of both kinds; one that loses its process may say so, and must come to an end."""
    over = threading.Event()

    def ask(path: str, body: object = None) -> None:
        while not over.is_set():
            found, said = status(place, path, body)
            lost = b"ended without a result" in said or found in (429, 500)
            require(found == 200 or lost, f"{found} to {path} amid kills: {said[:300]!r}")

    moves = [partial(ask, "/api/v1/move", MOVE)] * 2
    with meanwhile(over, *moves, *(partial(ask, path) for path in RUNS)):
        yield
