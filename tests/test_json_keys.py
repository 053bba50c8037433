"""docs/reference/json.md names the keys that the command prints with --json: all of them, and no others.

A section is about one command; where an option, or another kind of argument, changes what is answered, it has a section
of its own with that word in the heading: `search --compare`. Every option of every command is used in a line below.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from answers import keys_in
from click.testing import CliRunner

from noughts import native
from noughts.cli import COMMANDS, cli, load
from noughts.solve import atlas

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "json.md"
WITH_JSON = [name for name in COMMANDS if any(each.name == "json" for each in load(name).params)]

LINES = {
    "analyze": ["XXX/OO./...", "XXX/OOO/..."],
    "search": [
        "XO./.X./..O --algorithm minimax --depth 2 --window carried --order centre",
        "XO./.X./..O --table --symmetry --deepening --limit 100000",
        "XO./.X./..O --tree tree.json --dot tree.dot --keep 5",
        "XXX/OO./...",
        "XO./.X./..O --compare",
        "4x4k3:XO.X/OXO./X.../.O.. --compare --limit 20000",
    ],
    "review": ["game.txt"],
    "certify": [
        "random --game 2x2k2 --seed 3 --limit 1000",
        "player.py:breaks_the_rules --time-limit 20",
        "player.py:changes_its_mind --game 2x2k2",
        "file.py --classroom --total-limit 600",
    ],
    "match": ["random perfect -n 2 --game 3x3k3m --seed 3", "player.py:breaks_the_rules random -n 2 --time-limit 20"],
    "solve": [
        "2x2k2 --threads 1 --memory 1GB --save saved --backend python",
        "2x2k2 --save packed --compress",
        "2x2k2 --export positions.jsonl",
        "--verify saved --sample all",
    ],
    "atlas": ["", "2x2k2 --check", "2x2k2 --rebuild"],
    "bench": [
        "--experiment scenarios --scenario row_win --detector shifts --iterations 10 --trials 2 --report report",
        "--paper --experiment scenarios --scenario row_win --detector shifts --baseline line_sums --seed 3 --no-memory",
        "--experiment growth --detector shifts --trials 1 --no-memory",
    ],
    "papers": ["--source gordon --report report"],
    "doctor": [""],
}
LEFT_OUT = {
    "search --replay": "it is for reading, and refused beside --json",
    "atlas --large": "minutes and gigabytes, for the same keys",
}

CLASSROOM = """
calls = []

def player(board):
    calls.append(board)
    return "X" if len(calls) % 7 else "O"
"""
PLAYERS = """
asked = []

def breaks_the_rules(position):
    return 0

def changes_its_mind(position):
    asked.append(position)
    return position.moves()[len(asked) % len(position.moves())]
"""


class Section(NamedTuple):
    """A part of the page."""

    heading: list[str]
    example: list[str]
    keys: set[str]

    def problems(self, printed: set[str]) -> tuple[set[str], set[str]]:
        """The printed keys that are not listed, by name or by a star, and the listed ones that are not printed."""
        listed = {key: re.compile(re.escape(key).replace(r"\*", ".+")) for key in self.keys}
        unlisted = {key for key in printed if not any(each.fullmatch(key) for each in listed.values())}
        return unlisted, {key for key, each in listed.items() if not any(map(each.fullmatch, printed))}


def sections() -> list[Section]:
    """The sections of the page, those of one command together."""
    found = []
    for part in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        example = re.search(r"^\$ (.+)$", part, re.MULTILINE)
        assert example, part
        rows = re.findall(r"^\| (`.+?) \|", part, re.MULTILINE)
        keys = {key for row in rows for key in re.findall(r"`(.+?)`", row)}
        found.append(Section(part.split("\n")[0].split(), example[1].split(" && "), keys))
    return found


def section_of(words: list[str]) -> Section:
    """The section that tells what these words answer: of those whose heading they contain, the longest."""
    fitting = [each for each in sections() if each.heading[0] == words[0] and {*each.heading} <= {*words}]
    return max(fitting, key=lambda each: len(each.heading))


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with the files that the lines name."""
    monkeypatch.chdir(tmp_path)
    Path("file.py").write_text(CLASSROOM, encoding="utf-8")
    shutil.copy(atlas.FILE, "atlas.json")
    monkeypatch.setattr(atlas, "FILE", tmp_path / "atlas.json")
    Path("player.py").write_text(PLAYERS, encoding="utf-8")
    Path("game.txt").write_text("3x3k3: b2 b3 a1 c3 a3\n", encoding="utf-8")


def answered(line: str) -> Any:
    """What a line of the page prints."""
    given, _, command = line.rpartition(" | ")
    name, *words = command.split()
    assert name == "noughts"
    done = CliRunner().invoke(cli, words, input=given.removeprefix("echo ").strip('"'))
    assert done.stdout, (line, done.stderr, done.exception)
    return json.loads(done.stdout) if "--json" in words else None


@pytest.mark.skipif(native.core() is None, reason="the atlas and the papers take minutes without the native core")
@pytest.mark.parametrize("name", WITH_JSON)
def test_the_page_lists_what_a_command_prints_and_nothing_else(name: str, desk: None) -> None:
    printed: dict[str, set[str]] = {}
    examples = [(" ".join(each.heading), each.example) for each in sections() if each.heading[0] == name]
    for heading, example in examples:
        *_, last = map(answered, example)
        printed.setdefault(heading, set()).update(keys_in(last))
    for line in LINES[name]:
        heading = " ".join(section_of([name, *line.split()]).heading)
        printed[heading].update(keys_in(answered(f"noughts {name} {line} --json")))
    for section in sections():
        if section.heading[0] == name:
            assert section.problems(printed[" ".join(section.heading)]) == (set(), set()), section.heading


def test_a_key_too_many_and_a_key_too_few_are_noticed() -> None:
    section = Section(["search"], [], {"score", "moves", "moves[].*", "by.*.n"})
    assert section.problems({"score", "moves", "moves[].cell", "by.x.n"}) == (set(), set())
    assert section.problems({"score", "moves", "by.x.m"}) == ({"by.x.m"}, {"moves[].*", "by.*.n"})


def test_every_command_that_answers_with_json_has_its_section() -> None:
    assert {each.heading[0] for each in sections()} == {*WITH_JSON}


@pytest.mark.parametrize("name", WITH_JSON)
def test_every_option_is_used_in_a_line(name: str) -> None:
    used = {word for line in LINES[name] for word in line.split()}
    for option in load(name).params:
        names = {*option.opts, *option.secondary_opts}
        if option.name != "json" and option.param_type_name == "option":
            assert names & used or any(f"{name} {each}" in LEFT_OUT for each in names), option.name


def test_every_answer_that_the_code_speaks_of_has_its_section() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "src" / "noughts").rglob("*.py")]
    spoken = {tuple(words.split()) for text in texts for words in re.findall(r"`noughts ([^`\n]*?) ?--json`", text)}
    assert {words[0] for words in spoken} == {*WITH_JSON} - {"doctor"}
    headings = {tuple(each.heading) for each in sections()}
    for words in spoken:
        assert tuple(word for word in words if not word.isupper()) in headings, words
