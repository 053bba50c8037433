"""What several claims rest on, computed once a run: all positions, all games, their classes."""

from __future__ import annotations

from functools import cache

from noughts.proofs import value
from noughts.rules.game import Game
from noughts.rules.marks import Status
from noughts.rules.perft import count_games
from noughts.rules.perft import perft as count_sequences
from noughts.rules.position import Position
from noughts.rules.symmetry import symmetries
from noughts.rules.value import Value

GAME = Game()
START = GAME.start()


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
def games(status: Status | None = None) -> int:
    """How many games (sequences of moves) end so; all of them without a status."""
    ends = dict(zip((Status.X_WINS, Status.O_WINS, Status.DRAW), count_games(START), strict=True))
    return sum(ends.values()) if status is None else ends[status]


@cache
def perft() -> list[int]:
    """How many sequences of 0, 1, 2, … moves there are."""
    return [count_sequences(START, moves) for moves in range(GAME.cells + 1)]


@cache
def final_classes(status: Status | None = None) -> int:
    """How many finished boards there are up to symmetry."""
    return sum(position.is_over and status in (None, position.status) for position in canonical())


@cache
def games_up_to_symmetry() -> int:
    """Whole sequences of moves under the 8 symmetries, counted by what each of them leaves unchanged (Burnside)."""
    fixed = sum(_fixed_games(START, symmetry.cells) for symmetry in symmetries(GAME))
    return fixed // len(symmetries(GAME))


def _fixed_games(position: Position, image: tuple[int, ...]) -> int:
    """The games from here of which a symmetry changes no move: all their cells stay where they are."""
    if image == tuple(range(GAME.cells)):
        return games()
    if position.is_over:
        return 1
    return sum(_fixed_games(position.play(cell), image) for cell in position.moves() if image[cell] == cell)


@cache
def games_through_classes(position: Position = START) -> int:
    """Paths from here through the graph of canonical positions: moves that lead to one class count once."""
    after = {position.play(cell).canonical() for cell in position.moves()}
    return sum(map(games_through_classes, after)) if after else 1
