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

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from noughts.lab.papers.places import place_of
from noughts.lab.papers.see import own_row
from noughts.rules.answer import Answer

SOURCES = {
    "prajoda": "Prajoda: Boolean algebra for tic-tac-toe status",
    "gordon": "Gordon: a general algorithm with a magic square",
    "lastmove": "Game-over detection by the last move",
    "gamescrafters": "GamesCrafters: developer manual",
    "minimax": "Minimax and alpha-beta on an example",
}

NAMES = {source: source.title() for source in SOURCES} | {"lastmove": "Last move", "gamescrafters": "GamesCrafters"}

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
class Shown(Answer):
    """A small table that lets a reader see a claim; `against` numbers the rows that speak against it, from 0."""

    columns: list[str]
    rows: list[list[str]]
    against: list[int]


@dataclass(frozen=True)
class Ruling(Answer):
    """A claim beside the truth, as `noughts papers --json` gives it; `see` is an address in the web laboratory."""

    id: str
    source: str
    where: str  # in the source
    claim: str
    claimed: Any
    computed: Any
    holds: bool | None
    note: str
    see: str
    claimed_text: str  # in words
    computed_text: str
    table: Shown | None  # the small table that shows it, if there is one


@dataclass(frozen=True)
class Claim(Answer):
    """What a source says, how to find out, and where it can be seen: at an address, in a small table, or both."""

    keys = "id source where claim=text see claimed_text"

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

    @property
    def where(self) -> str:
        """Where in the source it stands: section, table, figure."""
        return place_of(self.id)

    @property
    def claimed_text(self) -> str:
        """What the source says, in words."""
        return in_words(self.claimed)

    def judge(self) -> Ruling:
        """Compute the truth and compare."""
        found = self.find()
        holds = found.computed == self.claimed if found.holds == "if equal" else found.holds
        assert holds is None or isinstance(holds, bool)
        return Ruling(
            self.id, self.source, self.where, self.text, self.claimed, found.computed, holds, found.note,
            found.see or self.see, self.claimed_text, in_words(found.computed), self.shows() if self.shows else None,
        )  # fmt: skip


def summary(verdicts: Sequence[Ruling]) -> str:
    """How many claims hold, in one sentence."""
    hold, false, measured = (sum(v.holds is wanted for v in verdicts) for wanted in (True, False, None))
    text = f"{len(verdicts)} claims: {hold} hold, {false} do not"
    return text + (f", {measured} depend on the machine." if measured else ".")


def in_words(value: Any) -> str:
    """A claimed or computed value as a reader writes it.

    >>> in_words(255168), in_words([0, -8]), in_words({"X1": 1}), in_words(True), in_words(None)
    ('255,168', '0, -8', 'X1 = 1', 'yes', '–')
    """
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case int() if value >= 10_000:
            return f"{value:,}"
        case dict():
            return ", ".join(f"{key} = {in_words(item)}" for key, item in value.items())
        case list() | tuple():
            return ", ".join(in_words(item) for item in value)
        case _:
            return str(value)


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


def __getattr__(name: str) -> object:
    from noughts.moved import find

    return find(__name__, name)
