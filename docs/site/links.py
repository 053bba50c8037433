"""Checks a built site: every link and picture leads to a file of the site, and every anchor is there.

python docs/site/links.py docs/_build/html
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """What a page refers to, and what in it can be referred to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []  # what the browser fetches by itself
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note links and anchors."""
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)
            elif name == "src" or (name == "href" and tag == "link"):
                self.loads.append(value)
            elif name == "href":
                self.links.append(value)


def problems(site: Path) -> Iterator[str]:
    """One sentence for each link that leads nowhere."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        here = path.relative_to(site)
        for link in page.links + page.loads:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loads and parts.scheme != "data":
                    yield f"{here} loads {link} from the network: the site must work offline"
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                yield f"{here} links to {link}, which is not there"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                yield f"{here} links to {link}, but that page has no such anchor"


def main() -> None:
    """Check the site that is named."""
    site = Path(sys.argv[1]).resolve()
    found = list(problems(site))
    if found:
        sys.exit("\n".join(found))
    print(f"noughts: every link and anchor of {len(list(site.rglob('*.html')))} pages leads somewhere")


if __name__ == "__main__":
    main()
