"""noughts solve: every position of a game, counted; saved, verified, exported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from noughts import words
from noughts.cli import reason
from noughts.cli.kit import (
    GAME,
    Parsed,
    Place,
    answer,
    argument,
    completing,
    csv_option,
    note,
    option,
    query,
    ready_csv,
    say,
    table,
    write_csv,
)  # fmt: skip
from noughts.cli.meter import finish_showing
from noughts.rules.game import Game
from noughts.solve.backends import BACKENDS
from noughts.solve.counting import PositionCounts, counting
from noughts.solve.export import solving_to_export
from noughts.solve.folder import open_levels
from noughts.solve.machine import parse_size
from noughts.solve.problems import InvalidSolve
from noughts.solve.solution import Solution
from noughts.solve.strong import solving
from noughts.solve.summary import Summary
from noughts.solve.verification import SAMPLE, Verified, verifying
from noughts.words import about, brief, several

MAX_DIGITS = 18  # of a number of positions; Python refuses to read one of thousands


def _sample(text: str) -> int:
    """How many positions to derive again; 0 stands for all."""
    if text != "all" and (not text.isdecimal() or len(text) > MAX_DIGITS or int(text) < 1):
        raise InvalidSolve(f"--sample takes a number of positions or all, not {brief(text)}")
    return 0 if text == "all" else int(text)


@query
@argument("game", type=GAME, required=False)
@option("--threads", type=int, metavar="N", help="How many threads; else one for each processor.")
@option(
    "--backend",
    metavar="NAME",
    shell_complete=completing(BACKENDS),
    help="Who solves: cuda, native or python; else the fastest (noughts doctor lists them).",
)
@option(
    "--memory",
    type=Parsed("size", parse_size),
    metavar="SIZE",
    help="Refuse what takes more memory than this, as in 8GB; else than is free.",
)
@option("--save", type=Place(), metavar="DIR", help="Keep the solution in DIR, or go on there.")
@option("--compress", is_flag=True, help="Write it compressed (needs the extra db).")
@option("--verify", type=Place(), metavar="DIR", help="Check a saved solution.")
@option(
    "--sample",
    type=Parsed("sample", _sample),
    metavar="N|all",
    help="Derive so many positions again when verifying; else two million.",
)
@csv_option("the table of levels")
@option("--count", type=int, metavar="N", help="Count positions of up to N marks, and no more (with gravity).")
@option(
    "--export", type=Place(), metavar="FILE", help="Write every position to FILE: .jsonl, or .parquet (extra parquet)."
)
def run(
    game: Game | None, verify: Path | None, sample: int | None, threads: int | None, count: int | None, **options: Any
) -> None:
    """Solve GAME strongly: the exact value and remoteness of every position.

    Any game of at most 25 cells, of 28 on a GPU, of 32 where marks fall (5x6k4g). Says beforehand what it takes, and
    counts all positions that legal play can reach by value, number of marks and remoteness. With --save it can be
    stopped at any moment: the same command goes on. From Python, noughts.solve.Solution.open(DIR) then answers for
    every position.
    """
    if verify is not None:
        if any(options.values()) or count is not None:
            raise InvalidSolve("--verify checks a solution that is there: it goes with --sample and --threads only")
        with Solution.open(verify) as solution:
            if game not in (None, solution.game):
                raise InvalidSolve(f"{verify} holds {solution.game}, not {game}")
        much = SAMPLE if sample is None else sample or None
        answer(verifying(verify, sample=much, threads=threads), show_verified)
        return
    if game is None:
        raise InvalidSolve("which game? Name one, as in noughts solve 4x4k4")
    if sample is not None:
        raise InvalidSolve("--sample says how much --verify derives again")
    if count is not None:
        if any(options.values()):
            raise InvalidSolve("--count counts and solves nothing: it goes with --threads only")
        answer(counting(game, count, threads=threads), show_counts)
        return
    if options["compress"] and options["save"] is None:
        raise InvalidSolve("--compress says how --save writes: give it a folder")
    save, export, sheet = options["save"], options.pop("export"), options.pop("sheet")
    ready_csv(sheet)
    options["threads"] = threads
    try:
        found = finish_showing(solving_to_export(game, export, **options) if export else solving(game, **options))
    except (OSError, MemoryError) as problem:
        what = reason(problem) if isinstance(problem, OSError) else "there is not enough memory for this"
        kept = save and save.is_dir()  # it may be gone
        goes_on = "; finished levels are kept, and the same command goes on there" if kept else ""
        raise click.ClickException(f"{what}{goes_on}") from None
    if save:
        if options["compress"] and (raw := sum(level.raw for level in open_levels(save, game))):
            note(f"{several(raw, 'level')} there already, uncompressed, stay so")
        note(f"saved in {save}; from Python: noughts.solve.Solution.open({str(save)!r})")
    answer(found, show)
    names = ["positions", "classes", "win", "loss", "tie"]
    rows = [[level.marks, *(getattr(level, each) for each in names)] for level in found.by_marks]
    write_csv(sheet, ["marks", *names], rows)


def show(found: Summary) -> None:
    """Print what was found of a game: its value, and its positions by number of marks and by remoteness."""
    plies = several(found.value.plies, "ply", "plies")
    worth = {"win": f"X wins in {plies}", "loss": f"O wins in {plies}", "tie": "a tie with best play"}
    say(f"{found.game}: {worth[found.value.outcome]}\n")
    names = ["positions", "classes", "win", "loss", "tie"]
    rows = [(level.marks, level) for level in found.by_marks]
    table(["marks", *names], [(name, *(getattr(row, each) for each in names)) for name, row in [*rows, ("all", found)]])
    by = found.by_remoteness
    say()
    table(
        ["plies to the end", "win", "loss"],
        [
            (plies, *(by[name].get(plies) or "-" for name in ("win", "loss")))
            for plies in sorted({*by["win"], *by["loss"]})
        ],
    )
    say(
        f"\nPositions that legal play can reach; win, loss and tie are for the player to move.\n"
        f"{about(found.seconds)}, at most {words.size(found.peak_rss_bytes)} of memory, {found.backend}, "
        f"{several(found.threads, 'thread')}"
    )


def show_counts(found: PositionCounts) -> None:
    """Print how many positions there are, by number of marks."""
    table(["marks", "positions"], [*enumerate(found.positions), ("all", sum(found.positions))])
    say(f"\nPositions of {found.game} that legal play can reach.")


def show_verified(found: Verified) -> None:
    """Print how much was checked."""
    much = "all" if found.blocks_derived == found.blocks else f"{found.places_derived / found.places:.2g} of all"
    say(
        f"{found.game}: right.\n"
        f"Checksums: all {found.levels} levels, {found.bytes:,} bytes.\n"
        f"Derived again from the level above, by the rules: {found.blocks_derived:,} of {found.blocks:,} blocks, "
        f"{found.places_derived:,} of {found.places:,} stored positions ({much}), in {about(found.seconds)}."
    )
