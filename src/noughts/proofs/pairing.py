"""Pairings that hold: disjoint pairs of free cells, such that every line still open to the other holds a pair.

Whenever the other takes a cell of a pair, the holder takes its partner: so no line that holds a pair is ever completed
by the other, whatever else happens. A pair may serve several lines at once, which is what makes it strong:

    . . . . . .      four in a row on 1 x 6: three lines, a-d, b-e, c-f, and the one pair c d is in all of them
    a b c d e f

If the holder is to move, a cell may be taken first. To decide whether there is a pairing is hard in general: `find`
tries the line with the fewest cells left, pair by pair, within a budget of nodes, after a count that shows at once that
most boards have none. For nine in a row and more there is a pairing of the whole plane, repeated every eight cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from noughts.rules.game import Bits, Cell, Game
from noughts.rules.position import Position

NODES = 2_000
MAX_LINES = 4_000  # beyond, only the pairing of the plane is tried

Pair = tuple[Cell, Cell]

# The pairing of the plane: in each 8 x 8 cells a row, a column and a diagonal of either kind have one pair of
# neighbours each, repeated every 8 cells in both directions; all 64 cells are used. These are the first cells.
PERIOD = 8
PLANE = {
    (0, 1): (4, 13, 17, 30, 37, 42, 55, 62),
    (1, 0): (56, 41, 26, 11, 44, 21, 46, 39),
    (1, 1): (36, 7, 61, 23, 50, 3, 57, 1),
    (1, -1): (15, 51, 9, 53, 25, 33, 20, 28),
}
PLANE_K = PERIOD + 1  # every run of so many cells holds a pair


class Pairing(NamedTuple):
    """Pairs of cells; `first` is the cell that the holder takes before, if that is to move."""

    pairs: tuple[Pair, ...]
    first: Cell | None = None


def find(position: Position, holder_moves: bool, nodes: int = NODES) -> tuple[Pairing | None, bool]:
    """A pairing by which a player keeps the other from a line, and whether the finder looked everywhere.

    `holder_moves` says who holds: the player to move, or the one who has just moved.

    >>> find(Position.parse("1x6k4:......"), holder_moves=False)
    (Pairing(pairs=((2, 3),), first=None), True)
    """
    game, (mine, theirs) = position.game, position.sides
    other = theirs if holder_moves else mine
    lines = _open(game, other, position.empty)
    if game.k >= PLANE_K:
        for first in _firsts(lines, holder_moves):
            if pairs := _of_the_plane(game, [line for line in lines if first is None or not line >> first & 1], position.empty):
                return Pairing(pairs, first), True
    if len(lines) > MAX_LINES:
        return None, False
    search = _Search(nodes)
    for first in _firsts(lines, holder_moves):
        left = [line for line in lines if first is None or not line >> first & 1]
        free = position.empty if first is None else position.empty & ~(1 << first)
        pairs = search.pairs(left, free)
        if pairs is not None:
            return Pairing(tuple(sorted(pairs)), first), True
    return None, not search.spent


def _firsts(lines: list[Bits], holder_moves: bool) -> Iterator[Cell | None]:
    """The cells to take first, those of the shortest lines first: a line of one or two free cells allows few."""
    if not holder_moves:
        yield None
        return
    if not lines:
        yield None
        return
    shortest = min(lines, key=int.bit_count)
    every: Bits = 0
    for line in lines:
        every |= line
    must = shortest if shortest.bit_count() == 1 else every
    counts = {cell: sum(line >> cell & 1 for line in lines) for cell in _cells(must)}
    yield from sorted(counts, key=lambda cell: -counts[cell])


def _open(game: Game, own: Bits, empty: Bits) -> list[Bits]:
    """The free cells of each line that a player can still complete, none that contains another."""
    found = sorted({line & empty for line, _ in game.rule.open_lines(own, empty)}, key=int.bit_count)
    if len(found) > MAX_LINES:
        return found
    kept: list[Bits] = []
    for line in found:
        if not any(line & other == other for other in kept):
            kept.append(line)
    return kept


class _Search:
    def __init__(self, nodes: int) -> None:
        self.left, self.spent = nodes, False

    def pairs(self, lines: list[Bits], free: Bits) -> list[Pair] | None:
        """Disjoint pairs of these cells such that every line has one; None if there are none, or the nodes are spent."""
        if not lines:
            return []
        if not self.left:
            self.spent = True
            return None
        self.left -= 1
        shortest = min(lines, key=lambda line: (line & free).bit_count())
        if (shortest & free).bit_count() < 2 or _too_many(lines, free):
            return None
        bits = [1 << cell for cell in _cells(shortest & free)]
        choices = [(sum(line & pair == pair for line in lines), pair) for pair in map(sum, combinations(bits, 2))]
        for _, pair in sorted(choices, key=lambda each: -each[0]):
            rest = self.pairs([line for line in lines if line & pair != pair], free & ~pair)
            if rest is not None:
                low, high = _cells(pair)
                return [(low, high), *rest]
            if self.spent:
                return None
        return None


def _too_many(lines: list[Bits], free: Bits) -> bool:
    """Do lines that share at most one cell with each other need more cells than are free?

    Such lines need a pair each. Those chosen are not the most there can be, so this is never wrong about yes.
    """
    chosen: list[Bits] = []
    for line in sorted(lines, key=lambda line: (line & free).bit_count()):
        if all((line & free & other).bit_count() < 2 for other in chosen):
            chosen.append(line)
            if 2 * len(chosen) > free.bit_count():
                return True
    return False


# The pairing of the plane


def _of_the_plane(game: Game, lines: list[Bits], empty: Bits) -> tuple[Pair, ...] | None:
    """The pairs of the plane's pairing that serve these lines, if it serves them all, wherever it is laid."""
    for down in range(PERIOD):
        for right in range(PERIOD):
            pairs = [pair for pair in _plane(game, down, right) if empty >> pair[0] & empty >> pair[1] & 1]
            sets = [1 << low | 1 << high for low, high in pairs]
            served = {pair for line in lines for pair in sets if line & pair == pair} if len(lines) < MAX_LINES else set(sets)
            if all(any(line & pair == pair for pair in served) for line in lines):
                return tuple(pair for pair, cells in zip(pairs, sets, strict=True) if cells in served)
    return None


@lru_cache(maxsize=64)
def _plane(game: Game, down: int, right: int) -> tuple[Pair, ...]:
    """The pairs of the plane's pairing, moved so far, that lie on the board."""
    found = []
    for (by_row, by_column), firsts in PLANE.items():
        for first in firsts:
            for row in range((first // PERIOD + down) % PERIOD - PERIOD, game.rows, PERIOD):
                for column in range((first % PERIOD + right) % PERIOD - PERIOD, game.columns, PERIOD):
                    ends = (row, column), (row + by_row, column + by_column)
                    if all(0 <= r < game.rows and 0 <= c < game.columns for r, c in ends):
                        low, high = sorted(r * game.columns + c for r, c in ends)
                        found.append((low, high))
    return tuple(sorted(found))


def _cells(bits: Bits) -> Iterator[Cell]:
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
