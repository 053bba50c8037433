"""What is asked about solving and about solved games: what it will take, and what the atlas knows."""

from __future__ import annotations

from typing import Any

from noughts.rules.game import Game
from noughts.rules.symmetry import symmetries
from noughts.rules.value import Value
from noughts.solve.atlas import load
from noughts.solve.index import index_of
from noughts.solve.job import Expected
from noughts.solve.strong import expect
from noughts.web.answers import SIZE
from noughts.words import facts, several

MAX_GAMES = 1000  # of the atlas in one answer
TAKES = "positions seconds memory backend threads"


class TooMuchWork(ValueError):
    """Nobody waits that long before a page."""


def sentence(worth: Value | None) -> str:
    """What the value of the empty board means.

    >>> sentence(Value("tie", 9)), sentence(Value("win", 5))
    ('With best play it is a tie.', 'X, who begins, can force a win in 5 moves, counting both sides.')
    """
    if worth is None:
        return "Who wins is not known: this game was not solved."
    if worth.outcome == "tie":
        return "With best play it is a tie."
    winner = "X, who begins," if worth.outcome == "win" else "O, who goes second,"
    return f"{winner} can force a win in {several(worth.plies, 'move')}, counting both sides."


def require_within(expected: Expected, seconds: int) -> None:
    """Refuse a solve that takes more than the machine has, or longer."""
    expected.require()
    if expected.seconds > seconds:
        raise TooMuchWork(f"{expected}; over HTTP a solve may take {seconds} seconds, in the shell as long as it needs")


def prospect(text: str, seconds: int) -> dict[str, Any]:
    """What a solve of this game will take, or why it is refused; and what the atlas knows of it.

    >>> prospect("1x2k2", 60)["levels"]
    [{'marks': 0, 'positions': 2}, {'marks': 1, 'positions': 2}, {'marks': 2, 'positions': 2}]
    >>> prospect("6x6k4", 60)["refusal"]
    '6x6k4 has 36 cells: strong solving takes at most 25'
    """
    game = Game.parse(text)
    found: dict[str, Any] = {
        "game": str(game),
        **facts(game, SIZE),
        "refusal": None,
        **facts(None, TAKES),
        "levels": [],
        "known": _in_atlas(game),
    }
    try:
        expected, each = expect(game), len(symmetries(game))
        found |= {
            **facts(expected, TAKES),
            "levels": [
                {"marks": marks, "positions": size * each} for marks, size in enumerate(index_of(game).level_bytes())
            ],
        }
        require_within(expected, seconds)
    except ValueError as problem:
        found["refusal"] = str(problem)
    return found


def _in_atlas(game: Game) -> dict[str, Any] | None:
    """The row of the atlas about a game; a tall board is a wide one turned."""
    wide = game.on(min(game.rows, game.columns), max(game.rows, game.columns))
    row = load().get(wide)
    return {**row.to_json(), "sentence": sentence(row.worth)} if row and row.computed else None


def atlas(limit: int) -> dict[str, Any]:
    """The first games of the atlas, each with what draws it and what its value means.

    >>> [(each["game"], each["sentence"]) for each in atlas(1)["games"]]
    [('1x2k2', 'With best play it is a tie.')]
    """
    games = [
        {**row.to_json(), **facts(row.game, SIZE), "sentence": sentence(row.worth)}
        for row in list(load().values())[:limit]
    ]
    return {"games": games}
