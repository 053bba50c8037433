"""All positions of a solution, one by one, and as a file with a line of JSON for each."""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

from noughts.files import check_target, writing
from noughts.progress import Progress
from noughts.rules.game import Game
from noughts.rules.position import Position
from noughts.rules.value import Value
from noughts.solve.index import plain_index
from noughts.solve.problems import InvalidSolve, TooLarge
from noughts.solve.solution import Solution
from noughts.solve.strong import expect, solving, solving_in_memory
from noughts.solve.summary import Summary

MAX_POSITIONS = 10_000_000  # a few minutes, and less than a gigabyte


def positions(solution: Solution, marks: int) -> Iterator[tuple[Position, Value]]:
    """Every position with so many marks, and its value."""
    index = plain_index(solution.game)
    for x, o, value in index.walk(marks, solution.levels[marks]):
        for sets in index.images(x, o):
            yield Position.unchecked(solution.game, *sets), value


def exporting(solution: Solution, path: str | os.PathLike[str]) -> Generator[Progress, None, int]:
    """Write a line of JSON for each position, from the empty board on; tells how far it is, and returns how many.

        {"position": "X../.O./...", "value": "tie", "remoteness": 7}

    The file appears when it is complete; a pipe or a device takes the lines as they come. A game of more than ten
    million positions is refused.
    """
    if len(solution) > MAX_POSITIONS:
        raise TooLarge(f"{solution.game} has {len(solution):,} positions: an export takes at most {MAX_POSITIONS:,}")
    total, done = len(solution), 0
    with writing(path) as file:
        for marks in range(solution.game.cells + 1):
            for position, value in positions(solution, marks):
                row = {"position": str(position), "value": value.outcome, "remoteness": value.remoteness}
                file.write(json.dumps(row) + "\n")
                done += 1
                if done % 10_000 == 0:
                    yield Progress(f"exporting {solution.game}", done, total)
    return done


def solving_to_export(
    game: Game, path: Path, *, save: Path | None = None, compress: bool = False, **options: Any
) -> Generator[Progress, None, Summary]:
    """Solve a game with the options of `solving`, and write a line of JSON for each position, as `exporting` does."""
    check_target(path)
    about = expect(game, threads=1).positions
    if about > 2 * MAX_POSITIONS:
        raise TooLarge(f"{game} has about {about:,} positions: an export takes at most {MAX_POSITIONS:,}")
    if save is None:
        options = {name: value for name, value in options.items() if value is not None}
        if given := {"scratch", "cluster", "part"}.intersection(options):
            raise InvalidSolve(f"an export takes the solution: --{min(given)} goes with --save then")
        summary, levels = yield from solving_in_memory(game, **options)
        solution = Solution(game, levels, summary.levels)
    else:
        summary = yield from solving(game, save=save, compress=compress, **options)
        solution = Solution.open(save)
    yield from exporting(solution, path)
    return summary
