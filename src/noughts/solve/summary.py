"""What a strong solve tells: how many positions there are, and what they are worth.

Positions are those that legal play can reach; classes are their orbits under symmetry. Win, loss and tie are for the
player to move, and so is everything that is counted by remoteness (plies to the end).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from noughts.rules.answer import Answer
from noughts.rules.game import Game
from noughts.rules.value import Value
from noughts.words import several

Counts = dict[int, int]  # remoteness: positions, ascending, only what occurs


@dataclass(frozen=True)
class LevelTotals(Answer):
    """The positions with the same number of marks: how many there are, and what they are worth."""

    marks: int
    positions: int
    classes: int
    win: int
    loss: int
    tie: int


@dataclass(frozen=True)
class LevelSummary(Answer):
    """The positions with the same number of marks; its JSON stands in the header of a saved level."""

    keys = "marks positions classes tie win loss"

    marks: int
    positions: int
    classes: int
    win: Counts
    loss: Counts
    tie: int

    @staticmethod
    def of(marks: int, classes: int, values: Counter[Value]) -> LevelSummary:
        """A level from how often each value occurs."""
        ordered = sorted(values.items(), key=lambda item: item[0].plies)
        win, loss = (
            {worth.plies: count for worth, count in ordered if worth.outcome == outcome} for outcome in ("win", "loss")
        )
        tie = sum(count for worth, count in ordered if worth.outcome == "tie")
        return LevelSummary(marks, values.total(), classes, win, loss, tie)

    @staticmethod
    def from_core(counts: tuple[int, int, int, int, list[int], list[int]]) -> LevelSummary:
        """A level as the native core counts it: lists by remoteness, with zeros."""
        marks, positions, classes, tie, win, loss = counts
        return LevelSummary(marks, positions, classes, _sparse(win), _sparse(loss), tie)

    @property
    def totals(self) -> LevelTotals:
        """The counts whatever the remoteness."""
        won, lost = sum(self.win.values()), sum(self.loss.values())
        return LevelTotals(self.marks, self.positions, self.classes, won, lost, self.tie)

    @staticmethod
    def from_json(data: dict[str, Any]) -> LevelSummary:
        """The inverse; ValueError, KeyError or TypeError if it is none."""
        numbers = [data[name] for name in ("marks", "positions", "classes", "tie")]
        win, loss = ({int(plies): count for plies, count in data[name].items()} for name in ("win", "loss"))
        if not all(type(number) is int and number >= 0 for number in [*numbers, *win.values(), *loss.values()]):
            raise ValueError("counts must be whole numbers")
        marks, positions, classes, tie = numbers
        return LevelSummary(marks, positions, classes, win, loss, tie)


def _sparse(counts: list[int]) -> Counts:
    return {plies: count for plies, count in enumerate(counts) if count}


@dataclass(frozen=True)
class Summary(Answer):
    """The outcome of a strong solve: the value of the empty board, and how many positions there are of each kind."""

    keys = (
        "game value=value.outcome value.remoteness positions classes win loss tie by_remoteness by_marks "
        "seconds peak_rss_bytes backend threads read written sentence"
    )

    game: Game
    value: Value  # of the empty board
    levels: tuple[LevelSummary, ...]  # by the number of marks
    seconds: float
    peak_rss_bytes: int  # of the process so far; a solve that goes on also maps the level that it goes on from
    backend: str  # "native", "python" or "cuda"
    threads: int
    checksums: tuple[int, ...] = ()  # of the levels that were solved, by marks, where the backend makes them
    read: int | None = None  # bytes, where it was solved in parts
    written: int | None = None

    @property
    def positions(self) -> int:
        """How many positions legal play can reach."""
        return sum(level.positions for level in self.levels)

    @property
    def classes(self) -> int:
        """How many positions there are up to symmetry."""
        return sum(level.classes for level in self.levels)

    @property
    def win(self) -> int:
        """How many positions are won for the player to move."""
        return sum(self.by_remoteness["win"].values())

    @property
    def loss(self) -> int:
        """How many positions are lost for the player to move."""
        return sum(self.by_remoteness["loss"].values())

    @property
    def tie(self) -> int:
        """How many positions are ties."""
        return sum(level.tie for level in self.levels)

    @property
    def by_remoteness(self) -> dict[str, Counts]:
        """Wins and losses by the plies to the end."""
        win, loss = Counter[int](), Counter[int]()
        for level in self.levels:
            win.update(level.win)
            loss.update(level.loss)
        return {"win": dict(sorted(win.items())), "loss": dict(sorted(loss.items()))}

    @property
    def by_marks(self) -> tuple[LevelTotals, ...]:
        """How many positions are wins, losses and ties, by the number of marks on the board."""
        return tuple(level.totals for level in self.levels)

    @property
    def sentence(self) -> str:
        """What the value of the empty board means."""
        return sentence(self.value)


def sentence(worth: Value | None) -> str:
    """What the value of an empty board means.

    >>> sentence(Value("tie", 9)), sentence(Value("win", 5))
    ('With best play it is a tie.', 'X, who begins, can force a win in 5 moves, counting both sides.')
    """
    if worth is None:
        return "Who wins is not known: this game was not solved."
    if worth.outcome == "tie":
        return "With best play it is a tie."
    winner = "X, who begins," if worth.outcome == "win" else "O, who goes second,"
    return f"{winner} can force a win in {several(worth.plies, 'move')}, counting both sides."
