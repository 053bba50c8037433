"""What the races of the native core share: interleaved rounds, a table, JSON, and C peers compiled on the spot.

Times are processor times of this process, so that other programs on the machine count as little as they can (they still
take cache and memory bandwidth). Jobs take turns, round by round; the best and the median round are shown.
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import process_time

from noughts import _core
from noughts.lab.machine import cpu_model

HERE = Path(__file__).parent


def c_peer(name: str) -> ctypes.CDLL | None:
    """A plain C file of this folder, compiled for this very processor; None where there is no C compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        print(f"(no cc: {name} is left out)")
        return None
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "peer.so"
        flags = ["-std=c11", "-O3", "-march=native", "-shared", "-fPIC"]
        subprocess.run([compiler, *flags, str(HERE / name), "-o", str(library)], check=True)
        return ctypes.CDLL(str(library))


def race(title: str, unit: str, jobs: dict[str, tuple[Callable[[], object], float]], peer: str, rounds: int) -> dict:
    """Time each job (with how many units it does), print a table of units a second, and return the figures."""
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, (job, _) in jobs.items():
            start = process_time()
            job()
            times[name].append(process_time() - start)
    rates = {
        name: {"best": jobs[name][1] / min(took), "median": jobs[name][1] / median(took)}
        for name, took in times.items()
    }
    print(f"\n{title}\n{unit + ' a second':<34}{'best':>18}{'median':>18}{f'x {peer}' if peer in rates else '':>22}")
    for name, rate in rates.items():
        if peer in rates:
            rate["ratio"] = rate["best"] / rates[peer]["best"]
        ratio = f"{rate['ratio']:.3g}" if "ratio" in rate else ""
        print(f"{name:<34}{rate['best']:>18,.0f}{rate['median']:>18,.0f}{ratio:>22}")
    return {"title": title, "unit": f"{unit} a second", "peer": peer, "rounds": rounds, "rates": rates}


def save(name: str, found: list[dict] | dict) -> None:
    """Write the figures to results/name.json, with the day and the machine."""
    (HERE / "results").mkdir(exist_ok=True)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    machine = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "machine": platform.machine(), "processor": cpu_model()}
    machine |= {"cores": cores, "isas": _core.isas(), "python": platform.python_version()}
    figures = found if isinstance(found, dict) else {"tables": found}
    path = HERE / "results" / f"{name}.json"
    path.write_text(json.dumps(machine | figures, indent=2) + "\n", encoding="utf-8")
    print(f"\nwritten: {path}")
