"""The two methods that the prajoda paper compares, step for step as it prints them, as the baselines to time.

Both take a 3x3 board of +1 (X), -1 (O) and 0, as a numpy array like the paper's or as a list of lists, and
answer 1, -1 or 0. The traditional method is right. The Boolean one is not (see `noughts.detect.exhibits`):

        0b000001111     the mask it prints for the third row has four bits, so a row of three alone never fits;
        0b000000111     this is what it must be

Bit i is cell i, so the masks that the paper calls rows 1, 2, 3 are the rows from the bottom up. That does not
change the verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from noughts.detect.line_sums import values
from noughts.rules.position import Position, Setup

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Grid: TypeAlias = NDArray[np.int_] | Sequence[Sequence[int]]

ROWS_AS_PRINTED = (0b111000000, 0b000111000, 0b000001111)
ROWS = (0b111000000, 0b000111000, 0b000000111)
COLUMNS = (0b100100100, 0b010010010, 0b001001001)
DIAGONALS = (0b100010001, 0b001010100)
MASKS_AS_PRINTED = ROWS_AS_PRINTED + COLUMNS + DIAGONALS
MASKS = ROWS + COLUMNS + DIAGONALS


def grid(board: Setup | Position) -> Grid:
    """The board as the paper keeps it: a numpy array of integers, or lists where there is no numpy."""
    numbers, columns = values(board), board.game.columns
    rows = [numbers[start : start + columns] for start in range(0, len(numbers), columns)]
    try:
        import numpy as np
    except ImportError:
        return rows
    return np.array(rows, dtype=int)


def traditional(board: Any) -> int:
    """Add up row 1 and column 1, then row 2 and column 2, …, then the diagonals; stop at the first 3 or -3.

    >>> traditional([[1, 0, -1], [0, 1, -1], [0, 0, 1]])
    1
    """
    lists = isinstance(board, list)
    for number in range(3):
        column = [row[number] for row in board] if lists else board[:, number]
        sums = sum(board[number]), sum(column)
        if 3 in sums:
            return 1
        if -3 in sums:
            return -1
    sums = board[0][0] + board[1][1] + board[2][2], board[0][2] + board[1][1] + board[2][0]
    if 3 in sums:
        return 1
    return -1 if -3 in sums else 0


def boolean(board: Grid, masks: Sequence[int] = MASKS_AS_PRINTED) -> int:
    """Convert the board to two numbers, on every call, and compare them with each mask in turn.

    >>> top_row = [[1, 1, 1], [0, -1, -1], [0, 0, 0]]
    >>> boolean(top_row), boolean(top_row, MASKS)
    (0, 1)
    """
    return masks_verdict(*to_bits(board), masks)


def masks_verdict(x: int, o: int, masks: Sequence[int]) -> int:
    """The second half of the Boolean method: two numbers against each mask in turn.

    >>> masks_verdict(0b000_000_111, 0b000_011_000, MASKS)
    1
    """
    for mask in masks:
        if x & mask == mask:
            return 1
        if o & mask == mask:
            return -1
    return 0


def to_bits(board: Grid) -> tuple[int, int]:
    """The cells of X and of O as bits, found by looking at one cell after the other."""
    x = o = 0
    for cell in range(9):
        row, column = divmod(cell, 3)
        if board[row][column] == 1:
            x |= 1 << cell
        elif board[row][column] == -1:
            o |= 1 << cell
    return x, o
