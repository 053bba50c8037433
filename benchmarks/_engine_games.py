"""What the engine learns from: games against itself; and how well its chances fit them.

    python benchmarks/_engine_games.py play GAMES --to FILE       plays, and adds a line for each game to the file
        --drawn 0                                                  as it plays, for `scale`: no move is drawn
    python benchmarks/_engine_games.py rows FILE … --to ROWS.npz  what _engine_learn.py reads
    python benchmarks/_engine_games.py match NETWORK              a network against that of the package, by equal nodes
    python benchmarks/_engine_games.py scale FILE …               writes what the chances are worth in the docs

A game begins with some marks of chance and goes on with searches of some 2,000 nodes; now and then a move is drawn
from those nearby, so that the engine also sees what it would not choose. Every quiet position (nobody can complete a
line, nor make one that cannot be stopped) gives a row: the kinds of its free cells, the best move, the score, and how
the game ended. Most games are 15x15k5, the others of many sizes, so that the network knows boards and not one board.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from _engine_ideas import PAGE, play
from engine import Strength, openings

import noughts.engine as module
from noughts import Game, Position
from noughts.engine import Engine
from noughts.engine.evaluation import SURE
from noughts.engine.network import Network, read
from noughts.engine.opening import central
from noughts.engine.shapes import FOUR, OPEN_FOUR, PAIRS, SHAPES, pair
from noughts.play.matches import Score

GAMES = {
    "15x15k5": 60, "15x15k5e": 8, "20x20k5": 8, "10x10k5": 7, "19x19k6": 6, "9x9k5": 3, "12x12k6": 3, "7x9k4": 2,
    "9x9k4": 2, "13x13k5": 1,
}  # fmt: skip
USUAL = "15x15k5"  # of whose games the chances are told
NODES = 2000  # of a move, more or less
CLIP = 3000  # of a score: beyond, the chance is 0 or 1
EMPTY = pair((2, 2, 2, 2)) * (PAIRS + 1)  # the kind of a cell with nothing near: left out, as it must count nothing
PRESSING = [best >= OPEN_FOUR or best == second == FOUR for best in range(len(SHAPES)) for second in range(best + 1)]
BEGIN, END = "<!-- chances: benchmarks/_engine_games.py writes this table -->", "<!-- chances end -->"


def near(position: Position, last: list[int]) -> list[int]:
    """The free cells at most two away from one of these; all if there are none."""
    columns = position.game.columns
    close = [
        cell for cell in position.moves()
        if any(max(abs(cell // columns - c // columns), abs(cell % columns - c % columns)) <= 2 for c in last)
    ]  # fmt: skip
    return close or position.moves()


def game_of(name: str, dice: Random, drawn: float) -> dict[str, Any]:
    """One game: its opening, the moves, the score and the best move before each, and 1, 0 or -1 for X."""
    game = Game.parse(name)
    engine = Engine(game, memory_mb=16, without=["proving", "checking"])
    position, opening = game.start(), []
    for cell in dice.sample(central(game, dice.randrange(2, 5)), dice.randrange(1, 8)):
        if not position.is_over:
            position = position.play(cell)
            opening.append(cell)
    moves: list[int] = []
    scores, best = [], []
    winner = position.winner
    while not position.is_over:
        view = engine.think(position, nodes=dice.randrange(NODES // 2, NODES * 3 // 2))
        scores.append(view.best.score)
        best.append(view.move)
        if abs(view.best.score) > SURE:
            winner = position.turn if view.best.score > 0 else position.turn.other
            break
        stray = dice.random() < drawn
        moves.append(dice.choice(near(position, (opening + moves)[-3:])) if stray else view.move)
        position = position.play(moves[-1])
        winner = position.winner
    end = 0 if winner is None else 1 if str(winner) == "X" else -1
    return {"game": name, "opening": opening, "moves": moves, "scores": scores, "best": best, "x": end}


def rows(files: list[Path], only: str = "") -> dict[str, np.ndarray]:
    """The quiet positions of the games in some files; `kinds` of all one after another, `counts` of each."""
    pressing, cores = np.array(PRESSING), dict[str, Any]()
    found: dict[str, list[Any]] = {name: [] for name in ("kinds", "counts", "best", "score", "end", "game")}
    for number, text in enumerate(line for file in files for line in file.read_text(encoding="utf-8").splitlines()):
        told = json.loads(text)
        if only not in ("", told["game"]):
            continue
        core = cores.setdefault(told["game"], None) or Engine(Game.parse(told["game"]), memory_mb=1)._core
        cores[told["game"]] = core
        cells = [told["opening"][::2], told["opening"][1::2]]
        turn = len(told["opening"]) % 2
        for score, best, move in zip(told["scores"], told["best"], [*told["moves"], None], strict=False):
            kinds = np.array(core.kinds(cells[turn], cells[1 - turn]), dtype=np.int16)
            free = kinds[kinds >= 0]
            if not (pressing[free // PAIRS].any() or pressing[free % PAIRS].any()):
                places = np.flatnonzero((kinds > 0) & (kinds != EMPTY))
                at = np.flatnonzero(places == best)
                found["kinds"].append(kinds[places])
                found["counts"].append(len(places))
                found["best"].append(at[0] if len(at) else -1)
                found["score"].append(min(max(score, -CLIP), CLIP))
                found["end"].append(told["x"] * (1 - 2 * turn))
                found["game"].append(number)
            cells[turn].append(move)
            turn = 1 - turn
    return {
        "kinds": np.concatenate(found["kinds"]).astype(np.uint16),
        **{name: np.array(found[name], dtype=np.int32) for name in ("counts", "best", "score", "end", "game")},
    }


def stronger(network: Network, games: int, nodes: int) -> Strength:
    """A network against that of the package."""
    game, score = Game(15, 15, 5), Score()
    old, ours = Engine(game, memory_mb=16), module.learned
    module.learned = lambda: network
    new = Engine(game, memory_mb=16)
    module.learned = ours
    for start in islice(openings(game, 5), games // 2):
        for mine, sides in ((start.turn, (new, old)), (start.turn.other, (old, new))):
            winner = play(*sides, start, nodes)
            score.wins += winner == str(mine)
            score.draws += winner is None
            score.losses += winner == str(mine.other)
    return Strength(score)


def loss(chances: np.ndarray, ends: np.ndarray) -> float:
    """The mean surprise: 0.693 for who always says one half."""
    chances = np.clip(chances, 1e-6, 1 - 1e-6)
    return float(-(ends * np.log(chances) + (1 - ends) * np.log(1 - chances)).mean())


def calibration(scores: np.ndarray, ends: np.ndarray, games: int) -> tuple[int, list[str]]:
    """What scores are to be divided by, as the first half of the rows has it, and what the second half says to that."""
    half = len(ends) // 2
    scale = min(range(40, 400, 5), key=lambda scale: loss(1 / (1 + np.exp(-scores[:half] / scale)), ends[:half]))
    chances, late = 1 / (1 + np.exp(-scores[half:] / scale)), ends[half:]
    found = ["| it said | on average | scored | positions |", "|---|---|---|---|"]
    for low in np.arange(0, 1, 0.1):
        inside = (chances >= low) & (chances < low + 0.1)
        if inside.any():
            found.append(
                f"| {low:.0%} to {low + 0.1:.0%} | {chances[inside].mean():.0%} | {late[inside].mean():.0%} "
                f"| {inside.sum():,} |"
            )
    found += ["", (
        f"{len(ends):,} quiet positions of {games:,} games of {USUAL} at some {NODES:,} nodes a move; the first half "
        f"gave the scale, {scale}, the table is of the second. The mean surprise there is {loss(chances, late):.3f}, "
        f"where one who always says 50 % has {np.log(2):.3f}."
    )]  # fmt: skip
    return scale, found


def lines(names: list[str], count: int, dice: Random, drawn: float) -> Iterator[str]:
    """Games, as lines of a file."""
    for number in range(count):
        yield json.dumps(game_of(dice.choice(names), dice, drawn))
        print(f"\r{number + 1} of {count} games", end="", file=sys.stderr)


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="What the engine learns from, and what its chances are worth.")
    parser.add_argument("what", choices=["play", "rows", "match", "scale"])
    parser.add_argument("given", nargs="+", help="the number of games, files of games, or a network")
    parser.add_argument("--to", type=Path, default=Path("games.jsonl"))
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--drawn", type=float, default=0.03, help="the part of the moves that are drawn, in games")
    parser.add_argument("--games", type=int, default=120, help="of a match")
    parser.add_argument("--nodes", type=int, default=10_000, help="of a move in a match")
    given = parser.parse_args()
    files = [Path(name) for name in given.given]
    if given.what == "play":
        mixed = [name for name in GAMES for _ in range(GAMES[name])]
        with given.to.open("a", encoding="utf-8") as file:
            dice = Random(given.seed)
            file.writelines(line + "\n" for line in lines(mixed, int(given.given[0]), dice, given.drawn))
    elif given.what == "match":
        print(stronger(read(files[0].read_bytes()), given.games, given.nodes))
    elif given.what == "rows":
        np.savez_compressed(given.to, **rows(files))
    else:
        found = rows(files, USUAL)
        scale, table = calibration(found["score"], (found["end"] + 1) / 2, len(set(found["game"])))
        print(f"SCALE = {scale}   (src/noughts/engine/evaluation.py)")
        text = PAGE.read_text(encoding="utf-8")
        head, tail = text.split(BEGIN)[0], text.split(END)[1]
        PAGE.write_text(f"{head}{BEGIN}\n\n" + "\n".join(table) + f"\n\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
