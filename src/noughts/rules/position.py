"""A moment of a game: which cells X and O hold, whose turn it is, and whether it is over.

A Position is a value: `after = before.play(4)`. It is checked once, where it enters (`Position(...)`,
`Position.parse`), and its status is known from birth, because only the last move can have ended the game.
A Setup is the unjudged form: marks on a board, whether or not play can lead there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from noughts import native
from noughts.rules.game import Bits, Cell, Game, Line
from noughts.rules.marks import DRAW, ONGOING, Mark, O, Status, X
from noughts.rules.value import Value
from noughts.words import brief, whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from noughts.rules.legality import Reason

Move = Cell | tuple[int, int] | str


class IllegalMove(ValueError):
    """This move cannot be played here."""


class InvalidPosition(ValueError):
    """This board cannot arise by legal play; `reason` says why."""

    def __init__(self, message: str, reason: Reason | None = None) -> None:
        super().__init__(message)
        self.reason = reason


class Setup(NamedTuple):
    """Marks on a board, not yet judged: `noughts.rules.legality` says whether it can arise. Bit i = cell i."""

    game: Game
    x: Bits
    o: Bits


class PlainParts:
    """What a position is made of, in Python."""

    __slots__ = ("game", "o", "playable", "status", "turn", "x")


class _Draft(PlainParts):
    """A Position under construction: changing its class seals it, and is cheaper than object.__setattr__."""

    __slots__ = ()


core: Any = native.core()
MAKE = None if core is None else core.make_position
if core is not None:
    core.name_objects(tuple(Status), tuple(Mark), IllegalMove)

if TYPE_CHECKING:
    Parts = PlainParts
else:
    Parts = PlainParts if core is None else core.PositionParts


class Position(Parts):
    """A position that legal play can reach.

    >>> position = Position.parse("X.O/.X./..O")
    >>> position.turn, position.status, position.moves()
    (<Mark.X: 'X'>, <Status.ONGOING: 0>, [1, 3, 5, 6, 7])
    >>> print(position.play("a1"))
    X.O/.X./X.O
    """

    __slots__ = ()  # the same layout, so that a draft can become one

    game: Game
    x: Bits
    o: Bits
    playable: Bits  # the cells that may be played: none when the game is over
    turn: Mark
    status: Status

    def __new__(cls, game: Game, x: Bits = 0, o: Bits = 0) -> Position:
        """The position with these sets of cells, bit i = cell i; InvalidPosition says why it cannot arise."""
        require(game, Game, "Position")
        x, o = whole("x", x, refuse=InvalidPosition), whole("o", o, refuse=InvalidPosition)
        if x or o:
            from noughts.rules.legality import check

            check(Setup(game, x, o)).require()
        return cls.unchecked(game, x, o)

    @staticmethod
    def unchecked(game: Game, x: Bits, o: Bits) -> Position:
        """The position with these sets of cells, of which the caller knows that they can arise."""
        turn = X if x.bit_count() == o.bit_count() else O
        _, _, has_line, x_line, o_line = game.playing
        playable = 0
        if has_line(x):
            status = x_line
        elif has_line(o):
            status = o_line
        else:
            playable = game.rule.playable(x | o)
            status = ONGOING if playable else DRAW
        return _made(game, x, o, playable, turn, status)

    @staticmethod
    def parse(text: str) -> Position:
        """Read a position from text such as "X.O/.X./..O" or "4x4k4:X.../.O../..../....", and check it."""
        from noughts.rules.notation import parse_board

        return Position(*parse_board(text))

    def __str__(self) -> str:
        from noughts.rules.notation import format_board

        return format_board(self)

    def __repr__(self) -> str:
        return f"Position.parse({str(self)!r})"

    # Playing

    def moves(self) -> list[Cell]:
        """The cells that may be played, ascending; none when the game is over."""
        return self.game.cells_of(self.playable)

    def play_plain(self, move: Move) -> Position:
        """The position after this move, in Python; the core's `play` does boards of up to 64 cells."""
        game = self.game
        bit_of, lift, has_line, x_line, o_line = game.playing
        bit = bit_of[move if move.__class__ is int else self.cell(move)]
        left = self.playable
        if not left & bit:
            raise self._refusal(move)
        left ^= bit | bit >> lift  # where marks fall, the cell above opens
        if self.turn is X:
            mine = x = self.x | bit
            o, turn, ends = self.o, O, x_line
        else:
            mine = o = self.o | bit
            x, turn, ends = self.x, X, o_line
        if has_line(mine):
            return _made(game, x, o, 0, turn, ends)
        return _made(game, x, o, left, turn, ONGOING if left else DRAW)

    if TYPE_CHECKING:

        def play(self, move: Move) -> Position:
            """The position after this move: a cell, a (row, column) pair, or a text such as "b2"."""
    else:
        play = play_plain if core is None else Parts.play

    def cell(self, move: Move) -> Cell:
        """The cell that a move names, whether or not it may be played; IllegalMove if it names none."""
        game = self.game
        if isinstance(move, str):
            from noughts.rules.notation import parse_move

            return parse_move(game, move, game.rule.playable(self.x | self.o))
        try:
            if isinstance(move, tuple):
                row, column = (whole("a number", number) for number in move)
                if 0 <= row < game.rows and 0 <= column < game.columns:
                    return row * game.columns + column
            elif 0 <= (cell := whole("a cell", move)) < game.cells:
                return cell
        except ValueError:
            raise IllegalMove(
                f"{brief(move)} is not a move: give a cell, a (row, column) pair or a text such as a1"
            ) from None
        raise IllegalMove(f"{brief(move)} is not on the board of {game.rows} rows and {game.columns} columns")

    def _refusal(self, move: Move) -> IllegalMove:
        from noughts.rules.notation import format_move

        try:
            cell = self.cell(move)
        except IllegalMove as problem:
            return problem
        name = format_move(self.game, cell)
        if self.status is not ONGOING:
            return IllegalMove(f"{name} cannot be played: the game is over ({self.status})")
        if self.empty >> cell & 1:
            lowest = self.playable & self.game.column_of(cell)
            return IllegalMove(
                f"{name} hangs in the air: a mark falls to {format_move(self.game, lowest.bit_length() - 1)}"
            )
        return IllegalMove(f"{name} is taken by {'X' if self.x >> cell & 1 else 'O'}")

    # What is so

    @property
    def empty(self) -> Bits:
        """The cells that nobody holds."""
        return self.game.full & ~(self.x | self.o)

    @property
    def marks(self) -> int:
        """How many moves have been made."""
        return self.x.bit_count() + self.o.bit_count()

    @property
    def sides(self) -> tuple[Bits, Bits]:
        """The cells of the player to move, and of the other.

        >>> Position.parse("X.O/.../...").sides
        (1, 4)
        """
        return (self.x, self.o) if self.turn is X else (self.o, self.x)

    @property
    def is_over(self) -> bool:
        """Has the game ended?"""
        return self.status is not ONGOING

    @property
    def winner(self) -> Mark | None:
        """The mark that won, or None; in misere, the one who did not complete a line."""
        return self.status.winner

    @property
    def final_value(self) -> Value:
        """What a finished game is worth to the player whose turn it would be."""
        return self.game.rule.completed if self.winner else Value("tie", 0)

    def lines(self) -> tuple[Line, ...]:
        """Every completed line, whoever owns it: one move can complete several."""
        if self.winner is None:
            return ()
        return self.game.rule.lines_in(self.x) or self.game.rule.lines_in(self.o)

    @property
    def is_dead(self) -> bool:
        """Can it only end as a draw, because no line can be completed any more?

        >>> Position.parse("XOX/XOO/OX.").is_dead
        True
        """
        if self.is_over:
            return self.status is DRAW
        free = self.empty.bit_count()
        mine, theirs = self.sides
        return not (self._can_complete(mine, (free + 1) // 2) or self._can_complete(theirs, free // 2))

    def _can_complete(self, own: Bits, turns: int) -> bool:
        """Could the owner of these cells complete a line in so many turns of their own?"""
        rule = self.game.rule
        if self.game.gravity:
            return self._can_fall(own)
        if turns >= self.game.k:
            return any(rule.line_starts(own, direction, self.empty) for direction in self.game.directions)
        return any((line & ~own).bit_count() <= turns for line, _ in rule.open_lines(own, self.empty))

    def _can_fall(self, own: Bits) -> bool:
        """Where marks fall: could the owner get all of some line, if both wanted that?"""
        game, columns = self.game, self.game.columns
        free = [(self.empty & game.column_of(column)).bit_count() for column in range(columns)]
        other_first = own != self.sides[0]
        for direction in game.directions:
            for line in game.lines_from(game.rule.line_starts(own, direction, self.empty), direction):
                lacks = [(row, column) for row, column in (divmod(c, columns) for c in line) if row < free[column]]
                if _can_be_filled(lacks, free, other_first):
                    return True
        return False

    # Other forms of it

    @property
    def code(self) -> int:
        """The base-3 code: the sum of 3^cell times 0 for empty, 1 for O, 2 for X."""
        from noughts.rules.encoding import code

        return code(self)

    @property
    def pattern(self) -> str:
        """The cells, row by row from the top left: X, O, or . for an empty one."""
        from noughts.rules.notation import board_rows

        return "".join(board_rows(self))

    def planes(self) -> NDArray[np.int8]:
        """The cells of the player to move and of the other, as int8[2, rows, columns] (extra `batch`).

        >>> Position.parse("X.O/.../...").planes()[:, 0].tolist()
        [[1, 0, 0], [0, 0, 1]]
        """
        from noughts.rules.encoding import mover_planes

        return mover_planes(self.game, *self.sides)

    def mask(self) -> NDArray[np.int8]:
        """Which actions may be taken, as int8[actions]: an action is a cell, or where marks fall a column.

        >>> Position.parse("6x7k4g:444444").mask().tolist()
        [1, 1, 1, 0, 1, 1, 1]
        """
        from noughts.rules.encoding import action_mask

        return action_mask(self.game, self.playable)

    def canonical(self) -> Position:
        """The symmetric twin with the smallest code."""
        from noughts.rules.symmetry import canonical

        return canonical(self)[0]

    # A frozen, hashable value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.x == other.x and self.o == other.o and self.game == other.game

    def __hash__(self) -> int:
        return hash((self.x, self.o))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Position never changes: {name} cannot be set; play() gives a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Position never changes: {name} cannot be deleted")

    def __reduce__(self) -> tuple[Any, ...]:
        return Position.unchecked, (self.game, self.x, self.o)


def _made(game: Game, x: Bits, o: Bits, playable: Bits, turn: Mark, status: Status) -> Position:
    """The position with these parts."""
    made: Any
    if MAKE is not None:
        made = MAKE(Position, game, x, o, playable, turn, status, game.handle)
    else:
        made = _Draft()
        made.game, made.x, made.o, made.playable, made.turn, made.status = game, x, o, playable, turn, status
        made.__class__ = Position
    return made  # type: ignore[no-any-return]


def _can_be_filled(lacks: list[tuple[int, int]], free: list[int], other_first: bool) -> bool:
    """Where marks fall: could one player get these cells (row, column) of a line, if both wanted that?

    `free` is how many cells of each column are free: its topmost. Those below the line have to be filled first, by
    either. While the owner fills the line, the other needs a cell for each turn: one of those below, a spare one of a
    column in which the line lacks nothing, or one above a cell of the line that has been filled. In a line that is not
    upright nothing that is below is above another of its cells. So it is a question of numbers alone: are there enough,
    and if there are more, can the two fill the rest in pairs? In an upright line only spare ones do between its cells.
    None but the other needs spare ones: where only exactly k count, they may lie beside the line.
    """
    columns = {column for _, column in lacks}
    spare = sum(free) - sum(free[column] for column in columns)
    between = len(lacks) - 1  # turns of the other
    if len(columns) < len(lacks):  # upright
        below = min(free[column] - 1 - row for row, column in lacks)
        return spare >= between + (below + other_first) % 2
    turns, below = between + other_first, sum(free[column] - 1 - row for row, column in lacks)
    if between and any(row for row, _ in lacks) and (below or spare or not other_first):
        return True  # once the first is filled, there is always one above
    return spare >= (turns - below if below < turns else (below - turns) % 2)


def replay(start: Position, moves: Iterable[Move]) -> list[Position]:
    """The positions of a game from its start to its end.

    >>> replay(Position.parse("........."), ["b2", "b2"])
    Traceback (most recent call last):
    noughts.rules.position.IllegalMove: move 2 does not replay: b2 is taken by X
    """
    line = [start]
    for number, move in enumerate(moves, 1):
        try:
            line.append(line[-1].play(move))
        except IllegalMove as problem:
            raise IllegalMove(f"move {number} does not replay: {problem}") from None
    return line


# What a public function says to someone who has the right thing in another form: what was wanted, what came
FORMS = {
    (Position, Setup): "a Setup: Position(*setup) checks it",
    (Position, str): "a text: Position.parse(text) reads it",
    (Position, Game): "a Game: game.start() is its empty board",
    (Game, Setup): "a Setup: setup.game is its game, Position(*setup) checks it",
    (Game, str): "a text: Game.parse(text) reads it",
    (Game, Position): "a Position: position.game is its game",
}


def require(thing: object, kind: type[Position | Game], function: str) -> None:
    """Refuse with TypeError what is not of the kind that a function takes, and say how to come by it.

    >>> require("X.O/.X./..O", Position, "analyze")
    Traceback (most recent call last):
    TypeError: analyze takes a Position, not a text: Position.parse(text) reads it
    """
    if not isinstance(thing, kind):
        raise TypeError(f"{function} takes a {kind.__name__}, not {FORMS.get((kind, type(thing))) or brief(thing)}")
