"""A folder into which levels are saved: one file a level, each complete or not there at all.

    level-00.noughts … level-16.noughts      finished levels, the empty board first
    part-12-0000-of-0040.noughts …           the parts of a level that lies in parts (`noughts.solve.parts`)
    level-07.part, level-07.raw              a level at work; the next solve removes what a crash left
    lock                                     held by the process that is solving into the folder

A level gets its name only when all its bytes are on the disk, and levels are finished from the full board down:
whenever the process dies, the levels that are there are right, and the same solve goes on below them.
"""

from __future__ import annotations

import os
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatch
from functools import cached_property
from itertools import islice
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, TypeVar

from noughts.files import Locked, lock, open_part, put_in_place
from noughts.rules.game import Game
from noughts.solve.index import index_of
from noughts.solve.levelfile import PAGE, Header, LevelFile, open_level, pack, pack_table, pages_start, zstd
from noughts.solve.problems import Damaged, DatabaseError, FolderBusy
from noughts.solve.store import Store
from noughts.solve.summary import LevelSummary

IN_MEMORY = 1 << 26  # bytes of a level: a larger one is mapped

T = TypeVar("T")
U = TypeVar("U")


def level_path(folder: Path, level: int) -> Path:
    """Where a finished level lies."""
    return folder / f"level-{level:02}.noughts"


def level_names(folder: Path | Store) -> Sequence[Path | str]:
    """The level files that are there, the empty board first."""
    if isinstance(folder, Path):
        return sorted(folder.glob("level-*.noughts"))
    return sorted(name for name in folder.names() if fnmatch(name, "level-*.noughts"))


def open_levels(folder: Path | Store, game: Game) -> Iterator[LevelFile]:
    """Every level file of a folder or store; DatabaseError if one is not the level of this game that its name says."""
    sizes = index_of(game).level_bytes()
    for path in level_names(folder):
        file = open_level(path) if isinstance(folder, Path) else open_level(path, folder)
        level = file.header.level
        if file.header.game != game:
            raise DatabaseError(f"{path} belongs to {file.header.game}, not to {game}: choose another folder")
        if Path(path).name != level_path(Path(), level).name:
            raise DatabaseError(f"{path} holds level {level}, which its name does not say")
        if file.header.size != sizes[level]:
            raise DatabaseError(f"{path} has {file.header.size:,} bytes of positions, and should have {sizes[level]:,}")
        yield file


class Writer:
    """Takes the levels of one solve into a folder.

    While it is open the folder is locked. `finished` are the levels that were there; those `below` one are wanted.
    `files` is where the solver writes their bytes, a descriptor and an offset each; `finish` then makes a level what
    the next process will find.
    """

    def __init__(self, folder: Path, game: Game, *, compress: bool = False, threads: int = 1) -> None:
        self.folder, self.game, self.compress, self.threads = folder, game, compress, threads
        self.sizes = index_of(game).level_bytes()
        if compress:
            zstd()  # complain now, not after the work

    def __enter__(self) -> Writer:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = lock(self.folder / "lock")
        except Locked as held:
            by = f" (process {held})" if str(held) else ""
            raise FolderBusy(
                f"another noughts{by} is solving into {self.folder}: wait for it, or choose another folder"
            ) from None
        except OSError as problem:
            raise DatabaseError(f"{self.folder} cannot be written: {problem.strerror}") from None
        try:
            for kind in ("*.part", "*.raw"):
                for left in self.folder.glob(f"level-{kind}"):
                    left.unlink()
            self.finished = self._finished()
            # The solver goes on from a level with an odd number of marks; from any where marks fall.
            good = (level for level in self.finished if level % 2 or self.game.gravity)
            self.below = 0 if 0 in self.finished else min(good, default=self.game.cells + 1)
            self._open: dict[int, int] = {}
        except BaseException:
            self._lock.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for level, file in self._open.items():
            os.close(file)
            with suppress(OSError):
                self._temporary(level).unlink()
        self._lock.close()

    def _finished(self) -> dict[int, LevelSummary]:
        """The levels that are there without a gap from the full board down."""
        try:
            there = {file.header.level: file.header.counts for file in open_levels(self.folder, self.game)}
        except Damaged as problem:
            raise Damaged(f"{problem}; remove the file, and the same solve makes it again") from None
        gap = max(set(range(self.game.cells + 1)).difference(there), default=-1)
        return {level: counts for level, counts in there.items() if level > gap}

    def _temporary(self, level: int) -> Path:
        return level_path(self.folder, level).with_suffix(".raw" if self.compress else ".part")

    @cached_property
    def files(self) -> list[tuple[int, int]]:
        """For each level a file to write its bytes to, and where they begin; -1 for those that are done."""
        found = []
        for level, size in enumerate(self.sizes):
            if level < self.below:
                self._open[level] = open_part(self._temporary(level))
            start = 0 if self.compress else pages_start(size, compressed=False)
            found.append((self._open.get(level, -1), start))
        return found

    def resume_bytes(self) -> Any:
        """The bytes of the level to go on from, all checked, as a buffer that can leave memory again."""
        return whole_level(open_level(level_path(self.folder, self.below)), self.folder, self.threads)

    def write(self, level: int, codes: bytes | bytearray | memoryview, place: int = 0) -> None:
        """Write bytes of a level, from this place on: all of them, or some."""
        file, offset = self.files[level]
        _write(file, codes, offset + place)

    def finish(self, counts: LevelSummary, pulse: Callable[[], object] = bool) -> None:
        """All bytes of a level have been written: complete its file, and give it its name.

        `pulse` is called now and then meanwhile; what it raises ends the work.
        """
        final, source = level_path(self.folder, counts.marks), self._open[counts.marks]
        part = final.with_suffix(".part")
        target = open_part(part) if self.compress else source
        try:
            self._complete(counts, source, target, pulse)
        except BaseException:
            if self.compress:
                os.close(target)
                part.unlink()
            raise
        os.close(self._open.pop(counts.marks))
        if self.compress:
            os.close(target)
        put_in_place(part, final)
        if self.compress:
            self._temporary(counts.marks).unlink()

    def _complete(self, counts: LevelSummary, source: int, target: int, pulse: Callable[[], object]) -> None:
        """Write the pages if they are to be compressed, and the header and the table before them."""
        size, begin = self.sizes[counts.marks], self.files[counts.marks][1]
        start = end = pages_start(size, compressed=self.compress)
        pages = (os.pread(source, PAGE, begin + at) for at in range(0, size, PAGE))
        if self.compress:
            checksums, ends = [], []
            for page in _in_threads(pack, pages, self.threads, pulse):
                checksums.append(zlib.crc32(page))
                _write(target, page, end)
                end += len(page)
                ends.append(end - start)
            table = pack_table(checksums, ends)
        else:
            end += size
            os.ftruncate(target, end)  # a level without bytes has a file too
            table = pack_table(list(_in_threads(zlib.crc32, pages, self.threads, pulse)), None)
        compression = "zstd" if self.compress else None
        header = Header(self.game, counts, size, compression, end - start, zlib.crc32(table))
        _write(target, header.pack() + table, 0)
        os.fsync(target)


def whole_level(level: LevelFile, folder: Path | None, threads: int = 1) -> Any:
    """All bytes of a level, checked, as one buffer; of a large one a map, if compressed of a nameless file."""
    pages = _in_threads(level.page, range(level.header.pages), threads)
    if len(level) <= IN_MEMORY:
        whole = bytearray(len(level))
        for number, page in enumerate(pages):  # b"".join would hold them twice
            whole[number * PAGE : (number + 1) * PAGE] = page
        return whole
    if level.raw:
        deque(pages, 0)
        return level.mapped()
    import tempfile

    with tempfile.TemporaryFile(dir=folder if folder and os.access(folder, os.W_OK) else None) as file:
        for page in pages:
            file.write(page)
        file.flush()
        return mmap(file.fileno(), 0, access=ACCESS_READ)


def _in_threads(
    job: Callable[[T], U], items: Iterable[T], threads: int, pulse: Callable[[], object] = bool
) -> Iterator[U]:
    """The results of a job that releases the GIL, in order, with a bounded number of items on the way."""
    from concurrent.futures import ThreadPoolExecutor

    left = iter(items)
    with ThreadPoolExecutor(threads) as pool:
        while batch := list(islice(left, 16 * threads)):
            try:
                found = pool.map(job, batch)
            except RuntimeError as problem:  # a thread could not be started: there is no memory for its stack
                raise MemoryError(str(problem)) from None
            yield from found
            pulse()


def _write(file: int, data: bytes | bytearray | memoryview, offset: int) -> None:
    while data:
        written = os.pwrite(file, data, offset)
        data, offset = data[written:], offset + written
