"""The rules from Python: what `import noughts` costs, and playing a move and asking who has won.

    python benchmarks/rules.py             prints a table and writes benchmarks/results/rules.json

Peers, in the same run and on the same boards: the prajoda source's Boolean and traditional methods as printed (they
only look at a board that somebody else has filled), and OpenSpiel's tic_tac_toe where it is installed (copy the state,
apply the move, ask whether it is over). Rounds are interleaved; the best of each is shown.
Times are processor times: other programs on the machine do not count.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from time import process_time

from _native import save

from noughts import Game, Position
from noughts.detect import as_printed

ROUNDS = 15


def moments() -> list[tuple[Position, int]]:
    """Every position that a move can be made in, with one of its moves: all kinds of boards, none more than once."""
    return [
        (position, moves[position.code % len(moves)]) for position in Game().positions() if (moves := position.moves())
    ]


def jobs() -> dict[str, tuple[Callable[[], None], int]]:
    """Each way of doing it, with how many boards it does."""
    made = moments()
    boards = [as_printed.grid(position.play(cell)) for position, cell in made]

    def noughts() -> None:
        for position, cell in made:
            _ = position.play(cell).status

    def boolean() -> None:
        for board in boards:
            as_printed.boolean(board)

    def traditional() -> None:
        for board in boards:
            as_printed.traditional(board)

    found: dict[str, tuple[Callable[[], None], int]] = {
        "noughts: play and status": (noughts, len(made)),
        "prajoda Boolean, as printed": (boolean, len(made)),
        "prajoda traditional, as printed": (traditional, len(made)),
    }
    try:
        import pyspiel
    except ImportError:
        return found
    game = pyspiel.load_game("tic_tac_toe")
    states = []
    for position, cell in made:
        state = game.new_initial_state()
        xs, os = position.game.cells_of(position.x), position.game.cells_of(position.o)
        for number in range(position.marks):
            state.apply_action((os if number % 2 else xs)[number // 2])
        states.append((state, cell))

    def spiel() -> None:
        for state, cell in states:
            _ = state.child(cell).is_terminal()

    return found | {"OpenSpiel: child and is_terminal": (spiel, len(made))}


def import_time(code: str) -> float:
    """The least processor time of a fresh interpreter that runs this, in milliseconds."""

    def spent() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    best = float("inf")
    for _ in range(100):
        start = spent()
        subprocess.run([sys.executable, "-c", code], check=True)
        best = min(best, spent() - start)
    return best * 1000


def main() -> None:
    todo = jobs()
    best = dict.fromkeys(todo, float("inf"))
    for _ in range(ROUNDS):
        for name, (job, boards) in todo.items():
            start = process_time()
            job()
            best[name] = min(best[name], (process_time() - start) / boards)
    peer = best["prajoda Boolean, as printed"]
    print(f"{'3x3, from Python, all positions':<36}{'ns a board':>12}{'against Boolean':>18}")
    for name, seconds in best.items():
        print(f"{name:<36}{seconds * 1e9:>12.0f}{seconds / peer:>17.2f}x")
    bare, loaded = import_time("pass"), import_time("import noughts")
    print(f"\nimport noughts: {loaded - bare:.1f} ms over a bare start of {bare:.1f} ms")
    report = {
        "nanoseconds": {name: seconds * 1e9 for name, seconds in best.items()},
        "ratio_to_boolean": best["noughts: play and status"] / peer,
        "import_ms": loaded - bare,
    }
    save("rules", report)


if __name__ == "__main__":
    main()
