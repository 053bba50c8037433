"""Docstrings are plain text; Sphinx reads reStructuredText. This turns the one into the other.

An indented block, or lines laid out in columns, is shown as it stands; an example is an example; all else is prose, in
which `code` is code and no other sign means anything.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any

COLUMNS = re.compile(r"\S {2,}\S")
SIGNS = re.compile(r"([*|_\\])")


def converted(lines: list[str]) -> list[str]:
    """A docstring as reStructuredText.

    >>> print("\\n".join(converted(["Ask `value`, not *a friend*.", "", "    x | o"])))
    Ask ``value``, not \\*a friend\\*.
    <BLANKLINE>
    ::
    <BLANKLINE>
        x | o
    <BLANKLINE>
    """
    made: list[str] = []
    drawn = False  # is the block before this one shown as it stands?
    for is_blank, group in groupby(lines, key=lambda line: not line.strip()):
        if is_blank:
            continue
        block = list(group)
        prose = [line for line in block if not line.startswith(" ")]
        if block[0].startswith(">>>"):
            made += [*block, ""]
            drawn = False
        elif not prose or any(COLUMNS.search(line) for line in block):
            made += [*([] if drawn else ["::", ""]), *("    " + line.rstrip() for line in block), ""]
            drawn = True
        else:
            cut = block.index(next((line for line in block if line.startswith(" ")), block[-1]))
            cut = cut if block[cut].startswith(" ") else len(block)
            made += [*(prose_line(line) for line in block[:cut]), ""]
            drawn = cut < len(block)
            if drawn:
                made += ["::", "", *("    " + line.rstrip() for line in block[cut:]), ""]
    return made


def prose_line(line: str) -> str:
    """A line of prose, with only `code` as markup."""
    parts = line.split("`")
    return "".join(f"``{part}``" if number % 2 else SIGNS.sub(r"\\\1", part) for number, part in enumerate(parts))


def convert(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """What Sphinx asks of every docstring."""
    lines[:] = converted(list(lines))


def setup(app: Any) -> dict[str, bool]:
    """What Sphinx calls."""
    app.connect("autodoc-process-docstring", convert)
    return {"parallel_read_safe": True}
