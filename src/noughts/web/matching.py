"""One match as a process of its own: `python -m noughts.web.matching perfect random 3x3k3 100 7` (`process`).

    {"event": "progress", "level": 3, "played": 57, "x": {"wins": …}, "o": {…}, "games": [game, …], "playing": game}
    {"event": "summary", …}      the answer of `noughts match --json`

    game    {"number": 57, "a": "X", "moves": ["X b2", "O a1", …], "winner": "X", "lines": [["a1", "b2", "c3"]]}

The words name the two players, the board, the number of games and the seed. `games` are those that ended since the
last event of another level, `playing` is the one under way; `x` and `o` are how A did on either side so far.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from noughts.play.matches import GameDone, Moved, Score, matching
from noughts.play.registry import find_player
from noughts.progress import finish
from noughts.rules.game import Game
from noughts.rules.notation import format_move, format_moves
from noughts.web.process import Clock, carry_out, say

MAX_MATCH = 10_000  # games over HTTP


def work(a: str, b: str, board: str, n: str, seed: str) -> dict[str, Any]:
    """Play a series, tell its games, and return the answer of the command."""
    game = Game.parse(board)
    for name in (a, b):
        find_player(name).require(game.start())
    clock, level, ended = Clock(), 0, list[dict[str, Any]]()
    sides = {"x": Score().to_json(), "o": Score().to_json()}
    playing: dict[str, Any] = {"number": 1, "a": "X", "moves": [], "winner": None, "lines": [], "over": False}

    def tell() -> None:
        nonlocal level
        told = {"level": level, "played": playing["number"] - 1, "seconds": round(clock.seconds, 3), **sides}
        say("progress", {**told, "games": ended, "playing": playing if playing["moves"] else None})
        level += bool(ended)
        ended.clear()

    def hear(event: Moved | GameDone) -> None:
        nonlocal playing
        if isinstance(event, Moved):
            playing["moves"].append(f"{event.position.turn} {format_move(game, event.cell)}")
        else:
            played, series = event.played, event.series
            lines = [format_moves(game, line) for line in played.end.lines()]
            ended.append(playing | {"winner": played.winner and str(played.winner), "lines": lines, "over": True})
            playing = playing | {"number": event.done + 1, "a": "XO"[event.done % 2], "moves": []}
            sides.update(x=series.x.to_json(), o=series.o.to_json())
        if clock.strikes():
            tell()

    tell()
    found = finish(matching(partial(find_player, a), partial(find_player, b), int(n), game, seed=int(seed)), hear)
    tell()
    return found.to_json()


if __name__ == "__main__":
    carry_out(work)
