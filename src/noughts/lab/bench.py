"""The two experiments of `noughts bench`, as data: what was asked, what was measured, and where.

scenarios   every method on every board: checked first, then timed in interleaved rounds, then its memory
growth      the cost of a move against the size of the board (see `growth`)

A method that gives a wrong answer is reported and not timed, unless it is known to be wrong: the methods of a source
are timed as printed, and labelled. An interruption keeps what was measured; the bench then says `partial`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from statistics import fmean
from time import monotonic
from typing import Any

from noughts.lab import growth, stats
from noughts.lab.growth import GrowthCurve
from noughts.lab.judge import Accuracy, Case, cases, judge, owner_of_line
from noughts.lab.machine import Provenance, provenance
from noughts.lab.measure import Timing, allocated, empty_loop, process_peak, rounds
from noughts.lab.methods import METHODS, TRADITIONAL, Method
from noughts.lab.scenarios import ITERATIONS, PUBLISHED, SCENARIOS, TRIALS, Scenario
from noughts.progress import Progress, finish
from noughts.rules.answer import Answer
from noughts.rules.game import Game
from noughts.words import known, whole

EXPERIMENTS = ("scenarios", "growth", "all")
MAX_TRIALS = 1_000
MAX_ITERATIONS = 100_000_000


class InvalidOptions(ValueError):
    """These options do not make a benchmark."""


@dataclass(frozen=True)
class BenchOptions(Answer):
    """What to measure; empty means everything. Without `iterations`, as many as fill a few milliseconds."""

    experiment: str = "all"
    detectors: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    iterations: int | None = None
    trials: int = 10
    baseline: str = TRADITIONAL
    seed: int = 0
    memory: bool = True

    def __post_init__(self) -> None:
        known("experiment", self.experiment, EXPERIMENTS, InvalidOptions)
        for name in (*self.detectors, self.baseline):
            known("detector", name, METHODS, InvalidOptions)
        for name in self.scenarios:
            known("scenario", name, SCENARIOS, InvalidOptions)
        whole("trials", self.trials, 1, MAX_TRIALS, InvalidOptions)
        if self.iterations is not None:
            whole("iterations", self.iterations, 1, MAX_ITERATIONS, InvalidOptions)
        if self.experiment == "growth" and self.detectors and not {*self.detectors} & {*growth.GROWING}:
            raise InvalidOptions(f"the growth experiment takes only {', '.join(growth.GROWING)}")

    def methods(self) -> list[Method]:
        """The methods that are measured, the baseline always among them."""
        chosen = {*self.detectors, self.baseline} if self.detectors else set(METHODS)
        return [method for name, method in METHODS.items() if name in chosen]


def read_options(*, paper: bool = False, **given: Any) -> BenchOptions:
    """Options as the command line gives them: names may come as lists "a,b", and None means not given.

    `paper` is the protocol of the prajoda source: its five scenarios, 100,000 iterations, 5 trials.

    >>> read_options(paper=True, detectors=["shifts,lookup"]).detectors
    ('shifts', 'lookup')
    """
    chosen = {name: value for name, value in given.items() if value is not None}
    for name in ("detectors", "scenarios"):
        chosen[name] = tuple(part for text in chosen.get(name, ()) for part in text.split(","))
    if paper:
        for name in ("iterations", "trials"):
            if name in chosen:
                raise InvalidOptions(f"--paper means {ITERATIONS:,} iterations and {TRIALS} trials: leave --{name} out")
        chosen |= {"iterations": ITERATIONS, "trials": TRIALS, "scenarios": chosen["scenarios"] or PUBLISHED}
    return BenchOptions(**chosen)


# What was measured


@dataclass
class Measured(Answer):
    """One method on one scenario."""

    keys = (
        "detector=method.name method.statement known_wrong=method.known_wrong right_here verdict.checked "
        "misjudged=verdict.wrong misjudged_example=verdict.example *timing allocated_bytes=allocated"
    )

    method: Method
    verdict: Accuracy  # on many positions of the game
    right_here: bool  # on this one
    timing: Timing
    allocated: int | None = None

    @property
    def summary(self) -> stats.Statistics:
        """Nanoseconds a call, by the trials, of which there must be one."""
        return stats.summary(self.timing.trials)


@dataclass(frozen=True)
class Compared(Answer):
    """One method on one scenario, beside the baseline of the run."""

    keys = "*measured improvement_percent ratio differs"

    measured: Measured
    improvement_percent: float | None  # percent less time than the baseline
    ratio: float | None  # how many calls fit into one of the baseline
    differs: bool | None  # is the difference larger than chance explains?


@dataclass
class ScenarioRun(Answer):
    """All methods on one scenario: those that were timed, and those that were refused because they are wrong."""

    keys = (
        "scenario=scenario.name scenario.source scenario.position.game position=scenario.text "
        "last_move=scenario.last scenario.position.status baseline results refused"
    )

    scenario: Scenario
    baseline: str | None
    rows: list[Measured] = field(default_factory=list)
    refused: list[Measured] = field(default_factory=list)

    @property
    def results(self) -> tuple[Compared, ...]:
        """What was timed, each beside the baseline."""
        named = ((row, row.method.name) for row in self.rows)
        return tuple(Compared(row, self.improvement(n), self.ratio(n), self.differs(n)) for row, n in named)

    def row(self, name: str | None) -> Measured | None:
        """The method of this name, if it was timed."""
        return next((row for row in self.rows if row.method.name == name and row.timing.trials), None)

    def ranked(self) -> list[Measured]:
        """What was timed, the quickest first."""
        return sorted((row for row in self.rows if row.timing.trials), key=lambda row: row.summary.mean)

    def pair(self, name: str, baseline: str | None = None) -> tuple[Measured, Measured] | None:
        """This method and the baseline (or another method), if both were timed."""
        method, other = self.row(name), self.row(baseline or self.baseline)
        return (method, other) if method and other else None

    def improvement(self, name: str, baseline: str | None = None) -> float | None:
        """Percent less time than the baseline (or another method); None if either was not timed."""
        pair = self.pair(name, baseline)
        return stats.improvement(pair[1].summary.mean, pair[0].summary.mean) if pair else None

    def ratio(self, name: str) -> float | None:
        """How many calls fit into one of the baseline: 2 is twice as fast; None if either was not timed."""
        pair = self.pair(name)
        method, other = (fmean(row.timing.trials) for row in pair) if pair else (0.0, 0.0)
        return other / method if method > 0 else None

    def differs(self, name: str, baseline: str | None = None) -> bool | None:
        """Is the difference to the baseline larger than chance explains?"""
        pair = self.pair(name, baseline)
        return stats.differs(pair[0].timing.trials, pair[1].timing.trials) if pair else None


@dataclass(frozen=True)
class Finding(Answer):
    """One sentence or two; `claim` is what a source says, if the finding is about that.

    Topics: correctness, speed, memory, growth, and exponent (of each series, where a table says it better).
    """

    topic: str
    text: str
    claim: str = ""
    holds: bool | None = None


@dataclass(frozen=True)
class Checked(Answer):
    """A method on a game, before the clock was started: how many positions it was asked about, how many wrongly."""

    keys = "detector=row.method.name game row.verdict.checked misjudged=row.verdict.wrong row.verdict.example"

    game: Game
    row: Measured


@dataclass
class Bench(Answer):
    """A whole benchmark: what was asked for, where it ran, and what was measured."""

    keys = (
        "started partial provenance.machine provenance.versions provenance.commit options empty_loop_ns scenarios "
        "growth process_peak_bytes=process_peaks findings checks boards options.methods seconds"
    )

    options: BenchOptions
    provenance: Provenance = field(default_factory=provenance)
    started: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    scenarios: list[ScenarioRun] = field(default_factory=list)
    growth: list[GrowthCurve] = field(default_factory=list)
    process_peaks: dict[str, int | None] = field(default_factory=dict)
    partial: bool = False
    seconds: float = 0.0
    empty_loop_ns: float = field(default_factory=empty_loop)  # what an empty loop takes, which is taken off

    def families(self) -> list[list[GrowthCurve]]:
        """The curves that have a time, those of one family of boards together."""
        timed = (series for series in self.growth if series.times())
        return [list(every) for _, every in groupby(timed, key=lambda series: series.family)]

    def timings(self) -> list[Timing]:
        """Everything that was timed."""
        scenarios = [row.timing for run in self.scenarios for row in run.rows]
        return scenarios + [timing for series in self.growth for timing in series.points.values()]

    @property
    def checks(self) -> tuple[Checked, ...]:
        """What was asked before the clock was started."""
        rows = {
            (row.method.name, run.scenario.position.game): row
            for run in self.scenarios
            for row in run.rows + run.refused
        }
        return tuple(Checked(game, row) for (_, game), row in rows.items())

    @property
    def boards(self) -> tuple[Scenario, ...]:
        """The scenarios that are measured, if any."""
        names = () if self.options.experiment == "growth" else self.options.scenarios or SCENARIOS
        return tuple(SCENARIOS[name] for name in names)

    @property
    def findings(self) -> list[Finding]:
        """What the numbers say."""
        from noughts.lab.findings import findings

        return findings(self)


# Measuring


@dataclass(frozen=True)
class Measuring(Progress):
    """How far a bench is; what has been measured so far can be read in it."""

    bench: Bench


Steps = Iterator[tuple[str, int, int]]  # what is being done, how many steps of it are done, of how many


def bench(options: BenchOptions) -> Bench:
    """Run the experiments that the options ask for; Ctrl-C ends them early and keeps what there is."""
    return finish(benching(options))


def benching(options: BenchOptions) -> Generator[Measuring, None, Bench]:
    """Run the experiments that the options ask for, and tell each step."""
    found, parts, began = Bench(options), [], monotonic()
    if options.experiment != "growth":
        parts += [_time_scenarios, _weigh_scenarios] if options.memory else [_time_scenarios]
    if options.experiment != "scenarios":
        parts.append(_time_growth)
    try:
        for part in parts:
            for what, done, total in part(found):
                found.seconds = monotonic() - began
                yield Measuring(what, done, total, found)
    except KeyboardInterrupt:
        found.partial = True
    found.seconds = monotonic() - began
    return found


def _time_scenarios(found: Bench) -> Steps:
    options, methods = found.options, found.options.methods()
    verdicts: dict[tuple[str, Game], Accuracy] = {}
    runs = [_run(SCENARIOS[name], options) for name in options.scenarios or SCENARIOS]
    found.scenarios = runs
    asked = [(run, method) for run in runs for method in methods if method.supports(run.scenario.position.game)]
    for done, (run, method) in enumerate(asked):
        yield "checking", done, len(asked)
        game = run.scenario.position.game
        if (method.name, game) not in verdicts:
            verdicts[method.name, game] = judge(method, game, cases(game, options.seed))
        _enter(run, method, verdicts[method.name, game])
    timings = [row.timing for run in runs for row in run.rows]
    trials = rounds(timings, options.trials, options.iterations, options.seed)
    yield from _each("timing the scenarios", trials, len(timings) * options.trials)


def _each(what: str, trials: Iterable[Timing], total: int) -> Steps:
    yield what, 0, total
    for done, _ in enumerate(trials, 1):
        yield what, done, total


def _run(scenario: Scenario, options: BenchOptions) -> ScenarioRun:
    """An empty run; where the baseline does not work, its general form takes its place."""
    game, method = scenario.position.game, METHODS[options.baseline]
    if not method.supports(game):
        method = METHODS.get(method.general, method)
    return ScenarioRun(scenario, method.name if method.supports(game) else None)


def _enter(run: ScenarioRun, method: Method, verdict: Accuracy) -> None:
    """Make a method ready for a scenario: among those to be timed, or among the refused."""
    position, cell = run.scenario.position, run.scenario.cell
    here = judge(method, position.game, [Case(position, cell, owner_of_line(position))])
    names = method.prepare(position.game)(position, cell)
    assert names is not None
    measured = Measured(method, verdict, here.right, Timing(method.statement, names))
    sound = (verdict.right and here.right) or method.why_wrong
    (run.rows if sound else run.refused).append(measured)


def _weigh_scenarios(found: Bench) -> Steps:
    """Memory, apart from time: every call once more under tracemalloc, and every method in a process of its own."""
    rows = [row for run in found.scenarios for row in run.rows]
    for done, row in enumerate(rows):
        yield "weighing calls", done, len(rows)
        row.allocated = allocated(row.timing.statement, row.timing.names)
    first = {row.method.name: run for run in reversed(found.scenarios) for row in run.rows}
    for done, (name, run) in enumerate([("", None), *sorted(first.items(), key=lambda e: list(METHODS).index(e[0]))]):
        yield "weighing processes", done, len(first) + 1
        arguments = [name, run.scenario.name] if run else []
        found.process_peaks[name or "nothing"] = process_peak(_CHILD if run else "from noughts import *", *arguments)


_CHILD = """
import sys
from noughts.lab.methods import METHODS
from noughts.lab.scenarios import SCENARIOS
method, scenario = METHODS[sys.argv[1]], SCENARIOS[sys.argv[2]]
names = method.prepare(scenario.position.game)(scenario.position, scenario.cell)
for _ in range(1000): exec(method.statement, names)
"""


def _time_growth(found: Bench) -> Steps:
    options = found.options
    points = growth.plan([method.name for method in options.methods() if method.name in growth.GROWING])
    found.growth = list({id(series): series for series, _ in points}.values())
    for done, (series, game) in enumerate(points):
        yield "preparing boards", done, len(points)
        growth.add_point(series, game)
    timings = [timing for series in found.growth for timing in series.points.values()]
    trials = rounds(timings, options.trials, seed=options.seed, trial_ns=growth.TRIAL_NS)
    yield from _each("timing growth", trials, len(timings) * options.trials)


def __getattr__(name: str) -> object:
    from noughts.moved import find

    return find(__name__, name)
