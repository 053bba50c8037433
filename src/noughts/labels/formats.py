"""The files of labelled positions: each format gives a function that writes rows, and one that ends the file."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import version
from typing import IO, TYPE_CHECKING, Any

from noughts.rules.game import Game
from noughts.solve.problems import TooLarge

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_MEMORY = 4_000_000_000  # bytes of arrays for an NPZ file, which is written in one piece

Row = dict[str, Any]
Writer = tuple[Callable[[list[Row]], object], Callable[[], object]]


def json_lines(text: IO[str], game: Game, form: str, total: int) -> Writer:
    """A line of JSON a row."""

    def write(rows: list[Row]) -> None:
        text.writelines(json.dumps(row, default=lambda array: array.tolist()) + "\n" for row in rows)

    return write, lambda: None


def parquet(text: IO[str], game: Game, form: str, total: int) -> Writer:
    """Parquet, in groups of rows; lists of one length where all rows have it."""
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    string, small, strings = pyarrow.string(), pyarrow.int16(), pyarrow.list_(pyarrow.string())
    actions = pyarrow.list_(pyarrow.int8(), game.rule.most_moves)
    types = {
        "text": {
            "game": string, "position": string, "board": string, "words": string, "turn": string,
            "marks": pyarrow.int32(), "value": string, "remoteness": pyarrow.int32(), "best": strings,
            "best_cells": pyarrow.list_(pyarrow.int32()),
            "best_places": pyarrow.list_(pyarrow.list_(pyarrow.int32())), "keeping": strings, "canonical": string,
            "split": string,
        },
        "planes": {
            "planes": pyarrow.list_(pyarrow.int8(), 2 * game.cells), "mask": actions, "value": pyarrow.int8(),
            "remoteness": small, "best": actions, "marks": small, "split": string,
        },
    }  # fmt: skip
    schema = pyarrow.schema(types[form].items(), metadata={"noughts": version("noughts"), "game": str(game)})
    writer = ParquetWriter(text.buffer, schema)  # type: ignore[attr-defined]

    def write(rows: list[Row]) -> None:
        flat = [
            {key: thing.reshape(-1) if hasattr(thing, "shape") else thing for key, thing in row.items()} for row in rows
        ]
        writer.write_table(pyarrow.Table.from_pylist(flat, schema))

    return write, writer.close


def npz(text: IO[str], game: Game, form: str, total: int) -> Writer:
    """Arrays with a row a position, zipped; all of them are in memory until the end."""
    import numpy as np

    each = 2 * game.cells + 2 * game.rule.most_moves + 32 if form == "planes" else 40 * game.cells + 400
    if each * total > MAX_MEMORY:
        raise TooLarge(
            f"{total:,} positions take about {each * total:,} bytes of memory as NPZ, and the limit is {MAX_MEMORY:,}: "
            "write Parquet or JSON lines, or fewer"
        )
    columns: dict[str, list[NDArray[Any]]] = {}

    def write(rows: list[Row]) -> None:
        for key in rows[0] if rows else ():
            things = [json.dumps(row[key]) if isinstance(row[key], list) else row[key] for row in rows]
            columns.setdefault(key, []).append(_array(np.array(things)))

    def _array(array: NDArray[Any]) -> NDArray[Any]:
        return array.astype(np.int16) if array.dtype == np.int64 else array

    def end() -> None:
        arrays: dict[str, Any] = {key: np.concatenate(parts) for key, parts in columns.items()}
        np.savez_compressed(text.buffer, **arrays)  # type: ignore[attr-defined]

    return write, end


WRITERS: dict[str, Callable[[IO[str], Game, str, int], Writer]] = {
    ".jsonl": json_lines,
    ".parquet": parquet,
    ".npz": npz,
}
