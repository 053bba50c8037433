"""Random playouts, in one core.

    python benchmarks/native_playouts.py   prints tables and writes benchmarks/results/native_playouts.json

Peers: a plain C program, compiled with cc -O3 -march=native on the spot (native_playouts_peer.c), and OpenSpiel where
it is installed, driven from Python move by move: it offers no call that plays whole games.
"""

from __future__ import annotations

import ctypes
import random

from _native import c_peer, race, save

from noughts import Game, _core
from noughts.rules.playouts import playouts, playouts_plain

SPIEL = {"3x3k3": "tic_tac_toe", "15x15k5": "mnk(m=15,n=15,k=5)"}


def table(game: Game, games: int, slow: int) -> dict:
    """Everybody plays on this board; the slow ones fewer games."""
    start = game.start()

    def native(isa: str):  # type: ignore[no-untyped-def]
        return lambda: _core.Game(*game.key).playouts([], [], games, 1, isa=isa)

    jobs = {"noughts.rules.playouts.playouts": (lambda: playouts(start, games, seed=1), games)}
    for isa in _core.isas():
        jobs[f"  the core, {isa}"] = (native(isa), games)
    peer = c_peer("native_playouts_peer.c")
    if peer:
        tally = (ctypes.c_uint64 * 4)()
        jobs["plain C"] = (
            lambda: peer.playouts(game.rows, game.columns, game.k, ctypes.c_uint64(games // 10), tally),
            games // 10,
        )
    try:
        import pyspiel
    except ImportError:
        pass
    else:
        if str(game) in SPIEL:
            spiel, rng = pyspiel.load_game(SPIEL[str(game)]), random.Random(1)

            def from_python() -> None:
                for _ in range(slow // 10):
                    state = spiel.new_initial_state()
                    while not state.is_terminal():
                        state.apply_action(rng.choice(state.legal_actions()))

            jobs["OpenSpiel, from Python"] = (from_python, slow // 10)
    jobs["the Python twin"] = (lambda: playouts_plain(start, slow // 10, seed=1), slow // 10)
    found = race(f"{game}, random games", "games", jobs, "plain C", 9)
    if peer:
        mine, total = playouts(start, games, seed=1), sum(tally[:3])
        print(f"plies a game: {mine.plies / games:.3f}, plain C {tally[3] / total:.3f}")
    return found


def main() -> None:
    save(
        "native_playouts",
        [
            table(Game(), 2_000_000, 20_000),
            table(Game(4, 4, 4), 1_000_000, 2_000),
            table(Game(6, 7, 4), 200_000, 1_000),
            table(Game(15, 15, 5), 50_000, 100),
        ],
    )


if __name__ == "__main__":
    main()
