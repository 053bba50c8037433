"""Takes the pictures of the web laboratory: python docs/pictures/web.py (needs playwright and Debian's chromium)."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from noughts.web.server import in_background

HERE = Path(__file__).parent
SIZE = {"width": 1280, "height": 760}


def play(page: Any, laboratory: str) -> None:
    """A lost game with its account."""
    page.goto(f"{laboratory}?x=level-4&o=you&moves=b2,b3,a1,c3,a3,c1,a2")
    page.get_by_role("button", name="Play again").wait_for()


def threats(page: Any, laboratory: str) -> None:
    """A win by fours and threes, proven, to step through."""
    board = "........./....O..../..X....../....XO.../..O.XO.../.O......./.XX....../........./........."
    page.goto(f"{laboratory}?view=analyse&position=9x9k5:{board}&show=win")
    page.wait_for_timeout(3000)  # for the provers


def main() -> None:
    """Take them all."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with in_background() as laboratory, sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(viewport=SIZE, color_scheme="light", reduced_motion="reduce")
        page = context.new_page()
        for name, show in {"web-play": play, "web-threats": threats}.items():
            show(page, laboratory)
            page.evaluate("scrollTo(0, 0)")
            page.wait_for_timeout(1500)  # for what moves to come to rest
            page.screenshot(path=HERE / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
