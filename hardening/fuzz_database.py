"""Saved solutions, damaged in every way, read in every way.

An input is a chance: by it a solution that was really saved (raw or compressed) is chosen, what is done to its files,
and what is asked of them then. Some edits put every checksum right again (they are sealed), as no accident would.

Laws: what is asked is answered rightly or refused with noughts' own error, never a crash; only behind right checksums
may a wrong value be read, and a full verification never passes such a file; a solve that goes on in a damaged folder
leaves right levels or refuses; the user's cache heals, so that nothing is refused there.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import struct
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from fuzzing import clear, mutated, tests
from laws import Broken, require

from noughts import Game, Position, proofs
from noughts.progress import finish
from noughts.solve import at_hand
from noughts.solve.export import exporting
from noughts.solve.levelfile import HEADER, MAGIC, LevelFile, pack_table, zstd
from noughts.solve.problems import DatabaseError
from noughts.solve.solution import Solution
from noughts.solve.strong import solve
from noughts.solve.verification import verify

with tests():
    from claims import some

GAMES = [Game.parse(name) for name in ("2x2k2", "3x3k3", "3x3k3m", "3x4k3", "4x4k4")]
CACHED = Game(4, 4, 4)  # large enough to be kept in the user's cache
SAMPLE = 200  # positions looked up
FAST = "/dev/shm" if Path("/dev/shm").is_dir() else None  # files are made and read all the time
EXPORTED = 12  # cells: larger games take too long to export
KEYS = ["version", "game", "level", "index", "bytes", "page", "compression", "stored", "table"]
VALUES: list[Any] = [0, 1, -1, 2**31, 2**61, 2**70, 1.5, None, True, "", "3x3k3", "4x4k4", "zstd", [], {}, "x" * 300]
NAMES = ["level-05.part", "level-07.raw", "level-99.noughts", "lock"]
Files = dict[str, bytes]
home = Path()
truth: dict[str, Any] = {}
samples: dict[str, list[Position]] = {}
saved: dict[str, Files] = {}


@contextlib.contextmanager
def around() -> Iterator[None]:
    """The games solved, saved in both forms and exported, and the cache, in a folder that goes at the end."""
    global home
    with tempfile.TemporaryDirectory(prefix="noughts-fuzz-database-", dir=FAST) as name:
        home = Path(name)
        os.environ["NOUGHTS_CACHE"] = str(home / "cache")
        for game in GAMES:
            truth[str(game)] = Solution.solve(game)
            samples[str(game)] = [each.play(cell) for each in some(game, 300, 0) for cell in each.moves()]
            for form in ("raw", "zstd"):
                folder = home / "seeds" / f"{game}-{form}"
                solve(game, save=folder, compress=form == "zstd")
                (folder / "lock").unlink()
                saved[folder.name] = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
            if game.cells <= EXPORTED:
                finish(exporting(truth[str(game)], home / f"{game}.jsonl"))
        yield


def made(rng: random.Random) -> bytes:
    """A chance."""
    return b"%d" % rng.randrange(2**40)


def law(data: bytes) -> str:
    """Damage a solution, and ask."""
    rng = random.Random(data)
    name = rng.choice(list(saved))
    right, files, folder = truth[name.partition("-")[0]], dict(saved[name]), home / "work" / name.partition("-")[0]
    forged = sum(edited(rng, name, files) for _ in range(rng.choice((1, 1, 1, 2, 5)))) > 0
    shutil.rmtree(home / "work", ignore_errors=True)
    folder.mkdir(parents=True)
    for each, content in files.items():
        if saved[name].get(each) is content:
            os.link(home / "seeds" / name / each, folder / each)
        else:
            (folder / each).write_bytes(content)
    try:
        rng.choice(ASKED)(folder, right, rng, forged)
        return "answered behind checksums put right, where only a verification can tell" if forged else "answered"
    except DatabaseError as problem:
        clear(problem)
        return "refused"


def edited(rng: random.Random, seed: str, files: Files) -> bool:
    """Damage a file, or put another in its place; were checksums put right again?"""
    name, foreign = rng.choice([*saved[seed], *NAMES]), rng.choice(list(saved[rng.choice(list(saved))].values()))
    data = files.get(name, b"?")
    size = rng.choice((12, HEADER, len(data)))  # mostly at the beginning
    at = rng.randrange(min(size, len(data)) or 1)
    kind = rng.choice(["flip", "flip", "change", "cut", "gone", "copied", "foreign", *["sealed"] * 3])
    if kind == "sealed" and name in saved[seed]:
        files[name] = sealed(rng, home / "seeds" / seed / name)
        return True
    files[name] = {
        "flip": data[:at] + bytes([data[at : at + 1][0] ^ 1 << rng.randrange(8)]) + data[at + 1 :] if data else b"?",
        "change": mutated(rng, data[:size], [foreign, data]) + data[size:],
        "cut": (data + data)[: rng.choice((0, 1, at, len(data) - 1, HEADER, len(data) + 1, len(data) + at))],
        "copied": files.get(rng.choice(list(saved[seed])), b""),
    }.get(kind, foreign)
    if kind == "gone":
        del files[name]
    return False


def sealed(rng: random.Random, path: Path) -> bytes:
    """A file with an edit of its header, its table or a page, and every checksum right."""
    data, level = path.read_bytes(), LevelFile(path)
    kind = rng.choice(("header", "table", "page") if len(level) else ("header",))
    if kind == "header":
        told = json.loads(data[12:HEADER]) | {rng.choice(KEYS): rng.choice(VALUES)}
        text = json.dumps(told).encode().ljust(HEADER - 13) + b"\n"
        return MAGIC + struct.pack("<I", zlib.crc32(text)) + text + data[HEADER:]
    header = level.header
    table, stored = bytearray(data[HEADER : header.start]), data[header.start :]
    if kind == "table":
        struct.pack_into("<I", table, rng.randrange(len(table) // 4) * 4, rng.choice([0, 1, rng.getrandbits(32)]))
    else:
        pages = [bytearray(level.page(number)) for number in range(header.pages)]
        page = rng.choice(pages)
        page[rng.randrange(len(page))] = rng.choice([0, 1, 26, 127, 200, 229, 253, 254, 255])
        parts = [zstd().compress(bytes(page), 3) if header.compression else bytes(page) for page in pages]
        ends = [*accumulate(map(len, parts))] if header.compression else None
        table, stored = bytearray(pack_table([*map(zlib.crc32, parts)], ends)), b"".join(parts)
    return replace(header, stored=len(stored), table=zlib.crc32(table)).pack() + table + stored


# What is asked


def _read(folder: Path, right: Any, rng: random.Random, forged: bool) -> None:
    with contextlib.closing(Solution.open(folder)) as solution:
        require(forged or solution.game == right.game, "another game")
        positions = rng.choices(samples[str(right.game)], k=SAMPLE)
        if solution.game != right.game:
            return
        if rng.random() < 0.5:
            for position in positions:
                value = solution[position]
                require(forged or value == right[position], f"{position}: {value}, and it is {right[position]}")
        x, o = (np.array([getattr(position, side) for position in positions], np.int64) for side in ("x", "o"))
        pairs = zip(solution.values(x, o), right.values(x, o), strict=True)
        require(forged or all((a == b).all() for a, b in pairs), "wrong values")


def _verify(folder: Path, right: Any, rng: random.Random, forged: bool) -> None:
    found = verify(folder, sample=None)
    require(forged or found.game == right.game, "another game")
    if found.game == right.game:
        _all_right(folder, right)


def _all_right(folder: Path, right: Any) -> None:
    with Solution.open(folder) as solution:
        for marks, level in enumerate(solution.levels):
            assert isinstance(level, LevelFile)
            pages = b"".join(bytes(level.page(number)) for number in range(level.header.pages))
            require(pages == bytes(right.levels[marks]), f"level {marks} was verified, and is wrong")


def _resume(folder: Path, right: Any, rng: random.Random, forged: bool) -> None:
    solve(right.game, save=folder, compress=rng.random() < 0.5)
    if forged:
        verify(folder, sample=None)
    _all_right(folder, right)


def _export(folder: Path, right: Any, rng: random.Random, forged: bool) -> None:
    target = home / "work" / "out.jsonl"
    with Solution.open(folder) as solution:
        if max(solution.game.cells, right.game.cells) > EXPORTED:
            return
        try:
            finish(exporting(solution, target))
        except DatabaseError:
            require(not target.exists(), "an export that failed left a file")
            raise
    same = target.read_bytes() == (home / f"{right.game}.jsonl").read_bytes()
    require(forged or same, "a wrong export")


def _cached(folder: Path, right: Any, rng: random.Random, forged: bool) -> None:
    if right.game != CACHED:
        return _read(folder, right, rng, forged)
    cache = home / "cache" / "solved-1"
    shutil.rmtree(cache, ignore_errors=True)
    cache.mkdir(parents=True)
    folder.rename(cache / str(right.game))
    at_hand.forget(right.game)
    for position in rng.choices(samples[str(right.game)], k=SAMPLE):
        try:
            value = proofs.value(position)
        except DatabaseError as problem:
            raise Broken(f"{position}: the user's cache does not heal: {problem}") from None
        require(forged or value == right[position], f"{position}: {value}, and it is {right[position]}")
    return None


ASKED = [_read, _read, _verify, _verify, _resume, _export, _cached]
