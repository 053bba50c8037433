"""A server in a process of its own, for whoever fuzzes it or crowds it, and how it is asked."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import TextIO

from laws import Broken, require

Place = tuple[str, int]

SERVE = ("-P", "-m", "noughts", "serve", "--no-browser", "--port", "0")
SHOWN = 4000  # of what a server said, the last characters


@contextlib.contextmanager
def serving(*words: str) -> Iterator[tuple[subprocess.Popen[str], Place, TextIO]]:
    """Python with these words, which first says on stderr where it serves: its process, its place, what else it says.

    After a fault that is shown. It is started in a folder of impostors, none of which may ever run.
    """
    with tempfile.TemporaryDirectory(prefix="noughts-serving-") as name, impostors() as trap:
        log = Path(name, "log")
        environment = os.environ | {"NOUGHTS_CACHE": str(Path(name, "cache"))}
        with log.open("w") as out, log.open(errors="replace") as said:
            process = subprocess.Popen([sys.executable, *words], stderr=out, text=True, cwd=trap, env=environment)
            try:
                while "\n" not in log.read_text(errors="replace") and process.poll() is None:
                    time.sleep(0.01)
                first = said.readline()
                found = re.search(r"http://([\d.]+):(\d+)/", first)
                require(found, f"the server did not say where it is, but {first!r}")
                yield process, (found[1], int(found[2])), said  # type: ignore[index]
                require(process.poll() is None, "the server has ended by itself")
            except BaseException:
                sys.stderr.write(log.read_text(errors="replace")[-SHOWN:])
                raise
            finally:
                process.terminate()
                try:
                    process.wait(30)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


@contextlib.contextmanager
def impostors() -> Iterator[Path]:
    """A folder with a module of every name that a worker may import; Broken at the end if one of them was run."""
    with tempfile.TemporaryDirectory(prefix="noughts-trap-") as home:
        trap, ran = Path(home, "trap"), Path(home, "ran")
        trap.mkdir()
        for name in {*sys.stdlib_module_names, *packages_distributions()}:
            (trap / f"{name}.py").write_text(f"with open({str(ran)!r}, 'a') as file: file.write('{name} ')\n")
        yield trap
        require(not ran.exists(), f"modules of the current folder were run: {ran.exists() and ran.read_text()}")


def held(place: Place) -> int:
    """How many connections to this place its server has taken and not closed: the others have no inode."""
    lines = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]
    rows = [(row[1], row[3], row[9]) for row in map(str.split, lines)]
    port, listening = f":{place[1]:04X}", "0A"
    return sum(at.endswith(port) and state != listening and inode != "0" for at, state, inode in rows)


def asked(
    place: Place, path: str, body: object = None, *, patience: float = 30.0, follow: bool = True
) -> tuple[int, bytes]:
    """The status and the body of an answer, which must come; of a stream that is not followed, its status."""
    with contextlib.closing(http.client.HTTPConnection(*place, timeout=patience)) as connection:
        try:
            how, data = ("GET", None) if body is None else ("POST", json.dumps(body))
            connection.request(how, path, data, {"Content-Type": "application/json"} if data else {})
            answer = connection.getresponse()
            stream = answer.getheader("content-type") == "text/event-stream"
            return answer.status, answer.read() if follow or not stream else b""
        except (OSError, http.client.HTTPException) as problem:
            raise Broken(f"no answer to {path[:200]}: {problem!r}") from problem


@contextlib.contextmanager
def meanwhile(over: threading.Event, *jobs: Callable[[], object]) -> Iterator[None]:
    """These jobs at once, which go on until `over` is set; afterwards raises what one of them found broken."""
    with ThreadPoolExecutor(len(jobs)) as threads:
        found = [threads.submit(job) for job in jobs]
        try:
            yield
        finally:
            over.set()
    for each in found:
        each.result()
