"""The Python reference: every module of the package, from its docstrings.

A reference page names the top-level modules that belong to it, `<!-- modules: game position -->`; the modules inside
them follow by themselves. A module that no page names is a warning, so that nothing is forgotten.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from noughts.bridges import NoBridge

MARKER = re.compile(r"<!-- modules: ([\w ]+) -->")
ELSEWHERE = {"cli", "__main__", "_core"}  # the command has a page of its own; the core is reached through the others


def inside(name: str) -> Iterator[str]:
    """A module and all modules inside it.

    >>> list(inside("noughts.rules.game")), next(inside("noughts.play")), "noughts.play.rules" in inside("noughts.play")
    (['noughts.rules.game'], 'noughts.play', True)
    """
    try:
        module = import_module(name)
    except NoBridge:  # what it needs is not installed here, so it is not in this site
        return
    yield name
    for found in pkgutil.iter_modules(getattr(module, "__path__", [])):
        yield from inside(f"{name}.{found.name}")


def reference(name: str) -> str:
    """One module as Markdown."""
    return f"## `{name}`\n\n```{{eval-rst}}\n.. automodule:: {name}\n```\n"


def fill(app: Any, page: str, source: list[str]) -> None:
    """Put the modules in their place."""
    named: set[str] = app.env.__dict__.setdefault("named_modules", set())
    for marker in MARKER.finditer(source[0]):
        named.update(marker[1].split())
        listed = [name for top in marker[1].split() for name in inside(f"noughts.{top}")]
        source[0] = source[0].replace(marker[0], "\n".join(map(reference, listed)))


def complain(app: Any, env: Any) -> None:
    """Say which modules no page names."""
    from sphinx.util import logging

    import noughts

    there = {found.name for found in pkgutil.iter_modules(noughts.__path__)}
    for name in sorted(there - ELSEWHERE - env.__dict__.get("named_modules", set())):
        logging.getLogger(__name__).warning("no page of docs/reference names the module noughts.%s", name)


def setup(app: Any) -> dict[str, bool]:
    """What Sphinx calls."""
    app.connect("source-read", fill)
    app.connect("env-updated", complain)
    return {"parallel_read_safe": False}
