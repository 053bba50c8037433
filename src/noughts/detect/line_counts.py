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

from noughts.detect.base import Incremental
from noughts.game import Cell, Game, Line
from noughts.position import Mark, O, Position, X


class LineCounts(Incremental):
    """Count each player's marks on every line.

    >>> game = LineCounts(Game())
    >>> [game.play(cell) for cell in (0, 1, 4)], game.winning_moves(), game.blocking_moves()
    ([False, False, False], [], [8])
    """

    source = "gordon"
    idea = "A counter for each line and player says how many marks are there: k completes it, k - 1 threatens."
    cost = "one count for each line through the cell, at most 4 k of them, in a move: O(k)"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.through: list[list[int]] = [[] for _ in range(game.cells)]  # cell -> the numbers of its lines
        for number, line in enumerate(game.lines()):
            for cell in line:
                self.through[cell].append(number)
        self.x, self.o = self.nothing(), self.nothing()

    def nothing(self) -> list[int]:
        """A player's counts before the first move."""
        return [0] * self.game.line_count

    def winner(self, position: Position) -> Mark | None:
        """Count afresh; this is not what the counters are for."""
        for mark, bits in ((X, position.x), (O, position.o)):
            counts = self.nothing()
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
        """One less."""
        counts = self.x if mark is X else self.o
        for number in self.through[cell]:
            counts[number] -= 1

    def lines_through(self, cell: Cell, mark: Mark) -> list[Line]:
        """The lines whose counter is full."""
        counts = self.x if mark is X else self.o
        full = {number for number in self.through[cell] if counts[number] == self.game.k}
        return [line for number, line in enumerate(self.game.lines()) if number in full]
