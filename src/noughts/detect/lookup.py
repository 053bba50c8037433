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

from functools import lru_cache

from noughts.detect.base import Detector
from noughts.game import Game
from noughts.position import Mark, O, Position, X

MAX_PLACES = 24


class Lookup(Detector):
    """Look the player's set of cells up in a table of all sets.

    >>> Lookup(Game()).winner(Position.parse("X.O/XO./X.."))
    <Mark.X: 'X'>
    """

    source = "noughts"
    idea = "There are only so many sets of cells: note once and for all which of them hold a line."
    cost = "one look for each player, O(1); the table doubles with each cell, O(2^cells)"
    scope = "boards up to 24 places, the spare column counted (4x4, 4x5 or 3x7): a table of 2 MB at most"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.table = table(game)

    @classmethod
    def supports(cls, game: Game) -> bool:
        """Small boards: the table has a bit for each set."""
        return places(game) <= MAX_PLACES

    def winner(self, position: Position) -> Mark | None:
        """Bit number `position.x` of the table is the answer for X."""
        x, o = position.x, position.o
        if self.table[x >> 3] >> (x & 7) & 1:
            return X
        return O if self.table[o >> 3] >> (o & 7) & 1 else None


def places(game: Game) -> int:
    """How many bits a set of cells of this board has."""
    return game.full.bit_length()


@lru_cache(maxsize=16)
def table(game: Game) -> bytes:
    """One bit for each set of cells: does it hold a line?

    >>> f"{table(Game.parse('1x3k2'))[0]:08b}"
    '11001000'
    """
    size = 1 << places(game)
    answers = 0
    for line in game.lines():
        answers |= 1 << game.bits_of(line)
    for cell in range(game.cells):
        bit = game.bit(cell)
        answers |= (answers & sets_without(bit, size)) << bit
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
