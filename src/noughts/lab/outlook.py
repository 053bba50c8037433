"""A benchmark while it runs: what will be measured, and the means so far, shaped as in its answer."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.lab.bench import Bench
from noughts.lab.methods import Method
from noughts.lab.scenarios import SCENARIOS, Scenario
from noughts.rules.answer import Answer


@dataclass(frozen=True)
class PlannedBoard(Answer):
    """A scenario that will be measured, and what draws it."""

    keys = "scenario=scenario.name scenario.title position=scenario.text board=scenario.position#"

    scenario: Scenario


@dataclass(frozen=True)
class PlannedMethod(Answer):
    """A method that will be measured."""

    keys = "detector=method.name method.idea method.source method.why_wrong"

    method: Method


@dataclass(frozen=True)
class Plan(Answer):
    """What will be measured, and on what machine."""

    keys = "bench.provenance.machine bench.provenance.versions bench.provenance.commit bench.options boards methods"

    bench: Bench

    @property
    def boards(self) -> tuple[PlannedBoard, ...]:
        """The scenarios, if any."""
        chosen = self.bench.options
        names = () if chosen.experiment == "growth" else chosen.scenarios or tuple(SCENARIOS)
        return tuple(PlannedBoard(SCENARIOS[name]) for name in names)

    @property
    def methods(self) -> tuple[PlannedMethod, ...]:
        """The methods."""
        return tuple(map(PlannedMethod, self.bench.options.methods()))


@dataclass(frozen=True)
class MeanSoFar(Answer):
    """The mean of one method on one scenario."""

    keys = "detector mean_ns ratio"

    detector: str
    mean_ns: float
    ratio: float | None


@dataclass(frozen=True)
class ScenarioSoFar(Answer):
    """The means of one scenario."""

    keys = "scenario baseline results"

    scenario: str
    baseline: str | None
    results: tuple[MeanSoFar, ...]


@dataclass(frozen=True)
class PointSoFar(Answer):
    """The quickest trial of one size."""

    keys = "n quickest_ns"

    n: int
    quickest_ns: float


@dataclass(frozen=True)
class CurveSoFar(Answer):
    """The points of one curve."""

    keys = "detector family points"

    detector: str
    family: str
    points: tuple[PointSoFar, ...]


@dataclass(frozen=True)
class SoFar(Answer):
    """What was found until now, in few words: it is told while the clock stands still."""

    keys = "bench.checks scenarios growth"

    bench: Bench

    @property
    def scenarios(self) -> tuple[ScenarioSoFar, ...]:
        """The means of each scenario."""
        return tuple(
            ScenarioSoFar(
                run.scenario.name,
                run.baseline,
                tuple(
                    MeanSoFar(row.method.name, row.summary.mean, run.ratio(row.method.name))
                    for row in run.rows
                    if row.timing.trials
                ),
            )
            for run in self.bench.scenarios
        )

    @property
    def growth(self) -> tuple[CurveSoFar, ...]:
        """The points of each curve."""
        return tuple(
            CurveSoFar(curve.method.name, curve.family, tuple(PointSoFar(*point) for point in curve.times().items()))
            for curve in self.bench.growth
        )
