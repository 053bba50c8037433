"""The second experiment, for the lastmove source: what a move costs as the board grows, in the worst case.

It claims that looking only at the lines through the last move brings O(n^2) down to O(n). Each method is timed on
n x n boards with k = n and with k = 5, on a move that almost completes a line in every direction (see `stars`); the
exponent is the slope of the times against n in logarithms, fitted where n is large enough for growth to show.

    line_sums          scans the whole board          O(n^2)           O(n^2)
    last_move_play     walks from the last move       O(n) for k = n   O(k), the same for every n
    line_counts_play   counts the lines through it    O(1) for k = n   O(k), the same for every n
    shifts             scans 64 cells at a time       no claim: between the others on boards that people play on
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, NamedTuple

from noughts.lab import stats
from noughts.lab.judge import Case, judge
from noughts.lab.measure import Timing
from noughts.lab.methods import METHODS, Method
from noughts.lab.stars import centre, corner, last_of_line, star
from noughts.rules.answer import Answer
from noughts.rules.game import Cell, Game
from noughts.rules.marks import X
from noughts.rules.position import Position
from noughts.words import duration

SIZES = (3, 4, 5, 7, 10, 14, 20, 28, 40, 56, 80, 113, 160, 200)
FIT_FROM = 40
TRIAL_NS = 1_000_000  # short trials: the quickest one counts


@dataclass(frozen=True)
class Family:
    """Boards of one kind, smallest first."""

    name: str
    games: tuple[Game, ...]
    cell: Callable[[Game], Cell]


FAMILIES = {
    "k=n": Family("k = n", tuple(Game(n, n, n) for n in SIZES), corner),
    "k=5": Family("k = 5", tuple(Game(n, n, 5) for n in SIZES if n > 5), centre),
}


class ClaimedGrowth(NamedTuple):
    """What is claimed: the exponent of n, and how people write it."""

    exponent: int
    text: str


CLAIMS = {
    ("line_sums", "k=n"): ClaimedGrowth(2, "O(n^2)"),
    ("line_sums", "k=5"): ClaimedGrowth(2, "O(n^2)"),
    ("last_move_play", "k=n"): ClaimedGrowth(1, "O(n)"),
    ("last_move_play", "k=5"): ClaimedGrowth(0, "O(k)"),
    ("line_counts_play", "k=n"): ClaimedGrowth(0, "O(1)"),
    ("line_counts_play", "k=5"): ClaimedGrowth(0, "O(k)"),
}
GROWING = ("line_sums", "last_move_play", "line_counts_play", "shifts")


@dataclass(frozen=True)
class GrowthPoint(Answer):
    """One size of a curve: its times, and the quickest of them."""

    keys = "n *timing quickest_ns"

    n: int
    timing: Timing
    quickest_ns: float | None  # the quickest trial, the least disturbed one


@dataclass
class GrowthCurve(Answer):
    """The times of one method on the boards of one family, by n."""

    keys = (
        "detector=method.name method.statement family claim=claim.text claimed_exponent=claim.exponent "
        "exponent=slope.exponent exponent_interval=slope.interval fitted_from refused points=sizes"
    )
    fitted_from: ClassVar[int] = FIT_FROM

    method: Method
    family: str
    points: dict[int, Timing] = field(default_factory=dict)
    refused: list[int] = field(default_factory=list)  # sizes where the answer was wrong

    @property
    def kind(self) -> str:
        """What the boards of this family have in common, in words."""
        return FAMILIES[self.family].name

    @property
    def claim(self) -> ClaimedGrowth | None:
        """What is claimed of it."""
        return CLAIMS.get((self.method.name, self.family))

    @property
    def sizes(self) -> tuple[GrowthPoint, ...]:
        """The sizes that were measured, or are to be."""
        return tuple(GrowthPoint(n, timing, min(timing.trials, default=None)) for n, timing in self.points.items())

    def times(self) -> dict[int, float]:
        """Nanoseconds a move for each size that was measured: the quickest trial, the least disturbed one."""
        return {n: min(timing.trials) for n, timing in self.points.items() if timing.trials}

    def slope(self) -> stats.Slope | None:
        """The exponent, fitted on the large boards."""
        points = [(n, time) for n, time in self.times().items() if n >= FIT_FROM]
        return stats.slope([n for n, _ in points], [time for _, time in points])


def table(every: Sequence[GrowthCurve]) -> list[list[str]]:
    """The times of several curves in words, a row for each size."""
    columns = [series.times() for series in every]
    return [
        [str(n), *(duration(column[n]) if n in column else "" for column in columns)]
        for n in sorted({n for column in columns for n in column})
    ]


def plan(names: Sequence[str], sizes: Sequence[int] = SIZES) -> list[tuple[GrowthCurve, Game]]:
    """The points to be measured, still without their boards: a series and a game for each."""
    every = {(name, family): GrowthCurve(METHODS[name], family) for family in FAMILIES for name in names}
    return [
        (series, game)
        for (_, family), series in every.items()
        for game in FAMILIES[family].games
        if game.rows in sizes and series.method.supports(game)
    ]


def add_point(series: GrowthCurve, game: Game) -> None:
    """Check a method on this board, and make it ready to be timed."""
    cell, almost, won = _boards(FAMILIES[series.family], game)
    verdict = judge(series.method, game, [Case(won, cell, X), Case(almost, cell, None)])
    names = series.method.prepare(game)(almost, cell)
    if verdict.right and names is not None:
        series.points[game.rows] = Timing(series.method.statement, names)
    else:
        series.refused.append(game.rows)


@lru_cache(maxsize=64)
def _boards(family: Family, game: Game) -> tuple[Cell, Position, Position]:
    """The cell of the move, the board after it with no line, and one with a line."""
    cell = family.cell(game)
    return cell, star(game, cell).play(cell), last_of_line(game, cell).play(cell)
