"""How a win is forced: python docs/pictures/force.py writes docs/explanation/winning-by-force.svg.

Four boards: a win by fours, its moves numbered; a win by two threes; the zone of that win; and pairs that hold.
"""

from __future__ import annotations

from drawing import DOCS, board, picture, words

from noughts import Position
from noughts.proofs import fours
from noughts.proofs.certificate import Held, Move
from noughts.proofs.prove import prove
from noughts.rules.game import Cell
from noughts.rules.notation import board_rows, column_letters

FILE = DOCS / "explanation" / "winning-by-force.svg"
FOURS = Position.parse(
    "9x9k5:........./.....X.../.....X.O./.O....O../....X..O./..OXX.X../........./...O...../........."
)
THREES = Position.parse(
    "9x9k5:........./....O..../..X....../....XO.../..O.XO.../.O......./.XX....../........./........."
)
PAIRS = Position.parse("6x6k5:....../....../..X.../....../....../......")
SIZE = 24


def draw() -> str:
    """The picture."""
    line = fours.search(FOURS).line
    strategy = winning(THREES)
    named = [strategy.cell, *(reply for reply, _ in strategy.replies)]
    side, held = next(
        (part.side, part.proof)
        for part in prove(PAIRS, nodes=100_000).verdict.certificate
        if isinstance(part.proof, Held) and part.proof.first is None
    )
    pairs = dict(pair_names(held.pairs))
    parts = [
        *panel(40, 30, "a win by fours", FOURS, {cell: str(n) for n, cell in enumerate(line, 1)}, line[::2]),
        *panel(320, 30, "a win by threes: the first move", THREES, {strategy.cell: "1"}, [strategy.cell]),
        *panel(40, 300, "its zone: where a reply matters", THREES, {strategy.cell: "1"}, named),
        *panel(354, 336, f"pairs by which {side} holds", PAIRS, pairs, ()),
    ]
    return picture(570, 560, "A win by fours, a win by threes, its zone, and pairs that hold", parts)


def winning(position: Position) -> Move:
    """The strategy by which the player to move wins."""
    [part] = prove(position, nodes=100_000).verdict.certificate
    assert isinstance(part.proof, Move)
    return part.proof


def pair_names(pairs: tuple[tuple[Cell, Cell], ...]) -> list[tuple[Cell, str]]:
    """The same letter for both cells of a pair."""
    return [(cell, chr(ord("a") + number)) for number, pair in enumerate(pairs) for cell in pair]


def panel(
    left: float, top: float, title: str, position: Position, signs: dict[Cell, str], lit: tuple[Cell, ...] | list[Cell]
) -> list[str]:
    """A board with its labels and a line above it; signs stand on free cells."""
    rows, columns = position.game.rows, position.game.columns
    shown = [[" " if sign == "." else sign for sign in row] for row in board_rows(position)]
    for cell, sign in signs.items():
        shown[cell // columns][cell % columns] = sign
    labels = [
        words(left + (column + 0.5) * SIZE, top + 26 + rows * SIZE, column_letters(column), "word small soft")
        for column in range(columns)
    ] + [words(left - 12, top + 27 + row * SIZE, str(rows - row), "word small soft") for row in range(rows)]
    middle = left + columns * SIZE / 2
    return [words(middle, top, title, "word head small"), board(left, top + 10, shown, lit, SIZE), *labels]


if __name__ == "__main__":
    FILE.write_text(draw(), encoding="utf-8")
