"""Counting games by walking the tree, move by move: the measure by which rules engines are checked against each other.

perft(position, depth)   how many sequences of exactly `depth` legal moves there are; a finished game has none
count_games(position)    how many complete games there are, by result
"""

from __future__ import annotations

from itertools import count
from math import factorial
from typing import TYPE_CHECKING, NamedTuple

from noughts import native
from noughts.rules.game import Game
from noughts.rules.marks import Status
from noughts.rules.position import Position, require
from noughts.words import whole

if TYPE_CHECKING:
    from noughts import _core

NATIVE_CELLS = 64
NATIVE_VISITS = 10_000_000_000  # some minutes: the core counts the last moves without making them
PLAIN_NODES = 10_000_000
PLAIN_CELLS = 5_000_000_000  # of all nodes together: on a large board each takes longer
LARGEST = 2**64 - 1  # limit that the core can hold


class TooManyNodes(ValueError):
    """The tree has more nodes than the limit."""


class Games(NamedTuple):
    """Complete games, by result."""

    x_wins: int
    o_wins: int
    draws: int


def perft(position: Position, depth: int, limit: int | None = None) -> int:
    """How many sequences of `depth` legal moves there are; TooManyNodes if their tree has more than `limit` nodes.

    A node is a move, whether or not another leads to the same position, or the root. Of more moves than there are
    free cells nothing is walked.

    >>> from noughts.rules.game import Game
    >>> [perft(Game().start(), depth) for depth in range(6)]
    [1, 9, 72, 504, 3024, 15120]
    """
    require(position, Position, "perft")
    depth, game, core = whole("depth", depth, 0), position.game, _counter(position)
    limit, visits = _limits(position, limit, core)
    if core is None:
        return perft_plain(position, depth, limit)
    if depth <= position.empty.bit_count() and _surely_more(position, depth - 2, min(limit, visits)):
        raise _too_many(min(limit, visits))
    count = core.perft(position.x, position.o, min(depth, game.cells + 1), limit, visits)
    if count is None:
        raise _too_many(min(limit, visits))
    return int(count)


def count_games(position: Position, limit: int | None = None) -> Games:
    """All complete games from here on; TooManyNodes if their tree has more than `limit` nodes, as in `perft`.

    >>> from noughts.rules.game import Game
    >>> count_games(Game(2, 3, 3).start())
    Games(x_wins=72, o_wins=0, draws=648)
    """
    require(position, Position, "count_games")
    core = _counter(position)
    limit, visits = _limits(position, limit, core)
    if core is None:
        return count_games_plain(position, limit)
    if _surely_more(position, position.game.cells, min(limit, visits)):
        raise _too_many(min(limit, visits))
    counts = core.count_games(position.x, position.o, limit, visits)
    if counts is None:
        raise _too_many(min(limit, visits))
    return Games(*counts)


def _counter(position: Position) -> _core.Game | None:
    """The game as the native core knows it, where that is installed and counts on this board."""
    return native.handle(position.game) if position.game.cells <= NATIVE_CELLS else None


def _limits(position: Position, limit: int | None, core: object | None) -> tuple[int, int]:
    """The most nodes, and the most that the core visits."""
    if limit is not None:
        return min(whole("limit", limit, 1), LARGEST), LARGEST
    return (LARGEST, NATIVE_VISITS) if core else (min(PLAIN_NODES, PLAIN_CELLS // position.game.cells), 0)


def _surely_more(position: Position, plies: int, most: int) -> bool:
    """Are there surely more than `most` nodes within so many plies?

    All moves count while both have fewer marks than a line; then one game tells of all other orders of its moves.
    """
    if position.is_over or position.game.gravity:
        return False
    game, free, nodes = position.game, position.empty.bit_count(), 1
    for ply in range(min(plies, free, 2 * (game.k - 1 - max(position.x.bit_count(), position.o.bit_count())))):
        nodes *= free - ply
        if nodes > most:
            return True
    deepest = _least_plies(game, most)
    for _ in range(deepest if deepest <= min(plies, free) else 0):
        after = [after for cell in position.moves() if not (after := position.play(cell)).is_over]
        if not after:
            return False
        position = after[0]
    return deepest <= min(plies, free)


def _least_plies(game: Game, most: int) -> int:
    """The fewest plies after which there are more than `most` nodes, if there is a game of so many.

    Where play goes on after x moves of X and o of O, it also did in every other order of them: x! * o! nodes. Not so
    where the order matters.
    """
    if not game.rule.any_order:
        return game.cells + 1
    orders = (factorial((plies + 1) // 2) * factorial(plies // 2) for plies in count())
    return next(plies for plies, least in enumerate(orders) if least > most)


def _too_many(limit: int) -> TooManyNodes:
    return TooManyNodes(f"this tree has more than {limit:,} nodes, the limit: give a smaller depth or a higher limit")


# The plain twins


def perft_plain(position: Position, depth: int, limit: int = PLAIN_NODES) -> int:
    """`perft` in Python."""
    if depth > position.empty.bit_count():
        return 0
    tree = _Tree(position.game, limit)

    def walk(position: Position, plies: int) -> int:
        if plies == depth:
            return 1
        moves = tree.enter(position, plies)
        return moves if plies + 1 == depth else sum(walk(position.play(cell), plies + 1) for cell in position.moves())

    return walk(position, 0)


def count_games_plain(position: Position, limit: int = PLAIN_NODES) -> Games:
    """`count_games` in Python."""
    tree = _Tree(position.game, limit)
    ends = dict.fromkeys(Status, 0)

    def walk(position: Position, plies: int) -> None:
        if position.is_over:
            ends[position.status] += 1
        elif tree.enter(position, plies):
            for cell in position.moves():
                walk(position.play(cell), plies + 1)

    walk(position, 0)
    return Games(ends[Status.X_WINS], ends[Status.O_WINS], ends[Status.DRAW])


class _Tree:
    """What is known of the size of a tree while it is walked; TooManyNodes as soon as it is over the limit for sure."""

    def __init__(self, game: Game, limit: int) -> None:
        self.limit = limit
        self.nodes = 1
        self.deepest = _least_plies(game, limit)

    def enter(self, position: Position, plies: int) -> int:
        """How many moves there are in a position so many plies from the start; each is one more node."""
        moves = position.playable.bit_count()
        self.nodes += moves
        if self.nodes > self.limit or (moves and plies >= self.deepest):
            raise _too_many(self.limit)
        return moves
