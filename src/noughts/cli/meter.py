"""Progress in the terminal: a bar where stderr is one, else a line now and then."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TextIO, TypeVar

from noughts.progress import Answer, Progress, finish
from noughts.words import about

Event = TypeVar("Event", bound=Progress)

QUIET_SECONDS = 10.0  # between two lines, and before the first
BAR_SECONDS = 0.1  # between two changes of a bar
GUESS_SHARE, GUESS_SECONDS = 0.05, 1.0  # so much must be done, and take so long, before the rest is guessed


def finish_showing(
    work: Generator[Event, None, Answer], *, announce: bool = False, first: float = QUIET_SECONDS
) -> Answer:
    """Run long work to its end, show on stderr how far it is, and return its answer.

    `announce` says each new task at once. Where there is no terminal, other lines begin after the `first` seconds.
    """
    if sys.stderr.isatty():
        with _bar(sys.stderr) as show:
            return finish(work, _seldom(show, BAR_SECONDS, BAR_SECONDS, announce=True))
    return finish(work, _seldom(_line(sys.stderr), QUIET_SECONDS, min(first, QUIET_SECONDS), announce))


def _seldom(
    show: Callable[[Progress], None], seconds: float, first: float, announce: bool
) -> Callable[[Progress], None]:
    """Show one event, and none that comes within so many seconds after it; nothing in the `first` of all."""
    shown, last = "", monotonic() - seconds + first

    def tell(event: Progress) -> None:
        nonlocal shown, last
        now = monotonic()
        if event.stays:
            show(event)
        elif now - last >= seconds or (announce and event.what != shown):
            shown, last = event.what, now
            show(event)

    return tell


def _line(stream: TextIO) -> Callable[[Progress], None]:
    left = _clock()

    def show(event: Progress) -> None:
        stream.write(f"noughts: {', '.join(filter(None, (str(event), left(event))))}\n")
        stream.flush()

    return show


def _clock() -> Callable[[Progress], str]:
    """What tells of one event after the other how long the work still takes; nothing before that can be guessed."""
    before: Progress | None = None
    began, start = monotonic(), 0

    def left(event: Progress) -> str:
        nonlocal before, began, start
        if event.stays:
            return ""
        now = monotonic()
        if before and (event.total != before.total or event.done < before.done):  # something else has begun
            began, start = now, event.done
        before, gone, seconds = event, event.done - start, now - began
        if not event.total or gone < GUESS_SHARE * event.total or seconds < GUESS_SECONDS:
            return ""
        return f"{about(seconds * (event.total - event.done) / gone)} left"

    return left


@contextmanager
def _bar(stream: TextIO) -> Iterator[Callable[[Progress], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bars
    from rich.table import Column

    what, detail, rest = (
        TextColumn(f"{{task.{name}}}", markup=False, table_column=Column(no_wrap=name != "fields[detail]"))
        for name in ("description", "fields[detail]", "fields[left]")  # where there is little room, the detail wraps
    )
    console = Console(file=stream)
    with Bars(what, BarColumn(min(40, console.width // 5)), detail, rest, console=console, transient=True) as bars:
        task, left = bars.add_task("", total=None, detail="", left=""), _clock()
        total = 0

        def show(event: Progress) -> None:
            nonlocal total
            if event.stays:
                bars.console.print(f"noughts: {event}", markup=False, highlight=False)  # above the bar
                return
            if event.total != total:
                total = event.total
                bars.reset(task, total=total or None)
            bars.update(task, description=event.what, completed=event.done, detail=event.detail, left=left(event))

        yield show
