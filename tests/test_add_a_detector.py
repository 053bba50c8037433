"""The how-to page about detectors, followed to the letter in a copy of the package: one file and one line."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from doctest import DocTestParser
from pathlib import Path

import pytest

import noughts

pytest.importorskip("pydantic", reason="the web laboratory is asked")

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "how-to" / "add-a-detector.md"

# An editable installation finds its own noughts first, whatever the path says.
IN_COPY = "import sys; from importlib.machinery import PathFinder; sys.meta_path.insert(0, PathFinder)\n"
ASK = """
import json
from noughts.lab.methods import METHODS
from noughts.detect import watching
from noughts.rules.position import Position
start = Position.parse("XX./OO./...")
shown = watching.detect(start, ["c3"], "outward").to_json()
entries = {entry["detector"]: entry for entry in watching.detectors(start, ["c3"]).to_json()["detectors"]}
print(json.dumps({"bench": list(METHODS), "entry": entries["outward"], "shown": shown}))
"""
HOLD = """
import pytest
some = "outward and not 3x4k3 and not 4x3k3"
raise SystemExit(pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", some, *sys.argv[1:]]))
"""
MAIN = "from noughts.__main__ import main; sys.argv[0] = 'noughts'; main()"
QUICK = ["--experiment", "scenarios", "--scenario", "row_win", "--iterations", "9", "--trials", "2"]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package in which somebody did what the page says."""
    folder = tmp_path_factory.mktemp("copy")
    detect = folder / "noughts" / "detect"
    shutil.copytree(Path(noughts.__file__).parent, folder / "noughts", ignore=shutil.ignore_patterns("__pycache__"))
    text = PAGE.read_text(encoding="utf-8")
    first = text[text.index("```python") : text.index("```\n", text.index("```python"))]
    (detect / "outward.py").write_text("".join(each.source for each in DocTestParser().get_examples(first)))
    added = re.findall(r"^\+(.+)$", text, re.MULTILINE)
    assert len(added) == 2, "an import and one line"
    registry = (detect / "__init__.py").read_text(encoding="utf-8")
    registry = registry.replace("\n\n__all__", f"\n{added[0]}\n\n__all__", 1)
    (detect / "__init__.py").write_text(registry[: registry.rindex("}")] + f"{added[1]}\n}}\n", encoding="utf-8")
    return folder


def run(copy: Path, code: str, *words: str) -> str:
    given = {**os.environ, "PYTHONPATH": str(copy), "NOUGHTS_NATIVE": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    given.pop("NOUGHTS_REQUIRE_NATIVE", None)
    command = [sys.executable, "-c", IN_COPY + code, *words]
    done = subprocess.run(command, capture_output=True, text=True, env=given, cwd=copy, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_new_detector_is_timed_listed_and_shown(copy: Path) -> None:
    found = json.loads(run(copy, ASK))
    assert "outward" in found["bench"]
    assert (found["entry"]["supports"], found["entry"]["verdict"]) == (True, "X")
    assert found["entry"]["title"] == "Outward"
    (step,) = found["shown"]["steps"]
    assert (found["shown"]["verdict"], found["shown"]["found"], found["shown"]["truth"]) == ("X", 0, "X")
    assert step["say"] == "X has a line, a3 to c3."
    assert step["cells"] == {"hit": [0, 1, 2]}
    ((grid,),) = step["scene"]
    assert (grid["marks"], grid["paths"]) == ({"X": [0, 1, 2], "O": [3, 4]}, [[0, 1, 2]])


def test_the_command_times_it(copy: Path) -> None:
    assert '"outward"' in run(copy, MAIN, "bench", "--detector", "outward", *QUICK, "--json")


def test_the_tests_hold_it_to_the_rules(copy: Path) -> None:
    said = run(copy, HOLD, str(TESTS / "test_detect.py"), str(TESTS / "test_steps.py"))
    passed = re.search(r"(\d+) passed", said)
    assert passed, said
    assert int(passed[1]) >= 5
