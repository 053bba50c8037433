"""The engine's score of a position, without looking ahead: what all its free cells are worth, and what that means.

A score is for the player to move, in hundredths of a unit of log-odds. `chance` makes an estimate of it: the share of
the points that the player to move can expect, a draw being half a point. It is a guess, and no verdict.
"""

from __future__ import annotations

from math import exp

from noughts.engine.network import learned
from noughts.engine.shapes import PAIRS, pairs
from noughts.rules.position import Position

WINNING = 30_000  # less the plies to the end: the score of a win that the search has found
SCALE = 95  # by which a score of the search is divided before it becomes log-odds, as games tell
FOUND = 0.99  # the chance that a win which the search has found is one, as games tell
SURE = 29_000  # beyond, a score is such a win, or a loss


def evaluation(position: Position) -> int:
    """The score of a position for the player to move; the plain twin of the native one.

    >>> from noughts import Game
    >>> beside, far_away = (evaluation(Game(15, 15, 5).start().play("h8").play(reply)) for reply in ("i9", "a1"))
    >>> 0 < beside < far_away
    True
    """
    mine, theirs = position.sides
    own, other = pairs(position.game, mine, theirs), pairs(position.game, theirs, mine)
    return learned().score(own[cell] * PAIRS + other[cell] for cell in own)


def chance(score: int) -> float:
    """The share of the points that the player to move can expect, by a score of the search.

    >>> chance(0), round(chance(100), 2), chance(-WINNING + 4) < 0.02
    (0.5, 0.74, True)
    """
    if abs(score) > SURE:
        return FOUND if score > 0 else 1 - FOUND
    return 1 / (1 + exp(-score / SCALE))


def plies(score: int) -> int | None:
    """The plies to the end of a win or loss that the search has found; None if it has found none."""
    return WINNING - abs(score) if abs(score) > SURE else None
