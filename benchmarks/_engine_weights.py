"""Makes src/noughts/engine/weights.py anew from games of the engine against itself, and says how well its chances fit.

    python benchmarks/_engine_weights.py fit GAMES         plays, fits, and keeps the new weights if they win a match
    python benchmarks/_engine_weights.py scale GAMES       plays, and writes what the chances are worth in the docs

Every quiet position of the games (nobody can complete a line, nor make one that cannot be stopped) gives one row: how
many free cells have each pair of shapes, for the player to move and for the other, and how the game ended. Logistic
regression finds the worth of each pair; where few rows know a pair, it stays near what players would guess. Weights
that foretell more do not always play better, so a match by equal nodes decides.

`scale` finds what a score of the search must be divided by, in the first half of the games, and holds the chances
against the ends of the second half, which it has not seen. Some minutes for 1,000 games; --keep FILE keeps the rows for
the next time.
"""

from __future__ import annotations

import argparse
import sys
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
from _engine_ideas import PAGE, play
from engine import Strength, openings

import noughts.engine.weights as before
from noughts import Game, Position
from noughts.engine import Engine, _make
from noughts.engine.evaluation import SURE
from noughts.engine.opening import central
from noughts.engine.shapes import FIVE, FOUR, OPEN_FOUR, SHAPES, pair
from noughts.play.matches import Score

FILE = Path(before.__file__)
NODES = 3000  # of a move
MATCH = 60  # openings of the match between the weights, each with both sides
COUNT = len(SHAPES)
PAIRS = COUNT * COUNT
GUESS = [0, -5, -5, -4, -3, -1, 8, 10, 30, 0]  # of a shape, in hundredths
TRUST = 60.0  # how many rows the guess is worth
THREE = 6  # an open one
BEGIN, END = "<!-- chances: benchmarks/_engine_weights.py writes this table -->", "<!-- chances end -->"


def rows(games: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The counts of pairs, the ends for the player to move, and the scores of the search."""
    dice, game = Random(seed), Game(15, 15, 5)
    engine, counts, ends, scores = Engine(game, memory_mb=16), [], [], []
    for number in range(games):
        position, some = game.start(), []
        for cell in dice.sample(central(game, dice.randrange(2, 5)), dice.randrange(2, 7)):
            position = position.play(cell) if not position.is_over else position
        engine.forget()
        winner = None
        while not position.is_over:
            view = engine.think(position, nodes=dice.randrange(NODES // 2, NODES * 3 // 2))
            if abs(view.best.score) > SURE:
                winner = position.turn if view.best.score > 0 else position.turn.other
                break
            if (row := quiet(engine, position)) is not None:
                some.append((row, position.turn, view.best.score))
            position = position.play(view.move)
        winner = position.winner or winner
        for row, turn, score in some:
            counts.append(row)
            ends.append(0.5 if winner is None else float(winner is turn))
            scores.append(score)
        print(f"\r{number + 1} of {games} games, {len(counts)} positions", end="", file=sys.stderr)
    return np.array(counts), np.array(ends), np.array(scores)


def quiet(engine: Engine, position: Position) -> np.ndarray | None:
    """The counts of pairs, the other's below zero, and a 1; None where something presses."""
    found = np.zeros(2 * PAIRS + 1)
    found[-1] = 1
    mine, theirs = (engine.game.cells_of(side) for side in position.sides)
    for _, own, other in engine._core.shapes(mine, theirs):
        for at, sign, four in ((0, 1, own), (PAIRS, -1, other)):
            best, second = divmod(pair(tuple(four)), COUNT)
            if best in (OPEN_FOUR, FIVE) or best == second == FOUR:
                return None
            found[at + best * COUNT + second] += sign
    found[0] = found[PAIRS] = 0  # a cell that does nothing is worth nothing
    return found


def guess() -> np.ndarray:
    """What players would say."""
    found = np.zeros(2 * PAIRS + 1)
    for best in range(COUNT):
        for second in range(best + 1):
            worth = GUESS[best] + 0.6 * max(GUESS[second], 0)
            worth = 60 if (best, second) == (FOUR, THREE) else 25 if best == second == THREE else worth
            found[best * COUNT + second] = worth
            pressing = best == OPEN_FOUR or best == second == FOUR
            found[PAIRS + best * COUNT + second] = 250 if pressing else worth
    return found / 100


def fit(counts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Logistic regression by Newton's method, held near the guess."""
    prior = guess()
    used = np.flatnonzero((counts != 0).sum(0) > 50)
    some, start = counts[:, used], prior[used]
    weights = start.copy()
    for _ in range(30):
        chances = 1 / (1 + np.exp(-some @ weights))
        slope = some.T @ (chances - ends) + TRUST * (weights - start)
        bend = (some * (chances * (1 - chances))[:, None]).T @ some + TRUST * np.eye(len(used))
        step = np.linalg.solve(bend, slope)
        weights -= step
        if abs(step).max() < 1e-5:
            break
    prior[used] = weights
    return prior


def loss(chances: np.ndarray, ends: np.ndarray) -> float:
    """The mean surprise: 0.693 for who always says one half."""
    chances = np.clip(chances, 1e-6, 1 - 1e-6)
    return float(-(ends * np.log(chances) + (1 - ends) * np.log(1 - chances)).mean())


def tables(weights: np.ndarray) -> tuple[list[list[int]], list[list[int]], int]:
    """The weights as weights.py has them: of the player to move, of the other, and of the move."""
    numbers = np.rint(weights * 100).astype(int)
    mover, waiter = (
        [numbers[first + best * COUNT : first + best * COUNT + best + 1].tolist() for best in range(COUNT)]
        for first in (0, PAIRS)
    )
    return mover, waiter, int(numbers[-1])


def stronger(mover: list[list[int]], waiter: list[list[int]], tempo: int) -> bool:
    """Do these weights win a match against those that there are?"""
    game = Game(15, 15, 5)
    starts = list(islice(openings(game, 5), MATCH))
    old, new = Engine(game, memory_mb=16), Engine(game, memory_mb=16)
    kept = before.MOVER, before.WAITER, before.TEMPO
    before.MOVER, before.WAITER, before.TEMPO = mover, waiter, tempo
    new._core = _make(game, 1, 16 << 20, 0)
    before.MOVER, before.WAITER, before.TEMPO = kept
    score = Score()
    for start in starts:
        for mine, sides in ((start.turn, (new, old)), (start.turn.other, (old, new))):
            winner = play(*sides, start, NODES)
            score.wins += winner == str(mine)
            score.draws += winner is None
            score.losses += winner == str(mine.other)
    found = Strength(score)
    print(f"the new weights against the old: {found}")
    return found.elo(-1.96) > 0


def write(mover: list[list[int]], waiter: list[list[int]], tempo: int, scale: int) -> None:
    """The weights as a file."""

    def table(rows: list[list[int]]) -> str:
        return "[\n" + "".join(f"    {row},\n" for row in rows) + "]"

    text = FILE.read_text(encoding="utf-8")
    head, tail = text[: text.index("TEMPO =")], text[text.index("FOUND =") :]
    scale_line = (
        f"SCALE = {scale}  # by which a score of the search is divided before it becomes log-odds, as games tell"
    )
    body = f"TEMPO = {tempo}\nMOVER = {table(mover)}\nWAITER = {table(waiter)}\n{scale_line}\n"
    FILE.write_text(head + body + tail, encoding="utf-8")


def best_scale(scores: np.ndarray, ends: np.ndarray) -> int:
    """What the scores must be divided by, so that the ends surprise least."""
    return min(range(40, 300, 5), key=lambda scale: loss(1 / (1 + np.exp(-scores / scale)), ends))


def calibration(scores: np.ndarray, ends: np.ndarray, games: int) -> tuple[int, list[str]]:
    """The scale that the first half of the rows gives, and a table of what the second half says to it."""
    half = len(ends) // 2
    scale = best_scale(scores[:half], ends[:half])
    chances, late = 1 / (1 + np.exp(-scores[half:] / scale)), ends[half:]
    found = ["| it said | on average | scored | positions |", "|---|---|---|---|"]
    for low in np.arange(0, 1, 0.1):
        inside = (chances >= low) & (chances < low + 0.1)
        if inside.any():
            found.append(
                f"| {low:.0%} to {low + 0.1:.0%} | {chances[inside].mean():.0%} | {late[inside].mean():.0%} "
                f"| {inside.sum():,} |"
            )
    found.append("")
    found.append(
        f"{len(ends):,} quiet positions of {games:,} games at some {NODES:,} nodes a move; the first half gave the "
        f"scale, {scale}, and the table is of the second. The mean surprise there is {loss(chances, late):.3f}, "
        f"where one who always says 50 % has {np.log(2):.3f}."
    )
    return scale, found


def main() -> None:
    """Play; then fit and compare, or say how well the chances fit."""
    parser = argparse.ArgumentParser(description="The weights of the engine, and what its chances are worth.")
    parser.add_argument("what", choices=["fit", "scale"])
    parser.add_argument("games", type=int)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--keep", type=Path, help="a file for the rows: read if it is there, or else written")
    given = parser.parse_args()
    if given.keep and given.keep.exists():
        kept = np.load(given.keep)
        counts, ends, scores = kept["counts"].astype(float), kept["ends"], kept["scores"]
    else:
        counts, ends, scores = rows(given.games, given.seed)
        if given.keep:
            np.savez_compressed(given.keep, counts=counts.astype(np.int16), ends=ends, scores=scores)
    if given.what == "scale":
        scale, table = calibration(scores, ends, given.games)
        print("\n".join(table))
        write(before.MOVER, before.WAITER, before.TEMPO, scale)
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(
            f"{text.split(BEGIN)[0]}{BEGIN}\n\n" + "\n".join(table) + f"\n\n{END}{text.split(END)[1]}", encoding="utf-8"
        )
        return
    seen = int(len(ends) * 0.9)
    weights = fit(counts[:seen], ends[:seen])
    print(f"\n{len(ends):,} positions. Surprise where they were not seen: one half says 0.693, the evaluation "
          f"{loss(1 / (1 + np.exp(-counts[seen:] @ weights)), ends[seen:]):.3f}")  # fmt: skip
    new = tables(fit(counts, ends))
    if stronger(*new):
        write(*new, best_scale(scores, ends))


if __name__ == "__main__":
    main()
