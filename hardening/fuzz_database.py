"""Saved solutions, damaged in every way, read in every way.

An input is a recipe: a solution that was really saved (raw or compressed), what is done to its files, and what is asked
of them then. Some edits put every checksum right again (`sealed`), as no accident would.

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
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from fuzzing import clear, trace
from laws import Broken, require

from noughts import Game, Position, proofs
from noughts.progress import finish
from noughts.solve import at_hand
from noughts.solve.export import exporting
from noughts.solve.levelfile import HEADER, MAGIC, PAGE, Header, LevelFile, pack_table, zstd
from noughts.solve.problems import DatabaseError
from noughts.solve.solution import Solution
from noughts.solve.strong import solve as solve_game
from noughts.solve.verification import verify

GAMES = [Game.parse(name) for name in ("2x2k2", "3x3k3", "3x3k3m", "3x4k3", "4x4k4")]
CACHED = Game(4, 4, 4)  # large enough to be kept in the user's cache
SAMPLE = 200  # positions looked up
FAST = "/dev/shm" if Path("/dev/shm").is_dir() else None  # files are made and read all the time
EXPORTED = 12  # cells: larger games take too long to export

Files = dict[str, bytes]


class Target:
    """Recipes."""

    name = "database"

    def __init__(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="noughts-fuzz-database-", dir=FAST))
        self.refused = self.answered = self.sealed = 0

    def __enter__(self) -> Target:
        os.environ["NOUGHTS_CACHE"] = str(self.home / "cache")
        os.environ["TMPDIR"] = str(self.home)
        tempfile.tempdir = None
        self.truth = {str(game): Solution.solve(game) for game in GAMES}
        self.samples = {str(game): _played(game) for game in GAMES}
        self.seeds: dict[str, Files] = {}
        for game in GAMES:
            for compress in (False, True):
                folder = self.home / "seeds" / f"{game}-{'zstd' if compress else 'raw'}"
                solve_game(game, save=folder, compress=compress)
                (folder / "lock").unlink()
                self.seeds[folder.name] = {path.name: path.read_bytes() for path in folder.iterdir()}
            if game.cells <= EXPORTED:
                finish(exporting(self.truth[str(game)], self.home / f"{game}.jsonl"))
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.home, ignore_errors=True)

    def figures(self) -> str:
        """How they ended."""
        sealed = f"{self.sealed:,} answered behind checksums that were put right, where only a verification can tell"
        return f" ({self.refused:,} refused, {self.answered:,} answered rightly, {sealed})"

    # Inputs

    def input(self, rng: random.Random) -> bytes:
        """A recipe."""
        seed = rng.choice(list(self.seeds))
        edits = [self._edit(rng, seed) for _ in range(1 if rng.random() < 0.7 else rng.randint(2, 5))]
        ask = rng.choice(["read", "read", "arrays", "verify", "verify", "resume", "export", "cached"])
        return json.dumps({"seed": seed, "edits": edits, "ask": ask, "chance": rng.randrange(2**32)}).encode()

    def _edit(self, rng: random.Random, seed: str) -> list[Any]:
        files = self.seeds[seed]
        name = rng.choice(list(files))
        size = len(files[name])
        at = rng.choice(
            [rng.randrange(12), rng.randrange(HEADER), rng.randrange(HEADER - 1, size), rng.randrange(size)]
        )
        some = rng.randbytes(1 + int(rng.expovariate(0.1))).hex()
        kinds = "flip flip set cut grow splice header header table page page remove rename copy add"
        kind = rng.choice(kinds.split())
        other = rng.choice(list(self.seeds))
        other_name = rng.choice(list(self.seeds[other]))
        makers: dict[str, Callable[[], list[Any]]] = {
            "flip": lambda: ["flip", name, at, rng.randrange(8)],
            "set": lambda: ["set", name, at, some],
            "cut": lambda: ["cut", name, rng.choice([0, 1, at, size - 1, size - 2, HEADER])],
            "grow": lambda: ["grow", name, some],
            "splice": lambda: ["splice", name, at, other, other_name, rng.choice([at, 0, HEADER])],
            "header": lambda: ["header", name, *_header_edit(rng)],
            "table": lambda: ["table", name, rng.randrange(64), rng.choice([0, 1, rng.getrandbits(32), 2**32 - 1])],
            "page": lambda: ["page", name, rng.randrange(2**20), rng.choice([0, 1, 26, 127, 200, 229, 253, 254, 255])],
            "remove": lambda: ["remove", name],
            "rename": lambda: ["rename", name, other_name],
            "copy": lambda: ["copy", name, other, other_name],
            "add": lambda: ["add", rng.choice(["level-05.part", "level-07.raw", "level-99.noughts", "lock"]), some],
        }
        return makers[kind]()

    # Laws

    def run(self, data: bytes) -> None:
        """Follow a recipe."""
        recipe = json.loads(data)
        game = recipe["seed"].partition("-")[0]
        sealed = any(edit[0] in ("header", "table", "page") for edit in recipe["edits"])
        files = dict(self.seeds[recipe["seed"]])
        for edit in recipe["edits"]:
            self._apply(files, edit)
        folder = self.home / "work" / game
        shutil.rmtree(self.home / "work", ignore_errors=True)
        folder.mkdir(parents=True)
        for name, content in files.items():
            same = self.seeds[recipe["seed"]].get(name) is content
            if same:
                os.link(self.home / "seeds" / recipe["seed"] / name, folder / name)
            else:
                (folder / name).write_bytes(content)
        ask: Callable[..., None] = getattr(self, f"_{recipe['ask']}")
        try:
            ask(folder, self.truth[game], random.Random(recipe["chance"]), sealed)
            self.sealed += sealed
            self.answered += not sealed
        except DatabaseError as problem:
            clear(problem)
            self.refused += 1
        except Broken:
            raise
        except Exception as problem:
            require(False, f"{data.decode()}: {problem!r} {trace()}")

    def _read(self, folder: Path, truth: Solution, rng: random.Random, sealed: bool) -> None:
        with Solution.open(folder) as solution:
            require(solution.game == truth.game or sealed, "another game")
            if solution.game != truth.game:
                return
            for position in rng.choices(self.samples[str(truth.game)], k=SAMPLE):
                value = solution[position]
                require(sealed or value == truth[position], f"{position}: {value}, and it is {truth[position]}")

    def _arrays(self, folder: Path, truth: Solution, rng: random.Random, sealed: bool) -> None:
        with Solution.open(folder) as solution:
            require(solution.game == truth.game or sealed, "another game")
            positions = rng.choices(self.samples[str(truth.game)], k=SAMPLE)
            x, o = (np.array([getattr(position, side) for position in positions], np.int64) for side in ("x", "o"))
            right = truth.values(x, o)
            if solution.game.cells == truth.game.cells:
                found = solution.values(x, o)
                require(sealed or all((a == b).all() for a, b in zip(found, right, strict=True)), "wrong values")

    def _verify(self, folder: Path, truth: Solution, rng: random.Random, sealed: bool) -> None:
        found = verify(folder, sample=None)
        require(found.game == truth.game or sealed, "another game")
        if found.game == truth.game:
            self._all_right(folder, truth)

    def _all_right(self, folder: Path, truth: Solution) -> None:
        with Solution.open(folder) as solution:
            for marks, level in enumerate(solution.levels):
                assert isinstance(level, LevelFile)
                pages = [bytes(level.page(number)) for number in range(level.header.pages)]
                require(b"".join(pages) == bytes(truth.levels[marks]), f"level {marks} was verified, and is wrong")

    def _resume(self, folder: Path, truth: Solution, rng: random.Random, sealed: bool) -> None:
        solve_game(truth.game, save=folder, compress=rng.random() < 0.5)
        if sealed:
            verify(folder, sample=None)
        self._all_right(folder, truth)

    def _export(self, folder: Path, truth: Solution, rng: random.Random, sealed: bool) -> None:
        if truth.game.cells > EXPORTED:
            return self._read(folder, truth, rng, sealed)
        with Solution.open(folder) as solution:
            if solution.game.cells > EXPORTED:
                return None
            target = self.home / "work" / "out.jsonl"
            try:
                finish(exporting(solution, target))
            except DatabaseError:
                require(not target.exists(), "an export that failed left a file")
                raise
            right = (self.home / f"{truth.game}.jsonl").read_bytes()
            require(sealed or target.read_bytes() == right, "a wrong export")
        return None

    def _cached(self, folder: Path, truth: Solution, rng: random.Random, sealed: bool) -> None:
        if truth.game != CACHED:
            return self._read(folder, truth, rng, sealed)
        cache = self.home / "cache" / "solved-1"
        shutil.rmtree(cache, ignore_errors=True)
        cache.mkdir(parents=True)
        folder.rename(cache / str(truth.game))
        at_hand.forget(truth.game)
        for position in rng.choices(self.samples[str(truth.game)], k=SAMPLE):
            try:
                value = proofs.value(position)
            except DatabaseError as problem:
                raise Broken(f"{position}: the user's cache does not heal: {problem}") from None
            require(sealed or value == truth[position], f"{position}: {value}, and it is {truth[position]}")
        return None

    # Edits

    def _apply(self, files: Files, edit: list[Any]) -> None:
        kind, name, *rest = edit
        data = files.get(name)
        if kind == "add":
            files[name] = bytes.fromhex(rest[0])
        elif data is None:
            return
        elif kind == "remove":
            del files[name]
        elif kind == "rename":
            files[rest[0]] = files.pop(name)
        elif kind == "copy":
            files[name] = self.seeds[rest[0]][rest[1]]
        elif kind == "splice":
            at, other, other_name, start = rest
            files[name] = data[:at] + self.seeds[other][other_name][start:]
        elif kind == "cut":
            files[name] = data[: rest[0]]
        elif kind == "grow":
            files[name] = data + bytes.fromhex(rest[0])
        elif kind in ("flip", "set") and data:
            at = rest[0] % len(data)
            new = bytes([data[at] ^ 1 << rest[1]]) if kind == "flip" else bytes.fromhex(rest[1])
            files[name] = (data[:at] + new + data[at + len(new) :])[: len(data)]
        else:
            with contextlib.suppress(Exception):  # what an earlier edit broke cannot be sealed
                files[name] = _sealed(data, kind, *rest)


def _header_edit(rng: random.Random) -> tuple[str, Any]:
    numbers: list[Any] = [0, 1, -1, 2**31, 2**61, 2**70, 1.5]
    values = [*numbers, None, True, "", "3x3k3", "4x4k4", "zstd", [], {}, "x" * 300]
    keys = ["version", "game", "level", "index", "bytes", "page", "compression", "stored", "table"]
    return rng.choice(keys), rng.choice(values)


def _sealed(data: bytes, kind: str, *rest: Any) -> bytes:
    """The file with an edit and every checksum right again."""
    if kind == "header":
        fields = json.loads(data[12:HEADER])
        fields[rest[0]] = rest[1]
        text = json.dumps(fields).encode().ljust(HEADER - 13) + b"\n"
        return MAGIC + struct.pack("<I", zlib.crc32(text)) + text + data[HEADER:]
    header = Header.unpack(data[:HEADER])
    if kind == "table":
        table = bytearray(data[HEADER : header.start])
        struct.pack_into("<I", table, rest[0] % (len(table) // 4) * 4, rest[1])
        return _packed(header, bytes(table)) + data[header.start :]
    level = bytearray(_bytes_of(header, data))
    level[rest[0] % len(level)] = rest[1]
    pages = [bytes(level[at : at + PAGE]) for at in range(0, len(level), PAGE)]
    ends = None
    if header.compression:
        pages = [zstd().compress(page, 3) for page in pages]
        ends = [sum(map(len, pages[: number + 1])) for number in range(len(pages))]
    sums = pack_table([zlib.crc32(page) for page in pages], ends)
    stored = b"".join(pages)
    return _packed(Header(header.game, header.counts, header.size, header.compression, len(stored), 0), sums) + stored


def _packed(header: Header, table: bytes) -> bytes:
    made = Header(header.game, header.counts, header.size, header.compression, header.stored, zlib.crc32(table))
    return made.pack() + table


def _bytes_of(header: Header, data: bytes) -> bytes:
    pages = data[header.start :]
    if not header.compression:
        return pages
    ends = struct.unpack_from(f"<{header.pages}Q", data, HEADER + 4 * header.pages)
    return b"".join(zstd().decompress(pages[begin:end]) for begin, end in zip((0, *ends), ends, strict=False))


def _played(game: Game, games: int = 300) -> list[Position]:
    """Positions of random games."""
    rng, found = random.Random(0), [game.start()]
    for _ in range(games):
        position = game.start()
        while not position.is_over:
            position = position.play(rng.choice(position.moves()))
            found.append(position)
    return found
