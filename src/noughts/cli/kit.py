"""What every command is made of: what may stand on its line, and what it prints.

A command is a function under `@command`, or under `@query`, which adds --json. It reads games, positions and paths with
the types below, calls the library, and hands what that gives to `answer`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click
from click import argument, option, unstyle

from noughts.rules.game import Cell, Game
from noughts.rules.notation import MAX_TEXT, draw_board, format_move, parse_board, parse_game
from noughts.rules.position import Position, Setup

if TYPE_CHECKING:
    from noughts.lab.figure import Figure

__all__ = ["argument", "option"]
NARROW = 24  # characters that the first column of a table can be folded to


def command(function: Callable[..., None]) -> click.Command:
    """A command, with its own docstring for its help."""
    return click.command()(function)


def query(function: Callable[..., None]) -> click.Command:
    """A command that can answer with JSON."""

    def remember(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        ctx.obj = value

    json_ = option("--json", is_flag=True, expose_value=False, callback=remember, help="Answer with JSON.")
    return command(json_(function))


# What it is given


class Parsed(click.ParamType):  # type: ignore[type-arg, unused-ignore]  # generic in newer versions alone
    """A text that a function of the library reads, and refuses in its own words."""

    def __init__(self, name: str, parse: Callable[[str], Any]) -> None:
        self.name, self.parse = name, parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """What the text means; a shell that completes a line does not ask."""
        return value if not isinstance(value, str) or (ctx and ctx.resilient_parsing) else self.parse(value)


class Place(click.Path):
    """The path of a file or folder, which has a name; with `allow_dash` a single - is a standard stream."""

    def __init__(self, **options: Any) -> None:
        super().__init__(path_type=Path, **options)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; the empty text, which would mean the current folder, is none."""
        if value == "":
            self.fail("it is empty, and should be a path", param, ctx)
        return super().convert(value, param, ctx)


def standard_input(most: int) -> str:
    """Read at most so many characters from standard input."""
    if sys.stdin is None:
        raise click.UsageError("there is no standard input to read from")
    return sys.stdin.read(most)


def _read_board(text: str) -> Setup:
    if text == "-":
        text = standard_input(MAX_TEXT + 2).removesuffix("\n").removesuffix("\r")
    return parse_board(text)


GAME = Parsed("game", parse_game)
BOARD = Parsed("position", _read_board)  # a Setup: whether play can lead there is for `Position` to say


def completing(names: Iterable[str]) -> Any:
    """What completes one of these names in the shell."""
    return lambda ctx, param, incomplete: [name for name in names if name.startswith(incomplete)]


# What it answers


def answer(found: Any, show: Callable[[Any], None], **meter: Any) -> Any:
    """Print what was found, one thing or a list of them: for programs with --json, else for people as `show` does.

    Long work is run to its end, with its progress on stderr, and what it found is returned.
    """
    if isinstance(found, Generator):
        from noughts.cli.meter import finish_showing

        found = finish_showing(found, **meter)
    if not wants_json():
        show(found)
    else:
        as_json([each.to_json() for each in found] if isinstance(found, list) else found.to_json())
    return found


def wants_json() -> bool:
    """Was --json given?"""
    return bool(click.get_current_context().obj)


def as_json(data: Any) -> None:
    """Print an answer for programs."""
    sys.set_int_max_str_digits(0)  # the code of a large board has more digits than Python likes to print
    click.echo(json.dumps(data))


# What people see


def note(text: str) -> None:
    """Say something about the work, on stderr."""
    click.echo(f"noughts: {text}", err=True)


def width(piped: int = sys.maxsize) -> int:
    """How wide a line may be: as wide as the terminal, or where there is none, as long as it likes."""
    if not sys.stdout.isatty():
        return piped
    from shutil import get_terminal_size  # which takes a while to load

    return get_terminal_size().columns


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
    return text if not text or os.environ.get("NO_COLOR") else click.style(text, **style)


def table(head: Sequence[str], rows: Iterable[Iterable[Any]]) -> None:
    """Print a table: words in the first column to the left, all else to the right.

    Where the terminal is too narrow, the first column is folded, or else each row is a paragraph of its own.
    """
    cells = [[f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in (head, *rows)]
    first, *wide = (max(len(unstyle(cell)) for cell in column) for column in zip(*cells, strict=True))
    room = min(first, width() - sum(wide) - 2 * len(wide))
    if room < min(first, NARROW):
        for name, *row in ([unstyle(cell) for cell in row] for row in cells[1:]):
            say(f"{name}:")
            say(", ".join(f"{of} {cell}".strip() for of, cell in zip(head[1:], row, strict=True) if cell), lead="    ")
        return
    for name, *row in cells:
        name, *more = [name] if len(unstyle(name)) <= room else wrap(name, room, subsequent_indent="  ")
        blank = " " * (room - len(unstyle(name)))
        line = blank + name if name.isdecimal() else name + blank
        for cell, size in zip(row, wide, strict=True):
            line += " " * (2 + size - len(unstyle(cell))) + cell
        click.echo("\n".join([line.rstrip(), *more]))


def csv_option(what: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option that takes a table along."""
    return option("--csv", "sheet", type=Place(), metavar="FILE", help=f"Write {what} to FILE, for a spreadsheet.")


def svg_option(what: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option that takes a picture along."""
    return option("--svg", "picture", type=Place(), metavar="FILE", help=f"Draw {what} in FILE, as SVG.")


def ready_csv(*files: Path | None) -> None:
    """See that a table or a picture can be written there, before the work."""
    from noughts.files import check_target

    for file in filter(None, files):
        check_target(file)


def write_csv(sheet: Path | None, head: Sequence[str], rows: Iterable[Iterable[Any]]) -> None:
    """Write a table with its numbers as they are, if there is a file to write it to."""
    if sheet:
        import csv

        from noughts.files import writing

        with writing(sheet) as file:
            csv.writer(file, lineterminator="\n").writerows([head, *rows])
        note(f"the table is in {sheet}")


def write_svg(picture: Path | None, *figures: Figure) -> None:
    """Draw these figures under each other, if there is a file to draw them in."""
    if picture:
        from noughts.files import writing
        from noughts.lab.figure import under_each_other

        with writing(picture) as file:
            file.write(under_each_other(figures))
        note(f"the picture is in {picture}")


def indented(text: str) -> str:
    """A picture, further to the right, with an empty line above and below."""
    return "\n".join(["", *(f"      {line}".rstrip() for line in text.splitlines()), ""])


def film(game: Game, cells: Sequence[Cell], start: Position | None = None) -> str:
    """A game, from the empty board or another position, as pictures side by side, each with its move above it.

    >>> print(film(Game(3, 3, 3), [4, 0]))
    1 X b2     2 O a3
    3  . . .   3  O . .
    2  . X .   2  . X .
    1  . . .   1  . . .
       a b c      a b c
    """
    position, pictures = start or game.start(), []
    for number, cell in enumerate(cells, position.marks + 1):
        title = f"{number} {position.turn} {format_move(game, cell)}"
        position = position.play(cell)
        pictures.append([title, *draw_board(position).splitlines()])
    size = max(len(line) for picture in pictures for line in picture) + 3
    across = max(1, (width(piped=100) - 6) // size)
    strips = []
    for first in range(0, len(pictures), across):
        rows = zip(*pictures[first : first + across], strict=True)
        strips.append("\n".join("".join(line.ljust(size) for line in row).rstrip() for row in rows))
    return "\n\n".join(strips)


def share(part: float) -> str:
    """A share in percent; only all is 100 %.

    >>> share(1), share(0.99999), share(0.4)
    ('100 %', '99.9 %', '40.0 %')
    """
    return "100 %" if part == 1 else f"{min(part * 100, 99.9):.1f} %"
