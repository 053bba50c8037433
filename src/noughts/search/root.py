"""At the root: every move gets its score, in a full window of its own (each) or in what the others left (carried)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import inf

from noughts.rules.game import Cell
from noughts.rules.marks import X
from noughts.rules.position import Position
from noughts.search.options import Options
from noughts.search.plain import Counts, Score
from noughts.search.result import Bound, MoveScore


def root_moves(
    position: Position,
    cells: Iterable[Cell],
    options: Options,
    counts: Counts,
    score: Callable[[Cell, Score, Score], Score],
) -> list[MoveScore]:
    """Score these moves, in this order, with score(cell, alpha, beta)."""
    if options.window == "carried":
        counts.enter()
    narrows = options.window == "carried" and options.algorithm == "alphabeta"
    alpha, beta = -inf, inf
    found = []
    for cell in cells:
        before = counts.now
        value = score(cell, alpha, beta)
        found.append(MoveScore(cell, int(value), bound_of(value, alpha, beta), *counts.since(before)))
        if narrows and position.turn is X:
            alpha = max(alpha, value)
        elif narrows:
            beta = min(beta, value)
    return found


def bound_of(score: Score, alpha: Score, beta: Score) -> Bound:
    """What a score says that came out of this window."""
    return "upper" if score <= alpha else "lower" if score >= beta else "exact"


def best_of(position: Position, moves: Sequence[MoveScore]) -> tuple[int, tuple[Cell, ...]]:
    """The score of a position from those of its moves, and the moves known to have it."""
    exact = [move for move in moves if move.bound == "exact"]
    score = (max if position.turn is X else min)(move.score for move in exact)
    return score, tuple(move.cell for move in exact if move.score == score)


def add_up(spent: Sequence[MoveScore], latest: Sequence[MoveScore]) -> list[MoveScore]:
    """The latest scores of the same moves, with what all iterations took."""
    if not spent:
        return list(latest)
    return [
        replace(
            now,
            nodes=before.nodes + now.nodes,
            alpha_cuts=before.alpha_cuts + now.alpha_cuts,
            beta_cuts=before.beta_cuts + now.beta_cuts,
        )
        for before, now in zip(spent, latest, strict=True)
    ]
