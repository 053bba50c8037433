"""What a search found: a score for each root move, and what it took.

At the root every move gets its score in a full window of its own (each) or in what the others left (carried).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Literal

from noughts.rules.answer import Answer
from noughts.rules.game import Cell
from noughts.rules.marks import X
from noughts.rules.position import Position
from noughts.search.options import Options
from noughts.search.plain import Counts, Score

if TYPE_CHECKING:
    from noughts.search.tree import Tree

Bound = Literal["exact", "upper", "lower"]


class Pruned(Answer):
    """What was searched, with the cut-off events that it took."""

    alpha_cuts: int
    beta_cuts: int

    @property
    def prunes(self) -> int:
        """All cut-off events."""
        return self.alpha_cuts + self.beta_cuts


@dataclass(frozen=True)
class MoveScore(Pruned):
    """A root move: its score from X's side, and what finding it took.

    `bound` says what the score is: exact, or the true one is at most (upper) or at least (lower) this, which was
    enough to know that the move is no better than one before it. `merged_with` names the symmetric move that was
    searched in its place.
    """

    keys = "@cell score bound nodes prunes alpha_cuts beta_cuts merged_with@"

    cell: Cell
    score: int
    bound: Bound
    nodes: int
    alpha_cuts: int
    beta_cuts: int
    merged_with: Cell | None = None

    def for_symmetric(self, cell: Cell) -> MoveScore:
        """This score for a move that is symmetric to it, which took nothing to find."""
        return replace(self, cell=cell, nodes=0, alpha_cuts=0, beta_cuts=0, merged_with=self.cell)


@dataclass(frozen=True)
class Result(Pruned):
    """The outcome of a search; the totals count the root where the window is carried.

    >>> from noughts.search import search
    >>> found = search(Position.parse(".X./O../X.O"), "minimax")
    >>> found.score, found.best, found.nodes
    (5, (2, 4), 225)
    """

    keys = (
        "position.game position options.algorithm options.window options.depth options.order options.table "
        "options.symmetry options.deepening backend score best@ nodes prunes alpha_cuts beta_cuts table_hits moves"
    )

    position: Position
    options: Options
    score: int
    best: tuple[Cell, ...]
    nodes: int
    alpha_cuts: int
    beta_cuts: int
    table_hits: int
    moves: tuple[MoveScore, ...]
    backend: str
    tree: Tree | None = field(default=None, repr=False, compare=False)


# At the root


def root_moves(
    position: Position, cells: Iterable[Cell], options: Options, counts: Counts,
    score: Callable[[Cell, Score, Score], Score],
) -> list[MoveScore]:  # fmt: skip
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
