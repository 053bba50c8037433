"""A level in parts: whoever makes them, and however they are cut, they are the bytes of the solve in memory."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from noughts import Game
from noughts.files import write_whole
from noughts.progress import Progress, finish
from noughts.solve import DatabaseError, Solution, TooLarge, expect, solve, verify
from noughts.solve.blocks import PlainStep, as_it_waits, kinds
from noughts.solve.by_parts import Traffic
from noughts.solve.export import solving_to_export
from noughts.solve.gpu import checksum
from noughts.solve.index import UNREACHABLE, index_of
from noughts.solve.job import LevelDone
from noughts.solve.layout import Layout, schedule
from noughts.solve.ledger import PartsAtWork
from noughts.solve.machine import rss_bytes
from noughts.solve.parts import PartCut, PartWork, find_part, load, make_part
from noughts.solve.planning import planning
from noughts.solve.problems import Damaged, FolderBusy, InvalidSolve, StoreError
from noughts.solve.store import Folder, open_store
from noughts.solve.strong import goes_by_parts, solving

native = pytest.importorskip("noughts._core", reason="the native core is not installed")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="limits and signals as on Linux")

GAMES = ["3x3k3", "3x4k3", "2x5k3m", "3x4k3e", "1x9k3", "2x4k2"]


def saved(folder: Path) -> list[bytes]:
    """The bytes of every level of a solution."""
    with Solution.open(folder) as solution:
        return [bytes(level.read(0, len(level))) for level in solution.levels]  # type: ignore[union-attr]


def in_memory(game: Game) -> list[bytes]:
    return [bytes(level) for level in Solution.solve(game).levels]


@pytest.mark.parametrize("name", GAMES)
def test_the_core_and_its_twin_make_the_same_part(name: str, tmp_path: Path) -> None:
    game, rng = Game.parse(name), random.Random(name)
    cut = PartCut.of(game, rng.choice([40, 200, 1000]))
    works = [PartWork(cut, str(tmp_path / kind), keeps=False, plain=kind == "plain") for kind in ("plain", "native")]
    for x in range(cut.top, -1, -1):
        for number in range(cut.count(x)):
            assert works[0].reads(x, number) == works[1].reads(x, number)
            plain, fast = (make_part(work, x, number) for work in works)
            assert plain == fast
    assert plain.even  # the empty board
    assert open_store(works[0].place).names() == open_store(works[1].place).names()


@pytest.mark.parametrize("name", ["3x4k3", "1x12k4m"])
def test_what_waits_is_what_was_made(name: str) -> None:
    game = Game.parse(name)
    levels, index = in_memory(game), index_of(game)
    for x in range((game.cells + 1) // 2):
        level = 2 * x + 1
        plain, step = PlainStep(game, x), native.PartStep(index, x, 1)
        assert plain.sizes() == step.sizes()
        waiting = bytearray(len(levels[level]) // index.block_bytes(level) * step.sizes()[3])
        step.wait(levels[level], waiting)
        expected, kind = as_it_waits(game, level, levels[level]), kinds(game, level)
        block, size = index.block_bytes(level), step.sizes()[3]
        for place, code in enumerate(levels[level]):
            number, inner = divmod(place, block)
            at = number * size + (inner // 128 * 64 + inner % 64 if kind else inner)
            shift = 4 * (inner % 128 >= 64) if kind else 0
            if code != UNREACHABLE:  # nobody ever asks for those
                assert waiting[at] >> shift & 15 == expected[at] >> shift & 15
                assert (kind[waiting[at] >> shift & 15] if kind else waiting[at]) == code


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("part", [60, 2000])
def test_a_solution_in_parts_is_the_solution(name: str, part: int, tmp_path: Path) -> None:
    game = Game.parse(name)
    found, plainly = solve(game, save=tmp_path, part=part), solve(game)
    assert found.levels == plainly.levels
    assert (found.value, found.backend) == (plainly.value, "native")
    assert saved(tmp_path) == in_memory(game)
    verified = verify(tmp_path, sample=None)
    assert verified.places_derived == verified.places
    names = {path.name for path in tmp_path.iterdir()}
    assert not any(name.startswith(("step-", "wait-", "cut")) or name.endswith(".tmp") for name in names)


def test_a_level_of_one_part_is_the_very_file_of_a_solve_in_memory(tmp_path: Path) -> None:
    game = Game.parse("3x4k3")
    solve(game, save=tmp_path / "memory")
    solve(game, save=tmp_path / "parts", part=10**6)
    for path in sorted((tmp_path / "memory").glob("level-*")):
        assert path.read_bytes() == (tmp_path / "parts" / path.name).read_bytes()
    solve(game, save=tmp_path / "many", part=500)
    whole = (tmp_path / "many" / "level-02.noughts").read_bytes()
    assert whole == (tmp_path / "memory" / "level-02.noughts").read_bytes()
    assert any(path.name.startswith("part-08-") for path in (tmp_path / "many").iterdir())


def test_compressed_parts_say_the_same(tmp_path: Path) -> None:
    pytest.importorskip("backports.zstd" if sys.version_info < (3, 14) else "compression.zstd")
    game = Game.parse("3x4k3")
    solve(game, save=tmp_path, part=3000, compress=True)
    assert saved(tmp_path) == in_memory(game)
    verify(tmp_path)


def test_a_solution_in_parts_answers_like_any_other(tmp_path: Path) -> None:
    np = pytest.importorskip("numpy")
    game = Game.parse("3x4k3")
    solve(game, save=tmp_path, part=700)
    whole = Solution.solve(game)
    with Solution.open(tmp_path) as solution:
        position = game.start().play("b2").play("a1")
        assert solution[position] == whole[position]
        assert solution.moves(position) == whole.moves(position)
        assert solution.line(game.start()) == whole.line(game.start())
        boards = [board for marks in (3, 6, 8) for board, _ in whole.positions(marks)]
        x, o = (np.array([getattr(board, side) for board in boards]) for side in "xo")
        for ours, theirs in zip(solution.values(x, o), whole.values(x, o), strict=True):
            assert (ours == theirs).all()
        assert list(solution.positions(4)) == list(whole.positions(4))


def test_a_solution_in_parts_is_exported_like_any_other(tmp_path: Path) -> None:
    game, lines = Game.parse("3x4k3"), []
    for kind, part in (("whole", None), ("parts", 700)):
        file = tmp_path / f"{kind}.jsonl"
        finish(solving_to_export(game, file, save=tmp_path / kind, part=part))
        lines.append(file.read_text().splitlines())
    assert lines[0] == lines[1]
    assert len(lines[0]) == 111_973


def test_a_damaged_part_is_refused(tmp_path: Path) -> None:
    game = Game.parse("3x4k3")
    solve(game, save=tmp_path, part=2000)
    part = next(iter(sorted(tmp_path.glob("part-07-*"))))
    data = bytearray(part.read_bytes())
    data[-1] ^= 1
    part.write_bytes(data)
    with pytest.raises(Damaged, match=part.name):
        verify(tmp_path)
    part.unlink()
    with pytest.raises(DatabaseError, match=f"{part.name} cannot be read"):
        Solution.open(tmp_path)


USE = """
import sys
from itertools import islice
from pathlib import Path
from noughts.solve import Solution, verify
from noughts.solve.export import exporting
from noughts.solve.machine import peak_rss_bytes
with Solution.open(sys.argv[1]) as solution:
    start = solution.game.start()
    print(solution[start].outcome, len(solution.line(start)))
    print(verify(sys.argv[1], sample=50_000, threads=1).bytes)
    for marks in (7, 13, 18):
        for board, value in islice(solution.positions(marks), 2000):
            assert board.is_over or solution[board] == value
    events = exporting(solution, sys.argv[2])
    print(next(events).done)
    events.close()
print(peak_rss_bytes())
"""


@LINUX
def test_a_solution_larger_than_memory_is_opened_queried_verified_and_exported(tmp_path: Path) -> None:
    game = Game.parse("4x5k4")
    solve(game, save=tmp_path / "place", part=5_000_000)
    size = sum(index_of(game).level_bytes())
    process = run(tmp_path / "place", "/dev/null", limit=size + 100_000_000, script=USE)  # libraries are 150 MB of it
    out, problem = process.communicate()
    assert process.returncode == 0, problem
    value, line, verified, exported, peak = out.split()
    assert (value, int(line), int(exported)) == ("tie", 20, 50_000)
    assert int(verified) >= size  # headers and tables besides
    assert int(peak) < size * 2 // 3


# On disk


def test_the_schedule_has_what_a_task_reads_and_never_more_than_fits() -> None:
    rng = random.Random(7)
    for _ in range(200):
        parts, room = rng.randrange(1, 9), rng.randrange(3, 9)
        reads = [rng.sample(range(parts), rng.randrange(min(parts, room) + 1)) for _ in range(12)]
        here: set[int] = set()
        for needed, (drop, missing) in zip(reads, schedule(reads, room), strict=True):
            assert set(drop) <= here
            assert not here.intersection(missing)
            here = here.difference(drop).union(missing)
            assert here.issuperset(needed)
            assert len(here) <= room


def test_with_room_for_all_a_part_is_read_once() -> None:
    reads = [[0, 2], [1, 2], [0, 3], [3]]
    assert sorted(part for _, missing in schedule(reads, 4) for part in missing) == [0, 1, 2, 3]


def told(events: Any) -> tuple[list[Progress], Any]:
    heard: list[Progress] = []
    return heard, finish(events, heard.append)


def test_scratch_keeps_nothing_but_the_counts(tmp_path: Path) -> None:
    game = Game.parse("4x4k4")
    heard, found = told(solving(game, scratch=tmp_path / "scratch", part=50_000))
    assert found.levels == solve(game).levels
    assert not (tmp_path / "scratch").exists()
    parts = [event for event in heard if isinstance(event, PartsAtWork)]
    assert max(event.parts for event in parts) > 8
    assert "parts" in str(parts[-1]) or "part" in str(parts[-1])
    (traffic,) = [event for event in heard if isinstance(event, Traffic)]
    assert traffic.read >= traffic.waited > 0
    assert (found.read, found.written) == (traffic.read, traffic.written)
    assert (solve(game).read, solve(game).written) == (None, None)
    assert [event.counts.marks for event in heard if isinstance(event, LevelDone)] == [*range(16, -1, -1)]


SOLVE = """
import sys
from noughts import Game
from noughts.solve import solve
name, kind, place, part, memory = sys.argv[1:]
where = {} if place == "None" else {kind: place, "part": int(part), "memory": int(memory)}
found = solve(Game.parse(name), **where, threads=1)
print(found.positions, found.peak_rss_bytes)
"""


def run(*arguments: object, limit: int | None = None, script: str = SOLVE) -> subprocess.Popen[str]:
    def before() -> None:
        import resource

        if limit:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    command = [sys.executable, "-c", script, *map(str, arguments)]
    environment = {**os.environ, "MALLOC_ARENA_MAX": "1"}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
        preexec_fn=before,  # noqa: PLW1509
    )  # fmt: skip


@LINUX
def test_a_solve_on_disk_stays_within_its_memory(tmp_path: Path) -> None:
    """4x5k4 takes 28 MB in memory besides Python's own 20: here all within 40, and enforced."""
    most = 40_000_000
    process = run("4x5k4", "scratch", tmp_path / "scratch", 400_000, most, limit=most + 150_000_000)  # libraries, too
    out, problem = process.communicate()
    assert process.returncode == 0, problem
    positions, peak = map(int, out.split())
    assert positions == 674_794_169
    assert peak <= most
    kept = run("4x5k4", "save", tmp_path / "kept", 400_000, most, limit=most + 150_000_000)
    out, problem = kept.communicate()
    assert kept.returncode == 0, problem
    assert int(out.split()[1]) <= most
    unlimited = run("4x5k4", "save", None, 0, 0)
    assert int(unlimited.communicate()[0].split()[1]) > most


def test_a_game_that_fits_only_without_python_itself_goes_in_parts(tmp_path: Path) -> None:
    game = Game.parse("4x5k4")
    needed = expect(game).memory
    assert goes_by_parts(game, tmp_path, None, rss_bytes() + needed // 2, None)
    assert not goes_by_parts(game, tmp_path, None, 2 * rss_bytes() + 2 * needed, None)


def test_memory_for_not_even_a_part_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TooLarge, match="even in the smallest parts"):
        solve(Game.parse("4x5k4"), scratch=tmp_path / "scratch", memory=1_000_000)


def test_a_writer_that_cannot_be_started_is_a_lack_of_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def cannot(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr("noughts.solve.by_parts.ThreadPoolExecutor.submit", cannot)
        with pytest.raises(MemoryError):
            solve(Game(), save=tmp_path, part=200)
    assert solve(Game(), save=tmp_path, part=200).positions == 5478


@LINUX
@pytest.mark.parametrize("kind", ["save", "scratch"])
def test_a_solve_that_is_killed_goes_on(kind: str, tmp_path: Path) -> None:
    game, rng, place = Game.parse("4x4k4"), random.Random(kind), tmp_path / "place"
    kills = 0
    while kills < 3:
        process = run(game, kind, place, 20_000, 10**9)
        until = time.monotonic() + 0.5 + rng.random()
        while process.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGKILL)
        process.communicate()
        kills += 1
    if process.poll() is None or process.returncode:
        process = run(game, kind, place, 20_000, 10**9)
    out, problem = process.communicate()
    assert process.returncode == 0, problem
    assert int(out.split()[0]) == 9_722_011
    if kind == "save":
        assert saved(place) == in_memory(game)


class Killed(BaseException):
    """Nothing more of the process happens."""


@pytest.mark.parametrize("kind", ["save", "scratch"])
@pytest.mark.parametrize("part", [200, 100_000])
def test_a_solve_killed_at_any_write_or_removal_goes_on(
    kind: str, part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And makes nothing again but what was being made and what was being written."""
    game = Game()
    truth, levels, cut = solve(game).levels, in_memory(game), PartCut.of(game, part)
    made, done, last = [], [], None

    def at(what: str) -> Any:
        call = getattr(Folder, what)

        def counted(self: Folder, name: str, *rest: Any, **options: Any) -> None:
            done.append(name)
            if len(done) == last:
                raise Killed
            call(self, name, *rest, **options)

        return counted

    def counted_find(*arguments: Any) -> Any:
        made.append(arguments[1:3])
        return find_part(*arguments)

    for what in ("write", "remove"):
        monkeypatch.setattr(Folder, what, at(what))
    monkeypatch.setattr("noughts.solve.by_parts.find_part", counted_find)
    monkeypatch.setattr("os.fsync", lambda _: None)  # no power is cut here
    tasks = {(x, number) for x in range(cut.top + 1) for number in range(cut.count(x))}
    while True:
        place, last = tmp_path / str(last), (last or 0) + 1
        made.clear()
        done.clear()
        try:
            solve(game, part=part, **{kind: place})
            break
        except Killed:
            found = "step-00.json" in done[:-1]  # and nothing was left but to clean
        last, was = None, last
        assert solve(game, part=part, **{kind: place}).levels == truth
        last = was
        assert set(made) == tasks
        assert len(made) <= len(tasks) + 2 or (found and kind == "scratch")
        left = {path.name for path in place.iterdir()} if place.exists() else set()
        assert not any(name.startswith(("step-", "wait-", "cut")) or "-of-0001." in name for name in left)
        if kind == "save":
            assert saved(place) == levels
        else:
            assert not left
    assert last is not None
    assert last > 3 * len(tasks)


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    game = Game.parse("4x4k4")
    work = solving(game, save=tmp_path, part=20_000)
    seen = 0
    for event in work:
        seen += isinstance(event, PartsAtWork)
        if seen == 30:
            work.close()
            break
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir() if path.name.startswith("part-")}
    heard, found = told(solving(game, save=tmp_path))  # the cut is the one that is there
    assert found.levels == solve(game).levels
    after = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert before
    assert all(after.get(name, when) == when for name, when in before.items())
    assert saved(tmp_path) == in_memory(game)
    assert sum(isinstance(event, PartsAtWork) for event in heard) < 100


def test_a_solve_that_goes_on_has_the_checksums_of_all_levels(tmp_path: Path) -> None:
    game = Game.parse("4x4k4")
    expected = [checksum(level) for level in in_memory(game)]
    work = solving(game, scratch=tmp_path / "scratch", part=20_000)
    for event in work:
        if isinstance(event, LevelDone) and event.counts.marks == 7:
            work.close()
            break
    heard, found = told(solving(game, scratch=tmp_path / "scratch"))
    assert [event.counts.marks for event in heard if isinstance(event, LevelDone)] == [*range(6, -1, -1)]
    assert list(found.checksums) == expected
    first = next(event for event in heard if isinstance(event, PartsAtWork))
    assert first.there >= sum(map(len, in_memory(game)[7:]))  # what an earlier run did does not make this one faster


def test_what_waits_may_be_compressed(tmp_path: Path) -> None:
    pytest.importorskip("backports.zstd" if sys.version_info < (3, 14) else "compression.zstd")
    game = Game.parse("4x4k4")
    plainly = solve(game, scratch=tmp_path / "plain", part=50_000)
    work = solving(game, scratch=tmp_path / "packed", part=50_000, compress=True)
    for event in work:
        if isinstance(event, LevelDone) and event.counts.marks == 9:
            work.close()
            break
    found = solve(game, scratch=tmp_path / "packed")  # it goes on as it was begun
    assert (found.levels, found.checksums) == (plainly.levels, plainly.checksums)
    packed = solve(game, scratch=tmp_path / "packed", part=50_000, compress=True)
    assert packed.levels == plainly.levels
    assert 0 < (packed.written or 0) < (plainly.written or 0) / 2
    assert 0 < (packed.read or 0) < (plainly.read or 0) / 2


def test_a_folder_is_for_one_game_one_way_and_one_process(tmp_path: Path) -> None:
    game = Game.parse("4x4k4")
    work = solving(game, save=tmp_path, part=20_000)
    for _ in range(10):
        next(work)
    with pytest.raises(FolderBusy, match="another noughts"):
        solve(game, save=tmp_path, part=20_000)
    work.close()
    with pytest.raises(DatabaseError, match="belongs to 4x4k4, not to 4x4k3"):
        solve(Game.parse("4x4k3"), save=tmp_path, part=20_000)
    with pytest.raises(DatabaseError, match="was begun with --save, not with --scratch"):
        solve(game, scratch=tmp_path)


def test_scratch_leaves_a_solution_alone(tmp_path: Path) -> None:
    game = Game.parse("3x4k3")
    for place, part in ((tmp_path / "parts", 700), (tmp_path / "whole", None)):
        solve(game, save=place, part=part)
        with pytest.raises(DatabaseError, match=f"^{place} holds a solution: choose another folder for --scratch$"):
            solve(game, scratch=place, part=700)
        assert saved(place) == in_memory(game)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.txt").write_text("mine")
    solve(game, scratch=tmp_path / "notes", part=700)
    assert [path.name for path in (tmp_path / "notes").iterdir()] == ["mine.txt"]


def test_a_solve_in_memory_is_finished_on_disk_and_the_other_way_round(tmp_path: Path) -> None:
    game = Game.parse("4x4k4")
    for first, second in (({}, {"part": 30_000}), ({"part": 30_000}, {})):
        folder = tmp_path / str(bool(first))
        events = solving(game, save=folder, **first)
        for event in events:
            if isinstance(event, LevelDone) and event.counts.marks == 11:
                events.close()
                break
        assert solve(game, save=folder, **second).levels == solve(game).levels
        assert saved(folder) == in_memory(game)


def test_what_cannot_be_asked_is_refused_in_a_sentence(tmp_path: Path) -> None:
    game = Game.parse("4x4k4")
    for options, sentence in (
        ({"save": tmp_path, "scratch": tmp_path}, "choose one"),
        ({"cluster": "local:2"}, "a place that its workers share"),
        ({"scratch": tmp_path, "backend": "cuda"}, "does not solve in parts"),
        ({"scratch": tmp_path, "part": 0}, "part must be"),
    ):
        with pytest.raises(InvalidSolve, match=sentence):
            solve(game, **options)  # type: ignore[arg-type]
    with pytest.raises(InvalidSolve, match="marks fall"):
        solve(Game.parse("4x4k4g"), scratch=tmp_path)
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(DatabaseError, match="cannot be written"):
        solve(game, scratch=blocked)


@pytest.mark.parametrize("kind", ["save", "scratch"])
def test_a_disk_that_fills_up_is_one_sentence_and_the_solve_goes_on_later(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, place, written = Game.parse("4x4k4"), tmp_path / "place", []

    def fill(part: Path, final: Path, pieces: Any, *, lasts: bool) -> None:
        written.append(final.name)
        if len(written) > 40:
            part.write_bytes(b"some of it")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write_whole(part, final, pieces, lasts=lasts)

    monkeypatch.setattr("noughts.solve.store.write_whole", fill)
    with pytest.raises(StoreError, match=f"^{place} cannot be written: No space left on device$"):
        solve(game, part=20_000, **{kind: place})
    assert not list(place.glob("*.tmp"))
    monkeypatch.undo()
    assert solve(game, **{kind: place}).levels == solve(game).levels


def test_a_damaged_record_is_told(tmp_path: Path) -> None:
    game = Game.parse("3x4k3")
    work = solving(game, scratch=tmp_path, part=300)
    for _ in range(12):
        next(work)
    work.close()
    record = max(tmp_path.glob("step-*-of-*.json"))
    record.write_text("{}")
    with pytest.raises(Damaged, match=record.name):
        solve(game, scratch=tmp_path)
    record.unlink()
    waiting = max(tmp_path.glob("wait-*"), key=lambda path: path.stat().st_size)
    data = bytearray(waiting.read_bytes())
    data[0] ^= 255
    waiting.write_bytes(data)
    work_again = PartWork(PartCut.of(game, 300), str(tmp_path), keeps=False)
    with pytest.raises(Damaged, match=waiting.name):
        load(work_again, int(waiting.name[5:7]) // 2, int(waiting.name[8:12]))


# Plans


def test_a_plan_says_what_a_solve_then_reads(tmp_path: Path) -> None:
    game, memory = Game.parse("4x5k4"), rss_bytes() + 40_000_000
    plan = finish(planning(game, memory=memory, part=10**6, threads=1))
    assert plan.bytes == expect(game).total
    layout = Layout.of(game, memory, keeps=False, threads=1, part=10**6)
    assert [level.parts for level in reversed(plan.levels)] == [layout.cut.count(x) for x in range(layout.cut.top + 1)]
    assert plan.waits <= plan.read < 2 * plan.waits
    few, many = (finish(planning(game, machines=machines, network=10**9, part=10**6)) for machines in (2, 64))
    assert many.read == few.read
    assert many.network_seconds == pytest.approx((few.network_seconds or 0) / 32)
    assert json.loads(json.dumps(many.to_json()))["machines"] == 64


def test_a_plan_refuses_what_makes_no_sense() -> None:
    with pytest.raises(InvalidSolve, match="a network is for a cluster"):
        finish(planning(Game(), network=10**9))
    with pytest.raises(InvalidSolve, match="cluster_size must be"):
        finish(planning(Game(), machines=0))
