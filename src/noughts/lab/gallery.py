"""What answers look like when they are taken along: solves, matches, round robins, benchmarks, claims, the atlas."""

from __future__ import annotations

from collections.abc import Sequence

from noughts.lab.bench import ScenarioRun
from noughts.lab.figure import Figure
from noughts.lab.growth import GrowthCurve
from noughts.lab.papers.claim import Ruling
from noughts.lab.papers.page import WORDS
from noughts.play.matches import Score, Series
from noughts.play.tournament import Tournament
from noughts.solve.atlas import Row
from noughts.solve.summary import Summary

OUTCOMES = ("win", "tie", "loss")
RESULTS = ("won", "drawn", "lost")


def by_marks(found: Summary) -> Figure:
    """The share of positions that are won, tied and lost, by marks on the board."""
    rows = tuple((level.marks, *(getattr(level, name) for name in OUTCOMES)) for level in found.by_marks)
    return Figure(f"{found.game}: who is winning as the board fills", ("marks", *OUTCOMES), rows, "stacked")


def by_remoteness(found: Summary) -> Figure:
    """Won and lost positions by the plies to the end."""
    win, loss = (found.by_remoteness[name] for name in ("win", "loss"))
    rows = tuple((plies, win.get(plies, 0), loss.get(plies, 0)) for plies in range(max({0, *win, *loss}) + 1))
    return Figure(
        f"{found.game}: how far away the end is", ("plies to the end", "win", "loss"), rows, "columns", log=True
    )


def of_series(found: Series) -> Figure:
    """The tally of a match."""
    rows = tuple(
        (f"{found.a} as {side}", *_counts(each)) for side, each in (("X", found.x), ("O", found.o)) if each.games
    )
    return Figure(f"{found.a} against {found.b}, {found.game}", ("", *RESULTS), rows, "shares")


def of_tournament(found: Tournament) -> tuple[Figure, Figure]:
    """The ratings of a round robin with their errors, and the table."""
    title, table = f"Everybody against everybody, {found.game}", found.standings
    names = [f"{number}. {each.player}" for number, each in enumerate(table, 1)]
    ratings = tuple(
        (name, each.rating, each.rating - each.error, each.rating + each.error)
        for name, each in zip(names, table, strict=True)
    )
    rows: list[tuple[str | float | None, ...]] = []
    for name, each in zip(names, table, strict=True):
        against = ("" if part is None else f"{100 * part:.1f} %" for part in found.shares(each.player))
        rows.append((name, each.points, *_counts(each.score), *against))
    numbers = (f"against {number}" for number in range(1, len(table) + 1))
    return (
        Figure(title, ("player", "rating", "from", "to (19 in 20)"), ratings, "ranges"),
        Figure(title, ("player", "points", *RESULTS, *numbers), tuple(rows)),
    )


def _counts(score: Score) -> tuple[int, int, int]:
    return score.wins, score.draws, score.losses


def of_times(run: ScenarioRun) -> Figure:
    """The time of a call by every method on one board."""
    rows = []
    for row in run.ranked():
        mean, margin = row.summary.mean, row.summary.margin
        ends = (None, None) if margin is None else (max(mean - margin, 0.0), mean + margin)
        rows.append((row.method.name + (" (wrong)" if row.method.why_wrong else ""), mean, *ends))
    return Figure(
        f"{run.scenario.title}: a call", ("detector", "ns", "from", "to (95 %)"), tuple(rows), "ranges", log=True
    )


def of_growth(every: Sequence[GrowthCurve]) -> Figure:
    """The cost of a move against n."""
    times = [curve.times() for curve in every]
    rows = tuple((n, *(each.get(n) for each in times)) for n in sorted({n for each in times for n in each}))
    head = ("n", *(curve.method.name for curve in every))
    return Figure(f"Nanoseconds a move on n x n, {every[0].kind}", head, rows, "lines", log=True)


def of_claims(verdicts: Sequence[Ruling]) -> Figure:
    """The claims of the sources beside the truth."""
    rows = tuple(
        (each.source, each.where, each.claim, each.claimed_text, each.computed_text, WORDS[each.holds])
        for each in verdicts
    )
    return Figure("Claims beside the truth", ("source", "where", "claim", "claimed", "computed", "verdict"), rows)


def of_atlas(rows: Sequence[Row]) -> Figure:
    """The solved games with what was counted."""
    names = ("positions", "classes", *OUTCOMES)
    found = tuple(
        (str(row.game), row.value or "", row.remoteness, *(getattr(row, name) for name in names))
        for row in rows
        if row.computed
    )
    return Figure("Solved games", ("game", "value", "remoteness", *names), found)
