"""Each extra alone in an empty environment, and none: `make extras`, after `make dist`.

Without an extra, whatever needs it fails and names it, and rules, analyze, solve and play work without numpy. With it,
and nothing else, the same goes through.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from commands import Failed, run
from dist import bare, install, wheel_for
from interpreters import Interpreter, find
from record import finish

BENCH = "bench --experiment scenarios --scenario row_win --detector shifts --iterations 10 --trials 2 --no-memory"
NEEDS = {  # what needs each extra: words of the command, or code
    "batch": "dataset 3x3k3 -o {}/set.npz",
    "web": "serve --no-browser --port 0",
    "plots": BENCH + " --report {}/report",
    "db": "solve 3x3k3 --save {}/saved --compress",
    "envs": "import noughts.bridges.gymnasium, noughts.bridges.pettingzoo",
    "parquet": "solve 3x3k3 --export {}/all.parquet",
    "cluster": "solve 3x4k3 --scratch {}/scratch --cluster local:1",
    "cuda": "solve 3x3k3 --backend cuda",
}
LONGEST = 120  # seconds
ELSEWHERE = {"cuda"}  # needs a GPU: make gpu
ALONE = {  # what needs none, and what it says
    "analyze X.O/.X./..O --json": '"value"',
    "solve 3x3k3 --json": '"positions": 5478',
    "play --against level-1 --seed 1": "X resigns",
    "check {}/proof": "proven",
}


def ended(python: Path, words: str, folder: Path, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Ask the command, or run code, with nothing of the outside in sight."""
    code = words.startswith("import ")
    line = [str(python), "-c", words] if code else [str(python.parent / "noughts"), *words.format(folder).split()]
    env = bare(folder, python.parent)
    try:
        return subprocess.run(
            line, env=env, cwd=folder, input=typed, text=True, capture_output=True, timeout=LONGEST, check=False
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(line, 0, "", "")  # the server serves on


def made(python: Interpreter, folder: Path, extra: str = "") -> Path:
    """An empty environment with the wheel, and perhaps an extra; its python."""
    place = python.environment(folder / "venv")
    wheel = wheel_for(python)
    install(place, bare(folder, place.parent), folder, f"noughts[{extra}] @ {wheel.as_uri()}" if extra else wheel)
    return place


def check(python: Interpreter) -> str:
    """Try them all with this Python; the figures."""
    with tempfile.TemporaryDirectory(prefix="noughts-extras-") as name:
        folder = Path(name)
        place = made(python, folder)
        if "numpy" in (there := run(place, "-m", "pip", "list", "--format=freeze")):
            raise Failed(f"pip install noughts alone brings numpy: {there}")
        run(place.parent / "noughts", "prove", "4x4k4", "--save", folder / "proof", env=bare(folder, place.parent))
        for words, says in ALONE.items():
            done = ended(place, words, folder, "b2\nresign\n")
            if done.returncode or says not in done.stdout:
                raise Failed(f"noughts {words} does not work alone: {done.stdout[-500:]}{done.stderr[-500:]}")
        for extra, words in NEEDS.items():
            done = ended(place, words, folder)
            if not done.returncode or f"noughts[{extra}]" not in done.stderr:
                raise Failed(
                    f"{words} does not name noughts[{extra}], which it lacks: {done.stdout}{done.stderr[-800:]}"
                )
    for extra in NEEDS.keys() - ELSEWHERE:
        with tempfile.TemporaryDirectory(prefix="noughts-extras-") as name:
            print(f"extras: {extra}", flush=True)
            done = ended(made(python, Path(name), extra), NEEDS[extra], Path(name))
            if done.returncode:
                raise Failed(f"with noughts[{extra}] alone {NEEDS[extra]} fails: {done.stderr[-2000:]}")
    tried = ", ".join(sorted(NEEDS.keys() - ELSEWHERE))
    return f"Python {python}: {len(ALONE)} commands without any extra, and without numpy; each of {tried} alone"


if __name__ == "__main__":
    pythons = find(sys.argv[1:])
    finish("extras", lambda: check(pythons[0]))
