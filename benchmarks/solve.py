"""Strong solving: how long it takes, how much memory, and what a lookup in a saved solution costs.

    python benchmarks/solve.py            3x3k3, 4x4k4, 4x5k4 on one core; saving; lookups
    python benchmarks/solve.py --large    5x5k4 and 5x5k5 as well, on two threads: a few minutes and gigabytes

Prints tables and writes benchmarks/results/solve.json. The solves up to 4x5k4 are the best of several whole calls from
Python; the large ones are one run of the command each, and so is the memory: the peak of a process of its own. `reach`
is what the design asks for.
"""

from __future__ import annotations

import json
import platform
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from noughts import Game, native
from noughts.solve import Solution, solve
from noughts.solve.arrays import codes

# game: (threads, seconds to reach)
SMALL = {"3x3k3": (1, 0.001), "4x4k4": (1, 0.060), "4x5k4": (1, 4.0)}
LARGE = {"5x5k4": (2, 600.0), "5x5k5": (2, 780.0)}
LOOKUPS = 1_000_000


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


def main() -> None:
    """Measure, print, write."""
    if native.core() is None:
        sys.exit("benchmarks/solve.py needs the native core")
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
    folder_ = Path(__file__).parent / "results"
    folder_.mkdir(exist_ok=True)
    machine = {"machine": platform.machine(), "python": platform.python_version(), "core": native.status()}
    data = {**machine, "cpu": (native.core().cpu_features())[-1:], "unit": "seconds", "solve": solves, "saved": saved}  # type: ignore[union-attr]
    (folder_ / "solve.json").write_text(json.dumps(data, indent=2) + "\n")
    print(f"written to {folder_ / 'solve.json'}")


if __name__ == "__main__":
    main()
