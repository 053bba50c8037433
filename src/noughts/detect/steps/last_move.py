"""The steps of last move: stand on the cell just played, and walk both ways in each direction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from noughts.detect.steps.scene import Cells, Scene, Sign, Step, Tile, Tiles, board_grid, own_bits, role_of
from noughts.game import Cell
from noughts.notation import format_move
from noughts.position import Mark, Position

WAYS = {(0, 1): "Along the row", (1, 0): "Along the column", (1, 1): "Down to the right", (1, -1): "Down to the left"}


def steps(position: Position, order: Sequence[Cell]) -> Iterator[Step]:
    """The walks from the last move of the order, until one run is long enough."""
    game = position.game
    if not order:
        yield Step("No move has been made, so there is no line.", partial(_board, position), moves=0)
        return
    cell, mark, moves = order[-1], position.turn.other, len(order)
    name = format_move(game, cell)
    yield Step(
        f"{mark} played {name}. A new line must go through it.",
        partial(_board, position, {"look": (cell,)}), {"look": (cell,)}, 1, moves=moves,
    )  # fmt: skip
    for direction in game.directions:
        back, ahead, stops = _walk(position, cell, mark, direction)
        run = (*reversed(back), cell, *ahead)
        found = mark if len(run) >= game.k else None
        looks = len(back) + len(ahead) + 2  # a step beyond the edge is a look at the margin
        what = f"{len(run)} in a row" if len(run) > 1 else "alone"
        yield Step(
            f"{WAYS[direction]}: {what}{f'. A line of {mark}' if found else f', {game.k} are needed'}.",
            partial(_draw, position, cell, back, ahead, stops, mark), {"hit" if found else "look": run, "miss": stops},
            looks + 1, found, moves,
        )  # fmt: skip
        if found:
            return
    yield Step(
        f"No run through {name} is {game.k} long: no line.",
        partial(_board, position, {"look": (cell,)}), {"look": (cell,)}, moves=moves,
    )  # fmt: skip


def _walk(position: Position, cell: Cell, mark: Mark, direction: tuple[int, int]) -> tuple[Cells, Cells, Cells]:
    """The mark's cells behind and ahead, and the cells that stopped the walk."""
    game, own = position.game, set(position.game.cells_of(own_bits(position, mark)))
    found, stops = [], []
    for sign in (-1, 1):
        row, column = divmod(cell, game.columns)
        run = []
        while True:
            row, column = row + sign * direction[0], column + sign * direction[1]
            here = row * game.columns + column
            if not (0 <= row < game.rows and 0 <= column < game.columns):
                break
            if here not in own:
                stops.append(here)
                break
            run.append(here)
        found.append(tuple(run))
    return found[0], found[1], tuple(stops)


def _board(position: Position, roles: dict[str, Cells] | None = None) -> Scene:
    return ((board_grid(position, roles),),)


def _draw(position: Position, cell: Cell, back: Cells, ahead: Cells, stops: Cells, mark: Mark) -> Scene:
    run = (*reversed(back), cell, *ahead)
    full = len(run) >= position.game.k
    role = "hit" if full else "look"
    grid = board_grid(position, {role: run, "miss": stops}, (run,) if len(run) > 1 else ())
    behind, here, ahead_, all_ = (
        Tiles((tile,))
        for tile in (
            Tile(str(len(back)), note="behind"),
            Tile("1", (role_of(mark),), "here"),
            Tile(str(len(ahead)), note="ahead"),
            Tile(str(len(run)), (role,), f"of {position.game.k}"),
        )
    )
    return ((grid,), (behind, Sign("+"), here, Sign("+"), ahead_, Sign("="), all_))
