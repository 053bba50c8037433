"""Long work: events in their order, then the answer; closing it ends it, in a thread too."""

from __future__ import annotations

import io
import re
import threading
import time
from contextlib import redirect_stderr
from dataclasses import replace

import pytest

from noughts.cli import meter
from noughts.progress import Abandoned, Note, Progress, finish, from_callbacks
from noughts.solve.ledger import PartsAtWork


def work(tell):
    for number in range(3):
        tell(Progress("counting", number, 3))
    return "done"


def test_a_listener_hears_all_events_and_gets_the_answer():
    heard = []
    assert finish(from_callbacks(work), heard.append) == "done"
    assert heard == [Progress("counting", number, 3) for number in range(3)]


def test_what_goes_wrong_in_the_thread_goes_wrong_for_the_reader():
    def broken(tell):
        tell(Progress("breaking", 0, 1))
        raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        finish(from_callbacks(broken))


def test_closing_it_ends_the_work_and_waits_for_that():
    ended = []

    def endless(tell):
        try:
            while True:
                tell(Progress("running", 0, 1))
                time.sleep(0.001)
        except Abandoned:
            ended.append(threading.current_thread().name)
            raise

    running = from_callbacks(endless)
    next(running)
    running.close()
    assert ended == ["noughts: long work"]


def test_what_a_listener_raises_ends_the_work_which_may_keep_what_it_has():
    def patient():
        try:
            yield Progress("measuring", 1, 2)
            yield Progress("measuring", 2, 2)
        except KeyboardInterrupt:
            return "half"
        return "all"

    def impatient(event):
        raise KeyboardInterrupt

    assert finish(patient()) == "all"
    assert finish(patient(), impatient) == "half"
    with pytest.raises(KeyboardInterrupt):
        finish(from_callbacks(work), impatient)


def test_the_meter_is_quiet_at_first_and_then_says_how_far_it_is_and_how_long_it_takes(monkeypatch):
    now = 0.0
    monkeypatch.setattr(meter, "monotonic", lambda: now)

    def count():
        nonlocal now
        for step in range(25):
            yield Progress("counting", step, 100)
            now += 1.0
        yield Note("half of it is done")
        yield Progress("exploring", 5000, 0)
        now += 10.0
        yield Progress("exploring", 7000, 0)

    with redirect_stderr(io.StringIO()) as stream:
        meter.finish_showing(count())
    assert stream.getvalue().splitlines() == [
        "noughts: counting: 10 of 100, 90 s left",
        "noughts: counting: 20 of 100, 80 s left",
        "noughts: half of it is done",
        "noughts: exploring: 7,000",
    ]


def test_the_meter_guesses_no_time_from_the_first_few_steps(monkeypatch):
    now = 0.0
    monkeypatch.setattr(meter, "monotonic", lambda: now)

    def claims():
        nonlocal now
        steps = (0, 100, 0.0), (50, 100, 0.5), (60, 100, 2.0), (0, 200, 2.0), (9, 200, 4.0), (10, 200, 4.0)
        for done, total, now in steps:  # noqa: B007
            yield Progress(f"claim {done}", done, total)

    with redirect_stderr(io.StringIO()) as stream:
        meter.finish_showing(claims(), announce=True)
    assert stream.getvalue().splitlines() == [
        "noughts: claim 0: 0 of 100",
        "noughts: claim 50: 50 of 100",
        "noughts: claim 60: 60 of 100, 1.3 s left",
        "noughts: claim 0: 0 of 200",
        "noughts: claim 9: 9 of 200",
        "noughts: claim 10: 10 of 200, 38 s left",
    ]


@pytest.mark.parametrize("columns", [60, 80, 160])
def test_a_terminal_that_is_narrow_shows_all_of_it(monkeypatch, columns):
    now = 0.0
    monkeypatch.setattr(meter, "monotonic", lambda: now)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    stream = io.StringIO()
    stream.isatty = lambda: True
    told = PartsAtWork("solving 5x5k4", 46, 100, (16, 15), 10.0, 8, 0, 4, 77, 828 * 10**6, 704 * 10**6)
    with meter._bar(stream) as show:
        show(replace(told, done=0))
        now = 46.0
        show(told)
    lines = re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", stream.getvalue()).replace("\r", "\n").splitlines()
    assert max(map(len, lines)) <= columns
    assert {*told.what.split(), *told.detail.split(), "54", "s", "left"} <= {*" ".join(lines).split()}
