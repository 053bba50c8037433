"""How a game is cut so that it is solved within a limit of memory, and which part is read when.

Parts of the level above stay in memory while there is room; when there is none, the part goes that is needed last. By
the order of X's sets few are read twice: with room for half of a level each part is read about once, with room for a
quarter one and a half times.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb

from noughts import words
from noughts.rules.game import Game
from noughts.solve.blocks import step_of
from noughts.solve.index import index_of
from noughts.solve.machine import free_memory, rss_bytes
from noughts.solve.parts import PART, PartCut, PartWork
from noughts.solve.problems import TooLarge

SMALLEST = 1 << 14  # bytes of a part that are still worth a file
SPARE = 4_000_000  # bytes for what is small


def schedule(reads: Sequence[Sequence[int]], room: int) -> Iterator[tuple[list[int], list[int]]]:
    """For each task, which parts to drop before it and which to read, if there is room for so many.

    The part that is needed last goes first, which is as few reads as this order of tasks allows.

    >>> list(schedule([[0, 1], [1, 2], [0, 2]], room=2))
    [([], [0, 1]), ([0], [2]), ([1], [0])]
    """
    uses: dict[int, list[int]] = {}
    for number, parts in enumerate(reads):
        for part in parts:
            uses.setdefault(part, []).append(number)
    here: set[int] = set()

    def next_use(part: int, number: int) -> int:
        later = uses[part]
        at = bisect_right(later, number)
        return later[at] if at < len(later) else len(reads)

    for number, parts in enumerate(reads):
        missing = [part for part in parts if part not in here]
        idle = sorted(here.difference(parts), key=lambda part: next_use(part, number), reverse=True)
        many = max(0, len(here) + len(missing) - room)
        drop = [part for place, part in enumerate(idle) if place < many or next_use(part, number) == len(reads)]
        here.difference_update(drop)
        here.update(missing)
        yield drop, missing


@dataclass(frozen=True)
class Layout:
    """How a game is cut so that a limit of memory holds."""

    cut: PartCut
    memory: int  # the limit
    keeps: bool
    threads: int

    @staticmethod
    def of(game: Game, memory: int, *, keeps: bool, threads: int, part: int = PART) -> Layout:
        """The largest parts that a task needs no more memory for; TooLarge if there are none."""
        index_of(game)  # takes memory of its own
        size = part
        while True:
            layout = Layout(PartCut.of(game, size), memory, keeps, threads)
            needed = layout.needs()
            if needed <= memory:
                return layout
            if size <= SMALLEST:
                break
            size = size * 3 // 4
        raise TooLarge(
            f"{game} takes {words.size(needed)} of memory even in the smallest parts; the limit is {words.size(memory)}"
        )

    def besides(self, x: int) -> int:
        """The memory of a step besides the parts that it reads: the process, its tables, and the part that it makes."""
        game, sizes = self.cut.game, step_of(self.cut.game, x).sizes()
        index, per = index_of(game), self.cut.most(x)
        finder = 4 * comb(game.cells, x + 1)
        blocks = (game.cells + 8) * max(index.block_bytes(2 * x), index.block_bytes(2 * x + 1))
        marks = 64 << max(0, 0 if x < game.k else game.cells - x - 5)
        made = 3 * ((sizes[0] + sizes[1]) if self.keeps else sizes[2]) * per  # one is made while one is written
        coming = (5 if self.keeps else 1) * sizes[3] * self.cut.most(x + 1)
        return rss_bytes() + finder + self.threads * (blocks + marks + 1_000_000) + made + coming + SPARE

    def room(self, x: int) -> int:
        """How many parts of the level above there is room for."""
        above = step_of(self.cut.game, x).sizes()[3] * self.cut.most(x + 1)
        return max(1, (self.memory - self.besides(x)) // max(1, above))

    def needs(self) -> int:
        """The memory at the worst moment, as far as it is above the limit; the largest levels first."""
        most = 0
        work = PartWork(self.cut, ".", self.keeps)
        for x in sorted(range(self.cut.top + 1), key=lambda x: -self.cut.blocks[x] * self._block(x)):
            needed = self.besides(x)
            if needed <= self.memory and x < self.cut.top:
                reads = max(len(work.reads(x, number)) for number in range(self.cut.count(x)))
                needed += reads * work.waiting_bytes(x)
            most = max(most, needed)
            if most > self.memory:
                break
        return most

    def _block(self, x: int) -> int:
        return index_of(self.cut.game).block_bytes(2 * x + 1)


def limit(memory: int | None) -> int:
    """The memory that a solve on disk may take: what it was told, or what is free."""
    return memory or free_memory() or 4 << 30
