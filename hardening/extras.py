"""Each extra alone in an empty environment, and none: `make extras`, after `make dist`.

Without an extra, whatever needs it fails and names it, and rules, analyze, solve and play work without numpy. With it,
and nothing else, the same goes through.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from commands import Failed
from dist import Installed, Python, find, wheel_for
from record import finish

BENCH = "bench --experiment scenarios --scenario row_win --detector shifts --iterations 10 --trials 2 --no-memory"
NEEDS = {  # what needs each extra: words of the command, or code
    "batch": "dataset 3x3k3 -o set.npz",
    "web": "serve --no-browser --port 0",
    "plots": BENCH + " --report report",
    "db": "solve 3x3k3 --save saved --compress",
    "envs": "import noughts.bridges.gymnasium, noughts.bridges.pettingzoo",
    "parquet": "solve 3x3k3 --export all.parquet",
    "cluster": "solve 3x4k3 --scratch scratch --cluster local:1",
    "cuda": "solve 3x3k3 --backend cuda",
}
LONGEST = 120  # seconds
HERE = sorted(NEEDS.keys() - {"cuda"})  # that needs a GPU: make gpu
ALONE = {  # what needs none, and what it says
    "analyze X.O/.X./..O --json": '"value"',
    "solve 3x3k3 --json": '"positions": 5478',
    "play --against level-1 --seed 1": "X resigns",
    "check proof": "proven",
}


def ended(there: Installed, words: str) -> subprocess.CompletedProcess[str]:
    """Ask the command, or run code."""
    line = ["python", "-c", words] if words.startswith("import ") else ["noughts", *words.split()]
    line[0] = str(there.python.with_name(line[0]))
    try:
        return subprocess.run(line, env=there.env, cwd=there.folder, input="b2\nresign\n", text=True,
                              capture_output=True, timeout=LONGEST, check=False)  # fmt: skip
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(line, 0, "", "")  # the server serves on


def alone(python: Python, there: Installed) -> None:
    """Without any extra, without numpy: what needs none works, what needs one names it."""
    there.pip(wheel_for(python))
    if "numpy" in (listed := there.run("python", "-m", "pip", "list", "--format=freeze")):
        raise Failed(f"pip install noughts alone brings numpy: {listed}")
    there.run("noughts", "prove", "4x4k4", "--save", "proof")
    for words, says in ALONE.items():
        done = ended(there, words)
        if done.returncode or says not in done.stdout:
            raise Failed(f"noughts {words} does not work alone: {done.stdout[-500:]}{done.stderr[-500:]}")
    for extra, words in NEEDS.items():
        done = ended(there, words)
        if not done.returncode or f"noughts[{extra}]" not in done.stderr:
            raise Failed(f"{words} does not name noughts[{extra}], which it lacks: {done.stdout}{done.stderr[-800:]}")


def check(python: Python) -> str:
    """Try them all with this Python; the figures."""
    for extra in ("", *HERE):
        with TemporaryDirectory(prefix="noughts-extras-") as name:
            print(f"extras: {extra or 'none'}", flush=True)
            there = Installed(python, Path(name))
            if not extra:
                alone(python, there)
                continue
            there.pip(wheel_for(python, extra))
            done = ended(there, NEEDS[extra])
            if done.returncode:
                raise Failed(f"with noughts[{extra}] alone {NEEDS[extra]} fails: {done.stderr[-2000:]}")
    each = ", ".join(HERE)
    return f"Python {python}: {len(ALONE)} commands without any extra, and without numpy; each of {each} alone"


if __name__ == "__main__":
    finish("extras", lambda: check(find(sys.argv[1:])[0]))
