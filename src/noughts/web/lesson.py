"""Follow me: what one page shows, its board, tab and step, is shown by all that have joined with the word.

    the page that leads  -- its address, whenever that changes -->  Lesson  -- the same -->  the pages that follow

The address of a page holds all that it shows, so nothing else is sent, and only the last one is held, in memory. Who
leads has the key that the terminal shows; who follows has the word. There are no names, and nothing is kept.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import anyio

from noughts.web.turns import TooManyJobs
from noughts.words import brief

WORD = re.compile(r"[\w-]{3,40}")
MOST = 100  # pages that follow
GUESSES = 4  # at once; each that is wrong takes a second


class BadWord(ValueError):
    """This cannot be the word of a class, or is not the one."""


def read_word(text: str) -> str:
    """The word of a class, if it can be one.

    >>> read_word("apple-tree")
    'apple-tree'
    >>> read_word("a b")
    Traceback (most recent call last):
    noughts.web.lesson.BadWord: 'a b' cannot be the word of a class: expected 3 to 40 letters, digits, - or _
    """
    if not WORD.fullmatch(text):
        raise BadWord(f"{brief(text)} cannot be the word of a class: expected 3 to 40 letters, digits, - or _")
    return text


@dataclass
class Lesson:
    """What is shown now, and who may show it and see it."""

    word: str
    key: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    shown: str | None = None  # what stands after the / of the page that leads; None while nobody does
    pause: float = 1.0  # seconds after a wrong word

    def __post_init__(self) -> None:
        self.followers = self._guesses = self._serial = 0
        self._news: anyio.Event | None = None  # belongs to the event loop

    def is_led_with(self, key: str) -> bool:
        """Is this the key of whoever leads?"""
        return secrets.compare_digest(key.encode(), self.key.encode())

    def show(self, shown: str | None) -> None:
        """Show this to all who follow; None ends it."""
        if shown != self.shown:
            self.shown = shown
            self._serial += 1
            if self._news:
                self._news.set()
            self._news = anyio.Event()

    async def require(self, word: str) -> None:
        """Refuse who does not know the word, slowly: guessing takes long. Case does not matter."""
        if secrets.compare_digest(word.casefold().encode(), self.word.casefold().encode()):
            return
        if self._guesses >= GUESSES:
            raise TooManyJobs("many try words just now", 2)
        self._guesses += 1
        try:
            await anyio.sleep(self.pause)
        finally:
            self._guesses -= 1
        raise BadWord("this is not the word of the class")

    async def follow(self, tell: Callable[[str | None], Awaitable[None]]) -> None:
        """Tell what is shown, now and whenever it changes, for ever; of what changes quickly only the last."""
        seen = -1
        self.followers += 1
        try:
            while True:
                self._news = self._news or anyio.Event()
                news = self._news
                if seen != self._serial:
                    seen = self._serial
                    await tell(self.shown)
                else:
                    await news.wait()
        finally:
            self.followers -= 1
