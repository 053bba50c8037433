"""What every detector offers, so that all of them can be asked, compared and timed alike.

Detector       looks at a position and names the owner of a completed line. That is who has won, except in
               misere, where completing a line loses: the detectors see lines, the rule is the game's.
Incremental    also follows a game move by move, and knows after each move whether it completed a line.

An Incremental asks `completes(cell, mark)` of an empty cell *before* it records the move there: the same
question finds winning and blocking moves.

          play(cell)                            undo()
             |                                     |
        completes?  ->  record  ->  bool         erase
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from noughts.game import Cell, Game, Line, brief
from noughts.notation import format_move
from noughts.position import IllegalMove, Mark, O, Position, Status, X


class UnsupportedGame(ValueError):
    """This algorithm does not work on this board."""


def line_owner(position: Position) -> Mark | None:
    """Who owns the completed line, by the rules of `Position`: what every detector must answer."""
    winner = position.winner
    return winner.other if winner and position.game.misere else winner


class Detector(ABC):
    """An algorithm that sees who, if anybody, has completed a line on the boards of one game."""

    source: ClassVar[str]  # the short name of who published it
    idea: ClassVar[str]  # in one sentence
    cost: ClassVar[str]  # its growth, in words and as O()
    scope: ClassVar[str] = "any board"  # where it works

    def __init__(self, game: Game) -> None:
        if why := self.refusal(game):
            raise UnsupportedGame(why)
        self.game = game

    @classmethod
    def supports(cls, game: Game) -> bool:
        """Does it work on this board?"""
        return True

    @classmethod
    def refusal(cls, game: Game) -> str | None:
        """Why it does not take this game; None if it does."""
        return None if cls.supports(game) else f"{cls.__name__} does not support {game}: it works on {cls.scope}"

    @abstractmethod
    def winner(self, position: Position) -> Mark | None:
        """The owner of a completed line, or None; whatever game `play` is following does not matter."""


class Incremental(Detector):
    """A detector that follows a game: it keeps tables, and each move looks only at what it changes."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.owner: list[Mark | None] = [None] * game.cells
        self.history: list[Cell] = []
        self.completed = False  # did the last move complete a line?

    # What an algorithm fills in

    @abstractmethod
    def completes(self, cell: Cell, mark: Mark) -> bool:
        """Would this mark complete a line on this empty cell?"""

    @abstractmethod
    def record(self, cell: Cell, mark: Mark) -> None:
        """Bring the tables up to date with a move."""

    @abstractmethod
    def erase(self, cell: Cell, mark: Mark) -> None:
        """Bring the tables back to what they were before the last move, which was this one."""

    @abstractmethod
    def lines_through(self, cell: Cell, mark: Mark) -> list[Line]:
        """The completed lines of this mark through this cell of its own."""

    # What every one of them can then do

    @property
    def turn(self) -> Mark:
        """Whose move it is."""
        return O if len(self.history) % 2 else X

    @property
    def status(self) -> Status:
        """How the game stands. The line is asked first: a move that fills the board and wins is no draw."""
        if self.completed:
            winner = self.turn if self.game.misere else self.turn.other
            return Status.X_WINS if winner is X else Status.O_WINS
        return Status.DRAW if len(self.history) == self.game.cells else Status.ONGOING

    def play(self, cell: Cell) -> bool:
        """Make a move: does it complete a line?"""
        if not 0 <= cell < len(self.owner) or self.owner[cell] or self.completed:
            raise self._refusal(cell)
        mark = self.turn
        self.completed = self.completes(cell, mark)
        self.record(cell, mark)
        self.owner[cell] = mark
        self.history.append(cell)
        return self.completed

    def undo(self) -> Cell:
        """Take the last move back, and say which it was."""
        if not self.history:
            raise IllegalMove("there is no move to take back")
        cell = self.history.pop()
        self.owner[cell] = None
        self.erase(cell, self.turn)
        self.completed = False
        return cell

    def lines(self) -> tuple[Line, ...]:
        """The lines that the last move completed: one move can complete several."""
        return tuple(self.lines_through(self.history[-1], self.turn.other)) if self.completed else ()

    def winning_moves(self, mark: Mark | None = None) -> list[Cell]:
        """The cells where this mark (or else the player to move) would win at once; none in misere."""
        mark = mark or self.turn
        if self.completed or self.game.misere:
            return []
        return [cell for cell, owner in enumerate(self.owner) if owner is None and self.completes(cell, mark)]

    def blocking_moves(self, mark: Mark | None = None) -> list[Cell]:
        """The cells where this mark (or else the player to move) would block: where the other would win."""
        return self.winning_moves((mark or self.turn).other)

    def _refusal(self, cell: Cell) -> IllegalMove:
        if not 0 <= cell < self.game.cells:
            last = self.game.cells - 1
            return IllegalMove(f"{brief(cell)} is not a cell of {self.game}: they run from 0 to {last}")
        name = format_move(self.game, cell)
        if self.completed:
            return IllegalMove(f"{name} cannot be played: the game is over ({self.status})")
        return IllegalMove(f"{name} is taken by {self.owner[cell]}")
