"""What is timed: every detector, and the two methods of the prajoda source as it prints them.

A method is a statement, and what makes its names for a position. A detector that follows a game is read in two ways:

    line_counts              winner(position)       judge a bare position
    line_counts_play         play(cell); undo()     follow a game: the last move made, and taken back

and so is the source's Boolean method, which converts the board to two numbers on every call and then tests them:

    prajoda_boolean          check(board)           convert and test, as printed (one mask is wrong)
    prajoda_boolean_fixed    check(board, masks)    the same with the right mask
    prajoda_boolean_test     test(x, o, masks)      the test alone, on numbers that a game would keep
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from noughts.detect import DETECTORS, EXHIBITS, as_printed
from noughts.detect.base import Detector, Incremental
from noughts.lab.measure import Names
from noughts.rules.answer import Answer
from noughts.rules.game import Cell, Game
from noughts.rules.legality import check
from noughts.rules.marks import Mark, O, X
from noughts.rules.position import Position

Check = Callable[..., int]  # a method of the source
Prepare = Callable[[Position, Cell | None], Names | None]

TRADITIONAL = "prajoda_traditional"
BOOLEAN = "prajoda_boolean"
BOOLEAN_FIXED = "prajoda_boolean_fixed"
BOOLEAN_TEST = "prajoda_boolean_test"


@dataclass(frozen=True)
class Method(Answer):
    """A way to tell who has completed a line, as a statement that can be timed.

    `prepare` makes, for a game, a function from a position and its last move to the names of the statement, or to None
    where the method has nothing to do (no move was made yet). `answer` runs it once and says what it found.
    """

    keys = "detector=name idea source why_wrong"

    name: str
    source: str
    idea: str
    statement: str
    supports: Callable[[Game], bool]
    prepare: Callable[[Game], Prepare]
    answer: Callable[[Names], Mark | None]
    why_wrong: str = ""  # for a method known to be wrong
    general: str = ""  # its form for any board: the baseline where this one does not work

    @property
    def known_wrong(self) -> bool:
        """Is it a published method that is known to be wrong?"""
        return bool(self.why_wrong)


# Detectors


def _bare(name: str, kind: type[Detector]) -> Method:
    """A detector that judges a bare position."""

    def prepare(game: Game) -> Prepare:
        winner = kind(game).winner
        return lambda position, cell: {"winner": winner, "position": position}

    def answer(names: Names) -> Mark | None:
        found: Mark | None = names["winner"](names["position"])
        return found

    return Method(name, kind.source, kind.idea, "winner(position)", kind.supports, prepare, answer)


def _playing(name: str, kind: type[Incremental]) -> Method:
    """A detector that follows the game up to its last move."""

    def prepare(game: Game) -> Prepare:
        detector = kind(game)  # built once; led from position to position

        def names(position: Position, cell: Cell | None) -> Names | None:
            if cell is None:
                return None
            while detector.history:
                detector.undo()
            before = without(position, cell)
            for move in check(before).witness or ():
                detector.play(move)
            return {"play": detector.play, "undo": detector.undo, "cell": cell, "mark": before.turn}

        return names

    def answer(names: Names) -> Mark | None:
        completed = names["play"](names["cell"])
        names["undo"]()
        return names["mark"] if completed else None

    idea = f"{name}, led move by move: its tables are kept, and only the last move is looked at."
    statement = "play(cell); undo()"
    return Method(f"{name}_play", kind.source, idea, statement, kind.supports, prepare, answer)


def without(position: Position, cell: Cell) -> Position:
    """The position before the last move, which was at this cell."""
    bit = 1 << cell
    return Position.unchecked(position.game, position.x & ~bit, position.o & ~bit)


# The rules of this package


def _position_play() -> Method:
    """What a program that uses noughts does: play the move and read the status."""

    def names(position: Position, cell: Cell | None) -> Names | None:
        return None if cell is None else {"position": without(position, cell), "cell": cell}

    def answer(names: Names) -> Mark | None:
        return names["position"].turn if names["position"].play(names["cell"]).winner else None

    idea = "Position.play, the rules of this package: a new position, with its status known from birth."
    statement = "position.play(cell).status"
    return Method("position_play", "noughts", idea, statement, lambda game: True, lambda game: names, answer)


# The prajoda source as printed


def _printed(name: str, idea: str, statement: str, check: Check, general: str, why_wrong: str = "") -> Method:
    """A method of the source: 3x3 only, and it answers 1, -1 or 0. The statement takes what it needs of the names."""

    def names(position: Position, cell: Cell | None) -> Names:
        board = as_printed.grid(position)
        x, o = as_printed.to_bits(board)
        test, masks = as_printed.masks_verdict, as_printed.MASKS
        return {"check": check, "board": board, "test": test, "x": x, "o": o, "masks": masks}

    def answer(names: Names) -> Mark | None:
        return {1: X, -1: O, 0: None}[eval(statement, names)]

    supports = EXHIBITS[BOOLEAN].fits
    return Method(name, "prajoda", idea, statement, supports, lambda game: names, answer, why_wrong, general)


METHODS = {
    method.name: method
    for method in (
        _printed(
            TRADITIONAL, "Add up +1 and -1 along rows, columns and diagonals of a numpy array, as printed.",
            "check(board)", as_printed.traditional, "line_sums",
        ),
        _printed(
            BOOLEAN, "Convert the board to two numbers on every call and test eight masks, as printed.",
            "check(board)", as_printed.boolean, "line_masks", EXHIBITS[BOOLEAN].why_wrong,
        ),
        _printed(
            BOOLEAN_FIXED, "The same with the right mask: convert the board on every call, then test.",
            "check(board, masks)", as_printed.boolean, "line_masks",
        ),
        _printed(
            BOOLEAN_TEST, "The test alone, with the right mask, on two numbers that a game would keep.",
            "test(x, o, masks)", as_printed.boolean, "line_masks",
        ),
        *(_bare(name, kind) for name, kind in DETECTORS.items()),
        *(_playing(name, kind) for name, kind in DETECTORS.items() if issubclass(kind, Incremental)),
        _position_play(),
    )
}  # fmt: skip
