"""What a solve will take, before it is begun; and what the atlas knows of the game."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.rules.answer import SIZE, Answer
from noughts.rules.game import Game
from noughts.rules.symmetry import symmetries
from noughts.solve.atlas import Row, load
from noughts.solve.index import index_of
from noughts.solve.job import Expected
from noughts.solve.strong import expect


class TooMuchWork(ValueError):
    """Nobody waits that long before a page."""


@dataclass(frozen=True)
class ExpectedLevel(Answer):
    """A level and about how many positions it has."""

    marks: int
    positions: int


@dataclass(frozen=True)
class Prospect(Answer):
    """What a solve will take; `refusal` says why it will not be done, `known` what the atlas knows of the game."""

    keys = (
        f"game {SIZE} refusal expected.positions expected.seconds expected.memory expected.backend expected.threads "
        "levels known"
    )

    game: Game
    refusal: str | None
    expected: Expected | None
    levels: tuple[ExpectedLevel, ...]
    known: Row | None


def require_within(expected: Expected, seconds: int) -> None:
    """Refuse a solve that takes more than the machine has, or longer."""
    expected.require()
    if expected.seconds > seconds:
        raise TooMuchWork(f"{expected}; over HTTP a solve may take {seconds} seconds, in the shell as long as it needs")


def prospect(game: Game, seconds: int) -> Prospect:
    """What a solve of this game will take, or why it is refused, if it may last so many seconds.

    >>> [level.positions for level in prospect(Game(1, 2, 2), 60).levels]
    [2, 2, 2]
    >>> prospect(Game(6, 6, 4), 60).refusal
    '6x6k4 has 36 cells: strong solving takes at most 30'
    """
    expected, refusal = None, None
    levels: tuple[ExpectedLevel, ...] = ()
    try:
        expected, each = expect(game), len(symmetries(game))
        sizes = index_of(game).level_bytes()
        levels = tuple(ExpectedLevel(marks, size * each) for marks, size in enumerate(sizes))
        require_within(expected, seconds)
    except ValueError as problem:
        refusal = str(problem)
    lying = game if game.gravity else game.on(*sorted((game.rows, game.columns)))  # a tall board, turned
    row = load().get(lying)
    return Prospect(game, refusal, expected, levels, row if row and row.computed else None)
