"""Last move: a line that was not there before must go through the mark that was just placed.

So stand on that cell and walk: along each direction, one way and then the other, as long as the marks are the
same. Every walk stops within k - 1 steps, since a longer run would have ended the game before.

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

from noughts.detect.base import Incremental
from noughts.game import Cell, Game, Line
from noughts.position import Mark, Position, X


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
        self.steps = [down * game.stride + right for down, right in game.directions]
        self.x, self.o = self.nothing(), self.nothing()

    def winner(self, position: Position) -> Mark | None:
        """A bare position does not say which move was last: try each mark of the side that made it."""
        mark = position.turn.other
        cells = self.game.cells_of(position.x if mark is X else position.o)
        own = self.nothing()
        for cell in cells:
            own[self.place(cell)] = 1
        return mark if any(self.has_line_at(own, cell) for cell in cells) else None

    def completes(self, cell: Cell, mark: Mark) -> bool:
        """Would a mark here have a line through it?"""
        return self.has_line_at(self.x if mark is X else self.o, cell)

    def record(self, cell: Cell, mark: Mark) -> None:
        """Set one byte."""
        (self.x if mark is X else self.o)[self.place(cell)] = 1

    def erase(self, cell: Cell, mark: Mark) -> None:
        """Clear it."""
        (self.x if mark is X else self.o)[self.place(cell)] = 0

    def lines_through(self, cell: Cell, mark: Mark) -> list[Line]:
        """Every window of k in the runs through this cell."""
        game, found = self.game, []
        for step in self.steps:
            first, last = self.run(self.x if mark is X else self.o, self.place(cell), step)
            for start in range(first, last - (game.k - 1) * step + 1, step):
                places = (start + number * step for number in range(game.k))
                found.append(tuple(place - place // game.stride - game.columns for place in places))
        return found

    # The walk

    def nothing(self) -> bytearray:
        """A player's marks before the first one: rows of zeros, one more above and one below the board."""
        return bytearray((self.game.rows + 2) * self.game.stride)

    def place(self, cell: Cell) -> int:
        """Where a cell lies in those rows."""
        return cell + cell // self.game.columns + self.game.stride

    def has_line_at(self, own: bytearray, cell: Cell) -> bool:
        """Is one of the runs through this cell long enough?"""
        place = self.place(cell)
        for step in self.steps:
            first, last = self.run(own, place, step)
            if last - first >= (self.game.k - 1) * step:
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
