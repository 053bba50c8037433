"""Is a saved solution right? Every checksum and count, and positions derived again from the level above, by the rules.

The derivation is not the solver's: it makes every move from a position, one position at a time, and looks up where each
leads (native/database.cpp, or in Python below).
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, ClassVar, Literal

from noughts.native import MAX_THREADS
from noughts.progress import Progress, finish
from noughts.rules.answer import Answer
from noughts.rules.game import Game
from noughts.rules.notation import board_rows
from noughts.rules.position import Setup
from noughts.solve.backends import usable
from noughts.solve.folder import whole_level
from noughts.solve.index import decode
from noughts.solve.job import AtWork
from noughts.solve.levelfile import LevelFile
from noughts.solve.machine import processors
from noughts.solve.problems import Damaged, InvalidSolve
from noughts.solve.solution import Solution
from noughts.solve.store import is_remote
from noughts.solve.summary import LevelSummary
from noughts.words import brief, whole

SAMPLE = 2_000_000  # positions, unless told otherwise: some seconds natively


@dataclass(frozen=True)
class Verified(Answer):
    """What was checked and found right."""

    keys = "game verified levels bytes blocks blocks_derived places places_derived seconds"
    verified: ClassVar[Literal[True]] = True

    game: Game
    levels: int
    bytes: int  # whose checksums are right
    blocks: int  # blocks (all positions with one set of X), and how many of them were derived again
    blocks_derived: int
    places: int  # the same in positions
    places_derived: int
    seconds: float


def verify(
    folder: str | os.PathLike[str], *, sample: int | None = SAMPLE, seed: int = 0, threads: int | None = None
) -> Verified:
    """Check a saved solution; Damaged says where it is wrong.

    Every checksum is checked, and all positions are counted and compared with the headers. Blocks are derived again:
    about `sample` positions, at least one block of each level, or all with None. The blocks are drawn by `seed`.
    """
    return finish(verifying(folder, sample=sample, seed=seed, threads=threads))


def verifying(
    folder: str | os.PathLike[str], *, sample: int | None = SAMPLE, seed: int = 0, threads: int | None = None
) -> Generator[Progress, None, Verified]:
    """Check a saved solution as `verify` does, and tell how far it is; Damaged says where it is wrong."""
    sample = None if sample is None else whole("sample", sample, 0, refuse=InvalidSolve)
    seed = whole("seed", seed, refuse=InvalidSolve)
    workers = processors() if threads is None else whole("threads", threads, 1, MAX_THREADS, InvalidSolve)
    began, backend = perf_counter(), usable()[0]
    with Solution.open(folder) as solution:
        sizes = [len(level) for level in solution.levels]
        total, done, stored, derived = sum(sizes), 0, 0, [0, 0]
        share = 1.0 if sample is None or sample >= total else sample / total
        next_level: Any = b""
        counted: list[LevelSummary] = []
        for marks in reversed(range(len(sizes))):
            level = solution.levels[marks]
            assert isinstance(level, LevelFile)
            codes = whole_level(level, None if is_remote(folder) else Path(folder), workers)
            stored += level.stored
            block = solution.index.block_bytes(marks)
            for begin, end in _drawn(sizes[marks] // block, share, Random(f"{seed} {marks}")):
                wrong = backend.first_wrong(
                    solution, marks, range(begin * block, end * block), codes, next_level, workers
                )
                if wrong is not None:
                    raise _contradiction(solution, level, marks, wrong, codes[wrong])
                derived[0] += end - begin
                derived[1] += (end - begin) * block
                seconds = perf_counter() - began
                yield AtWork(f"verifying {solution.game}", done + end * block, total, (marks,), seconds)
            counted.insert(0, backend.count(solution.game, marks, codes, workers))
            done += sizes[marks]
            next_level = codes
        _compare(solution, backend.with_classes(solution.game, counted, workers))
        blocks = sum(size // solution.index.block_bytes(marks) for marks, size in enumerate(sizes))
        del codes, next_level
        return Verified(
            solution.game, len(sizes), stored, blocks, derived[0], total, derived[1], perf_counter() - began
        )


def _drawn(blocks: int, share: float, rng: Random) -> Iterator[tuple[int, int]]:
    """Which blocks of a level to derive again, as ranges."""
    if share == 1.0:
        step = max(1, blocks // 100)
        yield from ((begin, min(begin + step, blocks)) for begin in range(0, blocks, step))
        return
    for number in sorted(rng.sample(range(blocks), min(blocks, max(1, round(blocks * share))))):
        yield number, number + 1


def _compare(solution: Solution, levels: list[LevelSummary]) -> None:
    """Damaged, if a header does not say what the bytes of its level amount to."""
    for file, found in zip(solution.levels, levels, strict=True):
        assert isinstance(file, LevelFile)
        for name, number in vars(found).items():
            if (said := getattr(file.header.counts, name)) != number:
                raise Damaged(
                    f"{file.path} is wrong: {name} is {brief(said)} in its header, and {brief(number)} in truth"
                )


def _contradiction(solution: Solution, level: LevelFile, marks: int, place: int, code: int) -> Damaged:
    game = solution.game
    x, o = solution.index.position_at(marks, place)
    board = "/".join(board_rows(Setup(game, x, o)))
    says = decode(code, marks, game.cells) or "unreachable"
    return Damaged(f"{level.path} is wrong: it says {says} of {game}:{board}, and the level above does not")
