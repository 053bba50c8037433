"""Whose turn it is: so many jobs at once, and the others wait, first those who have asked for least.

    asks          Anna  Anna  Anna  Ben  Cleo        each client's jobs are in rounds, one of them a round,
    round         0     1     2     0    0           and no client's second job goes before another's first:
    is served     1st   4th   5th   2nd  3rd         whoever asks for much waits for themselves alone

A client who comes later begins in the round that is being served. Long jobs leave one place to the short ones.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from math import ceil

import anyio

PATIENCE = 60.0  # seconds: whoever has waited for so long is told to come again, and holds no connection meanwhile
LONGEST = 30  # seconds after which one is to come again, at most


class TooManyJobs(Exception):
    """No more may wait; in so many seconds there may be room again."""

    def __init__(self, told: str, seconds: int = 1) -> None:
        super().__init__(f"the server is busy: {told}; try again in {seconds} second{'s' * (seconds != 1)}")
        self.seconds = seconds


@dataclass(eq=False)
class Ticket:
    """One job that waits or is at work."""

    round: int
    serial: int
    who: str
    long: bool
    called: anyio.Event = field(default_factory=anyio.Event)


@dataclass
class Turns:
    """Places for so many jobs at once, at most `long` of them long ones; belongs to one event loop."""

    places: int
    long: int
    most: int  # jobs of either kind that may wait
    each: int  # of one client
    pace: float = 0.5  # seconds that a job takes, as far as was seen
    patience: float = PATIENCE

    def __post_init__(self) -> None:
        self.waiting: list[Ticket] = []  # in the order in which they are to be called, were all of a kind
        self.at_work: list[Ticket] = []
        self._round = self._serial = 0

    @asynccontextmanager
    async def turn(
        self, who: str, long: bool = True, told: Callable[[int], None] = lambda place: None
    ) -> AsyncIterator[None]:
        """A place of one's own, when it is one's turn; while one waits, each change of one's place is `told`."""
        ticket = self._enter(who, long)
        self._call()
        try:
            if not ticket.called.is_set():
                await self._wait(ticket, told)
            began = anyio.current_time()
            yield
            self.pace += (anyio.current_time() - began - self.pace) / 8  # the last few count most
        finally:
            (self.at_work if ticket in self.at_work else self.waiting).remove(ticket)
            self._call()

    def place(self, who: str) -> int | None:
        """How many are called before this client's next job is, itself counted; None if none waits."""
        return next((place for place, each in enumerate(self.waiting, 1) if each.who == who), None)

    def seconds(self, place: int) -> int:
        """In how many seconds the one at this place may be called, roughly."""
        return max(1, min(LONGEST, ceil(place * self.pace / max(1, self.places))))

    def _enter(self, who: str, long: bool) -> Ticket:
        alike = [each for each in self.waiting if each.long == long]
        own = [each.round for each in (*self.waiting, *self.at_work) if each.who == who]
        ticket = Ticket(max([self._round, *(number + 1 for number in own)]), self._serial, who, long)
        self._serial += 1
        if not self._fits(ticket):
            if len(alike) >= self.most:
                raise TooManyJobs(f"{len(alike)} questions wait already", self.seconds(len(alike) // 2))
            if sum(each.who == who for each in alike) >= self.each:
                raise TooManyJobs(f"{self.each} of your questions wait already", self.seconds(self.place(who) or 1))
        self.waiting.append(ticket)
        self.waiting.sort(key=lambda each: (each.round, each.serial))
        return ticket

    async def _wait(self, ticket: Ticket, told: Callable[[int], None]) -> None:
        last, end = 0, anyio.current_time() + self.patience
        while not ticket.called.is_set():
            if anyio.current_time() >= end:
                raise TooManyJobs("it has not come to your question yet", 1)
            if (place := self.waiting.index(ticket) + 1) != last:
                told(last := place)
            with anyio.move_on_after(0.5):
                await ticket.called.wait()

    def _call(self) -> None:
        """Whoever is next and has room is called."""
        for ticket in list(self.waiting):
            if self._fits(ticket):
                self.waiting.remove(ticket)
                self.at_work.append(ticket)
                self._round = max(self._round, ticket.round)
                ticket.called.set()

    def _fits(self, ticket: Ticket) -> bool:
        at_work = len(self.at_work)
        return at_work < self.places and (not ticket.long or sum(each.long for each in self.at_work) < self.long)
