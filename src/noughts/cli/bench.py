"""noughts bench: the detectors, each checked and timed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from noughts.cli.kit import (
    Place,
    answer,
    csv_option,
    option,
    paint,
    query,
    ready_csv,
    say,
    svg_option,
    table,
    write_csv,
    write_svg,
)  # fmt: skip
from noughts.lab import gallery, growth, page
from noughts.lab.bench import Bench, Measured, ScenarioRun, benching, read_options
from noughts.lab.findings import figures, findings, how_measured
from noughts.lab.growth import FIT_FROM, GrowthCurve
from noughts.words import exponent, percent

VERDICTS = {True: ("holds", "green"), False: ("fails", "red"), None: ("open", None)}


@query
@option("--detector", "detectors", multiple=True, metavar="NAME", help="Only this one, as in shifts; may be repeated.")
@option(
    "--scenario", "scenarios", multiple=True, metavar="NAME", help="Only this board, as in row_win; may be repeated."
)
@option("--experiment", default="all", metavar="scenarios|growth|all", help="Only one of them.")
@option("--iterations", type=int, metavar="N", help="Calls in a trial of the scenarios; else a few ms.")
@option("--trials", type=int, metavar="N", help="Trials of everything, interleaved; else 10.")
@option("--paper", is_flag=True, help="As in Prajoda's paper: its five boards, 100,000 iterations, 5 trials.")
@option("--baseline", metavar="NAME", help="Compare with this; else the paper's traditional method.")
@option("--seed", type=int, default=0, help="The same seed, the same order of trials.")
@option("--memory/--no-memory", default=True, help="Measure memory as well.")
@option("--report", type=Place(), metavar="DIR", help="Write a page with plots to DIR.")
@csv_option("the times of the scenarios, or of the growth if that is the experiment,")
@svg_option("the same")
def run(report: Path | None, sheet: Path | None, picture: Path | None, **options: Any) -> None:
    """Time the detectors, each checked first, and say what the numbers mean.

    Two experiments. Scenarios: who has won, asked of nine boards, of every detector and of the two methods of
    Prajoda's paper as printed. Growth: the cost of a move on n x n boards up to n = 200. Ctrl-C keeps what was
    measured.
    """
    chosen = read_options(**options)
    ready_csv(sheet, picture)
    if report:
        page.ready(report)
    found = answer(benching(chosen), show, announce=True)
    grown = [gallery.of_growth(every) for every in found.families()]
    write_svg(picture, *(gallery.of_times(run) for run in found.scenarios if run.ranked()), *grown)
    if chosen.experiment == "growth":
        curves = [curve for every in found.families() for curve in every]
        rows = [(curve.family, curve.method.name, n, ns) for curve in curves for n, ns in curve.times().items()]
        write_csv(sheet, ["family", "detector", "n", "ns"], rows)
    else:
        _write_times(sheet, found)
    if report:
        click.echo(f"Report: {page.write(found, report)}", err=True)
    if found.partial:
        raise click.Abort


def _write_times(sheet: Path | None, found: Bench) -> None:
    head = ["scenario", "detector", "ns", "ns_margin", "ns_deviation", "allocated_bytes", "improvement_percent"]
    rows = [
        (
            run.scenario.name,
            row.method.name,
            row.summary.mean,
            row.summary.margin,
            row.summary.stdev,
            row.allocated,
            run.improvement(row.method.name),
        )
        for run in found.scenarios
        for row in run.ranked()
    ]
    write_csv(sheet, head, rows)


def show(bench: Bench) -> None:
    """Print everything that was measured, and what it says."""
    for run in bench.scenarios:
        if run.ranked() or run.refused:
            _show_scenario(run)
    for every in bench.families():
        _show_growth(every)
    for line in how_measured(bench):
        say(paint(line, dim=True))
    found = [finding for finding in findings(bench) if finding.topic != "exponent"]
    if found:
        what = paint("What the numbers say", bold=True)
        say(f"\n{what} (holds and fails: of a source's claim, by this run)")
    for finding in found:
        word, colour = VERDICTS[finding.holds] if finding.claim else ("", None)
        say(finding.text.replace("`", ""), lead=paint(f"{word:<7}", fg=colour))
    if bench.partial:
        say("\n" + paint("Partial: interrupted before the end. This is what had been measured.", bold=True))


def _show_scenario(run: ScenarioRun) -> None:
    scenario = run.scenario
    board = scenario.text if scenario.position.game.cells <= 25 else scenario.position.game
    say(paint(f"{scenario.title}  {board}  (gain against {run.baseline or 'nothing'})", bold=True) + "\n")
    rows = []
    for row in run.ranked():
        *times, memory = figures(row)
        name = row.method.name + (" (wrong)" if row.method.why_wrong else "")
        style = {"dim": True} if row.method.why_wrong else {"bold": row.method.name == run.baseline}
        rows.append([*(paint(cell, **style) for cell in (name, *times)), _gain(run, row), paint(memory, **style)])
    table(["detector", "a call", "± 95 %", "std dev", "gain", "memory"], rows)
    for row in run.refused:
        say(f"{row.method.name}: misjudges {row.verdict.wrong:,} of {row.verdict.checked:,}: not timed")
    say()


def _gain(run: ScenarioRun, row: Measured) -> str:
    gain = run.improvement(row.method.name)
    if gain is None or row.method.name == run.baseline:
        return "baseline" if row.method.name == run.baseline else ""
    text = percent(gain) + ("" if run.differs(row.method.name) else " ?")
    return paint(text, fg="green" if gain > 0 else "red" if gain < 0 else None)


def _show_growth(every: list[GrowthCurve]) -> None:
    say(paint(f"Cost of a move on n x n, {every[0].kind}", bold=True) + "\n")
    fits = [series.slope() for series in every]
    table(
        ["n", *(series.method.name for series in every)],
        [
            *growth.table(every),
            [f"exponent, n ≥ {FIT_FROM}", *(exponent(fit.exponent) if fit else "" for fit in fits)],
            ["claimed", *(series.claim[1] if series.claim else "" for series in every)],
        ],
    )
    say()
