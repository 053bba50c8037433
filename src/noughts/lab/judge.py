"""Is a method right? Asked before anything is timed, on many positions, against a plain definition.

On a small board these are all the positions that legal play can reach, elsewhere positions of random games.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from noughts.lab.methods import Method
from noughts.rules.game import Cell, Game
from noughts.rules.marks import Mark, O, X
from noughts.rules.position import Position

EXHAUSTIVE_CELLS = 9
RANDOM_POSITIONS = 300


class Case(NamedTuple):
    """A position, a last move that may have led to it, and the truth: who owns a completed line."""

    position: Position
    last: Cell | None
    owner: Mark | None


@dataclass(frozen=True)
class Accuracy:
    """How many positions a method was asked about, how many it misjudged, and the first of those."""

    checked: int
    wrong: int
    example: Position | None = None

    @property
    def right(self) -> bool:
        """Did it agree everywhere?"""
        return self.wrong == 0


def judge(method: Method, game: Game, cases: Iterable[Case]) -> Accuracy:
    """Ask a method about these positions."""
    prepare = method.prepare(game)
    checked, wrong = 0, []
    for position, last, owner in cases:
        names = prepare(position, last)
        if names is None:
            continue
        checked += 1
        try:
            agrees = method.answer(names) is owner
        except Exception:  # whatever it trips over, it did not give the answer
            agrees = False
        if not agrees:
            wrong.append(position)
    return Accuracy(checked, len(wrong), wrong[0] if wrong else None)


def owner_of_line(position: Position) -> Mark | None:
    """The definition: go through all lines, and see whether one player holds every cell.

    >>> owner_of_line(Position.parse("XO./XO./X.."))
    <Mark.X: 'X'>
    """
    for mask in _masks(position.game):
        if not mask & ~position.x:
            return X
        if not mask & ~position.o:
            return O
    return None


@lru_cache(maxsize=8)
def _masks(game: Game) -> list[int]:
    return [game.bits_of(line) for line in game.lines()]


@lru_cache(maxsize=16)
def cases(game: Game, seed: int = 0) -> list[Case]:
    """The positions on which methods are judged.

    >>> len(cases(Game()))
    5478
    """
    found = (_reachable if game.cells <= EXHAUSTIVE_CELLS else _random)(game, seed)
    return [Case(position, last, owner_of_line(position)) for position, last in found]


def _reachable(game: Game, seed: int) -> list[tuple[Position, Cell | None]]:
    """Every position, with one of the moves that can have been the last."""
    rng = random.Random(seed)
    ways: dict[Position, list[Cell]] = {}
    for position in game.positions():
        for cell in position.moves():
            ways.setdefault(position.play(cell), []).append(cell)
    return [(game.start(), None), *((position, rng.choice(cells)) for position, cells in ways.items())]


def _random(game: Game, seed: int) -> list[tuple[Position, Cell | None]]:
    """Positions of random games: of each game the last, which is where the lines are, and some before it."""
    rng = random.Random(seed)
    found: list[tuple[Position, Cell | None]] = []
    while len(found) < RANDOM_POSITIONS:
        played: list[tuple[Position, Cell | None]] = [(game.start(), None)]
        while not played[-1][0].is_over:
            cell = rng.choice(played[-1][0].moves())
            played.append((played[-1][0].play(cell), cell))
        found += rng.sample(played[:-1], min(5, len(played) - 1)) + played[-1:]
    return found


def __getattr__(name: str) -> object:
    from noughts.moved import find

    return find(__name__, name)
