"""The atlas: the table of solved games, kept as data (atlas.json) that `rebuild` makes again and `check` compares.

It has every game of at most 20 cells with rows <= columns, of 4x6 and 5x5, and of some boards of 26 to 28 cells, solved
on a GPU, with every k from 2 on, standard and misere, none of the rule exact. Where marks fall it has every board of at
most 20 cells with two rows and two columns or more, and Connect Four itself (k = 4) on some larger ones. A row that was
not computed says so: it has None for everything but the game.

Rows made on a GPU or on disk have a checksum of each level, so that another solver can be compared: the sum of
(place + 1) * code over its bytes, modulo 2^64 (`noughts.solve.gpu.checksum`), the empty board first. `solved_by` names
all who found the same; time and threads are those of the first.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from noughts.files import writing
from noughts.progress import Note, Progress, finish
from noughts.rules.answer import SIZE, Answer, plain
from noughts.rules.game import Game
from noughts.rules.value import Outcome, Value
from noughts.solve.backends import BACKENDS
from noughts.solve.index import MAX_CELLS
from noughts.solve.problems import DatabaseError, InvalidSolve
from noughts.solve.strong import solving
from noughts.solve.summary import sentence
from noughts.words import brief, whole

FILE = Path(__file__).with_name("atlas.json")
MOST_CELLS = 20
LARGE = ((4, 6), (5, 5))  # boards beyond that, computed on demand: minutes and gigabytes
HUGE = ((1, 26), (2, 13), (3, 9), (2, 14), (4, 7))  # boards beyond that, on a GPU
LARGE_FALLING = ((4, 6), (6, 4), (5, 5), (4, 7), (7, 4), (6, 5), (5, 6))  # where marks fall
FACTS = ("value", "remoteness", "positions", "classes", "win", "loss", "tie")  # what is checked; seconds are not


@dataclass(frozen=True)
class Row(Answer):
    """One game: the value of its empty board, and what there is of it."""

    keys = f"game {' '.join(FACTS)} seconds threads solved_by checksums sentence {SIZE}"

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
    solved_by: list[str] | None = None  # the backends that found this, the first one first
    checksums: list[str] | None = None  # of each level, by marks, in hexadecimal

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
        """Which facts are not the same; checksums only where both have them."""
        names = [*FACTS, *["checksums"] * bool(self.checksums and other.checksums)]
        return [name for name in names if getattr(self, name) != getattr(other, name)]

    def confirmed_by(self, other: Row) -> Row:
        """This row, and that another solve found the same."""
        both = [*(self.solved_by or ()), *(other.solved_by or ())]
        return replace(self, solved_by=list(dict.fromkeys(both)))


def games() -> Iterator[Game]:
    """The games of the atlas, small boards first.

    >>> [str(game) for game in games()][:6]
    ['1x2k2', '1x2k2m', '1x3k2', '1x3k2m', '1x3k3', '1x3k3m']
    """
    sizes = [(rows, columns) for rows in range(1, 5) for columns in range(rows, MOST_CELLS // rows + 1)]
    for rows, columns in [*sizes, *LARGE, *HUGE]:
        for k in range(2, columns + 1):
            for misere in (False, True):
                yield Game(rows, columns, k, misere)
    sizes = [(rows, columns) for rows in range(2, 11) for columns in range(2, MOST_CELLS // rows + 1)]
    for rows, columns in sizes:
        for k in range(2, max(rows, columns) + 1):
            for misere in (False, True):
                yield Game(rows, columns, k, misere, gravity=True)
    yield from (Game(rows, columns, 4, gravity=True) for rows, columns in LARGE_FALLING)


def is_large(game: Game) -> bool:
    """Does this game take minutes and gigabytes to solve?"""
    return game.cells > MOST_CELLS


def is_huge(game: Game) -> bool:
    """Does this game take a GPU to solve?"""
    return not game.gravity and (game.rows, game.columns) in HUGE


def compute(game: Game) -> Row:
    """Solve a game for its row."""
    return finish(computing(game))


def computing(game: Game, scratch: Path | None = None, memory: int | None = None) -> Generator[Progress, None, Row]:
    """Solve a game for its row; on disk, in a folder of its own there, if it takes a GPU and `scratch` is given."""
    on_disk = scratch / str(game) if scratch and is_huge(game) else None
    found = yield from solving(game, threads=None if is_large(game) else 1, scratch=on_disk, memory=memory)
    known = {name: fact for name, fact in found.to_json().items() if name in (*FACTS, "threads")}
    sums = [f"{number:016x}" for number in found.checksums] or None
    return Row(game, **known, seconds=round(found.seconds, 4), solved_by=[found.backend], checksums=sums)


def _computing_once(game: Game, scratch: Path | None, memory: int | None) -> Generator[Progress, None, Row]:
    """Compute a row, or take the one that a run that was stopped has left in `scratch`."""
    if not is_large(game):
        return compute(game)  # too quick to tell of
    if scratch and _kept(game, scratch).exists():
        return load(_kept(game, scratch))[game]
    row = yield from computing(game, scratch, memory)
    if scratch:
        scratch.mkdir(parents=True, exist_ok=True)
        save([row], _kept(game, scratch))
    return row


def _kept(game: Game, scratch: Path) -> Path:
    return scratch / f"{game}.json"


def load(path: Path | None = None) -> dict[Game, Row]:
    """The atlas as it was computed, every game of `games`."""
    path = path or FILE
    try:
        return dict(_read(path, path.stat().st_mtime_ns))
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise DatabaseError(f"the atlas {path} cannot be read: {problem}") from None


@lru_cache(maxsize=2)
def _read(path: Path, changed: int) -> dict[Game, Row]:
    """The rows of a file as it was when it was last changed."""
    data = json.loads(path.read_text(encoding="ascii"))
    rows = {row["game"]: row for row in data["rows"]}
    return {game: Row(**{**rows.get(str(game), {}), "game": game}) for game in games()}


def save(rows: Iterable[Row], path: Path | None = None) -> None:
    """Write the atlas, a row a line; those not computed are there too."""
    path = path or FILE
    saved = "game", *FACTS, "seconds", "threads", "solved_by"
    lines = ",\n".join(
        json.dumps({name: plain(getattr(row, name)) for name in (*saved, *["checksums"] * bool(row.checksums))})
        for row in rows
    )
    with writing(path) as file:
        file.write(f'{{"rows": [\n{lines}\n]}}\n')


# What the command asks


def find(name: str | None = None) -> list[Row]:
    """The rows of a game or a board, as in 4x4k4, 4x4 or 4x4g, also turned by a quarter; all of them without a name.

    >>> [str(row.game) for row in find("4x3k4")]
    ['3x4k4', '3x4k4m']
    >>> [str(row.game) for row in find("4x3k4g")]
    ['4x3k4g', '4x3k4gm']
    """
    found = [row for game, row in load().items() if name is None or name in _names(game)]
    if not found:
        raise InvalidSolve(
            f"the atlas has no game {brief(name)}: it has boards of at most {MOST_CELLS} cells and some larger ones, "
            "standard, misere and with gravity (4x4k4g); noughts prove says what can be proven of others"
        )
    return found


def has(name: str) -> bool:
    """Is there a row of this game or board?"""
    return any(name in _names(game) for game in load())


def _names(game: Game) -> set[str]:
    both = (game,) if game.gravity else (game, game.on(game.columns, game.rows))
    falls = "g" * game.gravity
    return {
        name for each in both for name in (str(each), str(each).removesuffix("m"), f"{each.rows}x{each.columns}{falls}")
    }


def solving_again(
    rows: Sequence[Row],
    *,
    rebuild: bool = False,
    large: bool = False,
    upto: int | None = None,
    scratch: Path | None = None,
    memory: int | None = None,
) -> Generator[Progress, None, list[Row]]:
    """Solve the games of these rows again, and compare, or with `rebuild` write what was found into the atlas.

    `large` is for those that take minutes too, and for those that take a GPU where there is one. `upto` is for those of
    at most so many cells, whatever they take; with `scratch`, a folder, those that take a GPU are solved on disk there.
    What was stopped goes on there: no large game is solved twice. `memory` is what each may take at most. A row with
    checksums stays, and says who else found the same. DatabaseError names the rows that are wrong.
    """
    atlas, wrong = load(), []
    if upto is not None:
        large = True
        rows = [row for row in rows if row.game.cells <= whole("upto", upto, 1, MAX_CELLS, InvalidSolve)]
    no_gpu = large and scratch is None and BACKENDS["cuda"].absence()
    todo = [row for row in rows if (large or not is_large(row.game)) and not (no_gpu and is_huge(row.game))]
    for number, row in enumerate(todo):
        yield Progress("solving the atlas", number, len(todo))
        new = yield from _computing_once(row.game, scratch, memory)
        if rebuild:
            if row.checksums and (differs := new.differs(row)):
                wrong.append(f"{row.game} ({', '.join(differs)})")  # two solvers disagree: neither is to be believed
                continue
            atlas[row.game] = row.confirmed_by(new) if row.checksums else new
            if is_large(row.game):
                save(atlas.values())
        elif row.computed and new.differs(row):
            wrong.append(f"{row.game} ({', '.join(new.differs(row))})")
    if rebuild:
        save(atlas.values())
    if scratch:
        for row in todo:
            _kept(row.game, scratch).unlink(missing_ok=True)
    if wrong:
        raise DatabaseError(f"the atlas is wrong about {', '.join(wrong[:10])}: {len(wrong)} of {len(todo)} games")
    known = sum(row.computed for row in atlas.values())
    outcome = f"written to {FILE}" if rebuild else "all as in the atlas"
    yield Note(f"{len(todo)} games solved again, {outcome}; {known} of {len(atlas)} rows are computed")
    return [atlas[row.game] for row in rows]
