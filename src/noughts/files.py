"""The one way to write a file: it appears when it is complete, and until then what was there stays as it was.

    report.html              what was there, until the very last step
    .noughts-5f3a9c.part     what is being written, beside it; gone when anything goes wrong, Ctrl-C too

A pipe, a device and an open descriptor (/dev/stdout) have nothing to lose: they take the text as it comes.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

PART = ".part"  # the end of the names of files that are not yet complete
MOST_LINKS = 40  # that a name may go through: as the system has it


class CannotWrite(ValueError):
    """No file can be written under this name."""


def check_target(path: Path) -> None:
    """CannotWrite, if this is a folder, or lies in none: better known before the work than after."""
    if path.is_dir() or not path.parent.is_dir():
        raise CannotWrite(f"{path} cannot be written: it must be a file in a folder that exists")


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """A text file to write to, which takes its place when all has been written; OSError if that cannot be done.

    A link stays, and what it leads to is written. A file that is replaced keeps its permissions, and one that may not
    be written is not replaced.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with writing(f"{folder}/game.txt") as file:
    ...         done = file.write("3x3k3: b2")
    ...     Path(folder, "game.txt").read_text()
    '3x3k3: b2'
    """
    try:
        yield from _writing(Path(path))
    except OSError as problem:  # is told of this file: the system names none that is already open, or the one beside it
        if problem.errno and (problem.filename is None or Path(str(problem.filename)).suffix == PART):
            problem.filename, problem.filename2 = os.fspath(path), None
        raise


def _writing(target: Path) -> Iterator[TextIO]:
    descriptor = _descriptor(target)
    if descriptor is not None:
        with open(os.dup(descriptor), "w", encoding="utf-8") as file:  # noqa: PTH123
            yield file
        return
    try:
        before = target.stat()
    except FileNotFoundError:
        before = None
    if before and not stat.S_ISREG(before.st_mode):
        with target.open("w", encoding="utf-8") as file:
            yield file
        return
    target = Path(os.path.realpath(target))
    if before and not os.access(target, os.W_OK):
        target.open("r+b").close()  # says why not
    part = target.with_name(f".noughts-{os.urandom(8).hex()}{PART}")
    try:
        with part.open("x", encoding="utf-8") as file:
            if before:
                _like(file.fileno(), before)
            yield file
            file.flush()
            os.fsync(file.fileno())
        put_in_place(part, target)
    finally:
        part.unlink(missing_ok=True)


def put_in_place(part: Path, final: Path) -> None:
    """Give a file whose bytes are on the disk its name, in one step that lasts."""
    part.replace(final)
    with suppress(OSError):  # not every system can open a folder
        folder = os.open(final.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def open_part(path: Path) -> int:
    """A descriptor for the bytes of a file that `put_in_place` will name; what an earlier one left is gone."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o666)


def write_whole(part: Path, final: Path, pieces: Iterable[Any], *, lasts: bool) -> None:
    """Write bytes to a file of its own, and give it its name; if it `lasts`, when they are on the disk."""
    with part.open("xb") as file:
        for piece in pieces:
            file.write(piece)
        file.flush()
        if lasts:
            os.fsync(file.fileno())
    if lasts:
        put_in_place(part, final)
    else:
        part.replace(final)


class Locked(Exception):
    """Another process holds the lock; its argument is the number of that process, or empty."""


def lock(path: Path) -> TextIO:
    """Hold a lock until the file is closed or the process dies, however it dies."""
    file = path.open("a+", encoding="ascii")
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        file.seek(0)
        owner = file.read(20).strip()
        file.close()
        raise Locked(owner if owner.isdecimal() else "") from None
    file.seek(0)
    file.truncate()
    file.write(f"{os.getpid()}\n")
    file.flush()
    return file


def _like(file: int, before: os.stat_result) -> None:
    """Owner and permissions of the file that will be replaced, as far as this process may give them."""
    if hasattr(os, "fchown"):
        with suppress(OSError):
            os.fchown(file, before.st_uid, before.st_gid)
        os.fchmod(file, stat.S_IMODE(before.st_mode))


def _descriptor(path: Path) -> int | None:
    """The descriptor that /dev/stdout, /dev/fd/3 and their like name: a file under it must not be replaced."""
    open_ones = {os.path.realpath(folder) for folder in ("/dev/fd", "/proc/self/fd")}
    for _ in range(MOST_LINKS):
        if path.name.isdecimal() and os.path.realpath(path.parent) in open_ones:
            return int(path.name)
        if not path.is_symlink():
            break
        path = path.parent / path.readlink()
    return None
