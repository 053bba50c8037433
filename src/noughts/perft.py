"""Counting games by walking the tree, move by move: the measure by which rules engines are checked against each other.

perft(position, depth)   how many sequences of exactly `depth` legal moves there are; a finished game has none
count_games(position)    how many complete games there are, by result
"""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

from noughts import native
from noughts.game import whole
from noughts.position import Position, Status

NATIVE_CELLS = 64
NATIVE_NODES = 10_000_000_000  # about a minute
PLAIN_NODES = 10_000_000
LARGEST = 2**64 - 1  # limit that the core can hold


class TooManyNodes(ValueError):
    """The tree has more nodes than the limit."""


class Games(NamedTuple):
    """Complete games, by result."""

    x_wins: int
    o_wins: int
    draws: int


def perft(position: Position, depth: int, limit: int | None = None) -> int:
    """How many sequences of `depth` legal moves there are; TooManyNodes after about `limit` nodes.

    >>> from noughts.game import Game
    >>> [perft(Game().start(), depth) for depth in range(6)]
    [1, 9, 72, 504, 3024, 15120]
    """
    depth, game, core = whole("depth", depth, 0), position.game, _core(position)
    limit = _limit(limit, core)
    if core is None:
        return perft_plain(position, depth, limit)
    x, o = game.compact(position.x), game.compact(position.o)
    depth = min(depth, game.cells + 1)
    count = core.perft(game.rows, game.columns, game.k, x, o, depth, min(limit, LARGEST))
    if count is None:
        raise _too_many(limit)
    return int(count)


def count_games(position: Position, limit: int | None = None) -> Games:
    """All complete games from here on; TooManyNodes after about `limit` nodes.

    >>> from noughts.game import Game
    >>> count_games(Game(2, 3, 3).start())
    Games(x_wins=72, o_wins=0, draws=648)
    """
    game, core = position.game, _core(position)
    limit = _limit(limit, core)
    if core is None:
        return count_games_plain(position, limit)
    x, o = game.compact(position.x), game.compact(position.o)
    counts = core.count_games(game.rows, game.columns, game.k, game.misere, x, o, min(limit, LARGEST))
    if counts is None:
        raise _too_many(limit)
    return Games(*counts)


def _core(position: Position) -> ModuleType | None:
    """The native core, where it is installed and counts on this board."""
    return native.core() if position.game.cells <= NATIVE_CELLS else None


def _limit(limit: int | None, core: ModuleType | None) -> int:
    if limit is None:
        return PLAIN_NODES if core is None else NATIVE_NODES
    return whole("limit", limit, 1)


def _too_many(limit: int) -> TooManyNodes:
    return TooManyNodes(f"this tree has more than {limit:,} nodes, the limit: give a smaller depth or a higher limit")


# The plain twins


def perft_plain(position: Position, depth: int, limit: int = PLAIN_NODES) -> int:
    """`perft` in Python."""
    nodes = 0

    def walk(position: Position, depth: int) -> int:
        nonlocal nodes
        nodes += 1
        if nodes > limit:
            raise _too_many(limit)
        if depth == 0:
            return 1
        return sum(walk(position.play(cell), depth - 1) for cell in position.moves())

    return walk(position, depth)


def count_games_plain(position: Position, limit: int = PLAIN_NODES) -> Games:
    """`count_games` in Python."""
    nodes = 0
    ends = dict.fromkeys(Status, 0)

    def walk(position: Position) -> None:
        nonlocal nodes
        nodes += 1
        if nodes > limit:
            raise _too_many(limit)
        if position.is_over:
            ends[position.status] += 1
        for cell in position.moves():
            walk(position.play(cell))

    walk(position)
    return Games(ends[Status.X_WINS], ends[Status.O_WINS], ends[Status.DRAW])
