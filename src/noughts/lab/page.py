"""A bench as a page: what the numbers say first, then the numbers, then how they were made."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from noughts.lab import growth, plots, report
from noughts.lab.bench import Bench, Measured, ScenarioRun
from noughts.lab.findings import figures, findings, how_measured
from noughts.lab.growth import FIT_FROM, GrowthCurve
from noughts.lab.methods import BOOLEAN, BOOLEAN_TEST, TRADITIONAL
from noughts.lab.report import Html, Page, Section, Tone, toned
from noughts.lab.scenarios import ITERATIONS, PRINTED
from noughts.rules.notation import draw_board
from noughts.words import duration, exponent, listing, percent, size

VERDICTS = {True: toned("holds", "good"), False: toned("does not hold", "bad"), None: toned("not decided", "quiet")}
ALLOCATED = (
    "**Memory a call** is the most that one call holds at once beyond what was there before, as Python's own "
    "allocator sees it: the temporary objects that it makes. Small objects that Python keeps for reuse do not count."
)
PEAK = (
    "**Process peak** is the most memory that a whole process held in which the method ran a thousand times: the "
    "interpreter, the libraries and the tables that the method builds once. It says what a program costs, not a call."
)


def ready(folder: Path) -> None:
    """See that a page can be made and written there, before anything is measured."""
    plots.require_matplotlib()
    report.prepare(folder)


def write(bench: Bench, folder: Path) -> Path:
    """Write the page into a folder, and say where it is."""
    return page(bench).write(folder)


def page(bench: Bench) -> Page:
    """The whole report on a bench."""
    sections = [
        Section("What the numbers say", list(_findings(bench))),
        Section("The paper's experiment", list(_paper(bench))),
        Section("Every method, every board", list(_scenarios(bench))),
        Section("Memory", list(_memory(bench))),
        Section("How the cost grows", list(_growth(bench))),
        Section("How it was measured", list(_method(bench))),
    ]
    partial = " **This run was interrupted: what follows is what had been measured.**" if bench.partial else ""
    return Page(
        "Who has won? The detectors, timed",
        "Ways to see that a line is complete, checked against each other and timed: an experiment of Prajoda's paper "
        f"on Boolean algebra repeated, and one on how the cost grows with the board.{partial}",
        [section for section in sections if section.parts],
        f"Made by noughts bench on {bench.started[:10]}. The page holds all of its data and loads nothing.",
    )


# What the numbers say


def _findings(bench: Bench) -> Iterator[Html]:
    found = [finding for finding in findings(bench) if finding.topic != "exponent"]
    claims = [finding for finding in found if finding.claim]
    if claims:
        yield report.table(
            "Claims of the sources, by this run's own data",
            ("Claim", "Verdict", "What was measured"),
            [[finding.claim, VERDICTS[finding.holds], finding.text] for finding in claims],
            numbers=None,
        )
    others = [finding.text for finding in found if not finding.claim]
    if others:
        yield report.bullets(others)


# The prajoda experiment


def _paper(bench: Bench) -> Iterator[Html]:
    runs = [run for run in bench.scenarios if run.scenario.name in PRINTED]
    if not runs:
        return
    yield report.text(
        "The source compares two methods on five boards, which it shows only as a picture. These boards fit its "
        "descriptions and its times."
    )
    yield report.side_by_side([_board(run) for run in runs], narrow=True)
    if any(run.improvement(BOOLEAN, TRADITIONAL) is not None for run in runs):
        yield report.figure(
            plots.improvements(bench),
            "How much less time than the traditional method the Boolean one takes: as the source prints it, as "
            "measured here, and with the conversion of the board left out. Left of the line it is slower.",
            "Bar chart. " + "; ".join(_gains_in_words(run) for run in runs) + ".",
        )
        both = [f"{what}, {where}" for what in ("Traditional", "Boolean") for where in ("printed", "here")]
        yield report.table(
            f"Seconds for {ITERATIONS:,} calls, printed and measured",
            ("Board", *both, "Test alone, here"),
            [_seconds(run) for run in runs],
        )


def _board(run: ScenarioRun) -> Html:
    scenario = run.scenario
    alt = f"{scenario.title}: {scenario.text}, last move {scenario.last}"
    return report.verbatim(draw_board(scenario.position), alt, f"{scenario.title} (last {scenario.last})")


def _gains_in_words(run: ScenarioRun) -> str:
    here, test = (run.improvement(name, TRADITIONAL) for name in (BOOLEAN, BOOLEAN_TEST))
    gains = {"printed": PRINTED[run.scenario.name].improvement, "measured": here, "test alone": test}
    parts = (f"{what} {percent(gain)}" for what, gain in gains.items() if gain is not None)
    return f"{run.scenario.title}: {listing(parts)}"


def _seconds(run: ScenarioRun) -> list[str]:
    printed = PRINTED[run.scenario.name]

    def here(name: str) -> str:
        row = run.row(name)
        return f"{row.summary.mean * ITERATIONS / 1e9:.3f}" if row else ""

    old, new = (f"{seconds:.3f}" for seconds in (printed.traditional, printed.boolean))
    return [run.scenario.title, old, here(TRADITIONAL), new, here(BOOLEAN), here(BOOLEAN_TEST)]


def _scenarios(bench: Bench) -> Iterator[Html]:
    runs = [run for run in bench.scenarios if run.ranked()]
    if not runs:
        return
    yield report.text(
        "Time of one call, the quickest method at the top; the bar through a point is the 95 % interval of the mean, "
        "often smaller than the point. Orange methods are the source's as printed (an open point: known to be wrong), "
        "blue ones judge a bare board, green ones follow the game and look only at its last move."
    )
    yield report.side_by_side(
        [
            report.figure(
                plots.times(run, _limits(run, runs)),
                f"**{run.scenario.title}** (`{run.scenario.position.game}`)",
                f"Time of a call on {run.scenario.title}: "
                + ", ".join(f"{row.method.name} {duration(row.summary.mean)}" for row in run.ranked()),
            )
            for run in runs
        ]
    )
    yield report.folded("All the numbers", [_table(run) for run in runs])


def _limits(run: ScenarioRun, runs: list[ScenarioRun]) -> tuple[float, float]:
    """The quickest and the slowest on any board of this game, so that its figures can be compared."""
    game = run.scenario.position.game
    means = [row.summary.mean for other in runs if other.scenario.position.game == game for row in other.ranked()]
    return min(means), max(means)


def _table(run: ScenarioRun) -> Html:
    scenario = run.scenario
    board = scenario.text if scenario.position.game.cells <= 25 else str(scenario.position.game)
    against = f"Gain against {run.baseline}" if run.baseline else "Gain (no baseline here)"
    columns = ("Method", "What is timed", "Mean", "± 95 %", "Std dev", against, "Memory a call")
    rows = [_row(run, row) for row in run.ranked()]
    for row in run.refused:
        why = toned(f"misjudges {row.verdict.wrong:,} of {row.verdict.checked:,}: not timed", "bad")
        rows.append([row.method.name, f"`{row.method.statement}`", why, "", "", "", ""])
    return report.table(f"{scenario.title}, {board}", columns, rows, numbers=2)


def _row(run: ScenarioRun, row: Measured) -> list[str]:
    *times, memory = figures(row)
    gain = run.improvement(row.method.name)
    wrong = f" (misjudges {row.verdict.wrong:,} of {row.verdict.checked:,})" if row.method.why_wrong else ""
    unsure = "" if row.method.name == run.baseline or run.differs(row.method.name) else " (within chance)"
    return [
        row.method.name + wrong,
        f"`{row.method.statement}`",
        *times,
        "" if gain is None else toned(percent(gain) + unsure, "good" if gain > 0 else "bad" if gain < 0 else "quiet"),
        memory,
    ]


# Memory


def _memory(bench: Bench) -> Iterator[Html]:
    if not bench.process_peaks:
        return
    yield report.text(ALLOCATED)
    yield report.text(PEAK)
    calls: dict[str, list[int]] = {}
    for run in bench.scenarios:
        for row in run.rows:
            if row.allocated is not None:
                calls.setdefault(row.method.name, []).append(row.allocated)
    rows: list[list[str]] = []
    for name, peak in bench.process_peaks.items():
        found = calls.get(name)
        least, most = (size(min(found)), size(max(found))) if found else ("", "")
        rows.append(["(only `import noughts`)" if name == "nothing" else name, least, most, size(peak)])
    yield report.table("Memory of each method", ("Method", "A call, least", "A call, most", "Process peak"), rows)


# Growth


def _growth(bench: Bench) -> Iterator[Html]:
    families = bench.families()
    if not families:
        return
    yield report.text(
        "The lastmove source looks only at lines through the last move. Here is what a move costs on boards of n x n, "
        "in the worst case: the move almost completes a line in every direction. Both scales are logarithmic: a "
        f"power of n is a straight line; its exponent is fitted on the shaded sizes, n from {FIT_FROM} on."
    )
    yield report.side_by_side(
        [
            report.figure(
                plots.growth(every),
                f"**{every[0].kind}.** Cost of a move against the size of the board.",
                f"Cost of a move with {every[0].kind}: {'; '.join(map(_slope_in_words, every))}",
            )
            for every in families
        ]
    )
    yield _exponents([series for every in families for series in every])
    yield report.folded("All the numbers", [_sizes(every) for every in families])


def _slope_in_words(series: GrowthCurve) -> str:
    times, fit = series.times(), series.slope()
    first, last = min(times), max(times)
    grows = f", as n to the power {exponent(fit.exponent)}" if fit else ""
    ends = f"from {duration(times[first])} at n = {first} to {duration(times[last])} at n = {last}"
    return f"{series.method.name} {ends}{grows}"


def _exponents(every: list[GrowthCurve]) -> Html:
    rows: list[list[str]] = []
    for series in every:
        fit, claim = series.slope(), series.claim
        interval = f"{exponent(fit.interval[0])} to {exponent(fit.interval[1])}" if fit and fit.interval else ""
        verdict = ""
        if fit and claim:
            tone: Tone = "good" if round(fit.exponent) == claim[0] else "bad"
            verdict = toned(f"{round(fit.exponent)}, claimed {claim[0]}", tone)
        found = exponent(fit.exponent) if fit else ""
        rows.append([f"{series.method.name}, {series.kind}", found, interval, claim[1] if claim else "none", verdict])
    return report.table(
        "Fitted exponents of n", ("Method", "Exponent", "95 % interval", "Claim", "Nearest whole power"), rows
    )


def _sizes(every: list[GrowthCurve]) -> Html:
    title = f"Time of a move with {every[0].kind}, the quickest trial"
    return report.table(title, ("n", *(series.method.name for series in every)), growth.table(every))


# How


def _method(bench: Bench) -> Iterator[Html]:
    yield report.bullets(how_measured(bench))
    yield report.text(
        "Before the timing every method is asked about many positions, on 3x3 about all that legal play can reach. One "
        "that disagrees with the definition is not timed, unless it is a source's own and known to be wrong. A round "
        "makes one trial of everything in a shuffled order, so that drift hits all alike. A difference counts as clear "
        "when a paired t-test over the rounds finds it at the 95 % level. The gain is (baseline - method) / baseline."
    )
    methods = {row.method.name: row.method for run in bench.scenarios for row in run.rows + run.refused}
    methods |= {series.method.name: series.method for series in bench.growth}
    rows = [[m.name, m.source, f"`{m.statement}`", m.idea] for m in methods.values()]
    yield report.folded(
        "The methods", [report.table("The methods", ("Method", "Source", "What is timed", "Idea"), rows, numbers=None)]
    )
    yield report.download(
        "All numbers of this run as JSON", "noughts-bench.json", json.dumps(bench.to_json(), indent=1)
    )
