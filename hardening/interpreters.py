"""The Pythons of this machine, from 3.11 up: `python hardening/interpreters.py [PYTHON …]` lists them.

Looked for, unless some are named: python3.11, python3.12, … on PATH, what pyenv keeps, and build/pythons, where
`hardening/pythons.sh` puts newer ones.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST, STABLE = (3, 11), (3, 12)  # the first Python that noughts runs on, and the first that the stable ABI serves

ASK = """
import sys, sysconfig, pathlib, venv, ensurepip
headers = pathlib.Path(sysconfig.get_path("include"), "Python.h").is_file()
print(*sys.version_info[:3], int(headers), sys.implementation.name, sys.executable, sep="\\n")
"""


class NoPython(ValueError):
    """A Python that was asked for cannot be used."""


@dataclass(frozen=True)
class Interpreter:
    """One Python."""

    path: Path
    version: tuple[int, int, int]
    headers: bool  # has what an extension module is built with

    @property
    def minor(self) -> str:
        """`3.13`."""
        return "{}.{}".format(*self.version)

    def __str__(self) -> str:
        return "{}.{}.{}".format(*self.version)

    def environment(self, folder: Path) -> Path:
        """Make an empty virtual environment there; its python."""
        subprocess.run([self.path, "-m", "venv", "--clear", folder], check=True)
        return folder / "bin" / "python"


def ask(command: str | Path) -> Interpreter:
    """What Python is this command?"""
    try:
        done = subprocess.run([command, "-c", ASK], capture_output=True, text=True, timeout=60, check=False)
    except OSError as problem:
        raise NoPython(f"{command} cannot be run: {problem.strerror}") from None
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise NoPython(f"{command} is no Python with venv and ensurepip: {why}")
    *numbers, headers, name, path = done.stdout.split("\n")[:6]
    version = int(numbers[0]), int(numbers[1]), int(numbers[2])
    if version < OLDEST or name != "cpython":
        raise NoPython("{} is {} {}.{}.{}: expected CPython 3.11 or newer".format(command, name, *version))
    return Interpreter(Path(path), version, headers == "1")


def candidates() -> Iterator[str | Path]:
    """Commands that may be a Python of ours."""
    names = [f"python3.{minor}" for minor in range(OLDEST[1], OLDEST[1] + 20)]
    yield from names
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for folder in (pyenv.glob("versions/*/bin"), (ROOT / "build" / "pythons").glob("usr/bin")):
        yield from (path for each in sorted(folder) for name in names if (path := each / name).exists())


def find(wanted: list[str] | None = None) -> list[Interpreter]:
    """Those that are wanted, or else the first that is found of each minor version; the oldest first."""
    if wanted:
        return sorted((ask(command) for command in wanted), key=lambda python: python.version)
    found: dict[str, Interpreter] = {}
    for command in candidates():
        try:
            python = ask(command)
        except NoPython:
            continue
        found.setdefault(python.minor, python)
    if not found:
        raise NoPython("no Python 3.11 or newer with venv was found: name one, as in PYTHONS=/usr/bin/python3.13")
    return sorted(found.values(), key=lambda python: python.version)


if __name__ == "__main__":
    try:
        for python in find(sys.argv[1:]):
            print(f"{python}  {python.path}{'' if python.headers else '  (no headers: cannot build)'}")
    except NoPython as problem:
        sys.exit(f"interpreters: {problem}")
