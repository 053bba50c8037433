"""Numbers from numbers: the summary of a few trials, the comparison of two methods, a growth exponent.

sample       the trials of one method, in the order in which they were made
interval     where the true mean lies with 95 % confidence (Student's t: the trials are few)
improvement  (baseline - method) / baseline * 100, as the prajoda source has it: 50 is half the time, -100 twice
slope        the exponent p of time ~ size^p: the slope of a straight line through the logarithms
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import atan, cos, log, pi, sin, sqrt
from statistics import fmean, linear_regression, stdev

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Statistics:
    """A sample in four numbers; one trial has no spread, so `stdev` and `interval` are None."""

    count: int
    mean: float
    stdev: float | None
    interval: tuple[float, float] | None

    @property
    def margin(self) -> float | None:
        """Half the width of the interval."""
        return None if self.interval is None else (self.interval[1] - self.interval[0]) / 2


def summary(sample: Sequence[float]) -> Statistics:
    """The mean of a sample, its standard deviation and the 95 % interval of the mean.

    >>> summary([1.0, 2.0, 3.0, 4.0, 5.0])
    Statistics(count=5, mean=3.0, stdev=1.58..., interval=(1.036..., 4.963...))
    """
    mean = fmean(sample)
    if len(sample) < 2:
        return Statistics(len(sample), mean, None, None)
    spread = stdev(sample)
    margin = t_quantile(len(sample) - 1) * spread / sqrt(len(sample))
    return Statistics(len(sample), mean, spread, (mean - margin, mean + margin))


def improvement(baseline: float, method: float) -> float | None:
    """How much less time than the baseline, in percent; None when the baseline took no time.

    >>> improvement(0.134855, 0.343146)
    -154.4...
    """
    return (baseline - method) / baseline * 100 if baseline > 0 else None


def differs(first: Sequence[float], second: Sequence[float]) -> bool | None:
    """Is one of two samples of times clearly the larger? None when there are too few trials to say.

    Trial i of both was made in the same round, so their ratios are judged (a paired t-test on the logarithms):
    whatever slowed a whole round cancels.

    >>> differs([10.0, 20.0, 30.0], [11.0, 22.1, 33.0]), differs([1.0, 2.0, 3.0], [3.0, 2.0, 1.0])
    (True, False)
    """
    ratios = [log(a / b) for a, b in zip(first, second, strict=False) if a > 0 and b > 0]
    interval = summary(ratios).interval if ratios else None
    return not interval[0] <= 0 <= interval[1] if interval else None


@dataclass(frozen=True)
class Slope:
    """A fitted growth exponent and its 95 % interval (None for two points, which any line fits)."""

    exponent: float
    interval: tuple[float, float] | None
    points: int


def slope(sizes: Sequence[float], times: Sequence[float]) -> Slope | None:
    """The exponent p of times ~ sizes^p by least squares on the logarithms; None for fewer than two points.

    >>> fit = slope([10, 20, 40, 80], [300, 1200, 4800, 19200])
    >>> round(fit.exponent, 6), fit.points
    (2.0, 4)
    """
    points = [(log(size), log(time)) for size, time in zip(sizes, times, strict=True) if time > 0]
    if len(points) < 2:
        return None
    xs, ys = zip(*points, strict=True)
    line = linear_regression(xs, ys)
    freedom = len(points) - 2
    if not freedom:
        return Slope(line.slope, None, 2)
    centre = fmean(xs)
    left = sum((y - line.intercept - line.slope * x) ** 2 for x, y in points)
    error = sqrt(left / freedom / sum((x - centre) ** 2 for x in xs))
    margin = t_quantile(freedom) * error
    return Slope(line.slope, (line.slope - margin, line.slope + margin), len(points))


# Student's t


@lru_cache(maxsize=1024)
def t_quantile(freedom: int, confidence: float = CONFIDENCE) -> float:
    """The t below which |T| stays with this confidence, by bisection on `t_within`.

    >>> [round(t_quantile(freedom), 3) for freedom in (1, 4, 30)]
    [12.706, 2.776, 2.042]
    """
    if freedom < 1 or not 0 < confidence < 1:
        raise ValueError(f"no t quantile for {freedom} degrees of freedom and confidence {confidence}")
    low, high = 0.0, 1.0
    while t_within(high, freedom) < confidence:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if t_within(middle, freedom) < confidence else (low, middle)
    return (low + high) / 2


def t_within(t: float, freedom: int) -> float:
    """P(|T| <= t) for a whole number of degrees of freedom: a finite sum (Abramowitz and Stegun, 26.7.3-4).

    With a = atan(t / sqrt(freedom)):

        even   sin a (1 + 1/2 cos^2 a + 1*3/(2*4) cos^4 a + …)        up to cos^(freedom - 2)
        odd    2/pi (a + sin a (cos a + 2/3 cos^3 a + 2*4/(3*5) cos^5 a + …))
    """
    angle = atan(t / sqrt(freedom))
    odd = freedom % 2
    term, total = (cos(angle) if odd else 1.0), 0.0
    for power in range(odd, freedom - 1, 2):
        total += term
        term *= (power + 1) / (power + 2) * cos(angle) ** 2
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
