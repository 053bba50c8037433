"""The eight faces of one position: python docs/pictures/symmetry.py writes docs/explanation/symmetry.svg."""

from __future__ import annotations

from drawing import DOCS, board, picture, words

from noughts import Position
from noughts.rules.symmetry import symmetries

FILE = DOCS / "explanation" / "symmetry.svg"
POSITION = Position.parse("XO./.X./..O")


def draw() -> str:
    """The picture."""
    parts = []
    for place, symmetry in enumerate(symmetries(POSITION.game)):
        twin = symmetry.apply(POSITION)
        left, top = 24 + place % 2 * 196, 20 + place // 2 * 168
        smallest = twin == POSITION.canonical()
        parts += [
            board(left + 28, top, str(twin).split("/"), range(9) if smallest else (), 32),
            words(left + 76, top + 118, symmetry.name, "word"),
            words(left + 76, top + 138, f"code {twin.code:,}", "word head" if smallest else "word soft"),
        ]
    return picture(24 + 2 * 196 - 20, 684, "The eight symmetric twins of a position, the canonical one marked", parts)


if __name__ == "__main__":
    FILE.write_text(draw(), encoding="utf-8")
