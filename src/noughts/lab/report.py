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

from noughts.files import writing

STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


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
    """A paragraph of a report."""

    text: str

    def html(self) -> str:
        """The paragraph as HTML."""
        return f"<p>{inline(self.text)}</p>"


@dataclass(frozen=True)
class Bullets:
    """A list of sentences."""

    items: Sequence[str | Cell]

    def html(self) -> str:
        """The list as HTML."""
        return f"<ul>{''.join(f'<li>{_cell(item)}</li>' for item in self.items)}</ul>"


@dataclass(frozen=True)
class Verbatim:
    """Lines that keep their shape, such as a board, and what they are in words for those who hear the page."""

    text: str
    alt: str
    caption: str = ""

    def html(self) -> str:
        """The lines as HTML."""
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
        """The figure as HTML."""
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
        """The blocks as HTML."""
        kind = "grid narrow" if self.narrow else "grid"
        return f'<div class="{kind}">{"".join(f"<div>{block.html()}</div>" for block in self.blocks)}</div>'


@dataclass(frozen=True)
class Folded:
    """Blocks behind a line that opens them."""

    summary: str
    blocks: Sequence[Block]

    def html(self) -> str:
        """The line and, once opened, the blocks, as HTML."""
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

    def write(self, folder: Path) -> Path:
        """Write the page into a folder, and say where it is."""
        prepare(folder)
        path = folder / "index.html"
        with writing(path) as file:
            file.write(self.html())
        return path

    def html(self) -> str:
        """The page as one string.

        >>> "<h2 id='times'>Times</h2>" in Page("A report", "Short.", [Section("Times", [])]).html()
        True
        """
        named = list(zip(_names([section.title for section in self.sections]), self.sections, strict=True))
        links = "".join(f'<li><a href="#{name}">{inline(section.title)}</a></li>' for name, section in named)
        contents = f'<nav aria-label="Contents"><ul>{links}</ul></nav>' if len(named) > 2 else ""
        body = "".join(
            f"<section aria-labelledby='{name}'><h2 id='{name}'>{inline(section.title)}</h2>"
            f"{''.join(block.html() for block in section.blocks)}</section>"
            for name, section in named
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
