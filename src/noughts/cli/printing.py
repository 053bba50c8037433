"""What a command prints: words that fit the terminal, tables, colours, JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

import click
from click import option, unstyle

NARROW = 24  # characters that the first column of a table can be folded to


def _remember(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    ctx.obj = value


json_option = option("--json", is_flag=True, expose_value=False, callback=_remember, help="Answer with JSON.")


def wants_json() -> bool:
    """Was --json given?"""
    return bool(click.get_current_context().obj)


def answer(found: Any, show: Callable[[Any], None]) -> None:
    """Print what was found, one thing or a list of them: for programs with --json, else for people as `show` does."""
    if not wants_json():
        show(found)
    else:
        as_json([each.to_json() for each in found] if isinstance(found, list) else found.to_json())


def as_json(data: Any) -> None:
    """Print an answer for programs."""
    sys.set_int_max_str_digits(0)  # the code of a large board has more digits than Python likes to print
    click.echo(json.dumps(data))


def width(piped: int = sys.maxsize) -> int:
    """How wide a line may be: as wide as the terminal, or where there is none, as long as it likes."""
    return get_terminal_size().columns if sys.stdout.isatty() else piped


def say(text: str = "", lead: str = "") -> None:
    """Print words after a `lead`; where the terminal ends they go on below, between two words."""
    for line in text.split("\n"):
        words = line.lstrip(" ")
        before = lead + " " * (len(line) - len(words))
        room, taken = width(), len(unstyle(before))
        if taken + len(unstyle(words)) > room:
            under = " " * (taken if taken <= room // 2 else 4)
            lines = wrap(words, room, initial_indent=" " * taken, subsequent_indent=under, break_long_words=False)
            words = "\n".join(lines).lstrip(" ")
        click.echo(before + words)


def paint(text: str, **style: Any) -> str:
    """A text in a style of click's; plain where NO_COLOR is set (click itself drops colour for pipes)."""
    return text if os.environ.get("NO_COLOR") else click.style(text, **style)


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print a table, the first column to the left and the others to the right.

    Where the terminal is too narrow, the first column is folded, or else each row is a paragraph of its own.
    """
    cells = [[f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in rows]
    first, *wide = (max(len(unstyle(row[place])) for row in [head, *cells]) for place in range(len(head)))
    room = width() - sum(wide) - 2 * len(wide)
    if room < min(first, NARROW):
        for row in cells:
            named = (f"{name} {cell}".strip() for name, cell in zip(head[1:], row[1:], strict=True) if cell)
            say(f"{row[0]}: {', '.join(named)}")
        return
    for row in [list(head), *cells]:
        name, *more = wrap(row[0], room, subsequent_indent="  ") if len(unstyle(row[0])) > room else [row[0]]
        parts = zip(row[1:], wide, strict=True)
        right = (" " * (2 + size - len(unstyle(cell))) + cell for cell, size in parts)
        click.echo("\n".join([(_left(name, min(first, room)) + "".join(right)).rstrip(), *more]))


def _left(text: str, size: int) -> str:
    return text + " " * (size - len(unstyle(text)))


def indented(text: str) -> str:
    """A picture, further to the right, with an empty line above and below."""
    return "\n".join(["", *(f"      {line}".rstrip() for line in text.splitlines()), ""])


def share(part: float) -> str:
    """A share in percent; only all is 100 %.

    >>> share(1), share(0.99999), share(0.4)
    ('100 %', '99.9 %', '40.0 %')
    """
    return "100 %" if part == 1 else f"{min(part * 100, 99.9):.1f} %"
