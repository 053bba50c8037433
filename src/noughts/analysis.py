"""Everything that is known of one position: `analyze`, whose answer the command prints and the page draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from noughts import explain
from noughts.proofs import Verdict, judge
from noughts.rules.game import Cell
from noughts.rules.notation import format_moves, move_json
from noughts.rules.position import Position


@dataclass(frozen=True)
class MoveAnalysis:
    """A legal move: its verdict for the player who makes it, what it does, and how it is answered if it slips."""

    cell: Cell
    verdict: Verdict
    reasons: tuple[str, ...]
    refutation: tuple[Cell, ...]


@dataclass(frozen=True)
class Analysis:
    """A position, what is known of it and of each of its moves."""

    position: Position
    verdict: Verdict
    best: tuple[Cell, ...]
    moves: tuple[MoveAnalysis, ...]

    def to_json(self) -> dict[str, Any]:
        """The answer of `noughts analyze --json`."""
        position, game = self.position, self.position.game
        return {
            "game": str(game),
            "position": str(position),
            "turn": str(position.turn),
            "status": str(position.status),
            "winner": position.winner and str(position.winner),
            "winning_lines": [format_moves(game, line) for line in position.lines()],
            "legal": True,
            "reason": None,
            "dead": position.is_dead,
            "code": position.code,
            "canonical": str(position.canonical()),
            **self.verdict.to_json(),
            "how": list(self.verdict.how),
            "line": format_moves(game, self.verdict.line),
            "best": format_moves(game, self.best),
            "moves": [
                {
                    **move_json(game, move.cell),
                    **move.verdict.to_json(),
                    "reasons": list(move.reasons),
                    "refutation": format_moves(game, move.refutation),
                }
                for move in self.moves
            ],
        }


def analyze(position: Position) -> Analysis:
    """What is known of a position, from one table of its moves.

    >>> found = analyze(Position.parse("XX./OO./..."))
    >>> str(found.verdict), found.best, found.moves[0].reasons
    ('win 1', (2,), ('completes a line', 'only winning move'))
    """
    judged = judge(position)
    reasons, refutations = explain.reasons(judged), explain.refutations(judged)
    return Analysis(
        position,
        judged.verdict,
        tuple(judged.best),
        tuple(
            MoveAnalysis(cell, verdict, tuple(reasons[cell]), tuple(refutations.get(cell, ())))
            for cell, verdict in judged.moves.items()
        ),
    )
