"""What cibuildwheel would build for each system, by its own reading of pyproject.toml: `make wheels`.

It says the names of the builds without making them, which needs the systems themselves (docs/how-to/release.md).
"""

from __future__ import annotations

import sys
from importlib.metadata import version

from commands import Failed, run
from record import finish

SYSTEMS = {"linux": "Linux", "macos": "macOS", "windows": "Windows"}
KINDS = {"cp311", "cp312"}  # one wheel for Python 3.11, one for every later one


def check() -> str:
    """Ask for each system, which must have both kinds of wheel for each machine; the figures."""
    figures = []
    for system, name in SYSTEMS.items():
        builds = run(sys.executable, "-m", "cibuildwheel", "--platform", system, "--print-build-identifiers").split()
        print(name, *builds, sep="\n  ")
        machines: dict[str, set[str]] = {}
        for build in builds:
            kind, _, machine = build.partition("-")
            machines.setdefault(machine, set()).add(kind)
        if not machines or any(kinds != KINDS for kinds in machines.values()):
            raise Failed(f"not both kinds of wheel for {name}: {', '.join(builds) or 'nothing'}")
        figures.append(f"{name}: {len(builds)} ({', '.join(sorted(machines))})")
    return f"cibuildwheel {version('cibuildwheel')} reads the configuration as {'; '.join(figures)}"


if __name__ == "__main__":
    finish("wheels", check)
