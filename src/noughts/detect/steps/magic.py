"""The steps of the magic square, of magic labels, and of an exhibit: sums of labels, and a look for what is missing.

Each move is two steps: first the look, then the entry into the tables; `taken` are sums of one mark, `pairs` of two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, pairwise

from noughts.detect.exhibits import Magic16
from noughts.detect.labelling import exact_labelling
from noughts.detect.magic_labels import Levels, add_mark, no_marks
from noughts.detect.magic_square import LABELS, MAGIC
from noughts.detect.steps.scene import (
    PLAYERS,
    Cells,
    Grid,
    Part,
    Scene,
    Sign,
    Step,
    Tile,
    Tiles,
    own_bits,
    owned,
    places,
    positions,
    role_of,
    words,
)
from noughts.game import Cell, Game
from noughts.notation import format_move
from noughts.position import Mark, Position, X

FEW = 24  # numbers of a table that are all shown, whether they are in it or not
SOME = 10  # of a larger table, so many that are in it


def square_steps(position: Position, order: Sequence[Cell]) -> Iterator[Step]:
    """Follow the game with the labels 1 to 9."""
    yield from _follow(position, order, Magic(position.game, LABELS, MAGIC))


def labels_steps(position: Position, order: Sequence[Cell]) -> Iterator[Step]:
    """Follow the game with labels found by search."""
    game = position.game
    yield from _follow(position, order, Magic(game, *exact_labelling(Game(game.rows, game.columns, game.k))))


def sixteen_steps(position: Position, order: Sequence[Cell]) -> Iterator[Step]:
    """Add up each player's labels of the magic square of 1 to 16, which takes other sets for lines."""
    magic = Magic(position.game, Magic16.labels, Magic16.total)
    yield _opening(position, magic)
    for mark in PLAYERS:
        tables = {mark: no_marks(magic.game.k)}
        for cell in magic.game.cells_of(own_bits(position, mark)):
            look = _look(Now(position, magic, tables, cell, mark))
            yield look
            if look.found:
                return
            tables = {mark: add_mark(tables[mark], magic.labels[cell])}
            yield _enter(Now(position, magic, tables, cell, mark))
    yield Step(f"Nobody's labels make {magic.total}: nobody has a line.", partial(_draw, Now(position, magic, {})))


@dataclass(frozen=True)
class Magic:
    """A board with a label in each cell."""

    game: Game
    labels: tuple[int, ...]
    total: int

    @property
    def is_small(self) -> bool:
        """Are the numbers so few that all of them can be shown?"""
        return self.total <= FEW

    @property
    def tables(self) -> tuple[str, ...]:
        """What the sums of one mark, of two, … are called."""
        return ("taken", "pairs", "threes", "fours")[: self.game.k - 1]

    def others(self, position: Position, cell: Cell, mark: Mark) -> list[Cell]:
        """The mark's cells but this one."""
        return [other for other in self.game.cells_of(own_bits(position, mark)) if other != cell]

    def partners(self, position: Position, cell: Cell, mark: Mark) -> Cells:
        """The marks that make the total with this one."""
        sets = combinations(self.others(position, cell, mark), self.game.k - 1)
        return next(cells for cells in sets if sum(self.labels[each] for each in (*cells, cell)) == self.total)

    def wanted(self, position: Position, levels: Levels) -> Cells:
        """The free cells whose labels make the total with k - 1 marks."""
        return tuple(cell for cell in self.game.cells_of(position.empty) if self.holds(levels, cell))

    def holds(self, levels: Levels, cell: Cell) -> bool:
        """Is what this cell lacks in the highest table?"""
        missing = self.total - self.labels[cell]
        return missing >= 0 and bool(levels[-1] >> missing & 1)


@dataclass(frozen=True)
class Now:
    """The board, the tables, and the mark that is looked up or entered."""

    position: Position
    magic: Magic
    tables: dict[Mark, Levels]
    cell: Cell | None = None
    mark: Mark = X
    looking: bool = False
    line: Cells = ()


def _follow(position: Position, order: Sequence[Cell], magic: Magic) -> Iterator[Step]:
    game = position.game
    yield _opening(game.start(), magic)
    tables = {mark: no_marks(game.k) for mark in PLAYERS}
    for number, (before, after) in enumerate(pairwise(positions(game, order)), 1):
        cell, mark, later = order[number - 1], before.turn, tuple(order[number:])
        look = _look(Now(after, magic, tables, cell, mark), number, later)
        yield look
        if look.found:
            return
        tables = {**tables, mark: add_mark(tables[mark], magic.labels[cell])}
        yield _enter(Now(after, magic, tables, cell, mark), number, later)


def _opening(position: Position, magic: Magic) -> Step:
    tables = {mark: no_marks(magic.game.k) for mark in PLAYERS}
    return Step(f"Every line adds up to {magic.total}.", partial(_draw, Now(position, magic, tables)), moves=0)


def _look(now: Now, moves: int | None = None, later: Cells = ()) -> Step:
    """Is what the new mark lacks among the sums of k - 1 marks?"""
    magic, mark, cell = now.magic, now.mark, now.cell
    assert cell is not None
    label, found = magic.labels[cell], magic.holds(now.tables[mark], cell)
    line = (*magic.partners(now.position, cell, mark), cell) if found else ()
    sums = " + ".join(str(magic.labels[each]) for each in line)
    lacks = f"{magic.total} − {label} = {magic.total - label}"
    said = f"is there: {sums} = {magic.total}. A line of {mark}" if found else f"is not in {mark}'s {magic.tables[-1]}"
    return Step(
        f"{mark} takes {label} on {format_move(magic.game, cell)}. {lacks} {said}{_block(now, cell, found)}.",
        partial(_draw, replace(now, looking=True, line=line)),
        {"hit": line, "look": (cell,), "later": later},
        2,
        mark if found else None,
        moves,
    )


def _block(now: Now, cell: Cell, found: bool) -> str:
    """Does the move take what the other lacked? No algorithm has to ask that, but whoever watches does."""
    other = now.tables.get(now.mark.other)
    if found or now.magic.game.misere or other is None or not now.magic.holds(other, cell):
        return ""
    return f", but it is in {now.mark.other}'s: a block"


def _enter(now: Now, moves: int | None = None, later: Cells = ()) -> Step:
    """The new mark joins the tables."""
    magic, mark, cell = now.magic, now.mark, now.cell
    assert cell is not None
    wanted = magic.wanted(now.position, now.tables[mark])
    return Step(
        f"{magic.labels[cell]} is entered, and its sums with {mark}'s other numbers.{_hope(now, wanted)}",
        partial(_draw, now),
        {"want": wanted, "look": (cell,), "later": later},
        2 * sum(words(level.bit_length()) for level in now.tables[mark][1:]),
        None,
        moves,
    )


def _hope(now: Now, wanted: Cells) -> str:
    """What the mark would complete a line with, in words."""
    *others, last = [""] if not wanted else [str(now.magic.labels[cell]) for cell in wanted]
    either = f"{', '.join(others)} or {last}" if others else last
    if not wanted:
        return ""
    if now.magic.game.misere:
        return f" {now.mark} would complete a line, and lose, with {either}."
    return f" {now.mark} now wins with {either}{': a fork' if others else ''}."


# Drawing


def _draw(now: Now) -> Scene:
    """The labels, the sum that is being done, and the tables."""
    position, magic, game = now.position, now.magic, now.magic.game
    hopes = [magic.wanted(position, levels) for levels in now.tables.values()] if magic.is_small else []
    wanted = tuple(sorted({cell for cells in hopes for cell in cells}))
    grid = Grid(
        game.rows,
        game.columns,
        "",
        dict(enumerate(map(str, magic.labels))),
        marks=owned(position),
        roles={"look": () if now.cell is None else (now.cell,), "hit": now.line, "want": wanted},
        paths=(now.line,) if now.line else (),
    )
    rows: list[tuple[Part, ...]] = [(grid,)]
    if now.cell is not None:
        rows.append(tuple(_sum(now, now.cell)))
    shown = PLAYERS if magic.is_small else (now.mark,)
    rows += [tuple(_tables(now, mark)) for mark in shown if mark in now.tables]
    return tuple(rows)


def _sum(now: Now, cell: Cell) -> Iterator[Part]:
    """The look: total - label; the entry: the label's sums with others; the line: its labels and their sum."""

    def plate(number: int, role: str) -> Tiles:
        return Tiles((Tile(str(number), (role,) if role else ()),))

    magic, own = now.magic, role_of(now.mark)
    label = magic.labels[cell]
    if now.line:
        for number, each in enumerate(now.line):
            yield from [Sign("+")] * bool(number)
            yield plate(magic.labels[each], own)
        yield from (Sign("="), plate(magic.total, "hit"))
    elif now.looking:
        yield from (plate(magic.total, ""), Sign("−"), plate(label, own), Sign("="))
        yield plate(magic.total - label, "look")
    elif magic.game.k == 3 and (others := magic.others(now.position, cell, now.mark)):
        for number, other in enumerate(others):
            yield from [Sign("\u2003")] * bool(number)
            yield from (plate(magic.labels[other], own), Sign("+"), plate(label, own), Sign("="))
            yield plate(magic.labels[other] + label, "new")
    else:
        yield plate(label, own)


def _tables(now: Now, mark: Mark) -> Iterator[Tiles]:
    """A player's tables: all the numbers that could be in them, or some of those that are."""
    magic, levels = now.magic, now.tables[mark]
    mine = now.cell is not None and now.mark is mark
    missing = magic.total - magic.labels[now.cell] if mine and now.looking and now.cell is not None else None
    wanted = {magic.total - magic.labels[cell] for cell in magic.wanted(now.position, levels)}
    for size, (name, level) in enumerate(zip(magic.tables, levels[1:], strict=True), 1):
        there, highest = set(places(level)), size == magic.game.k - 1
        new = _new(now, size) if mine and not now.looking else set()
        shown = (
            {sum(each) for each in combinations(magic.labels, size)} if magic.is_small else set(sorted(there)[:SOME])
        )
        if highest and missing is not None and missing >= 0:
            shown.add(missing)
        tiles = []
        for number in sorted(shown):
            roles = [role_of(mark)] * (number in there) + ["new"] * (number in new)
            if highest and number == missing:
                roles.append("hit" if number in there else "look")
            elif highest and number in wanted:
                roles.append("want")
            tiles.append(Tile(str(number), tuple(roles), f"+ {magic.total - number}" if "want" in roles else ""))
        more = len(there - shown)
        yield Tiles((*tiles, *([Tile(f"and {more:,} more")] if more else [])), f"{mark} {name}")


def _new(now: Now, size: int) -> set[int]:
    """The sums of so many marks that came in with the last label."""
    if now.cell is None:
        return set()
    labels = now.magic.labels
    others = [labels[other] for other in now.magic.others(now.position, now.cell, now.mark)]
    before = {sum(each) for each in combinations(others, size)}
    return {sum(each) + labels[now.cell] for each in combinations(others, size - 1)} - before
