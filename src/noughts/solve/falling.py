"""Exact values where marks fall (Connect Four and its kin), position by position, whatever the size of the game.

The native core searches with alpha-beta and remembers what it found (`native/connect.hpp`). Its twin, which says what
is right, is the plain solver, which tries everything. The opening of Connect Four stands in a book (`book.py`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from noughts import native
from noughts.rules.game import Game
from noughts.rules.position import Position
from noughts.rules.value import Outcome, Value
from noughts.words import whole

if TYPE_CHECKING:
    from noughts import _core

MOST_BITS = 64  # of the core's sets: each column has one more than it has cells
TABLE = 22  # 2^22 words of the table: 32 MB
NO_LIMIT = 2**64 - 1
OUTCOMES: dict[int, Outcome] = {1: "win", 0: "tie", -1: "loss"}


def supports(game: Game) -> bool:
    """Do marks fall on this board, and is it small enough for the core, which must be installed?"""
    return game.gravity and (game.rows + 1) * game.columns <= MOST_BITS and native.core() is not None


def value(position: Position, *, nodes: int | None = None, threads: int = 1) -> Value | None:
    """The exact value for the player to move; None if more than about so many nodes would have to be searched.

    >>> value(Position.parse("6x7k4g:444444333333222"))
    Value(outcome='loss', remoteness=2)
    """
    return search(position, nodes, threads)[0]


def search(
    position: Position, nodes: int | None = None, threads: int = 1, table: int = TABLE
) -> tuple[Value | None, int]:
    """The value, or None at the limit of nodes; and how many were searched, with a table of 2^table words."""
    limit = NO_LIMIT if nodes is None else whole("nodes", nodes, 0, NO_LIMIT)
    threads = whole("threads", threads, 1, native.MAX_THREADS)
    if position.is_over:
        return position.final_value, 0
    found = solver(position.game, table).value(position.x, position.o, limit, threads)
    return (None, limit) if found is None else (Value(OUTCOMES[found[0]], found[1]), found[2])


@lru_cache(maxsize=2)
def solver(game: Game, table: int = TABLE) -> _core.Connect:
    """The core's solver of a game, with a table of 2^table words, and what it remembers."""
    from noughts import _core

    handle = native.handle(game)
    if handle is None or not supports(game):
        raise ValueError(
            f"{game} is not solved position by position: that takes gravity, a board of at most "
            f"{MOST_BITS} cells with one more row, and the native core"
        )
    return _core.Connect(handle, table)
