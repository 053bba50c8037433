"""Where a measurement was made: the machine, the versions, the commit."""

from __future__ import annotations

import os
import platform
import sys
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from noughts import child, native
from noughts.rules.answer import Answer


@dataclass(frozen=True)
class Machine(Answer):
    """The machine on which something was measured."""

    cpu: str
    cores: int | None
    os: str
    architecture: str


@dataclass(frozen=True)
class Versions(Answer):
    """The programs with which something was measured."""

    noughts: str | None
    python: str
    implementation: str
    numpy: str | None
    native: bool


class Provenance(NamedTuple):
    """What a reader must know to compare two measurements."""

    machine: Machine
    versions: Versions
    commit: str | None


def provenance() -> Provenance:
    """Where something is measured that is measured here and now."""
    python = platform.python_version(), platform.python_implementation()
    return Provenance(
        Machine(cpu_model(), os.cpu_count(), f"{platform.system()} {platform.release()}", platform.machine()),
        Versions(installed("noughts"), *python, installed("numpy"), native.core() is not None),
        commit(),
    )


def in_proc(file: str, *names: str) -> str:
    """What Linux says of the first of these names in a file of /proc; nothing where it says nothing."""
    with suppress(OSError):
        for line in Path("/proc", file).read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith(names):
                return line.partition(":")[2].strip()
    return ""


def cpu_model() -> str:
    """The processor's name, as the system tells it."""
    if found := in_proc("cpuinfo", "model name", "Model"):
        return found
    if sys.platform == "darwin":
        return child.output(("sysctl", "-n", "machdep.cpu.brand_string")) or platform.machine()
    return platform.processor() or platform.machine() or "unknown"


def commit() -> str | None:
    """The commit of this checkout, with + when files differ from it; None when it is not a checkout."""
    here = Path(__file__).parent
    git = "git", "-C", str(here)
    if child.output((*git, "ls-files", "--error-unmatch", str(here.parent / "__init__.py"))) is None:
        return None  # installed, perhaps inside a checkout of something else
    found = child.output((*git, "rev-parse", "HEAD"))
    changed = child.output((*git, "status", "--porcelain"))
    return found and found + ("+" if changed else "")


def installed(package: str) -> str | None:
    """The version of a package, if it is there."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
