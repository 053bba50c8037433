"""Round robins: everybody meets everybody in a seeded series, and ratings with error bars come of it.

A rating is on the scale of chess: 400 points more are ten times as many expected points. Of all ratings those are taken
that make the results likeliest (Bradley and Terry's model, a draw being half a point), with one imagined draw of each
player against one of rating 0, so that whoever won or lost everything has a rating, too. An error bar is twice the
standard deviation that the same model gives: of twenty ratings about nineteen lie within theirs.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import combinations
from math import comb, exp, log, sqrt

from noughts.play import matches
from noughts.play.by_name import maker
from noughts.play.matches import MAX_GAMES, GameDone, Moved, Played, Score, Series
from noughts.play.player import InvalidPlayer
from noughts.play.user_file import TIME_LIMIT
from noughts.progress import Progress, finish
from noughts.rules.answer import Answer
from noughts.rules.game import Cell, Game
from noughts.rules.marks import Mark
from noughts.words import brief, whole

MOST = 40  # players
SCALE = 400 / log(10)
SURE = 1.96  # standard deviations within which 95 % lie
STEPS = 100  # of Newton's method: a handful are enough


@dataclass(frozen=True)
class Ranked(Answer):
    """A player in the table, with a rating; the average of all is 0."""

    keys = "player rating error wins=score.wins draws=score.draws losses=score.losses points"

    player: str
    rating: float
    error: float  # the rating lies so far up or down, 19 times of 20
    score: Score

    @property
    def points(self) -> float:
        """A win is a point, a draw half of one."""
        return self.score.wins + self.score.draws / 2


@dataclass(frozen=True)
class RobinGame(Answer):
    """A game of a round robin: who played X and O, its moves, and who won."""

    keys = "x o moves@ winner reason"

    game: Game
    x: str
    o: str
    moves: tuple[Cell, ...]
    winner: Mark | None
    reason: str | None = None  # what was against the rules, if that ended it


@dataclass(frozen=True)
class Tournament(Answer):
    """A round robin: the table, the best first, what each scored against each, and the games."""

    keys = "game n seed standings pairs games"

    game: Game
    n: int  # games of each two
    seed: int
    pairs: tuple[Series, ...]
    games: tuple[RobinGame, ...] = field(default=(), repr=False)

    @property
    def standings(self) -> tuple[Ranked, ...]:
        """The players with their ratings, the best first."""
        names = list(dict.fromkeys(name for pair in self.pairs for name in (pair.a, pair.b)))
        points = {(pair.a, pair.b): (pair.all.wins + pair.all.draws / 2, pair.all.games) for pair in self.pairs}
        found = ratings(names, points)
        scores = {name: sum((_of(pair, name) for pair in self.pairs), Score()) for name in names}
        table = [Ranked(name, *found[name], scores[name]) for name in names]
        return tuple(sorted(table, key=lambda each: (-each.rating, each.player)))

    def shares(self, name: str) -> list[float | None]:
        """What part of the points a player had against each of the table, in its order; None against themselves."""
        found = {}
        for pair in self.pairs:
            if name in (pair.a, pair.b):
                found[pair.b if name == pair.a else pair.a] = _of(pair, name).share
        return [found.get(each.player) for each in self.standings]


def _of(pair: Series, name: str) -> Score:
    """What a player scored in a series."""
    if name == pair.a:
        return pair.all
    return Score(pair.all.losses, pair.all.draws, pair.all.wins) if name == pair.b else Score()


def round_robin(players: Sequence[str], **options: object) -> Tournament:
    """Everybody against everybody; `playing_all` has the options.

    >>> found = round_robin(["perfect", "random", "level-1"], games=20)
    >>> [each.player for each in found.standings][0], len(found.pairs), len(found.games)
    ('perfect', 3, 60)
    """
    return finish(playing_all(players, **options))  # type: ignore[arg-type]


def playing_all(
    players: Sequence[str], *, games: int = 100, game: str = "3x3k3", seed: int = 0, time_limit: float = TIME_LIMIT,
    opening: str = "free",
) -> Generator[Progress, None, Tournament]:  # fmt: skip
    """Play every pair's series, and tell each game."""
    board, games = Game.parse(game), whole("games", games, 1, MAX_GAMES, InvalidPlayer)
    if not 2 <= len(players) <= MOST:
        raise InvalidPlayer(f"a round robin has from 2 to {MOST} players, not {len(players)}")
    for number, name in enumerate(players):
        if name in players[:number]:
            raise InvalidPlayer(f"{brief(name)} is named twice: nobody plays against themselves")
    total, done, series, kept = comb(len(players), 2) * games, 0, [], []
    with ExitStack() as stack:
        makers = {name: stack.enter_context(maker(name, time_limit)) for name in players}
        for a, b in combinations(players, 2):
            work = matches.matching(makers[a], makers[b], games, board, seed=seed, opening=opening)
            while True:
                try:
                    event: Moved | GameDone = next(work)
                except StopIteration as end:
                    found: Series = end.value
                    break
                if isinstance(event, GameDone):
                    done += 1
                    kept.append(_kept(event.played, a, b, board))
                    yield Progress(f"{a} against {b}", done, total)
            found.a, found.b = a, b
            series.append(found)
    return Tournament(board, games, seed, tuple(series), tuple(kept))


def _kept(played: Played, a: str, b: str, game: Game) -> RobinGame:
    x, o = (a, b) if played.mark is Mark.X else (b, a)
    return RobinGame(game, x, o, played.cells, played.winner, played.forfeit.problem if played.forfeit else None)


# Ratings


def ratings(
    names: Sequence[str], points: Mapping[tuple[str, str], tuple[float, int]]
) -> dict[str, tuple[float, float]]:
    """The rating of each and its error, from the points of a against b in so many games.

    >>> {name: (round(rating), round(error)) for name, (rating, error) in
    ...  ratings(["a", "b"], {("a", "b"): (75.0, 100)}).items()}
    {'a': (95, 39), 'b': (-95, 39)}
    """
    size = len(names)
    at = {name: place for place, name in enumerate(names)}
    strength = [0.0] * size
    for _ in range(STEPS):
        slope = [0.5 - _chance(each) for each in strength]  # the imagined draw
        bend = [
            [_spread(each) if row == column else 0.0 for column in range(size)] for row, each in enumerate(strength)
        ]
        for (a, b), (won, games) in points.items():
            i, j = at[a], at[b]
            difference = strength[i] - strength[j]
            missing, weight = won - games * _chance(difference), games * _spread(difference)
            slope[i] += missing
            slope[j] -= missing
            for row, column, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
                bend[row][column] += sign * weight
        inverse = _inverse(bend)
        step = [sum(each * by for each, by in zip(row, slope, strict=True)) for row in inverse]
        largest = max(map(abs, step))
        part = min(1.0, 2 / max(largest, 1e-12))  # of a large step only a part: it may lead too far
        strength = [each + part * change for each, change in zip(strength, step, strict=True)]
        if largest < 1e-9:
            break
    mean = sum(strength) / size
    # The error of a rating is that of its difference from the average of all.
    across = sum(map(sum, inverse)) / size**2
    errors = [sqrt(max(0.0, inverse[i][i] - 2 * sum(inverse[i]) / size + across)) for i in range(size)]
    return {name: (SCALE * (strength[i] - mean), SURE * SCALE * errors[i]) for name, i in at.items()}


def _chance(difference: float) -> float:
    """The points that one so much stronger is expected to get."""
    return 1 / (1 + exp(-max(-50.0, min(50.0, difference))))


def _spread(difference: float) -> float:
    return _chance(difference) * (1 - _chance(difference))


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """The inverse of a small matrix, by elimination."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda row: abs(rows[row][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [each / rows[i][i] for each in rows[i]]
        for j in range(size):
            if j != i and rows[j][i]:
                rows[j] = [each - rows[j][i] * by for each, by in zip(rows[j], rows[i], strict=True)]
    return [row[size:] for row in rows]
