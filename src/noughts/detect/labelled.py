"""Labelled: what detectors share that number the cells and know a line by the sum of its labels.

Each player has tables, sets of numbers kept as bits: after the one of the empty sum, the first has the labels of their
marks (`taken`), the second the sums of two of them (`pairs`), and so on to k - 1. A move is first looked up: is what
its label lacks to the lines' sum in the last table? Then it is entered.

        8 1 6       X has 8 and 3, and takes 4
        3 5 7       taken {3, 8}      pairs {11}      15 - 4 = 11 is there: 8 + 3 + 4, a line
        4 9 2

Sums cannot be taken apart again, so undo brings back the tables of before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from noughts.detect.base import Incremental
from noughts.detect.labelling import Labelling
from noughts.detect.scene import (
    PLAYERS,
    Cells,
    Grid,
    Part,
    Scene,
    ShownStep,
    Sign,
    Tile,
    Tiles,
    own_bits,
    owned,
    places,
    players,
    role_of,
    words,
)
from noughts.rules.game import Cell, Game, Line
from noughts.rules.marks import Mark, X
from noughts.rules.notation import format_move
from noughts.rules.position import Position, Setup, replay
from noughts.words import listing

FEW = 24  # numbers of a table that are all shown, whether they are in it or not
SOME = 10  # of a larger table, so many that are in it
NAMES = ("taken", "pairs", "threes", "fours")  # the tables

Sums = tuple[int, ...]  # tables, number n as bit n: the sums of no mark, of one, of two, … of k - 1


def no_marks(k: int) -> Sums:
    """The tables of a player without marks: only the empty sum."""
    return (1, *[0] * (k - 1))


def add_mark(tables: Sums, label: int) -> Sums:
    """The tables with one more mark: each takes in the one below it, raised by the label."""
    return (1, *[upper | lower << label for lower, upper in pairwise(tables)])


def makes(tables: Sums, missing: int) -> bool:
    """Do some k - 1 of the marks add up to what is missing? One look into the last table."""
    return missing >= 0 and bool(tables[-1] >> missing & 1)


def has_sum(labels: Iterable[int], k: int, total: int) -> bool:
    """Do some k of these labels add up to the total?

    >>> has_sum((8, 3, 5, 4), 3, 15), has_sum((8, 3, 5, 9), 3, 15)
    (True, False)
    """
    tables = no_marks(k)
    for label in labels:
        if makes(tables, total - label):
            return True
        tables = add_mark(tables, label)
    return False


def owner_of_sum(position: Setup | Position, labelling: Labelling) -> Mark | None:
    """Who has k marks whose labels make the total, placed one by one, in any order."""
    for mark, bits in players(position):
        labels = (labelling.labels[cell] for cell in position.game.cells_of(bits))
        if has_sum(labels, position.game.k, labelling.total):
            return mark
    return None


class Labelled(Incremental):
    """A detector that follows a game by the sums of labels."""

    labelling: Labelling

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.x = self.o = no_marks(game.k)
        self.before: list[Sums] = []

    def winner(self, position: Position) -> Mark | None:
        """Whoever has the lines' sum."""
        return owner_of_sum(position, self.labelling)

    def completes(self, cell: Cell, mark: Mark) -> bool:
        """One look into the player's last table."""
        return makes(self.x if mark is X else self.o, self.labelling.total - self.labelling.labels[cell])

    def record(self, cell: Cell, mark: Mark) -> None:
        """Note the label, and its sums with those before."""
        self.before.append(self.x if mark is X else self.o)
        self.put(mark, add_mark(self.before[-1], self.labelling.labels[cell]))

    def erase(self, cell: Cell, mark: Mark) -> None:
        """Put the tables of before back."""
        self.put(mark, self.before.pop())

    def put(self, mark: Mark, tables: Sums) -> None:
        """From now on these are the player's tables."""
        self.x, self.o = (tables, self.o) if mark is X else (self.x, tables)

    def lines_through(self, cell: Cell, mark: Mark) -> list[Line]:
        """The marks that make the total with this one: that they are a line is what the labels are for."""
        others = [other for other, owner in enumerate(self.owner) if owner is mark and other != cell]
        return [tuple(sorted((cell, *found))) for found in partners(self.labelling, self.game.k, others, cell)]

    def steps(self, position: Position, order: Sequence[Cell]) -> Iterator[ShownStep]:
        """Follow the game: each move is looked up, and then entered."""
        start, tables = self.game.start(), dict.fromkeys(PLAYERS, no_marks(self.game.k))
        yield opening(start, self.labelling)
        for number, (cell, after) in enumerate(zip(order, replay(start, order)[1:], strict=True), 1):
            now = Moment(after, self.labelling, tables, cell, after.turn.other, number, tuple(order[number:]))
            yield from now.steps()
            tables = now.after


def partners(labelling: Labelling, k: int, others: Sequence[Cell], cell: Cell) -> Iterator[Cells]:
    """Every set of k - 1 of the other cells whose labels make the total together with this cell's."""
    missing = labelling.total - labelling.labels[cell]
    sets = combinations(others, k - 1)
    return (cells for cells in sets if sum(labelling.labels[other] for other in cells) == missing)


# Its steps


@dataclass(frozen=True)
class Moment:
    """The board, the tables, and the mark that is looked up or entered."""

    position: Position
    labelling: Labelling
    tables: Mapping[Mark, Sums]
    cell: Cell | None = None
    mark: Mark = X
    moves: int | None = None
    later: Cells = ()
    before: Mapping[Mark, Sums] | None = None  # the tables before the mark was entered
    line: Cells = ()

    @property
    def game(self) -> Game:
        """Which game it is."""
        return self.position.game

    @property
    def is_small(self) -> bool:
        """Are the numbers so few that all of them can be shown?"""
        return self.labelling.total <= FEW

    @property
    def at(self) -> Cell:
        """Where the mark is."""
        assert self.cell is not None
        return self.cell

    @property
    def after(self) -> dict[Mark, Sums]:
        """The tables when the new mark has joined them."""
        return {**self.tables, self.mark: add_mark(self.tables[self.mark], self.labelling.labels[self.at])}

    @property
    def others(self) -> list[Cell]:
        """The mark's other cells."""
        return [cell for cell in self.game.cells_of(own_bits(self.position, self.mark)) if cell != self.cell]

    def missing(self, cell: Cell) -> int:
        """What is missing to the total beside the label of a cell."""
        return self.labelling.total - self.labelling.labels[cell]

    def wanted(self, mark: Mark) -> Cells:
        """The free cells whose labels make the total with k - 1 marks."""
        sums = places(self.tables[mark][-1])
        return tuple(cell for cell in places(self.position.empty) if self.missing(cell) in sums)

    # In words

    def steps(self) -> Iterator[ShownStep]:
        """The new mark is looked up, and entered."""
        yield self.look()
        yield self.enter()

    def look(self) -> ShownStep:
        """Is what the new mark lacks among the sums of k - 1 marks?"""
        cell, mark, (labels, total) = self.at, self.mark, self.labelling
        found = makes(self.tables[mark], self.missing(cell))
        line = (*next(partners(self.labelling, self.game.k, self.others, cell)), cell) if found else ()
        sums = " + ".join(str(labels[each]) for each in line)
        table = NAMES[self.game.k - 2]
        said = f"is there: {sums} = {total}. A line of {mark}" if found else f"is not in {mark}'s {table}{self.block()}"
        return ShownStep(
            f"{mark} takes {labels[cell]} on {format_move(self.game, cell)}. "
            f"{total} − {labels[cell]} = {self.missing(cell)} {said}.",
            replace(self, line=line).draw,
            {"hit": line, "look": (cell,), "later": self.later},
            2,
            mark if found else None,
            self.moves,
        )

    def block(self) -> str:
        """Does the move take what the other lacked? No algorithm has to ask that, but whoever watches does."""
        other = self.mark.other
        there = other in self.tables and makes(self.tables[other], self.missing(self.at))
        blocks = there and self.game.rule.completing_wins
        return f", but it is in {other}'s: a block" if blocks else ""

    def enter(self) -> ShownStep:
        """The new mark joins the tables."""
        now = replace(self, tables=self.after, before=self.tables)
        wanted = now.wanted(self.mark)
        return ShownStep(
            f"{self.labelling.labels[self.at]} is entered, and its sums with {self.mark}'s other numbers."
            f"{self.hope(wanted)}",
            now.draw,
            {"want": wanted, "look": (self.at,), "later": self.later},
            2 * sum(words(table.bit_length()) for table in now.tables[self.mark][1:]),
            moves=self.moves,
        )

    def hope(self, wanted: Cells) -> str:
        """What the mark would complete a line with, in words."""
        if not wanted:
            return ""
        either = listing((str(self.labelling.labels[cell]) for cell in wanted), "or")
        if not self.game.rule.completing_wins:
            return f" {self.mark} would complete a line, and lose, with {either}."
        return f" {self.mark} now wins with {either}{': a fork' if len(wanted) > 1 else ''}."

    # Drawing

    def draw(self) -> Scene:
        """The labels, the sum that is being done, and the tables."""
        here = () if self.cell is None else (self.cell,)
        wanted = {cell for mark in self.tables for cell in self.wanted(mark)} if self.is_small else set()
        grid = Grid(
            self.game.rows, self.game.columns, texts=dict(enumerate(map(str, self.labelling.labels))),
            marks=owned(self.position), roles={"look": here, "hit": self.line, "want": tuple(sorted(wanted))},
            paths=(self.line,) if self.line else (),
        )  # fmt: skip
        shown = [mark for mark in (PLAYERS if self.is_small else (self.mark,)) if mark in self.tables]
        return ((grid,), *map(self.sum_of, here), *(tuple(self.plates(mark)) for mark in shown))

    def sum_of(self, cell: Cell) -> tuple[Part, ...]:
        """The look: total - label; the entry: the label's sums with others; the line: its labels and their sum."""
        (labels, total), own = self.labelling, role_of(self.mark)
        parts: list[str | tuple[int, str]]  # signs, and numbers on plates with their roles
        if self.line:
            terms = [part for each in self.line for part in ("+", (labels[each], own))]
            parts = [*terms[1:], "=", (total, "hit")]
        elif self.before is None:
            parts = [(total, ""), "−", (labels[cell], own), "=", (self.missing(cell), "look")]
        elif self.game.k == 3 and self.others:
            here = labels[cell]
            sums = [("\u2003", (labels[o], own), "+", (here, own), "=", (labels[o] + here, "new")) for o in self.others]
            parts = [part for each in sums for part in each][1:]
        else:
            parts = [(labels[cell], own)]
        return tuple(
            Sign(part) if isinstance(part, str) else Tiles((Tile(str(part[0]), (part[1],) if part[1] else ()),))
            for part in parts
        )

    def plates(self, mark: Mark) -> Iterator[Tiles]:
        """A player's tables: all the numbers that could be in them, or some of those that are."""
        k, (labels, total) = self.game.k, self.labelling
        before = (self.before or self.tables)[mark]
        looking = self.cell is not None and self.mark is mark and self.before is None
        looked = {self.missing(self.at)} if looking else set()
        wanted = {self.missing(cell) for cell in self.wanted(mark)} - looked
        for size in range(1, k):
            there, new = places(self.tables[mark][size]), places(self.tables[mark][size] & ~before[size])
            shown = {sum(each) for each in combinations(labels, size)} if self.is_small else set(there[:SOME])
            if size == k - 1:
                shown |= {number for number in looked if number >= 0}
            tiles = []
            for number in sorted(shown):
                roles = [role_of(mark)] * (number in there) + ["new"] * (number in new)
                if size == k - 1 and number in looked:
                    roles.append("hit" if number in there else "look")
                elif size == k - 1 and number in wanted:
                    roles.append("want")
                tiles.append(Tile(str(number), tuple(roles), f"+ {total - number}" if "want" in roles else ""))
            more = len(set(there) - shown)
            yield Tiles((*tiles, *([Tile(f"and {more:,} more")] if more else [])), f"{mark} {NAMES[size - 1]}")


def opening(position: Position, labelling: Labelling) -> ShownStep:
    """The labels, and empty tables."""
    start = Moment(position, labelling, dict.fromkeys(PLAYERS, no_marks(position.game.k)))
    return ShownStep(f"Every line adds up to {labelling.total}.", start.draw, moves=0)
