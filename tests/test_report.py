"""The report generator and the page of a bench: one file, nothing loaded, readable for everybody."""

from __future__ import annotations

import base64
import json
import re
import shutil
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from measured import ALWAYS_FASTER, SLOW_ON_ROWS, UNDECIDED, made

from noughts.lab import growth, report
from noughts.lab.bench import Bench, BenchOptions
from noughts.lab.findings import findings
from noughts.lab.measure import Timing
from noughts.lab.methods import METHODS
from noughts.lab.report import STYLE, Page, Section, inline

VOID = {"meta", "br", "link", "img", "input", "hr"}


class Outline(HTMLParser):
    """The elements of a page, and whether they are closed in the order in which they were opened."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def grown() -> Bench:
    """A bench with both experiments in it."""
    found = made(SLOW_ON_ROWS, dict.fromkeys(METHODS, 100))
    found.process_peaks = {"nothing": 15_000_000, "prajoda_boolean": 29_000_000}
    for family in growth.FAMILIES:
        for name, power in (("line_sums", 2), ("last_move_play", 1)):
            points = {n: Timing("pass", {}, 1, [50.0 * n**power, 60.0 * n**power]) for n in growth.SIZES if n > 5}
            found.growth.append(growth.GrowthCurve(METHODS[name], family, points))
    return found


@cache
def bench_page() -> str:
    pytest.importorskip("matplotlib", reason="the plots need matplotlib")
    from noughts.lab.page import page

    return page(grown()).html()


def everything() -> Page:
    blocks = [
        report.text("As **measured** by `bench`, 5 < 6 & <b>."),
        report.bullets(["one", report.toned("two", "good")]),
        report.verbatim("X . O", "a board", "Board"),
        report.table("Times", ("Method", "Mean"), [["shifts", "10 ns"], [report.toned("sums", "bad"), ""]]),
        report.table("Claims", ("Claim", "Note"), [["a", "b"]], numbers=None),
        report.side_by_side([report.figure("<svg></svg>", "A plot", 'a "plot" & more')]),
        report.folded("More", [report.text("hidden")]),
        report.download("data", "data.json", '{"a": "é"}'),
    ]
    return Page("A <report>", "What it says.", [Section("One", blocks), Section("Two", []), Section("One", [])], "End.")


def pages() -> list[str]:
    return [everything().html(), bench_page()]


# Text


def test_texts_are_escaped_and_know_two_marks() -> None:
    assert inline("5 < 6 & `x<y` **so**") == "5 &lt; 6 &amp; <code>x&lt;y</code> <strong>so</strong>"
    assert inline("a lone ` and ** stay") == "a lone ` and ** stay"


def test_a_number_keeps_its_unit() -> None:
    assert inline("+27 % in 3 µs, 5 boards") == "+27\N{NO-BREAK SPACE}% in 3\N{NO-BREAK SPACE}µs, 5 boards"


def test_no_text_can_break_out_of_the_page() -> None:
    nasty = '"><script>alert(1)</script>'
    page = Page(nasty, nasty, [Section(nasty, [
        report.text(nasty), report.bullets([nasty]), report.verbatim(nasty, nasty, nasty),
        report.figure("", nasty, nasty), report.folded(nasty, []),
        report.table(nasty, (nasty, nasty), [[nasty, nasty]], None), report.download(nasty, nasty, nasty),
    ])], nasty)  # fmt: skip
    outline = Outline(page.html())
    assert outline.all("script") == []
    assert outline.open == []


# The page


def test_every_element_is_closed() -> None:
    for html in pages():
        assert Outline(html).open == []


def test_a_page_loads_nothing() -> None:
    for html in pages():
        outline = Outline(html)
        assert {tag for tag, _ in outline.elements} & {"script", "link", "iframe", "img", "object", "embed"} == set()
        assert "@import" not in html
        targets = [value for _, attributes in outline.elements for name, value in attributes.items()
                   if name in ("href", "src", "xlink:href") and value]  # fmt: skip
        assert all(value.startswith(("#", "data:")) for value in targets)
        assert all(target.startswith("#") for target in re.findall(r"url\(([^)]*)\)", html))


def test_a_page_has_a_language_a_title_and_landmarks() -> None:
    for html in pages():
        outline = Outline(html)
        assert html.startswith("<!doctype html>")
        assert outline.all("html") == [{"lang": "en"}]
        assert len(outline.all("title")) == len(outline.all("main")) == len(outline.all("h1")) == 1
        assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in outline.all("meta")


def test_names_are_unique_and_links_lead_somewhere() -> None:
    for html in pages():
        outline = Outline(html)
        names = Counter(attributes["id"] for _, attributes in outline.elements if "id" in attributes)
        assert [name for name, count in names.items() if count > 1] == []
        links = [attributes["href"] for attributes in outline.all("a") if (attributes["href"] or "").startswith("#")]
        assert len(links) > 2
        assert all(link and link[1:] in names for link in links)
        used = re.findall(r"url\(#([^)]*)\)|xlink:href=\"#([^\"]*)\"", html)
        assert {first or second for first, second in used} <= names.keys()


def test_every_header_cell_has_a_scope_and_every_table_a_caption() -> None:
    for html in pages():
        outline = Outline(html)
        assert outline.all("th")
        assert all(attributes.get("scope") in ("row", "col") for attributes in outline.all("th"))
        assert len(outline.all("caption")) == len(outline.all("table")) > 0


def test_every_figure_says_what_it_shows() -> None:
    for html in pages():
        pictures = [attributes for _, attributes in Outline(html).elements if attributes.get("role") == "img"]
        assert pictures
        assert all(attributes.get("aria-label") for attributes in pictures)


def test_every_colour_is_set_for_light_and_for_dark() -> None:
    light, dark = STYLE.split("@media (prefers-color-scheme: dark)")[0], STYLE.split("(prefers-color-scheme: dark)")[1]
    dark = dark[: dark.index("} }")]
    assert set(re.findall(r"(--[\w-]+):", light)) == set(re.findall(r"(--[\w-]+):", dark))
    used = {name for html in pages() for name in re.findall(r"var\((--[\w-]+)\)", html)}
    assert "--series-1" in used
    for name in used:
        assert f"{name}:" in light, name
        assert f"{name}:" in dark, name


def _luminance(colour: str) -> float:
    digits = colour if len(colour) == 6 else "".join(2 * digit for digit in colour)
    parts = [int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    r, g, b = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def test_every_text_colour_stands_out_from_its_ground() -> None:
    themes = re.findall(r":root \{(.*?)\}", STYLE, flags=re.DOTALL)
    assert len(themes) == 2
    for theme in themes:
        colours = dict(re.findall(r"(--[\w-]+): #(\w+)", theme))
        for ground in ("--paper", "--card"):
            for name in set(colours) - {"--paper", "--card", "--rule"}:
                one, other = sorted((_luminance(colours[name]), _luminance(colours[ground])))
                assert (other + 0.05) / (one + 0.05) >= 4.5, (name, ground)


def test_a_file_inside_the_page_comes_out_as_it_went_in() -> None:
    link = next(attributes for attributes in Outline(everything().html()).all("a") if "download" in attributes)
    assert base64.b64decode((link["href"] or "").partition("base64,")[2]).decode() == '{"a": "é"}'


# The page of a bench


def test_the_page_says_what_the_findings_say() -> None:
    text = " ".join(" ".join(Outline(bench_page()).texts).replace("\N{NO-BREAK SPACE}", " ").split())
    told = [finding for finding in findings(grown()) if finding.claim and finding.topic != "exponent"]
    assert len(told) >= 4
    for finding in told:
        assert finding.claim in text
    assert "does not bear that out" in text
    assert "does not hold" in text


def test_the_page_carries_the_data_of_the_run() -> None:
    link = next(attributes for attributes in Outline(bench_page()).all("a") if "download" in attributes)
    data = json.loads(base64.b64decode((link["href"] or "").partition("base64,")[2]))
    assert [scenario["scenario"] for scenario in data["scenarios"]] == list(SLOW_ON_ROWS)


def test_plots_keep_their_text_and_take_the_colours_of_the_page() -> None:
    plots = re.findall(r"<svg.*?</svg>", bench_page(), flags=re.DOTALL)
    assert len(plots) == 1 + len(SLOW_ON_ROWS) + len(growth.FAMILIES)
    for plot in plots:
        head = plot[: plot.index(">")]
        assert " width=" not in head
        assert "viewBox" in head
        assert "<text" in plot
        assert "#0000" not in plot
        assert "font-family" not in plot
        assert "var(--" in plot


@pytest.mark.parametrize("trials", [ALWAYS_FASTER, UNDECIDED, {"win_15x15": {"shifts": [5.0]}}, {}])
def test_every_kind_of_run_makes_a_page(trials: dict[str, dict[str, list[float]]]) -> None:
    pytest.importorskip("matplotlib", reason="the plots need matplotlib")
    from noughts.lab.page import page

    found = made(trials)
    found.partial = not trials
    html = page(found).html()
    assert Outline(html).open == []
    assert ("This run was interrupted" in html) is (not trials)


def test_the_report_is_one_file(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the plots need matplotlib")
    from noughts.lab.page import write

    path = write(Bench(BenchOptions()), tmp_path / "deep" / "report")
    assert [file.name for file in path.parent.iterdir()] == ["index.html"]
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_a_browser_nothing_sticks_out_and_the_colours_follow_the_scheme(scheme: str, tmp_path: Path) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    chromium = shutil.which("chromium")
    if not chromium:
        pytest.skip("needs chromium")
    file = tmp_path / "index.html"
    file.write_text(bench_page(), encoding="utf-8")
    with playwright.sync_playwright() as api:
        browser = api.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for width in (320, 390, 1280):
            page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
            requests: list[str] = []
            page.on("request", lambda request, seen=requests: seen.append(request.url))
            page.goto(file.as_uri())
            page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert requests == [file.as_uri()]
            ground, ink = page.evaluate(
                "(style => [style.backgroundColor, style.color])(getComputedStyle(document.documentElement))"
            )
            numbers = [sum(map(int, re.findall(r"\d+", colour))) for colour in (ground, ink)]
            assert (numbers[0] > numbers[1]) is (scheme == "light")
        browser.close()
