"""Alpha-beta below c3 in the example: python docs/pictures/alphabeta.py writes docs/explanation/minimax.svg."""

from __future__ import annotations

from drawing import DOCS, number, picture, words

from noughts import Mark, Position
from noughts.rules.notation import format_move
from noughts.search import search
from noughts.search.tree import AT, Node

FILE = DOCS / "explanation" / "minimax.svg"
POSITION = Position.parse(".X./O../X.O").play("c3")
WIDE, HIGH, ACROSS, DOWN, LEFT, TOP = 92, 38, 128, 46, 16, 40


class Drawing:
    """The tree from left to right: each end of a branch has a row of its own, and a node stands amid its branches."""

    def __init__(self, root: Node) -> None:
        self.parts: list[str] = []
        self.rows = 0
        self.deepest = 0
        self.place(root, 0)

    def place(self, node: Node, depth: int) -> float:
        """Draw a node and all below it; where its middle is."""
        self.deepest = max(self.deepest, depth)
        middles = [self.place(child, depth + 1) for child in node.children]
        if node.cut and node.cut.skipped:
            middles.append(self.stub(node, depth + 1))
        middle = sum(middles) / len(middles) if middles else self.row()
        for below in middles:
            self.parts.append(self.branch(depth, middle, below))
        self.box(node, depth, middle)
        return middle

    def row(self) -> float:
        """The middle of the next row."""
        self.rows += 1
        return TOP + (self.rows - 0.5) * DOWN

    def box(self, node: Node, depth: int, middle: float) -> None:
        """A node: its move, who is to choose there, and what came out."""
        left = LEFT + depth * ACROSS
        turn = "MAX" if node.position.turn is Mark.X else "MIN"
        game, ended = node.position.game, node.position.is_over
        name = "c3" if node.move is None else format_move(game, node.move)
        kind = "dim" if ended else "lit" if turn == "MAX" else "bad"
        shown, top = f"{AT[node.bound]}{node.score}", number(middle - HIGH / 2)
        self.parts += [
            f'<rect class="cell {kind}" x="{left}" y="{top}" width="{WIDE}" height="{HIGH}" rx="6"/>',
            words(left + WIDE / 2, middle - 3, name if ended else f"{name}: {turn}", "word small head"),
            words(left + WIDE / 2, middle + 13, shown, "word small"),
        ]

    def stub(self, node: Node, depth: int) -> float:
        """The moves that were never looked at."""
        assert node.cut
        middle = self.row()
        skipped = ", ".join(format_move(node.position.game, cell) for cell in node.cut.skipped)
        left = LEFT + depth * ACROSS
        self.parts.append(words(left + 4, middle + 5, f"✂ {skipped}", "word small start soft"))
        return middle

    @staticmethod
    def branch(depth: int, middle: float, below: float) -> str:
        """The line from a node to one below it."""
        right = LEFT + depth * ACROSS + WIDE
        bend = right + (ACROSS - WIDE) / 2
        end = LEFT + (depth + 1) * ACROSS
        return f'<path class="edge" d="M{right} {number(middle)} H{number(bend)} V{number(below)} H{end}"/>'


def draw() -> str:
    """The picture."""
    tree = search(POSITION, "alphabeta", window="carried", record=100).tree
    assert tree
    drawn = Drawing(tree.root)
    title = words(LEFT, 24, f"{tree.root.nodes} nodes; scissors mark the moves that need not be tried", "word start")
    wide, high = LEFT * 2 + drawn.deepest * ACROSS + WIDE, TOP + drawn.rows * DOWN + 16
    return picture(wide, high, "The tree that alpha-beta searches below c3, with its cuts", [title, *drawn.parts])


if __name__ == "__main__":
    FILE.write_text(draw(), encoding="utf-8")
