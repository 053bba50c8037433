"""One solve, as a backend gets it, and what it tells: what to expect, how far it is, each level when it is done."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from noughts import words
from noughts.progress import Progress
from noughts.rules.game import Game
from noughts.rules.symmetry import symmetries
from noughts.solve.index import index_of
from noughts.solve.machine import free_memory
from noughts.solve.problems import TooLarge
from noughts.solve.summary import LevelSummary
from noughts.words import about, several

if TYPE_CHECKING:
    from pathlib import Path

    from noughts.solve.folder import Writer

PAUSE = 0.1  # seconds between two words about the same level
LITTLE = 50_000_000  # bytes of memory that are not worth asking about


@dataclass(frozen=True)
class Expected(Progress):
    """What a solve will take; its `total` are the bytes to compute, one for each position up to symmetry."""

    game: Game
    memory: int
    disk: int  # 0 where nothing is saved
    seconds: float  # about
    backend: str
    threads: int
    device_memory: int = 0  # of a GPU
    stays: ClassVar[bool] = True

    @property
    def positions(self) -> int:
        """About how many positions there are: those of all orbits. Where marks fall, many of them cannot arise."""
        return self.total * len(symmetries(self.game))

    def __str__(self) -> str:
        memory = f", {words.size(self.memory)} of memory" if self.memory else ""  # on a cluster it is the workers'
        device = f", {words.size(self.device_memory)} of the GPU's" if self.device_memory else ""
        saved = f", {words.size(self.disk)} of disk" if self.disk else ""
        time = f"{'about ' * (self.seconds >= 0.001)}{about(self.seconds)}"
        return (
            f"{self.game}: {'at most' if self.game.gravity else 'about'} {several(self.positions, 'position')}"
            f"{memory}{device}{saved}, {time} ({self.backend}, {several(self.threads, 'thread')})"
        )

    def require(self, memory: int | None = None, folder: Path | None = None) -> None:
        """TooLarge, if there is less memory (or less than the limit) or less disk than it takes."""
        limit, whose = memory, "the limit is"
        if limit is None and self.memory > LITTLE:
            limit, whose = free_memory(), "free are"
        if limit is not None and self.memory > limit:
            raise TooLarge(f"{self}; {whose} {words.size(limit)} of memory")
        if folder is not None:
            import shutil

            while not folder.exists():
                folder = folder.parent
            free = shutil.disk_usage(folder).free
            if self.disk > free:
                raise TooLarge(f"{self}; free are {words.size(free)} of disk at {folder}")


@dataclass(frozen=True)
class AtWork(Progress):
    """So many bytes are done, and these levels are at work; about ten times a second."""

    levels: tuple[int, ...]  # numbers of marks, the fullest board first
    seconds: float  # that it took so far
    images: int = 1  # positions that a byte stands for
    there: int = 0  # bytes that were done before it began

    @property
    def detail(self) -> str:
        """How far it is, on which boards, and how fast."""
        rate = (self.done - self.there) * self.images / max(self.seconds, 1e-3)
        speed = f"{rate / 1e6:,.0f} million" if rate >= 1e7 else f"{rate:,.0f}"
        return f"{self.done / self.total:.0%}, {self.levels[0]} marks, {speed} positions/s"


@dataclass(frozen=True)
class LevelDone(Progress):
    """A level is solved; nothing more is told of it."""

    counts: LevelSummary

    @property
    def detail(self) -> str:
        """How far it is, and which boards are done."""
        return f"{self.done / self.total:.0%}, {self.counts.marks} marks done"


class Job:
    """One solve: the levels that are wanted, where their bytes go (to memory, a folder), and what was found of them."""

    def __init__(self, game: Game, threads: int, targets: list[bytearray], writer: Writer | None = None) -> None:
        self.game, self.threads, self.targets, self.writer = game, threads, targets, writer
        self.sizes = index_of(game).level_bytes()[: writer.below if writer else None]  # of the levels that are wanted
        self.levels = dict(writer.finished) if writer else {}
        self.checksums: dict[int, int] = {}  # by marks, where the backend makes them
        self.total, self._done, self._what = sum(self.sizes), 0, f"solving {game}"
        self._began, self._told = monotonic(), 0.0

    @property
    def is_due(self) -> bool:
        """Was nothing told for a while?"""
        return monotonic() - self._told >= PAUSE

    def at_work(self, *levels: int, done: int = 0) -> AtWork:
        """What to tell while these levels are at work, and so many bytes are done."""
        self._done, self._told = max(self._done, done), monotonic()
        seconds, images = self._told - self._began, len(symmetries(self.game))
        return AtWork(self._what, self._done, self.total, levels, seconds, images)

    def finish(self, counts: LevelSummary) -> LevelDone:
        """A level is solved and its bytes are written. What to tell of it."""
        self.levels[counts.marks] = counts
        self._done = max(self._done, sum(self.sizes[counts.marks :]))
        return LevelDone(self._what, self._done, self.total, counts)
