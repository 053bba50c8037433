"""In which order moves are tried: it changes no score, only how soon alpha-beta can cut.

An order is a function of the position, the plies still to be searched below it and a memory of its own for one search;
it gives all the moves.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from noughts.evaluate import evaluate, gain
from noughts.rules.game import Cell, Game
from noughts.rules.marks import X
from noughts.rules.position import Position
from noughts.search.size import stopped

MAX_REMEMBERED = 1_000_000

TrueScores = dict[Position, int]
Order = Callable[[Position, int, TrueScores], list[Cell]]


def natural(position: Position, depth: int, scores: TrueScores) -> list[Cell]:
    """The moves ascending by cell."""
    return position.moves()


def centre(position: Position, depth: int, scores: TrueScores) -> list[Cell]:
    """Nearest to the centre of the board first.

    >>> centre(Game(3, 3).start(), 9, {})
    [4, 1, 3, 5, 7, 0, 2, 6, 8]
    """
    return sorted(position.moves(), key=from_centre(position.game).__getitem__)


@lru_cache(maxsize=16)
def from_centre(game: Game) -> list[int]:
    """For each cell four times its squared distance from the centre: a whole number.

    >>> from_centre(Game())
    [8, 4, 8, 4, 0, 4, 8, 4, 8]
    """
    return [
        (2 * row - game.rows + 1) ** 2 + (2 * column - game.columns + 1) ** 2
        for row in range(game.rows)
        for column in range(game.columns)
    ]


def evaluation(position: Position, depth: int, scores: TrueScores) -> list[Cell]:
    """Best by the evaluation after the move first."""
    return sorted(position.moves(), key=lambda cell: gain(position, cell), reverse=position.turn is X)


def best_known(position: Position, depth: int, scores: TrueScores) -> list[Cell]:
    """Best by the true score first, equals by the evaluation."""

    def score(cell: Cell) -> tuple[int, int]:
        return true_score(position.play(cell), depth - 1, scores), gain(position, cell)

    return sorted(position.moves(), key=score, reverse=position.turn is X)


def true_score(position: Position, depth: int, scores: TrueScores) -> int:
    """The minimax score, each position worked out once and remembered."""
    score = scores.get(position)
    if score is None:
        if position.is_over or depth == 0:
            score = evaluate(position)
        else:
            choose = max if position.turn is X else min
            score = choose(true_score(position.play(cell), depth - 1, scores) for cell in position.moves())
        if len(scores) >= MAX_REMEMBERED:
            raise stopped(MAX_REMEMBERED)
        scores[position] = score
    return score


ORDERS: dict[str, Order] = {"natural": natural, "centre": centre, "evaluation": evaluation, "best-known": best_known}
