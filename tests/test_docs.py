"""The documentation says what is so: names import, links lead somewhere, pictures are those of today."""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from addresses import EMBEDDED, PLACES, try_out
from conftest import native

from noughts import Game
from noughts.bridges import NoBridge
from noughts.progress import finish
from noughts.solve.planning import planning

slug = pytest.importorskip("noughts.web.guide", reason="links are checked as the web laboratory makes them").slug

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if "_build" not in path.parts)
TEXTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES]
PLAIN = [page for page in PAGES if page.parent.name != "reference"]
sys.path[:0] = [str(DOCS / "pictures"), str(DOCS / "site")]

FENCE = re.compile(r"^( *)(```|~~~).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!\\)\]\(([^()\s]+)\)")


def prose(path: Path) -> str:
    """A page without its blocks of code."""
    return FENCE.sub("", path.read_text(encoding="utf-8"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# Links


@pytest.mark.parametrize("path", TEXTS, ids=name_of)
def test_every_link_leads_to_a_file_and_an_anchor(path: Path) -> None:
    for link in LINK.findall(prose(path)):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        assert target.exists(), f"{link} leads nowhere"
        if anchor:
            headings = re.findall(r"^#+ (.+)$", prose(target), re.MULTILINE)
            assert anchor in [slug(heading.replace("`", "")) for heading in headings], f"{link}: no such heading"


LABORATORY = [
    (path, *found)
    for path in PAGES
    for found in re.findall(r"\]\(http://127\.0\.0\.1:8765/(embed)?\?([^()\s]+)\)", prose(path))
]


@pytest.mark.parametrize(("path", "embedded", "query"), LABORATORY, ids=lambda each: getattr(each, "stem", each))
def test_every_address_in_the_laboratory_is_that_of_a_place(path: Path, embedded: str, query: str) -> None:
    asked = dict(parse_qsl(query, strict_parsing=True))
    view = asked.pop("view", "board" if embedded else "play")
    assert asked.keys() <= (EMBEDDED if embedded else PLACES)[view]
    try_out(view, asked)


def test_what_can_be_played_with_has_a_picture() -> None:
    from inserts import inserts

    found = inserts()
    assert len(found) == sum(bool(embedded) for _, embedded, _ in LABORATORY)
    assert all(picture.is_file() for picture in found)
    kinds = {dict(parse_qsl(query)).get("view", "board") for query in found.values()}
    assert kinds == {"board", "analyse", "algorithms", "search", "fifteen"}
    taken = {path.name for path in (DOCS / "pictures").glob("*.png")}
    assert taken - {picture.name for picture in found} == {"web-play.png", "web-threats.png"}


def test_every_page_is_in_the_list() -> None:
    listed = {(DOCS / link).resolve() for link in LINK.findall(prose(DOCS / "index.md"))}
    assert listed == set(PAGES) - {DOCS / "index.md"}


@pytest.mark.parametrize("path", PLAIN, ids=name_of)
def test_pages_are_plain_markdown(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"^```\{|^:::|^\(.+\)=$", text, re.MULTILINE), "directives belong into the reference"
    assert text.startswith("# ")
    assert text.endswith("\n")
    assert len(re.findall(r"^# ", prose(path), re.MULTILINE)) == 1


# Names


@pytest.mark.parametrize("path", TEXTS, ids=name_of)
def test_every_dotted_name_is_one_of_the_code(path: Path) -> None:
    for name in re.findall(r"`(noughts(?:\.\w+)+)", prose(path)):
        resolve(name)


def resolve(name: str) -> Any:
    """What a dotted name means."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:cut]))
        except NoBridge:  # the module is there, and what it needs is not
            return None
        except ModuleNotFoundError as missing:
            if not name.startswith(str(missing.name)):
                raise
            continue
        for part in parts[cut:]:
            found = getattr(found, part)
        return found
    raise AssertionError(f"there is no {name}")


FILES = re.compile(r"\b(?:src|tests|docs|benchmarks|examples|hardening|native)/[\w./*-]*[\w*]")
MADE = ("docs/_build", "benchmarks/results")  # when they are wanted


@pytest.mark.parametrize("path", [*TEXTS, ROOT / "CMakeLists.txt", ROOT / "Makefile"], ids=name_of)
def test_every_file_that_is_named_is_there(path: Path) -> None:
    """A star and NAME stand for any name; a module may be named from its folder on, as in rules/game.py."""
    for name in FILES.findall(path.read_text(encoding="utf-8")):
        assert name.startswith(MADE) or [*ROOT.glob(name.replace("NAME", "*"))], f"{name} is not there"
    for name in re.findall(r"`([a-z_]+/[a-z_/]+\.(?:py|js|css|json|hpp|cpp))`", prose(path)):
        package = ROOT / "src" / "noughts"
        places = (ROOT, ROOT / "src", package, package / "web", package / "web" / "static")
        assert any((place / name).exists() for place in places), f"{name} is not there"


@pytest.mark.parametrize("path", TEXTS, ids=name_of)
def test_every_command_that_is_named_exists(path: Path) -> None:
    from noughts.cli import COMMANDS

    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    text = path.read_text(encoding="utf-8")
    code = "\n".join([*(block[0] for block in FENCE.finditer(text)), *re.findall(r"`([^`\n]+)`", prose(path))])
    for tool, name in re.findall(r"^(?:\$ )?(noughts|make) ([a-z]+)\b", code, re.MULTILINE):
        assert name in (COMMANDS if tool == "noughts" else targets), f"{tool} {name}"


# Pictures


@pytest.mark.parametrize(
    "script", sorted(path.stem for path in (DOCS / "pictures").glob("*.py") if "FILE = " in path.read_text())
)
def test_pictures_are_what_their_scripts_draw(script: str) -> None:
    drawn = importlib.import_module(script)
    text = drawn.draw(list(drawn.load().values())) if script == "atlas" else drawn.draw()
    assert drawn.FILE.read_text(encoding="utf-8") == text, f"run python docs/pictures/{script}.py"


def test_every_picture_is_shown_somewhere() -> None:
    shown = {(path.parent / link).resolve() for path in TEXTS for link in LINK.findall(prose(path))}
    shown |= {(ROOT / link).resolve() for link in re.findall(r'src="([^"]+)"', (ROOT / "README.md").read_text())}
    pictures = {path for path in DOCS.rglob("*.svg") if "_build" not in path.parts}
    assert pictures <= shown


# The site


def test_the_parts_of_the_site_are_made_from_the_list_and_the_code() -> None:
    contents = importlib.import_module("contents").parts((DOCS / "index.md").read_text(encoding="utf-8"))
    assert list(contents) == ["Tutorial", "How to", "Explanations", "Working on noughts", "Reference"]
    pytest.importorskip("fastapi", reason="the HTTP reference is made from the server")
    made = importlib.import_module("http_reference").reference()
    assert "### `GET /api/v1/analyze`" in made
    assert "| `remoteness` |" in made


def test_a_broken_link_of_the_site_is_found(tmp_path: Path) -> None:
    links = importlib.import_module("links")
    (tmp_path / "a.html").write_text('<a href="b.html#there">b</a><a href="b.html#not">b</a><a href="c.html">c</a>')
    (tmp_path / "b.html").write_text('<h1 id="there">b</h1><script src="https://example.org/x.js"></script>')
    assert list(links.problems(tmp_path)) == [
        "a.html links to b.html#not, but that page has no such anchor",
        "a.html links to c.html, which is not there",
        "b.html loads https://example.org/x.js from the network: the site must work offline",
    ]


def test_docstrings_become_what_sphinx_reads() -> None:
    convert = importlib.import_module("plain_docstrings").converted
    for path in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node)
                if text:
                    kept = "".join("\n".join(convert(text.split("\n"))).split())
                    for word in re.findall(r"\w+", text):
                        assert word in kept.replace("\\", ""), (path, word)


POINTS_BACK = re.compile(r"(The same|Those|That|They|It)\b|The inverse\.|.*, too\.$")


def test_a_docstring_can_be_read_alone_where_an_editor_shows_it() -> None:
    claims = ROOT / "src/noughts/lab/papers"  # their docstrings are what the sources say, one after the other
    for path in sorted(set((ROOT / "src").rglob("*.py")) - set(claims.glob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node) or ""
                assert not POINTS_BACK.match(text.partition("\n")[0]), (path.name, node.name, text)


# Figures


@native
def test_sets_counted_row_by_row_are_those_of_the_rules() -> None:
    pytest.importorskip("numpy")
    import beyond

    for name in ("3x3k3", "2x5k3", "3x4k3", "4x4k2"):
        game = Game.parse(name)
        sizes = Counter(own.bit_count() for own in range(1 << game.cells) if not game.rule.has_line(own))
        assert beyond.open_sets(game) == [sizes[size] for size in range(game.cells + 1)]
    plan = finish(planning(Game(4, 5, 4), machines=2))
    _, codes, waits, _ = beyond.counted(Game(4, 5, 4))
    assert (codes, waits) == pytest.approx((plan.bytes, plan.waits), rel=0.02)


def test_the_example_has_the_figures_of_the_table() -> None:
    pytest.importorskip("numpy")
    import beyond

    page = beyond.PAGE.read_text(encoding="utf-8")
    (row,) = [line.split(" | ") for line in beyond.in_page(page).splitlines() if "5x6k4" in line]
    codes, waits, read = (float(re.match(r"[\d.]+(?= TB)", row[at])[0]) for at in (2, 3, 6))  # type: ignore[index]
    typed = re.search(r"codes=([\d_]+), moved=([\d_]+) \+ ([\d_]+)", page)
    assert typed
    assert [int(number) for number in typed.groups()] == [round(1000 * figure) for figure in (codes, read, waits)]


@native
@pytest.mark.slow
def test_the_table_of_large_boards_is_what_the_index_says() -> None:
    pytest.importorskip("numpy")
    import beyond

    assert beyond.in_page(beyond.PAGE.read_text(encoding="utf-8")) == beyond.table()
