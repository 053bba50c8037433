"""Shifts on a bitboard: python docs/pictures/bitboards.py writes docs/explanation/bitboards.svg."""

from __future__ import annotations

from drawing import DOCS, board, picture, words

from noughts import Game

FILE = DOCS / "explanation" / "bitboards.svg"
GAME = Game()
EDGE = "What goes over the edge is masked off."
CELLS = [1, 3, 4, 5, 8]  # a full middle row, and two more


def grid(left: float, top: float, bits: int) -> str:
    """A set, 1 for a cell that it holds."""
    rows = [[str(bits >> cell & 1) for cell in range(row * 3, row * 3 + 3)] for row in range(3)]
    return board(left, top, rows, GAME.cells_of(bits), 32)


def draw() -> str:
    """The picture."""
    own = GAME.bits_of(CELLS)
    moved = own >> 1 & GAME.room((0, 1), 1)
    twos = own & moved
    threes = twos & twos >> 1 & GAME.room((0, 1), 2)
    steps = [
        ("X's cells", own, "bits"),
        ("one step to the left", moved, "bits >> 1"),
        ("where runs of two begin", twos, "two = bits & bits >> 1"),
        ("where runs of three begin", threes, "two & two >> 1"),
    ]
    parts = []
    for place, (title, bits, code) in enumerate(steps):
        left, top = 44 + place % 2 * 216, place // 2 * 172
        parts += [
            words(left + 48, top + 28, title, "word head"),
            grid(left, top + 44, bits),
            words(left + 48, top + 164, code, "soft"),
        ]
    parts.append(words(12, 368, EDGE, "word start"))
    return picture(434, 386, "A row of three found by two shifts and two ANDs", parts)


if __name__ == "__main__":
    FILE.write_text(draw(), encoding="utf-8")
