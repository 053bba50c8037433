"""What the tests share: all positions of a game, and random ones."""

from __future__ import annotations

import os
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from noughts import Game, Position
from noughts.native import core

settings.register_profile("noughts", deadline=None, print_blob=True)
settings.load_profile("noughts")

signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a shell's background, and tests press Ctrl-C

native = pytest.mark.skipif(core() is None, reason="needs the native core")

# Boards of every kind: square, wide, tall, one row, k = 1, k beyond the short side, misere, exact, gravity.
SPREAD = [
    Game.parse(name)
    for name in (
        "1x1k1", "1x5k3", "5x1k2", "2x2k2", "3x3k1", "3x3k3", "3x3k3m", "2x6k4", "4x3k3", "3x5k4m", "4x4k3",
        "5x5k4", "6x7k4", "8x8k5", "3x30k7", "15x15k5", "19x19k6m", "40x2k9", "27x28k5",
        "4x4k3e", "3x5k2em", "15x15k5e", "6x7k4g", "4x5k3egm", "20x9k5g",
    )
]  # fmt: skip


@pytest.fixture(scope="session", autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests keep what they solve in a folder of their own, and so do the commands that they run."""
    with pytest.MonkeyPatch.context() as patch:
        if "NOUGHTS_CACHE" not in os.environ:
            patch.setenv("NOUGHTS_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@cache
def reachable(game: Game) -> tuple[Position, ...]:
    """Every position that legal play can reach."""
    return tuple(game.positions())


def crowded(game: Game, marks: int, rng: Random) -> Position:
    """A random position with the game not over, its marks rather in the middle."""
    while True:
        position = game.start()
        while position.marks < marks and not position.is_over:
            few = rng.sample(position.moves(), min(6, len(position.moves())))
            position = position.play(min(few, key=lambda cell: _away(game, cell) + rng.random() * 8))
        if not position.is_over:
            return position


def _away(game: Game, cell: int) -> float:
    row, column = divmod(cell, game.columns)
    return (row - game.rows / 2) ** 2 + (column - game.columns / 2) ** 2


def eventually(law: Callable[[], object], seconds: float = 20) -> None:
    """Wait until a law holds; fail if it does not in time."""
    end = time.monotonic() + seconds
    while not law():
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(0.05)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A browser without a window."""
    from browser import CHROMIUM, QUIET, playwright

    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def laboratory() -> Iterator[str]:
    """The address of a running web laboratory."""
    from noughts.web.jobs import Desk
    from noughts.web.server import in_background

    with in_background(Desk(workers=2, waiting=16)) as address:
        yield address


@pytest.fixture(scope="session")
def free_tabs() -> dict[str, list[Any]]:
    """Tabs that a visitor has left, by their options: a new one costs as much as a visit."""
    return defaultdict(list)


@pytest.fixture
def visit(chromium: Any, laboratory: str, free_tabs: dict[str, list[Any]]) -> Iterator[Any]:
    """Makes visitors of the page; at the end nobody may have anything to complain about."""
    from browser import Visitor

    visitors = []

    def make(**options: Any) -> Visitor:
        free = free_tabs[str(options)]
        page = free.pop() if free else chromium.new_context(**{"reduced_motion": "reduce", **options}).new_page()
        visitors.append((Visitor(page, laboratory), free))
        return visitors[-1][0]

    yield make
    complaints = [complaint for visitor, _ in visitors for complaint in visitor.complaints]
    for visitor, free in visitors:
        if complaints:
            visitor.page.context.close()
        else:
            visitor.leave()
            free.append(visitor.page)
    assert complaints == []


games = st.builds(
    lambda rows, columns, k, misere: Game(rows, columns, 1 + k % max(rows, columns), misere),
    st.integers(1, 12), st.integers(1, 12), st.integers(0, 11), st.booleans(),
)  # fmt: skip


@cache
def slow_lines(game: Game) -> set[tuple[int, ...]]:
    """Every line, straight from the definition."""
    found = set()
    for row in range(game.rows):
        for column in range(game.columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + i * down, column + i * right) for i in range(game.k)]
                if all(0 <= r < game.rows and 0 <= c < game.columns for r, c in cells):
                    found.add(tuple(r * game.columns + c for r, c in cells))
    return found


@st.composite
def positions(draw: st.DrawFn, games: st.SearchStrategy[Game] | None = None) -> Position:
    """A position some random moves into a game."""
    position = draw(st.sampled_from(SPREAD) if games is None else games).start()
    rng = draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, min(position.game.cells, 80)))):
        if position.is_over:
            break
        position = position.play(rng.choice(position.moves()))
    return position
