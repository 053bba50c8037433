"""The cache never grows beyond its limit, and whoever uses it meanwhile gets a right answer."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import native

from noughts import Game, Value, value
from noughts.solve import Solution, cache, forget, solve
from noughts.solve.folder import Writer, level_path
from noughts.solve.levelfile import LevelFile

GAMES = [Game.parse(name) for name in ("4x4k2", "4x4k3", "4x4k4", "4x4k3m", "4x4k4m", "3x5k3", "3x5k4")]
ONE = 1_300_000  # bytes: more than each of them takes, and two take more


def stored(folder: Path) -> int:
    """All bytes below a folder, while others may remove some."""
    total = 0
    for root, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(root, name)).st_size  # noqa: PTH116, PTH118
            except FileNotFoundError:
                continue
    return total


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("NOUGHTS_CACHE_LIMIT", raising=False)
    for game in GAMES:
        forget(game)
    yield tmp_path / "cache"
    for game in GAMES:
        forget(game)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("solved-1/*")}


def ask(game: Game) -> Value | None:
    """Its value, as a new process would find it."""
    forget(game)
    return value(game.start())


@native
@pytest.mark.parametrize("limit", [2 * ONE, 3 * ONE])
def test_whatever_is_asked_the_cache_stays_within_its_limit(
    limit: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_CACHE_LIMIT", str(limit))
    for game in (*GAMES, *reversed(GAMES)):
        assert ask(game) is not None
        assert stored(folder) <= limit
    assert str(GAMES[0]) in names(folder)


@native
def test_the_game_used_longest_ago_makes_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_CACHE_LIMIT", str(3 * ONE))
    first, second, third = (Game.parse(name) for name in ("4x4k4", "4x4k4m", "4x4k3"))
    for game in (first, second, first, third):
        if game is third:
            monkeypatch.setenv("NOUGHTS_CACHE_LIMIT", str(stored(folder) + 1000))
        ask(game)
    assert str(first) in names(folder)
    assert str(second) not in names(folder)


@native
def test_a_game_larger_than_the_limit_is_solved_and_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_CACHE_LIMIT", "200kB")
    assert ask(Game(4, 4, 4)) == Value("tie", 16)
    assert names(folder) == set()


@native
def test_a_limit_that_was_lowered_is_kept_when_something_is_made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for game in GAMES[:3]:
        ask(game)
    monkeypatch.setenv("NOUGHTS_CACHE_LIMIT", "200kB")
    ask(GAMES[3])
    assert stored(folder) <= 200_000


@native
def test_zero_switches_the_cache_off(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    monkeypatch.setenv("NOUGHTS_CACHE_LIMIT", "0")
    assert ask(Game(4, 4, 4)) == Value("tie", 16)
    assert not folder.exists()
    assert caplog.records == []
    wrong = folder / "solved-1" / "4x4k4"
    solve(Game(4, 4, 3), save=wrong)
    for path in wrong.glob("level-*"):
        path.unlink()
    (wrong / "note").touch()
    assert ask(Game(4, 4, 4)) == Value("tie", 16)
    assert [path.name for path in wrong.iterdir() if path.name != "lock"] == ["note"]


@native
def test_a_program_moves_the_cache_limits_it_or_switches_it_off(folder: Path, tmp_path: Path) -> None:
    try:
        cache.configure(folder=tmp_path / "other")
        ask(Game(4, 4, 4))
        assert names(tmp_path / "other") == {"4x4k4"}
        cache.configure(limit="200kB")
        assert cache.cache_limit() == 200_000
        ask(Game(4, 4, 4))
        cache.configure(limit=0)
        ask(Game(4, 4, 4))
        assert names(folder) == set()
        for limit in (-1, "much", True, 1.5):
            with pytest.raises(ValueError, match=r"limit|not a size"):
                cache.configure(limit=limit)  # type: ignore[arg-type]
        assert cache.cache_limit() == 0
    finally:
        cache.configure()
    assert (cache.cache_folder(), cache.cache_limit()) == (folder, 2 * 10**9)
    ask(Game(4, 4, 4))
    assert names(folder) == {"4x4k4"}


@pytest.mark.parametrize(
    ("text", "limit"), [(None, 2 * 10**9), ("", 2 * 10**9), ("500MB", 5 * 10**8), ("1GiB", 2**30), (" 0 ", 0)]
)
def test_the_limit_is_said_as_a_size(text: str | None, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if text is not None:
        monkeypatch.setenv("NOUGHTS_CACHE_LIMIT", text)
    assert cache.cache_limit() == limit


@pytest.mark.parametrize("text", ["much", "-1", "9" * 5000, "0.0", "nan"])
def test_a_limit_that_is_no_size_is_refused_by_name(text: str) -> None:
    line = [sys.executable, "-m", "noughts", "analyze", "4x4k4:X.../.O../..../...."]
    environment = {**os.environ, "NOUGHTS_CACHE_LIMIT": text}
    done = subprocess.run(line, capture_output=True, text=True, env=environment, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("noughts: NOUGHTS_CACHE_LIMIT: ")
    assert done.stderr.count("\n") == 1


def test_doctor_shows_what_the_cache_has(folder: Path) -> None:
    def doctor(*words: str, **more: str) -> str:
        line = [sys.executable, "-m", "noughts", "doctor", *words]
        environment = {**os.environ, **more}
        return subprocess.run(line, capture_output=True, text=True, env=environment, timeout=60, check=True).stdout

    solve(Game(), save=folder / "solved-1" / "3x3k3")
    facts = json.loads(doctor("--json", NOUGHTS_CACHE_LIMIT="500MB"))
    assert facts["cache"] == str(folder)
    assert (facts["cache_games"], facts["cache_limit"]) == (1, 500_000_000)
    assert facts["cache_bytes"] == stored(folder)
    assert f"cache     {folder}: 1 game, 2" in doctor()
    assert "of at most 2 GB" in doctor()
    assert "(switched off)" in doctor(NOUGHTS_CACHE_LIMIT="0")
    report = doctor(NOUGHTS_CACHE_LIMIT="junk").splitlines()
    assert len(report) == len(doctor().splitlines())
    assert re.fullmatch(r"cache .*: 1 game, 2.* kB \(NOUGHTS_CACHE_LIMIT: 'junk' is not a size.*\)", report[-1])
    facts = json.loads(doctor("--json", NOUGHTS_CACHE_LIMIT="junk"))
    assert facts["cache_limit"] is None
    assert facts["cache_problem"].startswith("NOUGHTS_CACHE_LIMIT: ")


@native
def test_a_game_that_is_being_solved_is_not_removed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = Game(4, 4, 4), Game(4, 4, 4, misere=True)  # equally large
    ask(one)
    busy = folder / "solved-1" / str(one)
    before = {path.name: path.read_bytes() for path in busy.glob("level-*")}
    monkeypatch.setenv("NOUGHTS_CACHE_LIMIT", str(stored(folder) + 1000))
    with Writer(busy, one):
        assert ask(other) is not None
        cache.discard(one)
    assert {path.name: path.read_bytes() for path in busy.glob("level-*")} == before
    assert names(folder) == {str(one)}
    assert ask(other) is not None
    assert names(folder) == {str(other)}


@native
def test_who_has_a_game_open_keeps_it_when_it_is_removed(folder: Path) -> None:
    ask(Game(4, 4, 4))
    solution = cache.find(Game(4, 4, 4))
    assert solution is not None
    cache.discard(Game(4, 4, 4))
    assert names(folder) == set()
    assert solution.best(Game(4, 4, 4).start()) == list(range(16))
    assert cache.find(Game(4, 4, 4)) is None


@native
@pytest.mark.parametrize("after", [0, 1, 8])
def test_who_opens_a_game_while_it_is_removed_makes_it_again(
    after: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(Game(4, 4, 3))
    opening, begin = [], LevelFile.__init__

    def meanwhile(self: LevelFile, path: Path, store: object = None) -> None:
        if len(opening) == after:
            cache.discard(Game(4, 4, 3))
        opening.append(path)
        begin(self, path, store)  # type: ignore[arg-type]

    monkeypatch.setattr(LevelFile, "__init__", meanwhile)
    assert cache.find(Game(4, 4, 3)) is None
    assert names(folder) == set()
    assert ask(Game(4, 4, 3)) == Value("win", 5)
    assert names(folder) == {"4x4k3"}


@native
def test_one_process_at_a_time_puts_games_there_and_the_others_do_not_wait(folder: Path) -> None:
    from noughts.files import lock

    folder.mkdir()
    with lock(folder / "lock"):
        assert ask(Game(4, 4, 4)) == Value("tie", 16)
    assert names(folder) == set()


@native
def test_many_processes_keep_the_limit_together(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = 2 * ONE
    monkeypatch.setenv("NOUGHTS_CACHE_LIMIT", str(limit))
    code = (
        "import random, sys; from noughts import *; from noughts.solve import forget\n"
        "rng = random.Random(sys.argv[1])\n"
        "for _ in range(20):\n"
        "    game = Game.parse(rng.choice(sys.argv[2:])); forget(game); print(game, value(game.start()))"
    )
    lines = [[sys.executable, "-c", code, str(seed), *map(str, GAMES)] for seed in range(4)]
    most, over = [0], threading.Event()

    def watch() -> None:
        while not over.wait(0.001):
            most.append(stored(folder))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        running = [subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for line in lines]
        said = [one.communicate(timeout=300) for one in running]
    finally:
        over.set()
        watcher.join()
    assert all(one.returncode == 0 for one in running), said
    truth = {str(game): str(Solution.solve(game)[game.start()]) for game in GAMES}
    for out, _ in said:
        assert len(out.splitlines()) == 20
        for line in out.splitlines():
            game, _, found = line.partition(" ")
            assert found == truth[game]
    assert 0 < max(most) <= limit


@native
def test_older_formats_make_room_and_what_is_not_ours_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = [folder / "solved-1" / "my notes" / "a", folder / "solved-papers" / "4x4k9" / "b", folder / "c"]
    old = folder / "solved-0" / "4x4k4" / "level-00.noughts"
    left = folder / "solved-1" / "gone-0123" / "level-00.noughts"
    for path in (*theirs, old, left):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(1000))
    monkeypatch.setenv("NOUGHTS_CACHE_LIMIT", str(ONE))
    monkeypatch.setattr(cache, "games", lambda games=cache.games: [each._replace(size=ONE) for each in games()])
    ask(Game(4, 4, 4))
    assert not old.exists()
    assert not left.exists()
    assert all(path.exists() for path in theirs)


@native
def test_a_use_is_remembered_where_the_system_keeps_no_times_of_reading(folder: Path) -> None:
    ask(Game(4, 4, 4))
    place = folder / "solved-1" / "4x4k4"
    os.utime(place, (1, 1))
    before: Any = level_path(place, 0).stat().st_mtime_ns
    ask(Game(4, 4, 4))
    assert place.stat().st_mtime > 1
    assert level_path(place, 0).stat().st_mtime_ns == before
    shutil.rmtree(place)
