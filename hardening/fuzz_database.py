"""Saved solutions, damaged in every way, read in every way.

An input is a recipe: a solution that was really saved (raw or compressed), what is done to its files, and what is asked
of them then. Some edits put every checksum right again (SEALED), as no accident would.

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
from pathlib import Path
from typing import Any

import numpy as np
from fuzzing import clear
from laws import Broken, require

from noughts import Game, Position, proofs
from noughts.progress import finish
from noughts.solve import at_hand
from noughts.solve.export import exporting
from noughts.solve.levelfile import HEADER, MAGIC, PAGE, Header, LevelFile, pack_table, zstd
from noughts.solve.problems import DatabaseError
from noughts.solve.solution import Solution
from noughts.solve.strong import solve
from noughts.solve.verification import verify

GAMES = [Game.parse(name) for name in ("2x2k2", "3x3k3", "3x3k3m", "3x4k3", "4x4k4")]
CACHED = Game(4, 4, 4)  # large enough to be kept in the user's cache
SAMPLE = 200  # positions looked up
FAST = "/dev/shm" if Path("/dev/shm").is_dir() else None  # files are made and read all the time
EXPORTED = 12  # cells: larger games take too long to export
SEALED = ("header", "table", "page")
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
            truth[str(game)], samples[str(game)] = Solution.solve(game), _played(game)
            for form in ("raw", "zstd"):
                folder = home / "seeds" / f"{game}-{form}"
                solve(game, save=folder, compress=form == "zstd")
                (folder / "lock").unlink()
                saved[folder.name] = {path.name: path.read_bytes() for path in folder.iterdir()}
            if game.cells <= EXPORTED:
                finish(exporting(truth[str(game)], home / f"{game}.jsonl"))
        yield


def made(rng: random.Random) -> bytes:
    """A recipe."""
    name = rng.choice(list(saved))
    edits = [_edit(rng, saved[name]) for _ in range(1 if rng.random() < 0.7 else rng.randint(2, 5))]
    ask = rng.choice(["read", "read", "arrays", "verify", "verify", "resume", "export", "cached"])
    return json.dumps({"seed": name, "edits": edits, "ask": ask, "chance": rng.randrange(2**32)}).encode()


def _edit(rng: random.Random, files: Files) -> list[Any]:
    """What is done to a file: its kind, the file, and two things that some kinds take."""
    kinds = "flip flip set cut grow splice header header table page page remove rename copy add"
    kind, name, other = rng.choice(kinds.split()), rng.choice(list(files)), rng.choice(list(saved))
    size, some = len(files[name]), rng.randbytes(1 + int(rng.expovariate(0.1))).hex()
    at = rng.choice([rng.randrange(12), rng.randrange(HEADER), rng.randrange(HEADER - 1, size), rng.randrange(size)])
    foreign = [other, rng.choice(list(saved[other]))]
    values: list[Any] = [
        0,
        1,
        -1,
        2**31,
        2**61,
        2**70,
        1.5,
        None,
        True,
        "",
        "3x3k3",
        "4x4k4",
        "zstd",
        [],
        {},
        "x" * 300,
    ]
    keys = ["version", "game", "level", "index", "bytes", "page", "compression", "stored", "table"]
    return [kind, name, *{
        "flip": (at, rng.randrange(8)), "set": (at, some), "cut": (rng.choice([0, 1, at, size - 1, HEADER]), 0),
        "grow": (some, 0), "splice": ([*foreign, rng.choice([at, 0, HEADER])], at), "copy": (foreign, 0),
        "header": (rng.choice(keys), rng.choice(values)), "rename": (rng.choice(list(files)), 0), "remove": (0, 0),
        "table": (rng.randrange(64), rng.choice([0, 1, rng.getrandbits(32), 2**32 - 1])),
        "page": (rng.randrange(2**20), rng.choice([0, 1, 26, 127, 200, 229, 253, 254, 255])),
        "add": (some, rng.choice(["level-05.part", "level-07.raw", "level-99.noughts", "lock"])),
    }[kind]]  # fmt: skip


def law(data: bytes) -> str:
    """Follow a recipe."""
    recipe = json.loads(data)
    name, rng = recipe["seed"], random.Random(recipe["chance"])
    game, files = name.partition("-")[0], dict(saved[name])
    for edit in recipe["edits"]:
        with contextlib.suppress(Exception):  # what an earlier edit broke cannot be sealed
            _apply(files, *edit)
    folder = home / "work" / game
    shutil.rmtree(home / "work", ignore_errors=True)
    folder.mkdir(parents=True)
    for each, content in files.items():
        if saved[name].get(each) is content:
            os.link(home / "seeds" / name / each, folder / each)
        else:
            (folder / each).write_bytes(content)
    sealed = any(edit[0] in SEALED for edit in recipe["edits"])
    try:
        ASKED[recipe["ask"]](folder, truth[game], rng, sealed)
        return "answered behind checksums put right, where only a verification can tell" if sealed else "answered"
    except DatabaseError as problem:
        clear(problem)
        return "refused"


def _open(folder: Path, right: Any, sealed: bool) -> Any:
    """The solution there, if it is of the same game, as it must be unless its header was sealed."""
    solution = Solution.open(folder)
    require(sealed or solution.game == right.game, "another game")
    return contextlib.closing(solution) if solution.game == right.game else None


def _read(folder: Path, right: Any, rng: random.Random, sealed: bool) -> None:
    if opened := _open(folder, right, sealed):
        with opened as solution:
            for position in rng.choices(samples[str(right.game)], k=SAMPLE):
                value = solution[position]
                require(sealed or value == right[position], f"{position}: {value}, and it is {right[position]}")


def _arrays(folder: Path, right: Any, rng: random.Random, sealed: bool) -> None:
    if opened := _open(folder, right, sealed):
        with opened as solution:
            positions = rng.choices(samples[str(right.game)], k=SAMPLE)
            x, o = (np.array([getattr(position, side) for position in positions], np.int64) for side in ("x", "o"))
            pairs = zip(solution.values(x, o), right.values(x, o), strict=True)
            require(sealed or all((a == b).all() for a, b in pairs), "wrong values")


def _verify(folder: Path, right: Any, rng: random.Random, sealed: bool) -> None:
    found = verify(folder, sample=None)
    require(sealed or found.game == right.game, "another game")
    if found.game == right.game:
        _all_right(folder, right)


def _all_right(folder: Path, right: Any) -> None:
    with Solution.open(folder) as solution:
        for marks, level in enumerate(solution.levels):
            assert isinstance(level, LevelFile)
            pages = b"".join(bytes(level.page(number)) for number in range(level.header.pages))
            require(pages == bytes(right.levels[marks]), f"level {marks} was verified, and is wrong")


def _resume(folder: Path, right: Any, rng: random.Random, sealed: bool) -> None:
    solve(right.game, save=folder, compress=rng.random() < 0.5)
    if sealed:
        verify(folder, sample=None)
    _all_right(folder, right)


def _export(folder: Path, right: Any, rng: random.Random, sealed: bool) -> None:
    if right.game.cells > EXPORTED:
        return _read(folder, right, rng, sealed)
    with Solution.open(folder) as solution:
        target = home / "work" / "out.jsonl"
        if solution.game.cells <= EXPORTED:
            try:
                finish(exporting(solution, target))
            except DatabaseError:
                require(not target.exists(), "an export that failed left a file")
                raise
            same = target.read_bytes() == (home / f"{right.game}.jsonl").read_bytes()
            require(sealed or same, "a wrong export")
    return None


def _cached(folder: Path, right: Any, rng: random.Random, sealed: bool) -> None:
    if right.game != CACHED:
        return _read(folder, right, rng, sealed)
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
        require(sealed or value == right[position], f"{position}: {value}, and it is {right[position]}")
    return None


ASKED = {"read": _read, "arrays": _arrays, "verify": _verify, "resume": _resume, "export": _export, "cached": _cached}


# Edits


def _apply(files: Files, kind: str, name: str, a: Any, b: Any) -> None:
    if kind == "add":
        files[b] = bytes.fromhex(a)
    elif name not in files:
        return
    data = files.pop(name)
    if kind == "rename":
        files[a] = data
    elif kind != "remove":
        files[name] = data
        files[name] = {
            "copy": lambda: saved[a[0]][a[1]],
            "splice": lambda: data[:b] + saved[a[0]][a[1]][a[2] :],
            "cut": lambda: data[:a],
            "grow": lambda: data + bytes.fromhex(a),
            "flip": lambda: data[: a % len(data)] + bytes([data[a % len(data)] ^ 1 << b]) + data[a % len(data) + 1 :],
            "set": lambda: (data[: a % len(data)] + bytes.fromhex(b) + data[a % len(data) + len(b) // 2 :])[
                : len(data)
            ],
        }.get(kind, lambda: _sealed(data, kind, a, b))()


def _sealed(data: bytes, kind: str, at: Any, to: Any) -> bytes:
    """The file with an edit and every checksum right again."""
    if kind == "header":
        text = json.dumps(json.loads(data[12:HEADER]) | {at: to}).encode().ljust(HEADER - 13) + b"\n"
        return MAGIC + struct.pack("<I", zlib.crc32(text)) + text + data[HEADER:]
    header = Header.unpack(data[:HEADER])
    if kind == "table":
        table = bytearray(data[HEADER : header.start])
        struct.pack_into("<I", table, at % (len(table) // 4) * 4, to)
        return _packed(header, header.stored, bytes(table)) + data[header.start :]
    pages = data[header.start :]
    if header.compression:
        ends = struct.unpack_from(f"<{header.pages}Q", data, HEADER + 4 * header.pages)
        pages = b"".join(zstd().decompress(pages[begin:end]) for begin, end in zip((0, *ends), ends, strict=False))
    level = bytearray(pages)
    level[at % len(level)] = to
    parts, after = [bytes(level[start : start + PAGE]) for start in range(0, len(level), PAGE)], None
    if header.compression:
        parts = [zstd().compress(part, 3) for part in parts]
        after = [sum(map(len, parts[: number + 1])) for number in range(len(parts))]
    stored = b"".join(parts)
    return _packed(header, len(stored), pack_table([zlib.crc32(part) for part in parts], after)) + stored


def _packed(header: Header, stored: int, table: bytes) -> bytes:
    return Header(header.game, header.counts, header.size, header.compression, stored, zlib.crc32(table)).pack() + table


def _played(game: Game, games: int = 300) -> list[Position]:
    """Positions of random games."""
    rng, found = random.Random(0), [game.start()]
    for _ in range(games):
        position = game.start()
        while not position.is_over:
            position = position.play(rng.choice(position.moves()))
            found.append(position)
    return found
