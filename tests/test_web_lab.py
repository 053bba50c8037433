"""The tab Lab in a real browser: the claims are those that Python judges, the bars are what was measured."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from typing import Any

import pytest
from browser import address, expect

from noughts.lab.papers import ABOUT, CLAIMS, SOURCES, Ruling, judge_all
from noughts.lab.papers.claim import in_words as plain
from noughts.lab.papers.claim import summary
from noughts.lab.scenarios import PUBLISHED, SCENARIOS
from noughts.words import duration

SLOW = 120_000  # milliseconds for a whole benchmark on a machine that has other things to do
WORDS = {True: "holds", False: "does not hold", None: "depends on the machine"}
KEYS = {True: "true", False: "false", None: "measured"}


@cache
def verdicts() -> dict[str, Ruling]:
    return {verdict.id: verdict for verdict in judge_all()}


def papers(visit: Any, **more: str) -> Any:
    """Somebody who looks at the papers, all of them judged."""
    someone = visit().go(address(view="lab", **more))
    expect(someone.page.get_by_role("button", name="Check again")).to_be_visible(timeout=SLOW)
    return someone


def shown(someone: Any) -> list[str]:
    """The claims on the page, in their order."""
    found: list[str] = someone.page.locator(".claim").evaluate_all("rows => rows.map(row => row.dataset.claim)")
    return found


def ids(**wanted: Any) -> list[str]:
    """The claims whose verdict has these attributes, source by source."""
    every = sorted(verdicts().values(), key=lambda verdict: list(SOURCES).index(verdict.source))
    return [v.id for v in every if all(getattr(v, name) == value for name, value in wanted.items())]


# Papers


def test_every_row_says_what_python_says(visit: Any) -> None:
    someone = papers(visit)
    rows = someone.page.locator(".claim").evaluate_all(
        """rows => rows.map(row => [row.dataset.claim, ...[".verdict", ".unfold", ".claimed", ".computed"].map(
             part => row.querySelector(part).lastChild.textContent.trim()), row.querySelector("a").getAttribute("href"),
             row.querySelector(".reason")?.textContent ?? null])"""
    )
    assert [first for first, *_ in rows] == ids()
    for name, verdict, claim, claimed, computed, see, reason in rows:
        truth = verdicts()[name]
        assert (verdict, claim, claimed, see) == (WORDS[truth.holds], truth.claim, plain(truth.claimed), truth.see)
        if truth.holds is None and truth.claimed is not None:
            continue  # measured anew each time
        assert (computed, reason) == (plain(truth.computed), None if truth.holds else truth.note)
    expect(someone.page.locator(".checking")).to_contain_text(summary(list(verdicts().values())))
    for name, title in SOURCES.items():
        group = someone.page.locator(".source", has_text=title)
        expect(group.locator("header")).to_contain_text(ABOUT[name])
        expect(group.get_by_role("table", name=title)).to_have_count(1)


def test_the_filters_count_and_show_the_same_rows(visit: Any) -> None:
    someone = papers(visit)
    counts = Counter(verdict.holds for verdict in verdicts().values())
    for holds, key in KEYS.items():
        button = someone.page.locator(f".tally button.verdict-{key}")
        expect(button.locator(".number")).to_have_text(str(counts[holds]))
        button.click()
        expect(someone.page.locator(".claim")).to_have_count(counts[holds])
        assert shown(someone) == ids(holds=holds)
        expect(button).to_have_attribute("aria-pressed", "true")
        button.click()
    someone.page.get_by_role("button", name="do not hold").click()
    for name in SOURCES:
        expected = ids(holds=False, source=name)
        choice = someone.page.locator(f"input[name=source][value={name}]")
        choice.check()
        expect(someone.page.locator(".claim")).to_have_count(len(expected))
        assert shown(someone) == expected
        expect(someone.page.locator("label", has=choice)).to_contain_text(str(len(expected)))
    assert "verdict=false" in someone.page.url
    assert f"source={name}" in someone.page.url


def test_a_word_finds_rows_and_nothing_found_offers_all(visit: Any) -> None:
    someone = papers(visit)
    someone.page.get_by_label("Find").fill("Rotation")
    expected = [
        name for name in ids()
        if "rotation" in f"{name} {verdicts()[name].claim} {verdicts()[name].note}".lower()
    ]  # fmt: skip
    expect(someone.page.locator(".claim")).to_have_count(len(expected))
    assert shown(someone) == expected
    someone.page.get_by_label("Find").fill("chequers")
    expect(someone.page.locator(".claim")).to_have_count(0)
    someone.page.get_by_role("button", name="Show all").click()
    expect(someone.page.locator(".claim")).to_have_count(len(CLAIMS))
    expect(someone.page.get_by_label("Find")).to_have_value("")


def test_a_link_opens_the_row_and_its_filters(visit: Any) -> None:
    name = "gamescrafters.games"
    someone = papers(visit, source="gamescrafters", verdict="true", row=name)
    assert shown(someone) == ids(source="gamescrafters", holds=True)
    row = someone.page.locator(f"[data-claim='{name}']")
    expect(row).to_be_in_viewport()
    expect(row.get_by_role("button")).to_have_attribute("aria-expanded", "true")
    expect(row.locator(".reason")).to_have_text(verdicts()[name].note)
    row.get_by_role("button").focus()
    someone.page.keyboard.press("Enter")
    expect(row.locator(".reason")).to_have_count(0)
    assert "row=" not in someone.page.url


def test_a_table_in_the_row_shows_what_speaks_against_it(visit: Any) -> None:
    someone = papers(visit, find="distributivity")
    name = "prajoda.law_9ii"
    row = someone.page.locator(f"[data-claim='{name}']")
    row.get_by_role("link", name="See it").click()
    shows = CLAIMS[name].shows
    assert shows
    table = shows()
    expect(row.locator(".shown thead th")).to_have_text(table.columns)
    cells = row.locator(".shown tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].slice(0, -1).map(cell => cell.textContent))"
    )
    assert cells == table.rows
    expect(row.locator(".shown .against")).to_have_count(len(table.against))
    assert f"row={name}" in someone.page.url
    assert "find=distributivity" in someone.page.url
    someone.has_no_barrier(1280)


def test_see_it_leads_to_the_place_and_back_leads_to_the_row(visit: Any) -> None:
    someone = papers(visit, verdict="false")
    claim = someone.page.locator("[data-claim='minimax.bottom_row']")
    claim.get_by_role("link", name="See it").click()
    expect(someone.page).to_have_url(someone.server.rstrip("/") + verdicts()["minimax.bottom_row"].see)
    expect(someone.page.locator("svg.board")).to_be_visible()
    expect(someone.page.locator("main h1")).to_be_focused()
    assert someone.page.evaluate("scrollY") == 0
    someone.page.go_back()
    expect(claim.get_by_role("button")).to_have_attribute("aria-expanded", "true")
    expect(claim).to_be_in_viewport()
    assert shown(someone) == ids(holds=False)


def test_the_parts_are_tabs_for_the_keyboard(visit: Any) -> None:
    someone = papers(visit)
    tab = someone.page.get_by_role("tab", name="Papers")
    tab.focus()
    someone.page.keyboard.press("ArrowRight")
    bench = someone.page.get_by_role("tab", name="Benchmark")
    expect(bench).to_be_focused()
    expect(bench).to_have_attribute("aria-selected", "true")
    expect(someone.page.get_by_role("button", name="Run the benchmark")).to_be_visible()
    assert "part=bench" in someone.page.url
    someone.page.keyboard.press("ArrowRight")
    expect(tab).to_be_focused()
    expect(someone.page.locator(".claim").first).to_be_visible()


def test_a_claim_that_waits_is_told_before_it_is_judged() -> None:
    for name, claim in CLAIMS.items():
        before, after = claim.to_json(), verdicts()[name].to_json()
        assert "holds" not in before
        assert {key: after[key] for key in before if key != "see"} == {k: v for k, v in before.items() if k != "see"}


# The benchmark


def bars(someone: Any) -> dict[str, str]:
    """The time at each bar."""
    found: dict[str, str] = dict(
        someone.page.locator(".plot li").evaluate_all(
            "bars => bars.map(bar => [bar.dataset.detector, bar.querySelector('.time').textContent])"
        )
    )
    return found


def rounds(someone: Any) -> int:
    """How many trials the page says have been made."""
    words = someone.page.locator(".stage-words [role=status]")
    expect(words).to_contain_text("The clock runs")
    return int(words.inner_text().split()[3].replace(",", ""))


def summary_of(someone: Any, path: str) -> dict[str, Any]:
    """What the server remembers of a benchmark that is over."""
    told = someone.page.request.get(f"{someone.server}api/v1/{path}", headers={"referer": someone.server}).text()
    found: dict[str, Any] = json.loads(told.rpartition("event: summary\ndata: ")[2])
    return found


def test_the_bars_are_what_was_measured(visit: Any) -> None:
    someone = visit().go(address(view="lab", part="bench", trials=2))
    someone.page.get_by_role("button", name="Run the benchmark").click()
    expect(someone.page.locator(".checks")).to_contain_text("5,478", timeout=SLOW)
    expect(someone.page.locator(".plot li").first).to_be_visible(timeout=SLOW)
    expect(someone.page.get_by_role("button", name="Run it again")).to_be_visible(timeout=SLOW)
    assert "run=1" in someone.page.url
    found = summary_of(someone, "bench?trials=2")
    assert [run["scenario"] for run in found["scenarios"]] == list(PUBLISHED)
    for run in found["scenarios"][:2]:
        someone.page.get_by_role("radio", name=SCENARIOS[run["scenario"]].title).check()
        times = {result["detector"]: result["mean_ns"] for result in run["results"]}
        expect(someone.page.locator(".plot li")).to_have_count(len(times))
        ranked = sorted(times, key=lambda name: times[name])
        assert bars(someone) == {name: duration(times[name]) for name in ranked}
        assert list(bars(someone)) == ranked
        for result in run["results"]:
            cells = someone.page.locator(f".results tr[data-row='{result['detector']}'] td")
            expect(cells.first).to_have_text(duration(result["mean_ns"]))
            expect(cells.nth(4)).to_have_text(re.compile(r"^[\d.]+ ×$"))
        widths = someone.page.locator(".plot .beam").evaluate_all("bars => bars.map(bar => bar.offsetWidth)")
        assert widths == sorted(widths)
        assert widths[-1] > 3 * widths[0]
    wrong = {check["detector"]: check["misjudged"] for check in found["checks"] if check["misjudged"]}
    assert list(wrong) == ["prajoda_boolean"]
    expect(someone.page.locator(".checks .mistaken")).to_contain_text(f"{wrong['prajoda_boolean']} of 5,478")
    expect(someone.page.locator(".machine")).to_contain_text(found["machine"]["cpu"])
    findings = [finding["text"] for finding in found["findings"] if finding["topic"] != "exponent"]
    expect(someone.page.locator(".findings li")).to_have_count(len(findings))
    linear = widths
    someone.page.get_by_label("Logarithmic scale").check()
    assert "scale=log" in someone.page.url
    expect(someone.page.locator(".ruler")).to_contain_text("10 µs")
    widths = someone.page.locator(".plot .beam").evaluate_all("bars => bars.map(bar => bar.offsetWidth)")
    assert widths == sorted(widths) != linear

    again = visit().go(someone.page.url.removeprefix(someone.server.rstrip("/")))
    expect(again.page.get_by_role("button", name="Run it again")).to_be_visible()
    assert bars(again) == bars(someone)
    again.has_no_barrier(1280)


def test_a_run_survives_a_reload_can_be_stopped_and_keeps_what_it_has(visit: Any) -> None:
    someone = visit().go(address(view="lab", part="bench", trials=100, run=1))
    expect(someone.page.locator(".plot li").first).to_be_visible(timeout=SLOW)
    before = rounds(someone)
    someone.page.reload()
    expect(someone.page.locator(".plot li").first).to_be_visible()
    assert rounds(someone) >= before > 0
    someone.page.get_by_role("button", name="Stop").click()
    expect(someone.page.locator(".problem")).to_contain_text("You stopped it")
    expect(someone.page.get_by_role("button", name="Run it again")).to_be_visible()
    expect(someone.page.locator(".plot li").first).to_be_visible()
    expect(someone.page.locator(".results")).to_have_count(0)
    assert "run=" not in someone.page.url
    expect(someone.page.locator(".busy-dot")).to_have_count(0)


def test_the_settings_are_in_the_address(visit: Any) -> None:
    someone = visit().go(address(view="lab", part="bench"))
    someone.page.get_by_role("radio", name="And four larger").check()
    someone.page.get_by_text("More options").click()
    someone.page.get_by_role("combobox", name="Trials").select_option("30")
    someone.page.get_by_label("Measure memory, too").check()
    for part in ("boards=all", "trials=30", "memory=1"):
        assert part in someone.page.url
    again = visit().go(someone.page.url.removeprefix(someone.server.rstrip("/")))
    expect(again.page.get_by_role("radio", name="And four larger")).to_be_checked()
    expect(again.page.get_by_role("combobox", name="Trials")).to_have_value("30")
    expect(again.page.get_by_label("Measure memory, too")).to_be_checked()
    again.page.get_by_role("radio", name="How does the cost grow?").check()
    expect(again.page.get_by_label("Measure memory, too")).to_have_count(0)


def test_growth_is_drawn_point_by_point(visit: Any) -> None:
    someone = visit().go(address(view="lab", part="bench", experiment="growth", trials=1, run=1))
    expect(someone.page.get_by_role("button", name="Run it again")).to_be_visible(timeout=SLOW)
    found = summary_of(someone, "bench?experiment=growth&trials=1")["growth"]
    points = {
        f"{series['detector']}, {point['n']} × {point['n']}: {duration(point['quickest_ns'])}"
        for series in found
        for point in series["points"]
    }
    titles = someone.page.locator(".growth .point title").evaluate_all("all => all.map(each => each.textContent)")
    assert set(titles) == points
    assert len(titles) == sum(len(series["points"]) for series in found)
    someone.has_no_barrier(1280)


# For everybody


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1280, "dark")])
def test_there_is_no_barrier(visit: Any, width: int, scheme: str) -> None:
    someone = visit(viewport={"width": width, "height": 800}, color_scheme=scheme)
    someone.go(address(view="lab", source="gordon", row="gordon.random_games"))
    expect(someone.page.get_by_role("button", name="Check again")).to_be_visible(timeout=SLOW)
    someone.has_no_barrier(width)
    someone.page.get_by_role("tab", name="Benchmark").click()
    expect(someone.page.get_by_role("button", name="Run the benchmark")).to_be_visible()
    someone.has_no_barrier(width)


# The processes


def test_the_options_are_those_of_the_command() -> None:
    from noughts.lab.bench import Bench, BenchOptions, InvalidOptions, read_options

    chosen = read_options(detectors=["shifts,lookup"], scenarios=["draw"], trials=3, memory=True).to_json()
    assert chosen["detectors"] == ["shifts", "lookup"]
    assert (chosen["scenarios"], chosen["trials"], chosen["memory"]) == (["draw"], 3, True)
    with pytest.raises(InvalidOptions, match="did you mean lookup"):
        read_options(detectors=["lookups"])
    found = Bench(BenchOptions(scenarios=PUBLISHED))
    told = found.to_json()
    assert [board["scenario"] for board in told["boards"]] == list(PUBLISHED)
    assert [told[key] for key in ("checks", "scenarios", "growth")] == [[], [], []]
