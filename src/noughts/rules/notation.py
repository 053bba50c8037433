"""Text <-> Game, board and move. What is printed can be read back, and nothing is guessed.

game    4x5k4            4 rows, 5 columns, 4 in a row; then letters for its rule: e exact, g gravity, m misere (3x3k3m)
board   X.O/.X./..O      rows from the top; lower case and _ are read too; XO....... will do for 3x3
        4x4k4:X.../.O../..../....      the game comes first when it is not 3x3k3
        6x7k4g:4453      where marks fall: the columns that were played, counted from 1, at most 9 of them
        6x7k4g:ddec      the same by their letters, on boards without a column o: there xoo could mean two things
move    a1               column letters, then the row counted from the bottom, as in chess
        a                where marks fall, the column will do

             3  . . .
             2  . . .
             1  a1 . .
                a b c
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from noughts.rules.game import MAX_SIDE, Bits, Cell, Game, InvalidGame
from noughts.rules.position import IllegalMove, Position, Setup
from noughts.rules.rule import RULES
from noughts.words import brief, several

MAX_TEXT = MAX_SIDE * (MAX_SIDE + 1) + len("256x256k256:") + len(RULES)

_GAME = re.compile(r"(0|[1-9][0-9]{0,18})x(0|[1-9][0-9]{0,18})k(0|[1-9][0-9]{0,18})([a-z]*)")
_MOVE = re.compile(r"([a-z]{1,2})([1-9][0-9]{0,2})?")
_SEQUENCE = re.compile(r"[0-9]*|(?=.*[^xo])[a-z]+")
MOST_DIGITS = 9  # columns that one digit can name
MOST_LETTERS = 14  # columns before o
_ROW = re.compile(r"[XO.]*")
_READ = str.maketrans("xo_", "XO.")


class NotationError(ValueError):
    """This text is not a game, a board or a move."""


# Games


def parse_game(text: str) -> Game:
    """Read a game such as "4x5k4" or "3x3k3m".

    >>> parse_game("4x5k4")
    Game(rows=4, columns=5, k=4)
    """
    match = _GAME.fullmatch(text)
    letters = match[4] if match else ""
    if not match or len(set(letters)) < len(letters) or not set(letters) <= set(RULES):
        letters = ", ".join(f"{letter} for {name}" for letter, name in RULES.items())
        raise NotationError(
            f"{brief(text)} is not a game: expected rows, columns and k as in 3x3k3, and then, each once, {letters}"
        )
    rows, columns, k = (int(number) for number in match.groups()[:3])
    try:
        return Game(rows, columns, k, **{RULES[letter]: True for letter in letters})
    except InvalidGame as problem:
        raise InvalidGame(f"{text} is not a game: {problem}") from None


# Boards


PLAIN = Game()
_named = lru_cache(maxsize=64)(parse_game)  # so that what a game has found out of itself is found out once


def parse_board(text: str) -> Setup:
    """Read marks on a board, without asking whether play can lead there.

    >>> parse_board("3x3k3m:XX./.../...").game.misere
    True
    """
    if len(text) > MAX_TEXT:
        raise NotationError(f"the text is too long for a board: the largest has {MAX_TEXT:,} characters")
    name, colon, marks = text.partition(":")
    if not colon and _GAME.fullmatch(text):
        game = parse_game(text)
        empty = format_board(game.start()) if game.cells <= 100 else f"{game}:" + "." * game.columns + "/ and so on"
        raise NotationError(f"{text} is a game, not a position: expected its marks too; its empty board is {empty}")
    game = _named(name) if colon else PLAIN
    marks = marks if colon else text
    if game.gravity and _SEQUENCE.fullmatch(marks):
        return _played(game, marks)
    rows = _rows(game, marks.translate(_READ))
    return Setup(game, _bits(rows, "X"), _bits(rows, "O"))


def _played(game: Game, columns: str) -> Setup:
    """The board after marks fell into these columns, a digit each, or a letter each."""
    most, signs = (MOST_DIGITS, "digits") if columns.isdigit() else (MOST_LETTERS, "letters")
    if game.columns > most:
        raise NotationError(f"{game} has {game.columns} columns: only up to {most} are played by their {signs}")
    names = [str(column + 1) if signs == "digits" else column_letters(column) for column in range(game.columns)]
    position = game.start()
    for number, name in enumerate(columns, 1):
        if name not in names:
            raise NotationError(f"move {number} is {name}: expected a column from {names[0]} to {names[-1]}")
        try:
            position = position.play(column_letters(names.index(name)))
        except IllegalMove as problem:
            raise NotationError(f"move {number} is {name}: {problem}") from None
    return Setup(game, position.x, position.o)


def _rows(game: Game, marks: str) -> list[str]:
    """The rows of a board as text, each checked."""
    if (game.rows, game.columns) == (3, 3) and len(marks) == 9 and "/" not in marks:
        rows = [marks[0:3], marks[3:6], marks[6:9]]
    else:
        rows = marks.split("/")
    if not marks:
        raise NotationError(f"the board is empty text: expected {_shape(game)}")
    for number, row in enumerate(rows, 1):
        good = _ROW.match(row).end()  # type: ignore[union-attr]
        if good < len(row):
            raise NotationError(
                f"row {number} has {brief(row[good])} in place {good + 1}: expected X, O or . for an empty cell"
            )
    if len(rows) != game.rows:
        raise NotationError(f"the board has {several(len(rows), 'row')}: expected {_shape(game)}")
    for number, row in enumerate(rows, 1):
        if len(row) != game.columns:
            raise NotationError(f"row {number} has {several(len(row), 'cell')}: expected {_shape(game)}")
    return rows


def _bits(rows: list[str], mark: str) -> Bits:
    """The cells that hold this mark: the board, last cell first, is a binary number."""
    read = {ord("X"): "0", ord("O"): "0", ord("."): "0", ord(mark): "1"}
    return int("".join(rows).translate(read)[::-1], 2)


def _shape(game: Game) -> str:
    hint = "" if game != Game() else "; for another board put the game in front, as in 4x4k4:..."
    return f"{several(game.rows, 'row')} of {several(game.columns, 'cell')} for {game}{hint}"


def board_rows(board: Setup | Position) -> list[str]:
    """The rows of a board from the top, as text.

    >>> board_rows(Position.parse("X.O/.X./..O"))
    ['X.O', '.X.', '..O']
    """
    game = board.game
    marks = bytearray(b"." * game.cells)
    for cell in game.cells_of(board.x):
        marks[cell] = ord("X")
    for cell in game.cells_of(board.o):
        marks[cell] = ord("O")
    text = marks.decode()
    return [text[start : start + game.columns] for start in range(0, game.cells, game.columns)]


def format_board(board: Setup | Position) -> str:
    """A board as text, the game in front when it is not 3x3k3."""
    prefix = "" if board.game == Game() else f"{board.game}:"
    return prefix + "/".join(board_rows(board))


def draw_board(
    board: Setup | Position, labels: Mapping[Cell, str] | None = None, *, wide: int = 1,
    paint: Callable[[Cell, str], str] = lambda cell, text: text,
) -> str:  # fmt: skip
    """A board as a picture with the names of its rows and columns.

    `labels` stand in the place of marks, in cells at least so `wide`; `paint` colours a cell and the blanks before it.

    >>> print(draw_board(Position.parse("X.O/.X./..O"), {1: "+3"}))
    3   X +3  O
    2   .  X  .
    1   .  .  O
        a  b  c
    """
    game, labels = board.game, labels or {}
    letters = [column_letters(column) for column in range(game.columns)]
    wide, margin = 1 + max(wide, len(letters[-1]), *map(len, labels.values())), len(str(game.rows))
    marks = enumerate("".join(board_rows(board)))
    cells = [paint(cell, labels.get(cell, mark).rjust(wide)) for cell, mark in marks]
    rows = ["".join(cells[start : start + game.columns]) for start in range(0, game.cells, game.columns)]
    lines = [f"{game.rows - number:>{margin}} {row}" for number, row in enumerate(rows)]
    return "\n".join([*lines, " " * (margin + 1) + "".join(letter.rjust(wide) for letter in letters)])


# Moves


def parse_move(game: Game, text: str, open_cells: Bits = 0) -> Cell:
    """The cell that a move such as "b2" names on this board; where marks fall, a column is its open cell.

    >>> parse_move(Game(), "a1"), parse_move(Game.parse("6x7k4g"), "d", 1 << 38)
    (6, 38)
    """
    match = _MOVE.fullmatch(text.lower()) if text.isascii() and len(text) <= 5 else None
    if not match or not (match[2] or game.gravity):
        expected = (
            "a column letter, or with a row number, as in d or d1"
            if game.gravity
            else "column letters and a row number, as in a1"
        )
        raise IllegalMove(f"{brief(text)} is not a move: expected {expected}")
    column = column_number(match[1])
    if not match[2] and column < game.columns:
        lowest = open_cells & game.column_of(column)
        if not lowest:
            raise IllegalMove(f"column {match[1]} is full")
        return lowest.bit_length() - 1
    row = game.rows - int(match[2] or 1)
    if not (0 <= row < game.rows and column < game.columns):
        corner = format_move(game, game.columns - 1)
        raise IllegalMove(f"{text} is not on the board: its cells run from a1 to {corner}")
    return row * game.columns + column


def format_moves(game: Game, cells: Iterable[Cell]) -> list[str]:
    """The cells of a game as move texts, in their order."""
    return [format_move(game, cell) for cell in cells]


def move_json(game: Game, cell: Cell) -> dict[str, str | int]:
    """A move as every answer in JSON names it: rows and columns are counted from 0 at the top left."""
    row, column = divmod(cell, game.columns)
    return {"move": format_move(game, cell), "cell": cell, "row": row, "column": column}


def format_move(game: Game, cell: Cell) -> str:
    """A cell as move text: a1 is bottom left."""
    row, column = divmod(cell, game.columns)
    return f"{column_letters(column)}{game.rows - row}"


def column_letters(column: int) -> str:
    """0 -> a, 25 -> z, 26 -> aa, 27 -> ab, …"""
    letters = chr(ord("a") + column % 26)
    return letters if column < 26 else column_letters(column // 26 - 1) + letters


def column_number(letters: str) -> int:
    """The number of a column from its letters, counted from 0; `column_letters` goes back."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("a") + 1
    return number - 1
