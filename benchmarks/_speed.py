"""The page of what was reached: `make speed` writes docs/reference/speed.md from benchmarks/results.

A row is what was to be reached, and what reads the last figure from the file of a benchmark. A row whose benchmark has
not run in this checkout stays as the page has it, with its own day and machine.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "reference" / "speed.md"
PROVEN = HERE.parent / "src" / "noughts" / "proofs" / "games.json"
HEAD = """# Speed

What noughts is to reach, and what it reached when each benchmark last ran. `make bench` runs the benchmarks, `make
speed` writes this page from what they saved. A row whose benchmark was not run this time stays as it was: its last
column says what gave the figure. "x" is beside a peer in the same run, so that 3 x means three times as fast.

| work | to reach | reached | command | day, machine |
|---|---|---|---|---|
"""

Data = dict[str, Any]
Found = tuple[str, bool | None]  # the figure in words, and whether it suffices


def rates(data: Data, title: str) -> dict[str, Data]:
    """The rates of the table whose title begins so."""
    return next(table["rates"] for table in data["tables"] if table["title"].startswith(title))


def imported(data: Data) -> Found:
    return f"{data['import_ms']:.1f} ms of processor time", data["import_ms"] <= 25


def moves(data: Data) -> Found:
    rate = {name: each["best"] for name, each in rates(data, "3x3: moves").items()}
    board, value = (rate[name] / rate["OpenSpiel"] for name in ("noughts, Board", "noughts"))
    return f"`Board` {board:.1f} x, `Position` {value:.1f} x", board >= 3 and value >= 1


def batches(data: Data) -> Found:
    rate = rates(data, "3x3k3, 10,000,000")
    there = {isa: rate[f"  the core, {isa}"]["ratio"] for isa in ("avx512", "avx2") if f"  the core, {isa}" in rate}
    told = ", ".join(f"{ratio:.1f} x with {isa}" for isa, ratio in there.items())
    return told, there.get("avx512", 1.5) >= 1.5 and there.get("avx2", 1) >= 1


def perft(data: Data) -> Found:
    walks, games = (next(iter(rates(data, title).values()))["ratio"] for title in ("3x3k3, perft", "3x3k3, all games"))
    return f"perft {walks:.2g} x, all games {games:.2g} x", min(walks, games) >= 1.9


def playouts(data: Data) -> Found:
    ratios = {
        table["title"].partition(",")[0]: next(iter(table["rates"].values()))["ratio"] for table in data["tables"]
    }
    return ", ".join(f"{game} {ratio:.2g} x" for game, ratio in ratios.items()), min(ratios.values()) >= 1.9


def searches(data: Data) -> Found:
    rows = {"minimax": data["rows"]["3x3 empty, minimax"], "alpha-beta": data["rows"]["3x3 empty, alpha-beta, carried"]}
    told = []
    for name, row in rows.items():
        peer = f", {row['open_spiel'] / row['native']:.0f} x OpenSpiel's in Python" if row["open_spiel"] else ""
        told.append(f"{name} {row['native'] * 1000:.2f} ms{peer}")
    return "; ".join(told), None


def five(data: Data) -> Found | None:
    if (row := data["solve"].get("5x5k4")) is None:
        return None
    cores = min(row["threads"], data["cores"])
    reach = 13 if "avx512" in data["isas"] else 41
    told = f"{row['seconds']:.1f} s on {cores} core{'s' * (cores > 1)}, {row['peak_rss_bytes'] / 1e9:.2f} GB"
    return told, row["seconds"] <= reach and row["peak_rss_bytes"] <= 2.4e9


def five_on_gpu(data: Data) -> Found:
    seconds = data["solve"]["5x5k4"]["seconds"]
    return f"{seconds:.2f} s", seconds <= 0.5


def large_on_gpu(data: Data) -> Found:
    seconds = [data["solve"][name]["seconds"] for name in ("3x9k4", "4x7k4")]
    return "{:.1f} s, {:.1f} s".format(*seconds), max(seconds) <= 60


def on_disk(data: Data) -> Found | None:
    if data.get("disk", {}).get("game") != "5x5k4":
        return None
    row = data["disk"]["rows"]["on disk"]
    told = f"{row['x_memory']:.1f} x ({row['best']:.0f} s), {row['peak_rss_bytes'] / 1e9:.2f} GB"
    return told, row["x_memory"] <= 4 and row["peak_rss_bytes"] <= 1e9


def fours(data: Data) -> Found:
    rows = [row for row in data["tables"] if row["what"] == "composed wins by fours"]
    middle, late = max(row["median"] for row in rows), max(row["p95"] for row in rows)
    told = f"{middle:.2f} ms, {late:.2f} ms at the 95th percentile: the worst of {len(rows)} lengths"
    return told, middle <= 10 and late <= 50


def proofs(data: Data) -> Found | None:
    table = data["tables"][0]
    rows, told, enough = {row["game"]: row for row in table["rows"]}, [], True
    if not {"7x7k5", "5x6k4"} <= rows.keys():
        return None
    for game, most in {"7x7k5": 1, "5x6k4": 1}.items():
        settled = rows[game]["proven"] != "not settled"
        told.append(f"{rows[game]['search']:.2g} s" if settled else "not proven")
        enough &= settled and rows[game]["search"] <= most
    made = {row["game"]: row["seconds"] for row in json.loads(PROVEN.read_text(encoding="utf-8"))}
    large = made.get("8x8k5")  # `make proofs` says it: processor time, the certificate written and read twice
    told.append(f"{large / 60:.0f} min of processor time by `make proofs`" if large else "not proven")
    enough &= large is not None and large <= 2 * 3600
    return f"{' / '.join(told)}, the first two on {min(table['threads'], data['cores'])} of 2 cores", enough


def connect(data: Data) -> Found | None:
    ratios = {row["kind"]: row["ratio"] for row in data["tables"] if "ratio" in row}
    if not ratios:
        return None
    told = f"{min(ratios.values()):.1f} to {max(ratios.values()):.1f} x, by kind of position"
    return told, min(ratios.values()) > 1


def steps(data: Data) -> Found:
    rate = rates(data, "3x3k3: 4,096")["noughts"]["best"]
    return f"{rate / 1e6:.0f} million/s", rate >= 100e6


def lookups(data: Data) -> Found:
    row = data["saved"]["4x5k4 raw"]
    native, python = row["lookup_native"] * 1e6, row["lookup_python"] * 1e6
    return f"{native:.2f} us natively, {python:.2f} us from Python", native <= 0.25 and python <= 1.5


# work, to reach: the file of results, what reads the figure, the command
ROWS: dict[tuple[str, str], tuple[str, Callable[[Data], Found | None], str]] = {
    ("`import noughts`, over bare Python", "25 ms"): ("rules", imported, "rules.py"),
    ("one move and the status, from Python", "`Board` 3 x OpenSpiel, `Position` 1 x"): ("peers", moves, "peers.py"),
    ("batch status, 3x3", "1.5 x a plain C loop with AVX-512, 1 x with AVX2"): (
        "native_batch", batches, "native_batch.py"),
    ("perft, 3x3", "1.9 x plain C"): ("native_perft", perft, "native_perft.py"),
    ("random games", "1.9 x plain C"): ("native_playouts", playouts, "native_playouts.py"),
    ("minimax and alpha-beta, the empty 3x3 board", "no peer in C"): ("search", searches, "search.py"),
    ("strong solve of 5x5k4, 2 cores", "13 s with AVX-512, 41 s with AVX2, 2.4 GB"): (
        "solve", five, "solve.py --large"),
    ("the same on one H200", "0.5 s"): ("solve-cuda", five_on_gpu, "solve.py --backend cuda"),
    ("the same within 1 GB of memory, on disk", "4 x the time in memory"): (
        "parts", on_disk, "parts.py --large --disk"),
    ("3x9k4, 4x7k4 (27, 28 cells) on one H200", "1 minute each"): (
        "solve-cuda", large_on_gpu, "solve.py --backend cuda"),
    ("a win by fours on 15x15, 5 to 17 plies", "10 ms, 50 ms at the 95th percentile"): ("threats", fours, "threats.py"),
    ("7x7k5 / 5x6k4 / 8x8k5 proven, with certificate", "1 s / 1 s / 2 h"): (
        "prove", proofs, "prove.py 7x7k5 5x6k4"),
    ("exact value of a Connect Four position", "ahead of Pons' solver"): ("connect", connect, "connect.py"),
    ("environment steps, 3x3, 4,096 boards, masks, auto-reset", "100 million/s a core"): ("envs", steps, "envs.py"),
    ("a lookup in an opened raw solution", "0.25 us natively, 1.5 us from Python"): ("solve", lookups, "solve.py"),
}  # fmt: skip


def told(work: str, reach: str, before: dict[str, str]) -> str:
    """The row of one piece of work: anew if its benchmark has run, else as it was."""
    name, read, command = ROWS[work, reach]
    path = HERE / "results" / f"{name}.json"
    data = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    if data is None or (found := read(data)) is None:
        return before.get(work, f"| {work} | {reach} | not measured yet | `python benchmarks/{command}` | |")
    figure, enough = found
    shown = figure if enough is not False else f"**falls short**: {figure}"
    where = data.get("device", {}).get("name") or data["processor"]
    return f"| {work} | {reach} | {shown} | `python benchmarks/{command}` | {data['date']}, {where} |"


def main() -> None:
    """Write the page."""
    lines = PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else []
    before = {line.split(" | ")[0].removeprefix("| "): line for line in reversed(lines) if line.startswith("| ")}
    beside = "\n".join(["", *lines[lines.index("## Beside 0.1") :], ""]) if "## Beside 0.1" in lines else ""
    PAGE.write_text(HEAD + "".join(f"{told(*row, before)}\n" for row in ROWS) + beside, encoding="utf-8")
    print(f"written: {PAGE}")


if __name__ == "__main__":
    main()
