"""One board, three ways: python docs/pictures/three_ways.py writes docs/tutorial/three-ways.svg."""

from __future__ import annotations

from drawing import DOCS, board, picture, words

from noughts import Position
from noughts.detect.magic_square import LABELS

FILE = DOCS / "tutorial" / "three-ways.svg"
POSITION = Position.parse("XOX/OXO/X..")


def draw() -> str:
    """The picture."""
    signs = str(POSITION).replace("/", "")
    line = POSITION.lines()[0]
    numbers = [{"X": "+1", "O": "-1", ".": "0"}[sign] for sign in signs]
    bits = [str(int(sign == "X")) for sign in signs]
    labels = [str(LABELS[cell]) if sign == "X" else "" for cell, sign in enumerate(signs)]
    boards = [
        ("the board", list(signs), "X has a diagonal"),
        ("numbers", numbers, "+1 +1 +1 = 3"),
        ("X's bits", bits, "bits AND mask = mask"),
        ("X's magic numbers", labels, " + ".join(str(LABELS[cell]) for cell in line) + " = 15"),
    ]
    parts = []
    for place, (title, cells, says) in enumerate(boards):
        left, top = 52 + place % 2 * 196, place // 2 * 196
        parts += [
            words(left + 54, top + 30, title, "word head"),
            board(left, top + 46, [cells[row : row + 3] for row in (0, 3, 6)], line, 36),
            words(left + 54, top + 180, says, "word soft"),
        ]
    return picture(410, 400, "One board as marks, as numbers, as bits and as magic numbers", parts)


if __name__ == "__main__":
    FILE.write_text(draw(), encoding="utf-8")
