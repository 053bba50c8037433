"""How time and memory are measured.

Time    `timeit` runs a statement in a tight loop with the garbage collector off, by the clock perf_counter_ns; the
        time of an empty loop is taken off. Trials are interleaved: a round makes one trial of everything, in an order
        shuffled anew, so that drift (heat, other programs) hits all alike. A short trial from which the processor was
        taken away is made again; with a given number of iterations every trial counts as it comes.

            round 1    c a d b        not    a a a a
            round 2    b d a c               b b b b
            round 3    d b c a               c c c c

Memory  apart from time, for tracing makes everything slower.
"""

from __future__ import annotations

import gc
import random
import tracemalloc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from time import perf_counter_ns, process_time_ns
from timeit import Timer
from typing import Any

from noughts import child
from noughts.lab.machine import in_proc
from noughts.lab.stats import Statistics, summary
from noughts.rules.answer import Answer
from noughts.solve.machine import peak_rss_bytes

TRIAL_NS = 2_000_000  # a trial lasts about so long where the number of iterations is not given
PATIENCE = 10  # how often such a short trial is made again when other programs disturbed it
UNDISTURBED = 0.95  # the part of a trial's time in which the processor must have worked for it

Names = dict[str, Any]


@dataclass
class Timing(Answer):
    """A statement that is timed, and its trials: nanoseconds a call, the empty loop taken off."""

    keys = (
        "iterations repeated trials_ns=trials mean_ns=summary.mean stdev_ns=summary.stdev interval_ns=summary.interval"
    )

    statement: str
    names: Names
    iterations: int = 0
    trials: list[float] = field(default_factory=list)
    repeated: int = 0  # how often a disturbed trial was made again

    @property
    def summary(self) -> Statistics | None:
        """Nanoseconds a call, if there was a trial."""
        return summary(self.trials) if self.trials else None

    @cached_property
    def timer(self) -> Timer:
        """The timed loop around the statement, compiled."""
        return Timer(self.statement, timer=perf_counter_ns, globals=self.names)


def rounds(
    timings: Sequence[Timing], trials: int, iterations: int | None = None, seed: int = 0,
    trial_ns: int = TRIAL_NS,
) -> Iterator[Timing]:  # fmt: skip
    """Make so many rounds of trials, and yield after each trial what was timed.

    Each statement is first tried out; without a number of iterations, as many as fill a trial are made.
    """
    order = list(timings)
    shuffle = random.Random(seed).shuffle
    overhead = empty_loop()
    for timing in timings:
        fitting = fitting_iterations(timing.timer, trial_ns)  # warms the caches, too
        timing.iterations = iterations or fitting
    for _ in range(trials):
        shuffle(order)
        for timing in order:
            spent = _trial(timing, 1 if iterations else PATIENCE)
            timing.trials.append(spent / timing.iterations - overhead)
            yield timing


def _trial(timing: Timing, patience: int) -> int:
    """The nanoseconds of one trial, made again where the processor was taken away while it ran."""
    attempts: list[int] = []
    for _ in range(patience):
        before = process_time_ns()
        attempts.append(int(timing.timer.timeit(timing.iterations)))
        if process_time_ns() - before >= UNDISTURBED * attempts[-1]:
            break
    timing.repeated += len(attempts) - 1
    return min(attempts)


@cache
def empty_loop() -> float:
    """Nanoseconds of one turn of a loop that does nothing: the quickest of some tries, for it is a constant."""
    return min(Timer("pass", timer=perf_counter_ns).repeat(20, 10_000)) / 10_000


def fitting_iterations(timer: Timer, trial_ns: int = TRIAL_NS) -> int:
    """How many calls fill a trial, by trying it out."""
    iterations = 1
    while (spent := min(timer.repeat(3, iterations))) < trial_ns / 20:
        iterations *= 4
    return max(1, round(iterations * trial_ns / spent))


# Memory


def allocated(statement: str, names: Names, calls: int = 20) -> int:
    """The most bytes that one call holds at once beyond what was there before, as tracemalloc sees them.

    The smallest of some calls counts: what the first ones leave in caches is no cost of a call.

    >>> allocated("bytes(100_000)", {}) > 100_000 > allocated("None", {})
    True
    """
    return max(0, _peak(statement, names, calls) - _peak("pass", {}, calls))


def _peak(statement: str, names: Names, calls: int) -> int:
    code = compile(statement, "<lab>", "exec")
    enabled = gc.isenabled()
    gc.disable()
    tracemalloc.start()
    try:
        found = []
        for _ in range(calls):
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            exec(code, names)
            found.append(tracemalloc.get_traced_memory()[1] - before)
        return min(found)
    finally:
        tracemalloc.stop()
        if enabled:
            gc.enable()


def process_peak(code: str, *arguments: str) -> int | None:
    """The most memory, in bytes, that a new Python process held while it ran this code; None if unknown.

    On Linux the number is VmHWM, for ru_maxrss starts from the memory of the process that started this one.
    """
    tail = "\nfrom noughts.lab.measure import own_peak\nprint(own_peak())"
    told = child.output(child.code(code + tail, *arguments), seconds=600)
    peak = told.split()[-1] if told else "None"
    return int(peak) if peak != "None" else None


def own_peak() -> int | None:
    """The most memory, in bytes, that this process has held so far; None if the system does not tell."""
    kilobytes = in_proc("self/status", "VmHWM:").partition(" ")[0]
    return int(kilobytes) * 1024 if kilobytes else peak_rss_bytes() or None
