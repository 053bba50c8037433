"""Strong solving: the exact value and remoteness of every position of a game of at most 30 cells, 32 where marks fall.

`solve` counts them; with `save` it keeps them in a folder that `Solution.open` reads. `solving` is the same work as a
generator of what there is to tell. `expect` says beforehand what a solve takes. A backend does the work.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

from noughts.native import MAX_THREADS
from noughts.progress import Progress, finish
from noughts.rules.game import Game
from noughts.solve.backends import choose
from noughts.solve.backends.python import Backend
from noughts.solve.folder import Writer, level_path
from noughts.solve.index import check_size, decode, index_of
from noughts.solve.job import Expected, Job
from noughts.solve.levelfile import LevelFile, pages_start
from noughts.solve.machine import peak_rss_bytes, rss_bytes
from noughts.solve.problems import Damaged, InvalidSolve, TooLarge
from noughts.solve.summary import Summary
from noughts.words import whole

COMPRESSED = 0.2  # what compression leaves, on the safe side


def expect(
    game: Game, *, threads: int | None = None, save: bool = False, compress: bool = False,
    backend: str | None = None, below: int | None = None,
) -> Expected:  # fmt: skip
    """What a solve will take, of the levels below one where those above are there already.

    >>> expect(Game()).total
    937
    """
    chosen = choose(game, backend)
    below = None if below is None else whole("below", below, 0, game.cells + 1, InvalidSolve)
    workers = _threads(game, chosen, threads)
    sizes = index_of(game).level_bytes()[:below]
    size = sum(sizes)
    memory, seconds = chosen.estimate(game, size, workers)
    disk = 0
    if save:
        at_once = max((sum(sizes[level : level + 2]) for level in range(len(sizes))), default=0)
        disk = int(size * COMPRESSED) + at_once if compress else size
        disk += sum(pages_start(size, compressed=compress) for size in sizes) + 100  # headers, tables, the lock
    device = chosen.device_memory(game)
    return Expected(f"solving {game}", 0, size, game, memory, disk, seconds, chosen.name, workers, device)


def solve(
    game: Game, *, threads: int | None = None, memory: int | None = None,
    save: str | os.PathLike[str] | None = None, compress: bool = False, backend: str | None = None,
    scratch: str | os.PathLike[str] | None = None, cluster: Any = None, part: int | None = None,
) -> Summary:  # fmt: skip
    """Solve a game strongly: count all positions that legal play can reach by value and remoteness.

    `threads` are all processors unless given, one for a small game. A solve that takes more than `memory` bytes (else:
    than are free), or more disk than there is, is refused with TooLarge. `save` names a folder for the solution; a
    solve that was stopped goes on there. `backend` is one of `BACKENDS`, the fastest that takes the game unless named.

    With `save`, a game that takes more than `memory` is solved on disk within it, in parts of about `part` bytes; with
    `scratch`, a folder for what waits on the way, any game is, and nothing is kept. `cluster` has the parts made by the
    workers of a Dask client, or of the cluster of that name (`local:4`, `tcp://host:8786`).

    >>> found = solve(Game())
    >>> found.value, found.positions, found.classes, (found.win, found.loss, found.tie)
    (Value(outcome='tie', remoteness=9), 5478, 765, (2836, 1574, 1068))
    """
    return finish(
        solving(
            game, threads=threads, memory=memory, save=save, compress=compress, backend=backend,
            scratch=scratch, cluster=cluster, part=part,
        )
    )  # fmt: skip


def solving(
    game: Game, *, threads: int | None = None, memory: int | None = None,
    save: str | os.PathLike[str] | None = None, compress: bool = False, backend: str | None = None,
    scratch: str | os.PathLike[str] | None = None, cluster: Any = None, part: int | None = None,
) -> Generator[Progress, None, Summary]:  # fmt: skip
    """Solve a game strongly and tell of it, with the options of `solve`.

    The events are `Expected` first, then `AtWork` about ten times a second, and `LevelDone` for each level, the
    fullest board first. What is saved when the generator is closed stays: the same solve goes on there.

    >>> from noughts.solve.job import LevelDone
    >>> [event.counts.positions for event in solving(Game()) if isinstance(event, LevelDone)]
    [78, 390, 1140, 1520, 1260, 756, 252, 72, 9, 1]
    """
    if compress and save is None and scratch is None:
        raise InvalidSolve("compress needs a folder to write to: save or scratch")
    if scratch is not None and save is not None:
        raise InvalidSolve("save keeps the solution and scratch only what waits on the way: choose one")
    if cluster is not None and save is None and scratch is None:
        raise InvalidSolve("a cluster needs a place that its workers share: save or scratch")
    if part is not None:
        part = whole("part", part, 1, refuse=InvalidSolve)
    memory = None if memory is None else whole("memory", memory, 1, refuse=InvalidSolve)
    place = save if scratch is None else scratch
    if place is not None and (
        scratch is not None or cluster is not None or part or goes_by_parts(game, place, threads, memory, backend)
    ):
        from noughts.solve.by_parts import solving_in_parts

        return (
            yield from solving_in_parts(
                game, str(place), keeps=scratch is None, threads=threads, memory=memory, compress=compress,
                backend=backend, cluster=cluster, part=part,
            )
        )  # fmt: skip
    folder = None if save is None else Path(save)
    return (yield from _solving(game, threads, memory, folder, compress, backend))[0]


def begun(place: str | os.PathLike[str] | None) -> bool:
    """Was a solve begun in this folder or store?"""
    from noughts.solve.store import open_store

    return place is not None and any(
        name == "cut.json" or name.startswith("level-") for name in open_store(str(place)).names()
    )


def goes_by_parts(
    game: Game, place: str | os.PathLike[str], threads: int | None, memory: int | None, backend: str | None
) -> bool:
    """Is a game to be saved solved in parts: in a store, where it was begun so, or as it takes too much memory?"""
    from noughts.solve.store import is_remote

    if is_remote(place) or (Path(place) / "cut.json").exists():
        return True
    if memory is None or game.gravity or backend == "cuda":
        return False
    try:
        return rss_bytes() + expect(game, threads=threads, backend=backend).memory > memory
    except TooLarge:  # for a solve in memory
        check_size(game)
        return True


def solving_in_memory(
    game: Game, *, threads: int | None = None, memory: int | None = None, backend: str | None = None
) -> Generator[Progress, None, tuple[Summary, list[bytearray]]]:
    """Solve a game strongly, and return the bytes of all its levels with the summary; tells what `solving` tells."""
    return (yield from _solving(game, threads, memory, None, False, backend, in_memory=True))


def _solving(
    game: Game, threads: int | None, memory: int | None, folder: Path | None, compress: bool, backend: str | None,
    in_memory: bool = False,
) -> Generator[Progress, None, tuple[Summary, list[bytearray]]]:  # fmt: skip
    """Refuse what is too large, say what to expect of the rest, and have it solved."""
    began, chosen = perf_counter(), choose(game, backend)
    workers, targets = _threads(game, chosen, threads), list[bytearray]()
    memory = None if memory is None else whole("memory", memory, 1, refuse=InvalidSolve)
    with Writer(folder, game, compress=compress, threads=workers) if folder else nullcontext() as writer:
        job = Job(game, workers, targets, writer)
        if job.sizes:  # else all levels were there already
            saved = folder is not None
            expected = expect(
                game, threads=workers, save=saved, compress=compress, backend=chosen.name, below=len(job.sizes)
            )
            if in_memory:
                expected = replace(expected, memory=expected.memory + expected.total)
            expected.require(memory, folder)
            yield expected
            targets += [bytearray(size) for size in job.sizes if in_memory]
            code = yield from chosen.run(job)
        if folder:
            code = LevelFile(level_path(folder, 0))[0]
    value = decode(code, 0, game.cells)
    if value is None:
        raise Damaged(f"the saved solution of {game} says that its empty board cannot arise: remove level 0")
    levels = tuple(job.levels[marks] for marks in sorted(job.levels))
    sums = tuple(job.checksums[marks] for marks in sorted(job.checksums))
    return Summary(game, value, levels, perf_counter() - began, peak_rss_bytes(), chosen.name, workers, sums), targets


def _threads(game: Game, backend: Backend, threads: int | None) -> int:
    if threads is not None:
        threads = whole("threads", threads, 1, MAX_THREADS, InvalidSolve)
    return backend.threads(sum(index_of(game).level_bytes()), threads)


def __getattr__(name: str) -> object:
    from noughts.moved import find

    return find(__name__, name)
