"""The claims in words, and as a page."""

from __future__ import annotations

import json
from collections.abc import Sequence

from noughts.lab.papers.claim import SOURCES, Ruling, summary
from noughts.lab.papers.sources import CITATIONS
from noughts.lab.report import Html, Page, Section, Tone, bullets, download, table, text, toned

WORDS = {True: "holds", False: "false", None: "measured"}


def page(verdicts: Sequence[Ruling]) -> Page:
    """The whole table as one self-contained page."""
    false = [f"**{v.id}**: {v.claim} {v.note}" for v in verdicts if v.holds is False]
    sections = [Section("What does not hold", [bullets(false)])]
    for name, title in SOURCES.items():
        own = [verdict for verdict in verdicts if verdict.source == name]
        if own:
            sections.append(Section(title, [text(str(CITATIONS[name])), text(summary(own)), _table(name, own)]))
    data = json.dumps([verdict.to_json() for verdict in verdicts], indent=1)
    sections.append(Section("Data", [download("Save all of this as JSON", "noughts-papers.json", data)]))
    return Page(
        "What the five papers got right, and what not",
        f"Every checkable claim beside the truth, computed afresh when this page was made. {summary(verdicts)}",
        sections,
        "Made by `noughts papers --report`. Nothing but the claims is typed in.",
    )


def _table(name: str, verdicts: Sequence[Ruling]) -> Html:
    tones: dict[bool | None, Tone] = {True: "good", False: "bad", None: "quiet"}
    return table(
        f"The claims of {name}",
        ["Claim", "Where", "Claimed", "Computed", "Verdict", "Why"],
        [
            [v.claim, v.where, v.claimed_text, v.computed_text, toned(WORDS[v.holds], tones[v.holds]), v.note]
            for v in verdicts
        ],
        numbers=None,
    )
