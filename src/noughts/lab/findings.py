"""What the numbers say, in sentences that are made from the numbers.

Each finding may be about a claim of a source; `holds` is then true or false by this run's own data, and None where the
run cannot tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from statistics import fmean

from noughts.lab.bench import Bench, Finding, Measured, ScenarioRun
from noughts.lab.growth import FAMILIES, FIT_FROM, GrowthCurve
from noughts.lab.measure import empty_loop
from noughts.lab.methods import BOOLEAN, BOOLEAN_FIXED, BOOLEAN_TEST, TRADITIONAL
from noughts.lab.scenarios import PRINTED
from noughts.words import duration, exponent, listing, percent, several, size

SCAN, WALK = "line_sums", "last_move_play"


def findings(bench: Bench) -> list[Finding]:
    """Everything that this run can say, in the order in which it should be read."""
    published = [run for run in bench.scenarios if run.scenario.name in PRINTED]
    speed = [*_as_printed(published), *_as_bitboard(published), *_spread(bench, published), *_quickest(bench)]
    return [*_correctness(bench), *speed, *_memory(bench), *_growth(bench)]


# Right or wrong


def _correctness(bench: Bench) -> Iterator[Finding]:
    wrong: dict[str, list[tuple[ScenarioRun, Measured]]] = {}
    agreeing = set()
    for run in bench.scenarios:
        for row in run.rows + run.refused:
            if row.verdict.right and row.right_here:
                agreeing.add(row.method.name)
            else:
                wrong.setdefault(row.method.name, []).append((run, row))
    agreeing -= wrong.keys()
    if agreeing:
        yield Finding(
            "correctness",
            f"Before the timing {several(len(agreeing), 'method')} agreed with the definition of a win on every "
            "position that was tried.",
        )
    for name, rows in wrong.items():
        yield Finding("correctness", _wrong_words(name, rows), holds=False)


def _wrong_words(name: str, rows: list[tuple[ScenarioRun, Measured]]) -> str:
    run, row = rows[0]
    timed, why = ("timed and marked", f" {row.method.why_wrong}") if row.method.why_wrong else ("not timed", "")
    misjudged = [_title(run) for run, row in rows if not row.right_here]
    here = f", among them the very board of the {listing(misjudged)}" if misjudged else ""
    return (
        f"`{name}` is wrong, so it is {timed}: on {run.scenario.position.game} it misjudges {row.verdict.wrong:,} of "
        f"{row.verdict.checked:,} positions{here}.{why}"
    )


# Speed: the claims of the prajoda source


class _Compared:
    """A method against the traditional one on the source's boards: where it is clearly faster, slower, neither."""

    def __init__(self, runs: list[ScenarioRun], name: str) -> None:
        found = [(run, run.improvement(name, TRADITIONAL), run.differs(name, TRADITIONAL)) for run in runs]
        timed = [(run, gain, sure) for run, gain, sure in found if gain is not None]
        self.gains = {run.scenario.name: gain for run, gain, _ in timed}
        self.faster = [run for run, gain, sure in timed if sure and gain > 0]
        self.slower = [run for run, gain, sure in timed if sure and gain <= 0]
        self.unclear = [run for run, _, sure in timed if not sure]

    def wins(self) -> bool | None:
        """Is it faster everywhere? False when it is clearly slower somewhere, None when that is not clear."""
        return False if self.slower else None if self.unclear else True

    def tally(self) -> str:
        """On how many boards it is what."""
        groups = {"clearly faster": self.faster, "clearly slower": self.slower, "not clearly different": self.unclear}
        parts = [f"{what} on {len(group)}" for what, group in groups.items() if group]
        return f"{listing(parts)} of {several(len(self.gains), 'board')}"


def _as_printed(runs: list[ScenarioRun]) -> Iterator[Finding]:
    compared = _Compared(runs, BOOLEAN)
    if not compared.gains:
        return

    def both(run: ScenarioRun) -> tuple[float, float]:
        return compared.gains[run.scenario.name], PRINTED[run.scenario.name].improvement

    def words(group: list[ScenarioRun]) -> str:
        return listing("{} ({}; printed {})".format(_title(run), *map(percent, both(run))) for run in group)

    groups = (("faster", compared.faster), ("slower", compared.slower), ("not clearly different", compared.unclear))
    clear = compared.faster + compared.slower
    agree = [run for run in clear if prod(both(run)) > 0]
    yield Finding(
        "speed",
        "As printed, converting the board on every call, the Boolean method is "
        f"{listing([f'{what} on the {words(group)}' for what, group in groups if group])}. The direction is clearly "
        f"that of the printed table on {len(agree)} of {several(len(compared.gains), 'board')}.",
        "The Boolean method loses on rows and columns and wins on diagonals, draws and early games.",
        False if len(agree) < len(clear) else None if compared.unclear else True,
    )
    bears = {True: "bears that out", False: "does not bear that out", None: "cannot decide that"}[compared.wins()]
    yield Finding(
        "speed",
        "The source concludes that the Boolean method is much more efficient. Of its program as printed this run "
        f"{bears}: it is {compared.tally()}.",
        "The Boolean algebra method is much more efficient for analyzing game status.",
        compared.wins(),
    )


def _as_bitboard(runs: list[ScenarioRun]) -> Iterator[Finding]:
    compared = _Compared(runs, BOOLEAN_TEST)
    if compared.gains:
        least, most = min(compared.gains.values()), max(compared.gains.values())
        yield Finding(
            "speed",
            "Where the game keeps its board as two numbers, so that only the Boolean test is left, the gain over the "
            f"traditional method is {percent(least)} to {percent(most)}; it is {compared.tally()}.",
            "Bitwise tests on a bitboard are faster than sums.",
            compared.wins(),
        )
    pairs = [(run.row(BOOLEAN_FIXED), run.row(BOOLEAN_TEST)) for run in runs]
    means = [(whole.summary.mean, test.summary.mean) for whole, test in pairs if whole and test]
    shares = [100 * (1 - test / whole) for whole, test in means if whole > 0]
    if shares:
        share = fmean(shares)
        most_of_it = ": timing it mostly times the conversion, not Boolean algebra" if share > 50 else ""
        yield Finding(
            "speed",
            f"Of the time of the Boolean method, with its mask put right, {share:.0f} % goes into converting the "
            f"board{most_of_it}.",
        )


def _spread(bench: Bench, runs: list[ScenarioRun]) -> Iterator[Finding]:
    spreads = [
        (100 * row.summary.stdev / row.summary.mean, row, run)
        for run in runs
        for row in (run.row(TRADITIONAL), run.row(BOOLEAN))
        if row and row.summary.stdev is not None and row.summary.mean > 0
    ]
    if not spreads:
        return
    worst, row, run = max(spreads, key=lambda entry: entry[0])
    printed = max(
        100 * stdev / mean
        for line in PRINTED.values()
        for stdev, mean in ((line.traditional_stdev, line.traditional), (line.boolean_stdev, line.boolean))
    )
    caveat = "" if bench.options.iterations else ", disturbed trials left out"
    yield Finding(
        "speed",
        "The source speaks of variations of 3 %; its own table has standard deviations of up to "
        f"{printed:.1f} % of the mean. Here it is up to {worst:.1f} % (`{row.method.name}`, {_title(run)}{caveat}), "
        "which tells more of the machine than of the methods.",
        "Execution times vary by about 3 %.",
        printed <= 3,
    )


def _quickest(bench: Bench) -> Iterator[Finding]:
    best: dict[str, list[str]] = {}
    for run in bench.scenarios:
        ranked = [row for row in run.ranked() if not row.method.why_wrong]
        if len(ranked) > 1:
            best.setdefault(ranked[0].method.name, []).append(f"{_title(run)} ({duration(ranked[0].summary.mean)})")
    if best:
        each = "; ".join(f"`{name}` on the {listing(where)}" for name, where in best.items())
        yield Finding("speed", f"The quickest of all: {each}.")


def _title(run: ScenarioRun) -> str:
    """The scenario inside a sentence: "row win", "full-board draw"."""
    title = run.scenario.title
    return title[0].lower() + title[1:]


# Memory


def _memory(bench: Bench) -> Iterator[Finding]:
    pairs = [
        (old.allocated, new.allocated)
        for run in bench.scenarios
        if (old := run.row(TRADITIONAL)) and (new := run.row(BOOLEAN))
        if old.allocated is not None and new.allocated is not None
    ]
    if pairs:
        old, new = (max(column) for column in zip(*pairs, strict=True))
        printed = [kb for line in PRINTED.values() for kb in (line.traditional_kb, line.boolean_kb)]
        least, most = min(printed), max(printed)
        less = sum(b < a for a, b in pairs)
        than = "Both are less than" if max(old, new) < 1000 * least else "Compare"
        yield Finding(
            "memory",
            f"A call of the traditional method holds at most {size(old)} at once, a call of the Boolean method "
            f"{size(new)}; the Boolean one takes less on {less} of {several(len(pairs), 'board')}. {than} the "
            f"{least:g} to {most:g} KB that the source prints.",
            "The Boolean method needs less memory.",
            less == len(pairs),
        )
    alone = bench.process_peaks.get("nothing")
    found = {name: peak for name, peak in bench.process_peaks.items() if name != "nothing" and peak}
    if alone and found:
        low, high = min(found, key=found.__getitem__), max(found, key=found.__getitem__)
        yield Finding(
            "memory",
            f"A process that only imports noughts peaks at {size(alone)}; with a method at work it peaks between "
            f"{size(found[low])} (`{low}`) and {size(found[high])} (`{high}`)."
            + (" The methods of the source load numpy." if bench.provenance.versions.numpy else ""),
        )


# Growth


def _growth(bench: Bench) -> Iterator[Finding]:
    yield from _scan_or_walk({(series.family, series.method.name): series for series in bench.growth})
    for series in bench.growth:
        yield from _exponent(series)


def _scan_or_walk(curves: dict[tuple[str, str], GrowthCurve]) -> Iterator[Finding]:
    """The claim of the lastmove source, on all that was measured."""
    parts, holds = [], None
    for family in FAMILIES:
        scan, walk = curves.get((family, SCAN)), curves.get((family, WALK))
        if not (scan and walk):
            continue
        before, after = scan.slope(), walk.slope()
        shared = scan.times().keys() & walk.times().keys()
        if not (before and after and shared):
            continue
        n = max(shared)
        parts.append(
            f"from n to the power {exponent(before.exponent)} to n to the power {exponent(after.exponent)} with "
            f"{scan.kind}, {scan.times()[n] / walk.times()[n]:,.0f} times as fast at n = {n}"
        )
        if family == "k=n":
            powers = round(before.exponent), round(after.exponent)
            holds = powers == (2, 1)
            parts[-1] += f" (nearest whole powers {powers[0]} and {powers[1]})"
    if parts:
        yield Finding(
            "growth",
            "Looking only at lines through the last move, in place of the whole board, takes the worst-case cost of a "
            f"move {listing(parts)}.",
            "Looking only at the lines through the last move reduces O(n^2) to O(n).",
            holds,
        )


def _exponent(series: GrowthCurve) -> Iterator[Finding]:
    if series.refused:
        where = f"at n = {listing(map(str, series.refused))}"
        yield Finding("correctness", f"`{series.method.name}` gave a wrong answer {where} and was not timed there.")
    fit = series.slope()
    if not fit:
        return
    low, high = (exponent(end) for end in fit.interval) if fit.interval else ("", "")
    within = f" (95 % interval {low} to {high})" if fit.interval else ""
    text = f"With {series.kind}, `{series.method.name}` takes time as n to the power {exponent(fit.exponent)}{within}"
    if not series.claim:
        yield Finding("exponent", f"{text}, from n = {FIT_FROM} on.")
        return
    power, written = series.claim
    nearest = round(fit.exponent)
    excluded = fit.interval and not fit.interval[0] <= power <= fit.interval[1]
    beside = f", though {power} lies outside the interval" if nearest == power and excluded else ""
    yield Finding(
        "exponent",
        f"{text}, from n = {FIT_FROM} on: the nearest whole power is {nearest}{beside}.",
        f"A move by {series.method.name} costs {written} with {series.kind}.",
        nearest == power,
    )


# How it was measured


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


def figures(row: Measured) -> list[str]:
    """Mean, margin and standard deviation of the time, and the memory, in words."""
    found = row.summary
    times = ["" if ns is None else duration(ns) for ns in (found.mean, found.margin, found.stdev)]
    return [*times, "" if row.allocated is None else size(row.allocated)]
