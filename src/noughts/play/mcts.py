"""Monte Carlo tree search (UCT), for boards too large to solve: a tree of the moves that look good so far.

    select     from the root, follow the child with the highest mean result plus a bonus for being little explored
    expand     add one move to the tree
    play out   from there, some random games to the end; none where tactics settle the result
    back up    add their result to every node on the way

Which moves come into question is not left to chance. What presses goes before everything else (`tactics`): wins, blocks,
forks, answers to forks. Otherwise moves enter the tree in the order of what they gain by the evaluation, few at first and
more as a node is visited more often.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import isqrt, log, sqrt
from typing import ClassVar

from noughts.evaluate import gain
from noughts.game import Bits, Cell
from noughts.play.player import Choosing, InvalidPlayer, child_seed
from noughts.play.rules import widest
from noughts.play.tactics import both, urgent
from noughts.playout import playouts
from noughts.position import Position, X

AT_ONCE = 8  # random games from a new node: they come in one native call
CURIOSITY = 0.6  # the weight of the bonus
FEW = 4  # how many moves a node begins with
LARGE = 36  # on boards of more cells only those near a mark are considered
MAX_PLAYOUTS = 10_000_000


@dataclass(frozen=True)
class Mcts(Choosing):
    """Monte Carlo tree search on a budget of random games, for boards too large to solve."""

    name: ClassVar[str] = "mcts"
    symmetric: ClassVar[bool] = False

    playouts: int = 4000

    def __post_init__(self) -> None:
        if not 1 <= self.playouts <= MAX_PLAYOUTS:
            raise InvalidPlayer(f"mcts needs from 1 to {MAX_PLAYOUTS:,} playouts, not {self.playouts}")

    def likes(self, position: Position) -> list[Cell]:
        """What tactics settle, or else the one move that was looked at most; which it is depends on the seed."""
        root = Node(position)
        if root.verdict < 0:
            return root.cells[:1]  # lost against good play: at least gain what can be gained
        if root.verdict > 0 or len(root.cells) == 1:
            return sorted(root.cells)
        for number in range(max(2, self.playouts // AT_ONCE)):
            root.grow(child_seed(self.seed, number, position))
        return [max(root.children, key=lambda cell: (root.children[cell].visits, root.children[cell].mean))]

    def __str__(self) -> str:
        return self.name if self.playouts == Mcts.playouts else f"{self.name}:{self.playouts}"


class Node:
    """A position in the tree. Its results are those of the player who moved into it: 0 lost, 1 won."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.children: dict[Cell, Node] = {}
        self.visits = 0
        self.sum = 0.0
        self.urgent, self.verdict = (0, 0) if position.is_over or position.game.misere else urgent(position)

    @property
    def mean(self) -> float:
        """The mean result so far."""
        return self.sum / self.visits

    @property
    def settled(self) -> bool:
        """Is the result known without playing on?"""
        return self.position.is_over or self.verdict != 0

    @cached_property
    def cells(self) -> list[Cell]:
        """The moves that come into question, the likeliest first."""
        position, game = self.position, self.position.game
        cells = game.cells_of(self.urgent or near(position))
        sign = 1 if position.turn is X else -1
        return sorted(cells, key=lambda cell: -sign * gain(position, cell))

    def grow(self, seed: int) -> float:
        """One round of the search from this node on, and what X got out of it: 0 lost, 1 won."""
        if self.settled or not self.visits:
            result = self.result(seed)
        else:
            result = self.select().grow(seed)
        self.visits += 1
        self.sum += 1 - result if self.position.turn is X else result
        return result

    def select(self) -> Node:
        """The child to look at next: a new one while there are few, or else the best by UCB1."""
        if len(self.children) < min(len(self.cells), FEW + isqrt(self.visits)):
            cell = self.cells[len(self.children)]
            child = self.children[cell] = Node(self.position.play(cell))
            return child
        bonus = CURIOSITY * sqrt(log(self.visits))
        return max(self.children.values(), key=lambda child: child.mean + bonus / sqrt(child.visits))

    def result(self, seed: int) -> float:
        """What X gets here: by the rules, by tactics, or by the mean of some random games."""
        position = self.position
        if position.is_over:
            return 0.5 if position.winner is None else float(position.winner is X)
        if self.verdict:
            return float((self.verdict > 0) is (position.turn is X))
        tally = playouts(position, AT_ONCE, seed)
        return (tally.x_wins + tally.draws / 2) / AT_ONCE


def near(position: Position) -> Bits:
    """The free cells that come into question when nothing presses.

    In misere those that complete no line; on a large board those within two steps of a mark, and at first the widest.
    """
    game, empty = position.game, position.empty
    if game.misere:
        return empty & ~game.completing(both(position)[0]) or empty
    if game.cells <= LARGE:
        return empty
    around = position.x | position.o
    for _ in range(2):
        around |= (around << 1 | around >> 1) & game.full
        around |= (around << game.stride | around >> game.stride) & game.full
    return around & empty or widest(position)
