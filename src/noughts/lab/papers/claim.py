'''A claim of a source, and what is so.

A source's module holds its claims, each what the source says and a function that computes the truth afresh. Nothing but
the claims is typed in: figures in a note come from the computation.

    @claim("gordon", [15], see.detector("magic_square"))
    def magic_square() -> Found:
        """Every row, column and diagonal of the square sums to 15."""
        sums = {sum(LABELS[cell] for cell in line) for line in GAME.lines()}
        return Found(sorted(sums), "The sums of all lines.")

One that is found at a glance, or whose words are made from figures, goes through `enter`.
'''

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from noughts.lab.papers.see import own_row

SOURCES = {
    "prajoda": "Prajoda: Boolean algebra for tic-tac-toe status",
    "gordon": "Gordon: a general algorithm with a magic square",
    "lastmove": "Game-over detection by the last move",
    "gamescrafters": "GamesCrafters: developer manual",
    "minimax": "Minimax and alpha-beta on an example",
}

# What each of them is, and what it is about.
ABOUT = {
    "prajoda": "A paper of 2025 that races line sums against bit masks, on five boards, and counts time and memory.",
    "gordon": "A paper that labels the cells with a magic square, so that one look-up finds a win or a block.",
    "lastmove": "An article that looks only at the lines through the last move, on any board.",
    "gamescrafters": "A manual of 2007 that numbers all positions, solves the game, counts, and gives seven rules.",
    "minimax": "A report that searches one position with minimax and with alpha-beta, and counts the nodes.",
}


@dataclass(frozen=True)
class Found:
    """What was computed, and one sentence why; `holds` is judged by equality unless it is given.

    `see` is given where the computation found something better to look at than the claim could name.
    """

    computed: Any
    note: str
    holds: bool | str | None = "if equal"
    see: str = ""


@dataclass(frozen=True)
class Shown:
    """A small table that lets a reader see a claim; `against` numbers the rows that speak against it, from 0."""

    columns: list[str]
    rows: list[list[str]]
    against: list[int]

    def to_json(self) -> dict[str, Any]:
        """The table beside its row, as the page gets it."""
        return asdict(self)


@dataclass(frozen=True)
class Ruling:
    """A claim beside the truth, as `noughts papers --json` gives it; `see` is an address in the web laboratory."""

    id: str
    source: str
    claim: str
    claimed: Any
    computed: Any
    holds: bool | None
    note: str
    see: str

    def to_json(self) -> dict[str, Any]:
        """One row of `noughts papers --json`."""
        return asdict(self)


@dataclass(frozen=True)
class Claim:
    """What a source says, how to find out, and where it can be seen: at an address, in a small table, or both."""

    id: str
    text: str
    claimed: Any
    see: str
    find: Callable[[], Found]
    shows: Callable[[], Shown] | None = None

    @property
    def source(self) -> str:
        """The short name of the source."""
        return self.id.partition(".")[0]

    def judge(self) -> Ruling:
        """Compute the truth and compare."""
        found = self.find()
        holds = found.computed == self.claimed if found.holds == "if equal" else found.holds
        assert holds is None or isinstance(holds, bool)
        see = found.see or self.see
        return Ruling(self.id, self.source, self.text, self.claimed, found.computed, holds, found.note, see)


CLAIMS: dict[str, Claim] = {}


Find = Callable[[], Found]
Show = Callable[[], Shown]


def claim(source: str, claimed: Any, see: str = "", shows: Show | None = None) -> Callable[[Find], Find]:
    """Enter what a source claims: the claim's name is the function's, and its docstring is the claim in words."""
    return lambda find: enter(f"{source}.{find.__name__}", find.__doc__ or "", claimed, see, shows)(find)


def enter(name: str, text: str, claimed: Any, see: str = "", shows: Show | None = None) -> Callable[[Find], Find]:
    """Enter a claim in the table, with the address of where it can be seen (`noughts.lab.papers.see`).

    One that has no address but shows itself is seen in its own row.
    """
    assert see or shows, name
    assert name not in CLAIMS, name

    def find_by(find: Find) -> Find:
        CLAIMS[name] = Claim(name, text, claimed, see or own_row(name), find, shows)
        return find

    return find_by
