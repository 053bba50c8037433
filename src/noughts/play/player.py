"""A player is a function from a position to the cell that it plays there.

choices    a player that chooses among several cells also says which: `choices(position)`. Certification follows
           them all; where there is no `choices`, the cell that the player names is its only one.
seed       all chance comes from it. A choice depends on the seed and the position alone, so that a player who is
           asked twice answers the same; another seed is another player of the same kind.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, Protocol

from noughts.rules.answer import Answer
from noughts.rules.game import Bits, Cell, Game
from noughts.rules.position import IllegalMove, Position
from noughts.words import brief, whole

Player = Callable[[Position], Cell]

MOST_SECONDS = 3600.0  # of a move
LONGEST = 100  # digits of a number that is looked at


class Chooser(Protocol):
    """A player that says among which cells it chooses."""

    def __call__(self, position: Position, /) -> Cell: ...

    def choices(self, position: Position, /) -> list[Cell]:
        """The cells among which it chooses here."""


class CannotPlay(ValueError):
    """This player has no answer here: not its game, or a value that it does not know."""


class Forfeit(ValueError, Answer):
    """A player broke the rules: `problem` says how, `position` where."""

    position: Position
    problem: str

    def __init__(self, position: Position, problem: str) -> None:
        super().__init__(f"{problem} (in {position})")
        self.position = position
        self.problem = problem


class InvalidPlayer(ValueError):
    """There is no such player."""


def choices(player: Player, position: Position) -> list[Cell]:
    """The cells among which any player chooses here.

    >>> choices(lambda position: position.moves()[-1], Game().start())
    [8]
    """
    several = getattr(player, "choices", None)
    return [player(position)] if several is None else list(several(position))


def decide(player: Player, position: Position) -> list[Cell]:
    """The cells among which any player chooses here, each checked; what cannot be played is a Forfeit."""
    cells = choices(player, position)
    if not cells:
        raise Forfeit(position, "it has no move to offer")
    return [played(position, cell)[0] for cell in cells]


def played(position: Position, move: Any) -> tuple[Cell, Position]:
    """The cell of a player's move, whatever that is, and the position after it; Forfeit, if it cannot be played."""
    try:
        after = position.play(move)
        return position.cell(move), after
    except IllegalMove as problem:
        raise Forfeit(position, f"its move cannot be played: {problem}") from None


def describe(player: Player) -> str:
    """A player's name: what it says of itself, or the name of the function."""
    return str(player) if hasattr(player, "name") else getattr(player, "__name__", type(player).__name__)


@dataclass(frozen=True)
class Choosing(ABC):
    """What our own players share: each names the cells that it likes equally, and its seed picks one."""

    name: ClassVar[str]
    symmetric: ClassVar[bool] = True  # do its choices turn with the board?
    lacks: ClassVar[tuple[str, ...]] = ()  # the rules that it does not know
    where_lines_lose: ClassVar[str] = ""  # what its docstring says, for misere, where it does something else
    number: ClassVar[str] = ""  # the field for a number after its name, as in alphabeta:4, which may be None
    most: ClassVar[int | None] = None  # of that number

    seed: int = 0

    def __post_init__(self) -> None:
        self._check("seed")
        if self._number is not None:
            self._check(self.number, 1, self.most)
        seconds = self._seconds
        if seconds is not None and not 0 < seconds <= MOST_SECONDS:  # NaN is not either
            raise InvalidPlayer(
                f"the seconds of {self.name} must be above 0 and at most {MOST_SECONDS:,.0f}, not {brief(seconds)}"
            )

    @classmethod
    def read(cls, text: str) -> float:
        """The number that a text after the name means."""
        if not (text.isascii() and text.isdigit() and len(text) <= LONGEST):
            words = f"expected a number, as in {cls.name}:4"
            raise InvalidPlayer(f"{brief(text)} is not a {cls.number} for {cls.name}: {words}")
        return int(text)

    @property
    def _number(self) -> float | None:
        return getattr(self, self.number) if self.number else None

    @property
    def _seconds(self) -> float | None:
        """For a move, where it was given a budget of time instead of its number."""
        return getattr(self, "seconds", None) if self.number != "seconds" else None

    def _check(self, name: str, least: int | None = None, most: int | None = None) -> None:
        """Make a field the whole number that it should be, or refuse it."""
        number = whole(f"the {name} of {self.name}", getattr(self, name), least, most, InvalidPlayer)
        object.__setattr__(self, name, number)

    @abstractmethod
    def likes(self, position: Position) -> list[Cell]:
        """The cells that it likes equally in an ongoing position of a game that it plays."""

    def summary(self, game: Game) -> str:
        """What the player does in this game, in one sentence."""
        told = "" if game.rule.completing_wins else self.where_lines_lose
        return told or (self.__doc__ or "").partition("\n")[0]

    def objection(self, position: Position) -> str | None:
        """Why the player has no answer in this position of a rule that it knows; None if it has."""
        return None

    def refusal(self, position: Position) -> str | None:
        """Why it has no answer in this position; None if it has."""
        return position.game.rule.refusal(self.lacks) or self.objection(position)

    def supports(self, game: Game) -> bool:
        """Does it play this game?"""
        return self.refusal(game.start()) is None

    def require(self, position: Position) -> None:
        """Raise CannotPlay where it has no answer."""
        if position.is_over:
            raise CannotPlay(f"there is nothing to play: the game is over ({position.status})")
        if why := self.refusal(position):
            raise CannotPlay(f"{self} does not play {position.game}: {why}")

    def choices(self, position: Position) -> list[Cell]:
        """The cells among which it chooses here."""
        self.require(position)
        return self.likes(position)

    def __str__(self) -> str:
        if self._seconds is not None:
            return f"{self.name}:{self._seconds:.15g}s"
        return self.name if self._number is None else f"{self.name}:{self._number:.15g}"

    def __call__(self, position: Position) -> Cell:
        return dice(self.seed, position).choice(self.choices(position))


def dice(seed: int, position: Position) -> Random:
    """The chance of one player in one position.

    >>> start = Game().start()
    >>> dice(7, start).random() == dice(7, start).random() != dice(8, start).random()
    True
    """
    game = position.game
    x, o = spread(game.rows, game.columns, position.x), spread(game.rows, game.columns, position.o)
    return Random(f"{seed} {x:x} {o:x}")


def spread(rows: int, columns: int, bits: Bits) -> int:
    """A set with a bit left out after each row: so a seed's chance began, and its games stay the same.

    Row r moves r bits on. All rows that have a 1 in one place of r do that part of their way at once, the last rows
    first, so that a large board is copied eight times and not once for each row.

    >>> bin(spread(3, 3, 0b111_101_111))
    '0b11101010111'
    """
    for step, moving in _moves(rows, columns):
        part = bits & moving
        bits ^= part ^ part << step
    return bits


@lru_cache(maxsize=16)
def _moves(rows: int, columns: int) -> list[tuple[int, int]]:
    """How `spread` moves the rows: how far each time, and which bits."""
    row, found = (1 << columns) - 1, []
    for place in reversed(range((rows - 1).bit_length())):
        step = 1 << place
        moving = sum(row << r * columns + (r & -2 * step) for r in range(rows) if r & step)
        found.append((step, moving))
    return found


def child_seed(seed: int, *path: object) -> int:
    """A seed of its own for one part of a seeded whole."""
    return Random(" ".join(map(str, (seed, *path)))).getrandbits(48)
