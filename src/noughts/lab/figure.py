"""A table to take along, as a picture: the one way in which the command (`--svg`) and the page draw what is kept.

    table     the table itself
    bars      a row is a bar, its numbers follow one another         shares    the same, each bar as wide as the others
    ranges    a row is a name, a number, and from where to where it may be: a bar with a whisker
    columns   a row is a place along the bottom, with its numbers side by side
    stacked   the same, on top of each other, as parts of 100 %
    lines     a row is a place along the bottom, a column a line

The picture is plain SVG of rectangles, paths and words, with all that it needs in it and no style from outside: it
looks the same in a browser, in a word processor and on paper.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate, zip_longest
from math import ceil, floor, log10
from textwrap import wrap
from typing import Literal, get_args

from noughts.rules.answer import Answer

Kind = Literal["table", "bars", "shares", "ranges", "columns", "stacked", "lines"]
Cell = str | float | None
KINDS = get_args(Kind)
WHOLES = ("bars", "shares", "columns", "stacked")  # which show how much there is
MOST_ROWS, MOST_COLUMNS, MOST_LETTERS = 1_000, 24, 400  # of a table that is drawn
SMALLEST, LARGEST = 1e-30, 1e30  # of a number that is drawn
WIDTH, ROW, GAP = 720, 26, 12
SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)" font')
LETTER = 7.3  # the width of one at 13 pixels, on the average
LONGEST = 34  # letters of a name beside a bar
WIDEST = 34  # letters of a cell of words, before it is broken
INK, SOFT, RULE = "#1b1f24", "#59636e", "#d5d9de"
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a7300", "#56b4e9", "#595959")
NAMED = {"win": "#0072b2", "won": "#0072b2", "tie": "#9aa4af", "drawn": "#9aa4af", "loss": "#d55e00", "lost": "#d55e00"}


class BadFigure(ValueError):
    """This table cannot be drawn in this way."""


@dataclass(frozen=True)
class Drawing(Answer):
    """A picture as the text of an SVG file."""

    svg: str


@dataclass(frozen=True)
class Figure:
    """A table with a title, and how it is drawn.

    On a logarithmic scale (of ranges, columns and lines) what is not above 0 is left out.

    >>> figure = Figure("Who wins?", ("player", "won", "drawn"), (("perfect", 41, 9), ("random", 0, 9)), "bars")
    >>> figure.svg()[:34], figure.svg().count("<rect")
    ('<svg xmlns="http://www.w3.org/2000', 7)
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    kind: Kind = "table"
    log: bool = False

    def __post_init__(self) -> None:
        """Refuse a table that cannot be drawn."""
        if self.kind not in KINDS:
            raise BadFigure(f"there is no figure of kind {self.kind!r}: expected one of {', '.join(KINDS)}")
        if not self.rows or any(len(row) != len(self.head) for row in self.rows):
            raise BadFigure(f"a figure needs rows, each with as many cells as the head, {len(self.head)}")
        if len(self.rows) > MOST_ROWS or len(self.head) > MOST_COLUMNS:
            raise BadFigure(f"a figure may have at most {MOST_ROWS:,} rows and {MOST_COLUMNS} columns")
        if self.kind != "table" and not any(number for row in self.rows for number in _numbers(row[1:])):
            raise BadFigure("there is no number to draw")
        if self.kind in WHOLES and any((number or 0) < 0 for row in self.rows for number in _numbers(row[1:])):
            raise BadFigure(f"{self.kind} are drawn from 0 up: a number is below that")
        if self.kind == "ranges" and len(self.head) != 4:
            raise BadFigure("a figure of ranges has four columns: the name, the number, from, and to")
        if self.kind in ("columns", "stacked", "lines") and not all(
            isinstance(row[0], int | float) for row in self.rows
        ):
            raise BadFigure(f"the first column of {self.kind} must be numbers: places along the bottom")

    def svg(self) -> str:
        """The text of the picture."""
        draw = {"table": _table, "bars": _bars, "shares": _bars, "ranges": _ranges, "lines": _plot}.get(
            self.kind, _plot
        )
        parts, height = draw(self)
        title = f'<text x="0" y="18" font-size="16" font-weight="600" fill="{INK}">{escape(self.title)}</text>'
        width = _wide(self) if self.kind == "table" else WIDTH
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-{GAP} -{GAP} {width + 2 * GAP:g} {height + 2 * GAP:g}" '
            f'width="{width + 2 * GAP:g}" height="{height + 2 * GAP:g}" font-family="Figtree, system-ui, sans-serif" '
            f'font-size="13"><title>{escape(self.title)}</title>'
            + _rect(-GAP, -GAP, width + 2 * GAP, height + 2 * GAP, "#ffffff")
            + title
            + "".join(parts)
            + "</svg>\n"
        )


def under_each_other(figures: Sequence[Figure]) -> str:
    """Several figures in one picture."""
    if not figures:
        raise BadFigure("there is nothing to draw")
    pictures = [figure.svg().strip() for figure in figures]
    if len(pictures) == 1:
        return f"{pictures[0]}\n"
    sizes = [tuple(float(side) for side in SIZE.findall(picture)[0]) for picture in pictures]
    width, height = max(wide for wide, _ in sizes), sum(tall for _, tall in sizes)
    tops = accumulate((tall for _, tall in sizes), initial=0.0)
    placed = [picture.replace("<svg ", f'<svg y="{top:g}" ', 1) for picture, top in zip(pictures, tops, strict=False)]
    frame = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}">'
    return f"{frame}{_rect(0, 0, width, height, '#ffffff')}{''.join(placed)}</svg>\n"


# Parts


def _rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(0, width):.1f}" height="{max(0, height):.1f}" fill="{fill}"/>'


def _stroke(path: str, colour: str = RULE, width: float = 1) -> str:
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'


def _words(x: float, y: float, text: str, anchor: str = "start", fill: str = INK, *, bold: bool = False) -> str:
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}"{weight}>{escape(text)}</text>'


def _said(cell: Cell) -> str:
    """A cell in words.

    >>> _said(12345), _said(0.123456), _said(None), _said("x"), _said(2.0), _said(1234567.891)
    ('12,345', '0.123', '–', 'x', '2', '1,234,568')
    """
    if cell is None:
        return "–"
    if isinstance(cell, str):
        return cell
    return f"{cell:,.0f}" if abs(cell) >= 1000 or cell == int(cell) else f"{cell:.3g}"


def _short(number: float) -> str:
    """A number on an axis.

    >>> [_short(number) for number in (0, 0.05, 20, 5000, 2_000_000, 10**12)]
    ['0', '0.05', '20', '5k', '2M', '1T']
    """
    for size, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(number) >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"


def _numbers(cells: Sequence[Cell]) -> list[float | None]:
    """The numbers among these cells; what is too small to be seen is 0, what is too large is none."""
    numbers = [None if cell is None or isinstance(cell, str) else float(cell) for cell in cells]
    seen = [number if number is None or abs(number) >= SMALLEST else 0.0 for number in numbers]
    return [number if number is not None and abs(number) <= LARGEST else None for number in seen]


def _colour(name: str, place: int) -> str:
    return NAMED.get(name.lower(), SERIES[place % len(SERIES)])


def _legend(figure: Figure, y: float) -> list[str]:
    """The names of the series with their colours."""
    parts, x = [], 0.0
    for place, name in enumerate(figure.head[1:]):
        parts += [_rect(x, y - 10, 11, 11, _colour(name, place)), _words(x + 16, y, name, fill=SOFT)]
        x += 32 + LETTER * len(name)
    return parts


def _scale(values: Sequence[float], *, log: bool) -> tuple[Callable[[float], float], list[float]]:
    """Where a number lies between 0 and 1, and the numbers to be marked."""
    if log:
        start = floor(log10(0.99 * min(values)))  # so that the smallest is seen
        end = max(ceil(log10(max(values))), start + 1)
        return (lambda number: (log10(number) - start) / (end - start)), [
            10.0**power for power in range(start, end + 1)
        ]
    low, high = min(0.0, *values), max(0.0, *values)
    step = 10.0 ** floor(log10((high - low) / 3 or 1))
    step *= next(size for size in (1, 2, 5, 10) if (high - low) / (step * size) <= 5)
    first, last = floor(low / step), max(ceil(high / step), floor(low / step) + 1)
    marks = [step * place for place in range(first, last + 1)]
    return (lambda number: (number - marks[0]) / (marks[-1] - marks[0])), marks


# Kinds


def _columns(figure: Figure) -> list[tuple[float, bool]]:
    """The width of each column of a table, and whether it has numbers."""
    found = []
    for place, name in enumerate(figure.head):
        cells = [row[place] for row in figure.rows]
        longest = max(min(WIDEST, max(len(line) for line in _broken(cell))) for cell in (name, *cells))
        found.append((LETTER * longest + 18, not any(isinstance(cell, str) for cell in cells)))
    return found


def _wide(figure: Figure) -> float:
    return max(sum(width for width, _ in _columns(figure)), LETTER * 1.35 * len(figure.title))


def _broken(cell: Cell) -> list[str]:
    return wrap(_said(cell), WIDEST) or [""]


def _table(figure: Figure) -> tuple[list[str], float]:
    columns, y, parts = _columns(figure), 30.0, list[str]()
    wide = _wide(figure)
    for number, row in enumerate((figure.head, *figure.rows)):
        lines = [_broken(cell) for cell in row]
        x = 0.0
        for texts, (width, counts) in zip(lines, columns, strict=True):
            anchor, at = ("end", x + width - 12) if counts else ("start", x)
            parts += [
                _words(at, y + 18 + 16 * place, text, anchor, SOFT if number == 0 else INK, bold=number == 0)
                for place, text in enumerate(texts)
            ]
            x += width
        y += 10 + 16 * max(map(len, lines))
        parts.append(_stroke(f"M0 {y:.1f}H{wide:.1f}", SOFT if number == 0 else RULE))
    return parts, y


def _beside(names: list[str]) -> tuple[float, list[str]]:
    """The room that names take at the left, and the names; what is too long lacks its middle."""
    half = LONGEST // 2
    shown = [name if len(name) <= LONGEST else f"{name[: half - 1]}…{name[-half:]}" for name in names]
    return LETTER * max(map(len, shown)) + 14, shown


def _bars(figure: Figure) -> tuple[list[str], float]:
    names = [_said(row[0]) for row in figure.rows]
    left, names = _beside(names)
    rows = [[number or 0.0 for number in _numbers(row[1:])] for row in figure.rows]
    most = max(map(sum, rows)) or 1.0
    parts, room = _legend(figure, 44), WIDTH - left - 90
    for place, (name, row) in enumerate(zip(names, rows, strict=True)):
        y = 60 + ROW * place
        whole = (sum(row) or 1.0) if figure.kind == "shares" else most
        parts.append(_words(left - 8, y + 16, name, "end"))
        for part, (start, number) in enumerate(zip(accumulate([0.0, *row]), row, strict=False)):
            at = left + room * start / whole
            parts.append(_rect(at, y + 3, room * number / whole, ROW - 8, _colour(figure.head[part + 1], part)))
        told = " / ".join(_said(number) for number in row) if figure.kind == "shares" else _said(sum(row))
        parts.append(_words(left + room * (sum(row) / whole) + 6, y + 16, told, fill=SOFT))
    return parts, 60 + ROW * len(rows)


def _ranges(figure: Figure) -> tuple[list[str], float]:
    names = [_said(row[0]) for row in figure.rows]
    left, names = _beside(names)
    rows = [_numbers(row[1:]) for row in figure.rows]
    drawn = [number for row in rows for number in row if number is not None and (number > 0 or not figure.log)]
    if not drawn:
        raise BadFigure("on a logarithmic scale only numbers above 0 can be drawn")
    place_of, marks = _scale(drawn, log=figure.log)
    room, bottom = WIDTH - left - 90, 46.0 + ROW * len(rows)
    parts = [_words(left, 38, f"{figure.head[1]}, with {figure.head[2]} and {figure.head[3]}", fill=SOFT)]
    for mark in marks:
        x = left + room * place_of(mark)
        parts += [_stroke(f"M{x:.1f} 46V{bottom:.1f}"), _words(x, bottom + 16, _short(mark), "middle", SOFT)]
    base = left + room * (0.0 if figure.log else place_of(0))
    for place, (name, (number, low, high)) in enumerate(zip(names, rows, strict=True)):
        y = 46 + ROW * place
        parts.append(_words(left - 8, y + 16, name, "end"))
        if number is None or (figure.log and number <= 0):
            continue
        at = left + room * place_of(number)
        parts.append(_rect(min(at, base), y + 4, abs(at - base), ROW - 10, SERIES[0]))
        end = at
        if low is not None and high is not None and (low > 0 or not figure.log):
            start, end = (left + room * place_of(each) for each in (low, high))
            parts.append(
                _stroke(f"M{start:.1f} {y + 12}H{end:.1f}M{start:.1f} {y + 8}v8M{end:.1f} {y + 8}v8", INK, 1.5)
            )
        parts.append(_words(max(at, end, base) + 6, y + 16, _said(number), fill=SOFT))
    return parts, bottom + 20


def _plot(figure: Figure) -> tuple[list[str], float]:
    """Columns or lines over places along the bottom; lines have a logarithmic bottom, too, if they are logarithmic."""
    left, top, room, tall = 62.0, 60.0, WIDTH - 76.0, 300.0
    places = [float(row[0]) for row in figure.rows]  # type: ignore[arg-type]  # asked at the beginning
    rows = [_numbers(row[1:]) for row in figure.rows]
    stacked = figure.kind == "stacked"
    log = figure.log and not stacked
    if stacked:
        rows = [[100 * (number or 0) / (sum(each or 0 for each in row) or 1) for number in row] for row in rows]
    drawn = [number for row in rows for number in row if number is not None and (number > 0 or not log)]
    if not drawn or (figure.kind == "lines" and log and min(places) <= 0):
        raise BadFigure("on a logarithmic scale only numbers above 0 can be drawn")
    up, marks = _scale([100.0] if stacked else drawn, log=log)
    parts = _legend(figure, 44)
    for mark in marks:
        y = top + tall * (1 - up(mark))
        share = " %" if stacked else ""
        parts += [_stroke(f"M{left} {y:.1f}H{left + room}"), _words(left - 6, y + 4, _short(mark) + share, "end", SOFT)]
    if figure.kind == "lines":
        parts += _lines(figure, places, rows, up, (left, top, room, tall))
    else:
        wide = room / len(rows)
        every = ceil(len(rows) * 26 / room)
        for place, (name, row) in enumerate(zip(figure.rows, rows, strict=True)):
            x, height = left + wide * place, 0.0
            if place % every == 0:
                parts.append(_words(x + wide / 2, top + tall + 16, _said(name[0]), "middle", SOFT))
            for part, number in enumerate(row):
                if number is None or (log and number <= 0):
                    continue
                colour, own = _colour(figure.head[part + 1], part), tall * up(number)
                if stacked:
                    parts.append(_rect(x + 0.06 * wide, top + tall - height - own, 0.88 * wide, own, colour))
                    height += own
                else:
                    one = 0.86 * wide / len(row)
                    parts.append(_rect(x + 0.07 * wide + one * part, top + tall - own, one, own, colour))
    parts.append(_words(left + room / 2, top + tall + 36, figure.head[0], "middle", SOFT))
    return parts, top + tall + 40


def _lines(
    figure: Figure,
    places: Sequence[float],
    rows: Sequence[Sequence[float | None]],
    up: Callable[[float], float],
    frame: tuple[float, float, float, float],
) -> list[str]:
    left, top, room, tall = frame
    along, _ = _scale(places, log=figure.log)
    low, high = along(min(places)), along(max(places))
    x_of = [left + room * (along(place) - low) / ((high - low) or 1) for place in places]
    last, parts = -99.0, []
    for x, row in sorted(zip(x_of, figure.rows, strict=True), key=lambda each: each[0]):
        if x - last >= 30:
            parts.append(_words(x, top + tall + 16, _said(row[0]), "middle", SOFT))
            last = x
    for part, column in enumerate(zip_longest(*rows)):
        points = [
            (x, top + tall * (1 - up(number)))
            for x, number in zip(x_of, column, strict=True)
            if number is not None and (number > 0 or not figure.log)
        ]
        colour = _colour(figure.head[part + 1], part)
        if points:
            parts.append(_stroke("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points), colour, 2))
        parts += [_rect(x - 3, y - 3, 6, 6, colour) for x, y in points]
    return parts
