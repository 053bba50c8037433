"""Minimax and alpha-beta: the native core, its Python twin and (where installed) OpenSpiel, side by side in one run.

    python benchmarks/search.py            prints a table and writes benchmarks/results/search.json

Every time is the best of several runs of the whole call from Python. OpenSpiel scores wins and losses, not open lines:
its minimax enters the same nodes as ours, its alpha-beta cuts elsewhere and counts no nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

from _native import save

from noughts import Game, Position, native
from noughts.search import Options
from noughts.search.dispatch import search_with

START, EXAMPLE = Game().start(), Position.parse(".X./O../X.O")

# name: (position, options, can the Python twin do it while someone waits?, what OpenSpiel does)
JOBS: dict[str, tuple[Position, Options, bool, str | None]] = {
    "source's example, minimax": (EXAMPLE, Options("minimax"), True, None),
    "source's example, alpha-beta": (EXAMPLE, Options("alphabeta"), True, None),
    "3x3 empty, minimax": (START, Options("minimax", window="carried"), True, "minimax"),
    "3x3 empty, alpha-beta, each": (START, Options("alphabeta"), True, None),
    "3x3 empty, alpha-beta, carried": (START, Options("alphabeta", window="carried"), True, "alphabeta"),
    "3x3 empty, alpha-beta, by evaluation": (START, Options(window="carried", order="evaluation"), True, None),
    "4x4k4 empty, minimax, 5 plies": (Game(4, 4, 4).start(), Options("minimax", 5), True, None),
    "4x4k4 empty, minimax, 7 plies": (Game(4, 4, 4).start(), Options("minimax", 7), False, None),
    "4x4k4 empty, alpha-beta, 9 plies": (Game(4, 4, 4).start(), Options("alphabeta", 9, "carried"), False, None),
    "8x8k5 empty, alpha-beta, 4 plies": (Game(8, 8, 5).start(), Options("alphabeta", 4, "carried"), False, None),
    "15x15k5 empty, minimax, 3 plies": (Game(15, 15, 5).start(), Options("minimax", 3), False, None),
}


def best_time(job: Callable[[], object], seconds: float = 1.0) -> float:
    """The best of as many runs as fit into about so many seconds, of at least one."""
    times: list[float] = []
    while not times or (sum(times) < seconds and len(times) < 1000):
        start = perf_counter()
        job()
        times.append(perf_counter() - start)
    return min(times)


def open_spiel(what: str) -> Callable[[], object] | None:
    """OpenSpiel's form of a search of the empty 3x3 board."""
    try:
        import pyspiel
        from open_spiel.python.algorithms import minimax
    except ImportError:
        return None
    game = pyspiel.load_game("tic_tac_toe")
    if what == "alphabeta":
        return lambda: minimax.alpha_beta_search(game)
    return lambda: minimax.expectiminimax(game.new_initial_state(), 9, lambda state: 0, 0)


def measure(position: Position, options: Options, twin: bool, peer: str | None) -> dict[str, Any]:
    """One row of the table; times in seconds."""
    row: dict[str, Any] = {"nodes": None, "native": None, "python": None, "open_spiel": None}
    for backend, wanted in (("native", native.core() is not None), ("python", twin)):
        if wanted:
            row["nodes"] = search_with(position, options, backend=backend).nodes
            row[backend] = best_time(lambda backend=backend: search_with(position, options, backend=backend))  # type: ignore[misc]
    if peer and (job := open_spiel(peer)):
        row["open_spiel"] = best_time(job)
    return row


def main() -> None:
    """Measure, print, write."""
    rows = {}
    print(f"{'milliseconds, best of many':<38}{'nodes':>12}{'native':>11}{'ns/node':>9}{'Python':>11}{'OpenSpiel':>11}")
    for name, job in JOBS.items():
        row = rows[name] = measure(*job)
        native_ms, python_ms, peer_ms = (
            "-" if row[key] is None else f"{row[key] * 1e3:,.3f}" for key in ("native", "python", "open_spiel")
        )
        each = "-" if row["native"] is None else f"{row['native'] * 1e9 / row['nodes']:.1f}"
        print(f"{name:<38}{row['nodes'] or 0:>12,}{native_ms:>11}{each:>9}{python_ms:>11}{peer_ms:>11}", flush=True)
    save("search", {"core": native.status(), "unit": "seconds", "rows": rows})


if __name__ == "__main__":
    main()
