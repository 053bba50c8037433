"""A board that changes in place, for loops that must be fast: `board.push(4)`, `board.pop()`.

A Position is a value, a Board is one thing that changes; `board.position()` and `Board.from_position` lead from one to
the other. The native core keeps it (native/board.hpp); without the core it is a stack of positions, `PlainBoard`, which
also says what is right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noughts import native
from noughts.rules.game import Bits, Cell, Game
from noughts.rules.marks import Mark, O, Status, X
from noughts.rules.position import IllegalMove, Move, Position, require

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MARKS = (None, X, O)  # what the bytes of a board mean


class PlainBoard:
    """What a board is, in Python: the positions of a game up to now, and the moves between them."""

    __slots__ = ("_cells", "_line")

    def __init__(self, start: Position) -> None:
        self._line, self._cells = [start], list[Cell]()

    @property
    def status(self) -> Status:
        """How the game stands."""
        return self._line[-1].status

    @property
    def turn(self) -> Mark:
        """The player to move."""
        return self._line[-1].turn

    @property
    def is_over(self) -> bool:
        """Has the game ended?"""
        return self._line[-1].is_over

    def push(self, move: Move, /) -> Status:
        """Play a move; the status after it."""
        before = self._line[-1]
        self._line.append(before.play(move))
        self._cells.append(before.cell(move))
        return self.status

    def pop(self) -> Cell:
        """Take back the last move; its cell."""
        if not self._cells:
            raise IllegalMove("there is no move to take back")
        self._line.pop()
        return self._cells.pop()

    def moves(self) -> list[Cell]:
        """The cells that may be played, ascending; none when the game is over."""
        return self._line[-1].moves()

    def bytes(self) -> bytes:
        """The cells: 0 free, 1 X, 2 O."""
        return _bytes(self._line[-1])

    def played(self) -> list[Cell]:
        """The cells that were pushed, in their order."""
        return list(self._cells)


def _bytes(position: Position) -> bytes:
    return position.pattern.encode().translate(bytes.maketrans(b".XO", bytes(range(3))))


if TYPE_CHECKING:
    from noughts import _core
else:
    _core = native.core()

if TYPE_CHECKING or _core is not None:

    class _Base(_core.Board):
        """A board of the core."""

        __slots__ = ()

        _begin_like = _core.Board.__init__

        def _begin(self, start: Position) -> None:
            game = native.handle(start.game)
            assert game is not None
            self._begin_like(_core.make_board(game, _bytes(start), start.status.value))
else:

    class _Base(PlainBoard):
        """A board of Python."""

        __slots__ = ()

        _begin = PlainBoard.__init__

        def _begin_like(self, other: PlainBoard) -> None:
            self._line, self._cells = list(other._line), list(other._cells)


class Board(_Base):
    """A board that changes in place.

    >>> board = Board(Game())
    >>> board.push(4), board.push("a1"), board.moves()
    (<Status.ONGOING: 0>, <Status.ONGOING: 0>, [0, 1, 2, 3, 5, 7, 8])
    >>> board.pop(), board.turn, board.position()
    (6, <Mark.O: 'O'>, Position.parse('.../.X./...'))
    """

    __slots__ = ("game",)
    __hash__ = None  # type: ignore[assignment]  # it changes

    game: Game

    def __init__(self, game: Game) -> None:
        if game.__class__ is not Game:  # a call less: many boards are made
            require(game, Game, "Board")
        self.game = game
        self._begin_like(game.blank)

    @staticmethod
    def from_position(position: Position) -> Board:
        """A board that stands at this position; moves that led there cannot be taken back."""
        require(position, Position, "Board.from_position")
        board = Board.__new__(Board)
        board.game = position.game
        board._begin(position)
        return board

    def position(self) -> Position:
        """The position at which the board stands."""
        return Position.unchecked(self.game, self.x, self.o)

    def copy(self) -> Board:
        """Another board that stands where this one does, and can take back the same moves."""
        board = Board.__new__(Board)
        board.game = self.game
        board._begin_like(self)
        return board

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Board:
        return self.copy()

    def _push_move(self, move: Move) -> Status:
        """Play a move that is not the number of a cell that may be played: another form of one, or IllegalMove."""
        position = self.position()
        position.play(move)  # which says what is wrong with it
        return self.push(position.cell(move))

    # What is so

    @property
    def cells(self) -> tuple[Mark | None, ...]:
        """What each cell holds, row by row from the top left.

        >>> Board.from_position(Position.parse("X.O/.../...")).cells[:3]
        (<Mark.X: 'X'>, None, <Mark.O: 'O'>)
        """
        return tuple(MARKS[byte] for byte in self.bytes())

    @property
    def x(self) -> Bits:
        """The cells that X holds, bit i = cell i."""
        return _set(self.bytes(), b"010")

    @property
    def o(self) -> Bits:
        """The cells that O holds, bit i = cell i."""
        return _set(self.bytes(), b"001")

    @property
    def winner(self) -> Mark | None:
        """The mark that won, if one did."""
        return self.status.winner

    def planes(self) -> NDArray[np.int8]:
        """The cells of the player to move and of the other, as int8[2, rows, columns]; see `Position.planes`."""
        import numpy as np

        game, cells, mine = self.game, np.frombuffer(self.bytes(), np.uint8), 1 + self.turn.index
        planes = np.empty((2, game.cells), np.int8)
        np.equal(cells, mine, out=planes[0])
        np.equal(cells, 3 - mine, out=planes[1])
        return planes.reshape(2, game.rows, game.columns)

    def mask(self) -> NDArray[np.int8]:
        """Which actions may be taken, as int8[actions]; see `Position.mask`."""
        import numpy as np

        actions = self.game.rule.most_moves
        if self.is_over:
            return np.zeros(actions, np.int8)
        top = np.frombuffer(self.bytes(), np.uint8, actions)  # where marks fall, a column is open while its top is
        return np.equal(top, 0, out=np.empty(actions, np.int8))

    def cell_of(self, action: int) -> Cell | None:
        """The cell that an action plays; None if it cannot be taken now. See `Rule.cell_of`."""
        actions = self.game.rule.most_moves
        if self.is_over or not 0 <= action < actions:
            return None
        row = self.bytes()[action::actions].rfind(0)  # where marks fall a column from the top, else the cell alone
        return None if row < 0 else row * actions + action

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self.game == other.game and self.bytes() == other.bytes()

    def __str__(self) -> str:
        return str(self.position())

    def __repr__(self) -> str:
        return f"Board.from_position({self.position()!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        played, start = self.played(), self.copy()
        for _ in played:
            start.pop()
        return _remade, (start.position(), played)


def _remade(start: Position, played: list[Cell]) -> Board:
    """A board as it was pickled: where it started, and what was pushed."""
    board = Board.from_position(start)
    for cell in played:
        board.push(cell)
    return board


def _set(cells: bytes, digits: bytes) -> Bits:
    return int(cells.translate(bytes.maketrans(bytes(range(3)), digits))[::-1], 2)
