"""Matches: a seeded series of games between two players, who change sides after each game.

Each game has its own seeds, made from the series' one, so that the same series can be played again, and two players of
fixed tastes still do not play the same game over and over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from noughts.play.player import Forfeit, InvalidPlayer, Player, child_seed, describe
from noughts.rules.game import Cell, Game
from noughts.rules.marks import Mark
from noughts.rules.position import IllegalMove, Position
from noughts.words import whole

MAX_GAMES = 1_000_000

Maker = Callable[[int], Player]  # a player from a seed: an entry of PLAYERS is one
Watch = Callable[[Position, Cell], None]  # is told each move before it is made: where, and which


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

    def to_json(self) -> dict[str, int]:
        """As `noughts match --json` gives it."""
        return {"wins": self.wins, "draws": self.draws, "losses": self.losses}

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


@dataclass(frozen=True)
class Played:
    """One game of a series: the side that A had, the cells in the order of play, and how it ended."""

    number: int  # from 0
    mark: Mark
    cells: tuple[Cell, ...]
    end: Position
    forfeit: Forfeit | None = None

    @property
    def winner(self) -> Mark | None:
        """Who won; whoever breaks the rules loses."""
        return self.forfeit.position.turn.other if self.forfeit else self.end.winner


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

    def count(self, played: Played) -> None:
        """Add a game."""
        (self.x if played.mark is Mark.X else self.o).count(played.mark, played.winner)
        self.plies += len(played.cells)
        if played.forfeit:
            self.forfeits.append((self.a if played.winner is played.mark.other else self.b, played.forfeit))

    def to_json(self) -> dict[str, Any]:
        """The answer of `noughts match --json`; wins, draws and losses are A's."""
        return {
            "game": str(self.game),
            "a": self.a,
            "b": self.b,
            "n": self.all.games,
            "seed": self.seed,
            "x": self.x.to_json(),
            "o": self.o.to_json(),
            "all": self.all.to_json(),
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
    watch: Watch | None = None,
    game_done: Callable[[Series, Played], None] | None = None,
) -> Series:
    """Play a series; A is X in the first game, O in the second, and so on.

    `watch` is told every move, `game_done` every finished game and the series so far.

    >>> from noughts.play import PLAYERS
    >>> series = match(PLAYERS["perfect"], PLAYERS["random"], 100)
    >>> series.all.games, series.all.losses
    (100, 0)
    """
    games, seed = whole("games", games, 1, MAX_GAMES, InvalidPlayer), whole("seed", seed, refuse=InvalidPlayer)
    game = game or Game()
    series = Series(describe(a(seed)), describe(b(seed)), game, seed)
    for number in range(games):
        played = play_number(a, b, number, game, seed=seed, watch=watch)
        series.count(played)
        if game_done:
            game_done(series, played)
    return series


def play_number(a: Maker, b: Maker, number: int, game: Game, *, seed: int = 0, watch: Watch | None = None) -> Played:
    """One game of a series, numbered from 0: the same whichever were played before it.

    >>> from noughts.play import PLAYERS
    >>> play_number(PLAYERS["perfect"], PLAYERS["random"], 1, Game(), seed=7).mark
    <Mark.O: 'O'>
    """
    players = a(child_seed(seed, number, "a")), b(child_seed(seed, number, "b"))
    x, o = players if number % 2 == 0 else reversed(players)
    cells: list[Cell] = []

    def keep(position: Position, cell: Cell) -> None:
        cells.append(cell)
        if watch:
            watch(position, cell)

    mark, forfeit = Mark.X if number % 2 == 0 else Mark.O, None
    try:
        end = play_game(game, x, o, keep)
    except Forfeit as problem:
        end, forfeit = problem.position, problem
    return Played(number, mark, tuple(cells), end, forfeit)


def play_game(game: Game, x: Player, o: Player, watch: Watch | None = None) -> Position:
    """Play one game to its end; an illegal move is a Forfeit."""
    position = game.start()
    while not position.is_over:
        cell: Cell = (x if position.turn is Mark.X else o)(position)
        try:
            after = position.play(cell)
        except IllegalMove as problem:
            raise Forfeit(position, f"its move cannot be played: {problem}") from None
        if watch:
            watch(position, position.cell(cell))
        position = after
    return position
