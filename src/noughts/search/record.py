"""Searches that write down what they do, as a Tree: the first nodes that they enter, or one branch.

A branch has as many whole plies below one node as there is room for:

                  root                 the moves to the node are followed, and nothing beside them is kept
                 /    \\
                c3     …               the node: it keeps the window with which the whole search entered it
              / |  \\
             .  .   .                  a whole ply …
            /|  |   |\\
           . .  .   . .                … and another, as long as all of it fits; `omitted` counts what lies below

The whole search is done each time, so that table and windows are as they were. What lies outside the branch is the same
work again and again: without a table the outcome of a node depends only on the position, the depth and the window, and
one that was seen before is counted without being searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from noughts.rules.game import Cell
from noughts.rules.notation import format_move
from noughts.rules.position import Position
from noughts.search.improved import Improved
from noughts.search.options import Options
from noughts.search.plain import Counts, Score, Took
from noughts.search.result import MoveScore, best_of, bound_of
from noughts.search.size import MAX_PLIES
from noughts.search.tree import REASONS, Cut, Node, Tree

MAX_ECHOES = 300_000  # outcomes remembered: some hundred megabytes at most


class NotVisited(ValueError):
    """The search never came to this node."""


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
        """Count one more node as kept, out of those there is room for."""
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


class Branch(Recorded):
    """A search that keeps the subtree of the node after these moves."""

    def __init__(self, options: Options, counts: Counts, keep: int, position: Position, below: Sequence[Cell]) -> None:
        super().__init__(options, counts, keep, position)
        self.keep = keep
        self.below = tuple(position.cell(move) for move in below)
        self.deepest = MAX_PLIES  # below the node; it falls as room gets scarce
        self.plies: list[list[Node]] = []  # what is kept below the node, ply by ply
        self.echoes: dict[tuple[Position, int, Score, Score], tuple[Score, Took]] = {}

    def keeps(self, cell: Cell) -> bool:
        """On the way to the node only its own moves, below it all down to the deepest ply."""
        ply = len(self.path)
        return cell == self.below[ply - 1] if ply <= len(self.below) else ply - len(self.below) <= self.deepest

    def take(self, node: Node) -> None:
        """Keep one more node; where there are too many, give up the deepest ply."""
        ply = len(self.path) - len(self.below)
        if ply < 1:
            return
        while len(self.plies) < ply:
            self.plies.append([])
        self.plies[ply - 1].append(node)
        self.left -= 1
        while self.left < 0 and len(self.plies) > 1:
            self.left += len(self.plies.pop())
            self.deepest = len(self.plies)
            for parent in self.plies[-1]:
                parent.children.clear()

    def child(self, position: Position, cell: Cell, static: int, depth: int, alpha: Score, beta: Score) -> Score:
        """The score of the position after a move; one that is not kept may be an echo."""
        if depth < 3 or self.options.table or (self.path[-1] and self.keeps(cell)):
            return super().child(position, cell, static, depth, alpha, beta)
        key, counts = (position.play(cell), depth, alpha, beta), self.counts
        if (outcome := self.echoes.get(key)) is None:
            before = counts.now
            score = super().child(position, cell, static, depth, alpha, beta)
            if len(self.echoes) < MAX_ECHOES:
                self.echoes[key] = score, counts.since(before)
            return score
        score, (nodes, alpha_cuts, beta_cuts) = outcome
        counts.enter(nodes)
        counts.alpha_cuts += alpha_cuts
        counts.beta_cuts += beta_cuts
        return score

    def root(self, position: Position) -> list[MoveScore]:
        """Score every root move, and make the tree that was kept the one below the node in question."""
        moves = super().root(position)
        node = self.tree.root
        for cell in self.below:
            node = _step(node, cell)
        self.tree = Tree(self.options, node, self.below)
        for each in self.tree:
            itself = bool(self.below) or each is not node or self.options.window == "carried"
            each.omitted = each.nodes - itself - sum(child.nodes for child in each.children)
        return moves


def _step(node: Node, cell: Cell) -> Node:
    """The child after this move, or why the search has none."""
    for child in node.children:
        if child.move == cell:
            return child
    game = node.position.game
    move, here = format_move(game, cell), str(node.position)
    if cell in node.merged:
        why = f"it leads to a mirror image of {format_move(game, node.merged[cell])}"
    elif node.cut and cell in node.cut.skipped:
        why = node.cut.why
    else:
        why = REASONS[node.kind]
    raise NotVisited(f"the search did not try {move} in {here}: {why}")
