"""Positions as numbers: the base-3 code, a dense rank per level, and planes for arrays.

code    the sum of 3^cell times 0 for empty, 1 for O, 2 for X: every board has one, reachable or not.
rank    a level is the boards with the same number of marks. X's set has a rank among the sets of its size,
        O's set among the sets of its size in the cells that X left free; the board's is both in one number:

            X . O       X's set {0, 4}: rank 6 of C(9, 2) = 36
            . X .       free cells 1 2 3 5 6 7 8, O's set {2, 8}: places 1 and 6 of 7, rank 16 of C(7, 2) = 21
            . . O       rank = 6 * 21 + 16 = 142 of 36 * 21 = 756

        A set's rank is colexicographic: {a < b < c} has C(a, 1) + C(b, 2) + C(c, 3) sets before it.
plane   an int8 array of rows x columns: +1 X, -1 O, 0 empty. What a learner sees is two planes of 1 and 0, the
        cells of the player to move first (`Position.planes`), and a mask of the actions that may be taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb
from typing import TYPE_CHECKING

from noughts.rules.game import Bits, Cell, Game
from noughts.rules.position import Position, Setup
from noughts.words import brief, whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The base-3 code


def code(board: Setup | Position) -> int:
    """The base-3 code of a board.

    >>> code(Position.parse("X../.OO/.X."))
    4700
    """
    game = board.game
    base, number = 3**game.columns, 0
    for row in reversed(range(game.rows)):
        x, o = (bits >> row * game.columns & (1 << game.columns) - 1 for bits in (board.x, board.o))
        number = number * base + 2 * int(f"{x:b}", 3) + int(f"{o:b}", 3)
    return number


def decode(game: Game, code: int) -> Setup:
    """The board with this code, reachable or not.

    >>> Position(*decode(Game(), 4700))
    Position.parse('X../.OO/.X.')
    """
    if not 0 <= (code := whole("code", code)) < 3**game.cells:
        raise ValueError(f"{brief(code)} is not a code of {game}: they run from 0 to 3^{game.cells} - 1")
    x: list[Cell] = []
    o: list[Cell] = []
    for row in range(game.rows):  # row by row, so that the long division is done once a row
        code, digits = divmod(code, 3**game.columns)
        for cell in range(row * game.columns, (row + 1) * game.columns):
            digits, digit = divmod(digits, 3)
            if digit:
                (x if digit == 2 else o).append(cell)
    return Setup(game, game.bits_of(x), game.bits_of(o))


# The dense rank


def level_size(game: Game, level: int) -> int:
    """How many boards have so many marks, X and O alternating.

    >>> [level_size(Game(), level) for level in range(10)]
    [1, 9, 72, 252, 756, 1260, 1680, 1260, 630, 126]
    """
    if not 0 <= (level := whole("level", level)) <= game.cells:
        raise ValueError(f"{brief(level)} is not a level of {game}: they run from 0 to {game.cells}")
    xs, os = (level + 1) // 2, level // 2
    return comb(game.cells, xs) * comb(game.cells - xs, os)


def rank(board: Setup | Position) -> tuple[int, int]:
    """The level of a board with balanced counts, and its rank there.

    >>> rank(Position.parse("X.O/.X./..O"))
    (4, 142)
    """
    game = board.game
    xs, os = game.cells_of(board.x), game.cells_of(board.o)
    if len(xs) - len(os) not in (0, 1):
        raise ValueError(f"only boards with balanced counts have a rank, not {len(xs)} X and {len(os)} O")
    taken = set(xs)
    place = {cell: i for i, cell in enumerate(cell for cell in range(game.cells) if cell not in taken)}
    inner = set_rank(place[cell] for cell in os)
    return len(xs) + len(os), set_rank(xs) * comb(len(place), len(os)) + inner


def unrank(game: Game, level: int, rank: int) -> Setup:
    """The board of this level with this rank: the inverse of `rank`."""
    size, level = level_size(game, level), whole("level", level)
    if not 0 <= (rank := whole("rank", rank)) < size:
        raise ValueError(
            f"{brief(rank)} is not a rank in level {level} of {game}: they run from 0 to {brief(size - 1)}"
        )
    xs, os = (level + 1) // 2, level // 2
    outer, inner = divmod(rank, comb(game.cells - xs, os))
    x = ranked_set(outer, xs, game.cells)
    free = sorted(set(range(game.cells)).difference(x))
    return Setup(game, game.bits_of(x), game.bits_of(free[place] for place in ranked_set(inner, os, len(free))))


def set_rank(places: Iterable[int]) -> int:
    """How many sets of the same size come before this one in colexicographic order."""
    total, at, before = 0, 0, 1  # before = comb(at, size): from one to the next, since each alone is a long product
    for size, place in enumerate(places, 1):
        before = before * (at - size + 1) // size
        while at < place:
            at += 1
            before = before * at // (at - size) if before else int(at == size)
        total += before
    return total


def ranked_set(rank: int, size: int, among: int) -> list[int]:
    """The set of this size with this rank, its cells descending: `set_rank` gives the rank back."""
    places = []
    place, before = among, comb(among, size)  # before = comb(place, left)
    for left in range(size, 0, -1):
        while before > rank:
            before = before * (place - left) // place
            place -= 1
        rank -= before
        places.append(place)
        before = before * left // (place - left + 1) if before else 1
    return places


# Planes


def planes(boards: Sequence[Setup | Position]) -> NDArray[np.int8]:
    """Boards of one game as an array int8[n, rows, columns]: +1 X, -1 O, 0 empty."""
    import numpy as np

    if not boards:
        raise ValueError("no boards were given: the size of the array is not known")
    game = boards[0].game
    array = np.zeros((len(boards), game.cells), dtype=np.int8)
    for row, board in zip(array, boards, strict=True):
        if board.game != game:
            raise ValueError(f"all boards of an array must be of one game, not {game} and {board.game}")
        row[game.cells_of(board.x)] = 1
        row[game.cells_of(board.o)] = -1
    return array.reshape(len(boards), game.rows, game.columns)


def from_planes(game: Game, array: NDArray[np.int8]) -> list[Setup]:
    """The boards of an array int8[n, rows, columns] or of one plane int8[rows, columns]."""
    import numpy as np

    array = np.asarray(array)
    if array.shape[-2:] != (game.rows, game.columns) or array.ndim not in (2, 3) or array.dtype.kind not in "iu":
        raise ValueError(
            f"expected planes int8[n, {game.rows}, {game.columns}] for {game}, not {array.dtype}{list(array.shape)}"
        )
    if not np.isin(array, (-1, 0, 1)).all():
        raise ValueError("a plane holds +1 for X, -1 for O and 0 for empty, nothing else")
    flat = array.reshape(-1, game.cells)
    return [Setup(game, *(game.bits_of(np.flatnonzero(row == mark).tolist()) for mark in (1, -1))) for row in flat]


# What a learner sees


def mover_planes(game: Game, mine: Bits, theirs: Bits) -> NDArray[np.int8]:
    """Two sets of cells as int8[2, rows, columns]: those of the player to move first."""
    import numpy as np

    return np.stack([_spread(bits, game.cells) for bits in (mine, theirs)]).reshape(2, game.rows, game.columns)


def action_mask(game: Game, playable: Bits) -> NDArray[np.int8]:
    """The actions that these cells may be played by, as int8[actions]; see `Rule.action_of`."""
    cells = _spread(playable, game.cells)
    return cells.reshape(game.rows, game.columns).max(axis=0) if game.gravity else cells


def _spread(bits: Bits, cells: int) -> NDArray[np.int8]:
    """A set as int8[cells]: 1 for each cell in it."""
    import numpy as np

    packed = np.frombuffer(bits.to_bytes((cells + 7) // 8, "little"), np.uint8)
    return np.unpackbits(packed, count=cells, bitorder="little").view(np.int8)
