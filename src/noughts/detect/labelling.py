"""Labellings: numbers in the cells such that all lines have the same sum. When do only the lines have it?

The labels are unknowns, and each line is an equation: the labels of its cells, less the common sum, make 0. So
the labellings are all the solutions of a few linear equations, solved here in exact arithmetic. A set of k cells is
**forced** if it has the lines' sum in every labelling: its own equation follows from those of the lines.

        16  3  2 13        4x4: the corners are forced, and so is the block in the middle
         5 10 11  8            corners = (both diagonals + top row + bottom row - two middle columns) / 2
         9  6  7 12            16 + 13 + 4 + 1 = 34, and so it is in every magic square of this size
         4 15 14  1

Where a set that is no line is forced, no labelling can tell it from a line. Where none is, most labellings
can: each set that is not forced has the sum by accident only, and large enough labels avoid all accidents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, compress
from math import comb, lcm
from random import Random
from typing import NamedTuple

from noughts.rules.game import Cell, Game, Line

MAX_CELLS = 64
MAX_SETS = 5_000_000
LUCKY_SEED = 294  # any seed ends; this one soon, with a magic square of 1 to 9 on 3x3 and small labels on 5x5

Vector = list[int]


class Labelling(NamedTuple):
    """A label for each cell, and the sum of the labels of every line."""

    labels: tuple[int, ...]
    total: int

    def sets(self, k: int) -> Iterator[tuple[Cell, ...]]:
        """Every set of k cells with that sum, lines or not."""
        sums = map(sum, combinations(self.labels, k))
        return compress(combinations(range(len(self.labels)), k), (each == self.total for each in sums))

    def is_exact(self, game: Game) -> bool:
        """Have the lines that sum, and no other sets of k cells?

        >>> Labelling((8, 1, 6, 3, 5, 7, 4, 9, 2), 15).is_exact(Game())
        True
        """
        lines = set(game.lines())
        sums = {sum(self.labels[cell] for cell in line) for line in lines}
        return sums == {self.total} and all(cells in lines for cells in self.sets(game.k))


# The equations


def solutions(game: Game) -> list[Vector]:
    """Labellings of which all others are combinations, the common sum as the last number of each.

    >>> solutions(Game())[-1]
    [2, 2, -1, -2, 1, 4, 3, 0, 0, 3]
    """
    return null_space([[*row, -1] for row in line_rows(game)])


def rank(game: Game) -> int:
    """How many of the lines' equations are independent.

    >>> [rank(Game(n, n, n)) for n in (3, 4, 5)]
    [7, 9, 11]
    """
    return len(row_reduce(line_rows(game))[1])


def line_rows(game: Game) -> list[Vector]:
    """Each line as a row of 0 and 1, a 1 for each of its cells."""
    if game.cells > MAX_CELLS:
        raise ValueError(f"{game} has {game.cells} cells: the equations are solved for up to {MAX_CELLS}")
    return [[int(cell in line) for cell in range(game.cells)] for line in game.lines()]


# Forced sets


def forced_sets(game: Game) -> list[tuple[Cell, ...]]:
    """The sets of k cells that are no lines, yet have the lines' sum in every labelling.

    >>> forced_sets(Game(4, 4, 4))
    [(0, 3, 12, 15), (1, 2, 13, 14), (4, 7, 8, 11), (5, 6, 9, 10)]
    """
    if comb(game.cells, game.k) > MAX_SETS:
        raise ValueError(f"{game} has more than {MAX_SETS:,} sets of {game.k} cells, too many to try them all")
    lines = set(game.lines())
    return [cells for cells in general_labelling(game).sets(game.k) if cells not in lines]


def general_labelling(game: Game) -> Labelling:
    """A labelling in which only the forced sets have the sum.

    Write the solutions behind one another as the digits of one number: with a base that leaves no carry, a set
    has the sum here only if it has it in every one of the solutions, and so in all their combinations.
    """
    basis = solutions(game)
    largest = max(abs(number) for vector in basis for number in vector)
    base = 2 * (game.k + 1) * largest + 1
    return combine(game, basis, [base**digit for digit in range(len(basis))])


def certificate(game: Game, cells: Sequence[Cell]) -> dict[Line, Fraction] | None:
    """How many of each line make this set: the proof that it is forced, or None if it is not.

    >>> proof = certificate(Game(4, 4, 4), (0, 3, 12, 15))
    >>> {line: str(share) for line, share in proof.items()}
    {(0, 1, 2, 3): '1/2', (12, 13, 14, 15): '1/2', (1, 5, 9, 13): '-1/2', (2, 6, 10, 14): '-1/2',
     (0, 5, 10, 15): '1/2', (3, 6, 9, 12): '1/2'}
    """
    lines, rows = list(game.lines()), line_rows(game)
    columns = [[row[cell] for row in rows] + [int(cell in cells)] for cell in range(game.cells)]
    reduced, pivots = row_reduce(columns)
    if len(lines) in pivots:
        return None
    shares = {lines[pivot]: row[-1] for row, pivot in zip(reduced, pivots, strict=True)}
    return {line: share for line, share in shares.items() if share}


# Labels that do


@lru_cache(maxsize=8)
def exact_labelling(game: Game, seed: int = LUCKY_SEED) -> Labelling:
    """Labels with which only the lines have the sum, by trying ever larger random ones.

    >>> exact_labelling(Game())
    Labelling(labels=(6, 7, 2, 1, 5, 9, 8, 3, 4), total=15)
    """
    if forced := forced_sets(game):
        raise ValueError(f"no labelling of {game} is exact: the cells {forced[0]} always have the lines' sum")
    basis, random, spread = solutions(game), Random(seed), float(game.k)
    while True:
        found = combine(game, basis, [int(random.random() * spread) for _ in basis])
        if found.is_exact(game):
            return found
        spread *= 1.1


def combine(game: Game, basis: list[Vector], amounts: Sequence[int]) -> Labelling:
    """Add up so much of each solution; then all labels are raised or lowered alike, so that the smallest is 1."""
    *labels, total = (
        sum(amount * number for amount, number in zip(amounts, numbers, strict=True))
        for numbers in zip(*basis, strict=True)
    )
    lift = 1 - min(labels)
    return Labelling(tuple(label + lift for label in labels), total + game.k * lift)


# Linear algebra in exact arithmetic


def row_reduce(matrix: Sequence[Sequence[int]]) -> tuple[list[list[Fraction]], list[int]]:
    """The reduced row echelon form without its empty rows, and the column of each row's leading 1."""
    rows = [[Fraction(number) for number in row] for row in matrix]
    done: list[list[Fraction]] = []
    pivots = []
    for column in range(len(rows[0])):
        chosen = next((row for row in rows if row[column]), None)
        if chosen is None:
            continue
        rows.remove(chosen)
        chosen = [number / chosen[column] for number in chosen]
        rows = [clear(row, chosen, column) for row in rows]
        done = [clear(row, chosen, column) for row in done] + [chosen]
        pivots.append(column)
    return done, pivots


def clear(row: list[Fraction], pivot: list[Fraction], column: int) -> list[Fraction]:
    """The row less so much of the pivot row that nothing is left in this column."""
    return [a - row[column] * b for a, b in zip(row, pivot, strict=True)] if row[column] else row


def null_space(matrix: Sequence[Sequence[int]]) -> list[Vector]:
    """Whole-numbered vectors of which all solutions of matrix x vector = 0 are combinations."""
    reduced, pivots = row_reduce(matrix)
    width = len(matrix[0])
    vectors = []
    for free in (column for column in range(width) if column not in pivots):
        vector = [Fraction(column == free) for column in range(width)]
        for row, pivot in zip(reduced, pivots, strict=True):
            vector[pivot] = -row[free]
        scale = lcm(*(number.denominator for number in vector))
        vectors.append([int(number * scale) for number in vector])
    return vectors
