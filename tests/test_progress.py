"""Long work: events in their order, then the answer; closing it ends it, in a thread too."""

from __future__ import annotations

import threading
import time

import pytest

from noughts.progress import Abandoned, Progress, finish, from_callbacks


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
