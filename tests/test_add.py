"""The how-to pages that add something, all of them followed to the letter in one copy of the package.

A block of a page whose first line names a file is that file, or goes to the end of one that is there. A diff holds the
lines of the registry, which is the file that the page named last. The copy is then asked, as its users would.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from doctest import DocTestParser
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

import pytest

import noughts

pytest.importorskip("uvicorn", reason="the web laboratory is asked")

TESTS = Path(__file__).resolve().parent
PAGES = sorted((TESTS.parent / "docs" / "how-to").glob("add-a-*.md"))
PACKAGE = Path(noughts.__file__).parent

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"(?:>>> )?(?:#|//|/\*) ([\w/]+\.\w+)")
PATH = re.compile(r"src/noughts/([\w/]+\.\w+)")


class Change(NamedTuple):
    """What a page says to do: texts for files, by their paths in the package, and hunks of lines for a registry."""

    files: dict[Path, str]
    registry: Path
    hunks: list[list[str]]


def read(page: Path) -> Change:
    """What a page says to do."""
    text = page.read_text(encoding="utf-8")
    files, registry, hunks = dict[str, str](), Path(), list[list[str]]()
    for block in BLOCK.finditer(text):
        language, body = block.groups()
        if language == "diff":
            registry = Path(PATH.findall(text[: block.start()])[-1])
            hunks += [hunk.splitlines() for hunk in body.split("\n\n")]
        elif named := NAMED.match(body):
            examples = DocTestParser().get_examples(body)
            files[named[1]] = "".join(each.source for each in examples) or body
    beside = registry.parent
    return Change({beside / name.removeprefix("src/noughts/"): text for name, text in files.items()}, registry, hunks)


def do(change: Change, package: Path) -> None:
    """Do what a page says."""
    for name, text in change.files.items():
        path = package / name
        path.parent.mkdir(exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n\n{text}" if file.tell() else text)
    for hunk in change.hunks:
        path = package / change.registry
        there = path.read_text(encoding="utf-8")
        old, new = ("".join(f"{line[1:]}\n" for line in hunk if line[0] in signs) for signs in (" ", " +"))
        assert there.count(f"\n{old}") == 1, f"{change.registry} is not as the page shows it:\n{old}"
        path.write_text(there.replace(f"\n{old}", f"\n{new}"), encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_is_added_is_a_file_or_a_folder_and_a_line(page: Path) -> None:
    files, registry, hunks = read(page)
    assert len({path.relative_to(registry.parent).parts[0] for path in files}) == 1
    added = [line[1:] for hunk in hunks for line in hunk if line[0] != " "]
    imports = [line for line in added if line.startswith("from noughts.")]
    assert len(imports) <= 1
    assert len(added) - len(imports) == (not all((PACKAGE / path).exists() for path in files))  # those are known


# The copy


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """How to run a copy of the package in which somebody did what the pages say."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(PACKAGE, folder / "noughts")
    for page in PAGES:
        do(read(page), folder / "noughts")
    # An editable installation finds its own noughts first, whatever the path says.
    finder = "import sys\nfrom importlib.machinery import PathFinder\nsys.meta_path.insert(0, PathFinder)\n"
    (folder / "sitecustomize.py").write_text(finder)
    return {"cwd": folder, "text": True, "env": {**os.environ, "PYTHONPATH": str(folder)}}


def run(copy: dict[str, Any], *words: str) -> str:
    """What a Python of the copy prints."""
    done = subprocess.run([sys.executable, *words], capture_output=True, check=False, timeout=600, **copy)
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


# One process for all commands: a start costs more than most of them.
ALL = """
import io, json, sys
from contextlib import redirect_stdout
from noughts.cli import main
said = []
for words in json.loads(sys.argv[1]):
    sys.argv = ["noughts", *words]
    with redirect_stdout(io.StringIO()) as out:
        try:
            main()
        except SystemExit as end:
            assert not end.code, words
    said.append(out.getvalue())
print(json.dumps(said))
"""
DEAD = "1x30k5:" + 6 * "XO..."
TO_WIN = "XX./OO./..."
COMMANDS = {
    "help": "--help",
    "detector": "bench --detector outward --experiment scenarios --scenario row_win --iterations 9 --trials 2 --json",
    "player": "match attentive random -n 4 --json",
    "certificate": "certify attentive --json",
    "prover": f"analyze {DEAD} --json",
    "command": "legality XO./.X./..O",
    "its json": "legality XXX/OOO/... --json",
    "claim": "papers --source gordon --json",
}


@pytest.fixture(scope="module")
def said(copy: dict[str, Any]) -> dict[str, str]:
    """What the command of the copy says."""
    asked = json.dumps([line.split() for line in COMMANDS.values()])
    return dict(zip(COMMANDS, json.loads(run(copy, "-c", ALL, asked)), strict=True))


@pytest.fixture(scope="module")
def server(copy: dict[str, Any]) -> Iterator[str]:
    """The address of the copy's web laboratory."""
    words = [sys.executable, "-m", "noughts", "serve", "--port", "0", "--no-browser"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, **copy) as process:
        try:
            found = re.search(r"http://\S+/", process.stderr.readline())
            assert found
            yield found[0]
        finally:
            process.terminate()


def ask(server: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """What the API of the copy answers."""
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"{server}api/v1/{path}", data, {"content-type": "application/json"}), timeout=300) as answer:
        return json.loads(answer.read())


# What was added is in the command, the API and the page


def test_the_new_detector_is_timed_listed_and_shown(said: dict[str, str], server: str) -> None:
    assert "outward" in said["detector"]
    position = f"position={TO_WIN}&moves=c3"
    entries = {entry["detector"]: entry for entry in ask(server, f"detectors?{position}")["detectors"]}
    assert entries["outward"]["title"] == "Outward"
    assert (entries["outward"]["supports"], entries["outward"]["verdict"]) == (True, "X")
    shown = ask(server, f"detect?{position}&detector=outward")
    (step,) = shown["steps"]
    assert (shown["verdict"], shown["found"], shown["truth"]) == ("X", 0, "X")
    assert (step["say"], step["cells"]) == ("X has a line, a3 to c3.", {"hit": [0, 1, 2]})
    ((grid,),) = step["scene"]
    assert (grid["marks"], grid["paths"]) == ({"X": [0, 1, 2], "O": [3, 4]}, [[0, 1, 2]])


def test_the_new_player_plays_is_judged_and_can_be_played_against(said: dict[str, str], server: str) -> None:
    series = json.loads(said["player"])
    assert (series["a"], series["forfeits"]) == ("attentive", [])
    assert json.loads(said["certificate"])["x"]["never_loses"] is False
    listed = {player["name"]: player for player in ask(server, "players")["players"]}
    assert listed["attentive"]["summary"] == "Wins and blocks, and else plays anywhere."
    assert listed["attentive"]["plays"]
    assert ask(server, "move", {"position": TO_WIN, "player": "attentive"})["move"] == "c3"


def test_the_new_prover_is_asked(said: dict[str, str], server: str) -> None:
    for found in (json.loads(said["prover"]), ask(server, f"analyze?position={DEAD}")):
        assert (found["how"], found["value"], found["remoteness"]) == (["dead"], "tie", 18)
        assert {move["value"] for move in found["moves"]} == {"tie"}
        assert len(found["best"]) == 18


def test_the_new_bridge_can_be_loaded(copy: dict[str, Any]) -> None:
    code = (
        "from noughts import Game\nfrom noughts.bridges import BRIDGES, load\n"
        "game = load('aima').Textbook(Game())\n"
        "print(BRIDGES['aima'].title, game.actions(game.result(game.initial, 4)), sep='|')"
    )
    assert run(copy, "-c", code) == "AIMA: games for the searches of the textbook|[0, 1, 2, 3, 5, 6, 7, 8]\n"


def test_the_new_command_is_listed_and_runs(said: dict[str, str]) -> None:
    assert re.search(r"^  legality +Say whether play can lead to POSITION, and how\.$", said["help"], re.MULTILINE)
    assert said["command"] == "a3 b3 b2 c1\n"
    assert json.loads(said["its json"])["legal"] is False


def test_the_new_claim_is_judged(said: dict[str, str], server: str) -> None:
    with urlopen(f"{server}api/v1/papers?source=gordon", timeout=300) as answer:
        events = [json.loads(line[5:]) for line in answer.read().decode().splitlines() if line.startswith("data:")]
    for rows in (json.loads(said["claim"]), events[-1]["verdicts"]):
        (row,) = (row for row in rows if row["id"] == "gordon.labels")
        assert (row["claim"], row["holds"]) == ("Every cell has a number of its own, from 1 to 9.", True)
        assert row["note"] == "The 9 cells have 9 different numbers."


def test_the_new_tab_opens_and_what_else_is_new_is_on_the_page(chromium: Any, server: str) -> None:
    from browser import Visitor, address, expect

    with chromium.new_context(reduced_motion="reduce") as context:
        someone = Visitor(context.new_page(), server).open()
        page = someone.page
        tabs = page.locator(".tabs a")
        expect(tabs.last).to_have_text("Sentence")
        tabs.last.click()
        expect(page).to_have_url(re.compile("view=sentence"))
        expect(page.get_by_text("The position on the board, in one sentence.")).to_be_visible()
        told = page.locator(".said")
        expect(told).to_have_text(ask(server, "analyze?position=.../.../...")["sentence"])
        assert told.evaluate("told => getComputedStyle(told).fontSize") == "20px"
        someone.has_no_barrier(page.viewport_size["width"])
        someone.open(address(view="sentence", position=TO_WIN)).press("c3")
        expect(told).to_have_text("X has won.")

        someone.open(address(view="algorithms", position=TO_WIN, moves="c3", detector="outward"))
        expect(page.get_by_text("X has a line, a3 to c3.").first).to_be_visible()
        someone.go(address(view="match"))
        expect(page.locator("option[value=attentive]").first).to_have_text("Attentive")
        someone.open(address(view="analyse", position=DEAD)).says("A tie for X")
        someone.go(address(view="lab", row="gordon.labels"))
        expect(page.locator("[data-claim='gordon.labels']")).to_contain_text("Every cell has a number of its own")
        assert someone.complaints == []


def test_the_tests_hold_it_to_the_rules(copy: dict[str, Any]) -> None:
    some = "(outward and not 3x4k3 and not 4x3k3) or (ever_wrong and dead)"
    files = [str(TESTS / f"test_{name}.py") for name in ("detect", "steps", "proofs")]
    told = run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", some, *files)
    passed = re.search(r"(\d+) passed", told)
    assert passed, told
    assert int(passed[1]) >= 10
