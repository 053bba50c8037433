"""A level as a row of parts, and the task that makes one: what solving on disk and solving on a cluster share.

    level 2x + 1   O to move   | part 0 | part 1 | part 2 | part 3 |      waits in a store
                                      \\      |      /
    level 2x       X to move           | part 1 |                        made by one task: the same range of X's sets
    level 2x - 1   O to move           | part 1 |                        in both levels

A part is a range of X's blocks. A task makes a part of two levels from the parts of level 2x + 1 that its X sets lead
to, and tells what it found in a `Record`. It depends on nothing else, and makes the same bytes whoever runs it, and
however often: so tasks can be run in turn by one machine (`by_parts`), or by many (`cluster`). A task is done when its
record is in the store, which is written last.

    wait-13-0001-of-0003                 a part of level 13 that waits: two codes in a byte where they fit, and a CRC-32
    part-13-0001-of-0003.noughts         the same where the solution is kept, with part-14-…: see `levelfile`
    step-07-0001-of-0003.json            the record of the task that made them
    step-07.json                         both levels are finished: what their positions are worth

Why a task reads few parts: the set with a block is the smallest of its orbit, so sets that lie together have the same
high cells. A move on a low cell leaves those as they are, and there are only as many others as there are high cells.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from typing import Any

from noughts.native import core, solver
from noughts.rules.game import Game
from noughts.rules.value import Value
from noughts.solve.blocks import Bytes, step_of, waiting_block
from noughts.solve.index import decode, index_of, plain_index
from noughts.solve.levelfile import (
    HEADER,
    PAGE,
    Header,
    LevelFile,
    open_level,
    pack,
    pack_table,
    pages_start,
    part_name,
    unpack,
)
from noughts.solve.problems import Damaged, InvalidSolve
from noughts.solve.store import Folder, Store, open_store
from noughts.solve.summary import LevelSummary

PART = 1 << 26  # bytes that a task makes, unless told otherwise: less than a second's work, and one file or two


@dataclass(frozen=True)
class PartCut:
    """How the levels of a game are cut: so many blocks a part, for each number of cells that X can have."""

    game: Game
    per: tuple[int, ...]

    @staticmethod
    def of(game: Game, part: int = PART) -> PartCut:
        """Parts of about so many bytes, those of both levels together."""
        if game.gravity:
            raise InvalidSolve(f"{game} is not solved in parts: marks fall there (without them it is solved in memory)")
        index, top = index_of(game), (game.cells + 1) // 2
        even = [index.block_bytes(2 * x) if 2 * x <= game.cells else 0 for x in range(top + 1)]
        odd = [0, *(index.block_bytes(2 * x - 1) for x in range(1, top + 1))]
        waits = [0, *(waiting_block(game, 2 * x - 1) for x in range(1, top + 1))]  # more than a block that is tiny
        most = (max(sum(blocks), wait) for *blocks, wait in zip(even, odd, waits, strict=True))
        return PartCut(game, tuple(max(1, part // size) for size in most))

    @cached_property
    def top(self) -> int:
        """The most cells that X can have."""
        return (self.game.cells + 1) // 2

    @cached_property
    def blocks(self) -> tuple[int, ...]:
        """How many blocks there are, for each number of cells that X can have."""
        index, sizes = index_of(self.game), index_of(self.game).level_bytes()
        return tuple(sizes[level] // index.block_bytes(level) for level in (0, *range(1, self.game.cells + 1, 2)))

    def most(self, x: int) -> int:
        """How many blocks the largest part has; none where there is no such number of cells."""
        return min(self.per[x], self.blocks[x]) if x <= self.top else 0

    def count(self, x: int) -> int:
        """How many parts there are; one where there is not a block."""
        return max(1, -(-self.blocks[x] // self.per[x]))

    def span(self, x: int, number: int) -> range:
        """The blocks of a part."""
        return range(number * self.per[x], min((number + 1) * self.per[x], self.blocks[x]))

    def levels(self, x: int) -> list[int]:
        """The levels that the parts of this number belong to: the full board first."""
        return [level for level in (2 * x, 2 * x - 1) if 0 <= level <= self.game.cells]


# Tasks


@dataclass(frozen=True)
class Record:
    """What a task found, and that it is done: positions by code of both levels, their checksums, bytes written."""

    x: int
    number: int
    of: int
    even: dict[int, int]
    odd: dict[int, int]
    sums: tuple[int, int]
    read: int = 0
    written: int = 0

    def pack(self) -> bytes:
        """The record as it is stored."""
        return json.dumps(asdict(self)).encode("ascii")

    @staticmethod
    def unpack(data: bytes, name: str) -> Record:
        """The inverse; Damaged if it is none."""
        try:
            found = json.loads(data)
            for codes in ("even", "odd"):
                found[codes] = {int(code): int(count) for code, count in found[codes].items()}
            return Record(**{**found, "sums": tuple(found["sums"])})
        except (ValueError, KeyError, TypeError, AttributeError) as problem:
            raise Damaged(f"{name} is damaged ({problem}): remove it, and the same solve makes it again") from None


@dataclass(frozen=True)
class PartWork:
    """What all tasks of a solve share. It travels to workers, so it is text and numbers only."""

    cut: PartCut
    place: str  # of the store
    keeps: bool  # both levels, as a solution? Else only what waits
    compress: bool = False
    threads: int = 1
    plain: bool = False  # by the plain twin

    @property
    def game(self) -> Game:
        """The game that is solved."""
        return self.cut.game

    @property
    def store(self) -> Store:
        """Where the parts lie."""
        return open_store(self.place)

    def record_name(self, x: int, number: int) -> str:
        """What the record of a task is called."""
        return f"step-{x:02}-{number:04}-of-{self.cut.count(x):04}.json"

    def waiting_name(self, x: int, number: int) -> str:
        """What a part that waits is called."""
        return f"wait-{2 * x - 1:02}-{number:04}-of-{self.cut.count(x):04}"

    def part_names(self, x: int, number: int) -> list[str]:
        """What a task writes besides its record."""
        if self.keeps:
            return [part_name(level, number, self.cut.count(x)) for level in self.cut.levels(x)]
        return [self.waiting_name(x, number)] if x else []

    def reads(self, x: int, number: int) -> list[int]:
        """Which parts of level 2x + 1 a task reads."""
        span = self.cut.span(x, number)
        above = self.cut.per[x + 1] if x < self.cut.top else 1
        return step_of(self.game, x, self.plain).reads(span.start, span.stop, above)

    def waiting_bytes(self, x: int) -> int:
        """What a part of level 2x + 1 takes while it waits."""
        return step_of(self.game, x, self.plain).sizes()[3] * self.cut.most(x + 1)


def load(work: PartWork, x: int, number: int) -> tuple[Bytes, int]:
    """A part of level 2x + 1 as it waits, from the store, checked; and how many bytes were read for it."""
    step = step_of(work.game, x, work.plain)
    size = len(work.cut.span(x + 1, number)) * step.sizes()[3]
    if not work.keeps:
        name = work.waiting_name(x + 1, number)
        data = work.store.read(name)
        stored = memoryview(data)[:-4]
        if zlib.crc32(stored) != int.from_bytes(data[-4:], "little"):
            raise Damaged(f"{work.place}/{name} is damaged: remove it and its step-….json, and the same solve goes on")
        return unpack(stored, size, f"{work.place}/{name}") if work.compress else stored, len(data)
    codes = _saved(work, x + 1, number)
    waiting = bytearray(size)
    step.wait(codes, waiting)
    return waiting, len(codes)


def _saved(work: PartWork, x: int, number: int) -> Bytes:
    """The bytes of a part of level 2x - 1 that is kept: a file of its own, or part of a level that is finished."""
    level, span = 2 * x - 1, work.cut.span(x, number)
    block, store = index_of(work.game).block_bytes(level), work.store
    name = part_name(level, number, work.cut.count(x))
    try:
        store.size(name)
    except FileNotFoundError:
        return open_level(f"level-{level:02}.noughts", store).read(span.start * block, span.stop * block)
    part = LevelFile(store.path / name) if isinstance(store, Folder) else LevelFile(name, store)
    return part.read(0, len(part))


@dataclass(frozen=True)
class Made:
    """What a task has made, not yet written: the pieces of each file, and its record."""

    record: Record
    files: dict[str, list[Bytes]]
    lasts: bool


def make_part(work: PartWork, x: int, number: int, take: Callable[[int], Bytes] | None = None) -> Record:
    """Make a part, unless its record is there: write its bytes, then its record. `take` gives what it reads."""
    name = work.record_name(x, number)
    try:
        return Record.unpack(work.store.read(name), f"{work.place}/{name}")
    except FileNotFoundError:
        return keep_part(work, find_part(work, x, number, take or (lambda each: load(work, x, each)[0])))


def find_part(work: PartWork, x: int, number: int, take: Callable[[int], Bytes]) -> Made:
    """Compute a part."""
    step, span = step_of(work.game, x, work.plain), work.cut.span(x, number)
    even_block, odd_block, waiting_block, _ = step.sizes()
    above = {each: take(each) for each in work.reads(x, number)}
    won = _won(work.game, x, work.plain)
    of = work.cut.count(x)
    even = bytearray(len(span) * even_block) if work.keeps else None
    odd = bytearray(len(span) * odd_block) if work.keeps else None
    waiting = None if work.keeps else bytearray(len(span) * waiting_block)
    found = step.solve(
        span.start, span.stop, won * number // of, won * (number + 1) // of,
        work.cut.per[x + 1] if x < work.cut.top else 1, above, even, odd, waiting, work.threads,
    )  # fmt: skip
    files: dict[str, list[Bytes]] = {}
    if work.keeps:
        made = zip(work.cut.levels(x), _by_level(work, x, even, odd), _by_level(work, x, *found[:2]), strict=True)
        for level, codes, counts in made:
            files[part_name(level, number, of)] = _as_file(work, level, (number, of), codes, counts)
    elif waiting is not None and x:
        stored = pack(waiting) if work.compress else waiting
        files[work.waiting_name(x, number)] = [stored, zlib.crc32(stored).to_bytes(4, "little")]
    written = sum(len(piece) for pieces in files.values() for piece in pieces)
    read = sum(map(len, above.values()))
    return Made(Record(x, number, of, found[0], found[1], (found[2], found[3]), read, written), files, work.keeps)


def keep_part(work: PartWork, made: Made) -> Record:
    """Write a part, and its record when the part is there."""
    for name, pieces in made.files.items():
        work.store.write(name, *pieces, lasts=made.lasts)
    record = made.record
    work.store.write(work.record_name(record.x, record.number), record.pack(), lasts=False)
    return record


def _by_level(work: PartWork, x: int, even: Any, odd: Any) -> list[Any]:
    """Of two things, those of the levels that there are."""
    return [even if level % 2 == 0 else odd for level in work.cut.levels(x)]


@lru_cache(maxsize=2)
def _won(game: Game, x: int, plain: bool) -> int:
    """How many sets X has just won with, up to symmetry."""
    if plain or core() is None:
        return len(plain_index(game).won(x))  # type: ignore[union-attr, unused-ignore]
    return len(solver(game).x_sets(x)[1]) // 4


def _as_file(work: PartWork, level: int, part: tuple[int, int], codes: Bytes, counts: Mapping[int, int]) -> list[Bytes]:
    """A part as a level file: its header and table, and its pages."""
    view = memoryview(codes)
    pages: Iterable[Bytes] = (view[at : at + PAGE] for at in range(0, len(view), PAGE))
    ends, stored = None, [codes]
    if work.compress:
        pages = stored = [pack(bytes(page)) for page in pages]
        ends, end = [], 0
        for page in stored:
            end += len(page)
            ends.append(end)
    table = pack_table([zlib.crc32(page) for page in pages], ends)
    header = Header(
        work.game, summary(work.game, level, counts), len(view), "zstd" if work.compress else None,
        sum(map(len, stored)), zlib.crc32(table), 0, part,
    )  # fmt: skip
    return [header.pack(), table, *stored]


def summary(game: Game, marks: int, counts: Mapping[int, int], classes: int = 0) -> LevelSummary:
    """What positions by code amount to."""
    values: Counter[Value] = Counter()
    for code, positions in counts.items():
        value = decode(code, marks, game.cells)
        if value and positions:
            values[value] += positions
    return LevelSummary.of(marks, classes, values)


# Levels that are finished


def finish_level(work: PartWork, level: LevelSummary) -> None:
    """All parts of a level are there: the file that says so. A level of one part is a level file like any other."""
    x = (level.marks + 1) // 2
    of, size, final = (
        work.cut.count(x),
        index_of(work.game).level_bytes()[level.marks],
        f"level-{level.marks:02}.noughts",
    )
    compression = "zstd" if work.compress else None
    if of > 1:
        work.store.write(final, Header(work.game, level, size, compression, 0, zlib.crc32(b""), of).pack())
        return
    name = part_name(level.marks, 0, 1)
    try:
        data = work.store.read(name)
    except FileNotFoundError:  # a solve that was killed had come further
        work.store.size(final)
        return
    part = Header.unpack(data[:HEADER])
    whole = Header(work.game, level, size, compression, part.stored, part.table)
    assert pages_start(size, compressed=work.compress) + part.stored == len(data)
    work.store.write(final, whole.pack(), memoryview(data)[HEADER:])
    work.store.remove(name)
