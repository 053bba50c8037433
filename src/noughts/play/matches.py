"""Matches: a seeded series of games between two players, who change sides after each game.

Each game has its own seeds, made from the series' one, so that the same series can be played again, and two players of
fixed tastes still do not play the same game over and over. By an opening rule (`balance`), who would be X lays the
first marks, and the other takes a side.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from time import monotonic

from noughts.play.balance import Opening, lay, read_opening, take
from noughts.play.player import Forfeit, InvalidPlayer, Player, child_seed, describe, played
from noughts.progress import Progress, finish
from noughts.rules.answer import Answer
from noughts.rules.game import Cell, Game
from noughts.rules.marks import Mark
from noughts.rules.position import Position
from noughts.words import about, whole

MAX_GAMES = 1_000_000
SURE = 0.5  # seconds after which a pace says something
LONG = 10.0  # seconds that are worth a warning

Maker = Callable[[int], Player]  # a player from a seed: an entry of PLAYERS is one


@dataclass
class Score(Answer):
    """How often a player won, drew and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """The number of all games."""
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


@dataclass(frozen=True)
class Lost(Answer):
    """Who lost a game by breaking the rules, and how."""

    keys = "player *forfeit"

    player: str
    forfeit: Forfeit


@dataclass
class Series(Answer):
    """A series of games, counted for its first player A by the side that A played."""

    keys = "game a b n=all.games seed opening x o all mean_plies forfeits"

    a: str
    b: str
    game: Game
    seed: int
    x: Score = field(default_factory=Score)
    o: Score = field(default_factory=Score)
    plies: int = 0
    forfeits: list[Lost] = field(default_factory=list)
    opening: Opening = "free"

    @property
    def mean_plies(self) -> float:
        """The moves of a game, on average."""
        return self.plies / self.all.games

    @property
    def all(self) -> Score:
        """How A did on both sides together."""
        return self.x + self.o

    def count(self, played: Played) -> None:
        """Add a game to the series."""
        (self.x if played.mark is Mark.X else self.o).count(played.mark, played.winner)
        self.plies += len(played.cells)
        if played.forfeit:
            self.forfeits.append(Lost(self.a if played.winner is played.mark.other else self.b, played.forfeit))


@dataclass(frozen=True)
class Moved(Progress):
    """A move in a series: where, and which; how many were made so far, in how many seconds."""

    position: Position
    cell: Cell
    moves: int
    seconds: float
    mark: Mark  # the side of A

    @property
    def detail(self) -> str:
        """The number of the game and of the move, in words, and how long it may take where that is long."""
        move, most = self.position.marks + 1, self.position.game.cells
        more = self.seconds / self.moves * ((self.total - self.done) * most - move)
        pace = f": at most {about(more)} more at this pace" if self.seconds >= SURE and more >= LONG else ""
        return f"game {self.done + 1:,} of {self.total:,}, move {move:,} of at most {most:,}{pace}"


@dataclass(frozen=True)
class GameDone(Progress):
    """The end of a game in a series, and the series so far."""

    played: Played
    series: Series


def match(
    a: Maker, b: Maker, games: int = 100, game: Game | None = None, *, seed: int = 0, opening: str = "free"
) -> Series:
    """Play a series; A is X in the first game, O in the second, and so on; or lays the first marks, by an opening rule.

    >>> from noughts.play import PLAYERS
    >>> series = match(PLAYERS["perfect"], PLAYERS["random"], 100)
    >>> series.all.games, series.all.losses
    (100, 0)
    """
    return finish(matching(a, b, games, game, seed=seed, opening=opening))


def matching(
    a: Maker, b: Maker, games: int = 100, game: Game | None = None, *, seed: int = 0, opening: str = "free"
) -> Generator[Moved | GameDone, None, Series]:
    """Play a series, and tell each move and each game."""
    games, seed = whole("games", games, 1, MAX_GAMES, InvalidPlayer), whole("seed", seed, refuse=InvalidPlayer)
    game = game or Game()
    rule = read_opening(opening, game)
    series, began = Series(describe(a(seed)), describe(b(seed)), game, seed, opening=rule), monotonic()
    for number in range(games):
        played = yield from playing(
            a, b, number, game, seed=seed, games=games, before=series.plies, began=began, opening=rule
        )
        series.count(played)
        yield GameDone(f"{series.a} against {series.b}", number + 1, games, played, series)
    return series


def play_number(a: Maker, b: Maker, number: int, game: Game, *, seed: int = 0) -> Played:
    """One game of a series, numbered from 0: the same whichever were played before it.

    >>> from noughts.play import PLAYERS
    >>> play_number(PLAYERS["perfect"], PLAYERS["random"], 1, Game(), seed=7).mark
    <Mark.O: 'O'>
    """
    return finish(playing(a, b, number, game, seed=seed, games=0, before=0, began=monotonic()))


def playing(
    a: Maker, b: Maker, number: int, game: Game, *, seed: int, games: int, before: int, began: float,
    opening: Opening = "free",
) -> Generator[Moved, None, Played]:  # fmt: skip
    """Play one game of a series of so many, and tell each move; an illegal one is a forfeit.

    `before` says how many moves the series has had, since it `began`.
    """
    players = a(child_seed(seed, number, "a")), b(child_seed(seed, number, "b"))
    what = " against ".join(map(describe, players))
    mark = Mark.X if number % 2 == 0 else Mark.O
    position, forfeit = game.start(), None
    cells: list[Cell] = []
    laid: tuple[Cell, ...] = ()
    if opening != "free":  # both sides of an opening are played, by the one and by the other
        found = lay(game, child_seed(seed, number // 2, "opening"))
        laid, mine = found.cells, take(found.position).mark
        mark = mine if mark is Mark.O else mine.other  # the one who did not lay takes
    x, o = players if mark is Mark.X else players[::-1]
    while not position.is_over:
        try:
            if len(cells) < len(laid):
                cell, after = laid[len(cells)], position.play(laid[len(cells)])
            else:
                cell, after = played(position, (x if position.turn is Mark.X else o)(position))
        except Forfeit as problem:
            forfeit = problem
            break
        cells.append(cell)
        yield Moved(what, number, games, position, cell, before + len(cells), monotonic() - began, mark)
        position = after
    return Played(number, mark, tuple(cells), position, forfeit)
