"""The cache: games that were solved once stay on the disk between runs, up to a limit.

The environment says where (NOUGHTS_CACHE) and how much (NOUGHTS_CACHE_LIMIT), or `configure`. Whenever a game is put
there, the logger "noughts" says so.

    solved-1/4x4k4/level-00.noughts …     a game; the time of its folder is that of its last use
    solved-1/gone-…                       one that is being removed: it went in a single step
    lock                                  held by the process that puts a game there, one at a time

Those that were used longest ago make room for a new one. Nobody waits: who finds the lock held solves in memory, and
who has a game open while it is removed keeps its files.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from noughts.files import Locked, lock
from noughts.log import tell
from noughts.rules.game import Game
from noughts.solve.machine import InvalidSize, parse_size
from noughts.solve.problems import DatabaseError, FolderBusy, InvalidSolve, TooLarge
from noughts.words import whole

if TYPE_CHECKING:
    from noughts.solve.solution import Solution

LIMIT = 2_000_000_000  # bytes, unless somebody says otherwise
OURS = re.compile(r"[0-9]+x[0-9]+k[0-9]+[a-z]*|gone-[0-9a-f]+")  # nothing else in the folder is ever removed


_configured: dict[str, Any] = {}


class CachedGame(NamedTuple):
    """A game in the cache."""

    folder: Path
    size: int  # bytes
    used: int  # when last, in nanoseconds


def configure(*, folder: str | os.PathLike[str] | None = None, limit: int | str | None = None) -> None:
    """Where this process keeps solved games, and how much of them: bytes, or a size such as 500MB; 0 switches it off.

    What is None is as the environment has it.

    >>> configure(limit=0)                # write nothing
    >>> cache_limit()
    0
    >>> configure()
    """
    if limit is not None:
        limit = _bytes(limit) if isinstance(limit, str) else whole("limit", limit, 0, refuse=InvalidSolve)
    _configured.update(folder=folder, limit=limit)


def cache_folder() -> Path:
    """The folder of solved games, made when first needed: as configured, NOUGHTS_CACHE, or the user's cache folder."""
    chosen = _configured.get("folder") or os.environ.get("NOUGHTS_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "noughts"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "noughts" / "Cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "noughts"


def cache_limit() -> int:
    """How many bytes the cache may have: as configured, NOUGHTS_CACHE_LIMIT, or 2 GB; 0: it is switched off."""
    if (limit := _configured.get("limit")) is not None:
        return int(limit)
    try:
        return _bytes(os.environ.get("NOUGHTS_CACHE_LIMIT", ""))
    except InvalidSize as problem:
        raise InvalidSize(f"NOUGHTS_CACHE_LIMIT: {problem}") from None


def _bytes(text: str) -> int:
    text = text.strip()
    return LIMIT if not text else 0 if text == "0" else parse_size(text)


def games() -> list[CachedGame]:
    """The games in the cache, of all versions of the format, the one used longest ago first."""
    found = []
    for folder in cache_folder().glob("solved-[0-9]*/*"):
        if OURS.fullmatch(folder.name):
            with suppress(OSError):  # it has just been removed
                size = sum(path.stat().st_size for path in folder.iterdir())
                found.append(CachedGame(folder, size, folder.stat().st_mtime_ns))
    return sorted(found, key=lambda each: each.used)


def find(game: Game) -> Solution | None:
    """The solution of a game in the cache, from now on used last; None if there is none to be used."""
    from noughts.solve.solution import Solution

    try:
        solution = Solution.open(_place(game)) if cache_limit() else None
    except (DatabaseError, OSError):  # not there, not finished, damaged, or just removed
        return None
    with suppress(OSError):
        os.utime(_place(game))
    return solution


def make(game: Game) -> Solution | None:
    """Solve a game into the cache; None if that cannot be done now.

    It is larger than the cache may be, another process is putting one there, or the folder cannot be written.
    """
    from noughts.solve.strong import expect, solve

    if not cache_limit():
        return None
    folder = _place(game)
    try:
        cache_folder().mkdir(parents=True, exist_ok=True)
        with closing(lock(cache_folder() / "lock")):
            if not _make_room(expect(game, save=True).disk, folder):
                return None
            folder.mkdir(parents=True, exist_ok=True)
            tell(f"solving {game} once, and keeping it in {folder}")
            try:
                solve(game, save=folder)
            except FolderBusy:
                return None
            except DatabaseError:
                discard(game)
                solve(game, save=folder)
            return find(game)
    except (Locked, DatabaseError, OSError, TooLarge):  # a full disk, for example
        return None


def discard(game: Game) -> None:
    """Take a game out of the cache, unless it is being solved."""
    _remove(_place(game))


def _place(game: Game) -> Path:
    from noughts.solve.levelfile import VERSION

    return cache_folder() / f"solved-{VERSION}" / str(game)


def _make_room(size: int, folder: Path) -> bool:
    """Remove what was used longest ago until so many bytes fit in beside the rest; whether they do."""
    limit, others = cache_limit(), [each for each in games() if each.folder != folder]
    most = limit - size if size <= limit else limit
    total = sum(each.size for each in others)
    for each in others:
        if total > most and _remove(each.folder):
            total -= each.size
    return size <= limit and total <= most


def _remove(folder: Path) -> bool:
    """Remove a game, in one step for whoever opens it; False if it is being solved, or may not be removed."""
    gone = folder.with_name(f"gone-{os.urandom(8).hex()}")
    try:
        with closing(lock(folder / "lock")):
            folder.rename(gone)
    except (Locked, OSError):
        return False
    shutil.rmtree(gone, ignore_errors=True)
    return not gone.exists()
