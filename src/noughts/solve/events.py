"""What a solve tells: first what to expect, then how far it is, and each level as soon as it is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noughts import words
from noughts.progress import Progress
from noughts.rules.game import Game
from noughts.rules.symmetry import symmetries
from noughts.solve.machine import free_memory
from noughts.solve.problems import TooLarge
from noughts.solve.summary import LevelSummary
from noughts.words import about, several

if TYPE_CHECKING:
    from pathlib import Path

LITTLE = 50_000_000  # bytes of memory that are not worth asking about


@dataclass(frozen=True)
class Expected(Progress):
    """What a solve will take; its `total` are the bytes to compute, one for each position of an X set with a block."""

    game: Game
    memory: int
    disk: int  # 0 where nothing is saved
    seconds: float  # about
    backend: str
    threads: int

    @property
    def positions(self) -> int:
        """About how many positions there are: those of all orbits."""
        return self.total * len(symmetries(self.game))

    def __str__(self) -> str:
        saved = f", {words.size(self.disk)} of disk" if self.disk else ""
        time = f"{'about ' * (self.seconds >= 0.001)}{about(self.seconds)}"
        return (
            f"{self.game}: about {several(self.positions, 'position')}, {words.size(self.memory)} of memory{saved}, "
            f"{time} ({self.backend}, {several(self.threads, 'thread')})"
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


@dataclass(frozen=True)
class LevelDone(Progress):
    """A level is solved; nothing more is told of it."""

    counts: LevelSummary
