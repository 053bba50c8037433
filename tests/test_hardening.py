"""The long checks can fail: they notice what they are for, keep what they find, and write down their figures."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HARDENING = Path(__file__).resolve().parents[1] / "hardening"

if not HARDENING.is_dir() or sys.platform == "win32":
    pytest.skip("the long checks need a checkout, and a system like Linux", allow_module_level=True)
sys.path.append(str(HARDENING))

import dist  # noqa: E402
import fuzz_notation  # noqa: E402
import record as results  # noqa: E402
import sanitize  # noqa: E402
import wheels  # noqa: E402
from commands import Failed  # noqa: E402
from fuzzing import mutated, seeds  # noqa: E402
from laws import Broken  # noqa: E402
from record import record  # noqa: E402

from noughts import Game  # noqa: E402
from noughts.rules.legality import Legality, Reason  # noqa: E402

EMPTY = Game().start()


def command(*words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, *words]
    return subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)


def test_a_result_has_one_row_and_the_rows_are_sorted(tmp_path: Path) -> None:
    page = tmp_path / "docs" / "quality.md"
    for name, text in (("stubs", "1"), ("fuzz TARGET=cli", "a | b\nc"), ("dist", "2"), ("stubs", "3")):
        record(name, text, page)
    page.write_text(page.read_text(encoding="utf-8") + "\nMore.\n", encoding="utf-8")
    record("fuzz TARGET=http", "4", page)
    *_, first, second, third, fourth, empty, more = page.read_text(encoding="utf-8").splitlines()
    assert [row.split("`")[1] for row in (first, second, third, fourth)] == [
        "make dist", "make fuzz TARGET=cli", "make fuzz TARGET=http", "make stubs",
    ]  # fmt: skip
    assert second.endswith("| a \\| b c |")
    assert fourth.endswith("| 3 |")
    assert (empty, more) == ("", "More.")
    with pytest.raises(ValueError, match="no make target"):
        record("rm -rf", "5", page)


def fails() -> str:
    raise Failed("two builds differ\nand here is how")


@pytest.mark.parametrize(
    ("check", "whole", "row"),
    [
        (lambda: "3 wheels", True, "3 wheels"),
        (lambda: "1 wheel", False, None),
        (fails, True, "**failed**: two builds differ"),
        (fails, False, "**failed**: two builds differ"),
    ],
)
def test_a_check_is_recorded_if_it_was_whole_or_failed(
    check: Any, whole: bool, row: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows: list[str] = []
    monkeypatch.setattr(results, "record", lambda name, text: rows.append(text))
    if check is fails:
        with pytest.raises(SystemExit, match="dist: two builds differ\nand here is how"):
            results.finish("dist", check, whole=whole)
    else:
        results.finish("dist", check, whole=whole)
    assert rows == [row] * (row is not None)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one commit, which is taken for ours."""
    (tmp_path / "docs").mkdir()
    for name in ("docs/quality.md", "code.py"):
        (tmp_path / name).write_text("as committed", encoding="utf-8")
    for name in [name for name in os.environ if name.startswith("GIT_")]:  # a hook names its own repository
        monkeypatch.delenv(name)
    me = ("-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    for words in (("init", "-q"), ("add", "."), (*me, "commit", "-qm", "All")):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    monkeypatch.setattr(results, "ROOT", tmp_path)
    monkeypatch.setattr(dist, "ROOT", tmp_path)
    return tmp_path


needs_git = pytest.mark.skipif(not shutil.which("git"), reason="needs git")


@needs_git
def test_a_row_names_the_commit_and_says_whether_the_tree_is_as_committed(repository: Path) -> None:
    clean = results.commit()
    assert re.fullmatch(r"[0-9a-f]{7,}", clean)
    (repository / "docs" / "quality.md").write_text("another row", encoding="utf-8")
    assert results.commit() == clean
    (repository / "new.py").touch()
    assert results.commit() == f"{clean}+"
    shutil.rmtree(repository / ".git")
    assert results.commit() == "none"


@needs_git
def test_a_release_is_what_was_committed(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    (repository / "code.py").write_text("changed since", encoding="utf-8")
    (repository / "new.py").touch()
    tree = dist.committed(tmp_path_factory.mktemp("release") / "commit")
    assert sorted(path.name for path in tree.iterdir()) == ["code.py", "docs"]
    assert (tree / "code.py").read_text(encoding="utf-8") == "as committed"
    shutil.rmtree(repository / ".git")
    assert dist.committed(repository / "nowhere") == repository


@pytest.mark.parametrize("kind", sanitize.FLAGS)
def test_a_sanitizer_that_is_not_on_is_noticed(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not shutil.which("c++"):
        pytest.skip("needs a compiler")
    (tmp_path / "reports").mkdir()
    monkeypatch.setitem(sanitize.FLAGS, kind, "-O0")
    with pytest.raises(Failed, match="its silence means nothing"):
        sanitize.proved(kind, tmp_path, Path(sys.executable))


LINUX = [f"{kind}-{machine}" for kind in wheels.KINDS for machine in wheels.SYSTEMS["linux"]]


@pytest.mark.parametrize("builds", ["", "cp311-win_amd64 cp312-win_amd64", " ".join(LINUX[1:]), " ".join(LINUX[:-1])])
def test_a_machine_without_both_wheels_is_noticed(builds: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheels, "run", lambda *words: builds)
    with pytest.raises(Failed, match="not both kinds of wheel for each machine of linux"):
        wheels.check()


def test_mutation_depends_on_its_chance_alone() -> None:
    texts = seeds("notation")
    many = [[mutated(random.Random(seed), texts[0], texts, [b"XO"]) for seed in range(50)] for _ in range(2)]
    assert many[0] == many[1]
    assert len(set(many[0])) > 25


def test_the_slow_truth_agrees_with_what_it_judges() -> None:
    rng = random.Random(0)
    for data in [*seeds("notation"), *(fuzz_notation.made(rng) for _ in range(100))]:
        fuzz_notation.law(data)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("XX./OO./...", Legality(EMPTY, Reason.COUNTS, "", None)),
        ("XXX/OOO/...", Legality(EMPTY, None, "", (0, 3, 1, 4, 2, 5))),
        ("XXX/OO./...", Legality(EMPTY, None, "", (0, 3, 2, 4, 6))),
        ("XXX/OOO/...", Legality(EMPTY, Reason.MOVE_AFTER_END, "", None)),
    ],
    ids=["refused", "accepted", "witness", "reason"],
)
def test_a_wrong_verdict_is_found(text: str, verdict: Legality, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_notation, "check", lambda board: verdict)
    with pytest.raises(Broken):
        fuzz_notation.law(text.encode())


def test_an_input_is_tried_again(tmp_path: Path) -> None:
    (tmp_path / "input").write_bytes(b"XXX/OO./...")
    done = command(str(HARDENING / "fuzz.py"), "notation", "--replay", str(tmp_path / "input"))
    assert (done.returncode, done.stdout) == (0, "notation: nothing found, legal\n")


def test_what_is_fuzzed_changes_nothing_outside_its_folder(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "file").write_text("as it was", encoding="utf-8")
    attempts = {
        "write": "open('../file', 'w')",
        "append": "open('../file', 'ab')",
        "create": "os.open('../new', os.O_CREAT | os.O_WRONLY)",
        "remove": "os.remove('../file')",
        "rename": "os.rename('../file', 'mine')",
        "folder": "os.mkdir('../folder')",
        "program": "subprocess.run(['touch', '../new'])",
        "listen": "socket.socket().bind(('127.0.0.1', 0))",
        "own": "open('own', 'w')",
        "read": "open('../file').read()",
    }
    script = (
        "import json, os, socket, subprocess, sys, sandbox\n"
        f"os.chdir({str(inside)!r}); sandbox.confine({str(inside)!r}); refused = []\n"
        f"for name, attempt in {attempts!r}.items():\n"
        "    try: eval(attempt)\n"
        "    except PermissionError: refused.append(name)\n"
        "print(json.dumps(refused))"
    )
    done = command("-c", f"import sys; sys.path.append({str(HARDENING)!r})\n{script}")
    assert json.loads(done.stdout) == [name for name in attempts if name not in ("own", "read")]
    assert (tmp_path / "file").read_text(encoding="utf-8") == "as it was"
    assert {path.name for path in tmp_path.iterdir()} == {"file", "inside"}


@pytest.mark.parametrize(
    ("code", "says", "law"),
    [
        (3, "noughts: no", "exit code 3"),
        (1, "Traceback\nnoughts: no", "a traceback"),
        (1, "no", "the last line is 'no'"),
        (1, "noughts: no", "does not say 'disk'"),
        (1, "", "the last line is ''"),
    ],
)
def test_an_unclear_end_is_found(code: int, says: str, law: str) -> None:
    from breaking import refused

    done: Any = subprocess.CompletedProcess([], code, "", says)
    with pytest.raises(Broken, match=law):
        refused(done, {1}, "disk")
