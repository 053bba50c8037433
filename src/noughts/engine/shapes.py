"""Shapes: what a mark on a free cell would make along one line, for every k.

Through a free cell run four lines. Along one of them, how many more cells would a line of mine lack after a mark there?

    five         none: it is complete                  the names are those of five in a row, and are kept for every k
    four         one
    three        two
    two, one     three, four                           beyond that nobody looks

Each of these but the first is open where the next mark has two ways to go on, so that one mark of the other does not
stop it: an open four can be completed on two cells, an open three can become an open four, an open two an open three.

    . . X X _ . .       a mark on _ makes an open three: X X X X with both ends free can follow
    O X X X _ . .       a four: it lacks the cell to the right of _, and no other
    X . X X _ X . X     an open four: two cells complete a line

What a cell is worth to a player is decided by the two best of its four shapes, its pair. Up to five in a row a line
without marks makes an open one; beyond, it lacks more than anybody looks at, and makes none. So that an empty board
looks the same for every k, an open one is then the least that counts in a pair.

All this is plain Python and says what is right; `native/engine` does the same, and keeps it up to date move by move.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from noughts.rules.game import Bits, Cell, Game

SHAPES = ("none", "one", "open one", "two", "open two", "three", "open three", "four", "open four", "five")
NONE, OPEN_ONE, FOUR, OPEN_FOUR, FIVE = 0, 2, 7, 8, 9
PAIRS = len(SHAPES) * (len(SHAPES) + 1) // 2  # of shapes
FARTHEST = 4  # cells that a line may lack
LOOKED_AT = FARTHEST + 1  # the largest k of which a line without marks is looked at


class Stretch(NamedTuple):
    """The cells of a line around one of them, as sets: bit i for the i-th; `at` is the place of that one."""

    mine: Bits
    free: Bits
    at: int


@lru_cache(maxsize=1 << 16)
def shape(stretch: Stretch, k: int, exact: bool) -> int:
    """The shape of a cell that has just become mine: of the lines through it, those that lack fewest decide.

    >>> [SHAPES[shape(each, 5, False)] for each in (Stretch(0b0011100, 0b1100011, 4), Stretch(0b011110, 0b100000, 4))]
    ['open three', 'four']
    """
    fewest, lacking = FARTHEST + 1, 0
    for first in range(max(0, stretch.at - k + 1), stretch.at + 1):
        line = ((1 << k) - 1) << first
        ends = (line << 1 | line >> 1) & ~line
        if line & ~(stretch.mine | stretch.free) or (exact and ends & stretch.mine):
            continue
        lacks = (line & stretch.free).bit_count()
        if lacks < fewest:
            fewest, lacking = lacks, 0
        if lacks == fewest:
            lacking |= line & stretch.free
    if fewest == 0:
        return FIVE
    if fewest == 1:
        return OPEN_FOUR if lacking & lacking - 1 else FOUR
    if fewest > FARTHEST:
        return NONE
    after = (shape(Stretch(stretch.mine | bit, stretch.free ^ bit, stretch.at), k, exact) for bit in _bits(lacking))
    return max(NONE, max(after) - 2)


def shapes(game: Game, mine: Bits, theirs: Bits, cell: Cell) -> tuple[int, ...]:
    """The shapes that a mark of mine makes on a free cell: along its row, its column and its two diagonals."""
    row, column = divmod(cell, game.columns)
    found = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        at = own_cells = free_cells = 0
        for place, (r, c) in enumerate(_line(game, row, column, down, right)):
            each = r * game.columns + c
            if each == cell:
                at = place
            own = each == cell or mine >> each & 1
            own_cells |= own << place
            free_cells |= (not own and not theirs >> each & 1) << place
        found.append(shape(Stretch(own_cells, free_cells, at), game.k, game.rule.exact))
    return tuple(found)


def pair(four: tuple[int, ...], k: int = 5) -> int:
    """The two best shapes of a cell as one number, below PAIRS: (0, 0), (1, 0), (1, 1), (2, 0) and so on.

    >>> pair((0, 0, 0, 0)), pair((2, 0, 0, 0)), pair((3, 0, 6, 5)), pair((2, 0, 0, 0), 6) == pair((2, 2, 0, 0), 6)
    (0, 3, 26, True)
    """
    least = OPEN_ONE if k > LOOKED_AT else NONE
    best, second = sorted((max(each, least) for each in four), reverse=True)[:2]
    return best * (best + 1) // 2 + second


def pairs(game: Game, mine: Bits, theirs: Bits) -> dict[Cell, int]:
    """The pair of each free cell, for the owner of `mine`."""
    free = game.full & ~(mine | theirs)
    return {cell: pair(shapes(game, mine, theirs, cell), game.k) for cell in game.cells_of(free)}


def _line(game: Game, row: int, column: int, down: int, right: int) -> Iterator[tuple[int, int]]:
    """The cells of the longest line through a cell, in one direction."""
    while 0 <= row - down < game.rows and 0 <= column - right < game.columns:
        row, column = row - down, column - right
    while 0 <= row < game.rows and 0 <= column < game.columns:
        yield row, column
        row, column = row + down, column + right


def _bits(bits: Bits) -> Iterator[Bits]:
    while bits:
        yield bits & -bits
        bits &= bits - 1
