"""What Lab, Solve and Match show is taken along from the page: as CSV, SVG and PNG."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Tree

import pytest
from browser import address, expect

from noughts import Game
from noughts.lab.gallery import by_marks, by_remoteness
from noughts.solve import solve


def taken(visitor: Any, of: str, form: str) -> tuple[str, bytes]:
    """The name and the content of a file that a press gives."""
    with visitor.page.expect_download() as coming:
        group = visitor.page.get_by_role("group", name=f"Download {of}")
        group.get_by_role("button", name=form, exact=True).click()
    return coming.value.suggested_filename, Path(coming.value.path()).read_bytes()


def table(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode())))


@pytest.mark.parametrize(
    ("view", "figures"),
    [
        (
            {"view": "solve", "game": "3x3k3", "run": "1"},
            ["the levels", "the share of won", "won and lost", "the atlas", "the proven games"],
        ),
        ({"view": "match", "a": "rules", "b": "random", "n": 4, "run": "series"}, ["the tally", "these games"]),
        ({"view": "lab", "find": "figure 3.3"}, ["the claims that are shown"]),
        ({"view": "lab", "row": "prajoda.law_9ii"}, ["this table"]),
        ({"view": "lab", "part": "bench", "trials": "5", "run": "1"}, ["the times", "the table"]),
    ],
    ids=["solve", "match", "claims", "claim", "bench"],
)
def test_every_table_and_plot_is_taken_in_three_forms(visit: Any, view: dict[str, Any], figures: list[str]) -> None:
    visitor = visit()
    visitor.go(address(**view))
    for of in figures:
        visitor.page.wait_for_timeout(1_000)  # the browser takes no more than ten files a second from a page
        expect(visitor.page.get_by_role("group", name=f"Download {of}")).to_be_visible()
        name, data = taken(visitor, of, "CSV")
        head, *rows = table(data)
        assert name.endswith(".csv")
        assert rows
        assert {len(row) for row in rows} == {len(head)}
        name, data = taken(visitor, of, "SVG")
        root = Tree.fromstring(data)
        size = [float(root.attrib[side]) for side in ("width", "height")]
        name, data = taken(visitor, of, "PNG")
        assert name.endswith(".png")
        assert data.startswith(b"\x89PNG")
        drawn = [int.from_bytes(data[place : place + 4]) for place in (16, 20)]
        assert drawn == [int(2 * side) for side in size]


def test_a_plot_has_the_numbers_of_the_library(visit: Any) -> None:
    visitor = visit()
    visitor.go(address(view="solve", game="3x3k3", run=1))
    found = solve(Game())
    for of, figure in (("the share of won", by_marks(found)), ("won and lost", by_remoteness(found))):
        _, data = taken(visitor, of, "CSV")
        assert table(data) == [list(figure.head), *([str(cell) for cell in row] for row in figure.rows)]


def test_a_claim_is_found_by_its_table_and_its_source_is_named(visit: Any) -> None:
    visitor = visit()
    visitor.go(address(view="lab", find="table 2"))
    rows = visitor.page.locator("tr.claim")
    expect(rows.filter(has_text="Section II.B.3, Table 2.2, law 9(ii)")).to_have_count(1)
    assert all("Table 2" in text for text in rows.all_inner_texts())
    source = visitor.page.locator("section.source")
    expect(source).to_contain_text("Muhammad Hazim Ramadhan Prajoda: Optimization of Tic-Tac-Toe Game Status Analysis")
    with visitor.page.expect_download() as coming:
        source.get_by_role("link", name="BibTeX").click()
    text = Path(coming.value.path()).read_text(encoding="utf-8")
    assert text.startswith("@techreport{prajoda,")
    assert "@software{noughts," in text


def test_what_cannot_be_drawn_is_said_over_http(laboratory: str) -> None:
    import httpx

    question = {"head": ["n", "a"], "rows": [["x", "y"]], "kind": "bars"}
    answer = httpx.post(f"{laboratory}api/v1/figure", json=question)
    assert (answer.status_code, answer.json()["detail"]) == (422, "there is no number to draw")
    answer = httpx.post(f"{laboratory}api/v1/figure", json={**question, "kind": "pie"})
    assert answer.status_code == 422
    assert "table" in answer.json()["detail"]
