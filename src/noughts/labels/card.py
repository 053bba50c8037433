"""The card of a dataset: what it is, where it comes from, what it holds, how to load it."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from noughts.labels.dataset import Dataset

SHARES = {"train": 0.8, "validation": 0.1, "test": 0.1}  # unless others are asked for

LOADING = {
    ".jsonl": {
        "datasets": 'datasets.load_dataset("json", data_files="{name}")["train"]',
        "pandas": 'pandas.read_json("{name}", lines=True)',
        "polars": 'polars.read_ndjson("{name}")',
    },
    ".parquet": {
        "datasets": 'datasets.load_dataset("parquet", data_files="{name}")["train"]',
        "pandas": 'pandas.read_parquet("{name}")',
        "polars": 'polars.read_parquet("{name}")',
    },
    ".npz": {"numpy": 'numpy.load("{name}")'},
}
COLUMNS = {
    "text": {
        "game": "the game",
        "position": "rows from the top, `/` between them; with the game before it where that is not 3x3k3",
        "board": "the same drawn, with its labels",
        "words": "the same in sentences",
        "turn": "who is to move",
        "marks": "how many marks are on the board",
        "value": "`win`, `tie` or `loss` for the player to move, with best play",
        "remoteness": "plies to the end, when the winner hurries and the loser delays",
        "best": "the best moves: column letter and row from the bottom",
        "best_cells": "the same as cells, numbered row by row from the top left, from 0",
        "best_places": "the same as row and column from the top left, from 0",
        "keeping": "the moves that keep the value, at whatever pace",
        "canonical": "the position that stands for all symmetric to it",
        "split": "which split it belongs to; symmetric positions are in the same",
    },
    "planes": {
        "planes": "1 for the cells of the player to move, then for those of the other; {shape}",
        "mask": "1 for the actions that may be taken: cells, or where marks fall columns",
        "value": "1, 0 or -1 for the player to move, with best play",
        "remoteness": "plies to the end, when the winner hurries and the loser delays",
        "best": "1 for the actions that are best",
        "marks": "how many marks are on the board",
        "split": "which split it belongs to; symmetric positions are in the same",
    },
}


def card_text(made: Dataset) -> str:
    """What the file is: where it comes from, what it holds, how to load it."""
    game, name, kind = made.game, made.file.name, made.file.suffix
    which = f"{made.positions:,} positions of random games" if made.sampled else f"all {made.positions:,} positions"
    what = "finished ones too" if made.finished else "in which somebody is to move"
    shape = f"int8[2, {game.rows}, {game.columns}]" + ", flat" * (kind == ".parquet")
    lines = [
        "---",
        f"pretty_name: exact values of {game}",
        "tags: [tic-tac-toe, k-in-a-row, games]",
        "---",
        f"# {game}: exact labels",
        "",
        f"{which[0].upper() + which[1:]} of {game} ({game.rows} rows, {game.columns} columns; {game.rule.goal}),",
        f"{what}, each with its exact value, its remoteness and its best moves. Nothing is estimated: the labels come",
        "from a strong solution of the game, or from a search to its end.",
        "",
        f"Made by noughts {version('noughts')}: `noughts dataset {game} -o {name}"
        + f" --positions {made.positions}" * made.sampled
        + f" --seed {made.seed}" * bool(made.seed or made.sampled)
        + f" --split {','.join(f'{name}={share}' for name, share in made.shares.items())}" * (made.shares != SHARES)
        + " --form planes" * (made.form == "planes")
        + " --finished" * made.finished
        + "`",
        "",
        "| column | holds |",
        "|---|---|",
        *(f"| `{key}` | {text.format(shape=shape)} |" for key, text in COLUMNS[made.form].items()),
        "",
        "| split | positions |",
        "|---|---:|",
        *(f"| {split} | {count:,} |" for split, count in made.by_split.items()),
        "",
        "No class of symmetric positions is in two splits. The file has all splits: the column `split` tells which.",
        "",
        "| value for the player to move | positions |",
        "|---|---:|",
        *(f"| {value} | {count:,} |" for value, count in made.by_value.items()),
        "",
        "```python",
        *(f"import {package}; data = {code.format(name=name)}" for package, code in LOADING[kind].items()),
        "```",
        "",
    ]
    return "\n".join(lines)
