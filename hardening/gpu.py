"""The solver on a GPU, checked on one: `make gpu`, on a machine that has one, with CuPy and the CUDA tools.

Runs the tests that are marked gpu, slow ones too, and the solver under compute-sanitizer: no access out of bounds, no
race in what the threads of a group share.
"""

from __future__ import annotations

import re
import shutil
import sys

from commands import ROOT, Failed, Needs, run
from record import finish

from noughts.solve.backends import BACKENDS
from noughts.solve.backends.cuda import gpu

TOOLS = ("memcheck", "racecheck")
GAMES = ("4x4k4", "4x5k4")


def check() -> str:
    """Run everything, and say what was found."""
    if absence := BACKENDS["cuda"].absence():
        raise Needs(absence)
    if shutil.which("compute-sanitizer") is None:
        raise Needs("compute-sanitizer is not on the path: it comes with CUDA")
    device, driver = gpu(), run("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader").split()[0]
    tests = run(sys.executable, "-m", "pytest", "-q", "-m", "gpu", str(ROOT / "tests" / "test_cuda.py"))
    if (passed := re.search(r"^(\d+) passed", tests, re.MULTILINE)) is None:
        raise Failed(f"no test ran: {tests.splitlines()[-1]}")
    for tool in TOOLS:
        for game in GAMES:
            solve = (sys.executable, "-m", "noughts", "solve", game, "--backend", "cuda", "--json")
            told = run("compute-sanitizer", "--tool", tool, "--error-exitcode", "9", *solve)
            print(f"gpu: {tool} {game}: {told.strip().splitlines()[-1]}", flush=True)
    return (
        f"{device.name}, driver {driver}, CUDA {device.cuda} by CuPy {device.cupy}: {passed[1]} tests passed, every "
        "level byte for byte that of the native core; "
        f"compute-sanitizer ({', '.join(TOOLS)}) on {' and '.join(GAMES)}: nothing reported"
    )


if __name__ == "__main__":
    finish("gpu", check)
