"""What cibuildwheel would build for each system, by its own reading of pyproject.toml: `make wheels`.

It says the names of the builds without making them, which needs the systems themselves (docs/how-to/release.md).
"""

from __future__ import annotations

import sys
from importlib.metadata import version

from commands import Failed, run
from record import finish

SYSTEMS = {
    "linux": {"manylinux_x86_64", "manylinux_aarch64", "musllinux_x86_64", "musllinux_aarch64"},
    "macos": {"macosx_x86_64", "macosx_arm64"},
    "windows": {"win_amd64"},
}
KINDS = {"cp311", "cp312"}  # one wheel for Python 3.11, one for every later one


def check() -> str:
    """Ask for each system, which must have both kinds of wheel for each of its machines, and no more; the figures."""
    figures = []
    for system, machines in SYSTEMS.items():
        builds = run(sys.executable, "-m", "cibuildwheel", "--platform", system, "--print-build-identifiers").split()
        print(system, *builds, sep="\n  ")
        if sorted(builds) != sorted(f"{kind}-{machine}" for kind in KINDS for machine in machines):
            raise Failed(f"not both kinds of wheel for each machine of {system}: {', '.join(builds) or 'nothing'}")
        figures.append(f"{len(builds)} wheels for {system} ({', '.join(sorted(machines))})")
    return f"cibuildwheel {version('cibuildwheel')} makes of the configuration {'; '.join(figures)}"


if __name__ == "__main__":
    finish("wheels", check)
