"""Backend: what solves games, and checks solutions. It is given a `Job`, and tells how far it is."""

from __future__ import annotations

from collections.abc import Generator
from time import monotonic
from typing import TYPE_CHECKING, Any

from noughts.progress import Progress
from noughts.rules.game import Game
from noughts.solve.events import AtWork, LevelDone
from noughts.solve.index import index_of
from noughts.solve.summary import LevelSummary

if TYPE_CHECKING:
    from noughts.solve.folder import Writer
    from noughts.solve.solution import Solution

PAUSE = 0.1  # seconds between two words about the same level


class Job:
    """One solve: the levels that are wanted, where their bytes go (`targets`, `writer`), and what was found of them."""

    def __init__(self, game: Game, threads: int, *, writer: Writer | None = None, in_memory: bool = False) -> None:
        self.game, self.threads, self.writer = game, threads, writer
        self.sizes = index_of(game).level_bytes()[: writer.below if writer else None]  # of the levels that are wanted
        self.targets = [bytearray(size) for size in self.sizes] if in_memory else []
        self.levels = dict(writer.finished) if writer else {}
        self.total, self._done, self._told = sum(self.sizes), 0, 0.0

    @property
    def is_due(self) -> bool:
        """Was nothing told for a while?"""
        return monotonic() - self._told >= PAUSE

    def at_work(self, levels: tuple[int, ...], done: int = 0) -> AtWork:
        """What to tell while these levels are at work, and so many bytes are done."""
        self._done, self._told = max(self._done, done), monotonic()
        return AtWork(f"solving {self.game}", self._done, self.total, levels)

    def finish(self, counts: LevelSummary) -> LevelDone:
        """A level is solved and its bytes are written. What to tell of it."""
        self.levels[counts.marks] = counts
        self._done = max(self._done, sum(self.sizes[counts.marks :]))
        return LevelDone(f"solving {self.game}", self._done, self.total, counts)


class Backend:
    """One way to solve. The bytes of a level and their places are the same for all: `noughts.solve.index`."""

    name = ""
    while_waiting = 0  # bytes of a game that it solves while someone waits for a value

    def absence(self) -> str | None:
        """Why it cannot work on this machine; None if it can."""
        return None

    def refusal(self, game: Game) -> str | None:
        """Why this game is too large for it; None if it is not."""
        return None

    def threads(self, size: int, wanted: int | None) -> int:
        """How many threads it takes for so many bytes: as many as are wanted, or as it thinks best."""
        return wanted or 1

    def estimate(self, game: Game, size: int, threads: int) -> tuple[int, float]:
        """About the memory in bytes, and the seconds, that so many bytes take."""
        raise NotImplementedError

    def run(self, job: Job) -> Generator[Progress, None, int]:
        """Solve the levels of a job, the fullest board first, and return the code of the empty board."""
        raise NotImplementedError

    # To verify a solution

    def first_wrong(
        self, solution: Solution, marks: int, begin: int, end: int, codes: Any, next_level: Any, threads: int
    ) -> int | None:
        """The first of these places whose byte is not what the rules and the level above make of it."""
        raise NotImplementedError

    def count(self, game: Game, marks: int, codes: Any, threads: int) -> LevelSummary:
        """What the bytes of a level amount to."""
        raise NotImplementedError

    def with_classes(self, game: Game, levels: list[LevelSummary], threads: int) -> list[LevelSummary]:
        """All levels as they were counted, with their classes where those are found from all levels together."""
        return levels
