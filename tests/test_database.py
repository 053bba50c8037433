"""Saved solutions: they answer as the solver does, survive any crash, and are refused when a byte is wrong."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import native, reachable
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from levels import FORMS, compressing, contents, forge, has_zstd
from shell import command, run

from noughts import Game, Position, Value
from noughts.native import core
from noughts.progress import finish
from noughts.solve import DatabaseError, Solution, TooLarge, plain, solve, solving, verify
from noughts.solve.folder import Writer, level_path
from noughts.solve.job import LevelDone
from noughts.solve.levelfile import HEADER, Header, LevelFile, zstd
from noughts.solve.problems import Damaged, FolderBusy
from noughts.solve.strong import expect, solving_in_memory


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """3x3k3, raw."""
    folder = tmp_path_factory.mktemp("solutions") / "3x3k3"
    solve(Game(), save=folder)
    return folder


@pytest.fixture
def copy(saved: Path, tmp_path: Path) -> Path:
    return shutil.copytree(saved, tmp_path / "copy")


# Answers


@pytest.mark.parametrize("compress", FORMS)
@pytest.mark.parametrize("name", ["3x3k3", "3x3k3m", "3x3k2", "2x4k3", "1x1k1", "3x3k1m"])
def test_a_saved_solution_answers_as_the_plain_recursion(name: str, compress: bool, tmp_path: Path) -> None:
    game = Game.parse(name)
    solve(game, save=tmp_path, compress=compress)
    with Solution.open(tmp_path) as solution:
        assert (solution.game, len(solution)) == (game, len(reachable(game)))
        for position in reachable(game):
            worth = plain.value(position)
            assert solution[position] == worth
            moves = solution.moves(position)
            assert list(moves) == position.moves()
            assert max(moves.values(), default=worth) == worth
            assert solution.best(position) == [cell for cell, value in moves.items() if value == worth]
            line = solution.line(position)
            assert len(line) == worth.remoteness
            end = position
            for cell in line:
                end = end.play(cell)
            assert end.is_over
            outcome = "tie" if end.winner is None else "win" if end.winner is position.turn else "loss"
            assert outcome == worth.outcome


@native
@pytest.mark.parametrize("compress", FORMS)
def test_raw_and_compressed_levels_have_the_solver_s_bytes(compress: bool, tmp_path: Path) -> None:
    game = Game(4, 4, 4)
    summary, levels = finish(solving_in_memory(game))
    saved = solve(game, save=tmp_path, compress=compress)
    assert saved.levels == summary.levels
    for marks, codes in enumerate(levels):
        level = LevelFile(level_path(tmp_path, marks))
        assert (level.header.compression is not None) is compress
        assert b"".join(level.page(page) for page in range(level.header.pages)) == codes
        assert level.header.counts == summary.levels[marks]
    size = sum(path.stat().st_size for path in tmp_path.iterdir())
    assert size < (300_000 if compress else 1_300_000)  # about a megabyte
    assert size <= expect(game, save=True, compress=compress).disk


@native
@pytest.mark.parametrize("compress", FORMS)
def test_many_lookups_are_single_lookups(compress: bool, tmp_path: Path) -> None:
    np = pytest.importorskip("numpy")
    game, rng = Game(4, 4, 3, misere=True), random.Random(4)
    solve(game, save=tmp_path, compress=compress)
    solution = Solution.open(tmp_path)
    positions = []
    for _ in range(100):
        position = game.start()
        while not position.is_over:
            positions.append(position)
            position = position.play(rng.choice(position.moves()))
        positions.append(position)
    x, o = (np.array(sets) for sets in zip(*((p.x, p.o) for p in positions), strict=True))
    outcome, remoteness = solution.values(x, o)
    values = [solution[position] for position in positions]
    assert [{1: "win", 0: "tie", -1: "loss"}[number] for number in outcome.tolist()] == [v.outcome for v in values]
    assert remoteness.tolist() == [v.remoteness for v in values]


@pytest.mark.parametrize("native_core", [pytest.param("1", marks=native), "0"])
def test_many_lookups_know_what_cannot_arise(native_core: str, saved: Path) -> None:
    pytest.importorskip("numpy")
    code = (
        "import sys, numpy as np; from noughts.solve import Solution\n"
        "x, o = np.array([0b111, 0b111, 0b111000, 0]), np.array([0b11000, 0b111000, 0b111, 0])\n"
        "print([list(map(int, row)) for row in Solution.open(sys.argv[1]).values(x, o)])"
    )
    environment = {**os.environ, "NOUGHTS_NATIVE": native_core, "NOUGHTS_REQUIRE_NATIVE": "0"}
    done = subprocess.run(
        [sys.executable, "-c", code, saved], capture_output=True, text=True, env=environment, check=True, timeout=60
    )
    assert json.loads(done.stdout) == [[-1, 0, 0, 0], [0, -1, -1, 9]]


def test_arrays_that_are_no_boards_are_refused(saved: Path) -> None:
    np = pytest.importorskip("numpy")
    solution = Solution.open(saved)
    for x, o in (
        ([1, 2], [0]),
        ([1], [1]),
        ([7], [0]),
        ([0], [1]),
        ([512], [0]),
        ([-1], [0]),
        ([0.5], [0]),
        ([[1]], [[0]]),
    ):
        with pytest.raises(ValueError, match=r"x|X|o"):
            solution.values(np.array(x), np.array(o))


def test_a_position_of_another_game_is_refused(saved: Path) -> None:
    with pytest.raises(DatabaseError, match="a solution of 3x3k3, not of 3x3k3m"):
        Solution.open(saved)[Game(misere=True).start()]


def test_without_the_core_a_solution_is_written_and_read(saved: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from noughts import *; from noughts.solve import *\n"
        "solve(Game(), save=sys.argv[1]); solution = Solution.open(sys.argv[2])\n"
        "print(solution[Position.parse('XO./.X./..O')], solution.best(Position.parse('XO./.X./..O')))\n"
        "print(verify(sys.argv[1]).places_derived)"
    )
    environment = {**os.environ, "NOUGHTS_NATIVE": "0", "NOUGHTS_REQUIRE_NATIVE": "0"}
    line = [sys.executable, "-c", code, tmp_path, saved]
    done = subprocess.run(line, capture_output=True, text=True, env=environment, check=True, timeout=120)
    assert done.stdout.split("\n") == ["win 3 [3, 6]", "937", ""]
    assert contents(tmp_path) == contents(saved)


def test_every_position_is_exported_once_with_its_value(tmp_path: Path) -> None:
    done = run("solve", "3x3k3m", "--export", str(tmp_path / "all.jsonl"), "--json")
    rows = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    found = {Position.parse(f"3x3k3m:{row['position'].removeprefix('3x3k3m:')}"): row for row in rows}
    assert done.returncode == 0
    assert len(rows) == len(found) == 5478
    assert set(found) == set(reachable(Game(misere=True)))
    for position, row in found.items():
        assert Value(row["value"], row["remoteness"]) == plain.value(position)
    assert [path.name for path in tmp_path.iterdir()] == ["all.jsonl"]


def test_an_export_goes_where_a_link_leads(tmp_path: Path) -> None:
    target, link = tmp_path / "target.jsonl", tmp_path / "link.jsonl"
    link.symlink_to(target)
    assert command("solve", "2x2k2", "--export", str(link)).returncode == 0
    assert link.is_symlink()
    assert len(target.read_text().splitlines()) == len(Solution.solve(Game(2, 2, 2)))


def test_an_export_into_a_pipe_is_read_at_its_other_end(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        assert command("solve", "2x2k2", "--export", str(pipe)).returncode == 0
        read = reader.communicate(timeout=60)[0]
    assert len(read.splitlines()) == len(Solution.solve(Game(2, 2, 2)))
    assert pipe.is_fifo()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_an_export_onto_a_full_device_fails_and_leaves_it_what_it_is() -> None:
    done = command("solve", "2x2k2", "--export", "/dev/full")
    assert (done.returncode, "No space left" in done.stderr) == (1, True)
    assert Path("/dev/full").is_char_device()


def test_what_is_there_uncompressed_stays_so_and_that_is_said(tmp_path: Path) -> None:
    run("solve", "3x3k3", "--save", str(tmp_path))
    before = {path.name: path.read_bytes() for path in tmp_path.glob("level-*")}
    done = run("solve", "3x3k3", "--save", str(tmp_path), "--compress")
    assert "10 levels there already, uncompressed, stay so" in done.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.glob("level-*")} == before


# Crashes

# For each number on standard input a copy of this process solves, and is killed at that step of writing;
# how the copy ended is told.
KILL = """
import os, signal, sys
from pathlib import Path
from noughts import Game
from noughts.solve import folder, solve

def counted(call):
    def wrapper(*args, **options):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*args, **options)
    return wrapper

def solve_and_be_killed():
    for name in ("open", "pread", "pwrite", "ftruncate", "fsync", "close"):
        setattr(folder.os, name, counted(getattr(os, name)))
    Path.replace, Path.unlink = counted(Path.replace), counted(Path.unlink)
    solve(Game.parse(sys.argv[1]), save=sys.argv[2], compress=sys.argv[3] == "True", threads=1)

for line in sys.stdin:
    left = int(line)
    copy = os.fork()
    if not copy:
        try:
            solve_and_be_killed()
            os._exit(0)
        finally:
            os._exit(1)
    print(os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1]), flush=True)
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, dict[str, bytes]]:
    """What a solve of 3x4k3m writes that nobody disturbs, raw and compressed."""
    folder, found = tmp_path_factory.mktemp("whole"), {}
    for compress in (False, True) if has_zstd() else (False,):
        solve(Game(3, 4, 3, misere=True), save=folder / str(compress), compress=compress)
        found[compress] = contents(folder / str(compress))
    return found


@native
@pytest.mark.skipif(sys.platform == "win32", reason="needs kill -9")
@pytest.mark.parametrize("compress", FORMS)
@pytest.mark.parametrize("seed", range(6))
def test_a_killed_solve_leaves_finished_levels_only_and_goes_on(
    seed: int, compress: bool, tmp_path: Path, whole: dict[bool, dict[str, bytes]]
) -> None:
    """Killed between two steps of writing, again and again, until it gets through."""
    rng = random.Random(f"{seed} {compress}")
    line = [sys.executable, "-c", KILL, "3x4k3m", str(tmp_path), str(compress)]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as solving_:
        assert solving_.stdin
        assert solving_.stdout
        for _ in range(40):
            print(rng.randrange(20, 90), file=solving_.stdin, flush=True)
            ended = int(solving_.stdout.readline())
            assert ended in (0, -signal.SIGKILL)
            there = {name: codes for name, codes in contents(tmp_path).items() if name.endswith(".noughts")}
            assert there.items() <= whole[compress].items()
            if ended == 0:
                break
            if not level_path(tmp_path, 0).exists():  # else it was killed when all was written
                with pytest.raises(DatabaseError):
                    Solution.open(tmp_path)
        else:
            solve(Game(3, 4, 3, misere=True), save=tmp_path, compress=compress)
        solving_.stdin.close()
    assert contents(tmp_path) == whole[compress]
    assert verify(tmp_path, sample=None).game == Game(3, 4, 3, misere=True)


@native
@pytest.mark.skipif(sys.platform == "win32", reason="needs kill -9")
def test_a_solve_killed_at_any_moment_goes_on(tmp_path: Path) -> None:
    rng, line = random.Random(0), [sys.executable, "-m", "noughts", "solve", "4x4k4", "--save", str(tmp_path)]
    for _ in range(6):
        with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
            assert running.stderr
            running.stderr.readline()
            time.sleep(rng.random() * 0.05)
            running.kill()
        for path in tmp_path.glob("level-*.noughts"):
            level = LevelFile(path)
            for page in range(level.header.pages):
                level.page(page)
    done = command(*line[3:], "--json")
    assert json.loads(done.stdout)["positions"] == 9722011
    assert verify(tmp_path).blocks_derived == verify(tmp_path).blocks


@native
@pytest.mark.parametrize("compress", FORMS)
@pytest.mark.parametrize("lowest", [16, 15, 14, 9, 2, 1, 0])
def test_a_solve_goes_on_below_what_is_there(lowest: int, compress: bool, tmp_path: Path) -> None:
    game = Game(4, 4, 3)
    first = solve(game, save=tmp_path, compress=compress)
    before = contents(tmp_path)
    for marks in range(lowest):
        level_path(tmp_path, marks).unlink()
    told: list[Any] = []
    again = finish(solving(game, save=tmp_path, compress=compress), told.append)
    assert contents(tmp_path) == before
    assert (again.value, again.levels) == (first.value, first.levels)
    resumed = next((level for level in range(lowest, 17) if level % 2), 17)
    assert {event.total for event in told} == ({sum(map(len_of(game), range(resumed)))} if lowest else set())
    done = [each.counts.marks for each in told if isinstance(each, LevelDone)]
    assert done == (list(reversed(range(resumed))) if lowest else [])


def len_of(game: Game) -> Any:
    from noughts.solve.index import index_of

    return index_of(game).level_bytes().__getitem__


@native
def test_a_gap_is_filled(tmp_path: Path) -> None:
    solve(Game(4, 4, 3), save=tmp_path)
    before = contents(tmp_path)
    level_path(tmp_path, 9).unlink()
    with pytest.raises(DatabaseError, match=r"level-09\.noughts is missing, and 1 in all"):
        Solution.open(tmp_path)
    solve(Game(4, 4, 3), save=tmp_path)
    assert contents(tmp_path) == before


@native
@pytest.mark.skipif(sys.platform == "win32", reason="needs limits")
@pytest.mark.parametrize("compress", FORMS)
def test_a_full_disk_ends_the_solve_with_one_line_and_harms_nothing(compress: bool, tmp_path: Path) -> None:
    limited = (
        "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))\n"
        "sys.argv[0] = 'noughts'; runpy.run_module('noughts', run_name='__main__')"
    )
    words = ["solve", "4x4k4", "--save", str(tmp_path), "--threads", "2", *(["--compress"] if compress else [])]
    line = [sys.executable, "-c", limited, *words]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1].startswith("noughts: File too large; finished levels are kept")
    assert {path.suffix for path in tmp_path.glob("level-*")} <= {".noughts"}
    assert not level_path(tmp_path, 10).exists()
    assert command(*words).returncode == 0
    assert verify(tmp_path).places_derived == 1238943


def test_two_solves_into_one_folder_are_told_apart(tmp_path: Path) -> None:
    with Writer(tmp_path, Game()):
        done = command("solve", "3x3k3", "--save", str(tmp_path))
        assert done.returncode == 2
        assert f"another noughts (process {os.getpid()}) is solving into {tmp_path}" in done.stderr
        with pytest.raises(FolderBusy):
            solve(Game(), save=tmp_path)
    assert solve(Game(), save=tmp_path).positions == 5478


@pytest.mark.skipif(sys.platform == "win32", reason="there an open file cannot be removed")
@pytest.mark.parametrize("compress", FORMS)
def test_an_open_solution_outlives_its_files(compress: bool, tmp_path: Path) -> None:
    solve(Game(), save=tmp_path, compress=compress)
    with Solution.open(tmp_path) as solution:
        for path in tmp_path.iterdir():
            path.unlink()
        for position in reachable(Game()):
            assert solution[position] == plain.value(position)
    with pytest.raises(DatabaseError, match="holds no solution"):
        Solution.open(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="there an open file cannot be removed")
def test_a_folder_removed_under_a_solve_is_one_line_and_a_failure(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    removing = (
        "import noughts.cli, shutil\nfrom noughts.solve import folder\n"
        "finish = folder.Writer.finish\n"
        "def without_a_folder(self, counts, *more):\n"
        "    if counts.marks == 5: shutil.rmtree(self.folder)\n"
        "    finish(self, counts, *more)\n"
        "folder.Writer.finish = without_a_folder\nnoughts.cli.main()"
    )
    line = [sys.executable, "-c", removing, "solve", "3x3k3", "--save", str(folder)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"noughts: No such file or directory: {folder}")
    assert "kept" not in last, "nothing is, where the folder is gone"
    assert solve(Game(), save=folder).positions == 5478
    assert verify(folder, sample=None).game == Game()


@compressing
def test_a_lack_of_memory_is_not_taken_for_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solve(Game(), save=tmp_path / "there", compress=True)
    error = zstd().ZstdError

    def starved(*given: Any, **options: Any) -> Any:
        raise error("Allocation error : not enough memory")

    class Starved:
        ZstdError = error
        ZstdDecompressor = type("Starved", (), {"decompress": starved})
        compress = staticmethod(starved)

    with Solution.open(tmp_path / "there") as solution:
        monkeypatch.setattr("noughts.solve.levelfile.zstd", Starved)
        with pytest.raises(MemoryError):
            solution[Game().start()]
    with pytest.raises(MemoryError):
        solve(Game(), save=tmp_path / "new", compress=True)
    assert not list((tmp_path / "new").glob("level-*"))


def test_a_thread_that_cannot_be_started_is_a_lack_of_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def cannot(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", cannot)
        with pytest.raises(MemoryError):
            solve(Game(), save=tmp_path)
    assert solve(Game(), save=tmp_path).positions == 5478
    assert verify(tmp_path, sample=None).game == Game()


def test_a_folder_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DatabaseError, match="cannot be written"):
        solve(Game(), save=tmp_path / "file")
    with pytest.raises(DatabaseError, match="is not a folder"):
        Solution.open(tmp_path / "file")
    with pytest.raises(DatabaseError, match="holds no solution"):
        Solution.open(tmp_path)


def test_too_little_disk_is_refused_with_the_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=1000))
    with pytest.raises(TooLarge, match=r"3x3k3: about 7,496 positions.* kB of disk.*free are 1 kB of disk"):
        solve(Game(), save=tmp_path / "new" / "folder")


# Damage


def read_everything(folder: Path) -> None:
    with Solution.open(folder) as solution:
        for level in solution.levels:
            assert isinstance(level, LevelFile)
            for page in range(level.header.pages):
                level.page(page)


@pytest.mark.parametrize("compress", FORMS)
def test_every_altered_byte_is_noticed(compress: bool, tmp_path: Path) -> None:
    """Each byte of a whole file, header, table, zeros and pages."""
    solve(Game(), save=tmp_path, compress=compress)
    path = level_path(tmp_path, 5)
    good = path.read_bytes()
    rng = random.Random(5)
    for place in [*range(0, HEADER, 7), *range(HEADER, len(good))]:
        path.write_bytes(good[:place] + bytes([good[place] ^ 1 << rng.randrange(8)]) + good[place + 1 :])
        with pytest.raises(DatabaseError, match="level-05"):
            read_everything(tmp_path)
        if place % 97 == 0:
            with pytest.raises(DatabaseError):
                verify(tmp_path)
    path.write_bytes(good)
    read_everything(tmp_path)


@pytest.mark.parametrize("keep", [0, 5, 8, 11, 100, HEADER - 1, HEADER, HEADER + 3, HEADER + 64, 2200])
def test_a_truncated_file_is_refused(copy: Path, keep: int) -> None:
    path = level_path(copy, 6)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(DatabaseError, match="level-06"):
        Solution.open(copy)
    done = run("solve", "--verify", str(copy))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_a_longer_file_is_refused(copy: Path) -> None:
    path = level_path(copy, 6)
    path.write_bytes(path.read_bytes() + b"\0")
    with pytest.raises(Damaged, match=r"has 2,[0-9]+ bytes and should have"):
        Solution.open(copy)


def test_foreign_files_are_refused(copy: Path) -> None:
    path = level_path(copy, 6)
    for foreign in (b"", b"PK\x03\x04" + bytes(5000), os.urandom(5000), b"\x89NOUGHTS" + bytes(5000)):
        path.write_bytes(foreign)
        with pytest.raises(DatabaseError, match="level-06"):
            Solution.open(copy)


def test_a_level_under_another_name_is_refused(copy: Path) -> None:
    level_path(copy, 6).replace(level_path(copy, 7))
    with pytest.raises(DatabaseError, match="holds level 6, which its name does not say"):
        Solution.open(copy)


def test_levels_of_another_game_are_refused(copy: Path, tmp_path: Path) -> None:
    solve(Game(misere=True), save=tmp_path / "misere")
    shutil.copy(level_path(tmp_path / "misere", 6), copy)
    with pytest.raises(DatabaseError, match="belongs to 3x3k3m, not to 3x3k3"):
        Solution.open(copy)
    with pytest.raises(DatabaseError, match="belongs to 3x3k3m, not to 3x3k3: choose another folder"):
        solve(Game(), save=copy)


def with_header(path: Path, **changes: Any) -> None:
    """Change what the header says, and give it the right checksum."""
    data = path.read_bytes()
    header = {**json.loads(data[12:HEADER]), **changes}
    rest = json.dumps(header).encode().ljust(HEADER - 13) + b"\n"
    path.write_bytes(data[:8] + struct.pack("<I", zlib.crc32(rest)) + rest + data[HEADER:])


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"version": 2}, "version 2"),
        ({"index": "other"}, "laid out as 'other'"),
        ({"compression": "lzma"}, "compressed by 'lzma'"),
        ({"bytes": 10**15}, "level-06"),
        ({"bytes": -1}, "a size that cannot be"),
        ({"bytes": "many"}, "a size that cannot be"),
        ({"stored": 5}, "level-06"),
        ({"level": 5}, "a level that cannot be"),
        ({"game": "9x9k99"}, "makes no sense"),
        ({"game": 7}, "makes no sense"),
        ({"game": "4x4k4"}, "belongs to 4x4k4"),
        ({"counts": None}, "makes no sense"),
        ({"counts": {"marks": 6}}, "makes no sense"),
        ({"table": 1}, "checksum of its table"),
        ({"page": 1}, "laid out"),
    ],
)
def test_a_header_that_makes_no_sense_is_refused(copy: Path, changes: dict[str, Any], complaint: str) -> None:
    with_header(level_path(copy, 6), **changes)
    with pytest.raises(DatabaseError, match=complaint):
        Solution.open(copy)


def test_every_field_of_the_header_is_read(copy: Path) -> None:
    header = json.loads(level_path(copy, 6).read_bytes()[12:HEADER])
    assert list(header) == [
        "version",
        "game",
        "level",
        "index",
        "bytes",
        "page",
        "compression",
        "stored",
        "table",
        "counts",
    ]
    assert (header["game"], header["level"], header["bytes"]) == ("3x3k3", 6, 280 - 20)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_fuzzed_files_are_refused_or_answer_rightly(saved: Path, tmp_path: Path, data: st.DataObject) -> None:
    """Whatever is done to the bytes: a DatabaseError, or exactly what was saved."""
    marks = data.draw(st.integers(0, 9))
    good = level_path(saved, marks).read_bytes()
    bad = bytearray(good)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(bad)))
        kind = data.draw(st.sampled_from(["set", "insert", "delete", "copy"]))
        if kind == "set":
            bad[at : at + 8] = data.draw(st.binary(min_size=1, max_size=8))
        elif kind == "insert":
            bad[at:at] = data.draw(st.binary(min_size=1, max_size=100))
        elif kind == "delete":
            del bad[at : at + data.draw(st.integers(1, 3000))]
        else:
            bad[at:at] = bad[: data.draw(st.integers(1, 3000))]
    path = level_path(tmp_path, marks)
    path.write_bytes(bad)
    try:
        level = LevelFile(path)
        pages = [bytes(level.page(page)) for page in range(level.header.pages)]
    except DatabaseError:
        assert bytes(bad) != good
    else:
        assert bytes(bad) == good
        assert pages


def test_a_damaged_page_is_noticed_when_it_is_read_and_not_before(copy: Path) -> None:
    path = level_path(copy, 3)
    codes = bytearray(path.read_bytes())
    codes[-1] ^= 4
    path.write_bytes(codes)
    solution = Solution.open(copy)
    assert solution[Game().start()] == Value("tie", 9)
    with pytest.raises(Damaged, match=r"level-03\.noughts is damaged: the checksum of its page 0"):
        solution[Game().start().play(0).play(4).play(8)]


@compressing
def test_a_compressed_page_that_unpacks_to_more_is_refused(tmp_path: Path) -> None:
    """With right checksums: only its size tells."""
    solve(Game(), save=tmp_path, compress=True)
    path = level_path(tmp_path, 5)
    header = Header.unpack(path.read_bytes()[:HEADER])
    for page in (zstd().compress(bytes(10**6)), b"no zstd at all", zstd().compress(bytes(header.size))[:-3], b""):
        table = struct.pack("<IQ", zlib.crc32(page), len(page)).ljust(64, b"\0")
        changed = replace(header, stored=len(page), table=zlib.crc32(table))
        path.write_bytes(changed.pack() + table + page)
        with pytest.raises(Damaged, match=r"page 0 of .* unpack"):
            Solution.open(tmp_path)[Game().start().play(0).play(4).play(8).play(1).play(2)]


def test_going_on_from_a_damaged_level_is_refused(copy: Path) -> None:
    for marks in range(5):
        level_path(copy, marks).unlink()
    path = level_path(copy, 5)
    codes = bytearray(path.read_bytes())
    codes[-1] ^= 4
    path.write_bytes(codes)
    if core():
        with pytest.raises(Damaged, match="page 0 is wrong"):
            solve(Game(), save=copy)
    path.write_bytes(codes[:-1])
    with pytest.raises(Damaged, match="remove the file, and the same solve makes it again"):
        solve(Game(), save=copy)
    path.unlink()
    assert solve(Game(), save=copy).positions == 5478


# Verification


@pytest.mark.parametrize("marks", range(10))
def test_a_wrong_value_is_found_behind_right_checksums(copy: Path, marks: int) -> None:
    level = LevelFile(level_path(copy, marks))
    rng = random.Random(marks)
    place = rng.randrange(len(level))
    forge(level.path, place, 127 if level[place] != 127 else 255)
    with pytest.raises(Damaged, match=r"level-0\d\.noughts is wrong: it says .* of 3x3k3:"):
        verify(copy)


@pytest.mark.parametrize("sample", [None, 1])
@pytest.mark.parametrize("core_", [pytest.param("1", marks=native), "0"])
def test_a_wrong_count_is_found_behind_a_right_checksum(
    saved: Path, tmp_path: Path, core_: str, sample: int | None
) -> None:
    names = ["positions", "classes", "tie", "win", "loss"]
    for name in names:
        path = level_path(shutil.copytree(saved, tmp_path / name), 6)
        counts = json.loads(path.read_bytes()[12:HEADER])["counts"]
        false = {"1": 5, "2": 1} if name in ("win", "loss") else counts[name] + 1
        with_header(path, counts={**counts, name: false})
    code = f"""
import sys; from noughts.solve import verify
for folder in sys.argv[1:]:
    try: verify(folder, sample={sample}); print("right")
    except Exception as problem: print(type(problem).__name__, problem)
"""
    environment = {**os.environ, "NOUGHTS_NATIVE": core_, "NOUGHTS_REQUIRE_NATIVE": "0"}
    line = [sys.executable, "-c", code, str(saved), *(str(tmp_path / name) for name in names)]
    done = subprocess.run(line, capture_output=True, text=True, env=environment, timeout=120, check=True)
    first, *found = done.stdout.splitlines()
    assert first == "right"
    for name, said in zip(names, found, strict=True):
        assert re.match(rf"Damaged .*level-06\.noughts is wrong: {name} is .* in its header, and", said)


@native
@pytest.mark.parametrize("name", ["4x4k3", "4x4k4m", "3x5k2", "3x5k3m", "2x6k4", "1x9k3", "3x4k1", "1x1k1"])
def test_levels_count_to_what_the_solver_counted(name: str, tmp_path: Path) -> None:
    solve(Game.parse(name), save=tmp_path)
    assert verify(tmp_path, sample=1).game == Game.parse(name)


def test_an_empty_board_that_cannot_arise_is_damage(copy: Path) -> None:
    forge(level_path(copy, 0), 0, 255)
    with pytest.raises(Damaged, match="empty board cannot arise"):
        solve(Game(), save=copy)


@native
@pytest.mark.parametrize("compress", FORMS)
def test_verifying_says_how_much_was_checked(compress: bool, tmp_path: Path) -> None:
    words = ["solve", "4x4k3", "--save", str(tmp_path), *(["--compress"] if compress else [])]
    assert run(*words).returncode == 0
    everything = json.loads(run("solve", "--verify", str(tmp_path), "--sample", "all", "--json").stdout)
    assert everything["verified"] is True
    assert everything["levels"] == 17
    assert everything["blocks_derived"] == everything["blocks"]
    assert everything["places_derived"] == everything["places"] == expect(Game(4, 4, 3)).total
    assert everything["bytes"] == sum(path.stat().st_size for path in tmp_path.glob("level-*"))
    some = json.loads(run("solve", "4x4k3", "--verify", str(tmp_path), "--sample", "50000", "--json").stdout)
    assert 25_000 < some["places_derived"] < 100_000
    assert 17 <= some["blocks_derived"] < some["blocks"]
    shown = run("solve", "--verify", str(tmp_path)).stdout
    assert "4x4k3: right.\nChecksums: all 17 levels" in shown
    assert "(all)" in shown
    assert "holds 4x4k3, not 4x4k4" in run("solve", "4x4k4", "--verify", str(tmp_path)).stderr
