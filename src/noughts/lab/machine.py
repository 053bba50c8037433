"""Where a measurement was made: the machine, the versions, the commit."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from noughts import child, native


def provenance() -> dict[str, Any]:
    """What a reader must know to compare two measurements.

    >>> sorted(provenance())
    ['commit', 'machine', 'versions']
    """
    return {
        "machine": {
            "cpu": cpu_model(),
            "cores": os.cpu_count(),
            "os": f"{platform.system()} {platform.release()}",
            "architecture": platform.machine(),
        },
        "versions": {
            "noughts": installed("noughts"),
            "python": platform.python_version(),
            "implementation": platform.python_implementation(),
            "numpy": installed("numpy"),
            "native": native.core() is not None,
        },
        "commit": commit(),
    }


def cpu_model() -> str:
    """The processor's name, as the system tells it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith(("model name", "Model")):
                return line.partition(":")[2].strip()
    except OSError:
        pass
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
