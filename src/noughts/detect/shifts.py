"""Shifts: move a player's cells one step and AND them with themselves: what is left begins a run of two.

Do it again with the runs, two steps this time, and what is left begins a run of four; and so on, doubling.
All lines of one direction are found at once, wherever they lie.

        k = 3, along a row        . X X X . X X       the cells
        AND shifted by 1          . 2 2 . . 2 .       where a run of two starts
        AND shifted by 1          . 3 . . . . .       where a run of three starts: k - 2 = 1 more

A step right is a shift by 1, and down a row by the length of a row. The cells that a shift moves over the edge are
masked off: without that, the end of one row and the start of the next would be neighbours.

        0  1  2          right       1
        3  4  5          down        3
        6  7  8          diagonals   4 and 2

`Rule.has_line`, which every Position asks, is this idea written out for one board, with one mask for a direction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from noughts.detect.base import Detector
from noughts.detect.scene import Scene, ShownStep, Sign, bit_grid, bits_scene, cells_in, line_name, players, words
from noughts.rules.game import Bits, Cell, Direction, Game, Line
from noughts.rules.marks import Mark, O, X
from noughts.rules.notation import format_moves
from noughts.rules.position import Position
from noughts.rules.rule import doublings

ARROWS = {(0, 1): "←", (1, 0): "↑", (1, 1): "↖", (1, -1): "↗"}  # which way the board moves
NAMED = 4  # starts of runs that a sentence names


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
        self.hops = doublings(game.k)  # how far each AND looks ahead: 1, 2, 4, …, and what is missing to k
        self.ways = [[(hop * game.step(way), game.room(way, hop)) for hop in self.hops] for way in game.directions]

    def winner(self, position: Position) -> Mark | None:
        """Look for a run of k of either player."""
        if self.has_run(position.x):
            return X
        return O if self.has_run(position.o) else None

    def has_run(self, bits: Bits) -> bool:
        """Are there k in a row in this set of cells?"""
        for hops in self.ways:
            runs = bits
            for shift, room in hops:
                runs &= runs >> shift & room
            if self.game.rule.exact:
                runs = not_longer(runs, hops[0][0])
            if runs:
                return True
        return False

    def steps(self, position: Position, order: Sequence[Cell]) -> Iterator[ShownStep]:
        """Each player, each direction, each hop, until a run of k is left."""
        for mark, own in players(position):
            for direction, ways in zip(self.game.directions, self.ways, strict=True):
                if not ways:  # k = 1: every cell is a run already
                    found, cells = mark if own else None, {"hit": tuple(self.game.cells_of(own)[:1])}
                    said = f"A line of {mark}: one cell is enough." if own else f"{mark} has no cell."
                    yield ShownStep(said, partial(bits_scene, position, (mark,)), cells, 1, found)
                runs, length = own, 1
                for hop, (shift, room) in zip(self.hops, ways, strict=True):
                    now = Hop(self.game, mark, direction, length, hop, shift, runs, runs >> shift & room)
                    yield now.step()
                    runs, length = now.left, now.longer
        yield ShownStep(f"Nowhere is a run of {self.game.k} left: nobody has a line.", partial(bits_scene, position))


def not_longer(runs: Bits, step: int) -> Bits:
    """Of the starts of runs of k those of runs of exactly k: two side by side begin one longer run."""
    longer = runs & runs >> step
    return runs & ~(longer | longer << step)


@dataclass(frozen=True)
class Hop:
    """The starts of runs of one length, compared with themselves, so many steps further on."""

    game: Game
    mark: Mark
    direction: Direction
    length: int
    hop: int
    shift: int
    runs: Bits
    moved: Bits  # the runs, shifted; those that would go over the edge are gone

    @property
    def left(self) -> Bits:
        """The starts of the longer runs."""
        return self.runs & self.moved

    @property
    def longer(self) -> int:
        """How long the longer runs are."""
        return self.length + self.hop

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines that were found."""
        if self.longer < self.game.k:
            return ()
        exact = self.game.rule.exact
        starts = not_longer(self.left, self.game.step(self.direction)) if exact else self.left
        return tuple(self.game.lines_from(starts, self.direction))

    def step(self) -> ShownStep:
        """The hop in words."""
        lines, starts = self.lines, tuple(self.game.cells_of(self.left))
        what = f"{self.mark}'s cells" if self.length == 1 else f"The runs of {self.length}"
        found = f". A line of {self.mark}, {line_name(self.game, lines[0])}" if lines else ""
        if starts and self.longer == self.game.k and not lines:
            found = ". But each is part of a longer run"
        return ShownStep(
            f"{what} AND the same moved {self.hop}\u00a0{ARROWS[self.direction]}: {self.told(starts)}{found}.",
            self.draw,
            {"hit": cells_in(lines)} if lines else {"look": starts},
            3 * words(self.game.cells) + (self.longer == self.game.k),
            self.mark if lines else None,
        )

    def told(self, starts: Sequence[Cell]) -> str:
        """Where the longer runs begin, in words."""
        if not starts:
            return f"no run of {self.longer}"
        if len(starts) > NAMED:
            return f"runs of {self.longer} begin at {len(starts)} cells"
        run = "a run of {} begins" if len(starts) == 1 else "runs of {} begin"
        return f"{run.format(self.longer)} at {', '.join(format_moves(self.game, starts))}"

    def draw(self) -> Scene:
        """The board AND the moved board = what is left."""
        game, mark, length, longer = self.game, self.mark, str(self.length), str(self.longer)
        both = tuple(game.cells_of(self.left))
        before = f"{mark}'s cells" if self.length == 1 else f"runs of {length}"
        own = bit_grid(game, self.runs, mark, before, length, look=both)
        there = f"moved {self.hop} {ARROWS[self.direction]}"
        moved = bit_grid(game, self.moved, mark, there, length, moved=self.shift, look=both)
        hit = tuple(line[0] for line in self.lines)
        left = bit_grid(game, self.left, mark, f"runs of {longer}", longer, paths=self.lines, hit=hit)
        return ((own, Sign("AND"), moved, Sign("="), left),)
