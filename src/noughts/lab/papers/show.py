"""The claims as a table for people, and as a page."""

from __future__ import annotations

import json
from collections.abc import Sequence

from noughts.lab.papers.claim import SOURCES, Ruling, summary
from noughts.lab.report import Bullets, Cell, Download, Page, Section, Table, Text, Tone

NARROW = 72  # characters: below, a table would be all hyphens
WORDS = {True: "holds", False: "false", None: "measured"}


def print_table(verdicts: Sequence[Ruling]) -> None:
    """The claims by source, each with its verdict and why."""
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text as RichText

    console = Console(highlight=False)
    styles = {True: "green", False: "bold red", None: "dim"}
    for name, title in SOURCES.items():
        own = [verdict for verdict in verdicts if verdict.source == name]
        if not own:
            continue
        rows = [
            (RichText(WORDS[v.holds], style=styles[v.holds]), v.claim, v.claimed_text, v.computed_text, v.note)
            for v in own
        ]
        if console.width < NARROW:
            console.print(RichText(f"{title} ({name})\n", style="bold"))
            for verdict, claim, claimed, computed, note in rows:
                parts = (": ", claim, f" Claimed {claimed}, computed {computed}. ", (note, "dim"), "\n")
                console.print(RichText.assemble(verdict, *parts))
            continue
        table = RichTable(title=f"{title} ({name})", title_justify="left", title_style="bold", expand=True)
        for column, ratio in (("", None), ("claim", 9), ("claimed", 4), ("computed", 4), ("why", 9)):
            table.add_column(column, ratio=ratio, no_wrap=ratio is None, overflow="fold")
        for verdict, *texts in rows:
            table.add_row(verdict, *map(RichText, texts))
        console.print(table)
    console.print(summary(verdicts))


def page(verdicts: Sequence[Ruling]) -> Page:
    """The whole table as one self-contained page."""
    false = [f"**{v.id}**: {v.claim} {v.note}" for v in verdicts if v.holds is False]
    sections = [Section("What does not hold", [Bullets(false)])]
    for name, title in SOURCES.items():
        own = [verdict for verdict in verdicts if verdict.source == name]
        if own:
            sections.append(Section(title, [Text(summary(own)), _table(name, own)]))
    data = json.dumps([verdict.to_json() for verdict in verdicts], indent=1)
    sections.append(Section("Data", [Download("Save all of this as JSON", "noughts-papers.json", data)]))
    return Page(
        "What the five papers got right, and what not",
        f"Every checkable claim beside the truth, computed afresh when this page was made. {summary(verdicts)}",
        sections,
        "Made by `noughts papers --report`. Nothing but the claims is typed in.",
    )


def _table(name: str, verdicts: Sequence[Ruling]) -> Table:
    tones: dict[bool | None, Tone] = {True: "good", False: "bad", None: "quiet"}
    return Table(
        f"The claims of {name}",
        ["Claim", "Claimed", "Computed", "Verdict", "Why"],
        [[v.claim, v.claimed_text, v.computed_text, Cell(WORDS[v.holds], tones[v.holds]), v.note] for v in verdicts],
        numbers=None,
    )
