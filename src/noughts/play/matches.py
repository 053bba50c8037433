"""Matches: a seeded series of games between two players, who change sides after each game.

Each game has its own seeds, made from the series' one, so that the same series can be played again, and two players of
fixed tastes still do not play the same game over and over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from noughts.game import Cell, Game
from noughts.play.player import Forfeit, InvalidPlayer, Player, child_seed, describe
from noughts.position import IllegalMove, Mark, Position

MAX_GAMES = 1_000_000

Maker = Callable[[int], Player]  # a player from a seed: an entry of PLAYERS is one
Progress = Callable[[int], None]  # games played so far


@dataclass
class Score:
    """How often a player won, drew and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """All of them together."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """The share of points: a draw is worth half a win."""
        return (self.wins + self.draws / 2) / self.games

    def count(self, mark: Mark, winner: Mark | None) -> None:
        """Add a game that the player played as `mark`."""
        self.wins += winner is mark
        self.draws += winner is None
        self.losses += winner is mark.other

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


@dataclass
class Series:
    """A series of games, counted for its first player A by the side that A played."""

    a: str
    b: str
    game: Game
    seed: int
    x: Score = field(default_factory=Score)
    o: Score = field(default_factory=Score)
    plies: int = 0
    forfeits: list[tuple[str, Forfeit]] = field(default_factory=list)

    @property
    def all(self) -> Score:
        """Both sides together."""
        return self.x + self.o

    def to_json(self) -> dict[str, Any]:
        """The answer of `noughts match --json`; wins, draws and losses are A's."""
        scores = {"x": self.x, "o": self.o, "all": self.all}
        return {
            "game": str(self.game),
            "a": self.a,
            "b": self.b,
            "n": self.all.games,
            "seed": self.seed,
            **{side: {"wins": s.wins, "draws": s.draws, "losses": s.losses} for side, s in scores.items()},
            "mean_plies": self.plies / self.all.games,
            "forfeits": [
                {"player": who, "position": str(forfeit.position), "problem": forfeit.problem}
                for who, forfeit in self.forfeits
            ],
        }


def match(
    a: Maker,
    b: Maker,
    games: int = 100,
    game: Game | None = None,
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> Series:
    """Play a series; A is X in the first game, O in the second, and so on.

    >>> from noughts.play import PLAYERS
    >>> series = match(PLAYERS["perfect"], PLAYERS["random"], 100)
    >>> series.all.games, series.all.losses
    (100, 0)
    """
    if not 1 <= games <= MAX_GAMES:
        raise InvalidPlayer(f"a match has from 1 to {MAX_GAMES:,} games, not {games}")
    game = game or Game()
    series = Series(describe(a(seed)), describe(b(seed)), game, seed)
    for number in range(games):
        players = a(child_seed(seed, number, "a")), b(child_seed(seed, number, "b"))
        x, o = players if number % 2 == 0 else reversed(players)
        mark = Mark.X if number % 2 == 0 else Mark.O
        try:
            end = play_game(game, x, o)
            winner, plies = end.winner, end.marks
        except Forfeit as forfeit:
            winner, plies = forfeit.position.turn.other, forfeit.position.marks
            series.forfeits.append((series.a if winner is mark.other else series.b, forfeit))
        (series.x if mark is Mark.X else series.o).count(mark, winner)
        series.plies += plies
        if progress:
            progress(number + 1)
    return series


def play_game(game: Game, x: Player, o: Player) -> Position:
    """Play one game to its end; an illegal move is a Forfeit."""
    position = game.start()
    while not position.is_over:
        cell: Cell = (x if position.turn is Mark.X else o)(position)
        try:
            position = position.play(cell)
        except IllegalMove as problem:
            raise Forfeit(position, f"its move cannot be played: {problem}") from None
    return position
