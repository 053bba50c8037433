"""Solving on disk: the tasks of `parts` in turn, within a limit of memory.

Parts of the level above stay in memory while there is room; when there is none, the part goes that is needed last
(`schedule`). The order of X's sets makes that few: with room for half of a level each part is read about once, with
room for a quarter one and a half times. `Layout` finds parts small enough for the limit before anything is made.

    cut.json      how the levels are cut; a solve that goes on keeps to it
    lock          held by the process that is solving into the folder
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from math import comb
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar

from noughts import words
from noughts.files import Locked, lock
from noughts.native import core, solver
from noughts.progress import Note, Progress
from noughts.rules.game import Game
from noughts.rules.symmetry import symmetries
from noughts.solve.backends.python import Backend
from noughts.solve.folder import open_levels
from noughts.solve.index import TIE, UNREACHABLE, check_size, decode, index_of, plain_index
from noughts.solve.job import AtWork, Expected, Job
from noughts.solve.levelfile import zstd
from noughts.solve.machine import free_memory, peak_rss_bytes, processors, rss_bytes
from noughts.solve.parts import (
    PART,
    PartCut,
    PartWork,
    Record,
    find_part,
    finish_level,
    keep_part,
    load,
    make_part,
    step_of,
    summary,
    waiting_block,
)
from noughts.solve.problems import Damaged, DatabaseError, FolderBusy, InvalidSolve, TooLarge
from noughts.solve.store import TEMPORARY, Folder, Store, is_remote
from noughts.solve.summary import LevelSummary, Summary
from noughts.words import several

SMALLEST = 1 << 14  # bytes of a part that are still worth a file
SPARE = 4_000_000  # bytes for what is small
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


@dataclass(frozen=True)
class Traffic(Note):
    """What was read and written on the way, and why so much."""

    read: int = 0
    written: int = 0
    waited: int = 0  # bytes of the levels that had to wait
    stays: ClassVar[bool] = True


# Which part when


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


# The end of a step


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


# In turn


def in_turn(layout: Layout, ledger: Ledger) -> Generator[Progress, None, int]:
    """Make all parts in turn, each while the last is written, and return the code of the empty board."""
    work, job, once, most = ledger.work, ledger.job, 0, 0
    for x, there in steps(work, job):
        parts, count, room = dict[int, Any](), work.cut.count(x), layout.room(x)
        todo = [number for number in range(count) if work.record_name(x, number) not in there]
        records = [make_part(work, x, number) for number in range(count) if number not in todo]
        size = sum(step_of(work.game, x, work.plain).sizes()[:2])
        before, seen = sum(job.sizes[2 * x + 1 :]), set[int]()
        with ThreadPoolExecutor(1) as writer:
            written: Future[Record] | None = None
            for number, (drop, missing) in zip(
                todo, schedule([work.reads(x, each) for each in todo], room), strict=True
            ):
                for part in drop:
                    del parts[part]
                for part in missing:
                    parts[part], read = load(work, x, part)
                    ledger.read += read
                    once += read * (part not in seen)
                    seen.add(part)
                most = max(most, len(parts))
                made = find_part(work, x, number, parts.__getitem__)
                if written:
                    records.append(ledger.wrote(written))
                written = writer.submit(keep_part, work, made)
                del made
                yield ledger.tell(x, number + 1, before + work.cut.span(x, number).stop * size)
            if written:
                records.append(ledger.wrote(written))
        del parts
        yield from ledger.finish(x, records)
    code = start_code(job)
    ledger.clean()
    parts_of = several(max(work.cut.count(x) for x in range(work.cut.top + 1)), "part")
    times = ledger.read / max(once, 1)  # nothing, where little was left to do
    why = f" (what waited {times:.2f} times: of at most {parts_of} a level, {most:,} fit into memory)"
    yield Traffic(
        f"{work.game}: {words.size(ledger.read)} read{why if once else ''}, {words.size(ledger.written)} written",
        read=ledger.read, written=ledger.written, waited=once,
    )  # fmt: skip
    return code


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


def limit(memory: int | None) -> int:
    """The memory that a solve on disk may take: what it was told, or what is free."""
    return memory or free_memory() or 4 << 30


# A whole solve


def solving_in_parts(
    game: Game, place: str, *, keeps: bool, threads: int | None = None, memory: int | None = None,
    compress: bool = False, backend: str | None = None, cluster: Any = None, part: int | None = None,
) -> Generator[Progress, None, Summary]:  # fmt: skip
    """Solve a game in parts, in turn or on a cluster: what `noughts.solve.strong.solving` does where it must."""
    if backend not in (None, "native", "python"):
        raise InvalidSolve(f"the backend {backend} does not solve in parts: native and python do")
    if game.gravity:
        raise InvalidSolve(f"{game} is solved in memory only: marks fall there, and its levels have no parts")
    began, plain = perf_counter(), backend == "python" or core() is None
    if plain and (refusal := Backend().refusal(game)):
        raise TooLarge(refusal)
    check_size(game)
    if compress:
        zstd()  # complain now, not after the work
    many = 1 if cluster is not None or plain else threads or processors()
    with holding(place), connected(cluster) as client:
        if client is None:
            layout = Layout.of(game, limit(memory), keeps=keeps, threads=many, part=part or PART)
        else:
            layout = Layout(PartCut.of(game, part or PART), limit(memory), keeps, many)
        chosen = layout.cut
        work = keep_cut(PartWork(chosen, place, keeps, compress, many, plain))
        layout = replace(layout, cut=work.cut)
        job = Job(game, many, [])
        take_up(work, job)
        ledger = Ledger(work, job)
        if len(job.levels) <= game.cells:
            name = "cluster" if client is not None else "python" if plain else "native"
            yield _expected(layout, work, name)
            if client is None:
                if work.cut != chosen and (needed := layout.needs()) > layout.memory:
                    raise TooLarge(
                        f"{place} is cut into parts that take {words.size(needed)} of memory; the limit is "
                        f"{words.size(layout.memory)}: choose another folder"
                    )
                code = yield from in_turn(layout, ledger)
            else:
                from noughts.solve.cluster import on_cluster

                code = yield from on_cluster(ledger, client)
        else:
            code = start_code(job)
            ledger.clean()
    value = decode(code, 0, game.cells)
    assert value is not None
    levels = tuple(job.levels[marks] for marks in sorted(job.levels))
    sums = tuple(job.checksums[marks] for marks in sorted(job.checksums))
    name = "cluster" if cluster is not None else "python" if plain else "native"
    seconds, traffic = perf_counter() - began, (ledger.read, ledger.written)
    return Summary(game, value, levels, seconds, peak_rss_bytes(), name, many, sums, *traffic)


@contextmanager
def connected(cluster: Any) -> Iterator[Any]:
    """The client of a cluster: a client as it is, a name by connecting to it, None for none."""
    if not isinstance(cluster, str):
        yield cluster
        return
    from noughts.solve.cluster import connecting

    with connecting(cluster) as client:
        yield client


def _expected(layout: Layout, work: PartWork, backend: str) -> Expected:
    """What it will take; TooLarge if there is less disk."""
    from noughts.solve.backends import BACKENDS

    game, sizes = work.game, index_of(work.game).level_bytes()
    total = sum(sizes)
    _, seconds = BACKENDS["python" if work.plain else "native"].estimate(game, total, work.threads)
    waits = [0, *(waiting_block(game, 2 * x - 1) * work.cut.blocks[x] for x in range(1, work.cut.top + 1))]
    most = max(map(sum, pairwise(waits)))  # one level is read while the one below it is made
    disk = total + total // 1000 if work.keeps else most
    if work.compress:
        disk //= 5 if work.keeps else 3  # on the safe side; two codes in a byte leave zstd less to do
    own = rss_bytes() + SPARE + most + 4 * PART  # no more than if nothing had to go
    memory = min(layout.memory, own) if backend != "cluster" else 0
    expected = Expected(f"solving {game}", 0, total, game, memory, disk, seconds, backend, work.threads)
    if not is_remote(work.place) and not work.store.names().difference(("lock", "cut.json")):
        expected.require(layout.memory, Path(work.place))
    return expected
