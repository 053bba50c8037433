"""How many positions can arise with so many marks, where marks fall: counted alone, on boards too large to solve.

>>> from noughts import Game
>>> counted = count_positions(Game.parse("6x7k4g"), 6)
>>> counted.positions
(1, 7, 49, 238, 1120, 4263, 16422)
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

from noughts import words
from noughts.native import MAX_THREADS, handle
from noughts.progress import Progress, finish, from_callbacks
from noughts.rules.answer import SIZE, Answer
from noughts.rules.game import Bits, Game
from noughts.solve.index import MAX_FALLING, MAX_RACKS
from noughts.solve.machine import free_memory, processors
from noughts.solve.problems import InvalidSolve, TooLarge
from noughts.words import whole

MAX_PLAIN = 2_000_000  # positions of a level that Python counts while someone waits


@dataclass(frozen=True)
class PositionCounts(Answer):
    """How many positions can arise with 0, 1, 2 … marks."""

    keys = f"game {SIZE} positions"

    game: Game
    positions: tuple[int, ...]


def count_positions(game: Game, marks: int, *, threads: int | None = None) -> PositionCounts:
    """Count the positions with up to so many marks that legal play can reach; TooLarge if there are too many."""
    return finish(counting(game, marks, threads=threads))


def counting(game: Game, marks: int, *, threads: int | None = None) -> Generator[Progress, None, PositionCounts]:
    """Count positions as `count_positions` does, and tell each level."""
    if not game.gravity:
        raise InvalidSolve(
            f"positions are counted by marks where marks fall, as in {game}g: noughts solve {game} counts all"
        )
    marks = whole("marks", marks, 0, game.cells, InvalidSolve)
    workers = processors() if threads is None else whole("threads", threads, 1, MAX_THREADS, InvalidSolve)
    if (game.rows + 1) * game.columns > 64 or (game.rows + 1) ** game.columns > MAX_RACKS:
        raise TooLarge(f"{game} has too many ways to fill its columns to be counted: at most {MAX_RACKS:,} are taken")
    if marks > MAX_FALLING:
        raise TooLarge(f"positions of at most {MAX_FALLING} marks are counted, not of {marks}")
    native, free = handle(game), free_memory()
    if native and free is not None and (memory := native.counting_memory(marks)) > free:
        raise TooLarge(
            f"counting the positions of {game} with up to {marks} marks takes {words.size(memory)} of memory; free are "
            f"{words.size(free)}"
        )
    found: list[int] = []

    def work(tell: Callable[[Progress], None]) -> None:
        def progress() -> None:
            tell(Progress(f"counting {game} by marks", len(found), marks + 1))

        def level_done(positions: int) -> None:
            found.append(positions)
            progress()

        if native:
            native.count_positions(marks, workers, level_done, progress)
        else:
            _count(game, marks, level_done)

    yield from from_callbacks(work)
    return PositionCounts(game, tuple(found))


def _count(game: Game, marks: int, level_done: Callable[[int], None]) -> None:
    """The plain twin: the boards of a level, all of them, from those of the one before."""
    level: set[tuple[Bits, Bits]] = {(0, 0)}  # who moves next, who moved last
    for number in range(marks + 1):
        level_done(len(level))
        after = set()
        for mine, theirs in level if number < marks else ():
            if not game.rule.has_line(theirs):
                moves = game.rule.playable(mine | theirs)
                while moves:
                    move = moves & -moves
                    moves ^= move
                    after.add((theirs, mine | move))
        level = after
        if len(level) > MAX_PLAIN:
            raise TooLarge(f"{game} has more than {MAX_PLAIN:,} positions of {number + 1} marks: too many for Python")
