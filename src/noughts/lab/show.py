"""A bench in the terminal: tables on stdout. Rich is imported only here, and only when used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noughts.lab import growth
from noughts.lab.bench import Bench, Finding, Measured, ScenarioRun
from noughts.lab.findings import findings
from noughts.lab.growth import FIT_FROM, GrowthCurve
from noughts.lab.measure import empty_loop
from noughts.words import duration, exponent, percent, size

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def show(bench: Bench, console: Console | None = None) -> None:
    """Print everything that was measured, and what it says."""
    from rich.console import Console

    console = console or Console(highlight=False)
    for run in bench.scenarios:
        if run.ranked() or run.refused:
            _show_scenario(run, console)
    for every in bench.families():
        console.print(_growth_table(every))
    for line in how_measured(bench):
        console.print(line, style="dim", soft_wrap=True)
    found = [finding for finding in findings(bench) if finding.topic != "exponent"]
    if found:
        console.print("\n[bold]What the numbers say[/] (holds and fails: of a source's claim, by this run)")
        console.print(_findings_grid(found))
    if bench.partial:
        console.print("\n[bold]Partial: interrupted before the end. This is what had been measured.[/]")


def how_measured(bench: Bench) -> list[str]:
    """How and where it was measured, in a few lines."""
    machine, versions, options = bench.provenance.machine, bench.provenance.versions, bench.options
    numpy = f"numpy {versions.numpy}" if versions.numpy else "no numpy (the source's boards are lists)"
    each = f"{options.iterations:,} iterations" if options.iterations else "a few milliseconds"
    how = (
        f"{options.trials} trials of {each} each, interleaved (seed {options.seed}); ± is the 95 % interval of the "
        f"mean; the empty loop ({duration(empty_loop())} a turn) is taken off; garbage collection is off."
    )
    commit = bench.provenance.commit or ""
    where = (
        f"{machine.cpu}, {machine.cores} cores, {machine.os}; {versions.implementation} "
        f"{versions.python}, {numpy}, noughts {versions.noughts or '(not installed)'}"
    )
    at = f" at {commit[:12]}{'+ (with changes)' if commit.endswith('+') else ''}" if commit else ""
    made = sum(len(timing.trials) for timing in bench.timings())
    again = sum(timing.repeated for timing in bench.timings())
    disturbed = f"Other programs disturbed some of the {made:,} trials, which were made again {again:,} times in all."
    return [how, *[disturbed] * bool(again), where + at]


# Tables


def _show_scenario(run: ScenarioRun, console: Console) -> None:
    from rich.table import Table
    from rich.text import Text

    scenario = run.scenario
    board = scenario.text if scenario.position.game.cells <= 25 else str(scenario.position.game)
    table = _table(Table, f"{scenario.title}  {board}  (gain against {run.baseline or 'nothing'})")
    for title in ("detector", "a call", "± 95 %", "std dev", "gain", "memory"):
        table.add_column(title, justify="left" if title == "detector" else "right", no_wrap=True)
    for row in run.ranked():
        gain, (*times, memory) = run.improvement(row.method.name), figures(row)
        style = "dim" if row.method.why_wrong else "bold" if row.method.name == run.baseline else ""
        table.add_row(
            row.method.name + (" (wrong)" if row.method.why_wrong else ""),
            *times,
            Text(_gain(run, row, gain), style="green" if gain and gain > 0 else "red" if gain and gain < 0 else ""),
            memory,
            style=style,
        )
    console.print(table)
    for row in run.refused:
        console.print(f"{row.method.name}: misjudges {row.verdict.wrong:,} of {row.verdict.checked:,}: not timed")


def figures(row: Measured) -> list[str]:
    """Mean, margin and standard deviation of the time, and the memory, in words."""
    found = row.summary
    times = ["" if ns is None else duration(ns) for ns in (found.mean, found.margin, found.stdev)]
    return [*times, "" if row.allocated is None else size(row.allocated)]


def _gain(run: ScenarioRun, row: Measured, gain: float | None) -> str:
    if gain is None or row.method.name == run.baseline:
        return "baseline" if row.method.name == run.baseline else ""
    return percent(gain) + ("" if run.differs(row.method.name) else " ?")


def _growth_table(every: list[GrowthCurve]) -> Table:
    from rich.table import Table

    table = _table(Table, f"Cost of a move on n x n, {every[0].kind}")
    table.add_column("n", justify="right")
    for series in every:
        table.add_column(series.method.name, justify="right")
    for row in growth.table(every):
        table.add_row(*row)
    table.add_section()
    fits = [series.slope() for series in every]
    table.add_row(f"exponent, n ≥ {FIT_FROM}", *(exponent(fit.exponent) if fit else "" for fit in fits))
    table.add_row("claimed", *(series.claim[1] if series.claim else "" for series in every))
    return table


def _table(kind: type[Table], title: str) -> Table:
    from rich import box

    return kind(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)


def _findings_grid(found: list[Finding]) -> Table:
    from rich.table import Table
    from rich.text import Text

    verdicts = {True: Text("holds", "green"), False: Text("fails", "red"), None: Text("open", "dim")}
    grid = Table.grid(padding=(0, 2))
    for finding in found:
        grid.add_row(verdicts[finding.holds] if finding.claim else "", finding.text.replace("`", ""))
    return grid
