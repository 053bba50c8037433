"""Minimax and alpha-beta with what can be improved: move order, table, symmetry, deepening.

Without any of these it does exactly what `plain` does. None of them changes a score; they change how many nodes are
entered. The evaluation is carried along: a child's is the parent's plus what the move gains.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf

from noughts.evaluate import evaluate, gain
from noughts.rules.game import Cell
from noughts.rules.marks import X
from noughts.rules.position import Position
from noughts.search.options import Options
from noughts.search.order import ORDERS, TrueScores
from noughts.search.plain import Counts, Score
from noughts.search.result import Bound, MoveScore, add_up, bound_of, root_moves


class Improved:
    """One search; `score` is the algorithm, the other methods are its improvements."""

    def __init__(self, options: Options, counts: Counts) -> None:
        self.options = options
        self.counts = counts
        self.prunes = options.algorithm == "alphabeta"
        self.table: dict[Position, tuple[Bound, Score]] = {}
        self.favourites: dict[Position, Cell] = {}  # the best move of each position, one iteration ago
        self.true_scores: TrueScores = {}  # for the best-known order
        self.saw_horizon = False  # did the depth limit stop any game?

    def score(self, position: Position, static: int, depth: int, alpha: Score, beta: Score) -> Score:
        """The score of a position whose evaluation is `static`, or a bound on it outside the window."""
        self.counts.enter()
        if position.is_over or depth == 0:
            self.saw_horizon |= not position.is_over
            return static
        if self.options.table and (remembered := self.recall(position, alpha, beta)) is not None:
            self.counts.hits += 1
            return remembered
        maximise = position.turn is X
        low, high = alpha, beta
        best, favourite = -inf if maximise else inf, -1
        moves = self.moves(position, depth)
        for number, cell in enumerate(moves, 1):
            value = self.child(position, cell, static, depth, low, high)
            if value > best if maximise else value < best:
                best, favourite = value, cell
            if not self.prunes:
                continue
            if maximise:
                low = max(low, best)
            else:
                high = min(high, best)
            if low >= high:
                self.cut(maximise, low, high, moves[number:])
                break
        if self.options.table:
            self.table[self.key(position)] = bound_of(best, alpha, beta), best
        if self.options.deepening:
            self.favourites[position] = favourite
        return best

    def child(self, position: Position, cell: Cell, static: int, depth: int, alpha: Score, beta: Score) -> Score:
        """The score of the position after a move."""
        return self.score(position.play(cell), static + gain(position, cell), depth - 1, alpha, beta)

    def cut(self, maximise: bool, alpha: Score, beta: Score, skipped: list[Cell]) -> None:
        """Count a cut-off event."""
        if maximise:
            self.counts.beta_cuts += 1
        else:
            self.counts.alpha_cuts += 1

    # Order and symmetry

    def moves(self, position: Position, depth: int) -> list[Cell]:
        """The moves to search, in order."""
        return [cell for cell, searched in self.merge(position, depth).items() if cell == searched]

    def merge(self, position: Position, depth: int) -> dict[Cell, Cell]:
        """Every move, in order, with the one that is searched for it: itself, or an earlier symmetric one."""
        moves = ORDERS[self.options.order](position, depth, self.true_scores)
        if (favourite := self.favourites.get(position)) is not None:
            moves.remove(favourite)
            moves.insert(0, favourite)
        if not self.options.symmetry:
            return dict(zip(moves, moves, strict=True))
        first: dict[Position, Cell] = {}
        return {cell: first.setdefault(_canonical(position.play(cell)), cell) for cell in moves}

    # Table

    def key(self, position: Position) -> Position:
        """Under which position the table keeps this one."""
        return _canonical(position) if self.options.symmetry else position

    def recall(self, position: Position, alpha: Score, beta: Score) -> Score | None:
        """The remembered score, if it is exact or settles that the true one lies outside the window."""
        bound, score = self.table.get(self.key(position), ("none", 0))
        settled = bound == "exact" or (bound == "upper" and score <= alpha) or (bound == "lower" and score >= beta)
        return score if settled else None

    # The root

    def root(self, position: Position) -> list[MoveScore]:
        """Every root move; with deepening the nodes and cuts of all iterations together."""
        free = position.empty.bit_count()
        depth = min(self.options.depth or free, free)
        if not self.options.deepening:
            return self.iteration(position, depth)
        spent: list[MoveScore] = []
        for plies in range(1, depth + 1):
            self.table.clear()  # its scores were to another depth
            self.saw_horizon = False
            spent = add_up(spent, self.iteration(position, plies))
            if not self.saw_horizon:
                break  # every game was played to its end: looking deeper shows nothing new
        return spent

    def iteration(self, position: Position, depth: int) -> list[MoveScore]:
        """Every root move, searched to this depth."""
        static, merged = evaluate(position), self.merge(position, depth)
        found = root_moves(
            position,
            [cell for cell, searched in merged.items() if cell == searched],
            self.options,
            self.counts,
            lambda cell, alpha, beta: self.child(position, cell, static, depth, alpha, beta),
        )
        scores = {move.cell: move for move in found}
        better = max if position.turn is X else min
        self.favourites[position] = better(found, key=lambda move: move.score).cell
        return [
            scores[cell] if cell == searched else scores[searched].for_symmetric(cell)
            for cell, searched in sorted(merged.items())
        ]


@lru_cache(maxsize=1 << 16)
def _canonical(position: Position) -> Position:
    return position.canonical()
