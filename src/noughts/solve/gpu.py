"""One solve on a device: what backends/cuda.cu is told, step by step, and where the bytes go that it makes.

A step makes the levels 2x and 2x - 1 from level 2x + 1, some thousand X sets at a time. Levels of odd number wait on
the device for the next step, two codes in a byte where they would not fit otherwise; what is saved is copied and
written while the device is at the next part. `Device` is all that is asked of the hardware: backends/cuda.py has the
real one, and the tests one that runs the same kernels on a processor.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, cached_property, partial
from math import comb
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from noughts.native import solver
from noughts.rules.game import Game
from noughts.rules.value import Value
from noughts.solve.index import TIE, UNREACHABLE, decode, encode
from noughts.solve.job import Job
from noughts.solve.problems import TooLarge
from noughts.solve.summary import LevelSummary

MOST_CELLS, MOST_LOW, MOST_LINES = 28, 10, 96  # as in cuda.cu
BLOCK_ROOM = 9216  # the same
QUAD = 4  # rows that a thread takes at a time
KINDS = 16  # of codes, where two share a byte
PART = 2_000_000_000  # bytes made at a time: hundredths of a second, in which nothing is told
SAVED = 1 << 27  # the same where they are saved
SPARE = 1 << 28  # bytes of a device for tables, and for what its driver takes

RESIDENT = 1024  # threads that a processor has room for: each takes up to 64 registers

Words = NDArray[np.uint32]


class Size(Protocol):
    """How large a device is."""

    lanes: int  # threads that go in step
    processors: int
    shared: int  # bytes that a group of threads can share, at most


class Device(Size, Protocol):
    """What can run the kernels; arrays are its own, of bytes."""

    def empty(self, size: int) -> Any:
        """An array of so many bytes."""

    def upload(self, data: Any) -> Any:
        """An array with these bytes."""

    def fill(self, array: Any, byte: int) -> None:
        """Set all bytes of an array."""

    def fetch(self, array: Any) -> Callable[[], Any]:
        """Begin to copy an array from the device, when all that was launched is done; the call waits for it."""

    def launch(self, kernel: str, threads: int, shared: int, groups: int, *arguments: Any) -> None:
        """DeviceRun a kernel, with at most so many groups at once."""


# Tables


class Tables:
    """A game as the kernels see it: the words of struct Board."""

    def __init__(self, game: Game) -> None:
        self.game, self.native = game, solver(game)
        _, self.orbit_ends, self.maps, self.lines = self.native.board()
        self.words = max(1, -(-len(self.lines) // 32))

    @cached_property
    def board(self) -> Words:
        """All of them, in the order of the struct."""
        cells, maps = self.game.cells, np.array(self.maps, np.uint32)
        inverse = [next(i for i, back in enumerate(self.maps) if all(back[map_[c]] == c for c in range(cells)))
                   for map_ in self.maps]  # fmt: skip
        through = np.zeros((MOST_CELLS, 3), np.uint32)
        for number, line in enumerate(self.lines):
            for cell in range(cells):
                through[cell, number // 32] |= (line >> cell & 1) << number % 32
        parts = [
            [cells, len(self.maps), len(self.orbit_ends), int(self.game.exact)],
            _padded(self.orbit_ends, MOST_CELLS),
            _padded(inverse, 8),
            _padded(np.pad(maps, ((0, 8 - len(maps)), (0, MOST_CELLS - cells))), 8 * MOST_CELLS),
            _images(maps),
            _padded(self.lines, MOST_LINES),
            through,
            [comb(n, k) for n in range(MOST_CELLS) for k in range(16)],
            *_low_tables(),
        ]
        return np.concatenate([np.asarray(part, np.uint32).ravel() for part in parts])

    def x_sets(self, x: int) -> tuple[Words, Words]:
        """X's sets of so many cells that have a block, and those that have just won."""
        open_, won = self.native.x_sets(x)
        return np.frombuffer(open_, np.uint32), np.frombuffer(won, np.uint32)


def _padded(numbers: Any, length: int) -> Words:
    found = np.zeros(length, np.uint32)
    flat = np.asarray(numbers, np.uint32).ravel()
    found[: len(flat)] = flat
    return found


def _images(maps: NDArray[np.uint32]) -> Words:
    """What each symmetry makes of every set of the cells 0 … 9, 10 … 19 and 20 …"""
    found = np.zeros((8, 3, 1024), np.uint32)
    for number, map_ in enumerate(maps):
        for cell, to in enumerate(map_):
            sets = found[number, cell // 10]
            half = 1 << cell % 10
            sets[half : 2 * half] = sets[:half] | np.uint32(1 << int(to))
    return found.ravel()


@cache
def _low_tables() -> tuple[Words, list[int]]:
    """The sets of 0, 1, 2 … low cells, each by size, then ascending; the place of each among those of its size."""
    sets = [sorted(range(1 << low), key=lambda set_: (set_.bit_count(), set_)) for low in range(MOST_LOW + 1)]
    ranks, seen = [0] * len(sets[-1]), Counter[int]()
    for set_ in sets[-1]:
        ranks[set_] = seen[set_.bit_count()]
        seen[set_.bit_count()] += 1
    return _padded([set_ for some in sets for set_ in some], 2 << MOST_LOW), ranks


# What waits on the device


def stride(game: Game, level: int, *, packed: bool) -> int:
    """From one waiting block of a level to the next; two codes in a byte, if they may and it has few enough kinds."""
    block = comb(game.cells - (level + 1) // 2, level // 2)
    return (block + 1) // 2 if packed and kinds(game, level) else block


def waiting(game: Game, *, packed: bool) -> tuple[int, int]:
    """Bytes for levels in which X has an even number of cells, and an odd one: two arrays that take turns."""
    most = [0, 0]
    sizes = solver(game).level_bytes()
    for level in range(1, game.cells + 1, 2):
        x = (level + 1) // 2
        blocks = sizes[level] // comb(game.cells - x, level // 2)
        most[x % 2] = max(most[x % 2], blocks * stride(game, level, packed=packed))
    return most[0], most[1]


def memory(game: Game, *, packed: bool, saving: bool = True) -> int:
    """Bytes that a solve takes of a device."""
    top = (game.cells + 1) // 2
    sets = sum(4 * comb(game.cells, x) for x in (top, top))  # the finder, and X's sets, fewer than that
    return sum(waiting(game, packed=packed)) + sets + 4 * SAVED * saving + SPARE


# Steps


@dataclass(frozen=True)
class DeviceStep:
    """From level 2x + 1 to 2x and 2x - 1: the words of struct DeviceStep, and how to launch its kernels."""

    words: Words
    threads: int
    shared: int
    groups: int
    even_bytes: int  # of a block; 0 where there is no such level
    odd_bytes: int
    above_packed: bool
    below_packed: bool
    below_stride: int

    @staticmethod
    def of(tables: Tables, device: Size, x: int, *, packed: bool) -> DeviceStep:
        """The step in which X has so many cells."""
        game, cells, free = tables.game, tables.game.cells, tables.game.cells - x
        has_even, has_odd, has_children = 2 * x <= cells, x > 0, 2 * x < cells
        even_bytes, odd_bytes = comb(free, x) if has_even else 0, comb(free, x - 1) if has_odd else 0
        above = kinds(game, 2 * x + 1) if packed and has_children else []
        below = kinds(game, 2 * x - 1) if packed and has_odd else []
        masks = tables.words if x >= game.k else 0
        counters = (2 * max(1, cells - 2 * x + 2) + 1) * device.lanes
        room = Room(free, even_bytes, (odd_bytes + 7) // 8 * 4 if below else 0, masks, counters, device.shared)
        below_stride = stride(game, 2 * x - 1, packed=packed) if has_odd else 0
        words: dict[str, Any] = {
            "x": x, "free": free, "has_even": has_even, "has_odd": has_odd, "has_children": has_children,
            "even_bytes": even_bytes, "odd_bytes": odd_bytes,
            "above_stride": stride(game, 2 * x + 1, packed=packed) if has_children else 0,
            "below_stride": below_stride,
            "pack_below": bool(below), "has_lines": masks > 0, "decides": game.rule.completing_wins,
            "x_completes": completed(game, 2 * x + 1), "o_completes": completed(game, 2 * x),
            "even_seed": TIE if 2 * x == cells else 0, "odd_seed": TIE if 2 * x - 1 == cells else UNREACHABLE,
            "kind_code": _padded(above, KINDS),
            "o_first": below[0] if below else 0,
            "x_first": next((code for code in below if code > TIE), 0),
            "tie_kind": below.index(TIE) if below else 0,
            "most_low": room.low, "slots": room.slots, "at": room.places,
        }  # fmt: skip
        threads = _threads(max(even_bytes, odd_bytes), room.end) if device.lanes > 1 else 1
        at_once = min((device.shared + 1024) // (room.end + 1024), RESIDENT // threads, 32)
        return DeviceStep(
            np.concatenate([np.atleast_1d(np.asarray(word, np.uint32)) for word in words.values()]),
            threads, room.end, device.processors * max(1, at_once), even_bytes, odd_bytes, bool(above), bool(below),
            below_stride,
        )  # fmt: skip


class Room:
    """What the threads of a group share: the block at work, and its tables."""

    def __init__(self, free: int, even: int, odd: int, masks: int, counters: int, most: int) -> None:
        for self.low in range(min(MOST_LOW, free // 2 + 1), -1, -1):  # the most low cells that leave room for rows
            for self.slots in (256, 128, 64, 32):
                self.slots = min(self.slots, max(QUAD * 4, 1 << free - self.low + 1))
                sizes = [  # in the order of struct Step
                    even, odd, free << self.low, 4 * free * self.slots, 4 * masks << self.low,
                    *[4 * self.slots] * 3, 4 * masks * self.slots, 4 * counters,
                ]  # fmt: skip
                self.places, self.end = [], BLOCK_ROOM
                for size in sizes:
                    self.places.append(self.end)
                    self.end += -(-size // 16) * 16
                if self.end <= most:
                    return
        raise TooLarge(
            f"a block of {even:,} bytes and its tables do not fit into the {most:,} that a group of threads can share"
        )


def _threads(block: int, shared: int) -> int:
    """How many threads share the work on a block."""
    if shared > 100_000:
        return 1024
    return next(threads for threads, least in ((512, 8192), (256, 1024), (128, 128), (64, 0)) if block >= least)


def completed(game: Game, marks: int) -> int:
    """The code of a game that ends with a line, completed by the last of so many marks."""
    return encode(game.rule.completed, marks)


def kinds(game: Game, level: int) -> list[int]:
    """The codes of a level where O is to move, ascending; none if they are too many for two in a byte.

    >>> kinds(Game(), 5)
    [6, 8, 127, 245, 247]
    """
    found = sorted([TIE, *(completed(game, end) for end in range(level + 1, game.cells + 1))])
    return found if len(found) <= KINDS else []


# The solve


class DeviceRun:
    """One solve on a device: `all` solves the levels of a job, and returns the code of the empty board."""

    def __init__(self, job: Job, device: Device, tell: Callable[[Any], None], *, packed: bool) -> None:
        self.job, self.device, self.tell, self.packed = job, device, tell, packed
        self.game, self.writer = job.game, job.writer
        self.tables = Tables(job.game)
        self.board = device.upload(self.tables.board)
        self.bits = [device.upload(np.frombuffer(bits, np.uint8)) for bits in self.tables.native.kinds()]
        self.waits = [device.empty(size) for size in waiting(job.game, packed=packed)]
        self.finder = device.empty(4 * comb(job.game.cells, (job.game.cells + 1) // 2))
        self.sets = device.empty(0)  # X's, of the step before
        self.saves = bool(job.writer or job.targets)
        self.done = 0
        self._solved: list[tuple[int, Counter[Value], int]] = []  # levels that wait to be finished
        self.checksums: dict[int, int] = {}

    def all(self) -> int:
        """Solve every level, the fullest board first."""
        cells, below = self.game.cells, len(self.job.sizes)
        top = (cells + 1) // 2
        stop = bytearray(1)  # for who counts, if the solve is abandoned
        with ThreadPoolExecutor(1) as pool:
            self.fixed = pool.submit(self.tables.native.fixed, self.job.threads, stop)
            try:
                if below <= cells:
                    top = (below - 1) // 2
                    self.sets = self.device.upload(self.tables.x_sets(top + 1)[0])
                    self._resume(below)
                for x in range(top, -1, -1):
                    self._step(x)
                self._finish_levels(wait=True)
            finally:
                stop[0] = 1
        return self.start

    def _resume(self, level: int) -> None:
        """Bring a saved level to where it would wait."""
        assert self.writer is not None
        x = (level + 1) // 2
        step = DeviceStep.of(self.tables, self.device, x, packed=self.packed)
        codes = np.frombuffer(self.writer.resume_bytes(), np.uint8)
        words, waits = self.device.upload(step.words), self.waits[x % 2]
        blocks = len(codes) // step.odd_bytes if len(codes) else 0
        for first, count in _parts(blocks, step.odd_bytes, SAVED):
            self._say(level)
            some = self.device.upload(codes[first * step.odd_bytes : (first + count) * step.odd_bytes])
            into = waits[first * step.below_stride : (first + count) * step.below_stride]
            if step.below_packed:
                self.device.launch("pack", 256, 0, 8 * self.device.processors, words, some, count, into)
            else:
                into[:] = some

    def _step(self, x: int) -> None:
        step, device = DeviceStep.of(self.tables, self.device, x, packed=self.packed), self.device
        open_, won = self.tables.x_sets(x)
        children, words = self.sets, device.upload(step.words)
        sets = self.sets = device.upload(open_)
        counts, above, below = device.empty(8 * 67), self.waits[(x + 1) % 2], self.waits[x % 2]
        device.fill(counts, 0)
        level = min(2 * x, self.game.cells)
        if 2 * x < self.game.cells:
            device.fill(self.finder, 255)
            number = len(children) // 4
            device.launch("enter", 256, 0, 8 * device.processors, self.board, children, number, self.finder)
        block = step.even_bytes + step.odd_bytes
        buffers = [self._buffers(step, len(open_)) for _ in range(2 if self.saves else 0)]
        kernel = "solve_packed" if step.above_packed else "solve_bytes"
        parts, pending = list(_parts(len(open_), block, SAVED if self.saves else PART)), []
        for number, (first, count) in enumerate(parts):
            even, odd = buffers[number % 2] if self.saves else (None, None)
            device.launch(
                kernel, step.threads, step.shared, step.groups, self.board, words, sets, self.finder, *self.bits,
                above, below, even, odd, first, count, counts, counts[8 * 64 :],
            )  # fmt: skip
            pending.append((first, count, self._copies(step, x, first, count, even, odd, below), device.fetch(counts)))
            if len(pending) == 2:
                self._settle(step, x, level, *pending.pop(0))
        while pending:
            self._settle(step, x, level, *pending.pop(0))
        if step.odd_bytes:
            for first, count in _parts(len(won), step.odd_bytes, PART):
                device.launch(
                    "count_won", min(step.threads, 512), step.shared, step.groups, self.board, words,
                    device.upload(won[first : first + count]), *self.bits, count, counts[8 * 66 :],
                )  # fmt: skip
                device.fetch(counts)()
                self._say(level)
        self._count(x, step, np.frombuffer(device.fetch(counts)(), np.uint64))

    def _buffers(self, step: DeviceStep, blocks: int) -> tuple[Any, Any]:
        """Where the blocks of a part go that is saved: those of O to move only if they do not wait as they are."""
        most = max((count for _, count in _parts(blocks, step.even_bytes + step.odd_bytes, SAVED)), default=0)
        even = self.device.empty(most * step.even_bytes) if step.even_bytes else None
        return even, self.device.empty(most * step.odd_bytes) if step.below_packed else None

    def _copies(
        self, step: DeviceStep, x: int, first: int, count: int, even: Any, odd: Any, below: Any
    ) -> list[tuple[int, int, Callable[[], Any]]]:
        """What to save of a part: the level, where it goes there, and the bytes, still on their way."""
        found = []
        if self.saves and step.even_bytes:
            found.append((2 * x, first * step.even_bytes, self.device.fetch(even[: count * step.even_bytes])))
        if self.saves and step.odd_bytes:
            begin, size = first * step.odd_bytes, count * step.odd_bytes
            source = below[begin : begin + size] if odd is None else odd[:size]
            found.append((2 * x - 1, begin, self.device.fetch(source)))
        return found

    def _settle(self, step: DeviceStep, x: int, level: int, first: int, count: int, copies: Any, computed: Any) -> None:
        """A part is computed: save it while the next is."""
        computed()
        for marks, begin, ready in copies:
            codes = memoryview(ready())
            if self.writer:
                self.writer.write(marks, codes, begin)
            else:
                self.job.targets[marks][begin : begin + len(codes)] = codes
        self.done += count * (step.even_bytes + step.odd_bytes)
        self._say(level)

    def _say(self, level: int) -> None:
        if self.job.is_due:
            levels = (level, level - 1) if level and level % 2 == 0 else (level,)
            self.tell(self.job.at_work(*levels, done=self.done))

    def _count(self, x: int, step: DeviceStep, counts: NDArray[np.uint64]) -> None:
        """Both levels of a step are there: what their positions are worth."""
        even, odd, (even_sum, odd_sum, won) = counts[:32].tolist(), counts[32:64].tolist(), counts[64:].tolist()
        if step.even_bytes:
            self._solved.append((2 * x, self._values(2 * x, even), even_sum))
        if step.odd_bytes:
            values = self._values(2 * x - 1, odd)
            if won:
                values[self.game.rule.completed] += won
            self._solved.append((2 * x - 1, values, odd_sum))
        self._finish_levels(wait=False)

    def _values(self, marks: int, counts: list[int]) -> Counter[Value]:
        """Positions by value, from ties and the numbers of those that end with `marks`, `marks` + 1 … marks."""
        codes = [TIE, *(completed(self.game, end) for end in range(marks, self.game.cells + 1))]
        values = {decode(code, marks, self.game.cells): count for code, count in zip(codes, counts, strict=False)}
        return Counter({value: count for value, count in values.items() if value and count})

    def _finish_levels(self, *, wait: bool) -> None:
        """Give solved levels to the writer, as soon as the classes can be told: the device need not wait for those."""
        while self._solved and (wait or self.fixed.done()):
            marks, values, self.checksums[marks] = self._solved.pop(0)
            if marks == 0:
                self.start = encode(next(iter(values)), 0)
            classes = (values.total() + self.fixed.result()[marks]) // len(self.tables.maps)
            level = LevelSummary.of(marks, classes, values)
            if self.writer:
                self.writer.finish(level, partial(self._say, marks))
            self.tell(self.job.finish(level))


def _parts(blocks: int, block: int, most: int) -> Iterator[tuple[int, int]]:
    """The first block of each part and how many, none of more bytes than `most` unless a block is.

    >>> list(_parts(5, 10, 20))
    [(0, 2), (2, 2), (4, 1)]
    """
    size = max(1, most // max(1, block))
    return ((first, min(size, blocks - first)) for first in range(0, blocks, size))


def checksum(codes: Any) -> int:
    """The sum of (place + 1) * code over the bytes of a level, modulo 2^64: enough to compare solvers by.

    >>> checksum(bytes([127, 3]))
    133
    """
    total = 0
    for first in range(0, len(codes), 1 << 24):
        some = np.frombuffer(codes, np.uint8)[first : first + (1 << 24)].astype(np.uint64)
        places = np.arange(first + 1, first + len(some) + 1, dtype=np.uint64)
        total += int((some * places).sum(dtype=np.uint64))
    return total % 2**64
