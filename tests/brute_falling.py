"""The rules where marks fall, from first principles, to compare noughts with. Nothing here knows noughts.

A rack is a tuple of columns, each a text of the marks in it from the bottom up: ("XO", "", "X").
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))
Rack = tuple[str, ...]


class Rules(NamedTuple):
    """A board and its rule."""

    rows: int
    columns: int
    k: int
    exact: bool
    misere: bool

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}k{self.k}{'e' * self.exact}g{'m' * self.misere}"


def lines(rules: Rules, rack: Rack, mark: str) -> set[tuple[int, ...]]:
    """The lines of a mark, each as its cells: counted row by row from the top left."""
    held = {(row, column) for column, marks in enumerate(rack) for row, each in enumerate(marks) if each == mark}
    found = set()
    for row, column in held:
        for up, right in WAYS:
            run = [(row + i * up, column + i * right) for i in range(rules.k)]
            if not held.issuperset(run):
                continue
            ends = (row - up, column - right), (row + rules.k * up, column + rules.k * right)
            if rules.exact and rules.k > 1 and held.intersection(ends):
                continue
            found.add(tuple(sorted((rules.rows - 1 - r) * rules.columns + c for r, c in run)))
    return found


class Rackful:
    """Every rack that play reaches from the empty one, and its value."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.owner: dict[Rack, str] = {}  # of the racks where a line is complete
        self.after: dict[Rack, dict[int, Rack]] = {}  # by column
        level = [("",) * rules.columns]
        self.racks: list[Rack] = []
        while level:
            self.racks += level
            following: dict[Rack, None] = {}
            for rack in level:
                self.after[rack] = {}
                if rack in self.owner:
                    continue
                mark = "XO"[sum(map(len, rack)) % 2]
                for column, marks in enumerate(rack):
                    if len(marks) == rules.rows:
                        continue
                    then = (*rack[:column], marks + mark, *rack[column + 1 :])
                    self.after[rack][column] = then
                    if then not in following:
                        following[then] = None
                        if lines(rules, then, mark):
                            self.owner[then] = mark
            level = list(following)
        self.values: dict[Rack, tuple[str, int]] = {}
        self.dead: set[Rack] = set()
        for rack in reversed(self.racks):
            self.values[rack] = self._value(rack)
            if rack not in self.owner and all(then in self.dead for then in self.after[rack].values()):
                self.dead.add(rack)

    def _value(self, rack: Rack) -> tuple[str, int]:
        if rack in self.owner:
            return ("win" if self.rules.misere else "loss"), 0
        if not self.after[rack]:
            return "tie", 0
        turned = {"win": "loss", "loss": "win", "tie": "tie"}
        found = [
            (turned[outcome], plies + 1) for outcome, plies in map(self.values.__getitem__, self.after[rack].values())
        ]
        worth = {"win": 2, "tie": 1, "loss": 0}
        return max(found, key=lambda value: (worth[value[0]], -value[1] if value[0] == "win" else value[1]))

    def status(self, rack: Rack) -> str:
        """ongoing, x_wins, o_wins or draw."""
        if rack in self.owner:
            winner = self.owner[rack] if not self.rules.misere else "XO"[self.owner[rack] == "X"]
            return f"{winner.lower()}_wins"
        return "ongoing" if self.after[rack] else "draw"

    def text(self, rack: Rack) -> str:
        """The rack as noughts writes a board."""
        rows = ["".join(marks[row : row + 1] or "." for marks in rack) for row in reversed(range(self.rules.rows))]
        return f"{self.rules}:{'/'.join(rows)}"


@lru_cache(maxsize=4)
def rackful(rules: Rules) -> Rackful:
    """All racks of a game, found once."""
    return Rackful(rules)
