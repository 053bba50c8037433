"""The pages of a class in a real browser: nobody meets a barrier, and what went wrong is played through."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from browser import Visitor, expect

from noughts.lab import grades
from noughts.play.gradebook import grade_folder

FIRST = """
def winner(board):
    return board[0][0] if board[0][0] == board[0][1] == board[0][2] else None
def utility(board):
    return {"X": 1, "O": -1, None: 0}[winner(board)]
def minimax(board):
    free = [(i, j) for i in range(3) for j in range(3) if not board[i][j]]
    return free[0] if free else None
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    folder.joinpath("anna.py").write_text(FIRST, encoding="utf-8")
    folder.joinpath("ben.py").write_text("def player(", encoding="utf-8")
    return grades.write(grade_folder(folder, total_limit=30), folder / "report").parent


def opened(chromium: Any, page: Path, **looks: Any) -> Visitor:
    """A page as a file: it needs no server."""
    visitor = Visitor(chromium.new_context(**looks).new_page(), page.as_uri())
    visitor.page.goto(page.as_uri())
    return visitor


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_nobody_meets_a_barrier(chromium: Any, report: Path, width: int, scheme: str) -> None:
    for name in ("index", "anna", "ben"):
        visitor = opened(
            chromium, report / f"{name}.html", viewport={"width": width, "height": 800}, color_scheme=scheme
        )
        for folded in visitor.page.locator("summary").all():
            folded.click()
        visitor.has_no_barrier(width)
        visitor.page.context.close()


def test_a_lost_game_is_played_through_in_the_laboratory(chromium: Any, visit: Any, report: Path) -> None:
    page = opened(chromium, report / "anna.html").page
    minimax = page.locator("section").filter(has=page.get_by_role("heading", name="minimax"))
    expect(minimax).to_contain_text("Played through")
    link = urlsplit(minimax.get_by_role("link", name="Open it in the laboratory").first.get_attribute("href"))
    page.context.close()
    visitor = visit()
    visitor.go(f"/?{link.query}")
    expect(visitor.page.locator("h1")).to_contain_text("won")
