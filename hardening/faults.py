"""Faults: `python hardening/faults.py [NAME ...]` breaks what noughts stands on, and sees that nothing is lost.

Each faults_NAME.py has `main() -> str`: it prints what it does, raises `Broken` if a law does not hold (`Needs`, if it
cannot be tried here), and returns its figures in a few words.
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
import time
from pathlib import Path

from commands import Needs
from laws import Broken
from record import failure, record

FAULTS = sorted(path.stem.removeprefix("faults_") for path in Path(__file__).parent.glob("faults_*.py"))


def main() -> None:
    """Run the faults that the command line names, or all."""
    parser = argparse.ArgumentParser(description="Break what noughts stands on.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(FAULTS)}; all unless named")
    parser.add_argument("--record", action="store_true", help="write the result into docs/quality.md")
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in FAULTS]:
        parser.error(f"there is no fault {unknown[0]}: there are {', '.join(FAULTS)}")
    fewer, broken = "KILLS" in os.environ or "CLOCK_MOVES" in os.environ, False
    for name in given.names or FAULTS:
        print(f"== {name}", flush=True)
        began, whole = time.monotonic(), not fewer
        try:
            says = importlib.import_module(f"faults_{name}").main()
        except Needs as problem:
            parser.exit(2, f"faults: {name} {problem}\n")
        except (Broken, OSError, subprocess.SubprocessError) as problem:
            broken = whole = True
            says = failure(problem)
            print(problem, file=sys.stderr)
        print(f"{name}: {says} ({time.monotonic() - began:.0f} s)", flush=True)
        if given.record and whole:
            record(f"faults FAULT={name}", says)
    sys.exit(broken)


if __name__ == "__main__":
    main()
