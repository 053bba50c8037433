"""Last move: a line that was not there before must go through the mark that was just placed.

So stand on that cell and walk: along each direction, one way and then the other, as long as the marks are the
same. Every walk stops within k - 1 steps, since a longer run would have ended the game before (unless only exactly k
count: there a longer run is no line, and walks may be longer).

        .  .  .  .  O          k = 4. X has just played at *
        .  X  .  X  .          down-right  1 + * + 1 = 3
        .  O  *  O  .          down-left   1 + * + 2 = 4: a line
        .  X  .  X  .          along the row and the column nothing
        X  .  .  .  .

Each player's marks lie in a row of bytes with a margin of zeros: a spare column, and a spare row at either
end, stop every walk at the edge without a question about it.

A full board without a line is a draw: count the moves. Test the line first, for the last move can do both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from noughts.detect.base import Incremental
from noughts.detect.scene import Scene, ShownStep, Sign, Tile, Tiles, board_grid, board_scene, own_bits, role_of
from noughts.rules.game import Cell, Game, Line
from noughts.rules.marks import Mark, X
from noughts.rules.notation import format_move
from noughts.rules.position import Position

WAYS = {(0, 1): "Along the row", (1, 0): "Along the column", (1, 1): "Down to the right", (1, -1): "Down to the left"}


class LastMove(Incremental):
    """Walk both ways from the last move in each direction.

    >>> game = LastMove(Game.parse("1x5k3"))
    >>> [game.play(cell) for cell in (1, 0, 3, 4, 2)], game.lines()
    ([False, False, False, False, True], ((1, 2, 3),))
    """

    source = "lastmove"
    idea = "Only the last move can have completed a line, so only lines through it need a look."
    cost = "at most 2 (k - 1) steps in each of four directions after a move, whatever the board: O(k)"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.stride = game.columns + 1
        self.strides = [down * self.stride + right for down, right in game.directions]
        self.x, self.o = self.marks(()), self.marks(())

    def winner(self, position: Position) -> Mark | None:
        """A bare position does not say which move was last: try each mark of the side that made it."""
        mark = position.turn.other
        cells = self.game.cells_of(own_bits(position, mark))
        own = self.marks(cells)
        return mark if any(self.has_line_at(own, cell) for cell in cells) else None

    def completes(self, cell: Cell, mark: Mark) -> bool:
        """Would a mark here have a line through it?"""
        return self.has_line_at(self.x if mark is X else self.o, cell)

    def record(self, cell: Cell, mark: Mark) -> None:
        """Set the byte of this cell."""
        (self.x if mark is X else self.o)[self.place(cell)] = 1

    def erase(self, cell: Cell, mark: Mark) -> None:
        """Clear the byte of this cell."""
        (self.x if mark is X else self.o)[self.place(cell)] = 0

    def lines_through(self, cell: Cell, mark: Mark) -> list[Line]:
        """Every window of k in the runs through this cell."""
        k, found = self.game.k, []
        for step in self.strides:
            first, last = self.run(self.x if mark is X else self.o, self.place(cell), step)
            cells = self.cells(range(first, last + 1, step))
            if self.is_line(len(cells)):
                found += [cells[start : start + k] for start in range(len(cells) - k + 1)]
        return found

    def is_line(self, length: int) -> bool:
        """Is a run of this length a line, or does it hold some?"""
        return length == self.game.k if self.game.rule.exact else length >= self.game.k

    # The walk

    def marks(self, cells: Sequence[Cell]) -> bytearray:
        """A player's marks on these cells, in rows of zeros, one more above and one below the board."""
        own = bytearray((self.game.rows + 2) * self.stride)
        for cell in cells:
            own[self.place(cell)] = 1
        return own

    def place(self, cell: Cell) -> int:
        """Where a cell lies in the rows of `marks`."""
        return cell + cell // self.game.columns + self.stride

    def cells(self, places: Sequence[int]) -> Line:
        """The cells at these places; in the margin there is none."""
        rows, columns = range(1, self.game.rows + 1), range(self.game.columns)
        where = (divmod(place, self.stride) for place in places)
        return tuple((row - 1) * len(columns) + column for row, column in where if row in rows and column in columns)

    def has_line_at(self, own: bytearray, cell: Cell) -> bool:
        """Is one of the runs through this cell long enough?"""
        place = self.place(cell)
        for step in self.strides:
            first, last = self.run(own, place, step)
            if self.is_line((last - first) // step + 1):
                return True
        return False

    def run(self, own: bytearray, place: int, step: int) -> tuple[int, int]:
        """The first and the last place of the run through this one."""
        first = last = place
        while own[first - step]:
            first -= step
        while own[last + step]:
            last += step
        return first, last

    # Its steps

    def steps(self, position: Position, order: Sequence[Cell]) -> Iterator[ShownStep]:
        """The walks from the last move of the order, until one run is long enough."""
        if not order:
            yield ShownStep("No move has been made, so there is no line.", partial(board_scene, position), moves=0)
            return
        game, cell, mark, moves = self.game, order[-1], position.turn.other, len(order)
        name, here = format_move(game, cell), {"look": (cell,)}
        own, stands = self.marks(game.cells_of(own_bits(position, mark))), partial(board_scene, position, here)
        yield ShownStep(f"{mark} played {name}. A new line must go through it.", stands, here, 1, moves=moves)
        for direction, step in zip(game.directions, self.strides, strict=True):
            first, last = self.run(own, self.place(cell), step)
            run, stops = self.cells(range(first, last + 1, step)), self.cells((first - step, last + step))
            found = mark if self.is_line(len(run)) else None
            what = f"{len(run)} in a row" if len(run) > 1 else "alone"
            needed = f"exactly {game.k} are needed" if len(run) > game.k else f"{game.k} are needed"
            yield ShownStep(
                f"{WAYS[direction]}: {what}{f'. A line of {mark}' if found else f', {needed}'}.",
                partial(draw, position, run, stops, run.index(cell), mark, "hit" if found else "look"),
                {"hit" if found else "look": run, "miss": stops},
                len(run) + 2,  # two looks that end the walks, if only at the margin, and the test of the length
                found, moves,
            )  # fmt: skip
        yield ShownStep(f"No run through {name} is {game.k} long: no line.", stands, here, moves=moves)


def draw(position: Position, run: Line, stops: Line, behind: int, mark: Mark, role: str) -> Scene:
    """The run on the board, and its length added up."""
    k = position.game.k
    grid = board_grid(position, {role: run, "miss": stops}, (run,) if len(run) > 1 else ())
    tiles = (
        Tile(str(behind), note="behind"),
        Tile("1", (role_of(mark),), "here"),
        Tile(str(len(run) - behind - 1), note="ahead"),
        Tile(str(len(run)), (role,), f"of {k}"),
    )
    back, here, ahead, whole = (Tiles((tile,)) for tile in tiles)
    return ((grid,), (back, Sign("+"), here, Sign("+"), ahead, Sign("="), whole))
