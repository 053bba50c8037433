"""What every detector offers, so that all of them can be asked, compared and timed alike.

Detector       looks at a position and names the owner of a completed line. That is who has won, except in
               misere, where completing a line loses: the detectors see lines, the rule is the game's.
Incremental    also follows a game move by move, and knows after each move whether it completed a line.
steps          what it does on a position, to be shown; without more of its own, its verdict and the line.
lacks          the rules that it does not know, by their names.

An Incremental asks `completes(cell, mark)` of an empty cell *before* it records the move there: the same
question finds winning and blocking moves.

          play(cell)                            undo()
             |                                     |
        completes?  ->  record  ->  bool         erase
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import partial
from typing import ClassVar

from noughts.detect.scene import ShownStep, board_scene, cells_in, line_name, own_bits
from noughts.rules.game import Cell, Game, Line
from noughts.rules.marks import Mark, O, Status, X
from noughts.rules.notation import format_move
from noughts.rules.position import IllegalMove, Position
from noughts.words import brief


class UnsupportedGame(ValueError):
    """This algorithm does not work on this board."""


def line_owner(position: Position) -> Mark | None:
    """Who owns the completed line, by the rules of `Position`: what every detector must answer."""
    return position.winner and position.game.rule.winner(position.winner)


class Detector(ABC):
    """An algorithm that sees who, if anybody, has completed a line on the boards of one game."""

    source: ClassVar[str]  # the short name of who published it
    idea: ClassVar[str]  # in one sentence
    cost: ClassVar[str]  # its growth, in words and as O()
    scope: ClassVar[str] = "any board"  # where it works
    lacks: ClassVar[tuple[str, ...]] = ()  # the rules that it does not know

    def __init__(self, game: Game) -> None:
        if why := self.refusal(game):
            raise UnsupportedGame(why)
        self.game = game

    @classmethod
    def fits(cls, game: Game) -> bool:
        """Does it work on a board of this size with lines of this length? Where its scope names games, on those."""
        return cls.scope == "any board" or str(Game(game.rows, game.columns, game.k)) in cls.scope.split(" and ")

    @classmethod
    def refusal(cls, game: Game) -> str | None:
        """Why it does not take this game; None if it does."""
        why = game.rule.refusal(cls.lacks) or (None if cls.fits(game) else f"it works on {cls.scope}")
        return why and f"{cls.name()} does not take {game}: {why}"

    @classmethod
    def name(cls) -> str:
        """What people call it: the name of the class in small letters, as it is entered in `DETECTORS`.

        >>> type("LineSums", (Detector,), {}).name(), type("Magic16", (Detector,), {}).name()
        ('line_sums', 'magic_16')
        """
        return re.sub("(?<=[a-z])(?=[A-Z0-9])", "_", cls.__name__).lower()

    @classmethod
    def supports(cls, game: Game) -> bool:
        """Does it take this game?"""
        return cls.refusal(game) is None

    @abstractmethod
    def winner(self, position: Position) -> Mark | None:
        """The owner of a completed line, or None; whatever game `play` is following does not matter."""

    def steps(self, position: Position, order: Sequence[Cell]) -> Iterator[ShownStep]:
        """What it does on this position, which these moves led to, until a step names the owner of a line, if any.

        Nobody asks for the steps after that one. Without steps of its own a detector has this one, which says the
        verdict, and counts no operations.
        """
        owner = self.winner(position)
        lines = self.game.rule.lines_in(own_bits(position, owner)) if owner else ()
        where = f", {line_name(self.game, lines[0])}" if lines else ""
        hit = {"hit": cells_in(lines)}
        draw = partial(board_scene, position, hit, lines)
        yield ShownStep(f"{owner} has a line{where}." if owner else "Nobody has a line.", draw, hit, found=owner)


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
            return self.game.rule.status(self.turn.other)
        return Status.DRAW if len(self.history) == self.game.cells else Status.ONGOING

    def play(self, cell: Cell) -> bool:
        """Make a move: does it complete a line?"""
        if not 0 <= cell < len(self.owner) or self.owner[cell] or self.completed or not self.lies(cell):
            raise self._refusal(cell)
        mark = self.turn
        self.completed = self.completes(cell, mark)
        self.record(cell, mark)
        self.owner[cell] = mark
        self.history.append(cell)
        return self.completed

    def lies(self, cell: Cell) -> bool:
        """Would a mark here stay, or, where marks fall, is nothing below it?"""
        below = self.game.rule.support(cell)
        return below is None or self.owner[below] is not None

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
        if self.completed or not self.game.rule.completing_wins:
            return []
        free = (cell for cell, owner in enumerate(self.owner) if owner is None and self.lies(cell))
        return [cell for cell in free if self.completes(cell, mark)]

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
        if self.owner[cell]:
            return IllegalMove(f"{name} is taken by {self.owner[cell]}")
        while not self.lies(cell):
            cell += self.game.columns
        return IllegalMove(f"{name} hangs in the air: a mark falls to {format_move(self.game, cell)}")
