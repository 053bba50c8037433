"""How games begin: a first mark near the centre, varied by a seed, and the rules by which people balance the game.

X wins 15x15k5, so people let one side open and the other choose. By `swap`, the first three marks are laid by one
player, and the other takes the side that they like. By `swap2` they may also leave that choice to the first, after two
more marks.

Whoever has to lay marks lays some that look even to the engine; whoever may choose takes the side that looks better. To
lay two more and let the other choose can look no better than even, so the engine never does that.
"""

from __future__ import annotations

from random import Random
from typing import Any

from noughts.engine import Engine, View
from noughts.rules.game import Cell, Game
from noughts.rules.position import Position

TRIALS = 12  # openings of which the most even is laid
REACH = 3  # cells from the centre


def central(game: Game, reach: int = 1) -> list[Cell]:
    """The cells at the centre, and those around it.

    >>> central(Game(15, 15, 5), 0), central(Game(4, 4, 4), 0)
    ([112], [5, 6, 9, 10])
    """
    middle = [((side - 1) // 2 - reach, side // 2 + reach) for side in (game.rows, game.columns)]
    (top, bottom), (left, right) = ((max(0, low), high) for low, high in middle)
    return [
        row * game.columns + column
        for row in range(top, min(bottom, game.rows - 1) + 1)
        for column in range(left, min(right, game.columns - 1) + 1)
    ]


def first_mark(game: Game, seed: int) -> Cell:
    """The first mark of a game: in or near the centre, as the seed says; with seed 0 in the centre."""
    return Random(seed).choice(central(game, int(seed != 0)))


def lay_three(engine: Engine, seed: int = 0, **limits: Any) -> list[Cell]:
    """The three marks of an opening, X O X, after which neither side looks better; as varied as the seed.

    `limits` are those of the search that looks at each opening.
    """
    dice, near = Random(seed), central(engine.game, REACH)
    drawn = [dice.sample(near, 3) for _ in range(TRIALS)]

    def bias(cells: list[Cell]) -> float:
        position = engine.game.start()
        for cell in cells:
            position = position.play(cell)
        return 1.0 if position.is_over else abs(engine.think(position, **limits).best.chance - 0.5)

    return min(drawn, key=bias)


def prefers(engine: Engine, position: Position, **limits: Any) -> tuple[bool, View]:
    """Is the side to move the better one to have, as the engine sees it? And what it sees."""
    view = engine.think(position, **limits)
    return view.best.chance >= 0.5, view
