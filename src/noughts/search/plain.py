"""Minimax and alpha-beta as the minimax source prints them: the definition of right for all the faster ones.

MAX is X and wants a high score, MIN is O and wants a low one. The game's end, or the depth limit, is scored by the
evaluation. A node is counted when it is entered. With alpha-beta every node has a window:

    alpha   what MAX can already be sure of elsewhere
    beta    what MIN can already be sure of elsewhere

and once alpha >= beta the rest of the node cannot matter: one of the two would not let play come here. That is a
prune: one cut-off event, after whichever child, the last one included (where nothing is left to skip). A cut at a MAX
node is a beta cut (the score has reached beta), a cut at a MIN node an alpha cut.

The source's listing starts MIN at -infinity; no score is lower, so that MIN would always return it. Here it starts at
+infinity.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from noughts.evaluate import evaluate
from noughts.rules.marks import X
from noughts.rules.position import Position
from noughts.search.size import stopped

Took = tuple[int, int, int]  # nodes, alpha cuts, beta cuts
Score = float  # an int wherever it is a result; -inf and +inf only where nothing is known yet


@dataclass
class Counts:
    """What a search has done so far; it stops with TreeTooLarge when it enters more than `limit` nodes."""

    limit: int
    nodes: int = 0
    alpha_cuts: int = 0
    beta_cuts: int = 0
    hits: int = 0

    def enter(self, nodes: int = 1) -> None:
        """Count nodes that are entered."""
        self.nodes += nodes
        if self.nodes > self.limit:
            raise stopped(self.limit)

    @property
    def now(self) -> Took:
        """What the search took so far."""
        return self.nodes, self.alpha_cuts, self.beta_cuts

    def since(self, before: Took) -> Took:
        """What the search took since an earlier `now`."""
        return self.nodes - before[0], self.alpha_cuts - before[1], self.beta_cuts - before[2]


def minimax(position: Position, depth: int, counts: Counts) -> Score:
    """The score of a position when both play their best for so many plies."""
    counts.enter()
    if position.is_over or depth == 0:
        return evaluate(position)
    if position.turn is X:  # MAX
        best = -inf
        for move in position.moves():
            best = max(best, minimax(position.play(move), depth - 1, counts))
    else:  # MIN
        best = inf
        for move in position.moves():
            best = min(best, minimax(position.play(move), depth - 1, counts))
    return best


def alphabeta(position: Position, depth: int, alpha: Score, beta: Score, counts: Counts) -> Score:
    """The minimax score where it lies inside the window; otherwise a bound on it, on the same side of the window.

    result <= alpha: the true score is at most this; result >= beta: at least this.
    """
    counts.enter()
    if position.is_over or depth == 0:
        return evaluate(position)
    if position.turn is X:  # MAX
        best = -inf
        for move in position.moves():
            best = max(best, alphabeta(position.play(move), depth - 1, alpha, beta, counts))
            alpha = max(alpha, best)
            if alpha >= beta:
                counts.beta_cuts += 1
                break
    else:  # MIN
        best = inf
        for move in position.moves():
            best = min(best, alphabeta(position.play(move), depth - 1, alpha, beta, counts))
            beta = min(beta, best)
            if alpha >= beta:
                counts.alpha_cuts += 1
                break
    return best
