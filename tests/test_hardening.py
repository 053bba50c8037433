"""The long checks can fail: they notice what they are for, keep what they find, and write down their figures."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

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
from breaking import refused  # noqa: E402
from commands import Failed, Needs  # noqa: E402
from fuzzing import mutated, seeds  # noqa: E402
from laws import Broken  # noqa: E402

from noughts import Game  # noqa: E402
from noughts.rules.legality import Legality, Reason  # noqa: E402

EMPTY = Game().start()


def command(*words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, *words]
    return subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)


# What each check is shown, and what it must say of it.


def end(code: int, says: str) -> str:
    return refused(subprocess.CompletedProcess([], code, "", says), {1}, "disk")


def builds(names: str) -> str:
    with patch.object(wheels, "run", lambda *words: names):
        return wheels.check()


def unproved(kind: str, folder: Path) -> int:
    if not shutil.which("c++"):
        pytest.skip("needs a compiler")
    (folder / "reports").mkdir()
    with patch.dict(sanitize.FLAGS, {kind: "-O0"}):
        return sanitize.proved(kind, folder, Path(sys.executable))


def verdict(text: str, said: Legality) -> str:
    with patch.object(fuzz_notation, "check", lambda board: said):
        return fuzz_notation.law(text.encode())


def stub(ours: str, native: str) -> None:
    from stubs import compare, face  # needs the native core

    if faults := compare(face(ours), face(native)):
        raise Failed(faults[0])


TREE = ["src/noughts/py.typed", "native/bind.cpp", "docs/index.md", "docs/site/page.md", ".gitignore", "tests/a.pyc"]


def packed(folder: Path, core: bytes | None = None, more: str = "", less: str = "") -> str:
    """An sdist, or a wheel with a core, of the tree."""
    for name in TREE:
        (folder / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "tree" / name).touch()
    file = folder / ("noughts.tar.gz" if core is None else "noughts.whl")
    names = {*dist.expected(folder / "tree", file.suffix), more} - {less, ""}
    if core is None:
        with tarfile.open(file, "w:gz") as sdist:
            for name in names:
                sdist.addfile(tarfile.TarInfo(f"noughts/{name}"))
    else:
        with zipfile.ZipFile(file, "w") as wheel:
            for name in names | {"noughts/_core.abi3.so"} - {less}:
                wheel.writestr(name, core if name.endswith(".so") else b"")
    return dist.look_into(file, folder / "tree")


def differing(folder: Path) -> Path:
    for name in "ab":
        (folder / name).mkdir()
        (folder / name / "file").write_text(name)
    return dist.same(folder / "a" / "file", folder / "b" / "file")


LINUX = [f"{kind}-{machine}" for kind in wheels.KINDS for machine in wheels.SYSTEMS["linux"]]
WHEELS = "not both kinds of wheel for each machine of linux"
DEBUG = str(dist.ROOT).encode()
PLANTED: dict[str, tuple[Callable[[Path], object], str | None]] = {
    "an odd exit": (lambda _: end(3, "noughts: no"), "exit code 3"),
    "a traceback": (lambda _: end(1, "Traceback\nnoughts: no"), "a traceback"),
    "an unclear line": (lambda _: end(1, "no"), "the last line is 'no'"),
    "no reason": (lambda _: end(1, "noughts: no"), "does not say 'disk'"),
    "no line": (lambda _: end(1, ""), "the last line is ''"),
    "a refusal": (lambda _: end(1, "noughts: the disk is full"), None),
    "no wheels": (lambda _: builds(""), WHEELS),
    "another system's wheels": (lambda _: builds("cp311-win_amd64 cp312-win_amd64"), WHEELS),
    "one wheel too few": (lambda _: builds(" ".join(LINUX[1:])), WHEELS),
    "another too few": (lambda _: builds(" ".join(LINUX[:-1])), WHEELS),
    "no address sanitizer": (lambda folder: unproved("address", folder), "its silence means nothing"),
    "no thread sanitizer": (lambda folder: unproved("thread", folder), "its silence means nothing"),
    "a wheel": (lambda folder: packed(folder, b"core"), None),
    "a wheel without a core": (lambda folder: packed(folder, b"", less="noughts/_core.abi3.so"), "has no native core"),
    "a wheel of this folder": (lambda folder: packed(folder, DEBUG), "names the folder that it was built in"),
    "a wheel not stripped": (lambda folder: packed(folder, b".debug_info"), "not stripped"),
    "a large wheel": (lambda folder: packed(folder, bytes(dist.LIMIT)), "expected fewer than"),
    "an odd wheel": (lambda folder: packed(folder, b"core", "noughts/a.txt"), "what it should not: noughts/a.txt"),
    "a wheel without types": (lambda folder: packed(folder, b"core", less="noughts/py.typed"), "lacks .*/py.typed"),
    "an sdist": (packed, None),
    "an odd sdist": (lambda folder: packed(folder, more="notes.txt"), "holds what it should not: notes.txt"),
    "a hidden file": (lambda folder: packed(folder, more=".gitignore"), "holds what it should not: .gitignore"),
    "a compiled sdist": (lambda folder: packed(folder, more="tests/a.pyc"), "what it should not: tests/a.pyc"),
    "an sdist without a core": (lambda folder: packed(folder, less="native/bind.cpp"), "lacks native/bind.cpp"),
    "two builds": (differing, "two builds of file differ"),
    "a wrong refusal": (
        lambda _: verdict("XX./OO./...", Legality(EMPTY, Reason.COUNTS, "", None)),
        "is a position, and cannot arise",
    ),
    "a wrong win": (
        lambda _: verdict("XXX/OOO/...", Legality(EMPTY, None, "", (0, 3, 1, 4, 2, 5))),
        "goes on after the end",
    ),
    "a wrong witness": (
        lambda _: verdict("XXX/OO./...", Legality(EMPTY, None, "", (0, 3, 2, 4, 6))),
        "leads elsewhere",
    ),
    "a wrong reason": (
        lambda _: verdict("XXX/OOO/...", Legality(EMPTY, Reason.MOVE_AFTER_END, "", None)),
        "has two reasons",
    ),
}
STUBBED = "class C(ValueError):\n    s: slot\n    def f(self, a: int, b: object, c: Sequence[int] = [1]) -> tuple: ..."
for what, (old, new, says) in {
    "a stub": ("object", "Callable[[int], None] | None", None),
    "a stub's default": ("[1]", "[2]", "the stub says def f"),
    "a stub's type": ("a: int", "a: str", "the stub says def f"),
    "a stub's name": ("a: int", "e: int", "the stub says def f"),
    "a stub's object": ("object", "int, d: int", "the stub says def f"),
    "a stub's result": ("-> tuple", "-> list[int]", "the stub says def f"),
    "a stub's base": ("ValueError", "KeyError", "the stub says class C"),
    "a stub's function": ("def f", "def g", "is only in the"),
    "a stub's slot": ("s: slot", "t: slot", "is only in the"),
}.items():
    PLANTED[what] = (lambda _, old=old, new=new: stub(STUBBED.replace(old, new), STUBBED), says)  # type: ignore[misc]


@pytest.mark.parametrize("what", PLANTED)
def test_what_is_planted_is_found(what: str, tmp_path: Path) -> None:
    plant, says = PLANTED[what]
    if says is None:
        plant(tmp_path)
        return
    with pytest.raises((Broken, Failed), match=says):
        plant(tmp_path)


# How a result is written down


def test_a_result_has_one_row_and_the_rows_are_sorted(tmp_path: Path) -> None:
    page = tmp_path / "quality.md"
    page.write_text("# Quality\n\n| command |\n|---|---|---|---|\n\nMore.\n", encoding="utf-8")
    for name, text in (("stubs", "1"), ("fuzz TARGET=cli", "a | b\nc"), ("dist", "2"), ("stubs", "3")):
        results.record(name, text, page)
    *head, first, second, third, empty, more = page.read_text(encoding="utf-8").splitlines()
    assert head == ["# Quality", "", "| command |", "|---|---|---|---|"]
    assert [row.split("`")[1] for row in (first, second, third)] == ["make dist", "make fuzz TARGET=cli", "make stubs"]
    assert second.endswith("| a \\| b c |")
    assert third.endswith("| 3 |")
    assert (empty, more) == ("", "More.")
    with pytest.raises(ValueError, match="no make target"):
        results.record("rm -rf", "5", page)


@pytest.mark.parametrize("whole", [True, False])
def test_a_check_is_recorded_if_it_was_whole_or_failed(whole: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def ends(problem: Exception) -> str:
        raise problem

    rows: list[str] = []
    monkeypatch.setattr(results, "record", lambda name, text: rows.append(text))
    results.finish("dist", lambda: "3 wheels", whole=whole)
    for problem in (Failed("two builds differ\nand here is how"), Needs("there is no compiler")):
        with pytest.raises(SystemExit, match=f"dist: {problem}"):
            results.finish("dist", lambda: ends(problem), whole=whole)  # noqa: B023  # called at once
    assert rows == ["3 wheels"] * whole + ["**failed**: two builds differ"]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one commit, which is taken for ours."""
    if not shutil.which("git"):
        pytest.skip("needs git")
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


def test_a_row_names_the_commit_and_says_whether_the_tree_is_as_committed(repository: Path) -> None:
    clean = results.commit()
    assert re.fullmatch(r"[0-9a-f]{7,}", clean)
    (repository / "docs" / "quality.md").write_text("another row", encoding="utf-8")
    assert results.commit() == clean
    (repository / "new.py").touch()
    assert results.commit() == f"{clean}+"
    shutil.rmtree(repository / ".git")
    assert results.commit() == "none"


def test_a_release_is_what_was_committed(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    (repository / "code.py").write_text("changed since", encoding="utf-8")
    (repository / "new.py").touch()
    tree = dist.committed(tmp_path_factory.mktemp("release") / "commit")
    assert sorted(path.name for path in tree.iterdir()) == ["code.py", "docs"]
    assert (tree / "code.py").read_text(encoding="utf-8") == "as committed"
    shutil.rmtree(repository / ".git")
    assert dist.committed(repository / "nowhere") == repository


# Fuzzing


def test_mutation_depends_on_its_chance_alone() -> None:
    texts = seeds("notation")
    many = [[mutated(random.Random(seed), texts[0], texts, [b"XO"]) for seed in range(50)] for _ in range(2)]
    assert many[0] == many[1]
    assert len(set(many[0])) > 25


def test_the_slow_truth_agrees_with_what_it_judges() -> None:
    rng = random.Random(0)
    for data in [*seeds("notation"), *(fuzz_notation.made(rng) for _ in range(100))]:
        fuzz_notation.law(data)


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
