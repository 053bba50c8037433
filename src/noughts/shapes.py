"""Shapes: the fours and threes that stand on a board, with the cells that complete and that meet them, in words.

four     marks of one player to which one cell is lacking; open if two cells complete it, so that nobody can meet it
three    marks to which two cells are lacking, such that one move makes an open four; one who does nothing loses

They are called after five in a row, and by their number where k is another: with k = 6 a five and a four. A three is
met by a mark after which no move makes an open four of it any more:

    . . X X X . .      on b or f (a and g leave the other side)          . X . X X .      on a, c or f
    a b c d e f g                                                         a b c d e f

With three in a row there are fours alone, called twos: a lone mark is no shape. Games in which marks fall or a line
loses have none: there are the threats of `noughts.threats` instead.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Literal

from noughts.rules.answer import Answer
from noughts.rules.game import Bits, Cell, Game
from noughts.rules.marks import Mark, X
from noughts.rules.notation import format_move, format_moves
from noughts.rules.position import Position
from noughts.words import listing

FEWEST = 3  # in a row
THREES = 4  # in a row, from which on there are threes
MAX_CELLS = 1_024
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
Kind = Literal["four", "three"]


@dataclass(frozen=True)
class Shape(Answer):
    """A four or a three.

    >>> for shape in shapes(Position.parse("7x7k5:......./..O..../.XXX.../..O..../......./......./.......")):
    ...     print(shape)
    the three at b5 c5 d5 must be met at a5, e5 or f5
    """

    keys = (
        "kind name owner open at=marks@ at_cells=marks completes@ completing_cells=completes meets@ "
        "meeting_cells=meets text=__str__ promise"
    )

    game: Game
    kind: Kind
    owner: Mark
    marks: tuple[Cell, ...]
    completes: tuple[Cell, ...]  # a four: where it becomes a line; a three: where it becomes an open four
    meets: tuple[Cell, ...]  # where the other meets it
    answerable: bool = False  # can the other make a four instead?

    @property
    def name(self) -> str:
        """What it is called: the number of marks that it has."""
        return called(self.game, self.kind)

    @property
    def open(self) -> bool:
        """A four: do two cells complete it? Of a three this is what makes it one: true."""
        return self.kind == "three" or len(self.completes) > 1

    @property
    def place(self) -> str:
        """The four at a1 b1 c1 d1."""
        return f"the {self.name} at {' '.join(format_moves(self.game, self.marks))}"

    @property
    def promise(self) -> str:
        """What its owner can make of it."""
        cells = listing(format_moves(self.game, self.completes), "or")
        if self.kind == "four":
            return f"{cells} completes {self.place}"
        return f"{cells} makes an open {called(self.game, 'four')} of {self.place}"

    def __str__(self) -> str:
        """What the other has to do about it."""
        cells = format_moves(self.game, self.meets)
        if self.kind == "four":
            if len(self.completes) == 1:
                return f"{self.place} must be met at {cells[0]}"
            return f"{self.place} cannot be met: {listing(format_moves(self.game, self.completes), 'and')} complete it"
        instead = f", or by a {called(self.game, 'four')} of your own" if self.answerable else ""
        return f"{self.place} must be met at {listing(cells, 'or')}{instead}"


def called(game: Game, kind: Kind) -> str:
    """A four or a three by its number of marks.

    >>> called(Game(15, 15, 5), "four"), called(Game(6, 6, 4), "three"), called(Game(20, 20, 20), "four")
    ('four', 'two', '19')
    """
    number = game.k - (1 if kind == "four" else 2)
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def _plural(name: str) -> str:
    return f"{name}es" if name == "six" else f"{name}s"


def has_shapes(game: Game) -> bool:
    """Are fours and threes looked for in this game?"""
    return game.k >= FEWEST and game.cells <= MAX_CELLS and not game.gravity and game.rule.completing_wins


def shapes(position: Position, mark: Mark | None = None) -> tuple[Shape, ...]:
    """The fours and threes of both players, or of one: fours first, those of the player to move before the other's."""
    game = position.game
    if position.is_over or not has_shapes(game):
        return ()
    turn = position.turn
    found = [each for side in (turn, turn.other) if mark in (None, side) for each in _of(position, side)]
    return tuple(sorted(found, key=lambda each: each.kind != "four"))


def _of(position: Position, owner: Mark) -> Iterator[Shape]:
    game, free = position.game, position.empty
    own, other = (position.x, position.o) if owner is X else (position.o, position.x)
    answerable = any(True for _ in windows(game, other, free, 2))
    fours: dict[tuple[int, Bits], Bits] = defaultdict(int)  # direction and marks: what completes them
    pairs: dict[int, list[tuple[Bits, Bits]]] = defaultdict(list)  # direction: marks and the two cells they lack
    for way, line, lacks in windows(game, own, free, 2):
        if lacks.bit_count() == 1:
            fours[way, line & own] |= lacks
        else:
            pairs[way].append((line & own, lacks))
    for way, marks in _told(fours):
        ends = from_left(game, fours[way, marks])
        yield Shape(game, "four", owner, from_left(game, marks), ends, ends if len(ends) == 1 else ())
    taken = reduce(or_, fours.values(), 0)
    for lines in pairs.values() if game.k >= THREES else ():
        yield from _threes(game, owner, [pair for pair in lines if not pair[1] & taken], answerable)


def _told(fours: dict[tuple[int, Bits], Bits]) -> Iterator[tuple[int, Bits]]:
    """Of several fours that one cell completes in a direction, one: that which is open, or else the closest."""

    def order(four: tuple[int, Bits]) -> tuple[bool, int]:
        _, marks = four
        return fours[four].bit_count() == 1, marks.bit_length() - (marks & -marks).bit_length()

    done: dict[int, Bits] = defaultdict(int)
    chosen = set()
    for four in sorted(fours, key=order):
        if fours[four] & ~done[four[0]]:
            done[four[0]] |= fours[four]
            chosen.add(four)
    return (four for four in fours if four in chosen)


def windows(game: Game, own: Bits, free: Bits, most: int) -> Iterator[tuple[int, Bits, Bits]]:
    """Every line of own and free cells that lacks one cell up to so many: its direction, its cells, those it lacks."""
    for number, direction in enumerate(game.directions):
        step = game.step(direction)
        line = sum(1 << i * step for i in range(game.k))
        for start in game.cells_of(game.rule.line_starts(own, direction, free)):
            cells = line << start
            lacks = cells & ~own
            if 0 < lacks.bit_count() <= most:
                yield number, cells, lacks


def _threes(game: Game, owner: Mark, lines: Sequence[tuple[Bits, Bits]], answerable: bool) -> Iterator[Shape]:
    """The threes among the lines of one direction that lack two cells."""
    makers: dict[Bits, Bits] = defaultdict(int)  # marks: the cells that make an open four of them
    for i, (marks, lacks) in enumerate(lines):
        for others, lack in lines[:i]:
            both = lacks & lack
            if both and both != lacks:
                makers[marks | others] |= both
    for marks, cells in makers.items():
        if any(smaller != marks and smaller & marks == smaller and makers[smaller] & cells for smaller in makers):
            continue
        about = [lacks for own, lacks in lines if own & marks == own]
        lacking = from_left(game, reduce(or_, about))
        meets = tuple(cell for cell in lacking if not _makes([line for line in about if not line >> cell & 1]))
        yield Shape(game, "three", owner, from_left(game, marks), from_left(game, cells), meets, answerable)


def from_left(game: Game, cells: Bits) -> tuple[Cell, ...]:
    """The cells as one reads a line, from left to right, and a column from below."""
    return tuple(sorted(game.cells_of(cells), key=lambda cell: (cell % game.columns, -cell)))


def _makes(lines: Sequence[Bits]) -> bool:
    """Is there a cell that two of them lack, and each another one besides?"""
    return any(lines[i] & other and lines[i] != other for i in range(len(lines)) for other in lines[:i])


# In words


def facing(position: Position) -> tuple[str, ...]:
    """What the player to move must meet, in sentences; nothing if they can complete a line themselves."""
    if position.is_over or position.game.rule.completing(position.sides[0]) & position.playable:
        return ()
    return tuple(str(each) for each in shapes(position, position.turn.other))


def promising(position: Position) -> list[Cell]:
    """The moves that may make a four or a three, or meet one."""
    game, free, (own, other) = position.game, position.empty, position.sides
    if position.is_over or not has_shapes(game):
        return []
    made = (lacks for _, _, lacks in windows(game, own, free, 3 if game.k >= THREES else 2))
    met = (lacks for _, _, lacks in windows(game, other, free, 2))
    return game.cells_of(reduce(or_, (*made, *met), 0))


def deeds(position: Position, cell: Cell) -> list[str]:
    """What a move does with fours and threes: those that it makes, and the threes of the other that it meets.

    >>> deeds(Position.parse("7x8k5:......../..O...../..XXX.../..O...../....O.../......../........"), 21)
    ['makes an open four: b5 and g5 both complete it']
    """
    game, mover = position.game, position.turn
    if not has_shapes(game):
        return []
    after = position.play(cell)
    if after.is_over:
        return []
    made = [each for each in shapes(after, mover) if cell in each.marks]
    must = None if _ends(after, mover.other) else mover.other  # who can complete a line does that instead
    said = [text for text in [_fours([each for each in made if each.kind == "four"], must)] if text]
    threes = [each for each in made if each.kind == "three"]
    if len(threes) == 1:
        said.append(f"makes a {threes[0].name}, to be met at {listing(format_moves(game, threes[0].meets), 'or')}")
    elif threes:
        said.append(f"makes {NUMBERS[len(threes)]} {_plural(threes[0].name)} at once")
    met = [each for each in shapes(position, mover.other) if each.kind == "three" and cell in each.meets]
    return said + [f"meets {each.place}" for each in met]


def _fours(fours: Sequence[Shape], other: Mark | None = None) -> str:
    """What a move that makes these fours does; with `other`, who must answer a single one, and where."""
    ends = dict.fromkeys(end for each in fours for end in each.completes)
    if not ends:
        return ""
    names, name = format_moves(fours[0].game, ends), fours[0].name
    if len(ends) == 1:
        return f"makes a {name}: {other} must answer {names[0]}" if other else f"makes a {name}"
    if len(fours) == 1:
        return f"makes an open {name}: {listing(names)} both complete it"
    return f"makes {NUMBERS[len(fours)]} {_plural(name)} at once: {listing(names)} complete them"


def told(position: Position, line: Sequence[Cell]) -> str:
    """The moves of a forced win in words: what each of the winner's makes, and what the other answers.

    >>> told(Position.parse("7x7k4:......./......./..XX.../......./....O../.....O./......."), (18, 14, 15))
    'e5 makes an open three: b5 and f5 both complete it; O answers a5; X completes a line on b5'
    """
    if not line:
        return ""
    game, winner = position.game, position.turn if len(line) % 2 else position.turn.other
    said: list[str] = []
    before, times = "", 1  # what was made last, and how often
    for cell in line:
        name, mover = format_move(game, cell), position.turn
        after = position.play(cell)
        if mover is not winner:
            forced, own = len(_ends(position, winner)) == 1, bool(_ends(after, mover))
            four = f" with a {called(game, 'four')} of their own" if own else ""
            said.append(f"{mover} {'must answer' if forced else 'answers'} {name}{four}")
        elif after.is_over:
            said.append(f"{mover} completes a line on {name}")
        else:
            what = _made(after, winner, cell)
            times = times + 1 if what and what == before else 1
            again = "then makes a second one" if times == 2 else "makes another one"
            meets = cell in _ends(position, mover.other)
            idle = f"meets the {called(game, 'four')}" if meets else "prepares it"
            said.append(f"{name} {again if times > 1 else what or idle}")
            before = what
        position = after
    return "; ".join(said)


def _ends(position: Position, mark: Mark) -> list[Cell]:
    """Where a mark would complete a line."""
    own = position.x if mark is X else position.o
    return [*from_left(position.game, position.game.rule.completing(own) & position.playable)]


def _made(after: Position, mark: Mark, cell: Cell) -> str:
    """What the move that led here made."""
    game, made = after.game, [each for each in shapes(after, mark) if cell in each.marks]
    if fours := _fours([each for each in made if each.kind == "four"]):
        return fours
    if ends := _ends(after, mark):  # it leaves one that stands
        return f"keeps a {called(game, 'four')} that lacks {format_move(game, ends[0])}"
    threes = [each for each in made if each.kind == "three"]
    if len(threes) > 1:
        return f"makes {NUMBERS[len(threes)]} {_plural(called(game, 'three'))} at once"
    return f"makes a {called(game, 'three')}" if threes else ""
