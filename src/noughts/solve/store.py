"""Where the parts of levels lie: a folder, or anything that fsspec speaks to, such as s3://bucket/5x5k4.

A name holds all of its bytes, or is not there: what is written appears when it is whole, and written twice it is the
same. A store is named by a text, so that another process, on another machine, can open the same one.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

from noughts.files import write_whole
from noughts.solve.problems import StoreError

TEMPORARY = ".tmp"
T = TypeVar("T")


class Store(Protocol):
    """What is asked of a place for parts."""

    place: str

    def read(self, name: str) -> bytes:
        """All bytes of a name; FileNotFoundError if it is not there."""

    def read_at(self, name: str, size: int, offset: int) -> bytes:
        """Some bytes of a name, fewer at its end."""

    def size(self, name: str) -> int:
        """How many bytes a name has; FileNotFoundError if it is not there."""

    def write(self, name: str, *pieces: Any, lasts: bool = True) -> None:
        """Put bytes under a name, all at once; what need not outlast a power cut may be quicker."""

    def names(self) -> set[str]:
        """What is there."""

    def remove(self, name: str) -> None:
        """Take a name away, if it is there."""


class Folder:
    """A folder of this machine, or one that several machines share."""

    def __init__(self, place: str) -> None:
        self.place, self.path = place, Path(place)

    def read(self, name: str) -> bytes:
        """All bytes of a file."""
        return (self.path / name).read_bytes()

    def read_at(self, name: str, size: int, offset: int) -> bytes:
        """Some bytes of a file, fewer at its end."""
        with (self.path / name).open("rb") as file:
            file.seek(offset)
            return file.read(size)

    def size(self, name: str) -> int:
        """How many bytes a file has."""
        return (self.path / name).stat().st_size

    def write(self, name: str, *pieces: Any, lasts: bool = True) -> None:
        """Write a file beside its place, and put it there when its bytes are with the system, or on the disk."""
        part = self.path / f"{name}.{os.getpid()}-{os.urandom(4).hex()}{TEMPORARY}"
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            write_whole(part, self.path / name, pieces, lasts=lasts)
        except OSError as problem:
            with suppress(OSError):
                part.unlink()
            raise StoreError(f"{self.place} cannot be written: {problem.strerror}") from None
        except BaseException:
            with suppress(OSError):
                part.unlink()
            raise

    def names(self) -> set[str]:
        """The files of the folder; none if there is no folder yet."""
        return {path.name for path in self.path.iterdir()} if self.path.is_dir() else set()

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        (self.path / name).unlink(missing_ok=True)


class Remote:
    """A place that fsspec speaks to: an object a name, which such stores put in place when it is whole."""

    def __init__(self, place: str) -> None:
        try:
            import fsspec
        except ImportError:
            raise StoreError(f"{place} needs fsspec: pip install 'noughts[cluster]'") from None
        self.place = place.rstrip("/")
        try:
            self._system, self._path = fsspec.core.url_to_fs(self.place, use_listings_cache=False)
        except (ImportError, ValueError, OSError) as problem:
            raise StoreError(f"{place} cannot be opened: {problem}") from None

    def read(self, name: str) -> bytes:
        """All bytes of an object."""
        found: bytes = self._asked("read", lambda: self._system.cat_file(self._at(name)))
        return found

    def read_at(self, name: str, size: int, offset: int) -> bytes:
        """Some bytes of an object, fewer at its end."""
        end = min(offset + size, self.size(name))
        if end <= offset:
            return b""
        found: bytes = self._asked("read", lambda: self._system.cat_file(self._at(name), start=offset, end=end))
        return found

    def size(self, name: str) -> int:
        """How many bytes an object has."""
        return int(self._asked("read", lambda: self._system.info(self._at(name)))["size"])

    def write(self, name: str, *pieces: Any, lasts: bool = True) -> None:
        """Put an object there."""
        whole = b"".join(pieces)
        self._asked("written", lambda: self._system.pipe_file(self._at(name), whole))

    def names(self) -> set[str]:
        """The objects that are there."""
        self._system.invalidate_cache()
        try:
            there = self._asked("read", lambda: self._system.ls(self._path, detail=False))
        except FileNotFoundError:
            return set()
        return {str(path).rsplit("/", 1)[-1] for path in there}

    def remove(self, name: str) -> None:
        """Remove an object, if it is there."""
        with suppress(FileNotFoundError):
            self._asked("read", lambda: self._system.rm_file(self._at(name)))

    def _at(self, name: str) -> str:
        return f"{self._path}/{name}"

    def _asked(self, what: str, ask: Callable[[], T]) -> T:
        """What the store answers; StoreError in one sentence for all that it may raise but a name that is not there."""
        try:
            return ask()
        except Exception as problem:  # each library of a store has its own
            if isinstance(problem, FileNotFoundError) and what == "read":
                raise
            raise StoreError(
                f"{self.place} cannot be {what}: {str(problem).strip() or type(problem).__name__}"
            ) from None


def is_remote(place: str | os.PathLike[str]) -> bool:
    """Is this the name of a store, and not of a folder?

    >>> is_remote("s3://bucket/5x5k4"), is_remote("/tmp/5x5k4")
    (True, False)
    """
    return "://" in str(place)


@lru_cache(maxsize=64)
def open_store(place: str) -> Store:
    """The store of this name."""
    return Remote(place) if is_remote(place) else Folder(place)
