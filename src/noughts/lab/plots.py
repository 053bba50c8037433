"""The figures, as SVG for the report (extra `plots`: matplotlib).

matplotlib paints with hex colours. Each colour below is a name in disguise, which `svg` replaces by a CSS colour that
the page sets for light and dark; text stays text, in the font of the page.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

from noughts.lab.bench import Bench, ScenarioRun
from noughts.lab.growth import FIT_FROM, GrowthCurve
from noughts.lab.methods import BOOLEAN, BOOLEAN_TEST, TRADITIONAL, Method
from noughts.lab.scenarios import PRINTED
from noughts.words import duration, exponent, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, QUIET, RULE, PAPER = "#000001", "#000002", "#000003", "#000004"
SERIES = tuple(f"#0000{number:02x}" for number in range(0x11, 0x19))
CSS = {INK: "currentColor", QUIET: "var(--quiet)", RULE: "var(--rule)", PAPER: "var(--paper)"} | {
    colour: f"var(--series-{number})" for number, colour in enumerate(SERIES, 1)
}
WIDTH = 5.4  # inches: about the width of a phone at the size of its text
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 12, "text.color": INK, "axes.titlesize": 12,
    "axes.edgecolor": QUIET, "axes.labelcolor": QUIET, "axes.spines.top": False, "axes.spines.right": False,
    "xtick.color": QUIET, "ytick.color": QUIET, "axes.facecolor": "none", "figure.facecolor": "none",
    "axes.grid": True, "grid.color": RULE, "grid.linewidth": 0.8, "axes.axisbelow": True, "legend.frameon": False,
    "legend.fontsize": 11.5, "xtick.minor.width": 0, "ytick.minor.width": 0, "axes.unicode_minus": True,
}  # fmt: skip

_numbers = count(1)


class PlotsMissing(ValueError):
    """matplotlib is not installed."""


def require_matplotlib() -> None:
    """Refuse to go on without matplotlib, and say how to get it."""
    try:
        import matplotlib as _  # noqa: F401
    except ImportError:
        raise PlotsMissing("the report needs matplotlib for its plots: pip install 'noughts[plots]'") from None


def svg(draw: Callable[[Axes], None], height: float) -> str:
    """What a function draws on a pair of axes, as an SVG element for the page."""
    require_matplotlib()
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        draw(figure.add_subplot())
        out = io.StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
        return _for_page(out.getvalue(), f"plot{next(_numbers)}-")


def _for_page(raw: str, prefix: str) -> str:
    """The bare element: no prologue or metadata, names that clash with no other figure, colours of the page."""
    text = raw[raw.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'\b(id=")', rf"\1{prefix}", text)
    text = re.sub(r'(href="#|url\(#)', rf"\1{prefix}", text)
    text = re.sub(r"font-family: [^;\"]*;? ?", "", text)
    text = re.sub(r"font: (bold|\d+) ([\d.]+px) [^;\"]*", r"font-size: \2; font-weight: \1", text)
    text = re.sub(r"font: ([\d.]+px) [^;\"]*", r"font-size: \1", text)
    for disguise, colour in CSS.items():
        text = text.replace(disguise, colour)
    return re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text)).strip()


# The prajoda experiment


def times(run: ScenarioRun, limits: tuple[float, float]) -> str:
    """The time of a call by every method, quickest at the top, on a logarithmic scale with these limits."""
    rows = run.ranked()[::-1]

    def draw(axes: Axes) -> None:
        for place, row in enumerate(rows):
            summary, colour = row.summary, _colour(row.method)
            margin = summary.margin or 0.0
            axes.errorbar(
                summary.mean, place, xerr=min(margin, 0.999 * summary.mean), fmt="o", color=colour, markersize=6,
                markerfacecolor=PAPER if row.method.why_wrong else colour, elinewidth=1.5,
            )  # fmt: skip
            axes.annotate(
                duration(summary.mean), (summary.mean + margin, place), (9, 0), textcoords="offset points", va="center",
                fontsize=10.5,
            )  # fmt: skip
        axes.set_xscale("log")
        axes.set_xlim(limits[0] / 1.4, limits[1] * 4)  # room on the right for the last label
        names = [row.method.name + (" (wrong)" if row.method.why_wrong else "") for row in rows]
        axes.set_yticks(range(len(rows)), names, color=INK)
        axes.grid(visible=False, axis="y")
        axes.tick_params(axis="y", length=0)
        axes.xaxis.set_major_formatter(lambda ns, _: _tick(ns))
        axes.set_ylim(-0.7, len(rows) - 0.3)

    return svg(draw, 0.6 + 0.27 * len(rows))


def _tick(ns: float) -> str:
    """A round duration: 10 µs rather than 10.0 µs."""
    number, unit = duration(ns).split()
    return f"{float(number.replace(',', '')):g} {unit}"


def _colour(method: Method) -> str:
    """One for the methods as printed in the source, one for those that judge a bare board or follow the game."""
    return SERIES[1 if method.name.startswith("prajoda_") else 2 if method.name.endswith("_play") else 0]


def improvements(bench: Bench) -> str:
    """The Boolean method against the traditional one on the five boards: printed, measured, and the test alone."""
    runs = [run for run in bench.scenarios if run.scenario.name in PRINTED and run.improvement(BOOLEAN, TRADITIONAL)]
    groups: Sequence[tuple[str, Callable[[ScenarioRun], float | None], str]] = (
        ("printed in the source", lambda run: PRINTED[run.scenario.name].improvement, QUIET),
        ("measured, as printed", lambda run: run.improvement(BOOLEAN, TRADITIONAL), SERIES[1]),
        ("measured, the test alone", lambda run: run.improvement(BOOLEAN_TEST, TRADITIONAL), SERIES[0]),
    )

    def draw(axes: Axes) -> None:
        from matplotlib.ticker import MultipleLocator

        for number, (label, value, colour) in enumerate(groups):
            values = [value(run) for run in runs]
            places = [-place + 0.27 * (1 - number) for place in range(len(runs))]
            axes.barh(places, [v or 0 for v in values], 0.24, color=colour, label=label)
            for place, gain in zip(places, values, strict=True):
                if gain is not None:
                    axes.annotate(
                        percent(gain), (gain, place), (4 if gain >= 0 else -4, -0.5), textcoords="offset points",
                        va="center", ha="left" if gain >= 0 else "right", fontsize=10.5,
                    )  # fmt: skip
        axes.axvline(0, color=INK, linewidth=1)
        axes.set_yticks([-place for place in range(len(runs))], [run.scenario.title for run in runs], color=INK)
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=False, axis="y")
        low, high = axes.get_xlim()
        axes.set_xlim(min(low, -20) * 1.35, max(high, 20) * 1.25)
        axes.xaxis.set_major_locator(MultipleLocator(100 if axes.get_xlim()[0] < -60 else 20))
        axes.xaxis.set_major_formatter(lambda value, _: percent(value))
        axes.legend(loc="lower center", bbox_to_anchor=(0.4, 1), ncols=1, handlelength=1)

    return svg(draw, 1.4 + 0.75 * len(runs))


# The growth experiment


def growth(every: Sequence[GrowthCurve]) -> str:
    """The cost of a move against n, both on logarithmic scales: a straight line is a power of n."""

    def draw(axes: Axes) -> None:
        for colour, marker, series in zip(SERIES, "osD^v", every, strict=False):
            times = series.times()
            fit = series.slope()
            power = f", exponent {exponent(fit.exponent)}" if fit else ""
            axes.plot(
                list(times), list(times.values()), color=colour, marker=marker, markersize=4.5, linewidth=1.8,
                label=series.method.name + power,
            )  # fmt: skip
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.axvspan(FIT_FROM, max(max(series.times()) for series in every), color=RULE, alpha=0.35, linewidth=0)
        sizes = [n for n in (3, 5, 10, 20, 40, 80, 200) if n <= max(max(series.times()) for series in every)]
        axes.set_xticks(sizes, [str(n) for n in sizes])
        axes.yaxis.set_major_formatter(lambda ns, _: _tick(ns))
        axes.set_xlabel(f"n (rows = columns), {every[0].kind}")
        axes.set_ylabel("time a move")
        axes.legend(loc="lower center", bbox_to_anchor=(0.45, 1), ncols=1, handlelength=1.5)

    return svg(draw, 4.6)
