"""The searched tree: what was entered, in which window, with which score, what was cut and why.

It can be written as JSON and as Graphviz DOT, and replayed step by step. A tree keeps the first so many nodes that the
search entered, or those of one branch by whole plies; `omitted` says how many more there were below a node.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isinf
from typing import Any, Literal

from noughts.rules.answer import Answer
from noughts.rules.game import Cell, Game
from noughts.rules.marks import X
from noughts.rules.notation import board_rows, format_move, format_moves
from noughts.rules.position import Position
from noughts.search.options import Options
from noughts.search.plain import Score
from noughts.search.result import Bound, Pruned

Kind = Literal["over", "horizon", "table", "searched"]

REASONS: dict[Kind, str] = {
    "over": "the game is over: the evaluation",
    "horizon": "the depth limit: the evaluation",
    "table": "remembered from the table",
    "searched": "the best of its moves",
}
AT: dict[Bound, str] = {"exact": "", "upper": "at most ", "lower": "at least "}


@dataclass(frozen=True)
class Cut(Answer):
    """A cut-off: alpha >= beta, so that the skipped moves cannot matter."""

    keys = "kind alpha beta skipped@ why"

    game: Game
    alpha: int
    beta: int
    maximise: bool
    skipped: tuple[Cell, ...]

    @property
    def kind(self) -> Literal["alpha", "beta"]:
        """At a MAX node the score has reached beta, at a MIN node alpha."""
        return "beta" if self.maximise else "alpha"

    @property
    def why(self) -> str:
        """The reason in words.

        >>> Cut(Game(), alpha=5, beta=3, maximise=False, skipped=(0, 8)).why
        'alpha cut: MIN can hold it to 3 here, but MAX already has 5 elsewhere and will not come here; skipped a3 c1'
        """
        here, there = (self.alpha, self.beta) if self.maximise else (self.beta, self.alpha)
        done = f"MAX can reach {here}" if self.maximise else f"MIN can hold it to {here}"
        other = "MIN" if self.maximise else "MAX"
        skipped = " ".join(format_moves(self.game, self.skipped))
        return f"{self.kind} cut: {done} here, but {other} already has {there} elsewhere and will not come here; " + (
            f"skipped {skipped}" if skipped else "nothing was left to skip"
        )


class Window(Pruned):
    """The bounds between which a score matters; those that are none are null in JSON."""

    alpha: Score
    beta: Score

    @property
    def low(self) -> int | None:
        """What MAX is sure of already, if anything."""
        return None if isinf(self.alpha) else int(self.alpha)

    @property
    def high(self) -> int | None:
        """What MIN is sure of already, if anything."""
        return None if isinf(self.beta) else int(self.beta)


@dataclass
class Node(Window):
    """A node of the searched tree.

    `alpha` and `beta` are the window it was entered with, `score` and `bound` what came out. `nodes` and the cuts are
    counted in its whole subtree; `omitted` counts the nodes below it that the tree did not keep. `merged` has the moves
    left out for symmetry, each with the one searched in its place.
    """

    keys = (
        "move@ cell=move position player alpha=low beta=high score bound kind reason nodes prunes omitted cut "
        "merged=merged_moves marks=position.pattern lines=position.lines best@ children"
    )

    position: Position
    move: Cell | None
    alpha: Score
    beta: Score
    kind: Kind = "searched"
    score: int = 0
    bound: Bound = "exact"
    cut: Cut | None = None
    merged: dict[Cell, Cell] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list, repr=False)
    nodes: int = 1
    alpha_cuts: int = 0
    beta_cuts: int = 0
    omitted: int = 0
    number: int = 0  # in the order of entry, where it is replayed

    @property
    def favourite(self) -> Node | None:
        """The child that gave the score: the first of the best."""
        return next((child for child in self.children if child.score == self.score), None)

    @property
    def best(self) -> Cell | None:
        """The move that gave the score."""
        return self.favourite.move if self.favourite else None

    @property
    def player(self) -> Literal["MAX", "MIN"]:
        """Who is to move: X wants the highest score, O the lowest."""
        return "MAX" if self.position.turn is X else "MIN"

    @property
    def reason(self) -> str:
        """Where its score comes from."""
        return REASONS[self.kind]

    @property
    def merged_moves(self) -> dict[str, str]:
        """The moves left out for symmetry, each with the one searched in its place."""
        game = self.position.game
        return {format_move(game, cell): format_move(game, searched) for cell, searched in self.merged.items()}


@dataclass(frozen=True)
class Step(Window):
    """A moment of the search, as it is replayed.

    kind   enter a node, back with the score of a move, cut, omitted (nodes that were not kept), leave the node
    alpha, beta, best   the node's window and its best score so far (None: none yet)
    nodes, alpha_cuts, beta_cuts   how many so far, over all
    """

    keys = "kind node=node.number ply alpha=low beta=high best nodes prunes text"

    kind: Literal["enter", "back", "cut", "omitted", "leave"]
    node: Node
    ply: int
    alpha: Score
    beta: Score
    best: int | None
    nodes: int
    alpha_cuts: int
    beta_cuts: int
    text: str


@dataclass(frozen=True)
class Tree(Answer):
    """The tree of one search, or the branch of it below these moves, each node as that search left it."""

    keys = (
        "root.position.game root.position options.algorithm options.window options.depth root.nodes kept complete root"
    )

    options: Options
    root: Node
    below: tuple[Cell, ...] = ()

    def __iter__(self) -> Iterator[Node]:
        """Every node kept, in the order in which the search entered them."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    @property
    def complete(self) -> bool:
        """Was every node kept?"""
        return not any(node.omitted for node in self)

    @property
    def kept(self) -> int:
        """How many nodes were kept."""
        return sum(1 for _ in self)

    def to_dot(self) -> str:
        """The whole tree for Graphviz: `dot -Tsvg` draws it.

        MAX nodes are boxes and MIN nodes are round; a thick edge leads to the move that gave the score; a dashed edge
        leads to what was cut, merged or not kept.
        """
        game = self.root.position.game
        lines = ["digraph search {", '  node [fontname="monospace", fontsize=10];', "  edge [fontsize=9];"]
        numbers = {id(node): number for number, node in enumerate(self)}
        for node in self:
            here = f"n{numbers[id(node)]}"
            lines.append(f"  {here} [{_dot_node(node)}];")
            for child in node.children:
                weight = ", penwidth=2.5" if child is node.favourite else ""
                label = format_move(game, child.move or 0)
                lines.append(f'  {here} -> n{numbers[id(child)]} [label="{label}"{weight}];')
            for number, (label, note) in enumerate(_dot_notes(node)):
                lines.append(f'  {here}_{number} [shape=plaintext, label="{note}"];')
                lines.append(f'  {here} -> {here}_{number} [style=dashed, label="{label}"];')
        return "\n".join([*lines, "}", ""])

    def replay(self) -> Iterator[Step]:
        """The search once more, step by step; the last step has the score and the totals.

        >>> from noughts.search import search
        >>> tree = search(Position.parse("XOX/OOX/X.."), record=100).tree
        >>> for step in tree.replay():
        ...     print(step.kind, step.text)
        enter XOX/OOX/X.., MIN to move, window -inf … inf
        enter b1: XOX/OOX/XO., over, window -inf … inf
        leave -5: the game is over: the evaluation
        back b1 gives -5: best -5
        enter c1: XOX/OOX/X.O, MAX to move, window -inf … inf
        enter b1: XOX/OOX/XXO, over, window -inf … inf
        leave 0: the game is over: the evaluation
        back b1 gives 0: best 0
        leave 0: the best of its moves
        back c1 gives 0: best -5
        leave -5: the best of its moves
        """
        for number, node in enumerate(self):
            node.number = number
        prunes = self.options.algorithm == "alphabeta"
        each = self.options.window == "each" and not self.below
        totals = (0, 0, 0)

        def walk(node: Node, ply: int) -> Iterator[Step]:
            def step(kind: Any, text: str, nodes: int = 0, alpha_cuts: int = 0, beta_cuts: int = 0) -> Step:
                nonlocal totals
                totals = totals[0] + nodes, totals[1] + alpha_cuts, totals[2] + beta_cuts
                return Step(kind, node, ply, alpha, beta, best, *totals, text)

            game, maximise = node.position.game, node.position.turn is X
            alpha, beta, best = node.alpha, node.beta, None
            full_windows = not prunes or (ply == 0 and each)
            yield step("enter", _entrance(node), nodes=0 if ply == 0 and each else 1)
            for child in node.children:
                yield from walk(child, ply + 1)
                if best is None or (child.score > best if maximise else child.score < best):
                    best = child.score
                if not full_windows and maximise:
                    alpha = max(alpha, best)
                elif not full_windows:
                    beta = min(beta, best)
                yield step("back", f"{format_move(game, child.move or 0)} gives {child.score}: best {best}")
            alpha_cut, beta_cut = (node.cut is not None and node.cut.kind == kind for kind in ("alpha", "beta"))
            if node.omitted:
                yield step(
                    "omitted",
                    f"{node.omitted:,} nodes below were not kept",
                    node.omitted,
                    node.alpha_cuts - alpha_cut - sum(child.alpha_cuts for child in node.children),
                    node.beta_cuts - beta_cut - sum(child.beta_cuts for child in node.children),
                )
            if node.cut:
                alpha, beta = node.cut.alpha, node.cut.beta
                yield step("cut", node.cut.why, 0, alpha_cut, beta_cut)
            best = node.score
            so_far = " so far" if node.cut else ""
            yield step("leave", f"{AT[node.bound]}{node.score}: {REASONS[node.kind]}{so_far}")

        yield from walk(self.root, 0)


def _entrance(node: Node) -> str:
    position = node.position
    name = "" if node.move is None else f"{format_move(position.game, node.move)}: "
    who = "over" if position.is_over else f"{node.player} to move"
    return f"{name}{position}, {who}, window {node.alpha} … {node.beta}"


def _dot_node(node: Node) -> str:
    board = "\\n".join(" ".join(row) for row in board_rows(node.position))
    sign = {"exact": "", "upper": "≤ ", "lower": "≥ "}[node.bound]
    window = f"\\n[{node.alpha}, {node.beta}]" if not (isinf(node.alpha) and isinf(node.beta)) else ""
    shape = "box" if node.position.turn is X else "ellipse"
    style = ', style="filled", fillcolor="gray92"' if node.kind != "searched" else ""
    return f'shape={shape}{style}, label="{board}\\n{sign}{node.score}{window}"'


def _dot_notes(node: Node) -> Iterator[tuple[str, str]]:
    """What hangs below a node beside its children: a label for the edge, and a note."""
    game = node.position.game
    for cell, searched in node.merged.items():
        yield format_move(game, cell), f"like {format_move(game, searched)}"
    if node.cut:
        skipped = " ".join(format_moves(game, node.cut.skipped))
        yield skipped, f"{node.cut.kind} cut\\n{node.cut.alpha} ≥ {node.cut.beta}"
    if node.omitted:
        yield "", f"{node.omitted:,} nodes\\nnot kept"
