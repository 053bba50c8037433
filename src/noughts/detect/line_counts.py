"""Line counts: give every line a counter for each player. A line whose counter says k is complete.

A move touches only the lines through its cell (on 3x3: four through the centre, three through a corner, two
through a side), and taking it back touches the same ones.

        X . .       X plays at *. X's counts of the lines through that corner:
        . X O           row          0 -> 1
        . O *           column       0 -> 1
                        diagonal     2 -> 3: complete

Gordon's tables carried to any board: there one sum for all lines says "two here already, the third wins"; here
each line has a count of its own, so it does not matter what the labels of other cells happen to add up to. A
line that says k - 1 lacks one cell, so an empty cell on it wins for its owner and is where the other blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from noughts.detect.base import Incremental
from noughts.detect.scene import Meter, Meters, Scene, ShownStep, board_grid, cells_in, line_name
from noughts.rules.game import MANY, Cell, Game, Line
from noughts.rules.marks import Mark, O, X
from noughts.rules.notation import format_move
from noughts.rules.position import Position, replay
from noughts.words import several

ALL = 12  # lines of a board whose counters are shown all the time; of more, those through the move
MOST = 20  # of those, so many


class LineCounts(Incremental):
    """Count each player's marks on every line.

    >>> game = LineCounts(Game())
    >>> [game.play(cell) for cell in (0, 1, 4)], game.winning_moves(), game.blocking_moves()
    ([False, False, False], [], [8])
    """

    source = "gordon"
    idea = "A counter for each line and player says how many marks are there: k completes it, k - 1 threatens."
    cost = "one count for each line through the cell, at most 4 k of them, in a move: O(k)"
    lacks = ("exact",)

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.through = Through(game)
        self.x, self.o = [0] * game.line_count, [0] * game.line_count

    def winner(self, position: Position) -> Mark | None:
        """The owner of a completed line, by counting all marks afresh: slow, the counters are for following a game."""
        for mark, bits in ((X, position.x), (O, position.o)):
            counts = [0] * self.game.line_count
            for cell in self.game.cells_of(bits):
                for number in self.through[cell]:
                    counts[number] += 1
            if self.game.k in counts:
                return mark
        return None

    def completes(self, cell: Cell, mark: Mark) -> bool:
        """Does a line through this cell lack only this cell?"""
        counts = self.x if mark is X else self.o
        return self.game.k - 1 in [counts[number] for number in self.through[cell]]

    def record(self, cell: Cell, mark: Mark) -> None:
        """One more on every line through the cell."""
        counts = self.x if mark is X else self.o
        for number in self.through[cell]:
            counts[number] += 1

    def erase(self, cell: Cell, mark: Mark) -> None:
        """Count this mark off its lines."""
        counts = self.x if mark is X else self.o
        for number in self.through[cell]:
            counts[number] -= 1

    def lines_through(self, cell: Cell, mark: Mark) -> list[Line]:
        """The lines whose counter is full."""
        counts = self.x if mark is X else self.o
        full = {number for number in self.through[cell] if counts[number] == self.game.k}
        return [line for number, line in enumerate(self.game.lines()) if number in full]

    # Its steps

    def steps(self, position: Position, order: Sequence[Cell]) -> Iterator[ShownStep]:
        """Follow the game: which counters each move raises, and whether one of them is full."""
        game, counting, lines = self.game, LineCounts(self.game), list(self.game.lines())
        said = f"{several(len(lines), 'line')}, and a counter for each of them and each player."
        yield ShownStep(said, partial(draw, game.start(), counting.meters(lines)), moves=0)
        for number, (cell, after) in enumerate(zip(order, replay(game.start(), order)[1:], strict=True), 1):
            mark, through = counting.turn, counting.through[cell]
            found = mark if counting.play(cell) else None
            full = counting.lines()
            said = f"{mark} plays {format_move(game, cell)} and raises {several(len(through), 'counter')}"
            yield ShownStep(
                f"{said}{f'. {line_name(game, full[0])} is full: a line of {mark}' if full else ''}.",
                partial(draw, after, counting.meters(lines, through, through, full), (cell,), full),
                {"hit": cells_in(full), "look": (cell,), "later": tuple(order[number:])},
                2 * len(through), found, number,
            )  # fmt: skip
        if order:
            near = counting.meters(lines, counting.through[order[-1]])
            said = f"No counter says {game.k}: nobody has a line."
            yield ShownStep(said, partial(draw, position, near), moves=len(order))

    def meters(
        self, lines: Sequence[Line], near: Sequence[int] = (), raised: Sequence[int] = (), full: Sequence[Line] = ()
    ) -> Meters:
        """The counters as they are now: all of a small board, of others those of lines near, the full ones first."""
        game = self.game
        numbers = range(len(lines)) if len(lines) <= ALL else near
        shown = numbers if len(numbers) <= MOST else sorted(numbers, key=lambda each: lines[each] not in full)[:MOST]
        meters = []
        for number in shown:
            line = lines[number]
            roles = ("hit",) if line in full else ("new",) if number in raised else ()
            meters.append(Meter(line, line_name(game, line), self.x[number], self.o[number], roles))
        title = f"{len(shown)} of {several(len(numbers), 'counter')}" if len(shown) < len(numbers) else ""
        return Meters(game.rows, game.columns, game.k, tuple(meters), title)


class Through(dict[Cell, list[int]]):
    """The numbers of the lines through each cell; on a large board, where they are millions, made when asked for.

    >>> Through(Game())[0], Through(Game())[4]
    ([0, 3, 6], [1, 4, 6, 7])
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        if game.cells <= MANY:
            for cell in range(game.cells):
                self[cell]

    def __missing__(self, cell: Cell) -> list[int]:
        game, first, found = self.game, 0, []
        row, column = divmod(cell, game.columns)
        for down, right in game.directions:
            # Lines begin in these rows and columns, and are numbered row by row.
            rows, columns = game.rows - down * (game.k - 1), game.columns - abs(right) * (game.k - 1)
            left = game.k - 1 if right < 0 else 0
            for steps in reversed(range(game.k)):
                r, c = row - steps * down, column - steps * right - left
                if 0 <= r < rows and 0 <= c < columns:
                    found.append(first + r * columns + c)
            first += rows * columns
        self[cell] = found
        return found


def draw(position: Position, meters: Meters, cell: tuple[Cell, ...] = (), full: Sequence[Line] = ()) -> Scene:
    """The board with the cell just played, beside some counters."""
    return ((board_grid(position, {"hit": cells_in(full), "look": cell}, full), meters),)
