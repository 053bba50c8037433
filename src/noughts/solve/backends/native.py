"""The native solver: every game that strong solving takes, in C++ (docs/explanation/how-5x5-is-solved.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import replace
from functools import lru_cache, partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from noughts.native import core, solver
from noughts.progress import Progress, finish, from_callbacks
from noughts.rules.game import Game
from noughts.solve.backends.python import Backend
from noughts.solve.index import MAX_CELLS, decode
from noughts.solve.job import Job
from noughts.solve.machine import processors
from noughts.solve.summary import LevelSummary

if TYPE_CHECKING:
    from noughts.solve.solution import Solution

MOST_ON_GPU = 28  # cells
AT_ONCE = 2_000_000  # bytes: some milliseconds. A thread for less takes longer to begin than its work
IN_PLACE = 10_000_000  # bytes: hundredths of a second. For less, a thread that tells of it takes longer to wake
PROBES = {False: Game(3, 6, 4), True: Game(4, 5, 4, gravity=True)}  # solved to learn how fast this machine is
QUICK = {False: 1e-8, True: 3e-8}  # seconds for each byte of a small game: nobody minds


class Native(Backend):
    """The C++ core, with all processors."""

    name = "native"
    most_on_any_cell = 25  # 32 where marks fall, which `check_size` knows
    while_waiting = 200_000_000  # 4x5k4 has 163 million

    def absence(self) -> str | None:
        return "the native core is not installed (noughts doctor says more)" if core() is None else None

    def refusal(self, game: Game) -> str | None:
        if game.gravity or game.cells <= self.most_on_any_cell:
            return None
        return (
            f"{game} has {game.cells} cells: the native core solves at most {self.most_on_any_cell} in memory, "
            f"--backend cuda, on a GPU, {MOST_ON_GPU}, and --scratch DIR, on disk, {MAX_CELLS}"
        )

    def threads(self, size: int, wanted: int | None) -> int:
        """How many threads will solve a game of `size` bytes: as many as `wanted`, else one a processor, or one."""
        return wanted or (1 if size < AT_ONCE else processors())

    def estimate(self, game: Game, size: int, threads: int) -> tuple[int, float]:
        """The memory that the core reserves; the time of a large game by trying a smaller one."""
        memory = solver(game).memory(threads) if size else 0
        return memory, size * (seconds_per_byte(game.gravity) / threads if size > 10**8 else QUICK[game.gravity])

    def run(self, job: Job) -> Generator[Progress, None, int]:
        """Solve two levels at a time, those in which X has as many marks; one where marks fall."""
        yield job.at_work(*_together(job.game, len(job.sizes) - 1))
        if job.total >= IN_PLACE:
            return (yield from from_callbacks(partial(_solve, job)))
        told: list[Progress] = []
        code = _solve(job, told.append)
        yield from told
        return code

    def first_wrong(
        self, solution: Solution, marks: int, span: range, codes: Any, above: Any, threads: int
    ) -> int | None:
        """The first wrong place: every move is made and looked up, one at a time, which is not how the solver works."""
        return solver(solution.game).first_wrong(marks, span.start, span.stop, codes, above, threads)

    def count(self, game: Game, marks: int, codes: Any, threads: int) -> LevelSummary:
        """What the bytes of a level amount to, with the classes only where marks fall."""
        counted, classes = solver(game).count(marks, codes, threads)
        values = {decode(code, marks, game.cells): positions for code, positions in enumerate(counted) if positions}
        counts = Counter({value: positions for value, positions in values.items() if value})
        return LevelSummary.of(marks, classes, counts)

    def with_classes(self, game: Game, levels: list[LevelSummary], threads: int) -> list[LevelSummary]:
        """The levels with their classes, by Burnside's lemma."""
        classes = solver(game).classes([level.positions for level in levels], threads)
        if not classes:  # they were counted
            return levels
        return [replace(level, classes=number) for level, number in zip(levels, classes, strict=True)]


def _solve(job: Job, tell: Callable[[Progress], None]) -> int:
    writer, below = job.writer, len(job.sizes)

    def progress(level: int, done: int, _: int) -> None:
        if level not in job.levels:  # a late word
            tell(job.at_work(*_together(job.game, level), done=done))

    def level_done(counts: Any) -> None:
        level = LevelSummary.from_core(counts)

        def still_at_it() -> None:  # completing a large file takes seconds, in which the work may be abandoned
            if job.is_due:
                tell(job.at_work(level.marks))

        if writer:
            writer.finish(level, still_at_it)
        tell(job.finish(level))

    resumes = writer is not None and below <= job.game.cells
    return solver(job.game).run(
        threads=job.threads,
        memory=0,
        isa="",
        progress=progress,
        level_done=level_done,
        files=writer.files if writer else [],
        targets=[*job.targets],
        resume_level=below if resumes else -1,
        resume_bytes=writer.resume_bytes() if writer and resumes else None,
    )


def _together(game: Game, level: int) -> tuple[int, ...]:
    """The levels that are solved together with this one, the fullest.

    >>> _together(Game(), 6), _together(Game(), 9), _together(Game(), 0)
    ((6, 5), (9,), (0,))
    """
    return (level, level - 1) if level and level % 2 == 0 and not game.gravity else (level,)


@lru_cache(maxsize=2)
def seconds_per_byte(falls: bool = False) -> float:
    """How fast one thread of this machine is, by trying."""
    job, began = Job(PROBES[falls], 1, []), perf_counter()
    finish(Native().run(job))
    return (perf_counter() - began) / job.total
