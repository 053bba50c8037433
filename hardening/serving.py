"""A server in a process of its own, for whoever fuzzes it or crowds it."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import IO

from laws import require

Place = tuple[str, int]


@contextlib.contextmanager
def serving(*words: str) -> Iterator[tuple[subprocess.Popen[str], Place, deque[str]]]:
    """Python with these words, which first says on stderr where it serves: its process, its place, its last words.

    After a fault the last words are shown. It is started in a folder of impostors, none of which may ever run.
    """
    with tempfile.TemporaryDirectory(prefix="noughts-serving-") as home, impostors() as trap:
        process = subprocess.Popen(
            [sys.executable, *words], stderr=subprocess.PIPE, text=True, errors="replace", cwd=trap,
            env=os.environ | {"NOUGHTS_CACHE": home},
        )  # fmt: skip
        assert process.stderr
        said: deque[str] = deque(maxlen=40)
        listener = threading.Thread(target=_listen, args=(process.stderr, said), daemon=True)
        try:
            try:
                said.append(process.stderr.readline())
                listener.start()
                found = re.search(r"http://([\d.]+):(\d+)/", said[0])
                require(found, f"the server did not say where it is, but {said[0]!r}")
                yield process, (found[1], int(found[2])), said  # type: ignore[index]
                require(process.poll() is None, "the server has ended by itself")
            finally:
                _end(process)
                if listener.ident:
                    listener.join(30)
        except BaseException:
            sys.stderr.write("".join(said))
            raise


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


def _listen(stream: IO[str], said: deque[str]) -> None:
    with stream:
        said.extend(stream)


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def cached(process: subprocess.Popen[str]) -> set[Path]:
    """The files in the cache folder of a server that `serving` has started."""
    said = Path(f"/proc/{process.pid}/environ").read_bytes().split(b"\0")
    folder = next(word.partition(b"=")[2].decode() for word in said if word.startswith(b"NOUGHTS_CACHE="))
    return {path for path in Path(folder).rglob("*") if path.is_file()}


def held(place: Place) -> int:
    """How many connections to this place its server has taken and not closed: the others have no inode."""
    lines = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]
    rows = [(row[1], row[3], row[9]) for row in map(str.split, lines)]
    port, listening = f":{place[1]:04X}", "0A"
    return sum(at.endswith(port) and state != listening and inode != "0" for at, state, inode in rows)


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
