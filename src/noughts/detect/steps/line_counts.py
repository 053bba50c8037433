"""The steps of line counts: a move raises the counter of every line through its cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from noughts.detect.line_counts import LineCounts
from noughts.detect.steps.scene import Meter, Meters, Scene, Step, board_grid, line_name, positions
from noughts.game import Cell, Game, Line
from noughts.notation import format_move, several
from noughts.position import Position

ALL = 12  # lines of a board that are shown all the time; of more, those through the move
MOST = 20  # of those, so many


def steps(position: Position, order: Sequence[Cell]) -> Iterator[Step]:
    """Every move: which counters it raises, and whether one of them is full."""
    game, detector, lines = position.game, LineCounts(position.game), list(position.game.lines())
    shown = range(len(lines)) if len(lines) <= ALL else ()
    yield Step(
        f"{several(len(lines), 'line')}, and a counter for each of them and each player.",
        partial(_draw, game.start(), _meters(game, detector, lines, shown, (), ())), moves=0,
    )  # fmt: skip
    for number, after in enumerate(positions(game, order)[1:], 1):
        cell = order[number - 1]
        mark, through = detector.turn, detector.through[cell]
        completes = detector.play(cell)
        full = tuple(detector.lines_through(cell, mark)) if completes else ()
        meters = _meters(game, detector, lines, shown or through, through, full)
        name = format_move(game, cell)
        said = f"{mark} plays {name} and raises {several(len(through), 'counter')}"
        yield Step(
            f"{said}{f'. {line_name(game, full[0])} is full: a line of {mark}' if full else ''}.",
            partial(_draw, after, meters, cell, full),
            {"hit": tuple(each for line in full for each in line), "look": (cell,), "later": tuple(order[number:])},
            2 * len(through),
            mark if completes else None,
            number,
        )
        if completes:
            return
    if order:
        near = _meters(game, detector, lines, shown or detector.through[order[-1]], (), ())
        yield Step(f"No counter says {game.k}: nobody has a line.", partial(_draw, position, near), moves=len(order))


def _meters(
    game: Game,
    detector: LineCounts,
    lines: list[Line],
    numbers: Sequence[int],
    through: Sequence[int],
    full: Sequence[Line],
) -> Meters:
    """The counters of some lines as they are now, the full ones first where there are many."""
    raised, complete, shown = set(through), set(full), numbers
    if len(numbers) > MOST:
        shown = sorted(numbers, key=lambda number: lines[number] not in complete)[:MOST]
    meters = []
    for number in shown:
        line = lines[number]
        roles = ("hit",) if line in complete else ("new",) if number in raised else ()
        meters.append(Meter(line, line_name(game, line), detector.x[number], detector.o[number], roles))
    title = f"{len(shown)} of {several(len(numbers), 'counter')}" if len(shown) < len(numbers) else ""
    return Meters(game.rows, game.columns, game.k, tuple(meters), title)


def _draw(position: Position, meters: Meters, cell: Cell | None = None, full: Sequence[Line] = ()) -> Scene:
    roles = {"hit": tuple(each for line in full for each in line), "look": () if cell is None else (cell,)}
    return ((board_grid(position, roles, full), meters),)
