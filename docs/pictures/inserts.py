"""Takes the picture of every insert: python docs/pictures/inserts.py [NAME …] (needs playwright and Debian's chromium).

An insert is a picture alone in its paragraph that links to /embed of the laboratory:

    [![A game of noughts](../pictures/play-it.png)](http://127.0.0.1:8765/embed?position=XO./.X./..O)

The guide of a running server shows what the link leads to in its place, alive; the site and a code host show the
picture.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from noughts.web.guide import INSERT
from noughts.web.server import in_background

DOCS = Path(__file__).resolve().parents[1]
LINKED = re.compile(rf"^\[!\[([^\]]*)\]\(([^)]+)\)\]\({re.escape(INSERT)}(.+)\)$", re.MULTILINE)
SIZE = {"width": 720, "height": 416}  # as wide as a page of the guide; a board fills the height


def inserts() -> dict[Path, str]:
    """The picture of every insert, and what follows /embed? in its address."""
    return {
        (page.parent / picture).resolve(): query
        for page in sorted(DOCS.rglob("*.md"))
        if "_build" not in page.parts
        for _, picture, query in LINKED.findall(page.read_text(encoding="utf-8"))
    }


def main(names: list[str]) -> None:
    """Take them all, or those of these names."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with in_background() as laboratory, sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(viewport=SIZE, color_scheme="light", reduced_motion="reduce")
        page = context.new_page()
        for picture, query in inserts().items():
            if names and picture.stem not in names:
                continue
            page.goto(f"{laboratory}embed?{query}")
            page.locator("main :is(svg, button)").first.wait_for()
            page.wait_for_timeout(1500)  # for what moves to come to rest
            page.locator("main").screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
