"""A tree to fill in: python docs/pictures/worksheet_tree.py writes docs/tutorial/worksheet-tree.svg."""

from __future__ import annotations

from drawing import DOCS, arrow, named_board, picture, words

from noughts import Position
from noughts.rules.notation import format_move

FILE = DOCS / "tutorial" / "worksheet-tree.svg"
POSITION = Position.parse("XOX/OXO/...")


def draw() -> str:
    """The picture: a board, a board for each move with room for its mark, and room for what follows."""
    rows, parts = str(POSITION).split("/"), []
    parts += [named_board(266, 16, rows, 36), words(400, 74, "MAX: X to move. Its value: ____", "word start")]
    for place, cell in enumerate(POSITION.moves()):
        left = 46 + place * 220
        parts += [
            arrow((320, 156), (left + 54, 196)),
            named_board(left, 226, rows, 36),
            words(left + 54, 216, f"X plays {format_move(POSITION.game, cell)}"),
            words(left + 54, 374, "its value: ____"),
        ]
    parts.append(words(320, 420, "Where the game goes on, MIN (O) is to move: draw on below.", "word soft"))
    return picture(640, 640, "A tree to fill in: a board, its three moves, and room for what follows", parts)


if __name__ == "__main__":
    FILE.write_text(draw(), encoding="utf-8")
