"""The reference of the Python API, as the guide shows it: every public name of a module with its docstring.

The site has the same from Sphinx; here a page's line `<!-- modules: rules native -->` is replaced by Markdown that is
made from the code itself, so that an installed package shows the reference of the very version that runs.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

from noughts.bridges import NoBridge

MODULES = re.compile(r"<!-- modules: ([\w ]+) -->")
DIRECTIVE = re.compile(r"```\{eval-rst\}\n.*?```\n?", re.DOTALL)
OPENAPI = "<!-- the OpenAPI document -->"


def filled(text: str) -> str:
    """A page of the reference with what its markers stand for."""
    text = text.replace(OPENAPI, "[Every question, to try](/docs): the OpenAPI document of this very server.\n")
    text = DIRECTIVE.sub(lambda _: "\n".join(commands()), text)
    return MODULES.sub(lambda found: "\n".join(_all(found[1].split())), text)


def _all(tops: Iterable[str]) -> Iterator[str]:
    for top in tops:
        yield from of_module(f"noughts.{top}")


def of_module(name: str) -> Iterator[str]:
    """A module and those inside it: its own words, its functions and classes."""
    try:
        module = import_module(name)
    except (NoBridge, ImportError):  # what it needs is not installed here
        return
    yield f"## `{name}`\n\n{_said(module)}\n"
    for title, thing in _own(module):
        yield f"### `{title}{_signature(thing)}`\n\n{_said(thing)}\n"
        if inspect.isclass(thing):
            yield from _members(thing)
    for found in pkgutil.iter_modules(getattr(module, "__path__", [])):
        if not found.name.startswith("_"):
            yield from of_module(f"{name}.{found.name}")


def _own(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """The public functions and classes that a module defines, in the order of its source."""
    for name, thing in vars(module).items():
        own = getattr(thing, "__module__", "") == module.__name__ and (
            inspect.isclass(thing) or inspect.isroutine(thing)
        )
        if own and not name.startswith("_") and inspect.getdoc(thing):
            yield name, thing


def _members(kind: type) -> Iterator[str]:
    """The methods and properties of a class that have words of their own, as a list."""
    for name, thing in vars(kind).items():
        held = getattr(thing, "fget", None) or getattr(thing, "func", None) or getattr(thing, "__func__", thing)
        said = getattr(held, "__doc__", None)
        if not name.startswith("_") and said and (inspect.isroutine(held) or isinstance(thing, property)):
            call = "" if held is not thing and not isinstance(thing, staticmethod | classmethod) else _signature(held)
            yield f"- `{name}{call}`: {_bare(inspect.cleandoc(said).partition(chr(10) + chr(10))[0])}"
    yield ""


def _signature(thing: Any) -> str:
    try:
        return str(inspect.signature(thing)).replace("noughts.", "")
    except (TypeError, ValueError):
        return ""


def _said(thing: Any) -> str:
    """A docstring as Markdown: examples are code, and so is what is indented or holds more than words."""
    parts = re.split(r"\n\s*\n", inspect.getdoc(thing) or "")
    return "\n\n".join(_block(part) for part in parts)


def _block(part: str) -> str:
    lines = part.splitlines()
    if lines and lines[0].lstrip().startswith(">>>"):
        return "```python\n" + inspect.cleandoc(part) + "\n```"
    if any(re.search(r"\S {2,}\S", line) or line.startswith("    ") for line in lines):
        return f"```text\n{part}\n```"
    return _bare(part)


def _bare(text: str) -> str:
    """Words as words: what Markdown or HTML would take for a sign is none, but for `code`."""
    return re.sub(r"(?<!`)[<>\[\]*_](?!`)", lambda found: f"\\{found[0]}", " ".join(text.split()))


def commands() -> Iterator[str]:
    """Every command with its help, as the terminal shows it."""
    from noughts.cli import COMMANDS, cli, load

    above = cli.context_class(cli, info_name="noughts", **cli.context_settings)
    for name in COMMANDS:
        command = load(name)
        help_ = command.get_help(command.context_class(command, info_name=name, parent=above))
        yield f"## `noughts {name}`\n\n```text\n{help_}\n```\n"
