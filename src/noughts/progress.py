"""Long work: a generator of progress events, ended by its answer.

    for event in solving(Game(4, 4, 4)):      # each is a Progress: what is being done, and how much of how much
        print(event)
    found = finish(solving(Game(4, 4, 4)))    # the answer alone

The terminal, the page and Python listen to the same events. Closing the generator ends the work.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from typing import Any, ClassVar, TypeVar

Event = TypeVar("Event")
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Progress:
    """How far long work has come. What there is to tell besides stands in a subclass."""

    what: str  # in words, such as "timing the scenarios"
    done: int
    total: int  # 0: nobody knows
    stays: ClassVar[bool] = False  # is it worth a line that is still there afterwards?

    @property
    def detail(self) -> str:
        """How far it is, in words."""
        return f"{self.done:,} of {self.total:,}" if self.total else f"{self.done:,}"

    def __str__(self) -> str:
        return f"{self.what}: {self.detail}"


@dataclass(frozen=True)
class Note(Progress):
    """A sentence that long work has to say."""

    done: int = 0
    total: int = 0
    stays: ClassVar[bool] = True

    def __str__(self) -> str:
        return self.what


def finish(work: Generator[Event, None, Answer], listen: Callable[[Event], object] | None = None) -> Answer:
    """Run long work to its end, and return its answer; `listen` is told every event.

    What the listener raises, and Ctrl-C, is raised in the work, which may then end with what it has.

    >>> def count():
    ...     yield Progress("counting", 1, 2)
    ...     return "two"
    >>> finish(count(), print)
    counting: 1 of 2
    'two'
    """
    while True:
        try:
            try:
                event = next(work)
                if listen:
                    listen(event)
            except StopIteration:
                raise
            except BaseException as problem:
                work.throw(problem)  # one that the work raised itself only comes back
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]  # a generator's answer travels untyped


class Abandoned(Exception):
    """Nobody listens to the work any more."""


def from_callbacks(work: Callable[[Callable[[Event], None]], Answer]) -> Generator[Event, None, Answer]:
    """Long work that calls back, as native code does, as a generator: the work runs in a thread of its own.

    When the generator is closed, or Ctrl-C ends the loop that reads it, the next call back raises `Abandoned` in the
    work, which ends by that; the generator waits for it.
    """
    events: SimpleQueue[tuple[str, Any]] = SimpleQueue()
    abandoned = False

    def tell(event: Event) -> None:
        if abandoned:
            raise Abandoned
        events.put(("event", event))

    def run() -> None:
        try:
            events.put(("answer", work(tell)))
        except BaseException as problem:
            events.put(("problem", problem))

    thread = Thread(target=run, name="noughts: long work", daemon=True)
    try:
        thread.start()
    except RuntimeError as problem:  # there is no memory for its stack
        raise MemoryError(str(problem)) from None
    try:
        while True:
            kind, content = events.get()
            if kind == "answer":
                return content  # type: ignore[no-any-return]
            if kind == "problem":
                raise content
            yield content
    finally:
        abandoned = True
        thread.join()
