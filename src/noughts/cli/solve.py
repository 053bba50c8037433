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
    svg_option,
    table,
    write_csv,
    write_svg,
)  # fmt: skip
from noughts.cli.meter import finish_showing
from noughts.rules.game import Game
from noughts.solve.backends import BACKENDS
from noughts.solve.counting import PositionCounts, counting
from noughts.solve.export import solving_to_export
from noughts.solve.folder import open_levels
from noughts.solve.machine import parse_rate, parse_size
from noughts.solve.planning import Plan, planning
from noughts.solve.problems import InvalidSolve
from noughts.solve.solution import Solution
from noughts.solve.store import is_remote
from noughts.solve.strong import begun, solving
from noughts.solve.summary import Summary
from noughts.solve.verification import SAMPLE, Verified, verifying
from noughts.words import about, brief, known, several

TABLES = ("marks", "remoteness")
MAX_DIGITS = 18  # of a number of positions; Python refuses to read one of thousands


def _sample(text: str) -> int:
    """How many positions to derive again; 0 stands for all."""
    if text != "all" and (not text.isdecimal() or len(text) > MAX_DIGITS or int(text) < 1):
        raise InvalidSolve(f"--sample takes a number of positions or all, not {brief(text)}")
    return 0 if text == "all" else int(text)


class StorePlace(Place):
    """A folder, or the URL of a store."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """A path, or the URL as it is."""
        return value if is_remote(value) else super().convert(value, param, ctx)


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
    help="Take no more memory than this, as in 8GB; else what is free. What takes more is refused, or solved on disk.",
)
@option("--save", type=StorePlace(), metavar="DIR|URL", help="Keep the solution there, or go on there.")
@option("--scratch", type=Place(), metavar="DIR", help="Solve on disk, in DIR, and keep nothing; or go on there.")
@option("--cluster", metavar="WHERE", help="Have it solved by Dask: local:4, or a scheduler as in tcp://host:8786.")
@option("--part", type=Parsed("size", parse_size), metavar="SIZE", help="What a task makes on disk or on a cluster.")
@option("--resume", is_flag=True, help="Go on with what was begun there, and refuse to begin.")
@option("--plan", is_flag=True, help="Only say what it takes on disk, or on a cluster of --cluster-size.")
@option("--cluster-size", type=int, metavar="N", help="With --plan: machines.")
@option("--network", type=Parsed("rate", parse_rate), metavar="RATE", help="With --plan: of each machine, as in 2GB/s.")
@option("--compress", is_flag=True, help="Write it compressed (needs the extra db).")
@option("--verify", type=StorePlace(), metavar="DIR", help="Check a saved solution.")
@option(
    "--sample",
    type=Parsed("sample", _sample),
    metavar="N|all",
    help="Derive so many positions again when verifying; else two million.",
)
@csv_option("the table of levels")
@svg_option("the same")
@option(
    "--by",
    metavar="marks|remoteness",
    help="Of --csv and --svg: positions by marks (the default), or by plies to the end.",
)
@option("--count", type=int, metavar="N", help="Count positions of up to N marks, and no more (with gravity).")
@option(
    "--export", type=Place(), metavar="FILE", help="Write every position to FILE: .jsonl, or .parquet (extra parquet)."
)
def run(
    game: Game | None, verify: Path | None, sample: int | None, threads: int | None, count: int | None, **options: Any
) -> None:
    """Solve GAME strongly: the exact value and remoteness of every position.

    Any game of at most 25 cells in memory, of 28 on a GPU, of 30 on disk or on a cluster, of 32 where marks fall
    (5x6k4g). Says beforehand what it takes, and counts all positions that legal play can reach by value, number of
    marks and remoteness. With --save or --scratch it can be stopped at any moment: the same command goes on. From
    Python, noughts.solve.Solution.open(DIR) then answers for every position that was saved.
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
    size, network = options.pop("cluster_size"), options.pop("network")
    if options.pop("plan"):
        given = [
            name for name in ("save", "scratch", "cluster", "export", "backend", "resume", "compress") if options[name]
        ]
        if given:
            raise InvalidSolve(f"--plan solves nothing: it does not go with --{given[0]}")
        part, memory = options["part"], options["memory"]
        answer(planning(game, memory=memory, part=part, machines=size, network=network, threads=threads), show_plan)
        return
    if size is not None or network is not None:
        raise InvalidSolve("--cluster-size and --network go with --plan")
    if options.pop("resume") and not begun(options["save"] or options["scratch"]):
        raise InvalidSolve("there is nothing to resume: --resume goes on in a --save or --scratch that was begun")
    if options["compress"] and options["save"] is None and options["scratch"] is None:
        raise InvalidSolve("--compress says how --save and --scratch write: give it a folder")
    save, export, sheet = options["save"], options.pop("export"), options.pop("sheet")
    picture, by = options.pop("picture"), options.pop("by") or "marks"
    known("table", by, TABLES, InvalidSolve)
    ready_csv(sheet, picture)
    options["threads"] = threads
    try:
        found = finish_showing(solving_to_export(game, export, **options) if export else solving(game, **options))
    except (OSError, MemoryError) as problem:
        what = reason(problem) if isinstance(problem, OSError) else "there is not enough memory for this"
        kept = (save and (is_remote(save) or Path(save).is_dir())) or options["scratch"]  # it may be gone
        goes_on = "; finished levels are kept, and the same command goes on there" if kept else ""
        raise click.ClickException(f"{what}{goes_on}") from None
    if save:
        if options["compress"] and not is_remote(save) and (raw := _uncompressed(Path(save), game)):
            note(f"{several(raw, 'level')} there already, uncompressed, stay so")
        note(f"saved in {save}; from Python: noughts.solve.Solution.open({str(save)!r})")
    answer(found, show)
    _take_along(found, by, sheet, picture)


def _take_along(found: Summary, by: str, sheet: Path | None, picture: Path | None) -> None:
    if not (sheet or picture):
        return
    from noughts.lab import gallery

    figure = gallery.by_marks(found) if by == "marks" else gallery.by_remoteness(found)
    write_svg(picture, *([figure] if picture else []))
    if by == "marks":
        names = ["positions", "classes", "win", "loss", "tie"]
        rows = [[level.marks, *(getattr(level, each) for each in names)] for level in found.by_marks]
        write_csv(sheet, ["marks", *names], rows)
    else:
        write_csv(sheet, figure.head, figure.rows)


def _uncompressed(folder: Path, game: Game) -> int:
    return sum(level.header.compression is None for level in open_levels(folder, game))


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
    moved = (
        ""
        if found.read is None or found.written is None
        else f"; {words.size(found.read)} read, {words.size(found.written)} written"
    )
    say(
        f"\nPositions that legal play can reach; win, loss and tie are for the player to move.\n"
        f"{about(found.seconds)}, at most {words.size(found.peak_rss_bytes)} of memory, {found.backend}, "
        f"{several(found.threads, 'thread')}{moved}"
    )


def show_plan(found: Plan) -> None:
    """Print what a solve takes in parts, level by level and in all."""
    names = ["marks", "blocks", "bytes", "waits", "parts", "reads", "read"]
    rows = [
        (
            row.marks,
            row.blocks,
            words.size(row.bytes),
            words.size(row.waits),
            row.parts,
            row.reads,
            words.size(row.read),
        )
        for row in found.levels
    ]
    table([*names[:-2], "reads of each", names[-1]], rows)
    say(f"\n{found.sentence}")


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
