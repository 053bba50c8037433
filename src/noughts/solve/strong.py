"""Strong solving: the exact value and remoteness of every position of a game of at most 25 cells.

`solve` counts them; with `save` it keeps them in a folder that `Solution.open` reads. `expect` says beforehand what a
solve takes. The work is done by the native core (docs/explanation/how-5x5-is-solved.md), or without it and on small
boards by its plain twin in `levels`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from noughts import words
from noughts.native import MAX_THREADS, core
from noughts.rules.game import Game
from noughts.solve.index import check_size, decode, index_of, solver_of
from noughts.solve.machine import free_memory, peak_rss_bytes, processors
from noughts.solve.problems import Damaged, InvalidSolve, TooLarge
from noughts.solve.summary import Level, Summary
from noughts.words import about, brief, several, whole

if TYPE_CHECKING:
    from pathlib import Path

    from noughts.solve.folder import Writer

MAX_PLAIN_CELLS = 12  # for the plain twin: some seconds
PLAIN_SECONDS = 1e-4  # for each byte
COMPRESSED = 0.2  # what compression leaves, on the safe side
LITTLE = 50_000_000  # bytes of memory that are not worth asking about
WORTH_SHARING = 2_000_000  # bytes to compute: below, a thread takes longer to begin than its share of the work
PROBE = Game(3, 6, 4)  # solved to learn how fast this machine is

Progress = Callable[[int, int, int], None]  # the level at work; bytes done and in all; about ten times a second
LevelDone = Callable[[Level], None]  # is told the counts of each level as soon as it is solved


class Expected(NamedTuple):
    """What a solve will take."""

    game: Game
    size: int  # bytes to compute, one for each position of an X set that represents its orbit
    memory: int
    disk: int  # 0 where nothing is saved
    seconds: float  # about
    backend: str
    threads: int

    @property
    def positions(self) -> int:
        """About how many positions there are: those of all orbits."""
        from noughts.rules.symmetry import symmetries

        return self.size * len(symmetries(self.game))

    def __str__(self) -> str:
        saved = f", {words.size(self.disk)} of disk" if self.disk else ""
        time = f"{'about ' * (self.seconds >= 0.001)}{about(self.seconds)}"
        return (
            f"{self.game}: about {several(self.positions, 'position')}, {words.size(self.memory)} of memory{saved}, "
            f"{time} ({self.backend}, {several(self.threads, 'thread')})"
        )

    def require(self, memory: int | None, folder: Path | None) -> None:
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


Say = Callable[[Expected], None]


def expect(
    game: Game,
    *,
    threads: int | None = None,
    save: bool = False,
    compress: bool = False,
    backend: str | None = None,
    below: int | None = None,
) -> Expected:
    """What a solve will take, of the levels below one where those above are there already.

    >>> expect(Game()).size
    937
    """
    backend, threads = _backend(game, backend), _threads(threads, game)
    below = None if below is None else whole("below", below, 0, game.cells + 1, InvalidSolve)
    sizes = index_of(game).level_bytes()[:below]
    size = sum(sizes)
    if backend == "native":
        memory = solver_of(game).memory(threads) if sizes else 0
        seconds = size * _seconds_per_byte() / threads if size > 10**8 else 1e-8 * size
    else:
        threads, memory, seconds = 1, 2000 * size, PLAIN_SECONDS * size
    disk = 0
    if save:
        from noughts.solve.levelfile import pages_start

        at_once = max((sum(sizes[level : level + 2]) for level in range(len(sizes))), default=0)
        disk = int(size * COMPRESSED) + at_once if compress else size
        disk += sum(pages_start(size, compressed=compress) for size in sizes) + 100  # headers, tables, the lock
    return Expected(game, size, memory, disk, seconds, backend, threads)


@lru_cache(maxsize=1)
def _seconds_per_byte() -> float:
    """How fast one thread of this machine is, by trying."""
    job = _Run(PROBE, "native", 1)
    size = sum(index_of(PROBE).level_bytes())
    began = perf_counter()
    job.run()
    return (perf_counter() - began) / size


def solve(
    game: Game,
    *,
    threads: int | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
    level_done: LevelDone | None = None,
    save: str | os.PathLike[str] | None = None,
    compress: bool = False,
    backend: str | None = None,
    say: Say | None = None,
) -> Summary:
    """Solve a game strongly: count all positions that legal play can reach by value and remoteness.

    `threads` are all processors unless given, one for a small game. A solve that takes more than `memory` bytes (else:
    than are free), or more disk than there is, is refused with TooLarge. `level_done` gets the counts of each level,
    the fullest board first. `save` names a folder for the solution; a solve that was stopped goes on there. `say` is
    told what to expect before the work begins. `backend` is "native" or "python", chosen by itself unless named.

    >>> found = solve(Game())
    >>> found.value, found.positions, found.classes, (found.win, found.loss, found.tie)
    (Value(outcome='tie', remoteness=9), 5478, 765, (2836, 1574, 1068))
    """
    if compress and save is None:
        raise InvalidSolve("compress needs a folder to save to")
    job = _Run(game, _backend(game, backend), _threads(threads, game), progress, level_done)
    began = perf_counter()
    if save is None:
        _announce(expect(game, threads=job.threads, backend=job.backend), memory, None, say)
        return job.summary(job.run(), began)
    from pathlib import Path

    from noughts.solve.folder import Writer, level_path
    from noughts.solve.levelfile import LevelFile

    folder = Path(save)
    with Writer(folder, game, compress=compress, threads=job.threads) as writer:
        job.levels.update(writer.finished)
        if writer.resume_level != 0:
            below = None if writer.resume_level < 0 else writer.resume_level
            expected = expect(game, threads=job.threads, backend=job.backend, save=True, compress=compress, below=below)
            _announce(expected, memory, folder, say)
            job.run(writer)
        return job.summary(LevelFile(level_path(folder, 0))[0], began)


def solve_in_memory(
    game: Game,
    *,
    threads: int | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
    say: Say | None = None,
    backend: str | None = None,
) -> tuple[Summary, list[bytearray]]:
    """The same, and the bytes of all levels."""
    job = _Run(game, _backend(game, backend), _threads(threads, game), progress)
    began = perf_counter()
    expected = expect(game, threads=job.threads, backend=job.backend)
    _announce(expected._replace(memory=expected.memory + expected.size), memory, None, say)
    job.targets = [bytearray(size) for size in index_of(game).level_bytes()]
    return job.summary(job.run(), began), job.targets


def _announce(expected: Expected, memory: int | None, folder: Path | None, say: Say | None) -> None:
    """Refuse what is too large, and say what to expect of the rest."""
    if memory is not None:
        memory = whole("memory", memory, 1, refuse=InvalidSolve)
    expected.require(memory, folder)
    if say:
        say(expected)


class _Run:
    """One run of a solver, with its counts."""

    def __init__(
        self,
        game: Game,
        backend: str,
        threads: int,
        progress: Progress | None = None,
        level_done: LevelDone | None = None,
    ) -> None:
        self.game = game
        self.backend = backend
        self.threads = threads if backend == "native" else 1
        self.progress = progress
        self.level_done = level_done
        self.levels: dict[int, Level] = {}
        self.targets: list[bytearray] = []

    def summary(self, code: int, began: float) -> Summary:
        """What was found, given the code of the empty board."""
        value = decode(code, 0, self.game.cells)
        if value is None:
            raise Damaged(f"the saved solution of {self.game} says that its empty board cannot arise: remove level 0")
        levels = tuple(self.levels[marks] for marks in sorted(self.levels))
        took = perf_counter() - began
        return Summary(self.game, value, levels, took, peak_rss_bytes(), self.backend, self.threads)

    def run(self, writer: Writer | None = None) -> int:
        """Solve, and return the code of the empty board; the bytes go to `targets` or into the writer's files."""
        return self._native(writer) if self.backend == "native" else self._plain(writer)

    def _native(self, writer: Writer | None) -> int:
        def done(counts: Any) -> None:
            level = Level.from_core(counts)
            if writer:
                writer.finish(level)
            self._keep(level)

        resumes = writer is not None and writer.resume_level > 0
        return solver_of(self.game).run(
            threads=self.threads,
            memory=0,
            isa="",
            progress=self.progress,
            level_done=done,
            files=writer.files if writer else [],
            targets=[*self.targets],
            resume_level=writer.resume_level if writer and resumes else -1,
            resume_bytes=writer.resume_bytes() if writer and resumes else None,
        )

    def _plain(self, writer: Writer | None) -> int:
        from noughts.solve.levels import solve_levels

        below = writer.resume_level if writer and writer.resume_level >= 0 else None
        codes = b""
        for level, codes in solve_levels(self.game, below, self.progress):
            if self.targets:
                self.targets[level.marks][:] = codes
            if writer:
                file, offset = writer.files[level.marks]
                os.pwrite(file, codes, offset)
                writer.finish(level)
            self._keep(level)
        return codes[0]

    def _keep(self, level: Level) -> None:
        self.levels[level.marks] = level
        if self.level_done:
            self.level_done(level)


def _backend(game: Game, backend: str | None) -> str:
    check_size(game)
    if backend not in (None, "native", "python"):
        raise InvalidSolve(f"the backend must be native or python, not {brief(backend)}")
    if backend == "native" and core() is None:
        raise InvalidSolve("the native core is not installed (noughts doctor says more)")
    if backend is None:
        backend = "python" if core() is None else "native"
    if backend == "python" and game.cells > MAX_PLAIN_CELLS:
        raise TooLarge(
            f"{game} has {game.cells} cells: without the native core at most {MAX_PLAIN_CELLS} are solved "
            "(noughts doctor says how to get it)"
        )
    return backend


def _threads(threads: int | None, game: Game) -> int:
    if threads is None:
        return 1 if sum(index_of(game).level_bytes()) < WORTH_SHARING else processors()
    return whole("threads", threads, 1, MAX_THREADS, InvalidSolve)
