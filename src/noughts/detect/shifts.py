"""Shifts: move a player's cells one step and AND them with themselves: what is left begins a run of two.

Do it again with the runs, two steps this time, and what is left begins a run of four; and so on, doubling.
All lines of one direction are found at once, wherever they lie.

        k = 3, along a row        . X X X . X X       the cells
        AND shifted by 1          . 2 2 . . 2 .       where a run of two starts
        AND shifted by 1          . 3 . . . . .       where a run of three starts: k - 2 = 1 more

A step right is a shift by 1, and down a row by the length of a row. A spare column, always empty, stands
between the end of one row and the start of the next, so that no run can go round the edge:

        0  1  2 | 3          right       1
        4  5  6 | 7          down        4
        8  9 10 | 11         diagonals   5 and 3

`Game.has_line`, which every Position asks, is this idea written out for one board.
"""

from __future__ import annotations

from noughts.detect.base import Detector
from noughts.game import Bits, Game
from noughts.position import Mark, O, Position, X


class Shifts(Detector):
    """Find runs of k by doubling: runs of one, two, four, …

    >>> Shifts(Game.parse("1x7k3")).winner(Position.parse("1x7k3:OXXXO.."))
    <Mark.X: 'X'>
    """

    source = "noughts"
    idea = "A run of 2n is a run of n and another one n steps further on, and one AND finds them all."
    cost = "about log2(k) shifts a direction, on numbers as long as the board: O(log k x cells / word)"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.steps = [down * game.stride + right for down, right in game.directions]
        self.hops = []  # how far each AND looks ahead: 1, 2, 4, …, and what is missing to k
        run = 1
        while run < game.k:
            self.hops.append(min(run, game.k - run))
            run += self.hops[-1]

    def winner(self, position: Position) -> Mark | None:
        """Look for a run of k of either player."""
        if self.has_run(position.x):
            return X
        return O if self.has_run(position.o) else None

    def has_run(self, bits: Bits) -> bool:
        """Are there k in a row in this set of cells?"""
        for step in self.steps:
            runs = bits
            for hop in self.hops:
                runs &= runs >> hop * step
            if runs:
                return True
        return False
