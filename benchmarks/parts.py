"""Solving in parts: what the disk costs beside memory, and what a cluster costs beside threads.

    python benchmarks/parts.py             4x5k4 on disk; on a cluster of 1, 2 and 4 workers, with small and large parts
    python benchmarks/parts.py --large     5x5k4 within 1 GB, and 5x5k4 on the cluster: some minutes, 16 GB of disk
    python benchmarks/parts.py --disk      only the first of the two, or --cluster: only the second

Prints tables and writes benchmarks/results/parts.json. Ways take turns, round by round, each in a process of its own;
`x memory` is the best round of a way beside the best one of the same solve in memory, kept or not. Workers are
processes of one thread; a cluster's time is without its start. The cluster needs Dask (.venv/cluster/bin/python has
it) and is left out where there is none.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from _native import save

from noughts import Game
from noughts.progress import finish
from noughts.solve import solve
from noughts.solve.machine import processors
from noughts.solve.parts import PartCut
from noughts.solve.strong import solving
from noughts.words import size

SMALL, LARGE = ("4x5k4", "40MB", 5, 3), ("5x5k4", "1GB", 2, 1)  # game, limit of memory, rounds, also of the cluster
WORKERS = 1, 2, 4
PARTS = {"4x5k4": (1_000_000, 16_000_000), "5x5k4": (16_000_000, 128_000_000)}


def command(*words: str) -> dict[str, Any]:
    """What a command of its own process answers."""
    line = [sys.executable, "-m", "noughts", *words, "--json"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}: {done.stderr.strip().splitlines()[-1]}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def on_disk(name: str, memory: str, rounds: int, folder: Path) -> dict[str, Any]:
    """The rows of the first table."""
    place = str(folder / "place")
    ways = {
        "in memory": [],
        "on disk": ["--scratch", place, "--memory", memory],
        "in memory, kept": ["--save", place],
        "on disk, kept": ["--save", place, "--memory", memory],
    }
    runs: dict[str, list[dict[str, Any]]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, options in ways.items():
            runs[way].append(command("solve", name, *options))
            shutil.rmtree(place, ignore_errors=True)
            os.sync()  # what one way leaves to be written is not the next one's
    rows = {}
    print(f"\n{name}: on disk within {memory}; seconds of {rounds} rounds, load {os.getloadavg()[0]:.1f}")
    print(f"{'':<18}{'best':>8}{'median':>9}{'x memory':>10}{'peak':>10}{'read':>10}{'written':>10}")
    for way, found in runs.items():
        times = [answer["seconds"] for answer in found]
        beside = min(answer["seconds"] for answer in runs[way.replace("on disk", "in memory")])
        row = rows[way] = {
            "best": min(times), "median": median(times), "x_memory": min(times) / beside,
            "peak_rss_bytes": max(answer["peak_rss_bytes"] for answer in found),
            "read": found[0]["read"], "written": found[0]["written"], "positions": found[0]["positions"],
        }  # fmt: skip
        moved = [size(row[what]) if row[what] is not None else "-" for what in ("read", "written")]
        print(
            f"{way:<18}{row['best']:>8.2f}{row['median']:>9.2f}{row['x_memory']:>10.2f}"
            f"{size(row['peak_rss_bytes']):>10}{moved[0]:>10}{moved[1]:>10}",
            flush=True,
        )
    assert len({row["positions"] for row in rows.values()}) == 1
    return {"game": name, "memory": memory, "rounds": rounds, "load": os.getloadavg()[0], "rows": rows}


def on_clusters(name: str, rounds: int, folder: Path) -> dict[str, Any]:
    """The rows of the second table."""
    from noughts.solve.cluster import connecting

    game, rows = Game.parse(name), []
    plain = {threads: min(solve(game, threads=threads).seconds for _ in range(rounds)) for threads in WORKERS}
    print(f"\n{name} on a cluster of this machine, {processors()} processors; seconds, best of {rounds} rounds")
    print(
        f"{'workers':>8}{'parts of':>10}{'tasks':>7}{'seconds':>9}{'threads':>9}{'x threads':>11}{'more, a task':>14}"
    )
    for workers in WORKERS:
        with connecting(f"local:{workers}") as client:
            client.wait_for_workers(workers)
            for part in PARTS[name]:
                where: dict[str, Any] = {"scratch": folder / "place", "cluster": client, "part": part}
                found = [finish(solving(game, **where)) for _ in range(rounds)]
                seconds, cut = min(each.seconds for each in found), PartCut.of(game, part)
                tasks = sum(cut.count(x) for x in range(cut.top + 1))
                more = (seconds - plain[workers]) * min(workers, processors()) / tasks
                rows.append(
                    {
                        "workers": workers, "part": part, "tasks": tasks, "seconds": seconds,
                        "threads_seconds": plain[workers], "more_a_task": more, "positions": found[0].positions,
                    }
                )  # fmt: skip
                print(
                    f"{workers:>8}{size(part):>10}{tasks:>7,}{seconds:>9.2f}{plain[workers]:>9.2f}"
                    f"{seconds / plain[workers]:>11.1f}{more * 1000:>11.1f} ms",
                    flush=True,
                )
    assert len({row["positions"] for row in rows}) == 1
    return {"game": name, "rounds": rounds, "load": os.getloadavg()[0], "rows": rows}


def main() -> None:
    """Measure, print, write."""
    name, memory, rounds, fewer = LARGE if "--large" in sys.argv else SMALL
    wanted = [what for what in ("disk", "cluster") if f"--{what}" in sys.argv] or ["disk", "cluster"]
    tables = {}
    with tempfile.TemporaryDirectory(prefix="noughts-") as folder:
        if "disk" in wanted:
            tables["disk"] = on_disk(name, memory, rounds, Path(folder))
        if find_spec("distributed") is None:
            print("\n(no Dask: the cluster is left out)")
        elif "cluster" in wanted:
            tables["cluster"] = on_clusters(name, fewer, Path(folder))
    save("parts", tables)


if __name__ == "__main__":
    main()
