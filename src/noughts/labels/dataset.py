"""Labelled positions in a file: Parquet, NPZ or JSON lines, each with a card beside it that describes it.

A row is a position in which somebody is to move, or, where that is asked for, a finished one. As text it has the
position three ways (notation, drawing, words) and its best moves three ways (text, cell, row and column); as planes it
has what a learner sees. Which split a row belongs to is drawn from the seed and the class of the position under
symmetry, so that no class is in two splits, however the rows came about.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from random import Random
from time import perf_counter

from noughts.files import CannotWrite, check_target, writing
from noughts.labels.card import SHARES, card_text
from noughts.labels.formats import WRITERS, Row
from noughts.labels.label import Label, label, require_labels
from noughts.progress import Progress
from noughts.rules.answer import Answer
from noughts.rules.encoding import action_mask
from noughts.rules.game import Game
from noughts.rules.marks import Mark
from noughts.rules.notation import draw_board, format_move, format_moves
from noughts.rules.position import Position, require
from noughts.solve.problems import TooLarge
from noughts.words import brief, known, listing, whole

MAX_POSITIONS = 10_000_000
TRIES = 50  # random games for each position that is wanted, before it is said that there are not so many
BATCH = 4096  # rows written at a time
WORTH = {"win": 1, "tie": 0, "loss": -1}
FORMS = ("text", "planes")


class InvalidDataset(ValueError):
    """No dataset can be made so."""


@dataclass(frozen=True)
class Dataset(Answer):
    """What was written, and where."""

    keys = "game file card form positions by_split by_value by_marks seed seconds"

    game: Game
    file: Path
    card: Path
    form: str
    seed: int
    shares: dict[str, float]
    sampled: bool
    finished: bool
    by_split: dict[str, int] = field(default_factory=dict)
    by_value: dict[str, int] = field(default_factory=dict)
    by_marks: dict[int, int] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def positions(self) -> int:
        """How many rows there are."""
        return sum(self.by_split.values())


def making_dataset(
    game: Game, path: str | os.PathLike[str], *, positions: int | None = None, seed: int = 0, form: str = "text",
    shares: dict[str, float] | None = None, finished: bool = False,
) -> Generator[Progress, None, Dataset]:  # fmt: skip
    """Write labelled positions of a game, all or so many from random games; tells how far it is.

    The end of the name says how: `.jsonl`, `.parquet` (extra `parquet`) or `.npz` (extra `batch`).
    """
    require(game, Game, "making_dataset")
    file, start = Path(path), perf_counter()
    known("form", form, FORMS, InvalidDataset)
    known("format", file.suffix, WRITERS, InvalidDataset)
    check_target(file)
    card, shares = file.with_name(file.name + ".md"), checked_shares(SHARES if shares is None else shares)
    if card.is_dir():
        raise CannotWrite(f"{card} cannot be written: it is a folder")
    seed = whole("seed", seed)
    if positions is not None:
        positions = whole("positions", positions, 1, MAX_POSITIONS, InvalidDataset)
    solved = require_labels(game)
    if positions is None and not solved:
        raise TooLarge(f"{game} is not solved: give a number of positions, which are then taken from random games")
    total = positions or _how_many(game)
    made = Dataset(game, file, card, form, seed, shares, positions is not None, finished, dict.fromkeys(shares, 0))
    source = sampled(game, positions, seed, finished) if positions else every(game, finished)
    by_value, by_marks, rows = Counter[str](), Counter[int](), list[Row]()
    with writing(file) as text:
        write, end = WRITERS[file.suffix](text, game, form, total)
        for number, (position, found) in enumerate(source, 1):
            split = split_of(position, seed, shares)
            rows.append(ROWS[form](position, found, split))
            made.by_split[split] += 1
            by_value[found.value.outcome] += 1
            by_marks[position.marks] += 1
            if len(rows) == BATCH:
                write(rows)
                rows = []
            if number % 1024 == 0:
                yield Progress(f"labelling {game}", number, total)
        write(rows)
        end()
    by = {"by_value": {name: by_value[name] for name in WORTH}, "by_marks": dict(sorted(by_marks.items()))}
    made = Dataset(**{**vars(made), **by, "seconds": perf_counter() - start})
    with writing(card) as text:
        text.write(card_text(made))
    return made


def checked_shares(shares: dict[str, float]) -> dict[str, float]:
    """Shares of splits, refused if they are none."""
    if not shares or any(not 0 <= share <= 1 for share in shares.values()) or abs(sum(shares.values()) - 1) > 1e-9:
        raise InvalidDataset(f"the shares of the splits must add up to 1, not {brief(shares)}")
    return shares


def parse_shares(text: str) -> dict[str, float]:
    """Shares of splits from text.

    >>> parse_shares("train=0.9,test=0.1")
    {'train': 0.9, 'test': 0.1}
    """
    try:
        pairs = [part.split("=") for part in text.split(",")]
        shares = {name.strip(): float(share) for name, share in pairs}
        if len(shares) == len(pairs) and all(shares):
            return checked_shares(shares)
    except ValueError as problem:
        if isinstance(problem, InvalidDataset):
            raise
    raise InvalidDataset(f"{brief(text)} names no splits: expected shares that add up to 1, as in train=0.9,test=0.1")


# Which positions


def every(game: Game, finished: bool) -> Iterator[tuple[Position, Label]]:
    """Every position of a solved game, those with fewer marks first."""
    if game.cells <= 9:
        source: Iterator[Position] = game.positions()
    else:
        from noughts.solve.at_hand import ask

        solution = ask(game, lambda solution: solution)
        assert solution is not None
        source = (position for marks in range(game.cells + 1) for position, _ in solution.positions(marks))
    for position in source:
        if finished or not position.is_over:
            found = label(position)
            assert found is not None
            yield position, found


def _how_many(game: Game) -> int:
    from noughts.solve.at_hand import ask

    total = ask(game, len)
    assert total is not None
    if total > MAX_POSITIONS:
        raise TooLarge(f"{game} has {total:,} positions: a file takes at most {MAX_POSITIONS:,}; sample some of them")
    return total


def sampled(game: Game, positions: int, seed: int, finished: bool) -> Iterator[tuple[Position, Label]]:
    """So many different positions of random games, each game giving one, at a ply that is drawn too."""
    rng, seen = Random(f"{seed} {game}"), set[tuple[int, int]]()
    for _ in range(TRIES * positions):
        line = [game.start()]
        while not line[-1].is_over:
            line.append(line[-1].play(rng.choice(line[-1].moves())))
        position = rng.choice(line if finished else line[:-1])
        if (position.x, position.o) in seen:
            continue
        found = label(position)
        if found is None:
            continue
        seen.add((position.x, position.o))
        yield position, found
        if len(seen) == positions:
            return
    raise InvalidDataset(
        f"random games of {game} gave only {len(seen):,} different positions with a label, not {positions:,}: "
        "ask for fewer, or for all"
    )


def split_of(position: Position, seed: int, shares: dict[str, float]) -> str:
    """The split of a position, drawn for its class under symmetry."""
    name = f"{seed} {position.game} {position.canonical().code}"
    drawn = int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big") / 2**64
    for split, share in shares.items():
        drawn -= share
        if drawn < 0:
            return split
    return next(reversed([split for split, share in shares.items() if share]))


# What a row holds


def text_row(position: Position, found: Label, split: str) -> Row:
    """A position as text, three ways, and its best moves, three ways."""
    game = position.game
    return {
        "game": str(game),
        "position": str(position),
        "board": draw_board(position),
        "words": in_words(position),
        "turn": position.turn.value,
        "marks": position.marks,
        "value": found.value.outcome,
        "remoteness": found.value.remoteness,
        "best": format_moves(game, found.best),
        "best_cells": found.best,
        "best_places": [list(divmod(cell, game.columns)) for cell in found.best],
        "keeping": format_moves(game, found.keeping),
        "canonical": str(position.canonical()),
        "split": split,
    }


def planes_row(position: Position, found: Label, split: str) -> Row:
    """A position as a learner sees it: the mover's cells first, masks of actions, numbers."""
    game = position.game
    return {
        "planes": position.planes(),
        "mask": position.mask(),
        "value": WORTH[found.value.outcome],
        "remoteness": found.value.remoteness,
        "best": action_mask(game, game.bits_of(found.best)),
        "marks": position.marks,
        "split": split,
    }


ROWS: dict[str, Callable[[Position, Label, str], Row]] = {"text": text_row, "planes": planes_row}


def in_words(position: Position) -> str:
    """A position in a sentence or two.

    >>> in_words(Position.parse("X.O/.X./..."))
    'Tic-tac-toe on 3 rows and 3 columns, 3 in a row wins. X has a3 and b2. O has c3. O is to move.'
    """
    game = position.game
    name = "Tic-tac-toe" if not game.gravity else "Connect Four"
    parts = [f"{name} on {game.rows} rows and {game.columns} columns, {game.rule.goal}."]
    for mark, bits in zip(Mark, (position.x, position.o), strict=True):
        cells = listing([format_move(game, cell) for cell in game.cells_of(bits)])
        parts.append(f"{mark} has {cells or 'no cell'}.")
    parts.append("The game is over." if position.is_over else f"{position.turn} is to move.")
    return " ".join(parts)
