"""Evaluation: how a position looks, as one number from X's side: weighted open lines.

Vocabulary
    open line   a line that holds marks of one player only: that player may still complete it, or has
    weight      what an open line with n marks is worth to its owner: w(0) = 0, w(1) = 1, and

                    w(n + 1) = 3 w(n) - w(n - 1)        n      0  1  2  3   4   5    6
                                                        w(n)   0  1  3  8  21  55  144

The minimax source has 8 X3 + 3 X2 + X1 - (8 O3 + 3 O2 + O1) for three in a row. Its own numbers obey the rule
twice (3 = 3*1 - 0 and 8 = 3*3 - 1), and the rule is the simplest that carries them on to any k: the weights are every
second Fibonacci number, each mark is worth about 2.6 times the one before it, and a weight does not depend on k.

Where only exactly k count, a mark of the same player right before or after a line closes it to that player as well.

In misere a completed line loses, so every mark on an open line is a danger to its owner, not a chance: the whole sum
changes its sign, and a higher score is better for X in every game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from operator import add, sub
from typing import NamedTuple

from noughts.rules.game import MANY, MAX_SIDE, Bits, Cell, Game
from noughts.rules.marks import X
from noughts.rules.position import Position, Setup
from noughts.words import whole

Window = tuple[int, Bits]  # a line as (shift, pattern): its marks among `bits` are bits >> shift & pattern


class OpenLines(NamedTuple):
    """How many open lines hold n marks: `x[n]` for X, `o[n]` for O; n runs from 0 to k, and [0] is unused."""

    x: tuple[int, ...]
    o: tuple[int, ...]


def weights(k: int) -> tuple[int, ...]:
    """What an open line with 0, 1, …, k marks is worth.

    >>> weights(5)
    (0, 1, 3, 8, 21, 55)
    """
    return _weights(whole("k", k, 1, MAX_SIDE))


@lru_cache(maxsize=256)
def _weights(k: int) -> tuple[int, ...]:
    found = [0, 1]
    while len(found) <= k:
        found.append(3 * found[-1] - found[-2])
    return tuple(found[: k + 1])


def open_lines(board: Setup | Position) -> OpenLines:
    """Count the open lines by the marks they hold: the source's X1, X2, X3 and O1, O2, O3.

    >>> open_lines(Position.parse(".X./OX./X.O"))
    OpenLines(x=(0, 1, 2, 0), o=(0, 1, 0, 0))
    """
    found = ([0] * (board.game.k + 1), [0] * (board.game.k + 1))
    for marks, lines in _lines_by_marks(board).items():
        if marks:
            found[marks < 0][abs(marks)] += lines
    return OpenLines(*map(tuple, found))


def evaluate(board: Setup | Position) -> int:
    """The evaluation: X's weighted open lines less O's; in misere the other way round.

    >>> evaluate(Position.parse(".X./OX./X.O")), evaluate(Position.parse("3x3k3m:.X./OX./X.O"))
    (6, -6)
    """
    game, x, o = board.game, board.x, board.o
    weight, score = _weights(game.k), 0
    if game.cells > MANY or game.rule.exact:
        for marks, lines in _lines_by_marks(board).items():
            score += lines * weight[marks] if marks > 0 else -lines * weight[-marks]
        return score if game.rule.completing_wins else -score
    for shift, pattern in windows(game):
        xs, os = x >> shift & pattern, o >> shift & pattern
        if not os:
            score += weight[xs.bit_count()]
        elif not xs:
            score -= weight[os.bit_count()]
    return score if game.rule.completing_wins else -score


def gain(position: Position, cell: Cell) -> int:
    """By how much a move changes the evaluation. It looks only at the lines through the cell:

    >>> before = Position.parse(".X./O../X.O")
    >>> evaluate(before) + gain(before, 4) == evaluate(before.play(4)) == 6
    True
    """
    game = position.game
    if cell.__class__ is not int or not 0 <= cell < game.cells:  # asked in hot loops: what is plainly right goes on
        cell = whole("cell", cell, 0, game.cells - 1)
    if game.cells > MANY or game.rule.exact:  # worked out for all moves at once
        return _recent_gains(position)[cell]
    mine, theirs = position.sides
    weight, change = _weights(game.k), 0
    for shift, pattern in _windows_through(game)[cell]:
        own, other = mine >> shift & pattern, theirs >> shift & pattern
        if not other:
            marks = own.bit_count()
            change += weight[marks + 1] - weight[marks]
        elif not own:
            change += weight[other.bit_count()]  # the line is closed to them
    return change if game.rule.winner(position.turn) is X else -change


def gains(position: Position) -> dict[Cell, int]:
    """What `gain` says of every free cell of an ongoing game, in one pass over the board.

    Along each row, column and diagonal two sums slide: the marks of each side in the next k cells give what a move on
    that line is worth, and the worth of the lines through a cell is what it gains there. So a cell costs the same
    whatever k is.

    >>> before = Position.parse(".X./O../X.O")
    >>> gains(before)[4] == gain(before, 4)
    True
    """
    game, k = position.game, position.game.k
    weight = _weights(k)
    found = [0] * game.cells
    for path, *sums in _path_sums(game, *position.sides):
        worth = [
            (0 if own or shut else weight[other]) if other else 0 if spoilt else weight[own + 1] - weight[own]
            for own, other, spoilt, shut in zip(*sums, strict=True)
        ]
        through = _sums([0] * (k - 1) + worth + [0] * (k - 1), k)
        if game.rule.exact:  # my mark right before or after a line shuts it to me
            lost = [0 if other or spoilt else weight[own] for own, other, spoilt, _ in zip(*sums, strict=True)]
            through = [gained - before - after for gained, before, after in zip(
                through, [*lost[1:], *[0] * k], [*[0] * k, *lost[:-1]], strict=True)]  # fmt: skip
        found[path] = map(add, found[path], through)
    sign = 1 if game.rule.winner(position.turn) is X else -1
    return {cell: sign * found[cell] for cell in position.moves()}


_recent_gains = lru_cache(maxsize=16)(gains)  # asked about the moves of few positions at a time


def _lines_by_marks(board: Setup | Position) -> Counter[int]:
    """How many lines are open to X with n marks (n), to O with n marks (-n): the quick way on a large board."""
    counts: Counter[int] = Counter()
    for _, *sums in _path_sums(board.game, board.x, board.o):
        counts.update(map(_open_to, *sums))
    return counts


def _open_to(xs: int, os: int, xs_beside: int, os_beside: int) -> int:
    """How many marks an open line has: X's, or O's as a negative number; 0 if it is open to nobody."""
    if os:
        return 0 if xs or os_beside else -os
    return 0 if xs_beside else xs


def _path_sums(game: Game, *sides: Bits) -> Iterator[tuple[slice, list[int], list[int], list[int], list[int]]]:
    """Every row, column and diagonal with how many marks each side has in the next k cells, from its start on.

    Then, where only exactly k count, how many each side has right beside these cells; else 0.
    """
    from noughts.detect.line_sums import paths

    marks = [[0] * game.cells for _ in sides]
    for own, bits in zip(marks, sides, strict=True):
        for cell in game.cells_of(bits):
            own[cell] = 1
    for path in paths(game):
        first, second = (_sums(own[path], game.k) for own in marks)
        before = after = [0] * len(first)
        if game.rule.exact:
            before, after = ([*map(add, [0, *own[path]], [*own[path][game.k :], 0])] for own in marks)
        yield path, first, second, before, after


def _sums(numbers: list[int], k: int) -> list[int]:
    """The sums of k neighbours, from left to right."""
    upto = [0, *accumulate(numbers)]
    return list(map(sub, upto[k:], upto))


# Lines as windows, of boards on which cells are looked at one by one:
#
#     3x3, the column of cells 1 4 7  =  pattern 0b001_001_001 (bits 0 3 6), shift 1


@lru_cache(maxsize=4)
def windows(game: Game) -> tuple[Window, ...]:
    """Every line of the board."""
    return tuple((line[0], game.bits_of(line) >> line[0]) for line in game.lines())


@lru_cache(maxsize=4)
def _windows_through(game: Game) -> list[list[Window]]:
    """For each cell every line through it."""
    found: list[list[Window]] = [[] for _ in range(game.cells)]
    for line, window in zip(game.lines(), windows(game), strict=True):
        for cell in line:
            found[cell].append(window)
    return found
