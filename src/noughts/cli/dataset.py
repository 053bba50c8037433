"""noughts dataset: labelled positions of a game in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from noughts.cli.kit import GAME, Parsed, Place, answer, argument, note, option, query, say, table
from noughts.labels.dataset import FORMS, Dataset, making_dataset, parse_shares
from noughts.rules.game import Game


@query
@argument("game", type=GAME)
@option(
    "-o", "--output", "path", type=Place(), required=True, metavar="FILE",
    help="Where to: FILE.parquet, FILE.npz or FILE.jsonl; a card, FILE.….md, describes it.",
)  # fmt: skip
@option("-n", "--positions", type=int, metavar="N", help="Take so many from random games; else all of them.")
@option("--seed", default=0, help="Which random games, and which split each position is in.")
@option("--form", type=click.Choice(FORMS), default="text", help="Text in three notations, or planes for learners.")
@option(
    "--split", "shares", type=Parsed("split", parse_shares), default="train=0.8,validation=0.1,test=0.1",
    metavar="SHARES", help="The splits and their shares; train=1 for none.", show_default=True,
)  # fmt: skip
@option("--finished", is_flag=True, help="Finished games too.")
def run(game: Game, path: Path, **options: Any) -> None:
    """Write positions of GAME to FILE, each with its exact value, its remoteness and its best moves.

    The game must be solved, or be small enough to be solved on the spot (about 20 cells); where marks fall, positions
    of larger boards can be sampled. Symmetric positions are always in the same split, so that nothing of the test split
    is known from training.
    """
    answer(making_dataset(game, path, **options), show)


def show(found: Dataset) -> None:
    """Print what was written."""
    say(f"{found.positions:,} positions of {found.game} in {found.file}, described in {found.card}\n")
    table(["split", "positions"], found.by_split.items())
    say()
    table(["value", "positions"], found.by_value.items())
    if found.file.suffix == ".npz":
        note(f"numpy.load({str(found.file)!r}) has an array for each column")
