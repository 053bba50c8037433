"""What a solve in parts takes, before it is begun, from the real index: bytes, reads, traffic, memory, time.

On disk within a limit of memory, the reads are those of `by_parts.schedule`, task by task. On a cluster every task
fetches each part that it reads; where there are many tasks, some of them stand for all.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from noughts import words
from noughts.native import core
from noughts.progress import Progress
from noughts.rules.answer import Answer
from noughts.rules.game import Game
from noughts.solve.backends.native import seconds_per_byte
from noughts.solve.blocks import step_of
from noughts.solve.index import check_size
from noughts.solve.layout import Layout, limit, schedule
from noughts.solve.machine import processors
from noughts.solve.parts import PART, PartCut, PartWork
from noughts.solve.problems import InvalidSolve
from noughts.words import about, several, whole

SAMPLE = 24  # tasks of a step that stand for all, on a cluster
MOST_MACHINES = 10**6


@dataclass(frozen=True)
class PlannedLevel(Answer):
    """What the parts of two levels take: of `marks` and, where X is to move, of one mark more."""

    marks: int
    blocks: int
    bytes: int  # of both levels
    waits: int  # bytes of the level with an odd number of marks, as it waits
    parts: int
    reads: float  # how often each byte of the level above is read
    read: int  # bytes of the level above, all reads
    memory: int  # of a task, or of the whole solve on disk


@dataclass(frozen=True)
class Plan(Answer):
    """What a solve takes: on disk, or on so many machines."""

    keys = (
        "game machines network threads bytes waits read written memory compute_seconds network_seconds levels sentence"
    )

    game: Game
    machines: int | None
    network: int | None  # bytes a second, of each machine
    threads: int  # of each machine
    bytes: int
    waits: int
    read: int
    written: int  # of what waits; both levels besides where the solution is kept: `bytes`
    memory: int  # of each machine, or thread of it, at the worst moment
    compute_seconds: float  # if all processors are as fast as this one
    network_seconds: float | None
    levels: tuple[PlannedLevel, ...]

    @property
    def sentence(self) -> str:
        """The plan in words."""
        much = (
            f"{self.game}: {words.size(self.bytes)} of codes, of which {words.size(self.waits)} wait on the way; tasks "
            f"read {words.size(self.read)}, {self.read / max(self.waits, 1):.1f} times what waits."
        )
        time = (
            f"about {about(self.compute_seconds)} of computing with {several(self.threads, 'thread')} as fast as here"
        )
        if self.machines is None:
            return f"{much} On disk, within {words.size(self.memory)} of memory: {time}, and the disk's time for that."
        task = f"{words.size(self.memory)} of memory for a task"
        many = f"{much} On {several(self.machines, 'machine')}: {task}, {time} each"
        if self.network_seconds is None or self.network is None:
            return f"{many}."
        bound = "network bounds" if self.network_seconds > self.compute_seconds else "processors bound"
        return (
            f"{many}, and {about(self.network_seconds)} for the network of {words.size(self.network)}/s each: "
            f"the {bound} it."
        )


def planning(
    game: Game, *, memory: int | None = None, part: int | None = None, machines: int | None = None,
    network: int | None = None, threads: int | None = None,
) -> Generator[Progress, None, Plan]:  # fmt: skip
    """What solving a game in parts will take, with `machines` on a cluster; tells how far it is."""
    check_size(game)
    if core() is None:
        raise InvalidSolve("a plan needs the native core, which is not installed (noughts doctor says more)")
    if machines is not None:
        machines = whole("cluster_size", machines, 1, MOST_MACHINES, InvalidSolve)
    elif network is not None:
        raise InvalidSolve("a network is for a cluster: say of how many machines")
    many, what = threads or processors(), f"planning {game}"
    yield Progress(what, 0, game.cells // 2 + 2)
    if machines is None:
        layout = Layout.of(game, limit(memory), keeps=False, threads=many, part=part or PART)
    else:
        layout = Layout(PartCut.of(game, part or PART), 0, keeps=False, threads=1)
    work, levels = PartWork(layout.cut, ".", keeps=False), list[PlannedLevel]()
    for x in range(layout.cut.top, -1, -1):
        yield Progress(what, layout.cut.top + 1 - x, layout.cut.top + 2)
        levels.append(_level(layout, work, x, on_disk=machines is None))
    total, waits, read = (sum(getattr(level, name) for level in levels) for name in ("bytes", "waits", "read"))
    compute = total * seconds_per_byte() / many / (machines or 1)
    traffic = (read + waits) / (network * (machines or 1)) if network else None
    memory = layout.memory if machines is None else max(level.memory for level in levels)
    return Plan(game, machines, network, many, total, waits, read, waits, memory, compute, traffic, tuple(levels))


def _level(layout: Layout, work: PartWork, x: int, *, on_disk: bool) -> PlannedLevel:
    """What the parts of a step take; on a cluster by some of its tasks."""
    cut, game = layout.cut, layout.cut.game
    sizes = step_of(game, x).sizes()
    count, blocks, part = cut.count(x), cut.blocks[x], work.waiting_bytes(x)
    above = cut.blocks[x + 1] * sizes[3] if x < cut.top else 0
    numbers = range(count) if on_disk else range(0, count, max(1, count // SAMPLE))
    reads = [work.reads(x, number) for number in numbers]
    fetched = [missing for _, missing in schedule(reads, layout.room(x))] if on_disk else reads
    read = sum(len(cut.span(x + 1, each)) * sizes[3] for some in fetched for each in some)
    if not on_disk:
        read = read * count // len(reads)
    task = layout.besides(x) + max(map(len, reads), default=0) * part
    return PlannedLevel(
        max(2 * x - 1, 0), blocks, blocks * (sizes[0] + sizes[1]), blocks * sizes[2], count,
        round(read / above, 2) if above else 0.0, read, task,
    )  # fmt: skip
