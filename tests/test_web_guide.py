"""The documentation inside the laboratory: every page is there, every link leads somewhere, nothing else is served."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

NEEDED = "the guide's tests need the extra web and httpx"
pytest.importorskip("uvicorn", reason=NEEDED)
guide = pytest.importorskip("noughts.web.guide", reason=NEEDED)
httpx = pytest.importorskip("httpx", reason=NEEDED)

LINKED_BY_THE_PAGE = [
    "explanation/who-has-won", "explanation/magic-square", "explanation/minimax", "explanation/how-5x5-is-solved",
    "explanation/the-five-papers", "how-to/match-players",
]  # fmt: skip


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    from noughts.web.server import in_background

    with in_background() as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


class Parts(HTMLParser):
    """The links, the pictures and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = set()
        self.styled: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src"):
                self.links.add(str(value))
            elif name == "id":
                self.anchors.add(str(value))
            elif name == "style":
                self.styled.append(tag)


def test_the_pages_that_the_laboratory_links_to_are_there() -> None:
    assert set(LINKED_BY_THE_PAGE) <= set(guide.pages())


@pytest.mark.parametrize("name", guide.pages())
def test_every_page_answers_and_every_link_leads_somewhere(client: Any, name: str) -> None:
    answer = client.get(f"/guide/{name}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    page = Parts(answer.text)
    assert page.styled == []  # the policy allows no inline styles
    for link in page.links:
        path, _, anchor = link.partition("#")
        if path.startswith("https://"):
            continue
        found = client.get(path) if path else answer
        assert found.status_code == 200, link
        if anchor:
            assert anchor in Parts(found.text).anchors, link


def test_the_list_names_every_page(client: Any) -> None:
    links = Parts(client.get("/guide/").text).links
    assert {f"/guide/{name}" for name in guide.pages()} <= links


def test_what_the_guide_does_not_have_is_shown_as_text() -> None:
    shown = guide.render("explanation/how-5x5-is-solved")
    assert "<span>index.py</span>" in shown
    assert "src/noughts" not in shown
    assert "Reference" in guide.render("")


def test_the_reference_is_made_from_the_code(client: Any) -> None:
    answer = client.get("/guide/reference/rules")
    assert answer.headers["content-type"].startswith("text/html")
    for part in ("noughts.rules.position", "Position", "canonical", "is_dead"):
        assert part in answer.text
    assert "modules:" not in answer.text
    command = client.get("/guide/reference/command").text
    assert "eval-rst" not in command
    assert "Usage: noughts puzzle" in command
    assert 'href="/docs"' in client.get("/guide/reference/http").text


def test_pages_follow_one_another_in_the_order_of_the_list(client: Any) -> None:
    every = guide.ordered()
    assert sorted(every) == sorted(guide.pages())
    for before, after in pairwise(every[1:]):
        assert f'rel="next" href="/guide/{after}"' in guide.render(before)
        assert f'rel="prev" href="/guide/{before}"' in guide.render(after)


@pytest.mark.parametrize(
    ("asked", "page"),
    [
        ("magic square 4x4", "explanation/magic-square"),
        ("subreaper zygote", None),
        ("round robin", "how-to/match-players"),
        ("table 2.2", "explanation/the-five-papers"),
        ("<b>nowhere at all zzz</b>", None),
    ],
)
def test_a_search_finds_sections(client: Any, asked: str, page: str | None) -> None:
    answer = client.get("/guide/", params={"q": asked})
    assert answer.status_code == 200
    assert "<b>nowhere" not in answer.text
    links = Parts(answer.text).links
    found = [link for link in links if "#" in link and link.startswith("/guide/")]
    assert bool(found) is (page is not None)
    if page:
        assert any(link.startswith(f"/guide/{page}#") for link in found)
    for link in found[:5]:
        path, _, anchor = link.partition("#")
        assert anchor in Parts(client.get(path).text).anchors, link


def test_a_picture_that_links_to_something_to_play_with_is_that_thing() -> None:
    shown = guide.render("explanation/magic-square")
    assert '<figure class="live"><iframe src="/embed?view=fifteen" title="The game of fifteen' in shown
    assert "play-fifteen.png" not in shown
    tokens = guide.markdown.parse("[![a](b.png)](http://127.0.0.1:8765/embed?x=1) and words")
    guide._adapt(tokens, "explanation/minimax")
    assert "iframe" not in guide.markdown.renderer.render(tokens, guide.markdown.options, {})  # not alone


@pytest.mark.parametrize(
    "path",
    [
        "../pyproject.toml", "..%2fpyproject.toml", "%2e%2e/pyproject.toml", "/etc/passwd", "%2fetc%2fpasswd",
        "explanation/../../README", "explanation/../../../etc/passwd", "conf.py", "site/links.py", "index.md",
        "explanation", "explanation/", "explanation/minimax.md", "reference/json.md", "reference", "nothing", "%00",
    ],
)  # fmt: skip
def test_nothing_else_is_served(client: Any, path: str) -> None:
    answer = client.get(f"/guide/{path}")
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert "There is nothing at this address" in answer.text
    assert {"/guide/", "/"} <= Parts(answer.text).links


def test_a_package_without_its_pages_says_so(client: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(guide, "FOLDER", tmp_path)
    answer = client.get("/guide/")
    assert (answer.status_code, "There is nothing at this address" in answer.text) == (404, True)


def test_pictures_are_served_as_what_they_are(client: Any) -> None:
    assert "explanation/bitboards.svg" in guide.pictures()
    for name in guide.pictures():
        answer = client.get(f"/guide/{name}")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == guide.PICTURES[Path(name).suffix]
