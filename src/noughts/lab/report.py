"""One report generator: sections of text, tables and figures become one self-contained HTML page.

    page = Page("Title", "What it says, in a sentence or two.", sections=(
        Section("Times", (Text("As **measured** by `bench`."), Table(...), SideBlocks((Figure(...), Figure(...))))),
    ))
    page.html()

A page loads nothing, runs no script, and reads well in light and dark, on a phone and on paper. Texts are plain:
they are escaped, and know two marks, `code` and **strong**. A figure is an SVG that colours itself with
`currentColor`, `var(--series-1)` … `var(--series-8)` and `var(--quiet)`, which the page sets for light and dark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from tempfile import TemporaryFile
from typing import Literal


class ReportFolder(ValueError):
    """The report cannot be written there."""


def prepare(folder: Path) -> None:
    """Make the folder, and see that a page can be written there: better known before the work than after."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as problem:
        raise ReportFolder(f"cannot write a report to {folder}: {problem.strerror}") from None


Tone = Literal["", "good", "bad", "quiet"]


@dataclass(frozen=True)
class Cell:
    """A table cell with a tone; the text alone must say it too."""

    text: str
    tone: Tone = ""

    def html(self) -> str:
        """The text, in its tone."""
        return f'<span class="{self.tone}">{inline(self.text)}</span>' if self.tone else inline(self.text)


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str

    def html(self) -> str:
        """The paragraph."""
        return f"<p>{inline(self.text)}</p>"


@dataclass(frozen=True)
class Bullets:
    """A list of sentences."""

    items: Sequence[str | Cell]

    def html(self) -> str:
        """The list."""
        return f"<ul>{''.join(f'<li>{_cell(item)}</li>' for item in self.items)}</ul>"


@dataclass(frozen=True)
class Verbatim:
    """Lines that keep their shape, such as a board, and what they are in words for those who hear the page."""

    text: str
    alt: str
    caption: str = ""

    def html(self) -> str:
        """The lines."""
        lines = f'<pre role="img" aria-label="{escape(self.alt)}">{escape(self.text)}</pre>'
        return f"<figure>{lines}<figcaption>{inline(self.caption)}</figcaption></figure>" if self.caption else lines


@dataclass(frozen=True)
class Table:
    """A table: each row starts with its header.

    Columns from `numbers` on are set flush right; None: there are no numbers. On a narrow screen a table of numbers
    scrolls sideways, and one without becomes a list, each cell under the title of its column.
    """

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str | Cell]]
    numbers: int | None = 1

    def html(self) -> str:
        """The table in its box."""
        kind = "prose" if self.numbers is None else "wide"
        head = "".join(
            f'<th role="columnheader" scope="col"{self._align(n)}>{inline(title)}</th>'
            for n, title in enumerate(self.columns)
        )
        body = "".join(f'<tr role="row">{self._row(row)}</tr>' for row in self.rows)
        return (
            f'<div class="table {kind}" role="region" tabindex="0" aria-label="{escape(_bare(self.caption))}">'
            f'<table role="table"><caption>{inline(self.caption)}</caption>'
            f'<thead role="rowgroup"><tr role="row">{head}</tr></thead>'
            f'<tbody role="rowgroup">{body}</tbody></table></div>'
        )

    def _row(self, row: Sequence[str | Cell]) -> str:
        first, *others = row
        cells = (
            f'<td role="cell"{self._align(n)}{self._label(n)}>{_cell(cell)}</td>' for n, cell in enumerate(others, 1)
        )
        return f'<th role="rowheader" scope="row">{_cell(first)}</th>' + "".join(cells)

    def _align(self, column: int) -> str:
        return ' class="number"' if self.numbers is not None and column >= self.numbers else ""

    def _label(self, column: int) -> str:
        return f' data-title="{escape(_bare(self.columns[column]))}"' if self.numbers is None else ""


@dataclass(frozen=True)
class Figure:
    """An SVG with a caption, and what it shows in words for those who cannot see it."""

    svg: str
    caption: str
    alt: str

    def html(self) -> str:
        """The figure."""
        return (
            f'<figure><div class="plot" role="img" aria-label="{escape(self.alt)}">{self.svg}</div>'
            f"<figcaption>{inline(self.caption)}</figcaption></figure>"
        )


@dataclass(frozen=True)
class SideBlocks:
    """Blocks side by side where there is room; narrow ones need less of it."""

    blocks: Sequence[Block]
    narrow: bool = False

    def html(self) -> str:
        """The blocks."""
        kind = "grid narrow" if self.narrow else "grid"
        return f'<div class="{kind}">{"".join(f"<div>{block.html()}</div>" for block in self.blocks)}</div>'


@dataclass(frozen=True)
class Folded:
    """Blocks behind a line that opens them."""

    summary: str
    blocks: Sequence[Block]

    def html(self) -> str:
        """The line and, once opened, the blocks."""
        return f"<details><summary>{inline(self.summary)}</summary>{''.join(b.html() for b in self.blocks)}</details>"


@dataclass(frozen=True)
class Download:
    """A file that travels inside the page."""

    text: str
    name: str
    data: str
    media_type: str = "application/json"

    def html(self) -> str:
        """A link that saves the file."""
        from base64 import b64encode

        payload = b64encode(self.data.encode()).decode()
        return (
            f'<p><a download="{escape(self.name)}" href="data:{self.media_type};base64,{payload}">'
            f"{inline(self.text)}</a></p>"
        )


Block = Text | Bullets | Verbatim | Table | Figure | SideBlocks | Folded | Download


@dataclass(frozen=True)
class Section:
    """A title and what stands under it."""

    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Page:
    """A whole report."""

    title: str
    lead: str
    sections: Sequence[Section]
    footer: str = ""

    def html(self) -> str:
        """The page as one string.

        >>> "<h2 id='times'>Times</h2>" in Page("A report", "Short.", [Section("Times", [])]).html()
        True
        """
        names = _names([section.title for section in self.sections])
        links = "".join(
            f'<li><a href="#{name}">{inline(section.title)}</a></li>'
            for name, section in zip(names, self.sections, strict=True)
        )
        contents = f'<nav aria-label="Contents"><ul>{links}</ul></nav>' if len(names) > 2 else ""
        body = "".join(
            f"<section aria-labelledby='{name}'><h2 id='{name}'>{inline(section.title)}</h2>"
            f"{''.join(block.html() for block in section.blocks)}</section>"
            for name, section in zip(names, self.sections, strict=True)
        )
        footer = f"<footer><p>{inline(self.footer)}</p></footer>" if self.footer else ""
        return (
            '<!doctype html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<meta name="color-scheme" content="light dark">'
            f"<title>{escape(_bare(self.title))}</title><style>{STYLE}</style></head><body>"
            f'<header><h1>{inline(self.title)}</h1><p class="lead">{inline(self.lead)}</p>{contents}</header>'
            f"<main>{body}</main>{footer}</body></html>\n"
        )


def inline(text: str) -> str:
    """Plain text as HTML, with `code` and **strong**.

    >>> inline("a < b, `x < y` and **so on**")
    'a &lt; b, <code>x &lt; y</code> and <strong>so on</strong>'
    """
    text = re.sub(r"(?<=\d) (?=(?:%|ns|µs|ms|s|B|kB|MB|KB)(?!\w))", "\N{NO-BREAK SPACE}", text)
    parts = re.split(r"(`[^`]+`|\*\*[^*]+\*\*)", text)
    return "".join(
        f"<code>{escape(part[1:-1])}</code>"
        if part.startswith("`") and len(part) > 1
        else f"<strong>{escape(part[2:-2])}</strong>"
        if part.startswith("**") and len(part) > 4
        else escape(part)
        for part in parts
    )


def _bare(text: str) -> str:
    """The text without its marks, for places that hold no HTML."""
    return text.replace("`", "").replace("**", "")


def _cell(cell: str | Cell) -> str:
    return cell.html() if isinstance(cell, Cell) else inline(cell)


def _names(titles: Sequence[str]) -> list[str]:
    """A name for each title that can stand in a link, no two alike."""
    names: list[str] = []
    for title in titles:
        slug = re.sub(r"[^a-z0-9]+", "-", _bare(title).lower()).strip("-") or "section"
        names.append(slug if slug not in names else f"{slug}-{len(names)}")
    return names


STYLE = """
:root { --paper: #fcfcfa; --card: #fff; --ink: #1c2024; --quiet: #5c646c; --rule: #dcdfe2; --accent: #0b5cad;
  --good: #0a6b3d; --bad: #a8321a;
  --series-1: #0b5cad; --series-2: #c2410c; --series-3: #0f766e; --series-4: #86198f;
  --series-5: #8a6100; --series-6: #475569; --series-7: #be123c; --series-8: #4d7c0f; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14171a; --card: #1b1f23; --ink: #e6e8ea; --quiet: #a2aab2; --rule: #343a40; --accent: #7cb7ff;
    --good: #5fd39a; --bad: #ff9b80;
    --series-1: #6cb0ff; --series-2: #ff9d5c; --series-3: #4fd1c5; --series-4: #e28bf0;
    --series-5: #e5c04b; --series-6: #a9b6c6; --series-7: #ff8fa3; --series-8: #a3d65c; } }
* { box-sizing: border-box; }
html { font: 100%/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { max-width: 66rem; margin: 0 auto; padding: clamp(1.25rem, 4vw, 3.5rem) clamp(1rem, 4vw, 2.5rem); }
h1 { font-size: clamp(1.6rem, 1.2rem + 2vw, 2.4rem); line-height: 1.15; letter-spacing: -.015em; margin: 0 0 .75rem;
  text-wrap: balance; }
h2 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 .75rem; letter-spacing: -.01em; }
section { border-top: 1px solid var(--rule); margin-top: 2.5rem; padding-top: 1.75rem; }
p, ul { max-width: 68ch; margin: 0 0 1rem; text-wrap: pretty; }
ul { padding-left: 1.2rem; } li { margin-bottom: .4rem; }
.lead { font-size: 1.1rem; color: var(--quiet); }
a { color: var(--accent); text-underline-offset: .18em; }
a:focus-visible, summary:focus-visible, .table:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; padding: 0; margin: 0;
  max-width: none; }
nav li { margin: 0; } nav a { display: inline-block; padding: .2rem 0; }
code, pre { font: .9em/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
th code, td code { white-space: nowrap; }
p code, li code { overflow-wrap: anywhere; }
pre { margin: 0 0 1rem; overflow-x: auto; }
.good { color: var(--good); font-weight: 600; } .bad { color: var(--bad); font-weight: 600; }
.quiet { color: var(--quiet); }
.table { overflow-x: auto; margin: 1.25rem 0 1.75rem; border: 1px solid var(--rule); border-radius: .6rem;
  background: var(--card); }
table { border-collapse: collapse; width: 100%; font-size: .92rem; line-height: 1.4;
  font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .8rem 1rem .5rem; }
th, td { padding: .42rem .8rem; text-align: left; vertical-align: top; border-top: 1px solid var(--rule); }
thead th { font-weight: 600; color: var(--quiet); vertical-align: bottom; border-top: 0; }
tbody th { font-weight: 400; position: sticky; left: 0; background: var(--card); }
th:first-child { padding-left: 1rem; } td:last-child, th:last-child { padding-right: 1rem; }
.number { text-align: right; } td.number { white-space: nowrap; }
@media (max-width: 40rem) {
  .prose thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .prose :is(table, caption, tbody, tr, th, td) { display: block; }
  .prose tr { border-top: 1px solid var(--rule); padding: .7rem 1rem; }
  .prose :is(th, td) { border: 0; padding: 0; position: static; } .prose tbody th { font-weight: 600; }
  .prose td { margin-top: .3rem; }
  .prose td::before { content: attr(data-title) ": "; color: var(--quiet); } }
figure { margin: 0; } pre + figcaption { margin-top: 0; }
figcaption { color: var(--quiet); font-size: .9rem; line-height: 1.45; margin-top: .5rem; }
.plot svg { display: block; width: 100%; max-width: 36rem; height: auto; }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 2rem;
  margin: 1.5rem 0; align-items: start; }
.grid.narrow { grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: 1.25rem; }
.grid.narrow pre { margin: 0; font-size: 1rem; }
.grid > div { min-width: 0; } .grid .table { margin: 0; }
details { margin: 1rem 0; } summary { cursor: pointer; padding: .3rem 0; color: var(--accent); }
footer { border-top: 1px solid var(--rule); margin-top: 3rem; padding-top: 1rem; color: var(--quiet);
  font-size: .9rem; }
@media print { body { max-width: none; padding: 0; } section { break-inside: avoid-page; } nav { display: none; } }
"""
