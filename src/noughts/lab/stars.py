"""Worst cases for the growth experiment: a move that almost completes a line in every direction.

    7x7k7, X plays a7 last      7x7k5, X plays d4 last

    X X X X X X .               . . . . . . .
    X X . . . . .               . . . . . . .
    X . X . . . .               . . X X X . .
    X . . X . . .               . . X X X X .
    X . . . X . .               . . X X X . .
    X . . . . X .               . X . X . X .
    . . . . . . .               . . . . . . .

A detector that walks from the last move meets its own mark as often as it can without finding a line. O's marks
are scattered, no two of them side by side where there is room. In its twin the move completes a line.
"""

from __future__ import annotations

from noughts.rules.game import Bits, Cell, Game
from noughts.rules.position import Position


def star(game: Game, cell: Cell) -> Position:
    """The position before X plays this cell and just fails to complete a line in any direction.

    >>> game = Game(7, 7, 7)
    >>> star(game, corner(game)).play("a7").status
    <Status.ONGOING: 0>
    """
    own = 0
    for direction in game.directions:
        own |= _run(game, cell, direction, game.k - 2)
    return _position(game, cell, own)


def last_of_line(game: Game, cell: Cell) -> Position:
    """The position before X plays this cell and completes one line.

    >>> game = Game(7, 7, 5)
    >>> last_of_line(game, centre(game)).play("d4").status
    <Status.X_WINS: 1>
    """
    return _position(game, cell, _run(game, cell, game.directions[0], game.k - 1))


def corner(game: Game) -> Cell:
    """The top left cell: k = n has three lines there, whether n is odd or even."""
    return 0


def centre(game: Game) -> Cell:
    """A cell in the middle of the board."""
    return game.rows // 2 * game.columns + game.columns // 2


def _run(game: Game, cell: Cell, direction: tuple[int, int], length: int) -> Bits:
    """Take so many cells on both sides of this one, next to it and to each other."""
    down, right = direction
    back, ahead = _ray(game, cell, -down, -right), _ray(game, cell, down, right)
    behind = min(len(back), length // 2)
    return game.bits_of(back[:behind] + ahead[: length - behind])


def _ray(game: Game, cell: Cell, down: int, right: int) -> list[Cell]:
    """The cells from this one to the edge, without it."""
    row, column = divmod(cell, game.columns)
    found = []
    while 0 <= (row := row + down) < game.rows and 0 <= (column := column + right) < game.columns:
        found.append(row * game.columns + column)
    return found


def _position(game: Game, cell: Cell, own: Bits) -> Position:
    return Position(game, own, _scattered(game, own | 1 << cell, own.bit_count()))


def _scattered(game: Game, taken: Bits, count: int) -> Bits:
    """Pick so many free cells that hold no line."""
    order = sorted(range(game.cells), key=lambda cell: (cell % game.columns + 2 * (cell // game.columns)) % 5 != 0)
    found = 0
    for cell in order:
        if found.bit_count() == count:
            return found
        bit = 1 << cell
        if not taken & bit and not game.rule.has_line(found | bit):
            found |= bit
    raise ValueError(f"no room on {game} for {count} marks of O without a line")
