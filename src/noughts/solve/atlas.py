"""The atlas: the table of solved games, kept as data (atlas.json) that `rebuild` makes again and `check` compares.

It has every game of at most 20 cells with rows <= columns, every k from 2 on, both rules; and 4x6 and 5x5. A row that
was not computed says so: it has None for everything but the game.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from noughts.files import writing
from noughts.rules.answer import SIZE, Answer, plain
from noughts.rules.game import Game
from noughts.rules.value import Outcome, Value
from noughts.solve.problems import DatabaseError
from noughts.solve.strong import solve
from noughts.solve.summary import sentence

FILE = Path(__file__).with_name("atlas.json")
MOST_CELLS = 20
LARGE = ((4, 6), (5, 5))  # boards beyond that, computed on demand: minutes and gigabytes
FACTS = ("value", "remoteness", "positions", "classes", "win", "loss", "tie")  # what is checked; seconds are not


@dataclass(frozen=True)
class Row(Answer):
    """One game: the value of its empty board, and what there is of it."""

    keys = f"game {' '.join(FACTS)} seconds threads sentence {SIZE}"

    game: Game
    value: Outcome | None = None
    remoteness: int | None = None
    positions: int | None = None
    classes: int | None = None
    win: int | None = None
    loss: int | None = None
    tie: int | None = None
    seconds: float | None = None  # of the solve
    threads: int | None = None

    @property
    def computed(self) -> bool:
        """Is anything known?"""
        return self.value is not None

    @property
    def worth(self) -> Value | None:
        """The value of the empty board for X."""
        return None if self.value is None or self.remoteness is None else Value(self.value, self.remoteness)

    @property
    def sentence(self) -> str:
        """What the value of the empty board means."""
        return sentence(self.worth)

    def differs(self, other: Row) -> list[str]:
        """Which facts are not the same."""
        return [name for name in FACTS if getattr(self, name) != getattr(other, name)]


def games() -> Iterator[Game]:
    """The games of the atlas, small boards first.

    >>> [str(game) for game in games()][:6]
    ['1x2k2', '1x2k2m', '1x3k2', '1x3k2m', '1x3k3', '1x3k3m']
    """
    sizes = [(rows, columns) for rows in range(1, 5) for columns in range(rows, MOST_CELLS // rows + 1)]
    for rows, columns in [*sizes, *LARGE]:
        for k in range(2, columns + 1):
            for misere in (False, True):
                yield Game(rows, columns, k, misere)


def is_large(game: Game) -> bool:
    """Is it one of those that take minutes?"""
    return game.cells > MOST_CELLS


def compute(game: Game) -> Row:
    """Solve a game for its row."""
    found = solve(game, threads=None if is_large(game) else 1)
    known = {name: fact for name, fact in found.to_json().items() if name in (*FACTS, "threads")}
    return Row(game, **known, seconds=round(found.seconds, 4))


def load(path: Path | None = None) -> dict[Game, Row]:
    """The atlas as it was computed, every game of `games`."""
    path = path or FILE
    try:
        data = json.loads(path.read_text(encoding="ascii"))
        rows = {Game.parse(row["game"]): row for row in data["rows"]}
        found = {game: Row(**{**rows.get(game, {}), "game": game}) for game in games()}
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise DatabaseError(f"the atlas {path} cannot be read: {problem}") from None
    return found


def save(rows: Iterable[Row], path: Path | None = None) -> None:
    """Write the atlas, a row a line; those not computed are there too."""
    path = path or FILE
    saved = "game", *FACTS, "seconds", "threads"
    lines = ",\n".join(json.dumps({name: plain(getattr(row, name)) for name in saved}) for row in rows)
    with writing(path) as file:
        file.write(f'{{"rows": [\n{lines}\n]}}\n')
