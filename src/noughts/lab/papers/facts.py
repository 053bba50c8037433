"""What several claims rest on, computed once a run: all positions, all games, their classes."""

from __future__ import annotations

from collections import Counter
from functools import cache

from noughts.proofs import value
from noughts.rules.game import Game
from noughts.rules.marks import Status
from noughts.rules.position import Position
from noughts.rules.symmetry import symmetries
from noughts.rules.value import Value

GAME = Game()


@cache
def reachable(game: Game = GAME) -> tuple[Position, ...]:
    """Every position that legal play can reach."""
    return tuple(game.positions())


@cache
def decided() -> tuple[Position, ...]:
    """The reachable 3x3 positions in which somebody has won."""
    return tuple(position for position in reachable() if position.winner)


@cache
def canonical(game: Game = GAME) -> tuple[Position, ...]:
    """One position of each class under symmetry."""
    return tuple(dict.fromkeys(position.canonical() for position in reachable(game)))


@cache
def values(game: Game = GAME) -> dict[Position, Value]:
    """The exact value of every reachable position."""
    found = {position: value(position) for position in reachable(game)}
    return {position: worth for position, worth in found.items() if worth is not None}


@cache
def game_paths() -> dict[Position, int]:
    """For each reachable position, the number of games (sequences of moves) that lead to it."""
    paths = Counter({GAME.start(): 1})
    for position in reachable():  # those with fewer marks first
        for cell in position.moves():
            paths[position.play(cell)] += paths[position]
    return dict(paths)


def games(status: Status | None = None) -> int:
    """How many games end so; all of them without a status."""
    ends = {position: count for position, count in game_paths().items() if position.is_over}
    return sum(count for position, count in ends.items() if status in (None, position.status))


def perft() -> list[int]:
    """How many sequences of 0, 1, 2, … moves there are."""
    counts: Counter[int] = Counter()
    for position, count in game_paths().items():
        counts[position.marks] += count
    return [counts[marks] for marks in sorted(counts)]


@cache
def final_classes(status: Status | None = None) -> int:
    """How many finished boards there are up to symmetry."""
    return sum(position.is_over and status in (None, position.status) for position in canonical())


@cache
def games_up_to_symmetry() -> int:
    """Whole sequences of moves under the 8 symmetries, counted by what each of them leaves unchanged (Burnside)."""
    fixed = sum(_fixed_games(GAME.start(), symmetry.cells) for symmetry in symmetries(GAME))
    return fixed // len(symmetries(GAME))


def _fixed_games(position: Position, image: tuple[int, ...]) -> int:
    """The games from here of which a symmetry changes no move: all their cells stay where they are."""
    if image == tuple(range(GAME.cells)):
        return games()
    if position.is_over:
        return 1
    return sum(_fixed_games(position.play(cell), image) for cell in position.moves() if image[cell] == cell)


@cache
def games_through_classes() -> int:
    """Paths through the graph of canonical positions: moves that lead to one class count once."""
    counts: dict[Position, int] = {}

    def paths(position: Position) -> int:
        if position not in counts:
            after = {position.play(cell).canonical() for cell in position.moves()}
            counts[position] = sum(map(paths, after)) if after else 1
        return counts[position]

    return paths(GAME.start())
