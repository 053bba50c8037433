"""Labelled: what detectors share that number the cells and know a line by the sum of its labels.

Each player has tables, sets of numbers kept as bits: the first has the labels of their marks (`taken`), the second the
sums of two of them (`pairs`), and so on to k - 1. A move is first looked up: is what its label lacks to the lines' sum
in the last table? Then it is entered.

        8 1 6       X has 8 and 3, and takes 4
        3 5 7       taken {3, 8}      pairs {11}      15 - 4 = 11 is there: 8 + 3 + 4, a line
        4 9 2

Sums cannot be taken apart again, so undo brings back the tables of before.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Generic, TypeVar

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
from noughts.rules.marks import Mark, O, X
from noughts.rules.notation import format_move
from noughts.rules.position import Position, replay
from noughts.words import listing

FEW = 24  # numbers of a table that are all shown, whether they are in it or not
SOME = 10  # of a larger table, so many that are in it
NAMES = ("taken", "pairs", "threes", "fours")  # the tables

Sums = tuple[int, ...]  # tables, number n as bit n; the last k - 1 are the sums of one mark, of two, … of k - 1
Memory = TypeVar("Memory", bound=Sums)


class Labelled(Incremental, Generic[Memory]):
    """A detector that follows a game by the sums of labels."""

    labelling: Labelling
    x: Memory
    o: Memory

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.x = self.o = self.nothing()
        self.before: list[Memory] = []

    @abstractmethod
    def nothing(self) -> Memory:
        """The tables of a player without marks."""

    @abstractmethod
    def after(self, tables: Memory, label: int) -> Memory:
        """These tables with one more label taken."""

    def winner(self, position: Position) -> Mark | None:
        """Place each player's marks one by one, in any order."""
        labels, total = self.labelling
        for mark, bits in players(position):
            tables = self.nothing()
            for cell in self.game.cells_of(bits):
                if tables[-1] >> total - labels[cell] & 1:
                    return mark
                tables = self.after(tables, labels[cell])
        return None

    def completes(self, cell: Cell, mark: Mark) -> bool:
        """One look into the player's last table."""
        tables = self.x if mark is X else self.o
        return bool(tables[-1] >> self.labelling.total - self.labelling.labels[cell] & 1)

    def record(self, cell: Cell, mark: Mark) -> None:
        """Note the label, and its sums with those before."""
        self.before.append(self.x if mark is X else self.o)
        self.put(mark, self.after(self.before[-1], self.labelling.labels[cell]))

    def erase(self, cell: Cell, mark: Mark) -> None:
        """Put the tables of before back."""
        self.put(mark, self.before.pop())

    def put(self, mark: Mark, tables: Memory) -> None:
        """From now on these are the player's tables."""
        self.x, self.o = (tables, self.o) if mark is X else (self.x, tables)

    def lines_through(self, cell: Cell, mark: Mark) -> list[Line]:
        """The marks that make the total with this one: that they are a line is what the labels are for."""
        others = [other for other, owner in enumerate(self.owner) if owner is mark and other != cell]
        return [tuple(sorted((cell, *found))) for found in partners(self.labelling, self.game.k, others, cell)]

    def steps(self, position: Position, order: Sequence[Cell]) -> Iterator[ShownStep]:
        """Follow the game: each move is looked up, and then entered."""
        following = type(self)(self.game)
        yield opening(self.game.start(), self.labelling)
        for number, (cell, after) in enumerate(zip(order, replay(self.game.start(), order)[1:], strict=True), 1):
            mark, tables, later = following.turn, {X: following.x, O: following.o}, tuple(order[number:])
            found = following.play(cell)
            now = Moment(after, self.labelling, tables, cell, mark, number, later)
            yield now.look(found)
            if found:
                return
            yield now.enter({X: following.x, O: following.o})


def partners(labelling: Labelling, k: int, others: Sequence[Cell], cell: Cell) -> Iterator[Cells]:
    """Those k - 1 of the other cells whose labels make the total with this one's."""
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

    def look(self, found: bool) -> ShownStep:
        """Is what the new mark lacks among the sums of k - 1 marks?"""
        cell, mark, (labels, total) = self.at, self.mark, self.labelling
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
        other, missing = self.mark.other, self.missing(self.at)
        blocks = self.game.rule.completing_wins and other in self.tables and self.tables[other][-1] >> missing & 1
        return f", but it is in {other}'s: a block" if blocks else ""

    def enter(self, tables: Mapping[Mark, Sums]) -> ShownStep:
        """The new mark joins the tables, which are these now."""
        now = replace(self, tables=tables, before=self.tables)
        wanted = now.wanted(self.mark)
        return ShownStep(
            f"{self.labelling.labels[self.at]} is entered, and its sums with {self.mark}'s other numbers."
            f"{self.hope(wanted)}",
            now.draw,
            {"want": wanted, "look": (self.at,), "later": self.later},
            2 * sum(words(table.bit_length()) for table in tables[self.mark][1 - self.game.k :]),
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
            there, new = places(self.tables[mark][size - k]), places(self.tables[mark][size - k] & ~before[size - k])
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
    empty = (0,) * (position.game.k - 1)
    start = Moment(position, labelling, {X: empty, O: empty})
    return ShownStep(f"Every line adds up to {labelling.total}.", start.draw, moves=0)
