"""The navigation, made from docs/index.md: a heading is a part, and each link below it a page of that part."""

from __future__ import annotations

import re
from typing import Any

HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
PAGE = re.compile(r"\]\(([\w./-]+)\.md\)")


def parts(text: str) -> dict[str, list[str]]:
    """The pages of each part, without their ending.

    >>> parts("# Title\\n\\n## How to\\n\\n- [serve](how-to/serve.md): the page\\n")
    {'How to': ['how-to/serve']}
    """
    _, *rest = HEADING.split(text)
    return {name: PAGE.findall(body) for name, body in zip(rest[::2], rest[1::2], strict=True)}


def add_contents(app: Any, page: str, source: list[str]) -> None:
    """Append the navigation to the first page; the reader of the page itself does not see it there."""
    if page == app.config.root_doc:
        for name, pages in parts(source[0]).items():
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {name}\n\n" + "\n".join(pages) + "\n```\n"


def setup(app: Any) -> dict[str, bool]:
    """What Sphinx calls."""
    app.connect("source-read", add_contents)
    return {"parallel_read_safe": True}
