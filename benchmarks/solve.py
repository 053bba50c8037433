"""Strong solving: how long it takes, how much memory, and what a lookup in a saved solution costs.

    python benchmarks/solve.py            3x3k3, 4x4k4, 4x5k4 on one core; saving; lookups
    python benchmarks/solve.py --large    5x5k4 and 5x5k5 as well, on two threads: a few minutes and gigabytes
    python benchmarks/solve.py --backend cuda    4x5k4 to 4x7k4 on a GPU, beside the processors of the same machine

Prints tables and writes benchmarks/results/solve.json. The solves up to 4x5k4 are the best of several whole calls from
Python; the large ones are one run of the command each, and so is the memory: the peak of a process of its own. `reach`
is what the design asks for.
"""

from __future__ import annotations

import csv
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from _native import save

from noughts import Game, native
from noughts.solve import Solution, solve
from noughts.solve.arrays import codes
from noughts.solve.machine import processors

# game: (threads, seconds to reach)
SMALL = {"3x3k3": (1, 0.001), "4x4k4": (1, 0.060), "4x5k4": (1, 4.0)}
LARGE = {"5x5k4": (2, 600.0), "5x5k5": (2, 780.0)}
LOOKUPS = 1_000_000
ON_GPU = {"4x5k4": 0.010, "5x5k4": 0.5, "5x5k5": 0.7, "3x9k4": 20.0, "4x7k4": 60.0}  # seconds to reach
PROFILED = "5x5k4"
METRICS = {  # of the profiler: what share of the most is reached
    "dram__throughput.avg.pct_of_peak_sustained_elapsed": "memory",
    "l1tex__throughput.avg.pct_of_peak_sustained_active": "L1",
    "sm__inst_issued.avg.pct_of_peak_sustained_active": "instructions",
}


def best_time(job: Callable[[], object], seconds: float = 1.0) -> float:
    """The best of as many runs as fit into about so many seconds, of at least one."""
    times: list[float] = []
    while not times or (sum(times) < seconds and len(times) < 1000):
        began = perf_counter()
        job()
        times.append(perf_counter() - began)
    return min(times)


def command(*words: str) -> dict[str, Any]:
    """What a command of its own process answers."""
    line = [sys.executable, "-m", "noughts", *words, "--json"]
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def measure_solve(name: str, threads: int, *, once: bool) -> dict[str, Any]:
    """One row of the first table."""
    answer = command("solve", name, "--threads", str(threads))
    game = Game.parse(name)
    seconds = answer["seconds"] if once else best_time(lambda: solve(game, threads=threads))
    return {
        "threads": threads,
        "positions": answer["positions"],
        "seconds": seconds,
        "core_ns_per_position": seconds * threads * 1e9 / answer["positions"],
        "peak_rss_bytes": answer["peak_rss_bytes"],
    }


def random_boards(game: Game, count: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Boards of random levels with nobody's line, as sets."""
    rng, x, o = random.Random(0), [], []
    while len(x) < count:
        cells, marks = list(range(game.cells)), rng.randrange(game.cells + 1)
        rng.shuffle(cells)
        own, other = (sum(1 << cell for cell in cells[side:marks:2]) for side in (0, 1))
        if not game.rule.has_line(own) and not game.rule.has_line(other):
            x.append(own)
            o.append(other)
    return np.array(x, np.uint32), np.array(o, np.uint32)


def measure_database(name: str, folder: Path, *, compress: bool) -> dict[str, Any]:
    """One row of the second table; times in seconds."""
    game = Game.parse(name)
    began = perf_counter()
    solve(game, save=folder, compress=compress, threads=1)
    saving = perf_counter() - began
    opening = best_time(lambda: Solution.open(folder).close(), 0.2)
    solution = Solution.open(folder)
    x, o = random_boards(game, 20_000)
    x, o = np.tile(x, LOOKUPS // len(x)), np.tile(o, LOOKUPS // len(o))
    codes(solution, x, o)  # every page that is asked for has been checked once
    row = {
        "saving": saving,
        "bytes": sum(path.stat().st_size for path in folder.iterdir()),
        "opening": opening,
        "lookup_native": best_time(lambda: codes(solution, x, o)) / len(x),
        "lookup_python": None,
    }
    position = game.start()
    for cell in (5, 6, 9):
        position = position.play(cell)
    row["lookup_python"] = best_time(lambda: [solution[position] for _ in range(1000)]) / 1000
    return row


def measure_on_gpu(name: str) -> dict[str, Any]:
    """One row of the table of the GPU: the second of two runs, and the time of its kernels by their events."""
    import cupy

    from noughts.solve.backends.cuda import CupyDevice, _fits
    from noughts.solve.gpu import DeviceRun, Tables
    from noughts.solve.job import Job

    class Timed(CupyDevice):
        """A GPU that notes when each kernel begins and ends."""

        def launch(self, kernel: str, *arguments: Any) -> None:
            begins = cupy.cuda.get_current_stream().record(cupy.cuda.Event())
            super().launch(kernel, *arguments)
            launches.append((kernel, begins, cupy.cuda.get_current_stream().record(cupy.cuda.Event())))

    game = Game.parse(name)
    device, kernels = Timed(Tables(game).words), dict[str, float]()
    for _ in range(2):  # the first also gets the memory
        launches: list[tuple[str, Any, Any]] = []
        job, began = Job(game, processors(), []), perf_counter()
        DeviceRun(job, device, lambda _: None, packed=not _fits(game)).all()
        cupy.cuda.Device().synchronize()
        seconds = perf_counter() - began
    for kernel, begins, ends in launches:
        kernels[kernel] = kernels.get(kernel, 0) + cupy.cuda.get_elapsed_time(begins, ends) / 1000
    cupy.get_default_memory_pool().free_all_blocks()
    on_processors = game.cells <= 25
    return {
        "positions": sum(level.positions for level in job.levels.values()),
        "bytes": job.total,
        "seconds": seconds,
        "kernels": kernels,
        "native_seconds": solve(game, backend="native").seconds if on_processors else None,
        "native_threads": processors() if on_processors else None,
    }


def profile() -> dict[str, dict[str, float]]:
    """By kernel, the share of the most that memory, L1 and the issue of instructions reach, weighed by time."""
    if shutil.which("ncu") is None:
        return {}
    wanted = ",".join([*METRICS, "gpu__time_duration.sum"])
    line = ["ncu", "--clock-control", "none", "--csv", "--metrics", wanted, "-k", "regex:solve|count_won",
            sys.executable, "-m", "noughts", "solve", PROFILED, "--backend", "cuda", "--json"]  # fmt: skip
    done = subprocess.run(line, capture_output=True, text=True, check=True).stdout
    table = done[done.index('"ID"') :].splitlines()
    launches: dict[str, dict[str, Any]] = {}
    for row in csv.DictReader(table):
        launch = launches.setdefault(row["ID"], {"kernel": row["Kernel Name"].partition("(")[0]})
        launch[row["Metric Name"]] = float(row["Metric Value"].replace(",", ""))
    found: dict[str, dict[str, float]] = {}
    for kernel in {launch["kernel"] for launch in launches.values()}:
        own = [launch for launch in launches.values() if launch["kernel"] == kernel]
        whole = sum(launch["gpu__time_duration.sum"] for launch in own)
        found[kernel] = {
            word: sum(launch[name] * launch["gpu__time_duration.sum"] for launch in own) / whole
            for name, word in METRICS.items()
        }
    return found


def main_on_gpu() -> None:
    """Measure a GPU, print, write."""
    from noughts.solve.backends import BACKENDS
    from noughts.solve.backends.cuda import gpu

    if absence := BACKENDS["cuda"].absence():
        sys.exit(f"benchmarks/solve.py: {absence}")
    device, rows = gpu(), {}
    print(f"{device.name}, CUDA {device.cuda}; seconds of kernels and transfers, without the index\n")
    print(f"{'on a GPU':<10}{'positions':>20}{'seconds':>10}{'reach':>8}{'kernels':>10}{'GB/s made':>11}{'native':>14}")
    for name, reach in ON_GPU.items():
        row = rows[name] = {**measure_on_gpu(name), "reach": reach}
        beside = f"{row['native_seconds']:.3f} ({row['native_threads']})" if row["native_seconds"] else "-"
        print(
            f"{name:<10}{row['positions']:>20,}{row['seconds']:>10.4f}{reach:>8}{sum(row['kernels'].values()):>10.4f}"
            f"{row['bytes'] / row['seconds'] / 1e9:>11.1f}{beside:>14}",
            flush=True,
        )
    print(f"\n{'kernel of ' + PROFILED + ' (ncu)':<26}" + "".join(f"{word:>14}" for word in METRICS.values()))
    shares = profile()
    for kernel, share in shares.items():
        print(f"{kernel:<26}" + "".join(f"{share[word]:>13.1f}%" for word in METRICS.values()))
    if not shares:
        print("not measured: ncu is not on the path")
    save("solve-cuda", {"device": device.to_json(), "unit": "seconds", "solve": rows, "shares": shares})


def main() -> None:
    """Measure, print, write."""
    if native.core() is None:
        sys.exit("benchmarks/solve.py needs the native core")
    if "--backend" in sys.argv[1:]:
        if sys.argv[-2:] != ["--backend", "cuda"]:
            sys.exit("benchmarks/solve.py: --backend takes cuda; the native core is what is measured without it")
        main_on_gpu()
        return
    jobs = {**SMALL, **(LARGE if "--large" in sys.argv[1:] else {})}
    solves, saved = {}, {}
    print(
        f"{'strong solve':<12}{'threads':>8}{'positions':>18}{'seconds':>12}{'reach':>8}{'ns each*':>14}{'peak MB':>9}"
    )
    for name, (threads, reach) in jobs.items():
        row = solves[name] = {**measure_solve(name, threads, once=name in LARGE), "reach": reach}
        print(
            f"{name:<12}{threads:>8}{row['positions']:>18,}{row['seconds']:>12.5f}{reach:>8}"
            f"{row['core_ns_per_position']:>14.3f}{row['peak_rss_bytes'] / 1e6:>9,.0f}",
            flush=True,
        )
    print("* of one core\n")
    print(f"{'saved':<18}{'seconds':>10}{'MB':>9}{'open ms':>9}{'lookup ns, many':>17}{'ns, one from Python':>21}")
    for name in ("4x4k4", "4x5k4"):
        for compress in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                row = saved[f"{name} {'zstd' if compress else 'raw'}"] = measure_database(
                    name, Path(folder), compress=compress
                )
            print(
                f"{name + (' zstd' if compress else ' raw'):<18}{row['saving']:>10.3f}{row['bytes'] / 1e6:>9.1f}"
                f"{row['opening'] * 1e3:>9.2f}{row['lookup_native'] * 1e9:>17.0f}{row['lookup_python'] * 1e9:>21.0f}",
                flush=True,
            )
    save("solve", {"core": native.status(), "unit": "seconds", "solve": solves, "saved": saved})


if __name__ == "__main__":
    main()
