"""How often somebody's moves keep the value: of a model, a program or a person, from a file of positions and moves.

A prediction is an object with a `position` and a `move`, one a line of JSON, or a row of a CSV file with those columns.
A move is a text (`b2`), the number of a cell, or a row and a column from the top left; of a longer text, such as a
language model's answer, the one move that is named in it. What names none, or several, is unreadable, and counts as a
move that does not keep the value; so does an illegal one.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from noughts.labels.label import label
from noughts.progress import Progress
from noughts.rules.answer import Answer
from noughts.rules.game import Cell, Game
from noughts.rules.notation import NotationError
from noughts.rules.position import IllegalMove, InvalidPosition, Position
from noughts.words import brief

MAX_LINE = 1_000_000  # characters
MAX_PREDICTIONS = 10_000_000
MOVE = re.compile(r"(?<![a-z0-9])[a-z]{1,2}[1-9][0-9]{0,2}(?![a-z0-9])", re.IGNORECASE)
PLACE = re.compile(r"row\W{0,3}(\d{1,3})\W{1,5}col(?:umn)?\W{0,3}(\d{1,3})", re.IGNORECASE)


class InvalidPrediction(ValueError):
    """A line of a file is no prediction."""


@dataclass
class Tried(Answer):
    """What was found of the predictions for positions with so many marks."""

    keys = (
        "marks predictions unreadable illegal keeps_value keeps_value_and_remoteness=keeps_all "
        "random_keeps_value=any_move"
    )

    marks: int
    predictions: int = 0
    unreadable: int = 0
    illegal: int = 0
    kept: int = 0
    kept_all: int = 0
    chance: Fraction = Fraction(0)  # the sum of the shares of moves that keep the value

    @property
    def keeps_value(self) -> float | None:
        """The share that keeps the value."""
        return self.kept / self.predictions if self.predictions else None

    @property
    def keeps_all(self) -> float | None:
        """The share that keeps value and remoteness."""
        return self.kept_all / self.predictions if self.predictions else None

    @property
    def any_move(self) -> float | None:
        """The share that any move would keep, all equally likely: what a score is worth is what it has above this."""
        return float(self.chance / self.predictions) if self.predictions else None

    def add(self, other: Tried) -> None:
        """Count what another has counted as well."""
        for name in ("predictions", "unreadable", "illegal", "kept", "kept_all", "chance"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass
class PredictionScore(Answer):
    """How often the predictions keep the value, by the number of marks on the board."""

    keys = (
        "games predictions=all.predictions unknown unreadable=all.unreadable illegal=all.illegal "
        "keeps_value=all.keeps_value keeps_value_and_remoteness=all.keeps_all random_keeps_value=all.any_move depths"
    )

    games: list[Game] = field(default_factory=list)
    unknown: int = 0  # positions of which the value is not known exactly: not counted
    by_marks: dict[int, Tried] = field(default_factory=dict)

    @property
    def depths(self) -> list[Tried]:
        """By number of marks, ascending."""
        return [self.by_marks[marks] for marks in sorted(self.by_marks)]

    @property
    def all(self) -> Tried:
        """All depths together."""
        total = Tried(-1)
        for each in self.by_marks.values():
            total.add(each)
        return total


def scoring(lines: Iterable[str], form: str = "jsonl") -> Generator[Progress, None, PredictionScore]:
    """Judge predictions, lines of JSON or of a CSV file; tells how far it is.

    >>> from noughts.progress import finish
    >>> finish(scoring(['{"position": "XX./OO./...", "move": "I win at c3!"}'])).all.kept
    1
    """
    score = PredictionScore()
    for number, (where, position, move) in enumerate(read(lines, form), 1):
        if number > MAX_PREDICTIONS:
            raise InvalidPrediction(f"there are more than {MAX_PREDICTIONS:,} predictions")
        if position.is_over:
            raise InvalidPrediction(f"{where}: nobody is to move in {position} ({position.status})")
        if position.game not in score.games:
            score.games.append(position.game)
        found = label(position)
        if found is None:
            score.unknown += 1
            continue
        tried = score.by_marks.setdefault(position.marks, Tried(position.marks))
        tried.predictions += 1
        tried.chance += Fraction(len(found.keeping), len(found.moves))
        cell = named(position, move)
        if cell is None:
            tried.unreadable += 1
        elif cell not in found.moves:
            tried.illegal += 1
        else:
            tried.kept += cell in found.keeping
            tried.kept_all += cell in found.best
        if number % 1000 == 0:
            yield Progress("judging predictions", number, 0)
    return score


def named(position: Position, move: object) -> Cell | None:
    """The cell that a prediction names, legal or not; None if it names none, or several.

    >>> here = Position.parse("X.O/.X./..O")
    >>> [named(here, move) for move in ("a1", 6, [2, 0], "6", "row 2, column 0", "I play a1.", "a1 or a2", None)]
    [6, 6, 6, 6, 6, 6, None, None]
    """
    if isinstance(move, list):
        move = tuple(move)
    if isinstance(move, str):
        text = move.strip()
        if text.isascii() and text.isdigit() and len(text) < 6:
            return _cell(position, int(text))
        found = {_cell(position, text)} - {None}
        found = found or {_cell(position, each.lower()) for each in MOVE.findall(text)} - {None}
        found = found or {_cell(position, (int(row), int(column))) for row, column in PLACE.findall(text)} - {None}
        return found.pop() if len(found) == 1 else None
    return _cell(position, move)


def _cell(position: Position, move: Any) -> Cell | None:
    try:
        return position.cell(move)
    except (IllegalMove, NotationError):
        return None


def read(lines: Iterable[str], form: str) -> Iterator[tuple[str, Position, object]]:
    """Where it stands, the position and the move of each prediction; InvalidPrediction for what is none."""
    rows = csv.DictReader(short(lines)) if form == "csv" else (each for each in short(lines))
    kept: dict[str, Position] = {}
    for number, row in enumerate(rows, 1):
        where = f"line {number + (form == 'csv')}"
        if isinstance(row, str):
            if not row.strip():
                continue
            try:
                row = json.loads(row)
            except (ValueError, RecursionError):
                raise InvalidPrediction(f"{where} is not JSON: {brief(row)}") from None
        if not isinstance(row, dict) or not isinstance(row.get("position"), str) or "move" not in row:
            raise InvalidPrediction(f"{where} must have a position and a move, as text: {brief(row)}")
        text = row["position"]
        try:
            position = kept[text] if text in kept else Position.parse(text)
        except (NotationError, InvalidPosition, ValueError) as problem:
            raise InvalidPrediction(f"{where}: {problem}") from None
        if len(kept) < 100_000:
            kept[text] = position
        yield where, position, row["move"]


def short(lines: Iterable[str]) -> Iterator[str]:
    """The lines, none of them without end."""
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_LINE:
            raise InvalidPrediction(f"line {number} has more than {MAX_LINE:,} characters")
        yield line
