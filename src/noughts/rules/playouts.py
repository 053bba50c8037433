"""Playouts: uniformly random games from a position to the end, for a seed.

Random play is a random order of the free cells, cut at the first line. A game is drawn from the seed and its number
alone, in the way that `playout_plain` says, so neither threads nor the native core change a result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from noughts import native
from noughts.rules.game import MANY, Cell, Game
from noughts.rules.marks import Status, X
from noughts.rules.position import Position
from noughts.words import whole

NATIVE_SIDE = 32  # rows and columns
PLAIN_PLIES = 100_000_000  # about two minutes
MAX_GAMES = 10**12

WORD = 2**64
GAMMA = 0x9E3779B97F4A7C15


class Tally(NamedTuple):
    """Results of many games, and the moves that they took together."""

    x_wins: int
    o_wins: int
    draws: int
    plies: int


def playouts(position: Position, games: int, seed: int = 0, threads: int = 1) -> Tally:
    """Play so many random games to the end.

    >>> from noughts.rules.game import Game
    >>> playouts(Game().start(), 1000, seed=7)
    Tally(x_wins=604, o_wins=275, draws=121, plies=7625)
    """
    games, seed = whole("games", games, 0, MAX_GAMES), whole("seed", seed)
    threads = whole("threads", threads, 1, native.MAX_THREADS)
    game, core = position.game, native.handle(position.game)
    if position.is_over:
        return _tally({position.status: games}, 0)
    if core is None or max(game.rows, game.columns) > NATIVE_SIDE:
        return playouts_plain(position, games, seed)
    x, o = game.cells_of(position.x), game.cells_of(position.o)
    return Tally(*core.playouts(x, o, games, seed % WORD, threads))


def _tally(ends: dict[Status, int], plies: int) -> Tally:
    return Tally(ends.get(Status.X_WINS, 0), ends.get(Status.O_WINS, 0), ends.get(Status.DRAW, 0), plies)


# The plain twin


def playouts_plain(position: Position, games: int, seed: int = 0) -> Tally:
    """`playouts` in Python."""
    free = position.empty.bit_count()
    if games * free > PLAIN_PLIES:
        raise ValueError(
            f"{games:,} games of up to {free:,} moves are too many without the native core, which plays boards up to "
            f"{NATIVE_SIDE} x {NATIVE_SIDE}: the limit is {PLAIN_PLIES:,} moves together"
        )
    ends: Counter[Status] = Counter()
    plies = 0
    playout = playout_plain if position.game.cells <= MANY or position.game.gravity else playout_long
    for number in range(games):
        end = playout(position, seed, number)
        ends[end.status] += 1
        plies += end.marks - position.marks
    return _tally(ends, plies)


def playout_plain(position: Position, seed: int, number: int) -> Position:
    """How game `number` of a seed ends.

    Every fourth ply takes a fresh random word w: the fraction w / 2^64. Multiplied by the number of cells that may be
    played, its whole part chooses one of them, and the rest is the fraction for the next ply. The last of them moves
    into the place of the chosen one; where marks fall, the cell above it does, if there is one. (With more than 256
    cells a choice needs more than 8 bits: there every ply takes a word.)
    """
    order = drawn(position, seed, number)
    while not position.is_over:
        position = position.play(next(order))
    return position


def playout_long(position: Position, seed: int, number: int) -> Position:
    """`playout_plain` for large boards, where a look at the whole board after each move would take too long.

    So it looks after 64 moves, 128, 256, … for k or more in a row; where they have come up, those that were there first
    ended the game. Or not, if only exactly k count: from there on it looks after each move.
    """
    order, cells = drawn(position, seed, number), list[Cell]()
    game = Game(position.game.rows, position.game.columns, position.game.k)
    end = Position.unchecked(game, position.x, position.o)
    while not end.is_over:
        cells += islice(order, max(64, len(cells)))
        end = _after(game, position, cells)
    ply = {cell: ply for ply, cell in enumerate(cells, 1)}
    lines = chain(game.rule.lines_in(end.x), game.rule.lines_in(end.o))
    last = min((max(ply.get(cell, 0) for cell in line) for line in lines), default=len(cells))
    position = _after(position.game, position, cells[:last])
    order = chain(cells[last:], order)
    while not position.is_over:
        position = position.play(next(order))
    return position


def _after(game: Game, position: Position, cells: list[Cell]) -> Position:
    """The position of this game after these moves from a position, whether or not one of them ended it."""
    first, second = game.bits_of(cells[::2]), game.bits_of(cells[1::2])
    x, o = (first, second) if position.turn is X else (second, first)
    return Position.unchecked(game, position.x | x, position.o | o)


def drawn(position: Position, seed: int, number: int) -> Iterator[Cell]:
    """The free cells in the order in which game `number` of a seed plays them, as `playout_plain` tells."""
    free, start, lift = position.moves(), 65536 * number, position.game.columns
    fraction = ply = 0
    while free:
        if ply % 4 == 0 or len(free) > 256:
            fraction = word(seed, start + ply)
        chosen, fraction = divmod(fraction * len(free), WORD)
        cell = free[chosen]
        if position.game.gravity and cell >= lift:
            free[chosen] = cell - lift
        else:
            free[chosen] = free[-1]
            free.pop()
        yield cell
        ply += 1


def word(seed: int, index: int) -> int:
    """The random word of that index: SplitMix64, which makes any of them without the ones before."""
    return mix(_first(seed) + (index + 1) * GAMMA)


@lru_cache(maxsize=16)
def _first(seed: int) -> int:
    return mix(seed)


def mix(z: int) -> int:
    """A word whose bits all depend on all of these."""
    z %= WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB % WORD
    return z ^ z >> 31
