"""What may stand on a command line: games, positions, sizes and paths, read once, by the library's own functions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, TextIO

import click
from click import argument, option

from noughts.rules.notation import MAX_TEXT, parse_board, parse_game
from noughts.rules.position import Setup

__all__ = ["BOARD", "GAME", "Parsed", "Place", "argument", "completing", "option", "output", "standard_input"]


class Parsed(click.ParamType):  # type: ignore[type-arg, unused-ignore]  # generic in newer versions alone
    """A text that a function of the library reads, and refuses in its own words."""

    def __init__(self, name: str, parse: Callable[[str], Any]) -> None:
        self.name, self.parse = name, parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """What the text means; a shell that completes a line does not ask."""
        return value if not isinstance(value, str) or (ctx and ctx.resilient_parsing) else self.parse(value)


class Place(click.Path):
    """The path of a file or folder, which has a name."""

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
    """The board that was typed, or, for a single -, the one on standard input."""
    if text == "-":
        text = standard_input(MAX_TEXT + 2).removesuffix("\n").removesuffix("\r")
    return parse_board(text)


GAME = Parsed("game", parse_game)
BOARD = Parsed("position", _read_board)  # a Setup: whether play can lead there is for `Position` to say


def output(path: Path) -> AbstractContextManager[TextIO]:
    """A file to write an answer to, or, for a single -, standard output."""
    from noughts.files import writing

    return nullcontext(sys.stdout) if str(path) == "-" else writing(path)


def completing(names: Iterable[str]) -> Any:
    """What completes one of these names in the shell."""
    return lambda ctx, param, incomplete: [name for name in names if name.startswith(incomplete)]
