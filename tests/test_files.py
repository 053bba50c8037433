"""One way to write a file: it is there as a whole, or what was there before is."""

from __future__ import annotations

import io
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from noughts import Game
from noughts.cli.play import Session
from noughts.files import CannotWrite, check_target, writing
from noughts.lab import page
from noughts.lab.papers.page import page as papers_page
from noughts.lab.report import Page
from noughts.progress import finish
from noughts.solve import Solution, atlas
from noughts.solve.export import exporting

resource = pytest.importorskip("resource")


@contextmanager
def full_disk(room: int = 5) -> Iterator[None]:
    """No file grows beyond a few bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def search(option: str) -> Callable[[Path], None]:
    from noughts.cli import cli

    def write(path: Path) -> None:
        with redirect_stdout(io.StringIO()):
            cli.main(["search", "XO./.X./..O", option, str(path)], standalone_mode=False)

    return write


def save(path: Path) -> None:
    with redirect_stdout(io.StringIO()) as said:
        Session(Game(), None, None, moves=["b2", "a1"])._save(str(path))
    if "cannot be written" in said.getvalue():
        raise OSError(said.getvalue())


WRITERS: dict[str, Callable[[Path], Any]] = {
    "search --tree": search("--tree"),
    "search --dot": search("--dot"),
    "save in play": save,
    "solve --export": lambda path: finish(exporting(Solution.solve(Game(2, 2, 2)), path)),
    "atlas --rebuild": lambda path: atlas.save(atlas.load().values(), path),
    "bench --report": lambda path: page.write(SimpleNamespace(), path.parent),  # type: ignore[arg-type]
    "papers --report": lambda path: papers_page([]).write(path.parent),
}


@pytest.fixture
def blank_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands on a page is not asked here."""
    monkeypatch.setattr(page, "page", lambda bench: Page("A report", "All of the page.", []))
    monkeypatch.setattr(page, "ready", lambda folder: None)


@pytest.mark.usefixtures("blank_page")
@pytest.mark.parametrize("writer", WRITERS)
def test_a_full_disk_keeps_the_old_file_for_every_writer(writer: str, tmp_path: Path) -> None:
    path = tmp_path / "index.html"
    WRITERS[writer](path)
    assert path.stat().st_size > 5
    path.write_text("what was there", encoding="utf-8")
    with full_disk(), pytest.raises(OSError, match=r"File too large|cannot be written"):
        WRITERS[writer](path)
    assert path.read_text(encoding="utf-8") == "what was there"
    assert [each.name for each in tmp_path.iterdir()] == ["index.html"]


@pytest.mark.parametrize("writer", [name for name in WRITERS if name != "save in play"])
@pytest.mark.usefixtures("blank_page")
def test_a_full_disk_is_told_with_the_name_of_the_file(writer: str, tmp_path: Path) -> None:
    path = tmp_path / "index.html"
    with full_disk(), pytest.raises(OSError, match="File too large") as told:
        WRITERS[writer](path)
    assert Path(told.value.filename) == path


@pytest.mark.parametrize("words", [["search", "XO./.X./..O", "--tree"], ["solve", "2x2k2", "--export"]])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_the_command_names_the_file_that_a_full_disk_stopped(words: list[str]) -> None:
    line = [sys.executable, "-m", "noughts", *words, "/dev/full"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, "noughts: No space left on device: /dev/full")


@pytest.mark.parametrize("problem", [KeyboardInterrupt, OSError, ValueError])
def test_whatever_goes_wrong_keeps_the_old_file_and_leaves_no_other(
    problem: type[BaseException], tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_text("what was there", encoding="utf-8")
    with pytest.raises(problem), writing(path) as file:  # noqa: PT012
        file.write("half of what")
        file.flush()
        raise problem
    assert path.read_text(encoding="utf-8") == "what was there"
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_is_not_seen_before_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with writing(path) as file:
        file.write("all")
        file.flush()
        assert not path.exists()
    assert path.read_text(encoding="utf-8") == "all"


def test_a_file_keeps_its_permissions_and_a_new_one_has_the_usual_ones(tmp_path: Path) -> None:
    old, new, usual = tmp_path / "old", tmp_path / "new", tmp_path / "usual"
    old.touch()
    usual.touch()
    old.chmod(0o640)
    for path in (old, new):
        with writing(path) as file:
            file.write("all")
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert new.stat().st_mode == usual.stat().st_mode


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("what was there", encoding="utf-8")
    path.chmod(0o400)
    with pytest.raises(PermissionError), writing(path) as file:
        file.write("all")
    assert path.read_text(encoding="utf-8") == "what was there"


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_a_link(there: bool, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "target", tmp_path / "link"
    if there:
        target.write_text("what was there", encoding="utf-8")
    link.symlink_to(target)
    with writing(link) as file:
        file.write("all")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "all"


def test_a_link_to_itself_and_a_folder_that_is_not_there_are_errors_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path in (tmp_path / "loop", tmp_path / "none" / "file", tmp_path):
        with pytest.raises(OSError), writing(path) as file:  # noqa: PT011
            file.write("all")


def test_the_longest_name_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    with writing(path) as file:
        file.write("all")
    assert path.read_text(encoding="utf-8") == "all"


def test_a_pipe_takes_the_text_as_it_comes(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        with writing(pipe) as file:
            file.write("all")
        assert reader.communicate(timeout=60)[0] == "all"
    assert pipe.is_fifo()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_device_stays_a_device() -> None:
    with writing("/dev/null") as file:
        file.write("all")
    with pytest.raises(OSError, match="No space left"), writing("/dev/full") as file:
        file.write("all")
    assert Path("/dev/full").is_char_device()


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs /dev/stdout")
def test_standard_output_that_goes_to_a_file_is_written_on_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "out"
    line = [sys.executable, "-m", "noughts", "search", "XO./.X./..O", "--json", "--tree"]
    with path.open("w", encoding="utf-8") as out:
        out.write("before\n")
        out.flush()
        subprocess.run([*line, "/dev/stdout"], stdout=out, check=True, timeout=60)
    dashed = subprocess.run([*line, "-"], capture_output=True, text=True, check=True, timeout=60)
    assert path.read_text(encoding="utf-8") == f"before\n{dashed.stdout}"
    assert dashed.stdout.count('"nodes"') > 1


def test_what_cannot_be_a_file_is_known_before_the_work(tmp_path: Path) -> None:
    check_target(tmp_path / "file")
    for path in (tmp_path, tmp_path / "none" / "file"):
        with pytest.raises(CannotWrite, match="must be a file in a folder that exists"):
            check_target(path)
