"""Monte Carlo tree search, for boards too large to solve: a tree of the moves that look good so far.

    select     from the root, follow the child with the best mean result plus a bonus for the likely and little tried
    expand     add one position to the tree
    judge      some random games from there, and the evaluation, half and half; neither where tactics settle the result
    back up    add the result to every node on the way

What presses goes before everything else (`tactics`): wins, blocks, forks, answers to forks. Otherwise moves are likely
by what they gain in the evaluation, and more of them come into question as a node is visited more often. The bonus is
that of PUCT, the form of UCT in which a guess beforehand says where to look first:

    mean + CURIOSITY * likelihood * sqrt(visits of the node) / (1 + visits of the child)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from math import exp, isqrt, sqrt
from time import monotonic
from typing import ClassVar

from noughts.evaluate import evaluate, gain, weights
from noughts.play.player import Choosing, child_seed
from noughts.play.rules import quiet
from noughts.play.tactics import urgent
from noughts.rules.game import MANY, Cell
from noughts.rules.marks import X
from noughts.rules.playouts import playouts
from noughts.rules.position import Position
from noughts.search.order import from_centre

MAX_PLAYOUTS = 10_000_000
PLAYOUTS = 4000  # random games a move, unless told otherwise; on large boards
PLIES = 1_000_000  # their moves together
MOST_PLIES = 4_000_000  # of the games that one may ask for there
AT_ONCE = 8  # random games from a new node: they come in one native call
CURIOSITY = 1.0
CAUTION = 0.1  # how much less than its parent an untried move is expected to be worth
FEW = 10  # the moves that a node begins with


@dataclass(frozen=True)
class Mcts(Choosing):
    """Monte Carlo tree search on a budget of random games, for boards too large to solve."""

    name: ClassVar[str] = "mcts"
    symmetric: ClassVar[bool] = False
    number: ClassVar[str] = "playouts"
    most: ClassVar[int | None] = MAX_PLAYOUTS

    playouts: int | None = None  # random games a move; None: as many as suit the board
    seconds: float | None = field(default=None, repr=False)  # a move, instead

    def objection(self, position: Position) -> str | None:
        """Why it does not play, where the games that it tries take too long for one move; None if it plays."""
        cells = position.game.cells
        if cells <= MANY or (self.playouts or 0) * cells <= MOST_PLIES:
            return None
        most = MOST_PLIES // cells
        return f"so many games take too long for one move: ask for at most {most} here, or for none as in {self.name}"

    def likes(self, position: Position) -> list[Cell]:
        """What tactics settle, or else the one move that was looked at most; which it is depends on the seed."""
        root = TriedMove(position)
        if root.verdict > 0:
            return sorted(root.likely)
        if not position.marks:  # nothing tells its moves apart: of the likeliest the nearest to the centre
            away = from_centre(position.game)
            return [min(root.likely, key=lambda cell: (-root.likely[cell], away[cell]))]
        if root.verdict < 0 or len(root.likely) == 1:
            return [next(iter(root.likely))]  # where all lose, gain what can be gained
        budget = self.playouts or min(PLAYOUTS, PLIES // position.game.cells)
        end = monotonic() + self.seconds if self.seconds else None
        for number in count() if end else range(max(2, budget // AT_ONCE)):
            root.grow(child_seed(self.seed, number, position))
            if end and number and monotonic() >= end:
                break
        return [max(root.children, key=lambda cell: (root.children[cell].visits, root.children[cell].mean))]


class TriedMove:
    """A position in the tree. Its results are those of the player who moved into it: 0 lost, 1 won."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.children: dict[Cell, TriedMove] = {}
        self.visits = 0
        self.sum = 0.0
        self.urgent, self.verdict = (0, 0) if position.is_over else urgent(position)

    @property
    def mean(self) -> float:
        """The mean result so far."""
        return self.sum / self.visits

    @cached_property
    def likely(self) -> dict[Cell, float]:
        """The moves that come into question, the likeliest first, each with its likelihood."""
        position = self.position
        sign = 1 if position.turn is X else -1
        cells = position.game.cells_of(self.urgent or quiet(position))
        squares = {cell: max(1, sign * gain(position, cell)) ** 2 for cell in cells}
        total = sum(squares.values())
        return {cell: squares[cell] / total for cell in sorted(squares, key=squares.__getitem__, reverse=True)}

    def grow(self, seed: int) -> float:
        """One round of the search from this node on, and what X got out of it: 0 lost, 1 won."""
        if self.visits and not self.position.is_over and not self.verdict:
            result = self.select().grow(seed)
        else:
            result = self.judge(seed)
        self.visits += 1
        self.sum += 1 - result if self.position.turn is X else result
        return result

    def select(self) -> TriedMove:
        """The child to look at next, new or known."""
        wide = FEW + isqrt(self.visits)
        untried = 1 - self.mean - CAUTION  # the mean is the opponent's
        bonus = CURIOSITY * sqrt(self.visits)
        best, hope = -1, -1.0
        for cell, likelihood in list(self.likely.items())[:wide]:
            child = self.children.get(cell)
            mean, visits = (child.mean, child.visits) if child else (untried, 0)
            if (score := mean + bonus * likelihood / (1 + visits)) > hope:
                best, hope = cell, score
        if best not in self.children:
            self.children[best] = TriedMove(self.position.play(best))
        return self.children[best]

    def judge(self, seed: int) -> float:
        """What X gets here: by the rules, by tactics, or by random games and the evaluation."""
        position = self.position
        if position.is_over:
            return 0.5 if position.winner is None else float(position.winner is X)
        if self.verdict:
            return float((self.verdict > 0) is (position.turn is X))
        tally = playouts(position, AT_ONCE, seed)
        scale = weights(position.game.k)[-2] or 1  # what a line that lacks one mark is worth
        looks = 1 / (1 + exp(-max(-50.0, min(50.0, evaluate(position) / scale))))
        return ((tally.x_wins + tally.draws / 2) / AT_ONCE + looks) / 2
