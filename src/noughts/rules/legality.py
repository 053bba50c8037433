"""Can this board arise? A named reason if not, a witness game if so.

X moves first and the players alternate, so the counts are equal or X has one more. Play stops at the first
completed line, whatever it means (a win, or in misere a loss), so all the lines there are were completed by
the last move: they belong to one player, the one who moved last, and share a cell. That is also enough: take
that cell away and no line is left, so the other marks can have come in any order.

    X X X      two lines that share a3:        X X X . .      two lines with no cell in common:
    X O O      X played there last             O O . O O      no single last move explains
    X O O                                      X X X . O      them both
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import chain, zip_longest
from typing import Any

from noughts.rules.game import Bits, Cell
from noughts.rules.marks import Mark
from noughts.rules.position import InvalidPosition, Position, Setup
from noughts.words import whole


class Reason(Enum):
    """Why a board cannot arise."""

    COUNTS = "the players take turns and X begins, so X must have as many marks as O, or one more"
    BOTH_COMPLETE = "both players have completed a line, but the first line ends the game"
    MOVE_AFTER_END = "a move was made after the end of the game"
    NO_LAST_MOVE = "no single last move can have completed all these lines"

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Legality:
    """Whether a board can arise: why not, or a game that leads there."""

    board: Setup | Position
    reason: Reason | None
    explanation: str
    witness: tuple[Cell, ...] | None

    @property
    def legal(self) -> bool:
        """Can the board arise?"""
        return self.reason is None

    def to_json(self) -> dict[str, Any]:
        """The answer of `noughts analyze --json` to a board that cannot arise."""
        from noughts.rules.notation import format_board

        return {
            "game": str(self.board.game),
            "position": format_board(self.board),
            "legal": self.legal,
            "reason": None if self.legal else self.explanation,
            "reason_name": self.reason and str(self.reason),
        }

    def require(self) -> None:
        """Raise InvalidPosition if the board cannot arise."""
        if self.reason:
            raise InvalidPosition(self.explanation, self.reason)


def check(board: Setup | Position | str) -> Legality:
    """Judge any board; a text is read first.

    >>> check("XXX/OOO/...").reason
    <Reason.BOTH_COMPLETE: 'both players have completed a line, but the first line ends the game'>
    >>> check("XXX/OO./...").witness
    (0, 3, 1, 4, 2)
    """
    if isinstance(board, str):
        from noughts.rules.notation import parse_board

        board = parse_board(board)
    game = board.game
    x, o = (whole(name, bits, refuse=InvalidPosition) for name, bits in (("x", board.x), ("o", board.o)))
    if x & o or (x | o) & ~game.full:
        raise InvalidPosition("these are not two separate sets of cells of the board")
    xs, os = x.bit_count(), o.bit_count()
    if xs - os not in (0, 1):
        return _refused(board, Reason.COUNTS, f"X has {xs} and O has {os}")
    x_complete, o_complete = game.rule.has_line(x), game.rule.has_line(o)
    if x_complete and o_complete:
        return _refused(board, Reason.BOTH_COMPLETE)
    if not (x_complete or o_complete):
        return _legal(board, None)
    owner = Mark.X if x_complete else Mark.O
    if owner is not (Mark.X if xs > os else Mark.O):
        return _refused(board, Reason.MOVE_AFTER_END, f"{owner} has a line, but {owner.other} moved last")
    common = _common_cells(board, x if x_complete else o)
    if not common:
        return _refused(board, Reason.NO_LAST_MOVE, f"{owner}'s lines have no cell in common")
    return _legal(board, game.cells_of(common)[-1])


def _common_cells(board: Setup | Position, bits: Bits) -> Bits:
    """The cells that belong to every line in the set."""
    common = bits
    for line in board.game.rule.masks_in(bits):
        common &= line
        if not common:
            break
    return common


def _legal(board: Setup | Position, last: Cell | None) -> Legality:
    """The verdict with a witness: the marks in ascending order, alternating, the decisive one last."""
    game = board.game
    xs, os = (sorted(game.cells_of(bits), key=lambda cell: (cell == last, cell)) for bits in (board.x, board.o))
    order = chain.from_iterable(zip_longest(xs, os))
    return Legality(board, None, "legal play can reach this board", tuple(cell for cell in order if cell is not None))


def _refused(board: Setup | Position, reason: Reason, detail: str = "") -> Legality:
    return Legality(board, reason, f"{reason.value} ({detail})" if detail else reason.value, None)
