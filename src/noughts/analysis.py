"""Everything that is known of one position, as `noughts analyze --json` and the web page give it."""

from __future__ import annotations

from typing import Any

from noughts import explain
from noughts.legality import check
from noughts.notation import format_board, format_move, parse_board
from noughts.position import Position
from noughts.solve import Value, move_values, value


def analyze(text: str) -> dict[str, Any]:
    """The full account of a position given as text; of a board that cannot arise, only why.

    >>> account = analyze("XX./OO./...")
    >>> account["value"], account["remoteness"], account["best"]
    ('win', 1, ['c3'])
    >>> analyze("XXX/OOO/...")["reason"]
    'both players have completed a line, but the first line ends the game'
    """
    board = parse_board(text)
    verdict = check(board)
    if verdict.reason:
        return {
            "game": str(board.game),
            "position": format_board(board),
            "legal": False,
            "reason": verdict.explanation,
            "reason_name": str(verdict.reason),
        }
    return _account(Position.unchecked(*board))


def _account(position: Position) -> dict[str, Any]:
    game = position.game
    worth = value(position)
    values = move_values(position)
    reasons, refutations = explain.reasons(position, values), explain.refutations(position, values)
    return {
        "game": str(game),
        "position": str(position),
        "turn": str(position.turn),
        "status": str(position.status),
        "winner": position.winner and str(position.winner),
        "winning_lines": [[format_move(game, cell) for cell in line] for line in position.lines()],
        "legal": True,
        "reason": None,
        "dead": position.is_dead,
        "code": position.code,
        "canonical": str(position.canonical()),
        **_worth(worth),
        "best": [format_move(game, cell) for cell in values if worth and values[cell] == worth],
        "moves": [
            {
                "move": format_move(game, cell),
                "cell": cell,
                "row": cell // game.columns,
                "column": cell % game.columns,
                **_worth(values[cell]),
                "reasons": reasons[cell],
                "refutation": [format_move(game, reply) for reply in refutations.get(cell, [])],
            }
            for cell in values
        ],
    }


def _worth(worth: Value | None) -> dict[str, Any]:
    if worth is None:
        return {"value": "unknown", "remoteness": None}
    return {"value": worth.outcome, "remoteness": worth.remoteness}
