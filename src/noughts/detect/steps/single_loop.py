"""The steps of an exhibit: marks are counted in every row, column and diagonal, gaps or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from noughts.detect.line_sums import paths, values
from noughts.detect.steps.scene import Cells, Scene, Sign, Step, Tile, Tiles, board_grid, line_name
from noughts.game import Cell
from noughts.position import O, Position, X


def steps(position: Position, order: Sequence[Cell]) -> Iterator[Step]:
    """Every path until k marks of one player are on it."""
    game, board = position.game, values(position)
    yield Step("Every cell is read once.", partial(_board, position), operations=game.cells)
    for path in paths(game):
        cells = tuple(range(game.cells))[path]
        xs, os = board[path].count(1), board[path].count(-1)
        found = X if xs >= game.k else O if os >= game.k else None
        yield Step(
            f"{line_name(game, cells)}: X {xs}, O {os}{f'. It calls that a line of {found}' if found else ''}.",
            partial(_draw, position, cells, xs, os), {"hit" if found else "look": cells}, len(cells) + 2, found,
        )  # fmt: skip
        if found:
            return
    yield Step(f"Nowhere are there {game.k} marks of one player.", partial(_board, position))


def _board(position: Position) -> Scene:
    return ((board_grid(position),),)


def _draw(position: Position, cells: Cells, xs: int, os: int) -> Scene:
    k = position.game.k
    role = "hit" if max(xs, os) >= k else "look"
    tiles = (
        Tile(f"X {xs}", ("x", *(["hit"] * (xs >= k))), f"of {k}"),
        Tile(f"O {os}", ("o", *(["hit"] * (os >= k))), f"of {k}"),
    )
    return ((board_grid(position, {role: cells}),), (Tiles(tiles[:1]), Sign(""), Tiles(tiles[1:])))
