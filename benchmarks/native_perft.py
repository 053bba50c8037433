"""Perft and the counting of all games, in one core.

    python benchmarks/native_perft.py      prints tables and writes benchmarks/results/native_perft.json

The peer is a plain C recursion, compiled with cc -O3 -march=native on the spot (native_perft_peer.c); OpenSpiel, where
it is installed, walks the same tree from Python with child().
"""

from __future__ import annotations

import ctypes

from _native import c_peer, race, save

from noughts import Game
from noughts.rules.perft import count_games, count_games_plain, perft

GAMES = 255_168
SEQUENCES = 127_872  # of nine moves


def main() -> None:
    start = Game().start()
    assert sum(count_games(start)) == GAMES
    assert perft(start, 9) == SEQUENCES

    walks = {"noughts.rules.perft.perft": (lambda: perft(start, 9), SEQUENCES)}
    counts = {"noughts.rules.perft.count_games": (lambda: count_games(start), GAMES)}
    peer = c_peer("native_perft_peer.c")
    if peer:
        peer.perft.restype = ctypes.c_uint64
        ends = (ctypes.c_uint64 * 3)()
        peer.count_games(0, 0, 0, ends)
        assert tuple(ends) == tuple(count_games(start))
        assert peer.perft(0, 0, 9) == SEQUENCES
        walks["plain C recursion"] = (lambda: peer.perft(0, 0, 9), SEQUENCES)
        counts["plain C recursion"] = (lambda: peer.count_games(0, 0, 0, ends), GAMES)
    tables = [
        race("3x3k3, perft(9)", "sequences", walks, "plain C recursion", 60),
        race("3x3k3, all games", "games", counts, "plain C recursion", 60),
    ]
    print()
    for table, work in zip(tables, (SEQUENCES, GAMES), strict=True):
        table["milliseconds"] = work / next(iter(table["rates"].values()))["best"] * 1000
        print(f"{table['title']}: {table['milliseconds']:.2f} ms")

    slow = {
        "noughts.rules.perft.count_games": (lambda: count_games(start), GAMES),
        "the Python twin": (lambda: count_games_plain(start), GAMES),
    }
    try:
        import pyspiel
    except ImportError:
        pass
    else:

        def walk(state: pyspiel.State) -> int:
            return 1 if state.is_terminal() else sum(walk(state.child(cell)) for cell in state.legal_actions())

        empty = pyspiel.load_game("tic_tac_toe").new_initial_state()
        slow["OpenSpiel, child() from Python"] = (lambda: walk(empty), GAMES)
    tables.append(race("3x3k3, all games, from Python", "games", slow, "the Python twin", 2))

    deep = {}
    for game, depth in ((Game(4, 4, 4), 7), (Game(5, 5, 4), 6), (Game(8, 8, 5), 5)):
        total = perft(game.start(), depth)
        deep[f"{game}, perft({depth}) = {total:,}"] = (lambda g=game, d=depth: perft(g.start(), d), total)
    tables.append(race("larger boards: the last two plies are counted at once", "sequences", deep, "", 5))
    save("native_perft", tables)


if __name__ == "__main__":
    main()
