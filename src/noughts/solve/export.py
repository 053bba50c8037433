"""All positions of a solution, one by one, and as a file: a line of JSON for each, or Parquet.

A file is written as the positions come, some thousands at a time, so that its size is bounded by the disk alone; what
would not fit there is refused beforehand.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Generator, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

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
from noughts.words import size

TOGETHER = 50_000  # rows that are written at once: some megabytes
Row = dict[str, Any]
Writer = tuple[Callable[[list[Row]], object], Callable[[], object]]


def positions(solution: Solution, marks: int) -> Iterator[tuple[Position, Value]]:
    """Every position with so many marks, and its value."""
    index = plain_index(solution.game)
    for x, o, value in index.walk(marks, solution.levels[marks]):
        for sets in index.images(x, o):
            yield Position.unchecked(solution.game, *sets), value


def exporting(solution: Solution, path: str | os.PathLike[str]) -> Generator[Progress, None, int]:
    """Write each position with its value, from the empty board on; tells how far it is, and returns how many.

        {"position": "X../.O./...", "value": "tie", "remoteness": 7}

    A name that ends in .parquet makes a Parquet file with these columns (extra `parquet`), any other a line of JSON for
    each. The file appears when it is complete; a pipe or a device takes the lines as they come.
    """
    total, done = len(solution), 0
    require_room(solution.game, total, Path(path))
    rows = (
        {"position": str(position), "value": value.outcome, "remoteness": value.remoteness}
        for marks in range(solution.game.cells + 1)
        for position, value in positions(solution, marks)
    )
    open_ = parquet if is_parquet(path) else json_lines
    with writing(path) as file:
        write, end = open_(file, solution.game)
        while some := list(islice(rows, TOGETHER)):
            write(some)
            done += len(some)
            yield Progress(f"exporting {solution.game}", done, total)
        end()
    return done


def is_parquet(path: str | os.PathLike[str]) -> bool:
    """Is a file of this name written as Parquet?"""
    return os.fspath(path).endswith(".parquet")


def json_lines(file: IO[str], game: Game) -> Writer:
    """A line of JSON for each position."""
    return lambda rows: file.writelines(json.dumps(row) + "\n" for row in rows), lambda: None


def parquet(file: IO[str], game: Game) -> Writer:
    """Parquet, in groups of rows."""
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    columns = {"position": pyarrow.string(), "value": pyarrow.string(), "remoteness": pyarrow.int16()}
    schema = pyarrow.schema(columns.items(), metadata={"game": str(game)})
    writer = ParquetWriter(file.buffer, schema)  # type: ignore[attr-defined]
    return lambda rows: writer.write_table(pyarrow.Table.from_pylist(rows, schema)), writer.close


def require_room(game: Game, number: int, path: Path) -> None:
    """Refuse an export that does not fit on the disk; what is no file there, such as a pipe, has room."""
    if path.exists() and not path.is_file():
        return
    row = game.cells + game.rows + len(str(game)) + (8 if is_parquet(path) else 48)
    need, free = number * row // (8 if is_parquet(path) else 1), shutil.disk_usage(path.parent).free
    if need > free:
        raise TooLarge(f"{number:,} positions of {game} take about {size(need)}, and {size(free)} are free there")


def solving_to_export(
    game: Game, path: Path, *, save: Path | None = None, compress: bool = False, **options: Any
) -> Generator[Progress, None, Summary]:
    """Solve a game with the options of `solving`, and write each position with its value, as `exporting` does."""
    check_target(path)
    require_room(game, expect(game, threads=1).positions, path)
    if is_parquet(path):
        import pyarrow as _  # noqa: F401  # or say now that it is missing
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
