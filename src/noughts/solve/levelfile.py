"""One level of a saved solution as a file: a header, a table of pages, and the bytes of the level in pages.

    0        magic           8 bytes: 0x89 NOUGHTS
    8        checksum        CRC-32 of the rest of the header
    12       header          JSON, filled up with spaces: version, game, level, index scheme, counts, sizes
    2048     table           for each page: CRC-32 of its bytes in the file; if compressed also where it ends
             zeros           up to a multiple of 64
             pages           32,768 bytes of the level each, the last one shorter; raw, or each compressed by itself

A level in parts has a file without pages, whose header says how many parts there are; each part is a level file of some
of the blocks (`part`: its number, and of how many):

    level-13.noughts     part-13-0000-of-0003.noughts     part-13-0001-of-0003.noughts     part-13-0002-of-0003.noughts

Numbers are little-endian; the table's own CRC-32 is in the header, so that every byte of the file is covered. The
header and the table are checked when the file is opened, a page when it is first read. `index` says which byte of the
level belongs to which position.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import sys
import zlib
from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noughts.rules.game import Game
from noughts.solve.problems import Damaged, DatabaseError
from noughts.solve.store import Store, open_store
from noughts.solve.summary import LevelSummary

MAGIC = b"\x89NOUGHTS"
VERSION = 1
SCHEME = "x-orbits/o-colex/1"  # how `index` lays out a level
HEADER = 2048
PAGE = 32768
ZSTD_LEVEL = 3
MOST_PARTS = 10**7
PIECE = 4096  # bytes of a raw level that stay in memory together; of a compressed one it is the page
MOST_PIECES = 1024  # of these, of all files: at most 32 MB

_recent: deque[tuple[dict[int, bytes], int]] = deque()  # of which file and which piece, the oldest first


@dataclass(frozen=True)
class Header:
    """What a level file says of itself."""

    game: Game
    counts: LevelSummary
    size: int  # bytes of the level
    compression: str | None  # None or "zstd"
    stored: int  # bytes of all pages in the file
    table: int  # CRC-32 of the table, with its zeros
    parts: int = 0  # of a level in parts: how many
    part: tuple[int, int] | None = None  # of one of them: which, of how many

    @property
    def level(self) -> int:
        """The number of marks."""
        return self.counts.marks

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return -(-self.size // PAGE)

    @property
    def start(self) -> int:
        """Where the first page begins."""
        return HEADER if self.parts else pages_start(self.size, compressed=self.compression is not None)

    def pack(self) -> bytes:
        """The first bytes of the file."""
        text = json.dumps(
            {
                "version": VERSION,
                "game": str(self.game),
                "level": self.level,
                "index": SCHEME,
                "bytes": self.size,
                "page": PAGE,
                "compression": self.compression,
                "stored": self.stored,
                "table": self.table,
                "counts": self.counts.to_json(),
                **({"parts": self.parts} if self.parts else {}),
                **({"part": self.part} if self.part else {}),
            }
        )
        rest = text.encode("ascii").ljust(HEADER - 13) + b"\n"
        assert len(rest) == HEADER - 12
        return MAGIC + struct.pack("<I", zlib.crc32(rest)) + rest

    @staticmethod
    def unpack(data: bytes) -> Header:
        """The inverse; DatabaseError says what is wrong."""
        if not data.startswith(MAGIC):
            raise DatabaseError("it does not begin as a level of noughts does")
        if len(data) < HEADER:
            raise Damaged(f"it ends after {len(data)} bytes, within its header")
        (checksum,) = struct.unpack_from("<I", data, 8)
        if zlib.crc32(data[12:HEADER]) != checksum:
            raise Damaged("the checksum of its header is wrong")
        try:
            return Header._read(json.loads(data[12:HEADER]))
        except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as problem:
            if isinstance(problem, DatabaseError):
                raise
            raise DatabaseError(f"its header makes no sense ({problem})") from None

    @staticmethod
    def _read(data: dict[str, Any]) -> Header:
        if data["version"] != VERSION:
            raise DatabaseError(f"it has version {data['version']!r} of the format, and this noughts reads {VERSION}")
        if data["index"] != SCHEME or data["page"] != PAGE:
            raise DatabaseError(f"its bytes are laid out as {data['index']!r}, and this noughts reads {SCHEME!r}")
        if data["compression"] not in (None, "zstd"):
            raise DatabaseError(f"it is compressed by {data['compression']!r}, and this noughts reads zstd")
        sizes = [data["bytes"], data["stored"], data["table"]]
        if not all(type(size) is int and 0 <= size < 2**62 for size in sizes):
            raise DatabaseError("its header has a size that cannot be")
        game, counts = Game.parse(data["game"]), LevelSummary.from_json(data["counts"])
        if data["level"] != counts.marks or counts.marks > game.cells:
            raise DatabaseError("its header has a level that cannot be")
        parts, part = data.get("parts", 0), data.get("part")
        if type(parts) is not int or not 0 <= parts <= MOST_PARTS:
            raise DatabaseError("its header has a number of parts that cannot be")
        return Header(game, counts, sizes[0], data["compression"], sizes[1], sizes[2], parts, part and tuple(part))


def pages_start(size: int, *, compressed: bool) -> int:
    """Where the pages of a level of so many bytes begin in its file."""
    table = -(-size // PAGE) * (12 if compressed else 4)
    return -(-(HEADER + table) // 64) * 64


def pack_table(checksums: list[int], ends: list[int] | None) -> bytes:
    """The table of a file, filled up with zeros."""
    table = struct.pack(f"<{len(checksums)}I", *checksums)
    if ends is not None:
        table += struct.pack(f"<{len(ends)}Q", *ends)
    return table.ljust(-(-(HEADER + len(table)) // 64) * 64 - HEADER, b"\0")


class LevelFile:
    """The bytes of a saved level; `level[place]` is one of them. Threads may share it.

    The file is read, not mapped: a mapped one that somebody cuts short ends the process by a signal.
    """

    def __init__(self, path: Path | str, store: Store | None = None) -> None:
        self.path, self._store = path, store
        self._file = -1
        self._pieces: dict[int, bytes] = {}
        self._last = -1, b""  # the page that was read last, by `read`
        try:
            if store is None:
                self._file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
            self.header = Header.unpack(self._pread(HEADER, 0))
            self._check_size(os.fstat(self._file).st_size if store is None else store.size(str(path)))
            self._read_table()
        except DatabaseError as problem:
            raise type(problem)(f"{path} is refused: {problem}") from None
        except OSError as problem:
            raise DatabaseError(f"{path} cannot be read: {problem.strerror or 'it is not there'}") from None
        self.checked = bytearray(self.header.pages)  # 1 for each page that was what its checksum says
        self.raw = self.header.compression is None and not self.header.parts and store is None  # can be mapped
        self._piece = PIECE if self.raw else PAGE

    def _pread(self, size: int, offset: int) -> bytes:
        if self._store is None:
            return os.pread(self._file, size, offset)
        return self._store.read_at(str(self.path), size, offset)

    def _check_size(self, size: int) -> None:
        should = self.header.start + self.header.stored
        if size != should:
            raise Damaged(f"it has {size:,} bytes and should have {should:,}")
        if self.header.compression is None and not self.header.parts and self.header.stored != self.header.size:
            raise DatabaseError("its header has a size that cannot be")

    def _read_table(self) -> None:
        header = self.header
        self._start = header.start
        table = self._pread(self._start - HEADER, HEADER)
        if zlib.crc32(table) != header.table:
            raise Damaged("the checksum of its table is wrong")
        self._checksums = _numbers("I", table[: 4 * header.pages])
        self._bounds: Sequence[int] = range(0, (header.pages + 1) * PAGE, PAGE)  # of the pages, in what is stored
        if header.compression and not header.parts:
            self._bounds = array("Q", [0]) + _numbers("Q", table[4 * header.pages : 12 * header.pages])
            if list(self._bounds) != sorted(self._bounds) or self._bounds[-1] != header.stored:
                raise DatabaseError("its table makes no sense")

    def __len__(self) -> int:
        return self.header.size

    def __iter__(self) -> Iterator[int]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, place: int) -> int:
        piece = self._pieces.get(place // self._piece)
        return (piece or self._keep(place // self._piece))[place % self._piece]

    def _keep(self, number: int) -> bytes:
        """Some bytes of the level, checked; they stay in memory until many others were read."""
        page, inner = divmod(number * self._piece, PAGE)
        if self.raw and self.checked[page]:
            begin = number * self._piece
            piece = self._stored(begin, min(begin + self._piece, self.header.size))
        else:
            piece = self.page(page)[inner : inner + self._piece]
        self._pieces[number] = piece
        _recent.append((self._pieces, number))
        while len(_recent) > MOST_PIECES:
            pieces, oldest = _recent.popleft()
            pieces.pop(oldest, None)
        return piece

    def page(self, number: int) -> bytes:
        """The bytes of a page, checked."""
        stored = self._stored(self._bounds[number], min(self._bounds[number + 1], self.header.stored))
        if zlib.crc32(stored) != self._checksums[number]:
            raise Damaged(f"{self.path} is damaged: the checksum of its page {number} is wrong")
        self.checked[number] = 1
        if self.header.compression is None:
            return stored
        return unpack(stored, min(PAGE, self.header.size - number * PAGE), f"page {number} of {self.path}")

    @property
    def stored(self) -> int:
        """How many bytes there are of it, with headers and tables."""
        return self.header.start + self.header.stored

    def read(self, begin: int, end: int) -> bytes | bytearray:
        """The bytes of the level, or of the part, from one place to another, checked."""
        found = bytearray(end - begin)
        for number in range(begin // PAGE, -(-end // PAGE)):
            last = self._last  # that of another thread, perhaps
            if last[0] != number:
                last = self._last = number, self.page(number)
            first = number * PAGE
            some = memoryview(last[1])[max(begin - first, 0) : end - first]
            at = max(first, begin) - begin
            found[at : at + len(some)] = some
        return found

    def _stored(self, begin: int, end: int) -> bytes:
        """What the file has from one place after its table to another."""
        try:
            stored = self._pread(end - begin, self._start + begin)
        except OSError as problem:
            raise self._unreadable(problem) from None
        if len(stored) != end - begin:
            raise Damaged(f"{self.path} is damaged: it was cut short")
        return stored

    def read_places(self, read: Callable[..., bool], places: Any, found: Any) -> None:
        """The bytes of a raw level at many places whose pages were checked, by the native core."""
        try:
            whole = read(self._file, self._start, places, found)
        except OSError as problem:
            raise self._unreadable(problem) from None
        if not whole:
            raise Damaged(f"{self.path} is damaged: it was cut short")

    def _unreadable(self, problem: OSError) -> DatabaseError:
        if self._store is None and self._file < 0:
            return DatabaseError(f"{self.path} is closed")
        return Damaged(f"{self.path} is damaged: {problem.strerror}")

    def mapped(self) -> memoryview:
        """All bytes of a raw level, not checked, without taking memory for them; a signal ends who reads a cut file."""
        assert self.raw
        return memoryview(mmap.mmap(self._file, 0, access=mmap.ACCESS_READ))[self._start :]

    def close(self) -> None:
        """Give the file back; it cannot be read any more."""
        self._pieces.clear()
        file, self._file = self._file, -1
        if file >= 0:
            os.close(file)

    def __del__(self) -> None:
        if os is not None:  # at the very end Python takes modules away, and the system closes files by itself
            self.close()


class PartedLevel(LevelFile):
    """The bytes of a saved level that lies in parts: the same to those who ask."""

    def __init__(self, path: Path | str, store: Store | None = None) -> None:
        super().__init__(path, store)
        header, self.parts, self._ends = self.header, list[LevelFile](), [0]
        for number in range(header.parts):
            name = part_name(header.level, number, header.parts)
            part = LevelFile(name, store or open_store(str(Path(path).parent)))  # holds no file open: they are many
            if (part.header.game, part.header.level) != (header.game, header.level):
                raise DatabaseError(f"{part.path} belongs to level {part.header.level} of {part.header.game}")
            if part.header.part != (number, header.parts):
                raise DatabaseError(f"{part.path} is another part than its name says")
            self.parts.append(part)
            self._ends.append(self._ends[-1] + part.header.size)
        if self._ends[-1] != header.size:
            raise Damaged(f"the parts of {path} have {self._ends[-1]:,} bytes, and should have {header.size:,}")

    @property
    def stored(self) -> int:
        """How many bytes there are of it, with headers and tables."""
        return super().stored + sum(part.stored for part in self.parts)

    def page(self, number: int) -> bytes:
        """The bytes of a page, checked; it may lie in several parts."""
        return bytes(self.read(number * PAGE, min((number + 1) * PAGE, self.header.size)))

    def read(self, begin: int, end: int) -> bytearray:
        """The bytes of the level from one place to another, checked."""
        found, number = bytearray(), bisect_right(self._ends, begin) - 1
        while begin < end:
            first, until = self._ends[number], min(end, self._ends[number + 1])
            found += self.parts[number].read(begin - first, until - first)
            begin, number = until, number + 1
        return found

    def close(self) -> None:
        """Give all files back."""
        super().close()
        for part in getattr(self, "parts", ()):
            part.close()


def open_level(path: Path | str, store: Store | None = None) -> LevelFile:
    """A saved level, in one file or in parts."""
    level = LevelFile(path, store)
    return PartedLevel(path, store) if level.header.parts else level


def part_name(level: int, number: int, of: int) -> str:
    """The file of a part of a level.

    >>> part_name(13, 2, 16)
    'part-13-0002-of-0016.noughts'
    """
    return f"part-{level:02}-{number:04}-of-{of:04}.noughts"


def _numbers(kind: str, data: bytes) -> array[int]:
    """Little-endian numbers, four bytes each (I) or eight (Q)."""
    found = array(kind, data)
    if sys.byteorder == "big":
        found.byteswap()
    return found


# Compression


def zstd() -> Any:
    """The zstd of the standard library, or its backport; DatabaseError if neither is there."""
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        try:
            import backports.zstd as zstd  # type: ignore[import-not-found, import-untyped, no-redef, unused-ignore]
        except ModuleNotFoundError:  # another ImportError says why itself: too little memory, for example
            raise DatabaseError("compressed solutions need zstd: pip install 'noughts[db]'") from None
    return zstd


def pack(page: bytes | bytearray) -> bytes:
    """A page compressed by itself."""
    library = zstd()
    try:
        packed: bytes = library.compress(page, ZSTD_LEVEL)
    except library.ZstdError as problem:  # nothing else can be wrong with any bytes
        raise MemoryError(str(problem)) from None
    return packed


def unpack(stored: bytes | memoryview, size: int, name: str) -> bytes:
    """A compressed page of so many bytes, and not one byte more."""
    library = zstd()
    reader = library.ZstdDecompressor()
    try:
        page: bytes = reader.decompress(stored, max_length=size + 1)
    except library.ZstdError as problem:
        if "memory" in str(problem):
            raise MemoryError(str(problem)) from None  # that says nothing of the file
        raise Damaged(f"{name} cannot be unpacked: {problem}") from None
    if len(page) != size or not reader.eof or reader.unused_data:
        raise Damaged(f"{name} unpacks to something else than {size} bytes")
    return page
