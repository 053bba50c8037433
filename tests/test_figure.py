"""Figures to take along: every kind is a picture that shows its numbers, and what cannot be drawn is said."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Tree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shell import run

from noughts import Game
from noughts.lab.figure import KINDS, LETTER, MOST_ROWS, NAMED, BadFigure, Figure, under_each_other
from noughts.lab.gallery import by_marks, by_remoteness, of_series, of_tournament
from noughts.play import PLAYERS, match
from noughts.play.tournament import round_robin
from noughts.solve import solve

SVG = "{http://www.w3.org/2000/svg}"
ROWS = ((1, 10.0, 3.0, 20.0), (2, 200.0, 150.0, 250.0), (4, 0.5, 0.25, 1.0))


def parts(text: str, kind: str) -> list[Any]:
    return list(Tree.fromstring(text).iter(f"{SVG}{kind}"))


def words(text: str) -> list[str]:
    return ["".join(each.itertext()) for each in parts(text, "text")]


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn_within_its_frame(kind: Any, log: bool) -> None:
    figure = Figure("Title & <more>", ("n", "one", "two", "three"), ROWS, kind, log)
    root = Tree.fromstring(figure.svg())
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    for each in root.iter(f"{SVG}rect"):
        x, y, wide, tall = (float(each.attrib[name]) for name in ("x", "y", "width", "height"))
        assert left - 0.1 <= x
        assert x + wide <= left + width + 0.1
        assert top - 0.1 <= y
        assert y + tall <= top + height + 0.1
    assert words(figure.svg())[0] == "Title & <more>"
    assert {each.tag.removeprefix(SVG) for each in root.iter()} <= {"svg", "title", "rect", "path", "text"}


def test_the_lengths_of_bars_are_those_of_the_numbers() -> None:
    figure = Figure("", ("", "won", "lost"), (("a", 30, 10), ("b", 0, 20)), "bars")
    of = {colour: [float(each.attrib["width"]) for each in parts(figure.svg(), "rect") if each.attrib["fill"] == colour]
          for colour in (NAMED["won"], NAMED["lost"])}  # fmt: skip
    (_, won, nothing), (_, lost, more) = of[NAMED["won"]], of[NAMED["lost"]]  # the first is the legend's
    assert (won / lost, more / lost, nothing) == (pytest.approx(3, abs=0.01), pytest.approx(2, abs=0.01), 0)


@pytest.mark.parametrize("kind", ["bars", "shares", "ranges"])
def test_a_long_name_keeps_its_ends_and_stays_in_the_frame(kind: Any) -> None:
    name = "bot:node " + "folder/" * 20 + "mine.js"
    figure = Figure("", ("", "won", "low", "high"), ((name, 2, 1, 3), ("b", 1, 0, 2)), kind)
    [shown] = [each for each in parts(figure.svg(), "text") if "".join(each.itertext()).startswith("bot:node ")]
    text = "".join(shown.itertext())
    assert text.endswith("mine.js")
    assert float(shown.attrib["x"]) >= LETTER * len(text)


def test_a_table_shows_every_cell_and_breaks_what_is_long() -> None:
    long = "a sentence that does not fit into one line of a column, and so is broken"
    shown = words(Figure("", ("NAME", "N"), ((long, 12345), ("–", None)), "table").svg())
    assert "12,345" in shown
    assert " ".join(each for each in shown if each and each in long) == long


@given(
    st.lists(st.tuples(st.integers(0, 99), st.one_of(st.none(), st.floats(-1e9, 1e9)), st.floats(0, 1e9)), min_size=1)
)
def test_whatever_the_numbers_it_is_drawn_or_refused(rows: list[tuple[Any, ...]]) -> None:
    for kind in KINDS:
        for log in (False, True):
            try:
                text = Figure("", ("n", "a", "b"), tuple(rows), kind, log).svg()
            except BadFigure:
                continue
            assert not re.search(r"nan|inf", text)
            Tree.fromstring(text)


@pytest.mark.parametrize(
    ("figure", "problem"),
    [
        ({"kind": "pie"}, "there is no figure of kind 'pie'"),
        ({"rows": ()}, "a figure needs rows"),
        ({"rows": ((1, 2),)}, "each with as many cells as the head, 3"),
        ({"rows": (("a", 1, 2),) * (MOST_ROWS + 1)}, "at most 1,000 rows"),
        ({"kind": "bars", "rows": (("a", "b", None),)}, "there is no number to draw"),
        ({"kind": "ranges"}, "four columns"),
        ({"kind": "lines", "rows": (("a", 1, 2),)}, "must be numbers"),
    ],
)
def test_what_cannot_be_drawn_is_said(figure: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadFigure, match=problem):
        Figure(**{"title": "", "head": ("n", "a", "b"), "rows": ((1, 2, 3),), **figure})


def test_several_stand_under_each_other() -> None:
    one, two = (Figure(title, ("n", "a"), ((1, 2),), "columns") for title in ("one", "two"))
    together = Tree.fromstring(under_each_other([one, two]))
    first, second = together.findall(f"{SVG}svg")
    assert float(second.attrib["y"]) == float(first.attrib["height"])
    assert float(together.attrib["height"]) == float(first.attrib["height"]) + float(second.attrib["height"])
    assert under_each_other([one]) == one.svg()
    with pytest.raises(BadFigure, match="nothing to draw"):
        under_each_other([])


# What is drawn is what was found


def test_figures_have_the_numbers_of_the_answers() -> None:
    found = solve(Game())
    assert sum(sum(row[1:]) for row in by_marks(found).rows) == found.positions  # type: ignore[arg-type]
    assert sum(sum(row[1:]) for row in by_remoteness(found).rows) == found.win + found.loss  # type: ignore[arg-type]
    series = match(PLAYERS["perfect"], PLAYERS["random"], games=6)
    assert sum(sum(row[1:]) for row in of_series(series).rows) == 6  # type: ignore[arg-type]
    ratings, table = of_tournament(round_robin(["rules", "random"], games=4))
    assert [row[0] for row in ratings.rows] == [row[0] for row in table.rows]
    assert [row[5:].count("") for row in table.rows] == [1, 1]  # nobody against themselves
    assert all(low < rating < high for _, rating, low, high in ratings.rows)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("solve 3x3k3", "who is winning as the board fills"),
        ("solve 3x3k3 --by remoteness", "how far away the end is"),
        ("match rules random -n 4", "rules against random, 3x3k3"),
        ("match rules random level-1 --round-robin -n 2", "Everybody against everybody"),
        ("papers --source gordon", "Algorithm overview, Figure 1"),
        ("atlas 3x3", "Solved games"),
        ("bench --experiment scenarios --scenario draw --iterations 9 --trials 2 --no-memory", "a call"),
        ("bench --experiment growth --trials 1", "Nanoseconds a move"),
    ],
)
def test_every_command_with_a_table_takes_it_along(tmp_path: Path, command: str, shown: str) -> None:
    sheet, picture = tmp_path / "table.csv", tmp_path / "picture.svg"
    done = run(*command.split(), "--csv", str(sheet), "--svg", str(picture))
    assert done.returncode == 0, done.stderr
    assert shown in " ".join(words(picture.read_text(encoding="utf-8")))
    with sheet.open(encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    assert rows
    assert {len(row) for row in rows} == {len(head)}


def test_a_picture_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    done = run("solve", "3x3k3", "--svg", str(tmp_path / "nowhere" / "a.svg"))
    assert done.returncode == 2
    assert "cannot be written" in done.stderr
    done = run("solve", "3x3k3", "--by", "colour", "--svg", str(tmp_path / "a.svg"))
    assert (done.returncode, "there is no table 'colour'" in done.stderr) == (2, True)
