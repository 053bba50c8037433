"""Line sums: X counts +1, O counts -1, and a line of k adds up to +k or -k. Nothing else does.

        X . O        +1  0 -1      sum  0
        O X X        -1 +1 +1      sum +1
        . O X         0 -1 +1      sum  0
                   diagonal 1 + 1 + 1 = +3: X

Where a row is longer than k, a window of k slides along it. Its sum is not added up afresh: the value that
arrives is added, the one that leaves is taken off.

        [ X  X  O ] X  X  X        +1
          X [X  O   X] X  X        +1      + 1 arrives, - 1 leaves
          X  X [O   X  X] X        +1
          X  X  O  [X  X  X]       +3: X
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from noughts.detect.base import Detector
from noughts.detect.scene import Cells, Grid, Scene, ShownStep, Sign, Tile, Tiles, line_name, signed
from noughts.rules.game import Cell, Game
from noughts.rules.marks import Mark, O, X
from noughts.rules.position import Position, Setup
from noughts.words import several


def values(board: Setup | Position) -> list[int]:
    """The board as numbers, cell by cell: +1 for X, -1 for O, 0 for empty.

    >>> values(Position.parse("X.O/OXX/.OX"))
    [1, 0, -1, -1, 1, 1, 0, -1, 1]
    """
    numbers = [0] * board.game.cells
    for cell in board.game.cells_of(board.x):
        numbers[cell] = 1
    for cell in board.game.cells_of(board.o):
        numbers[cell] = -1
    return numbers


def paths(game: Game) -> Iterator[slice]:
    """Every whole row, column and diagonal that has room for a line, as a slice of the board's cells.

    >>> "abcdefghi"[list(paths(Game()))[-1]]
    'ceg'
    """
    for down, right in game.directions:
        found: dict[int, list[Cell]] = {}
        for cell in range(game.cells):
            row, column = divmod(cell, game.columns)
            found.setdefault(row * right - column * down, []).append(cell)  # the same number all along a path
        for cells in found.values():
            if len(cells) >= game.k:
                yield slice(cells[0], cells[-1] + 1, game.step((down, right)))


class LineSums(Detector):
    """Add up +1 and -1 along every row, column and diagonal.

    >>> LineSums(Game()).winner(Position.parse("X.O/OXX/.OX"))
    <Mark.X: 'X'>
    """

    source = "prajoda"
    idea = "With +1 for X and -1 for O, only k equal marks in a row add up to +k or -k."
    cost = "reads every cell in four directions, full or empty: O(cells)"
    lacks = ("exact",)

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.paths = list(paths(game))

    def winner(self, position: Position) -> Mark | None:
        """Slide a window along every path."""
        board, k = values(position), self.game.k
        for path in self.paths:
            for total in sliding_sums(board[path], k):
                if total == k:
                    return X
                if total == -k:
                    return O
        return None

    def steps(self, position: Position, order: Sequence[Cell]) -> Iterator[ShownStep]:
        """The board as numbers, then every window until one adds up to k or -k."""
        game, board, k, tried = self.game, values(position), self.game.k, 0
        whole = partial(draw, game, board)
        yield ShownStep("X counts +1, O counts −1, an empty cell nothing.", whole, operations=game.cells)
        for path in self.paths:
            cells = tuple(range(game.cells)[path])
            for start, total in enumerate(sliding_sums(board[path], k)):
                window = cells[start : start + k]
                found = X if total == k else O if total == -k else None
                adding, comparing = 2 if start else k, 1 if found is X else 2
                tried += 1
                yield ShownStep(
                    f"{line_name(game, window)} adds up to {signed(total)}{f': a line of {found}' if found else ''}.",
                    partial(draw, game, board, window), {"hit" if found else "look": window}, adding + comparing, found,
                )  # fmt: skip
        yield ShownStep(f"{several(tried, 'sum')}, and none of them is +{k} or −{k}: nobody has a line.", whole)


def sliding_sums(numbers: Sequence[int], k: int) -> Iterator[int]:
    """The sums of k neighbours, from left to right.

    >>> list(sliding_sums([1, 1, -1, 1, 1, 1], 3))
    [1, 1, 1, 3]
    """
    total = sum(numbers[:k])
    yield total
    for arrives, leaves in zip(numbers[k:], numbers, strict=False):
        total += arrives - leaves
        yield total


def draw(game: Game, board: Sequence[int], window: Cells = ()) -> Scene:
    """The board as numbers, and the sum of a window of it."""
    texts = {cell: signed(number) for cell, number in enumerate(board) if number}
    roles = {name: tuple(cell for cell in texts if board[cell] == sign) for name, sign in (("x", 1), ("o", -1))}
    total = sum(board[cell] for cell in window)
    full = bool(window) and abs(total) == len(window)
    role = "hit" if full else "look"
    paths = (window,) if full else ()
    grid = Grid(game.rows, game.columns, texts=texts, rest="0", roles={**roles, role: window}, paths=paths)
    if not window:
        return ((grid,),)
    terms = tuple(Tile(signed(board[cell]), {1: ("x",), -1: ("o",)}.get(board[cell], ())) for cell in window)
    return ((grid,), (Tiles(terms), Sign("="), Tiles((Tile(signed(total), (role,)),))))
