"""Which solution answers: one that is at hand, or can be made while someone waits.

    chosen        a solution that `use` named, or one in a folder of NOUGHTS_DB (several with the path separator)
    on the spot   a game of up to 12 cells is solved natively in about a millisecond and stays in memory
    once          a larger one of up to about 20 cells is solved in a second or so and stays in the cache folder

Without the native core there are only the first, and what an earlier solve left in the cache. A folder that cannot be
written costs only time: the game is then solved once a process. Threads and processes may ask at the same time.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from noughts.rules.game import Game
from noughts.solve.problems import Damaged, TooLarge

if TYPE_CHECKING:
    from noughts.solve.solution import Solution

T = TypeVar("T")

ON_THE_SPOT = 12  # cells
MAX_CELLS = 20
MAX_IN_MEMORY = 400_000_000  # bytes of all solutions that could not be put into the cache

_at_hand: dict[Game, Solution | None] = {}  # None: it is too large to be made
_chosen: set[Game] = set()  # those of the solutions at hand that the user chose
_lock = threading.RLock()


def _unlock() -> None:
    """A child of fork has only the thread that forked: nobody is left to give back a lock that another one held."""
    global _lock  # noqa: PLW0603
    _lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unlock)


def use(solution: Solution) -> Solution:
    """Answer for the positions of its game from this solution from now on, in the whole process."""
    with _lock:
        _at_hand[solution.game] = solution
        _chosen.add(solution.game)
    return solution


def forget(game: Game) -> None:
    """No longer answer from what is at hand for this game; what is in the cache folder stays there."""
    with _lock:
        _at_hand.pop(game, None)
        _chosen.discard(game)


def ask(game: Game, question: Callable[[Solution], T], *, make: bool = True) -> T | None:
    """The answer of a game's solution; None if there is none, and none is to be made or it would be too large."""
    solution = _at_hand.get(game) or find(game)
    if solution is None and make and game.cells <= MAX_CELLS:
        solution = _make_once(game)
    if solution is None:
        return None
    try:
        return question(solution)
    except Damaged:
        if game in _chosen:
            raise  # the user should hear of it
        fresh = _make_again(game)
        return None if fresh is None else question(fresh)


def find(game: Game) -> Solution | None:
    """The solution of a game that answers without being made."""
    folders = os.environ.get("NOUGHTS_DB")
    if not _at_hand.get(game) and folders:
        for solution in _open_all(folders):
            if solution.game == game:
                use(solution)
    return _at_hand.get(game)


@lru_cache(maxsize=1)
def _open_all(folders: str) -> list[Solution]:
    from noughts.solve.solution import Solution

    return [Solution.open(folder) for folder in folders.split(os.pathsep)]


# Making one


def _make_once(game: Game) -> Solution | None:
    with _lock:  # one thread makes it, the others wait
        if game not in _at_hand:
            _at_hand[game] = _make(game)
            _make_room(game)
        return _at_hand[game]


def _make(game: Game) -> Solution | None:
    from noughts.solve import cache
    from noughts.solve.backends import usable
    from noughts.solve.index import index_of
    from noughts.solve.solution import Solution

    most, small = usable()[0].while_waiting, game.cells <= ON_THE_SPOT
    if not most:
        return None if small else cache.find(game)
    try:
        if small:
            return Solution.solve(game, threads=1)
        if sum(index_of(game).level_bytes()) > most:
            return None
        return cache.find(game) or cache.make(game) or Solution.solve(game)
    except TooLarge:
        return None


def _make_again(game: Game) -> Solution | None:
    """A solution in memory, in place of a damaged one in the cache folder."""
    from noughts.solve import cache
    from noughts.solve.solution import Solution

    with _lock:
        forget(game)
        cache.discard(game)
        try:
            _at_hand[game] = Solution.solve(game)
        except TooLarge:
            _at_hand[game] = None
        return _at_hand[game]


def _make_room(newest: Game) -> None:
    """Drop the oldest of the solutions that live in memory when they are too many."""
    in_memory = {
        game: sum(len(level) for level in solution.levels if isinstance(level, bytearray))
        for game, solution in _at_hand.items()
        if solution and game not in _chosen
    }
    for game, size in list(in_memory.items()):
        if sum(in_memory.values()) > MAX_IN_MEMORY and size and game != newest:
            del _at_hand[game], in_memory[game]
