"""Two boards to play on: python docs/pictures/worksheet_boards.py writes docs/tutorial/worksheet-boards.svg."""

from __future__ import annotations

from drawing import DOCS, named_board, picture, words

from noughts import Position

FILE = DOCS / "tutorial" / "worksheet-boards.svg"
POSITIONS = {"2": Position.parse("O.X/.X./..."), "3": Position.parse("XO./.X./..O")}


def draw() -> str:
    """The picture."""
    parts = []
    for place, (name, position) in enumerate(POSITIONS.items()):
        left = 84 + place * 320
        parts += [
            words(left + 81, 26, f"Question {name}: {position.turn} to move", "word head"),
            named_board(left, 42, str(position).split("/"), 54),
        ]
    return picture(640, 232, "The boards of questions 2 and 3", parts)


if __name__ == "__main__":
    FILE.write_text(draw(), encoding="utf-8")
