"""The ladder of the levels: how often each beats the one below.

    python benchmarks/levels.py                              15x15k5, 10x10k5, 6x7k4 and 6x7k4g, 30 games a step
    python benchmarks/levels.py 15x15k5 --games 100

The games begin with the empty board, and sides change after each. The results go to benchmarks/results/levels.json.
"""

from __future__ import annotations

import argparse
from itertools import pairwise

from _native import save

from noughts import Game
from noughts.play import PLAYERS
from noughts.play.matches import match

BOARDS = ["15x15k5", "10x10k5", "6x7k4", "6x7k4g"]
LEVELS = [f"level-{number}" for number in range(1, 6)]


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="The ladder of the levels.")
    parser.add_argument("boards", nargs="*", default=BOARDS)
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    given, rows = parser.parse_args(), []
    for board in given.boards:
        for lower, upper in pairwise(LEVELS):
            found = match(PLAYERS[upper], PLAYERS[lower], given.games, Game.parse(board), seed=given.seed)
            score = found.all
            print(
                f"{board:<8} {upper} against {lower}: +{score.wins} ={score.draws} -{score.losses}   {score.share:.0%}",
                flush=True,
            )
            rows.append({"game": board, "a": upper, "b": lower, "score": score.to_json()})
    save("levels", rows)


if __name__ == "__main__":
    main()
