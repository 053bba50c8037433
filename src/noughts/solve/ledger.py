"""What a solve in parts has found so far: what an earlier run has left in the store, and what is done since.

cut.json      how the levels are cut; a solve that goes on keeps to it
lock          held by the process that is solving into the folder
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from noughts import words
from noughts.files import Locked, lock
from noughts.native import core, solver
from noughts.progress import Progress
from noughts.rules.game import Game
from noughts.rules.symmetry import symmetries
from noughts.solve.folder import open_levels
from noughts.solve.index import TIE, UNREACHABLE, plain_index
from noughts.solve.job import AtWork, Job
from noughts.solve.parts import PartCut, PartWork, Record, finish_level, summary
from noughts.solve.problems import Damaged, DatabaseError, FolderBusy
from noughts.solve.store import TEMPORARY, Folder, Store, is_remote
from noughts.solve.summary import LevelSummary

OURS, KEPT = ("wait-", "step-", "cut.json"), ("level-", "part-")  # how names begin of what goes in the end, and stays


@dataclass(frozen=True)
class PartsAtWork(AtWork):
    """So many parts of the levels at work are done, and so much was read and written."""

    part: int = 0
    parts: int = 0
    read: int = 0
    written: int = 0

    @property
    def detail(self) -> str:
        """How far it is, and how fast; whoever shows it tells how long it will take."""
        return (
            f"{super().detail}, part {self.part:,} of {self.parts:,}, {words.size(self.read)} read, "
            f"{words.size(self.written)} written"
        )


# What is there already


def take_up(work: PartWork, job: Job) -> None:
    """Put into a job the levels that are finished without a gap from the full board down, each with its neighbour."""
    names = work.store.names()
    saved = _saved_levels(work, names)
    for x in range(work.cut.top, -1, -1):
        levels = work.cut.levels(x)
        if f"step-{x:02}.json" in names:
            for level, checksum in zip(*_read_step(work.store, x), strict=True):
                job.levels[level.marks], job.checksums[level.marks] = level, checksum
        elif all(level in saved for level in levels) and not _records(work, x) & names:  # else it tells of checksums
            job.levels.update({level: saved[level] for level in levels})
        else:
            break


def _records(work: PartWork, x: int) -> set[str]:
    """The records of all tasks of a step."""
    return {work.record_name(x, number) for number in range(work.cut.count(x))}


def _saved_levels(work: PartWork, names: set[str]) -> dict[int, LevelSummary]:
    """The levels of a solution that is there, each of which must be of this game."""
    if not work.keeps or not any(name.startswith("level-") for name in names):
        return {}
    found = {}
    for file in open_levels(work.store, work.game):
        found[file.header.level] = file.header.counts
        file.close()
    return found


def _read_step(store: Store, x: int) -> tuple[list[LevelSummary], list[int]]:
    name = f"step-{x:02}.json"
    try:
        data = json.loads(store.read(name))
        return [LevelSummary.from_json(level) for level in data["levels"]], [
            int(each, 16) for each in data["checksums"]
        ]
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        if isinstance(problem, DatabaseError):
            raise
        raise Damaged(f"{store.place}/{name} is damaged ({problem}): remove the folder, and begin again") from None


def keep_cut(work: PartWork) -> PartWork:
    """The work with the cut that is in its store, or with its own, which is then put there."""
    try:
        data = json.loads(work.store.read("cut.json"))
        game, per, keeps = Game.parse(data["game"]), tuple(int(each) for each in data["per"]), bool(data["keeps"])
        compress = work.compress if keeps else bool(data["compress"])
        if min(per) < 1 or (game == work.game and len(per) != len(work.cut.per)):
            raise ValueError("parts that cannot be")
    except FileNotFoundError:
        if not work.keeps and any(name.startswith(KEPT) for name in work.store.names()):
            raise DatabaseError(f"{work.place} holds a solution: choose another folder for --scratch") from None
        cut = {"game": str(work.game), "per": work.cut.per, "keeps": work.keeps, "compress": work.compress}
        work.store.write("cut.json", json.dumps(cut).encode("ascii"))
        return work
    except (ValueError, KeyError, TypeError) as problem:
        if isinstance(problem, DatabaseError):
            raise
        raise Damaged(f"{work.place}/cut.json is damaged ({problem}): remove it, and begin again") from None
    if game != work.game:
        raise DatabaseError(f"{work.place} belongs to {game}, not to {work.game}: choose another folder")
    if keeps != work.keeps:
        was, now = ("--save", "--scratch") if keeps else ("--scratch", "--save")
        raise DatabaseError(f"{work.place} was begun with {was}, not with {now}: go on so, or choose another folder")
    return replace(work, cut=PartCut(game, per), compress=compress)


@contextmanager
def holding(place: str) -> Iterator[None]:
    """Hold the lock of a folder, and remove what a crash left there; a store that is no folder has none."""
    if is_remote(place):
        yield
        return
    folder = Path(place)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = lock(folder / "lock")
    except Locked as owner:
        by = f" (process {owner})" if str(owner) else ""
        raise FolderBusy(f"another noughts{by} is solving into {folder}: wait, or choose another folder") from None
    except OSError as problem:
        raise DatabaseError(f"{folder} cannot be written: {problem.strerror}") from None
    with held:
        for left in folder.glob(f"*{TEMPORARY}"):
            left.unlink(missing_ok=True)
        yield


# What is found


class Ledger:
    """What a solve in parts has found: it finishes levels when all their parts are there, and forgets what waited."""

    def __init__(self, work: PartWork, job: Job) -> None:
        self.work, self.job = work, job
        self._fixed: list[int] | None = None
        self.read = self.written = 0
        self._there = sum(job.sizes[level] for level in job.levels)

    def add(self, record: Record) -> None:
        """A task is done."""
        self.read += record.read
        self.written += record.written

    def wrote(self, writing: Future[Record]) -> Record:
        """A part is written, as soon as it is."""
        record = writing.result()
        self.written += record.written
        return record

    def tell(self, x: int, part: int, done: int) -> PartsAtWork:
        """So many parts of a step are done, and so many bytes of the whole."""
        told = self.job.at_work(*self.work.cut.levels(x), done=done)
        return PartsAtWork(
            told.what, told.done, told.total, told.levels, told.seconds, told.images, self._there,
            part, self.work.cut.count(x), self.read, self.written,
        )  # fmt: skip

    def finish(self, x: int, records: Sequence[Record]) -> Iterator[Progress]:
        """All tasks of a step are done: its levels are finished."""
        game, cut = self.work.game, self.work.cut
        levels, sums = [], []
        for level in cut.levels(x):
            counts: dict[int, int] = {}
            for record in records:
                for code, positions in (record.odd if level % 2 else record.even).items():
                    counts[code] = counts.get(code, 0) + positions
            sums.append(sum(record.sums[level % 2] for record in records) % 2**64)
            found = summary(game, level, counts)
            levels.append(summary(game, level, counts, self._classes(found)))
            if self.work.keeps:
                finish_level(self.work, levels[-1])
        store = self.work.store
        data = {"levels": [level.to_json() for level in levels], "checksums": [f"{each:016x}" for each in sums]}
        store.write(f"step-{x:02}.json", json.dumps(data).encode("ascii"))
        self._forget(x)
        for counted, checksum in zip(levels, sums, strict=True):
            self.job.checksums[counted.marks] = checksum
            yield self.job.finish(counted)

    def _forget(self, x: int) -> None:
        """The records of a step, and what waited for it, are of no use any more."""
        work = self.work
        for number in range(work.cut.count(x)):
            work.store.remove(work.record_name(x, number))
        if not work.keeps and x < work.cut.top:
            for number in range(work.cut.count(x + 1)):
                work.store.remove(work.waiting_name(x + 1, number))

    def _classes(self, level: LevelSummary) -> int:
        game = self.work.game
        if self.work.plain or core() is None:
            return _plain_classes(game, level.marks)
        if self._fixed is None:
            self._fixed = solver(game).fixed(self.work.threads, bytearray(1))
        return (level.positions + self._fixed[level.marks]) // len(symmetries(game))

    def clean(self) -> None:
        """The solve is done: nothing stays but the solution, if it is kept."""
        for name in sorted(self.work.store.names(), reverse=True):
            if name.startswith(OURS):  # cut.json comes last
                self.work.store.remove(name)
        if isinstance(self.work.store, Folder) and not self.work.keeps:
            self.work.store.remove("lock")
            with suppress(OSError):
                self.work.store.path.rmdir()  # unless there is something else


def _plain_classes(game: Game, marks: int) -> int:
    index: Any = plain_index(game)
    sets = (
        (index.to_numbers(x), index.to_numbers(o)) for x, o in index.boards(marks) if index.judge(x, o) != UNREACHABLE
    )
    found: int = sum(index.weight(x, o)[1] for x, o in sets)
    for x in index.won((marks + 1) // 2) if marks % 2 else ():
        found += sum(index.weight(x, o)[1] for o in index.sets_beside(x, marks // 2) if index.is_open(o))
    return found


def steps(work: PartWork, job: Job) -> Iterator[tuple[int, set[str]]]:
    """The steps that are not finished, each with the records that are there already."""
    names = work.store.names()
    for x in range(work.cut.top, -1, -1):
        if any(level not in job.levels for level in work.cut.levels(x)):
            yield x, _records(work, x) & names


def start_code(job: Job) -> int:
    """The code of the empty board, from the counts of its level."""
    level = job.levels[0]
    if level.tie:
        return TIE
    won, plies = bool(level.win), next(iter(level.win or level.loss))
    return 254 - plies if won else plies
