"""One benchmark as a process of its own: `python -m noughts.web.benching OPTIONS` tells what is measured (`process`).

    {"event": "progress", "level": "plan", "machine": {…}, "boards": […], "methods": […]}      what will be measured
    {"event": "progress", "level": "timing the scenarios", "done": 40, "total": 850, "scenarios": […], "growth": […]}
    {"event": "summary", …}      the answer of `noughts bench --json`, and the `checks` that were made before

The options are JSON, as `options` makes them. What is told on the way are the means so far, shaped as in the summary.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from noughts.lab.bench import Bench, BenchOptions, Measuring, benching, read_options
from noughts.lab.scenarios import PUBLISHED, SCENARIOS
from noughts.progress import finish
from noughts.web.answers import board_of
from noughts.web.process import Clock, carry_out, say

MAX_SECONDS = 600  # then it ends with what it has


def options(detector: Sequence[str] = (), scenario: Sequence[str] = (), **others: Any) -> str:
    """The options of `noughts bench` as one word; without a scenario, the five of the prajoda source are meant.

    >>> json.loads(options(trials=3))["scenarios"]
    ['row_win', 'column_win', 'diagonal_win', 'draw', 'early_game']
    """
    return json.dumps(read_options(detectors=detector, scenarios=scenario or PUBLISHED, **others).to_json())


def work(text: str) -> dict[str, Any]:
    """Measure, tell what there is so far now and then, and return everything."""
    clock, given = Clock(), json.loads(text)
    planned = False

    def hear(event: Measuring) -> None:
        nonlocal planned
        if not planned:
            planned = True
            say("progress", {"level": "plan", **plan(event.bench)})
        if clock.seconds > MAX_SECONDS:
            raise KeyboardInterrupt  # as one does in the shell: what was measured is kept
        if clock.strikes() or event.done == event.total:
            told = {"level": event.what, "done": event.done, "total": event.total, "seconds": round(clock.seconds, 2)}
            say("progress", {**told, **so_far(event.bench)})

    found = finish(
        benching(BenchOptions(**given | {name: tuple(given[name]) for name in ("detectors", "scenarios")})), hear
    )
    return {**found.to_json(), "checks": checks(found), "seconds": round(clock.seconds, 2)}


def plan(found: Bench) -> dict[str, Any]:
    """What will be measured, and on what machine."""
    chosen = found.options
    boards = [SCENARIOS[name] for name in chosen.scenarios or SCENARIOS] if chosen.experiment != "growth" else []
    return {
        **found.provenance,
        "options": chosen.to_json(),
        "boards": [
            {"scenario": board.name, "title": board.title, "position": board.text, "board": board_of(board.position)}
            for board in boards
        ],
        "methods": [
            {"detector": method.name, "idea": method.idea, "source": method.source, "why_wrong": method.why_wrong}
            for method in chosen.methods()
        ],
    }


def checks(found: Bench) -> list[dict[str, Any]]:
    """What was asked before the clock was started: of each method and game, how many positions, how many wrongly."""
    seen = {}
    for run in found.scenarios:
        for row in run.rows + run.refused:
            game, verdict = str(run.scenario.position.game), row.verdict
            seen[row.method.name, game] = {
                "detector": row.method.name,
                "game": game,
                "checked": verdict.checked,
                "misjudged": verdict.wrong,
                "example": str(verdict.example) if verdict.example else None,
            }
    return list(seen.values())


def so_far(found: Bench) -> dict[str, Any]:
    """What was found until now, in few words: it is told while the clock stands still."""
    return {
        "checks": checks(found),
        "scenarios": [
            {
                "scenario": run.scenario.name,
                "baseline": run.baseline,
                "results": [
                    {"detector": name, "mean_ns": fmean(row.timing.trials), "ratio": run.ratio(name)}
                    for row in run.rows
                    if row.timing.trials and (name := row.method.name)
                ],
            }
            for run in found.scenarios
        ],
        "growth": [
            {
                "detector": series.method.name,
                "family": series.family,
                "points": [{"n": n, "quickest_ns": time} for n, time in series.times().items()],
            }
            for series in found.growth
        ],
    }


if __name__ == "__main__":
    carry_out(work)
