"""Levels of a saved solution, as the tests of the database look at them."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from noughts.solve import DatabaseError
from noughts.solve.levelfile import HEADER, PAGE, Header, zstd


def has_zstd() -> bool:
    try:
        zstd()
    except DatabaseError:
        return False
    return True


compressing = pytest.mark.skipif(not has_zstd(), reason="needs the extra db")
FORMS = [pytest.param(False, id="raw"), pytest.param(True, id="compressed", marks=compressing)]


def contents(folder: Path) -> dict[str, bytes]:
    """The bytes of every level in a folder, by the name of its file."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("level-*"))}


def forge(path: Path, place: int, code: int) -> None:
    """Change a byte of a small raw level, with all checksums right."""
    data = bytearray(path.read_bytes())
    header = Header.unpack(bytes(data[:HEADER]))
    assert header.size <= PAGE
    data[header.start + place] = code
    table = struct.pack("<I", zlib.crc32(data[header.start :])).ljust(header.start - HEADER, b"\0")
    path.write_bytes(replace(header, table=zlib.crc32(table)).pack() + table + data[header.start :])
