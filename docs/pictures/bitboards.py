"""Shifts on a bitboard: python docs/pictures/bitboards.py writes docs/explanation/bitboards.svg."""

from __future__ import annotations

from drawing import DOCS, board, picture, words

from noughts import Game

FILE = DOCS / "explanation" / "bitboards.svg"
GAME = Game()
SPARE = "The fourth column is spare: nobody plays there."
CELLS = [1, 3, 4, 5, 8]  # a full middle row, and two more


def grid(left: float, top: float, bits: int, lit: int = 0) -> str:
    """A set with its spare column, 1 for a cell that it holds."""
    rows = [[str(bits >> place & 1) for place in range(row * 4, row * 4 + 4)] for row in range(3)]
    cells = [place for place in range(12) if lit >> place & 1]
    spare = board(left + 96, top, [[sign[3]] for sign in rows], range(3), 32, "dim")
    return board(left, top, rows, cells, 32) + "\n" + spare


def draw() -> str:
    """The picture."""
    own = GAME.bits_of(CELLS)
    twos = own & own >> 1
    threes = twos & twos >> 1
    steps = [
        ("X's cells", own, own, "bits"),
        ("one step to the left", own >> 1, own >> 1, "bits >> 1"),
        ("where runs of two begin", twos, twos, "two = bits & bits >> 1"),
        ("where runs of three begin", threes, threes, "two & two >> 1"),
    ]
    parts = []
    for place, (title, bits, lit, code) in enumerate(steps):
        left, top = 44 + place % 2 * 216, place // 2 * 172
        parts += [
            words(left + 64, top + 28, title, "word head"),
            grid(left, top + 44, bits, lit & GAME.full),
            words(left + 64, top + 164, code, "soft"),
        ]
    parts.append(words(12, 368, SPARE, "word start"))
    return picture(434, 386, "A row of three found by two shifts and two ANDs", parts)


if __name__ == "__main__":
    FILE.write_text(draw(), encoding="utf-8")
