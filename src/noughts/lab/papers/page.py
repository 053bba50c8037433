"""The claims in words, and as a page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from noughts.lab.papers.claim import SOURCES, Ruling
from noughts.lab.report import Bullets, Cell, Download, Page, Section, Table, Text, Tone

WORDS = {True: "holds", False: "false", None: "measured"}


def plain(value: Any) -> str:
    """A claimed or computed value as a reader writes it.

    >>> plain(255168), plain([0, -8]), plain({"X1": 1}), plain(True), plain(None)
    ('255,168', '0, -8', 'X1 = 1', 'yes', '–')
    """
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case int() if value >= 10_000:
            return f"{value:,}"
        case dict():
            return ", ".join(f"{key} = {plain(item)}" for key, item in value.items())
        case list() | tuple():
            return ", ".join(plain(item) for item in value)
        case _:
            return str(value)


def summary(verdicts: Sequence[Ruling]) -> str:
    """How many claims hold, in one sentence."""
    hold, false, measured = (sum(v.holds is wanted for v in verdicts) for wanted in (True, False, None))
    text = f"{len(verdicts)} claims: {hold} hold, {false} do not"
    return text + (f", {measured} depend on the machine." if measured else ".")


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
        [
            [v.claim, plain(v.claimed), plain(v.computed), Cell(WORDS[v.holds], tones[v.holds]), v.note]
            for v in verdicts
        ],
        numbers=None,
    )
