"""Benches with chosen trials: what is said of them must follow from these."""

from __future__ import annotations

from typing import Any

from noughts.lab.bench import Bench, BenchOptions, Measured, ScenarioRun
from noughts.lab.judge import Accuracy
from noughts.lab.measure import Timing
from noughts.lab.methods import BOOLEAN, METHODS, TRADITIONAL
from noughts.lab.scenarios import PUBLISHED, SCENARIOS


def made(trials: dict[str, dict[str, list[float]]], memory: dict[str, int] | None = None, **options: Any) -> Bench:
    """A bench with these trials, as if they had been measured."""
    found = Bench(BenchOptions(**options))
    for name, methods in trials.items():
        run = ScenarioRun(SCENARIOS[name], TRADITIONAL)
        for method, sample in methods.items():
            wrong = METHODS[method].why_wrong != ""
            verdict = Accuracy(5478, 95 * wrong)
            timing = Timing(METHODS[method].statement, {}, 1, sample)
            run.rows.append(Measured(METHODS[method], verdict, not wrong, timing, (memory or {}).get(method)))
        found.scenarios.append(run)
    return found


def around(mean: float) -> list[float]:
    return [mean * factor for factor in (0.99, 1.0, 1.01, 1.0, 0.995)]


SLOW_ON_ROWS = {name: {TRADITIONAL: around(200 if name in ("row_win", "column_win") else 600), BOOLEAN: around(350)}
                for name in PUBLISHED}  # fmt: skip
ALWAYS_FASTER = {name: {TRADITIONAL: around(500), BOOLEAN: around(350)} for name in PUBLISHED}
UNDECIDED = {name: {TRADITIONAL: [500, 300, 400], BOOLEAN: [300, 500, 401]} for name in PUBLISHED}
