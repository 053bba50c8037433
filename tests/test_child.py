"""Whatever noughts starts takes nothing from the folder in which it is started."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from noughts import child

SCRIPT = Path(sysconfig.get_path("scripts")) / "noughts"
COMMAND = (str(SCRIPT),) if SCRIPT.is_file() else (sys.executable, "-P", "-m", "noughts")
IMPOSTORS = [
    "random", "noughts", "pickle", "json", "runpy", "signal", "threading", "numpy", "anyio", "sitecustomize", "click",
]  # fmt: skip
PATIENCE = 120  # seconds: only there to end a hang


@pytest.fixture
def trap(tmp_path: Path) -> Iterator[Path]:
    """A folder of impostors; at the end none of them may have run."""
    folder, ran = tmp_path / "trap", tmp_path / "ran"
    folder.mkdir()
    for name in IMPOSTORS:
        (folder / f"{name}.py").write_text(f"with open({str(ran)!r}, 'a') as file: file.write('{name} ')\n")
    yield folder
    assert not ran.exists(), ran.read_text()


def run(command: tuple[str, ...], **options: Any) -> str:
    """What a program prints, which must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@contextmanager
def server(folder: Path) -> Iterator[Any]:
    """A client of `noughts serve`, started in this folder."""
    httpx = pytest.importorskip("httpx")
    pytest.importorskip("uvicorn", reason="the web tests need the extra: pip install noughts[web]")
    line = [*COMMAND, "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(line, cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr
            said = process.stderr.readline()
            found = re.search(r"http://127\.0\.0\.1:\d+/", said)
            assert found, said + process.stderr.read()
            with httpx.Client(base_url=f"{found[0]}api/v1/", timeout=PATIENCE) as client:
                yield client
        finally:
            process.kill()


RUNS = [
    "solve?game=3x3k3",
    "match?n=4",
    "papers?source=lastmove",
    "bench?trials=1&iterations=1&scenario=draw&detector=shifts&memory=true",
]


def test_what_the_server_starts_takes_nothing_from_its_folder(trap: Path) -> None:
    with server(trap) as client:
        answer = client.post("move", json={"position": ".........", "player": "random", "seed": 3})
        assert answer.status_code == 200, answer.text
        for question in RUNS:
            *_, told = client.get(question).text.strip().split("\n\n")
            assert told.startswith("event: summary"), (question, told)
    peaks = json.loads(told.partition("data: ")[2])["process_peak_bytes"]
    assert peaks
    assert all(peaks.values())


def test_measuring_takes_nothing_from_its_folder(trap: Path) -> None:
    code = "from noughts.lab.measure import process_peak; print(process_peak('import random, json, pickle'))"
    assert int(run((sys.executable, "-P", "-c", code), cwd=trap)) > 0


def test_a_certificate_takes_nothing_from_its_folder(trap: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text("import random, json, pickle\n\ndef first(position):\n    return position.moves()[0]\n")
    assert "x" in json.loads(run((*COMMAND, "certify", f"{mine}:first", "--json"), cwd=trap))


# The way in which a process is started


def test_only_noughts_itself_is_found_where_noughts_is(tmp_path: Path) -> None:
    """Its folder may be one in which a module stands that others mean otherwise."""
    (tmp_path / "noughts").symlink_to(Path(child.__file__).parent)
    (tmp_path / "random.py").write_text("raise SystemExit('an impostor')")
    code = "from noughts import child; print(*child.code('import noughts, random; print(noughts.__file__)'), sep='\\0')"
    made = run((sys.executable, "-S", "-E", "-c", code), cwd=tmp_path).split("\0")
    assert run((sys.executable, "-S", *made[1:])) == str(tmp_path / "noughts" / "__init__.py")


def test_a_module_is_run_as_a_program_with_its_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "program.py").write_text("import sys; print(__name__, *sys.argv[1:])")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))  # the user's business
    assert run(child.module("program", "one", "-two")) == "__main__ one -two"


@pytest.mark.parametrize("given", ["-E", "-s", "-I"])
def test_a_child_trusts_no_more_than_its_parent(given: str) -> None:
    ask = "import sys; print((sys.flags.ignore_environment, sys.flags.no_user_site, sys.flags.safe_path))"
    code = f"{ask}; from noughts import child; print(child.output(child.code({ask!r})))"
    own, its = run((sys.executable, given, "-c", code)).splitlines()
    assert its == own.replace("False)", "True)")


@pytest.mark.skipif(os.name == "nt", reason="sessions are of POSIX")
def test_ctrl_c_in_the_terminal_does_not_reach_a_child() -> None:
    """It goes to every process of the terminal's group."""
    code = "import os; print(os.getsid(0) == os.getpid())"
    assert child.output(child.code(code)) == "True"


def test_a_program_that_fails_or_is_not_there_has_no_output() -> None:
    assert child.output(child.code("print(1); raise SystemExit(3)")) is None
    assert child.output(("no-such-program",)) is None
    assert child.output(child.code("import time; time.sleep(600)"), seconds=0.1) is None
