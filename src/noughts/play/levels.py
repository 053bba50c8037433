"""Five opponents for people, each with what people overlook at that stage; chance only decides whether they do.

    level-1   plays anywhere; sees its own chances, but only along rows and columns
    level-2   also sees the opponent's chances; diagonals escape it every other time
    level-3   sees every line, and builds its own; does not know forks
    level-4   makes forks, and meets the opponent's by sitting on them, which is not always right
    level-5   exact where the value is known, and then sets traps; elsewhere the engine, or Monte Carlo tree search

Where the engine plays and the board is not small, eyes alone would be no opponents: there the levels below 5 look ahead
with the engine, but briefly, and only in so many of ten moves (`GRADES`); in the others they see what a level of the
small boards sees. benchmarks/levels.py measures how often each beats the one below.

In misere a completed line loses: there the same eyes see which cells to keep away from.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

from noughts.engine import refusal
from noughts.evaluate import gain
from noughts.play.engine import engine_likes
from noughts.play.mcts import Mcts
from noughts.play.player import Choosing, dice
from noughts.play.rules import quiet
from noughts.play.tactics import forced
from noughts.proofs import best_moves, move_values
from noughts.rules.game import MAX_SIDE, Bits, Cell, Game
from noughts.rules.marks import X
from noughts.rules.position import Position
from noughts.threats import fork_cells

MANY = 32  # free cells: with more, to look for traps may take longer than anybody wants to wait
SMALL = 25  # cells of boards on which values are known, and eyes are enough
MEDIUM = 49  # cells of boards on which a few good moves decide
ENDING = 14  # free cells of which all is known on larger boards too
NODES = 100_000  # of the engine, for a move: less than a second


class LevelGrade(NamedTuple):
    """How a level plays on a board that is not small."""

    tenths: int  # of its moves, that are the engine's
    nodes: int  # of the engine
    eyes: str  # the level that makes the others


GRADES = {  # the boards of up to so many cells
    MEDIUM: {
        "level-1": LevelGrade(0, 1000, "level-1"), "level-2": LevelGrade(2, 1000, "level-1"),
        "level-3": LevelGrade(4, 1000, "level-2"), "level-4": LevelGrade(6, 1000, "level-3"),
    },
    MAX_SIDE**2: {
        "level-1": LevelGrade(5, 1000, "level-2"), "level-2": LevelGrade(5, 1000, "level-3"),
        "level-3": LevelGrade(8, 2000, "level-3"), "level-4": LevelGrade(8, 12_000, "level-4"),
    },
}  # fmt: skip


def grade(name: str, game: Game) -> LevelGrade | None:
    """How a level plays a game; None where eyes are enough, or the engine does not play."""
    if game.cells <= SMALL or refusal(game):
        return None
    return next(grades for most, grades in GRADES.items() if game.cells <= most).get(name)


class LevelPlayer(Choosing):
    """A player of changing attention: which of its moods it is in is as much chance as what it then picks."""

    @abstractmethod
    def sees(self, position: Position) -> list[list[Cell]]:
        """The cells that its eyes alone like in each mood; all moods are equally likely."""

    def moods(self, position: Position) -> list[list[Cell]]:
        """The cells that it likes in each mood; all moods are equally likely."""
        graded = grade(self.name, position.game)
        if graded is None:
            return self.sees(position)
        ahead = engine_likes(position, graded.nodes)
        if not position.marks:
            return [ahead]
        others = EYES[graded.eyes](self.seed).sees(position)
        return [ahead] * (graded.tenths * len(others)) + others * (10 - graded.tenths)

    def summary(self, game: Game) -> str:
        """What the player does in this game, in a sentence or two."""
        graded = grade(self.name, game)
        if graded is None:
            return super().summary(game)
        seen = (EYES[graded.eyes].__doc__ or "").partition("\n")[0]
        if not graded.tenths:
            return seen
        return f"Looks ahead in {graded.tenths} of 10 moves; in the others: {seen[0].lower()}{seen[1:]}"

    def likes(self, position: Position) -> list[Cell]:
        """The cells of all moods."""
        return sorted({cell for mood in self.moods(position) for cell in mood})

    def __call__(self, position: Position) -> Cell:
        self.require(position)
        rng = dice(self.seed, position)
        return rng.choice(rng.choice(self.moods(position)))


class Level1(LevelPlayer):
    """Plays anywhere, and completes its own rows and columns; never looks at yours."""

    name = "level-1"
    where_lines_lose = "Plays anywhere, but completes no row or column of its own while it can help it."

    def sees(self, position: Position) -> list[list[Cell]]:
        """One mood."""
        mine, _ = position.sides
        return [_by_lines(position, seen(position, mine, diagonals=False), []) or position.moves()]


class Level2(LevelPlayer):
    """Completes and blocks lines, but overlooks every other diagonal."""

    name = "level-2"
    where_lines_lose = "Completes no line of its own while it can help it, but overlooks every other diagonal."

    def sees(self, position: Position) -> list[list[Cell]]:
        """Once with an eye for diagonals, once without."""
        return [
            _by_lines(position, *(seen(position, own, diagonals) for own in position.sides)) or position.moves()
            for diagonals in (True, False)
        ]


class Level3(LevelPlayer):
    """Sees every line and makes its own longer, but does not know forks."""

    name = "level-3"
    where_lines_lose = "Completes no line of its own while it can help it; otherwise plays anywhere."

    def sees(self, position: Position) -> list[list[Cell]]:
        """One mood."""
        mine, theirs = (seen(position, own, diagonals=True) for own in position.sides)
        return [_by_lines(position, mine, theirs) or longest(position)]


class Level4(LevelPlayer):
    """Makes forks, and sits on yours; sometimes that is just what you wanted."""

    name = "level-4"
    where_lines_lose = "Completes no line of its own while it can help it, and keeps off the lines that are still open."

    def sees(self, position: Position) -> list[list[Cell]]:
        """One mood: what presses, or else what gains most."""
        game, empty = position.game, position.playable
        _, theirs = position.sides
        cells = forced(position)[0] or fork_cells(game, theirs, empty)
        likely = game.cells_of(cells or quiet(position))
        if len(likely) > MANY:
            return [likely]
        sign = 1 if position.turn is X else -1
        gains = {cell: sign * gain(position, cell) for cell in likely}
        most = max(gains.values())
        return [[cell for cell in likely if gains[cell] == most]]


class Level5(Mcts):
    """Exact where the value is known, and then sets traps; elsewhere the engine, or Monte Carlo tree search."""

    name = "level-5"
    number = ""  # it is for people, who say nothing after its name

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.playouts is not None:
            self._check("playouts", 1, self.most)

    def likes(self, position: Position) -> list[Cell]:
        """The best moves; of these, where not too many cells are free, those after which the opponent can go wrong."""
        by_engine = refusal(position.game) is None
        if by_engine and position.game.cells > SMALL and position.empty.bit_count() > ENDING:
            return engine_likes(position, NODES, self.seconds)  # no value is known that the engine does not find
        best = best_moves(position)
        if not best:
            return engine_likes(position, NODES, self.seconds) if by_engine else super().likes(position)
        if position.empty.bit_count() > MANY:
            return best
        return [cell for cell in best if _is_trap(position.play(cell))] or best


EYES: dict[str, type[LevelPlayer]] = {each.name: each for each in (Level1, Level2, Level3, Level4)}


def _is_trap(position: Position) -> bool:
    """Does some move throw the value away?"""
    return len({worth and worth.outcome for worth in move_values(position).values()}) > 1


# Eyes


def seen(position: Position, own: Bits, diagonals: bool) -> list[Cell]:
    """The cells on which the owner would complete a line, as far as these eyes see.

    >>> position = Position.parse("XX./.XO/O..")
    >>> seen(position, position.x, diagonals=True), seen(position, position.x, diagonals=False)
    ([2, 7, 8], [2, 7])
    """
    game = position.game
    ways = game.directions if diagonals else [way for way in game.directions if 0 in way]
    return game.cells_of(game.rule.completing(own, ways) & position.playable)


def _by_lines(position: Position, mine: list[Cell], theirs: list[Cell]) -> list[Cell]:
    """What someone plays who sees these cells: win, or else block; in misere, keep away from mine."""
    if not position.game.rule.completing_wins:
        shunned = set(mine)
        return [cell for cell in position.moves() if cell not in shunned] or mine
    return mine or theirs


def longest(position: Position) -> list[Cell]:
    """The cells that extend the longest of my lines that can still be completed.

    >>> longest(Position.parse("X../.O./..."))
    [1, 2, 3, 6]
    """
    game = position.game
    mine, _ = position.sides
    lengths: dict[int, Bits] = {}
    for line, _ in game.rule.open_lines(mine, position.empty):
        if not line & position.playable:  # where marks fall, it may lie too high
            continue
        length = (mine & line).bit_count()
        lengths[length] = lengths.get(length, 0) | line
    return game.cells_of(lengths[max(lengths)] & position.playable) if lengths else position.moves()
