"""Solve in the page: what it will take is what the library expects, what it shows is what was counted."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from answers import conforms
from browser import address, expect
from conftest import eventually, native

from noughts import Game
from noughts.solve import atlas, solve
from noughts.solve import expect as expect_of
from noughts.solve.prospect import Prospect, prospect
from noughts.solve.summary import sentence as sentence_of
from noughts.web.jobs import Desk, Run
from noughts.web.routes.solving import Atlas
from noughts.web.server import in_background

httpx = pytest.importorskip("httpx", reason="the web tests need httpx")
COSTS = {"seconds", "peak_rss_bytes", "backend", "threads"}


@pytest.fixture(scope="module")
def client(laboratory: str) -> Iterator[Any]:
    with httpx.Client(base_url=f"{laboratory}api/v1", timeout=60) as client:
        yield client


def told(client: Any, game: str) -> list[tuple[str, Any]]:
    """What a solve tells."""
    lines = client.get("/solve", params={"game": game}).iter_lines()
    pairs = [line.partition(": ")[2] for line in lines if line]
    return [(name, json.loads(data)) for name, data in zip(pairs[::2], pairs[1::2], strict=True)]


# The server


@pytest.mark.parametrize("name", ["3x3k3", "3x3k3m", "2x5k3", "1x1k1"])
def test_every_level_is_told_when_it_is_solved_and_the_summary_is_the_librarys(client: Any, name: str) -> None:
    *progress, (last, summary) = told(client, name)
    assert last == "summary"
    truth = solve(Game.parse(name)).to_json()
    assert {key: fact for key, fact in summary.items() if key not in COSTS} == {
        key: fact for key, fact in truth.items() if key not in COSTS
    }
    found = [data["found"] for _, data in progress if data["found"]]
    assert found == truth["by_marks"][::-1]
    done = [data["done"] for _, data in progress]
    assert done == sorted(done)
    assert done[-1] == progress[-1][1]["size"]


@pytest.mark.parametrize("name", ["3x3k3", "4x3k3", "2x2k2"])
def test_the_prospect_is_what_the_library_expects(client: Any, name: str) -> None:
    found = client.get("/prospect", params={"game": name}).json()
    conforms(Prospect, found)
    expected = expect_of(Game.parse(name))
    assert (found["positions"], found["memory"], found["threads"], found["backend"]) == (
        expected.positions, expected.memory, expected.threads, expected.backend,
    )  # fmt: skip
    assert found["refusal"] is None
    assert sum(level["positions"] for level in found["levels"]) == expected.positions
    assert found["known"]["value"] == solve(Game.parse(name)).value.outcome


def test_what_is_too_large_is_refused_with_the_reason(client: Any) -> None:
    found = client.get("/prospect", params={"game": "6x6k4"}).json()
    assert found["refusal"] == "6x6k4 has 36 cells: strong solving takes at most 30"
    assert client.get("/solve", params={"game": "6x6k4"}).json()["detail"] == found["refusal"]
    assert (found["positions"], found["levels"], found["known"]) == (None, [], None)


@native
def test_what_takes_too_long_is_refused_with_its_cost() -> None:
    found = prospect(Game(5, 5, 4), 1).to_json()
    assert re.search(r"about .* positions, .* of memory, .*; over HTTP a solve may take 1 seconds", found["refusal"])
    assert found["seconds"] > 1


@native
def test_what_takes_too_much_memory_is_refused_with_what_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.solve.job.free_memory", lambda: 10**9)
    refusal = prospect(Game(5, 5, 4), 10**6).refusal
    assert refusal
    assert refusal.endswith("free are 1 GB of memory")


def test_without_the_native_core_large_games_are_refused_with_the_message() -> None:
    script = "import noughts.solve.prospect as p; print(p.prospect(p.Game(4, 4, 4), 60).refusal)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60,
        env={**os.environ, "NOUGHTS_NATIVE": "0", "NOUGHTS_REQUIRE_NATIVE": "0"},
    )  # fmt: skip
    assert done.stdout.startswith("4x4k4 has 16 cells: without the native core at most 12 are solved")


def test_the_atlas_is_the_librarys_and_may_be_kept(client: Any) -> None:
    answer = client.get("/atlas")
    assert "max-age" in answer.headers["cache-control"]
    games = answer.json()["games"]
    conforms(Atlas, answer.json())
    for found, row in zip(games, atlas.load().values(), strict=True):
        assert {key: found[key] for key in row.to_json()} == row.to_json()
        game = Game(found["rows"], found["columns"], found["k"], found["misere"], gravity=found["gravity"])
        assert str(game) == found["game"]
    assert client.get("/atlas", params={"limit": 7}).json()["games"] == games[:7]
    assert client.get("/atlas", params={"limit": 0}).status_code == 422


# The page


def rows_of(table: Any) -> list[list[str]]:
    """The body of a table, as texts."""
    return [row.split("\t") for row in table.locator("tbody").inner_text().splitlines()]


@pytest.mark.parametrize("name", ["3x3k3", "2x5k3m"])
def test_the_charts_show_what_was_counted(visit: Any, name: str) -> None:
    someone = visit().go(address(view="solve", game=name))
    someone.page.get_by_role("button", name=f"Solve {name}").click()
    truth = solve(Game.parse(name))
    expect(someone.page.locator(".solve-headline h2")).to_have_text(sentence_of(truth.value))
    expect(someone.page.locator(".chart-place canvas")).to_have_count(2)
    for disclosure in someone.page.get_by_text("Show the numbers").all():
        disclosure.click()
    by_remoteness, by_marks = someone.page.locator(".chart-numbers table").all()
    by = truth.by_remoteness
    last = max([*by["win"], *by["loss"]])
    assert rows_of(by_remoteness) == [
        [str(plies), f"{by['win'].get(plies, 0):,}", f"{by['loss'].get(plies, 0):,}"] for plies in range(last + 1)
    ]
    assert rows_of(by_marks) == [
        [f"{getattr(level.totals, key):,}" for key in ("marks", "positions", "classes", "win", "tie", "loss")]
        for level in truth.levels
    ]
    for chart, unit in zip(someone.page.locator(".chart-card").all(), ("move", "mark"), strict=True):
        chart.locator(".chart-place").hover()
        expect(chart.locator(".chart-readout b")).to_have_text(re.compile(rf"^\d+ {unit}s?$"))
    figures = someone.page.locator(".solve-figures")
    for number in (truth.positions, truth.classes, truth.win, truth.tie, truth.loss):
        expect(figures).to_contain_text(f"{number:,}")


def test_the_levels_stand_from_the_full_board_to_the_empty_one(visit: Any) -> None:
    someone = visit().go(address(view="solve", run=1))
    expect(someone.page.locator(".solve-levels .solved")).to_have_count(10)
    said = someone.page.locator(".solve-levels .sr").all_inner_texts()
    for text, level in zip(said, solve(Game()).levels[::-1], strict=True):
        assert text.startswith(f"{level.marks} mark")
        assert f": {level.positions:,} positions" in text


def test_a_game_of_ones_own_is_set_up_and_its_cost_is_said_before(visit: Any) -> None:
    someone = visit().go(address(view="solve"))
    someone.page.get_by_role("radio", name="Custom").check()
    for name, number in (("Rows", 2), ("Columns", 4), ("In a row", 3)):
        someone.page.get_by_label(name, exact=True).fill(str(number))
    someone.page.get_by_role("button", name="Set up").click()
    expect(someone.page.locator(".solve-cost")).to_contain_text(f"about {expect_of(Game(2, 4, 3)).positions:,}")
    someone.page.get_by_role("button", name="Solve 2x4k3").click()
    expect(someone.page.locator(".solve-headline h2")).to_have_text(sentence_of(solve(Game(2, 4, 3)).value))
    assert "solve=2x4k3" in someone.page.url
    assert "run=1" in someone.page.url
    someone.page.get_by_role("link", name="Play 2x4k3").click()
    expect(someone.page.get_by_role("gridcell")).to_have_count(8)


def test_a_game_out_of_reach_cannot_be_started(visit: Any) -> None:
    someone = visit().go(address(view="solve", game="15x15k5"))
    expect(someone.page.locator(".solve-cost .problem")).to_contain_text("strong solving takes at most 30")
    expect(someone.page.get_by_role("button", name="Solve 15x15k5")).to_be_disabled()
    someone.has_no_barrier(1280)


@pytest.mark.parametrize(
    ("place", "sentence", "heading"),
    [
        ({"solve": "foo"}, "'foo' is not a game", "Nothing to solve"),
        ({"game": "40x40k4"}, "40x40k4 is too large", "Nothing to solve"),
        ({"solve": "6x6k4"}, "6x6k4 has 36 cells", "Out of reach"),
    ],
)
def test_a_game_that_cannot_be_solved_is_refused_once(
    visit: Any, place: dict[str, str], sentence: str, heading: str
) -> None:
    someone = visit().go(address(view="solve", run=1, **place))
    expect(someone.page.locator(".solve-headline h2")).to_have_text(heading)
    (game,) = place.values()
    expect(someone.page.get_by_role("button", name=f"Solve {game}")).to_be_disabled()
    expect(someone.page.get_by_text(sentence)).to_have_count(1)
    someone.complaints[:] = [said for said in someone.complaints if "422" not in said]  # the browser logs refusals


@pytest.mark.parametrize("rule", ["", "misere", "gravity", "gravity-misere"])
def test_every_game_of_the_atlas_is_in_its_picture(visit: Any, rule: str) -> None:
    someone = visit().go(address(view="solve", rule=rule))
    expect(someone.page.locator(".atlas-cell").first).to_be_visible()
    shown = someone.page.locator(".atlas-cell").evaluate_all(
        "cells => cells.map(cell => [cell.dataset.game, [cell.textContent, cell.getAttribute('href')]])"
    )
    signs = {"win": "X {}", "loss": "O {}", "tie": "=", None: "?"}
    assert {game: tuple(rest) for game, rest in shown} == {
        str(game): (signs[row.value].format(row.remoteness), f"/?view=solve&solve={game}")
        for game, row in atlas.load().items()
        if (game.misere, game.gravity) == ("misere" in rule, "gravity" in rule)
    }


def test_the_atlas_is_walked_by_arrows_and_leads_to_its_games(visit: Any) -> None:
    someone = visit().go(address(view="solve"))
    cells = someone.page.locator(".atlas-cell")
    expect(someone.page.locator(".atlas-cell[tabindex='0']")).to_have_count(1)
    someone.page.locator(".atlas-cell[data-game='3x3k3']").focus()
    for key, game in {"ArrowDown": "3x4k3", "ArrowLeft": "3x4k2", "ArrowUp": "3x3k2", "ArrowRight": "3x3k3"}.items():
        someone.page.keyboard.press(key)
        expect(someone.page.locator(".atlas-cell:focus")).to_have_attribute("data-game", game)
    someone.page.keyboard.press("ArrowDown")
    someone.page.keyboard.press("Enter")
    expect(someone.page.get_by_role("button", name="Solve 3x4k3")).to_be_enabled()
    expect(someone.page.locator(".solve-cost")).to_contain_text(sentence_of(atlas.load()[Game(3, 4, 3)].worth))
    expect(cells.locator("[aria-current]")).to_have_count(0)
    expect(someone.page.locator(".atlas-cell[aria-current]")).to_have_attribute("data-game", "3x4k3")


def colours_of(chart: Any) -> set[tuple[int, ...]]:
    """The colours that are found in a chart."""
    pixels = chart.locator("canvas").evaluate(
        """canvas => {
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          const found = new Set();
          for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) found.add(data.slice(i, i + 3).join());
          return [...found];
        }"""
    )
    return {tuple(map(int, pixel.split(","))) for pixel in pixels}


def test_the_charts_have_the_colours_of_the_theme_and_the_width_of_the_window(visit: Any) -> None:
    light, dark = {(0, 114, 178), (194, 78, 0)}, {(86, 180, 233), (230, 159, 0)}
    someone = visit(color_scheme="light").go(address(view="solve", run=1))
    expect(someone.page.locator(".chart-place canvas")).to_have_count(2)
    chart = someone.page.locator(".chart-place").first
    assert light <= colours_of(chart)
    someone.page.get_by_role("button", name="Use dark colours").click()
    expect(someone.page.get_by_role("button", name="Use light colours")).to_be_visible()
    assert dark <= colours_of(chart)
    assert not light & colours_of(chart)
    someone.page.set_viewport_size({"width": 400, "height": 700})
    canvas = someone.page.locator(".chart-place canvas").first
    for _ in range(100):  # the page's policy allows no function to be waited for
        if canvas.evaluate("canvas => canvas.clientWidth") < 400:
            break
        someone.page.wait_for_timeout(50)
    assert canvas.evaluate("canvas => canvas.clientWidth") < 400


class Slow(Desk):
    """A desk whose solves tell one level of 3x3 and then go on for ever."""

    def open(self, *command: str, again: bool = False, who: str = "") -> Run:
        found = solve(Game()).levels[9].totals.to_json()
        event = {"event": "progress", "level": 9, "at_work": [], "done": 5, "size": 937, "seconds": 1.5, "rate": 77}
        script = f"import time; print({json.dumps({**event, 'found': found})!r}, flush=True); time.sleep(600)"
        return super().open(sys.executable, "-c", script)


def test_a_solve_survives_a_reload_and_can_be_stopped(visit: Any) -> None:
    desk = Slow(patience=60)
    with in_background(desk) as server:
        someone = visit()
        someone.server = server
        someone.go(address(view="solve"))
        someone.page.get_by_role("button", name="Solve 3x3k3").click()
        for _ in range(2):
            expect(someone.page.get_by_role("progressbar")).to_be_visible()
            expect(someone.page.locator(".solve-figures")).to_contain_text("77 positions/s")
            expect(someone.page.locator(".solve-levels .solved")).to_have_count(1)
            assert desk.under_way["runs"] == 1
            assert len(desk._runs) == 1
            someone.page.reload()
        someone.page.get_by_role("button", name="Stop").click()
        expect(someone.page.locator(".solve-headline .problem")).to_have_text("You stopped it.")
        expect(someone.page.get_by_role("button", name="Solve 3x3k3")).to_be_enabled()
        assert "run=" not in someone.page.url
        eventually(lambda: desk.under_way["runs"] == 0)


@pytest.mark.parametrize(("width", "theme"), [(360, "light"), (1280, "dark")])
def test_solve_is_for_everybody(visit: Any, width: int, theme: str) -> None:
    someone = visit(viewport={"width": width, "height": 740}, color_scheme=theme)
    someone.go(address(view="solve", run=1, scale="log", rule="misere"))
    expect(someone.page.locator(".chart-place canvas")).to_have_count(2)
    expect(someone.page.get_by_label("Logarithmic")).to_be_checked()
    for disclosure in someone.page.get_by_text("Show the numbers").all():
        disclosure.click()
    someone.has_no_barrier(width)
