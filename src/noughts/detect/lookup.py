"""Lookup: work out the answer for every set of cells once, and keep one bit for each.

A set of cells is a number (its bits, as the game keeps them), so the answers make one long row of bits. On a
board of 1 x 3 with k = 2, the last cell being the highest bit:

        set       111  110  101  100  011  010  001  000
        bit        1    1    0    0    1    0    0    0

To fill it in, put a 1 at each line, here 011 and 110. A set that holds a line still does with one more cell, so
each cell in turn passes the answers on, from every set without it to the same set with it. The row is one long
number, and "with" lies as far on from "without" as the cell's bit is worth: one AND and one shift do them all.

        cell 0     110 -> 111, 010 -> 011, …      1 place on
        cell 1     101 -> 111, 001 -> 011, …      2 places on
        cell 2     011 -> 111, 001 -> 101, …      4 places on
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from noughts.detect.base import Detector
from noughts.detect.scene import Scene, ShownStep, Sign, Tile, Tiles, bit_grid, cells_in, places, players, role_of
from noughts.rules.game import Bits, Cell, Game, Line
from noughts.rules.marks import Mark, O, X
from noughts.rules.position import Position

MAX_CELLS = 24
LOOK = 5  # operations: to find the byte, read it, find the bit, move it to the end, cut the rest off


class Lookup(Detector):
    """Look the player's set of cells up in a table of all sets.

    >>> Lookup(Game()).winner(Position.parse("X.O/XO./X.."))
    <Mark.X: 'X'>
    """

    source = "noughts"
    idea = "There are only so many sets of cells: note once and for all which of them hold a line."
    cost = "one look for each player, O(1); the table doubles with each cell, O(2^cells)"
    scope = "boards up to 24 cells: a table of 2 MB at most"
    lacks = ("exact",)  # one more cell could spoil a line

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.table = table(game)

    @classmethod
    def fits(cls, game: Game) -> bool:
        """Small boards: the table has a bit for each set."""
        return game.cells <= MAX_CELLS

    def winner(self, position: Position) -> Mark | None:
        """Bit number `position.x` of the table is the answer for X."""
        x, o = position.x, position.o
        if self.table[x >> 3] >> (x & 7) & 1:
            return X
        return O if self.table[o >> 3] >> (o & 7) & 1 else None

    def steps(self, position: Position, order: Sequence[Cell]) -> Iterator[ShownStep]:
        """Each player's cells as a number, and the look, until one says yes."""
        for mark, own in players(position):
            cells = {role_of(mark): places(own)}
            said = f"{mark}'s cells, read as a number: {own:,}."
            yield ShownStep(said, partial(draw_number, self.game, own, mark), cells)
            byte = self.table[own >> 3]
            says = byte >> (own & 7) & 1
            lines = self.game.rule.lines_in(own) if says else ()
            yield ShownStep(
                f"Entry {own:,} of the table says {says}: {'a' if says else 'no'} line of {mark}.",
                partial(draw_look, self.game, own, mark, byte, lines),
                {"hit": cells_in(lines)} if says else cells, LOOK, mark if says else None,
            )  # fmt: skip


@lru_cache(maxsize=16)
def table(game: Game) -> bytes:
    """One bit for each set of cells: does it hold a line?

    >>> f"{table(Game.parse('1x3k2'))[0]:08b}"
    '11001000'
    """
    size = 1 << game.cells
    answers = 0
    for line in game.lines():
        answers |= 1 << game.bits_of(line)
    for cell in range(game.cells):
        answers |= (answers & sets_without(1 << cell, size)) << (1 << cell)
    return answers.to_bytes(max(1, size // 8), "little")


def sets_without(bit: int, size: int) -> int:
    """A 1 for each of the first `size` sets that lack this bit: `bit` ones, `bit` zeros, and again.

    >>> f"{sets_without(2, 16):b}"
    '11001100110011'
    """
    pattern, width = (1 << bit) - 1, 2 * bit
    while width < size:
        pattern |= pattern << width
        width *= 2
    return pattern


# Drawing


def draw_number(game: Game, own: Bits, mark: Mark) -> Scene:
    """A player's cells as bits, on the board and in a row."""
    grid = bit_grid(game, own, mark, f"{mark}'s cells, each with the number of its bit")
    numbers = {cell: str(cell) for cell in range(game.cells)}
    tiles = tuple(Tile(digit, (role_of(mark),) if digit == "1" else ()) for digit in f"{own:0{game.cells}b}")
    bits = Tiles(tiles, "the same bits in a row, the last cell first")
    return ((replace(grid, texts=numbers),), (bits, Sign(f"= {own:,}")))


def draw_look(game: Game, own: Bits, mark: Mark, byte: int, lines: Sequence[Line]) -> Scene:
    """The byte of the table that has the answer."""
    role = "hit" if lines else "look"
    tiles = tuple(
        Tile(str(byte >> number & 1), (role,) if number == own & 7 else (), f"{(own & ~7) + number:,}")
        for number in range(8)
    )
    grid = bit_grid(game, own, mark, f"{mark}'s cells", paths=lines, hit=cells_in(lines))
    return ((grid,), (Tiles(tiles, f"8 of the {1 << game.cells:,} entries: does this set hold a line?"),))
