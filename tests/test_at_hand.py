"""Where values come from: a solution that was named, one made on the spot, or one made once and kept."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import native
from levels import contents, forge
from shell import command

from noughts import Game, Position, Value, best_moves, move_values, value
from noughts.solve import Solution, at_hand, forget, plain, solve, use, verify
from noughts.solve.cache import cache_folder
from noughts.solve.folder import Writer, level_path
from noughts.solve.problems import Damaged


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """3x3k3, raw."""
    solve(Game(), save=tmp_path / "3x3k3")
    return tmp_path / "3x3k3"


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    games = [Game(4, 4, 4), Game(4, 4, 3), Game()]
    for game in games:
        forget(game)
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path / "cache"))
    yield tmp_path / "cache"
    for game in games:
        forget(game)


@native
def test_4x4_is_solved_once_and_kept(own_cache: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    start = Game(4, 4, 4).start()
    assert value(start) == Value("tie", 16)
    folder = own_cache / "solved-1" / "4x4k4"
    assert caplog.record_tuples == [("noughts", logging.INFO, f"solving 4x4k4 once, and keeping it in {folder}")]
    assert len(list(folder.glob("level-*.noughts"))) == 17
    before = contents(folder)
    forget(start.game)
    assert set(move_values(start).values()) == {Value("tie", 16)}
    assert best_moves(start) == list(range(16))
    assert len(caplog.records) == 1
    assert contents(folder) == before


@native
def test_the_command_says_so_to_people_and_the_library_to_nobody(own_cache: Path) -> None:
    said = f"noughts: solving 4x4k4 once, and keeping it in {own_cache / 'solved-1' / '4x4k4'}\n"
    code = "from noughts import *; value(Game(4, 4, 4).start())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert (done.stdout, done.stderr) == ("", "")
    shutil.rmtree(own_cache)
    assert [command("analyze", "4x4k4:" + "/".join(["...."] * 4)).stderr for _ in range(2)] == [said, ""]


@native
def test_3x3_needs_no_folder_and_says_nothing(own_cache: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    assert value(Game().start()) == Value("tie", 9)
    assert not own_cache.exists()
    assert caplog.records == []


@native
def test_few_free_cells_need_no_solution(own_cache: Path) -> None:
    position = Position.parse("4x4k4:XOXO/XOXO/OXOX/....")
    assert value(position) == plain.value(position)
    assert not own_cache.exists()


@native
@pytest.mark.parametrize("damage", ["page", "header", "empty", "missing"])
def test_a_damaged_cache_is_made_again(damage: str, own_cache: Path) -> None:
    start = Game(4, 4, 3).start()
    assert value(start) == Value("win", 5)
    forget(start.game)
    path = level_path(own_cache / "solved-1" / "4x4k3", 0)
    good = path.read_bytes()
    if damage == "page":
        path.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
    elif damage == "header":
        path.write_bytes(b"?" + good[1:])
    elif damage == "empty":
        path.write_bytes(b"")
    else:
        path.unlink()
    assert value(start) == Value("win", 5)
    assert value(start.play(5)) is not None
    forget(start.game)
    assert value(start) == Value("win", 5)
    assert path.read_bytes() == good


@native
@pytest.mark.parametrize("problem", ["file", "busy"])
def test_a_cache_that_cannot_be_written_costs_only_time(
    problem: str, own_cache: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    start = Game(4, 4, 3).start()
    if problem == "file":
        own_cache.write_text("in the way")
        assert value(start) == Value("win", 5)
        assert caplog.records == []
    else:
        with Writer(own_cache / "solved-1" / "4x4k3", start.game):
            assert value(start) == Value("win", 5)
    assert move_values(start.play(5))[10] is not None


@native
def test_threads_may_ask_at_once(own_cache: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    start, found = Game(4, 4, 4).start(), []
    threads = [threading.Thread(target=lambda: found.append(value(start.play(5)))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter(found) == {Value("tie", 15): 8}
    assert len(caplog.records) == 1


@native
def test_processes_may_ask_at_once(own_cache: Path) -> None:
    line = [sys.executable, "-c", "from noughts import *; print(value(Game(4, 4, 4).start()))"]
    running = [subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    for one in running:
        said, _ = one.communicate(timeout=120)
        assert (said, one.returncode) == ("tie 16\n", 0)
    assert verify(own_cache / "solved-1" / "4x4k4").levels == 17


def test_a_solution_that_was_named_answers(copy: Path) -> None:
    """Even a wrong one: so we see that it was asked."""
    forge(level_path(copy, 0), 0, 254 - 9)
    try:
        use(Solution.open(copy))
        assert value(Game().start()) == Value("win", 9)
    finally:
        forget(Game())
    assert value(Game().start()) == Value("tie", 9)


def test_a_solution_that_says_of_a_position_of_play_that_it_cannot_arise_is_damaged(copy: Path) -> None:
    forge(level_path(copy, 0), 0, 255)
    with Solution.open(copy) as solution, pytest.raises(Damaged, match="cannot arise"):
        solution[Game().start()]


def test_a_damaged_solution_that_was_named_complains(copy: Path) -> None:
    path = level_path(copy, 0)
    path.write_bytes(path.read_bytes()[:-1] + b"\0")
    try:
        use(Solution.open(copy))
        with pytest.raises(Damaged):
            value(Game().start())
    finally:
        forget(Game())
    assert path.exists()


def test_the_environment_names_solutions(copy: Path, tmp_path: Path) -> None:
    forge(level_path(copy, 0), 0, 254 - 7)
    solve(Game(misere=True), save=tmp_path / "misere")
    folders = os.pathsep.join([str(copy), str(tmp_path / "misere")])
    code = "import noughts; print(noughts.value(noughts.Game().start()))"
    named = {**os.environ, "NOUGHTS_DB": folders}
    done = subprocess.run([sys.executable, "-c", code], env=named, capture_output=True, text=True, check=True)
    assert done.stdout == "win 7\n"
    done = command("analyze", ".../.../...", env={**os.environ, "NOUGHTS_DB": "/nowhere"})
    assert (done.returncode, done.stderr) == (2, "noughts: /nowhere is not a folder with a solution\n")


@native
def test_what_is_too_large_is_still_unknown(own_cache: Path) -> None:
    assert value(Game(5, 5, 4).start()) is None
    assert at_hand.ask(Game(1, 20, 7), len) is None  # 326 MB
    assert not own_cache.exists()


@native
def test_memory_is_bounded_when_nothing_can_be_kept(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_cache.write_text("in the way")
    monkeypatch.setattr(at_hand, "MAX_IN_MEMORY", 1_500_000)
    for game in (Game(4, 4, 4), Game(4, 4, 3)):
        assert value(game.start()) is not None
    assert at_hand.find(Game(4, 4, 4)) is None
    assert at_hand.find(Game(4, 4, 3)) is not None
    assert value(Game(4, 4, 4).start()) == Value("tie", 16)


FORKED = """
import os, signal, threading
from noughts import Game, value
from noughts.solve import at_hand

value(Game(4, 4, 3).start())  # everything is imported
held, make = threading.Event(), at_hand._make

def told(game):
    held.set()
    return make(game)

at_hand._make = told
solving = threading.Thread(target=value, args=[Game(4, 4, 4).start()])
solving.start()
held.wait()
child = os.fork()
if child == 0:
    signal.alarm(120)  # ends a hang, and with it this test
    os._exit(value(Game().start()).outcome != "tie" or value(Game(4, 4, 4).start()).outcome != "tie")
solving.join()
print("child", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@native
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_child_that_was_forked_while_another_thread_solves_gets_its_values(own_cache: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout == "child 0\n"


@pytest.mark.parametrize(
    ("system", "settings", "folder"),
    [
        ("linux", {}, "/home/ann/.cache/noughts"),
        ("linux", {"XDG_CACHE_HOME": "/var/ann"}, "/var/ann/noughts"),
        ("darwin", {"XDG_CACHE_HOME": "/var/ann"}, "/home/ann/Library/Caches/noughts"),
        ("win32", {}, "/home/ann/noughts/Cache"),
        ("win32", {"LOCALAPPDATA": "/data/ann"}, "/data/ann/noughts/Cache"),
        ("linux", {"NOUGHTS_CACHE": "/mine"}, "/mine"),
    ],
)
def test_the_cache_folder_is_where_the_system_keeps_such_things(
    system: str, settings: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ann"))
    for name in ("NOUGHTS_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, setting in settings.items():
        monkeypatch.setenv(name, setting)
    assert cache_folder() == Path(folder)
