"""One report generator: sections of text, tables and figures become one self-contained HTML page.

    page = Page("Title", "What it says, in a sentence or two.", sections=(
        Section("Times", [text("As **measured** by `bench`."), table(...), side_by_side([figure(...), figure(...)])]),
    ))
    page.html()

A page loads nothing, runs no script, and reads well in light and dark, on a phone and on paper. Texts are plain:
they are escaped, and know two marks, `code` and **strong**. A figure is an SVG that colours itself with
`currentColor`, `var(--series-1)` … `var(--series-8)` and `var(--quiet)`, which the page sets for light and dark.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
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


Tone = Literal["good", "bad", "quiet"]


class Html(str):
    """A part of a page, made here: it is not escaped again."""


def text(words: str) -> Html:
    """A paragraph."""
    return Html(f"<p>{inline(words)}</p>")


def toned(words: str, tone: Tone) -> Html:
    """A text in a tone, for a cell or a sentence; the words alone must say it too."""
    return Html(f'<span class="{tone}">{inline(words)}</span>')


def bullets(items: Iterable[str]) -> Html:
    """A list of sentences."""
    return Html(f"<ul>{''.join(f'<li>{inline(item)}</li>' for item in items)}</ul>")


def verbatim(lines: str, alt: str, caption: str) -> Html:
    """Lines that keep their shape, such as a board, and what they are in words for those who hear the page."""
    shown = f'<pre role="img" aria-label="{escape(alt)}">{escape(lines)}</pre>'
    return Html(f"<figure>{shown}<figcaption>{inline(caption)}</figcaption></figure>")


def table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[str]], numbers: int | None = 1) -> Html:
    """A table: each row starts with its header.

    Columns from `numbers` on are set flush right; None: there are no numbers. On a narrow screen a table of numbers
    scrolls sideways, and one without becomes a list, each cell under the title of its column.
    """
    kind = "prose" if numbers is None else "wide"
    align = [' class="number"' if numbers is not None and n >= numbers else "" for n in range(len(columns))]
    label = [f' data-title="{escape(_bare(title))}"' if numbers is None else "" for title in columns]
    head = "".join(
        f'<th role="columnheader" scope="col"{align[n]}>{inline(title)}</th>' for n, title in enumerate(columns)
    )
    body = "".join(
        f'<tr role="row"><th role="rowheader" scope="row">{inline(first)}</th>'
        + "".join(f'<td role="cell"{align[n]}{label[n]}>{inline(cell)}</td>' for n, cell in enumerate(others, 1))
        + "</tr>"
        for first, *others in rows
    )
    return Html(
        f'<div class="table {kind}" role="region" tabindex="0" aria-label="{escape(_bare(caption))}">'
        f'<table role="table"><caption>{inline(caption)}</caption>'
        f'<thead role="rowgroup"><tr role="row">{head}</tr></thead>'
        f'<tbody role="rowgroup">{body}</tbody></table></div>'
    )


def figure(svg: str, caption: str, alt: str) -> Html:
    """An SVG with a caption, and what it shows in words for those who cannot see it."""
    return Html(
        f'<figure><div class="plot" role="img" aria-label="{escape(alt)}">{svg}</div>'
        f"<figcaption>{inline(caption)}</figcaption></figure>"
    )


def side_by_side(parts: Iterable[Html], narrow: bool = False) -> Html:
    """Parts side by side where there is room; narrow ones need less of it."""
    kind = "grid narrow" if narrow else "grid"
    return Html(f'<div class="{kind}">{"".join(f"<div>{part}</div>" for part in parts)}</div>')


def folded(summary: str, parts: Iterable[Html]) -> Html:
    """Parts behind a line that opens them."""
    return Html(f"<details><summary>{inline(summary)}</summary>{''.join(parts)}</details>")


def download(words: str, name: str, data: str) -> Html:
    """A link that saves a file of JSON, which travels inside the page."""
    payload = b64encode(data.encode()).decode()
    link = f'<a download="{escape(name)}" href="data:application/json;base64,{payload}">'
    return Html(f"<p>{link}{inline(words)}</a></p>")


@dataclass(frozen=True)
class Section:
    """A title and what stands under it."""

    title: str
    parts: Sequence[Html]


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
            f"{''.join(section.parts)}</section>"
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
    """Plain text as HTML, with `code` and **strong**; what is HTML already stays as it is.

    >>> inline("a < b, `x < y` and **so on**")
    'a &lt; b, <code>x &lt; y</code> and <strong>so on</strong>'
    """
    if isinstance(text, Html):
        return text
    text = re.sub(r"(?<=\d) (?=(?:%|ns|µs|ms|s|B|kB|MB|KB)(?!\w))", "\N{NO-BREAK SPACE}", text)
    return re.sub(
        r"`([^`]+)`|\*\*([^*]+)\*\*",
        lambda part: f"<code>{part[1]}</code>" if part[1] else f"<strong>{part[2]}</strong>",
        escape(text),
    )


def _bare(text: str) -> str:
    """The text without its marks, for places that hold no HTML."""
    return text.replace("`", "").replace("**", "")


def _names(titles: Sequence[str]) -> list[str]:
    """A name for each title that can stand in a link, no two alike."""
    names: list[str] = []
    for title in titles:
        slug = re.sub(r"[^a-z0-9]+", "-", _bare(title).lower()).strip("-") or "section"
        names.append(slug if slug not in names else f"{slug}-{len(names)}")
    return names
