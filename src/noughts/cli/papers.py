"""noughts papers: every claim of the five sources beside the truth."""

from __future__ import annotations

from pathlib import Path

import click

from noughts.cli.kit import (
    Place,
    answer,
    csv_option,
    option,
    query,
    ready_csv,
    say,
    svg_option,
    wants_json,
    write_csv,
    write_svg,
)
from noughts.lab import gallery
from noughts.lab.papers import SOURCES, Ruling, UnknownSource, judging, summary
from noughts.lab.papers.page import WORDS, page
from noughts.lab.papers.sources import CITATIONS, bibliography
from noughts.lab.report import prepare
from noughts.words import known

NARROW = 72  # characters: below, a table would be all hyphens


@query
@option("--source", metavar="NAME", help="Only this one: prajoda, gordon, lastmove, gamescrafters, minimax.")
@option("--report", type=Place(), metavar="DIR", help="Write a page to DIR.")
@option("--bibtex", is_flag=True, help="Print the sources, and noughts itself, as BibTeX instead.")
@csv_option("the claims")
@svg_option("the claims")
def run(source: str | None, report: Path | None, bibtex: bool, sheet: Path | None, picture: Path | None) -> None:
    """Check every claim of the five sources.

    Each is computed afresh and shown beside what the source says: whether it holds, and why. What depends on the
    machine is measured and has no verdict.
    """
    if bibtex:
        if wants_json() or report or sheet or picture:
            raise click.UsageError("--bibtex prints the sources, and checks nothing: give it alone, or with --source")
        known("source", source or "prajoda", SOURCES, UnknownSource)
        say(bibliography(source).rstrip("\n"))
        return
    if report:
        prepare(report)
    ready_csv(sheet, picture)
    verdicts = answer(judging(source), show, announce=True)
    head = ["id", "source", "where", "claim", "claimed", "computed", "verdict", "note"]
    rows = [
        (v.id, v.source, v.where, v.claim, v.claimed_text, v.computed_text, WORDS[v.holds], v.note) for v in verdicts
    ]
    write_csv(sheet, head, rows)
    write_svg(picture, gallery.of_claims(verdicts))
    if report:
        click.echo(f"Report: {page(verdicts).write(report)}", err=True)


def show(verdicts: list[Ruling]) -> None:
    """The claims by source, each with its verdict and why."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    styles = {True: "green", False: "bold red", None: "dim"}
    for name, title in SOURCES.items():
        own = [verdict for verdict in verdicts if verdict.source == name]
        if not own:
            continue
        rows = [
            (
                Text(WORDS[v.holds], style=styles[v.holds]), f"{v.claim} ({v.where})", v.claimed_text, v.computed_text,
                v.note,
            )
            for v in own
        ]  # fmt: skip
        if console.width < NARROW:
            console.print(Text(f"{title} ({name})\n{CITATIONS[name]}\n", style="bold"))
            for verdict, claim, claimed, computed, note in rows:
                parts = (": ", claim, f" Claimed {claimed}, computed {computed}. ", (note, "dim"), "\n")
                console.print(Text.assemble(verdict, *parts))
            continue
        table = Table(
            title=f"{title} ({name})\n{CITATIONS[name]}", title_justify="left", title_style="bold", expand=True
        )
        for column, ratio in (("", None), ("claim", 9), ("claimed", 4), ("computed", 4), ("why", 9)):
            table.add_column(column, ratio=ratio, no_wrap=ratio is None, overflow="fold")
        for verdict, *texts in rows:
            table.add_row(verdict, *map(Text, texts))
        console.print(table)
    console.print(summary(verdicts))
