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

from noughts.play.matches import Played, Score, Series, match
from noughts.play.registry import find_player
from noughts.rules.game import Cell, Game
from noughts.rules.notation import format_move
from noughts.rules.position import Position
from noughts.web.process import Clock, carry_out, say

MAX_MATCH = 10_000  # games over HTTP


class Story:
    """What there is to tell of a series: told at once, or kept until the clock strikes."""

    def __init__(self) -> None:
        self.sides = {"x": Score().to_json(), "o": Score().to_json()}
        self.played = 0
        self.ended: list[dict[str, Any]] = []
        self.moves: list[str] = []
        self.level = 0
        self.clock = Clock()

    def watch(self, position: Position, cell: Cell) -> None:
        """A move is made."""
        self.moves.append(f"{position.turn} {format_move(position.game, cell)}")
        if self.clock.strikes():
            self.tell()

    def game_done(self, series: Series, played: Played) -> None:
        """A game has ended."""
        end = played.end
        lines = [[format_move(end.game, cell) for cell in line] for line in end.lines()]
        self.ended.append(
            {**self._game(), "winner": played.winner and str(played.winner), "lines": lines, "over": True}
        )
        self.moves = []
        self.played += 1
        self.sides = {"x": series.x.to_json(), "o": series.o.to_json()}
        if self.clock.strikes():
            self.tell()

    def tell(self) -> None:
        """Tell everything that was not told yet."""
        playing = {**self._game(), "winner": None, "lines": [], "over": False} if self.moves else None
        event = {"level": self.level, "played": self.played, "seconds": round(self.clock.seconds, 3), **self.sides}
        say("progress", {**event, "games": self.ended, "playing": playing})
        self.level += bool(self.ended)
        self.ended = []

    def _game(self) -> dict[str, Any]:
        return {"number": self.played + 1, "a": "XO"[self.played % 2], "moves": self.moves}


def work(a: str, b: str, board: str, n: str, seed: str) -> dict[str, Any]:
    """Play a series, tell its games, and return the answer of the command."""
    game = Game.parse(board)
    for name in (a, b):
        find_player(name).require(game.start())
    story = Story()
    story.tell()
    makers = partial(find_player, a), partial(find_player, b)
    series = match(*makers, int(n), game, seed=int(seed), watch=story.watch, game_done=story.game_done)
    story.tell()
    return series.to_json()


if __name__ == "__main__":
    carry_out(work)
