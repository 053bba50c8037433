"""The engine's score of a position, without looking ahead: the worth of all its free cells, and what that means.

A score is for the player to move, in hundredths of a unit of log-odds. `chance` makes an estimate of it: the share of
the points that the player to move can expect, a draw being half a point. It is a guess, and no verdict.
"""

from __future__ import annotations

from math import exp

from noughts.engine import weights
from noughts.engine.shapes import NONE, SHAPES, pairs
from noughts.rules.position import Position

OPEN_ONE = SHAPES.index("open one")
FIVE = 5  # in a row: the games that the weights were made from
WINNING = 30_000  # less the plies to the end: the score of a win that the search has found
SURE = 29_000  # beyond, a score is such a win, or a loss


def table(rows: list[list[int]], k: int = FIVE) -> list[int]:
    """The worth of each pair, as `shapes.pair` numbers them, with so many in a row.

    With five, a line without marks makes an open one; beyond, it lacks more than anybody looks at, and makes none. So
    there what is less than an open one counts as one, and everything is worth what it is more than that. Otherwise
    marks would be best where they touch the fewest lines.
    """
    least = OPEN_ONE if k > FIVE else NONE
    shapes = [max(each, least) for each in range(len(SHAPES))]
    return [rows[best][second] - rows[least][least] if second <= best else 0 for best in shapes for second in shapes]


def evaluation(position: Position) -> int:
    """The score of a position for the player to move; the plain twin of the native one.

    >>> from noughts import Game
    >>> evaluation(Game(15, 15, 5).start()) == weights.TEMPO + sum(
    ...     table(weights.MOVER)[each] - table(weights.WAITER)[each] for each in pairs(Game(15, 15, 5), 0, 0).values())
    True
    """
    mine, theirs = position.sides
    mover, waiter = (table(rows, position.game.k) for rows in (weights.MOVER, weights.WAITER))
    return (
        weights.TEMPO
        + sum(mover[each] for each in pairs(position.game, mine, theirs).values())
        - sum(waiter[each] for each in pairs(position.game, theirs, mine).values())
    )


def chance(score: int) -> float:
    """The share of the points that the player to move can expect, by a score of the search.

    >>> chance(0), round(chance(100), 2), chance(-WINNING + 4) < 0.02
    (0.5, 0.72, True)
    """
    if abs(score) > SURE:
        return weights.FOUND if score > 0 else 1 - weights.FOUND
    return 1 / (1 + exp(-score / weights.SCALE))


def plies(score: int) -> int | None:
    """The plies to the end of a win or loss that the search has found; None if it has found none."""
    return WINNING - abs(score) if abs(score) > SURE else None
