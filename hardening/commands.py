"""What the checks of the build share: a command that must succeed, and how it is told when it does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = Path(sys.executable).parent  # cmake, ninja and the like are in .venv
TOLD = 8000  # of what a failed command printed, the last characters


class Failed(ValueError):
    """What was built, or the building of it, is not as it must be."""


class Needs(ValueError):
    """A check cannot be made here, or not yet: nothing is wrong with what it checks."""


def run(*command: str | Path, env: dict[str, str] | None = None, cwd: Path = ROOT) -> str:
    """Run a command to its end and give what it printed; it must succeed."""
    done = subprocess.run(command, env=env, cwd=cwd, text=True, capture_output=True, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr).strip()
        how = f"{Path(command[0]).name} ended with {done.returncode}: {said.rpartition(chr(10))[2]}"
        raise Failed(f"{how}\n{' '.join(map(str, command))}\n{said[-TOLD:]}")
    return done.stdout
