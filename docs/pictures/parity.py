"""A threat that waits: python docs/pictures/parity.py writes docs/explanation/connect-four.svg."""

from __future__ import annotations

from drawing import DOCS, board, picture, words

from noughts import Game, Mark, Position
from noughts.explain import best_line
from noughts.proofs import judge
from noughts.rules.notation import board_rows, column_letters, format_move
from noughts.rules.position import replay
from noughts.threats import Waiting, waiting

FILE = DOCS / "explanation" / "connect-four.svg"
POSITION = Position.parse("6x7k4g:..O...O/O.X.OXX/X.O.XOX/OXX.XOX/XOO.XOO/OXXXOXO")
SIZE = 24
EVEN, ODD = Game.parse("6x7k4g"), Game.parse("5x6k4g")


def draw() -> str:
    """The picture."""
    [threat] = waiting(POSITION)
    *_, stuck, last, end = replay(POSITION, best_line(judge(POSITION)))
    opens, takes = ((after.x | after.o) ^ (before.x | before.o) for before, after in ((stuck, last), (last, end)))
    below, above = (format_move(EVEN, move.bit_length() - 1) for move in (opens, takes))
    name = format_move(EVEN, threat.cell)
    parts = [
        *panel(20, 20, f"{threat.owner} waits for {name}", board_rows(POSITION), [threat.cell]),
        *panel(220, 20, "the rest is filled", board_rows(stuck), [threat.cell]),
        words(104, 222, f"{POSITION.turn} to move; nobody plays {below}", "word small soft"),
        words(304, 222, f"{stuck.turn} must play {below}, {last.turn} takes {above}", "word small soft"),
        *panel(20, 246, f"{EVEN.rows} x {EVEN.columns}: who gets which cell", getters(EVEN)),
        *panel(232, 258, f"{ODD.rows} x {ODD.columns}", getters(ODD)),
        words(204, 446, "if the rest is filled: every cell but this one and those above it", "word small soft"),
    ]
    return picture(408, 462, "A waiting threat, the same when the rest is filled, and who gets which cell", parts)


def panel(left: float, top: float, title: str, rows: list[str], lit: list[int] | None = None) -> list[str]:
    """A board with its columns named and a line above it."""
    letters = [
        words(left + (column + 0.5) * SIZE, top + 26 + len(rows) * SIZE, column_letters(column), "word small soft")
        for column in range(len(rows[0]))
    ]
    middle = left + len(rows[0]) * SIZE / 2
    return [words(middle, top, title, "word head small"), board(left, top + 10, rows, lit or (), SIZE), *letters]


def getters(game: Game) -> list[str]:
    """Who gets each cell of the board."""
    marks = [str(Waiting(game, cell, Mark.X).gets) for cell in range(game.cells)]
    return ["".join(marks[start : start + game.columns]) for start in range(0, game.cells, game.columns)]


if __name__ == "__main__":
    FILE.write_text(draw(), encoding="utf-8")
