"""The engine as a player: for boards too large to solve, on a budget of time or of nodes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from noughts.engine import Engine, View, refusal
from noughts.engine.opening import central
from noughts.play.player import MOST_SECONDS, Choosing, InvalidPlayer
from noughts.rules.game import Cell, Game
from noughts.rules.position import Position
from noughts.words import brief

NODES = 150_000  # of one move, unless seconds are given: some tenths of a second
OPENING = 6  # marks up to which it varies its play
ALIKE = 0.02  # chances that differ by no more are the same to it, in the opening


@dataclass(frozen=True)
class EnginePlayer(Choosing):
    """The engine: shapes, a deep search and proven threats; for boards up to 32 x 32."""

    name: ClassVar[str] = "engine"
    symmetric: ClassVar[bool] = False
    number: ClassVar[str] = "seconds"

    seconds: float | None = None  # a move; None: so many nodes, so that it always answers the same

    def __post_init__(self) -> None:
        self._check("seed")
        if self.seconds is not None and not 0 < self.seconds <= MOST_SECONDS:  # NaN is not either
            raise InvalidPlayer(
                f"the seconds of engine must be above 0 and at most {MOST_SECONDS:,.0f}, not {brief(self.seconds)}"
            )

    @classmethod
    def read(cls, text: str, name: str = "engine") -> float:
        """The seconds that a text names, for the player of this name."""
        try:
            seconds = float(text)
        except ValueError:
            seconds = math.nan
        if not math.isfinite(seconds):
            sign = "" if name == cls.name else "s"
            raise InvalidPlayer(
                f"{brief(text)} is not a number of seconds for {name}: expected one, as in {name}:0.5{sign}"
            )
        return seconds

    def objection(self, position: Position) -> str | None:
        """Why it does not play: not its game, or no native core; None if it plays."""
        return refusal(position.game)

    def likes(self, position: Position) -> list[Cell]:
        """The best move that it finds; in the opening all that it finds as good."""
        return list(_likes(position, self.seconds, NODES))


def engine_likes(position: Position, nodes: int, seconds: float | None = None) -> list[Cell]:
    """The moves that the engine likes equally by so many seconds or nodes; the first mark is in or near the centre."""
    return list(_likes(position, seconds, nodes))


@lru_cache(maxsize=1024)
def _likes(position: Position, seconds: float | None, nodes: int) -> tuple[Cell, ...]:
    """Asked twice, it answers the same, however busy the machine is."""
    if not position.marks:
        return tuple(central(position.game))
    several = position.marks <= OPENING
    view = think(position, seconds, nodes, lines=4 if several else 1)
    close = [line.cells[0] for line in view.lines if line.chance >= view.best.chance - ALIKE]
    return tuple(sorted(close)) if several else (view.move,)


def think(position: Position, seconds: float | None, nodes: int, lines: int = 1) -> View:
    """What the engine believes of a position, on a budget of seconds or else of nodes, as if it were asked first."""
    engine = _engine(position.game)
    if seconds is None:
        engine.forget()
        return engine.think(position, nodes=nodes, lines=lines)
    return engine.think(position, seconds=seconds, lines=lines)


@lru_cache(maxsize=4)
def _engine(game: Game) -> Engine:
    return Engine(game, memory_mb=1 if game.cells <= 25 else 32)
