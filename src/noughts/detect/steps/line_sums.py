"""The steps of line sums: a window slides along every row, column and diagonal, and its sum is kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from noughts.detect.line_sums import paths, values
from noughts.detect.steps.scene import Cells, Grid, Scene, Sign, Step, Tile, Tiles, line_name, signed
from noughts.game import Cell, Game
from noughts.notation import several
from noughts.position import O, Position, X


def steps(position: Position, order: Sequence[Cell]) -> Iterator[Step]:
    """The board as numbers, then every window until one adds up to k or -k."""
    game, board, k = position.game, values(position), position.game.k
    yield Step(
        "X counts +1, O counts −1, an empty cell nothing.", partial(_draw, game, board, ()), operations=game.cells
    )
    tried = 0
    for path in paths(game):
        cells = tuple(range(game.cells))[path]
        for start in range(len(cells) - k + 1):
            window = cells[start : start + k]
            total = sum(board[cell] for cell in window)
            found = X if total == k else O if total == -k else None
            adding, comparing = 2 if start else k, 1 if found is X else 2
            tried += 1
            yield Step(
                f"{line_name(game, window)} adds up to {signed(total)}{f': a line of {found}' if found else ''}.",
                partial(_draw, game, board, window), {"hit" if found else "look": window}, adding + comparing, found,
            )  # fmt: skip
            if found:
                return
    yield Step(
        f"{several(tried, 'sum')}, and none of them is +{k} or −{k}: nobody has a line.",
        partial(_draw, game, board, ()),
    )


def _draw(game: Game, board: list[int], window: Cells) -> Scene:
    texts = {cell: signed(number) for cell, number in enumerate(board) if number}
    owners = {role: tuple(cell for cell in texts if board[cell] == sign) for role, sign in (("x", 1), ("o", -1))}
    total = sum(board[cell] for cell in window)
    full = bool(window) and abs(total) == len(window)
    role = "hit" if full else "look"
    grid = Grid(
        game.rows, game.columns, texts=texts, rest="0", roles={**owners, role: window}, paths=(window,) if full else ()
    )
    if not window:
        return ((grid,),)
    terms = tuple(
        Tile(signed(board[cell]), ("x",) if board[cell] > 0 else ("o",) if board[cell] else ()) for cell in window
    )
    return ((grid,), (Tiles(terms), Sign("="), Tiles((Tile(signed(total), (role,)),))))
