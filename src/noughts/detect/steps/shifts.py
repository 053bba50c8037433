"""The steps of shifts: the board AND itself, moved a little: what is left begins a longer run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from noughts.detect.shifts import Shifts
from noughts.detect.steps.scene import (
    PLAYERS,
    Cells,
    Scene,
    Sign,
    Step,
    bit_grid,
    line_name,
    own_bits,
    places,
    words,
)
from noughts.game import Bits, Cell, Game
from noughts.notation import format_move
from noughts.position import Board, Mark, Position, X

ARROWS = {(0, 1): "←", (1, 0): "↑", (1, 1): "↖", (1, -1): "↗"}  # which way the board moves
NAMED = 4  # starts of runs that a sentence names


def steps(position: Position, order: Sequence[Cell]) -> Iterator[Step]:
    """Each player, each direction, each hop, until a run of k is left."""
    game, hops = position.game, Shifts(position.game).hops
    for mark in PLAYERS:
        for direction in game.directions:
            now = Hop(game, mark, direction, own_bits(position, mark), 1, 0)
            if not hops:
                yield _single(now)
                if now.runs:
                    return
            for hop in hops:
                now = replace(now, hop=hop)
                step = _step(now)
                yield step
                if step.found:
                    return
                now = replace(now, runs=now.left, length=now.length + hop)
    yield Step(f"Nowhere is a run of {game.k} left: nobody has a line.", partial(_cells, position, PLAYERS))


@dataclass(frozen=True)
class Hop:
    """The starts of runs of one length, about to be compared with themselves, so many steps further on."""

    game: Game
    mark: Mark
    direction: tuple[int, int]
    runs: Bits
    length: int
    hop: int

    @property
    def step(self) -> int:
        """How far apart neighbours lie among the bits."""
        return self.direction[0] * self.game.stride + self.direction[1]

    @property
    def left(self) -> Bits:
        """The starts of the longer runs."""
        return self.runs & self.runs >> self.hop * self.step

    @property
    def is_line(self) -> bool:
        """Is what is left as long as a line?"""
        return self.length + self.hop == self.game.k and self.left != 0

    @property
    def lines(self) -> tuple[Cells, ...]:
        """The places of the lines that were found."""
        starts = places(self.left) if self.is_line else ()
        return tuple(tuple(range(start, start + self.game.k * self.step, self.step)) for start in starts)


def _step(now: Hop) -> Step:
    game, length = now.game, now.length + now.hop
    starts = tuple(game.cells_of(now.left))
    lines = [tuple(place - place // game.stride for place in line) for line in now.lines]
    what = f"{now.mark}'s cells" if now.length == 1 else f"The runs of {now.length}"
    found = f". A line of {now.mark}, {line_name(game, lines[0])}" if lines else ""
    return Step(
        f"{what} AND the same moved {now.hop}\u00a0{ARROWS[now.direction]}: {_starts(game, starts, length)}{found}.",
        partial(_draw, now),
        {"hit": tuple(cell for line in lines for cell in line)} if lines else {"look": starts},
        2 * words(game.full.bit_length()) + (length == game.k),
        now.mark if lines else None,
    )


def _starts(game: Game, cells: Cells, length: int) -> str:
    """Where runs begin, in words."""
    if not cells:
        return f"no run of {length}"
    if len(cells) > NAMED:
        return f"runs of {length} begin at {len(cells)} cells"
    names = ", ".join(format_move(game, cell) for cell in cells)
    return f"{'a run' if len(cells) == 1 else 'runs'} of {length} {'begins' if len(cells) == 1 else 'begin'} at {names}"


def _single(now: Hop) -> Step:
    """k = 1: every cell is a run already."""
    cells = tuple(now.game.cells_of(now.runs))
    said = f"A line of {now.mark}: one cell is enough" if cells else f"{now.mark} has no cell"
    board = Board(now.game, *((now.runs, 0) if now.mark is X else (0, now.runs)))
    return Step(f"{said}.", partial(_cells, board, (now.mark,)), {"hit": cells[:1]}, 1, now.mark if cells else None)


def _cells(board: Board | Position, marks: Sequence[Mark]) -> Scene:
    return (tuple(bit_grid(board.game, own_bits(board, mark), mark, f"{mark}'s cells") for mark in marks),)


def _draw(now: Hop) -> Scene:
    """The board AND the moved board = what is left."""
    game, mark, length, shift = now.game, now.mark, now.length, now.hop * now.step
    before = f"{mark}'s cells" if length == 1 else f"runs of {length}"
    longer = length + now.hop
    both, there = places(now.left), f"moved {now.hop} {ARROWS[now.direction]}"
    own = bit_grid(game, now.runs, mark, before, str(length), look=both)
    moved = bit_grid(game, now.runs >> shift, mark, there, str(length), moved=shift, look=both)
    hit = both if now.is_line else ()
    left = bit_grid(game, now.left, mark, f"runs of {longer}", str(longer), paths=now.lines, hit=hit)
    return ((own, Sign("AND"), moved, Sign("="), left),)
