"""A claim of a source, and what is so.

A source's module holds functions, one a claim, each marked with what the source says; calling it computes the truth
afresh. Nothing but the claims is typed in: figures in a note come from the computation.

    @claim("gordon.lines", "There are eight ways to win on 3x3.", 8)
    def lines() -> Found:
        return Found(Game().line_count, "Three rows, three columns, two diagonals.")
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

SOURCES = {
    "prajoda": "Prajoda: Boolean algebra for tic-tac-toe status",
    "gordon": "Gordon: a general algorithm with a magic square",
    "lastmove": "Game-over detection by the last move",
    "gamescrafters": "GamesCrafters: developer manual",
    "minimax": "Minimax and alpha-beta on an example",
}


@dataclass(frozen=True)
class Found:
    """What was computed, and one sentence why; `holds` is judged by equality unless it is given."""

    computed: Any
    note: str
    holds: bool | str | None = "if equal"


@dataclass(frozen=True)
class Verdict:
    """A claim beside the truth, as `noughts papers --json` gives it."""

    id: str
    source: str
    claim: str
    claimed: Any
    computed: Any
    holds: bool | None
    note: str


@dataclass(frozen=True)
class Claim:
    """What a source says, and how to find out."""

    id: str
    text: str
    claimed: Any
    find: Callable[[], Found]

    @property
    def source(self) -> str:
        """The short name of the source."""
        return self.id.partition(".")[0]

    def judge(self) -> Verdict:
        """Compute the truth and compare."""
        found = self.find()
        holds = found.computed == self.claimed if found.holds == "if equal" else found.holds
        assert holds is None or isinstance(holds, bool)
        return Verdict(self.id, self.source, self.text, self.claimed, found.computed, holds, found.note)


CLAIMS: dict[str, Claim] = {}


def claim(name: str, text: str, claimed: Any) -> Callable[[Callable[[], Found]], Callable[[], Found]]:
    """Enter a claim in the table."""

    def enter(find: Callable[[], Found]) -> Callable[[], Found]:
        assert name not in CLAIMS, name
        CLAIMS[name] = Claim(name, text, claimed, find)
        return find

    return enter


def words(items: Iterable[Any]) -> str:
    """A list in words: a, b and c."""
    *first, last = [str(item) for item in items]
    return f"{', '.join(first)} and {last}" if first else last
