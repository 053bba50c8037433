"""Makes src/noughts/engine/weights.py anew from games that the engine plays against itself.

    python benchmarks/_engine_weights.py GAMES        some minutes for 1,000 games; prints how well the chances fit

Every quiet position of the games (nobody can complete a line, nor make one that cannot be stopped) gives one row: how
many free cells have each pair of shapes, for the player to move and for the other, and how the game ended. Logistic
regression finds the worth of each pair; where few rows know a pair, it stays near what players would guess. Then the
scores of the search are held against the ends of the last tenth of the games, which the fit has not seen.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import numpy as np

import noughts.engine.weights as before
from noughts import Game, Position
from noughts.engine import Engine
from noughts.engine.evaluation import SURE
from noughts.engine.opening import central
from noughts.engine.shapes import FIVE, FOUR, OPEN_FOUR, SHAPES, pair

FILE = Path(before.__file__)
NODES = 8000  # of a move
COUNT = len(SHAPES)
PAIRS = COUNT * COUNT
GUESS = [0, -5, -5, -4, -3, -1, 8, 10, 30, 0]  # of a shape, in hundredths
TRUST = 20.0  # how many rows the guess is worth
THREE = 6  # an open one


def rows(games: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The counts of pairs, the ends for the player to move, and the scores of the search."""
    dice, game = Random(1), Game(15, 15, 5)
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


def write(weights: np.ndarray, scale: int) -> None:
    """The weights as a file."""
    numbers = np.rint(weights * 100).astype(int)

    def table(first: int) -> str:
        lines = (numbers[first + best * COUNT : first + best * COUNT + best + 1].tolist() for best in range(COUNT))
        return "[\n" + "".join(f"    {line},\n" for line in lines) + "]"

    text = FILE.read_text(encoding="utf-8")
    head, tail = text[: text.index("TEMPO =")], text[text.index("FOUND =") :]
    scale_line = (
        f"SCALE = {scale}  # by which a score of the search is divided before it becomes log-odds, as games tell"
    )
    body = f"TEMPO = {numbers[-1]}\nMOVER = {table(0)}\nWAITER = {table(PAIRS)}\n{scale_line}\n"
    FILE.write_text(head + body + tail, encoding="utf-8")


def main() -> None:
    """Play, fit, hold against what was not seen, write."""
    counts, ends, scores = rows(int(sys.argv[1]))
    seen = int(len(ends) * 0.9)
    weights = fit(counts[:seen], ends[:seen])
    late = ends[seen:]
    print(f"\n{len(ends):,} positions. Surprise where they were not seen: one half says 0.693, the evaluation "
          f"{loss(1 / (1 + np.exp(-counts[seen:] @ weights)), late):.3f}")  # fmt: skip
    by_scale = {scale: loss(1 / (1 + np.exp(-scores[:seen] / scale)), ends[:seen]) for scale in range(40, 300, 5)}
    scale = min(by_scale, key=by_scale.__getitem__)
    chances = 1 / (1 + np.exp(-scores[seen:] / scale))
    print(f"the search, with scale {scale}: {loss(chances, late):.3f}")
    for low in np.arange(0, 1, 0.2):
        inside = (chances >= low) & (chances < low + 0.2)
        if inside.any():
            print(
                f"  it says {chances[inside].mean():.0%}   and {late[inside].mean():.0%} were scored   ({inside.sum()})"
            )
    write(weights, scale)


if __name__ == "__main__":
    main()
