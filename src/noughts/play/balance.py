"""The opening rules with which people balance a game that X would win: swap and swap2.

    swap    one lays the first three marks, X O X; the other takes the side that they like
    swap2   the other may also lay two more, O X, and leave the choice to the first

People lay and choose for themselves. For a player of ours, or a program, the engine does it on a small budget: it lays
marks that look even to it, and takes the side that looks better. To lay two more can look no better than even, so it
never does that, and between players the two rules are one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from noughts.engine import Engine, require_game, require_open
from noughts.engine.opening import lay_three, prefers
from noughts.rules.answer import Answer
from noughts.rules.game import Cell, Game
from noughts.rules.marks import Mark
from noughts.rules.position import Position, replay
from noughts.words import listing

Opening = Literal["free", "swap", "swap2"]
OPENINGS: tuple[Opening, ...] = ("free", "swap", "swap2")
LAID, MORE = 3, 2  # marks that the first lays, and that the other may add
NODES = 4000  # of the engine, for each opening that it looks at
CHOICE = 60_000  # of it, to take a side


class NoSuchOpening(ValueError):
    """There is no such opening rule, or not in this game."""


@dataclass(frozen=True)
class Laid(Answer):
    """The first three marks of a game, X O X, after which neither side looks better to the engine."""

    keys = "game seed moves=cells@ position"

    game: Game
    seed: int
    cells: tuple[Cell, ...]

    @property
    def position(self) -> Position:
        """The position after them."""
        return replay(self.game.start(), self.cells)[-1]


@dataclass(frozen=True)
class Taken(Answer):
    """The side that the engine takes, and the share of the points that it believes in there."""

    keys = "position takes=mark chance"

    position: Position
    mark: Mark
    chance: float


def read_opening(text: str, game: Game) -> Opening:
    """An opening rule by its name, where the game can be played by it."""
    if text not in OPENINGS:
        raise NoSuchOpening(f"there is no opening {text!r}: expected {listing(OPENINGS, 'or')}")
    if text != "free":
        require_game(game)
        if game.cells < 2 * (LAID + MORE) or game.k <= LAID:
            raise NoSuchOpening(f"{game} is too small for {text}, by which {LAID + MORE} marks may be laid first")
    return text


def lay(game: Game, seed: int = 0) -> Laid:
    """Three marks that look even, as varied as the seed.

    >>> laid = lay(Game(15, 15, 5), seed=1)
    >>> len(laid.cells), laid.position.marks, laid == lay(Game(15, 15, 5), seed=1)
    (3, 3, True)
    """
    read_opening("swap", game)
    return Laid(game, seed, tuple(lay_three(Engine(game, memory_mb=8), seed, nodes=NODES)))


def take(position: Position) -> Taken:
    """The side that looks better in a position."""
    require_game(position.game)
    require_open(position)
    better, view = prefers(Engine(position.game, memory_mb=8), position, nodes=CHOICE)
    chance = view.best.chance
    return Taken(position, position.turn if better else position.turn.other, chance if better else 1 - chance)
