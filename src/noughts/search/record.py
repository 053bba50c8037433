"""A search that writes down what it does, as a Tree."""

from __future__ import annotations

from math import inf

from noughts.rules.game import Cell
from noughts.rules.position import Position
from noughts.search.improved import Improved
from noughts.search.options import Options
from noughts.search.plain import Counts, Score, Took
from noughts.search.result import MoveScore, best_of, bound_of
from noughts.search.tree import Cut, Node, Tree


class Recorded(Improved):
    """A search that keeps the first so many nodes that it enters."""

    def __init__(self, options: Options, counts: Counts, keep: int, position: Position) -> None:
        super().__init__(options, counts)
        self.left = keep
        self.tree = Tree(options, Node(position, None, -inf, inf))
        self.path: list[Node | None] = [self.tree.root]  # from the root to here; None: not kept

    def child(self, position: Position, cell: Cell, static: int, depth: int, alpha: Score, beta: Score) -> Score:
        """The score of the position after a move."""
        node = None
        if (parent := self.path[-1]) and self.keeps(cell):
            node = Node(position.play(cell), cell, alpha, beta)
            parent.children.append(node)
            self.take(node)
        before = self.counts.now
        self.path.append(node)
        score = super().child(position, cell, static, depth, alpha, beta)
        self.path.pop()
        if node:
            node.score = int(score)
            if node.position.is_over:
                node.kind = "over"
            elif depth == 1:
                node.kind = "horizon"
            else:
                node.kind = "table" if self.counts.nodes == before[0] + 1 else "searched"
                node.bound = bound_of(score, alpha, beta)
            _count(node, self.counts.since(before))
        return score

    def keeps(self, cell: Cell) -> bool:
        """Is the node after this move of a kept node to be kept?"""
        return self.left > 0

    def take(self, node: Node) -> None:
        """One more node is kept."""
        self.left -= 1

    def cut(self, maximise: bool, alpha: Score, beta: Score, skipped: list[Cell]) -> None:
        """Count and keep a cut-off event."""
        super().cut(maximise, alpha, beta, skipped)
        if node := self.path[-1]:
            node.cut = Cut(node.position.game, int(alpha), int(beta), maximise, tuple(skipped))

    def merge(self, position: Position, depth: int) -> dict[Cell, Cell]:
        """Every move with the one that is searched for it; those left out are kept."""
        merged = super().merge(position, depth)
        if node := self.path[-1]:
            node.merged = {cell: searched for cell, searched in merged.items() if cell != searched}
        return merged

    def root(self, position: Position) -> list[MoveScore]:
        """Score every root move, and keep what is below it."""
        before = self.counts.now
        moves = super().root(position)
        self.tree.root.score, _ = best_of(position, moves)
        _count(self.tree.root, self.counts.since(before), itself=self.options.window == "carried")
        return moves


def _count(node: Node, took: Took, itself: bool = True) -> None:
    """Write down what a node's subtree took."""
    node.nodes, node.alpha_cuts, node.beta_cuts = took
    node.omitted = node.nodes - itself - sum(child.nodes for child in node.children)
