"""docs/reference/json.md is made from the types of the answers, and names the keys that come: all, and no others.

A section is one answer. Its examples are run, those of the command in this process and those for curl against a server,
and so are the lines below, which use every option of every command.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest
from answers import keys_in
from click.testing import CliRunner

import noughts
from noughts import native
from noughts.bridges import NoBridge
from noughts.cli import cli
from noughts.proofs import proven
from noughts.rules.answer import Answer, kinds
from noughts.solve import atlas

httpx = pytest.importorskip("httpx", reason="the routes are on the page, too")
schema = pytest.importorskip("noughts.web.schema", reason="the meanings of the keys are the OpenAPI document's")

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "json.md"
sys.path[:0] = [str(ROOT / "docs" / "site")]
COMMANDS = [cli.get_command(click.Context(cli), name) for name in cli.list_commands(click.Context(cli))]
OPTIONS = {str(command.name): command.params for command in COMMANDS if command}
WITH_JSON = [name for name, options in OPTIONS.items() if any("--json" in each.opts for each in options)]
needs_the_core = pytest.mark.skipif(native.core() is None, reason="the atlas and the papers take minutes without it")

LINES = {
    "analyze": [
        "analyze XXX/OO./...",
        "analyze 3x4k3e:XX.X/OO../....",
        "analyze 5x5k4:...../..X../...../...../..... --seconds 0.2",
    ],
    "a board that cannot arise": ["analyze XX./.../..."],
    "search": [
        "search XO./.X./..O --algorithm minimax --depth 2 --window carried --order centre",
        "search XO./.X./..O --table --symmetry --deepening --limit 100000",
        "search XO./.X./..O --tree tree.json --dot tree.dot --keep 5",
        "search XXX/OO./...",
    ],
    "search --compare": ["search 4x4k3:XO.X/OXO./X.../.O.. --compare --limit 20000"],
    "review --nodes": ["review game.txt --nodes 500"],
    "review": ["review game.txt --number 1"],
    "match --round-robin": ["match random perfect player.py:breaks_the_rules --round-robin -n 2 --save games.sgf"],
    "certify folder": ["certify class --csv grades.csv --html report --jobs 2 --weights weights.toml"],
    "puzzle": ["puzzle", "puzzle --date 2026-01-06 --level 3"],
    "puzzle --move": ["puzzle --date 2026-01-05 --solution", "puzzle --date 2026-01-05 --level 1 --move b1"],
    "prove": [
        "prove 3x3k3",
        "prove 1x7k3:O..X... --nodes 100 --threads 1 --memory 9MB --goal win",
        "prove 5x5k4 --nodes 99 --goal hold --resume t",
        "prove 1x6k4 --seconds 1 --only stealing,pairing --save t",
    ],
    "check": ["check tie.txt"],
    "certify": [
        "certify random --game 2x2k2 --seed 3 --limit 1000",
        "certify player.py:breaks_the_rules --time-limit 20",
        "certify player.py:changes_its_mind --game 2x2k2",
    ],
    "certify file.py": ["certify file.py --classroom --total-limit 600"],
    "dataset": [
        "dataset 2x2k2 -o a.jsonl --seed 3 --form planes --split train=0.5,test=0.5 --finished",
        "dataset 3x3k3 -o b.npz --positions 20",
    ],
    "score": ["score predictions.jsonl"],
    "match": [
        "match random perfect -n 2 --game 3x3k3m --seed 3 --csv match.csv --svg match.svg",
        "match player.py:breaks_the_rules random -n 2 --time-limit 20",
        "match random random -n 2 --game 6x6k4 --opening swap",
    ],
    "solve": [
        "solve 2x2k2 --threads 1 --memory 8GB --save saved --backend python",
        "solve 2x2k2 --save packed --compress",
        "solve 2x2k2 --export positions.jsonl --csv levels.csv --svg levels.svg --by remoteness",
        "solve 3x3k3 --scratch scratch --part 1KB --memory 8GB",
    ],
    "solve --plan": ["solve 3x3k3 --plan --cluster-size 4 --network 1GB/s"],
    "solve --verify": ["solve --verify solved --sample all"],
    "solve --count": ["solve 3x3k3g --count 4 --threads 1"],
    "atlas --proven": ["atlas --proven"],
    "atlas --certificates": ["atlas --certificates certificates"],
    "atlas": ["atlas", "atlas 2x2k2 --check --csv atlas.csv --svg atlas.svg", "atlas 2x2k2 --rebuild"],
    "bench": [
        "bench --experiment scenarios --scenario row_win --detector shifts --iterations 10 --trials 2 --report report",
        "bench --paper --experiment scenarios --scenario row_win --detector shifts --baseline line_sums --no-memory",
        "bench --experiment growth --detector shifts --trials 1 --seed 3 --no-memory --csv times.csv --svg times.svg",
    ],
    "papers": ["papers --source gordon --report report --csv claims.csv --svg claims.svg"],
    "doctor": ["doctor"],
}
LEFT_OUT = {
    "papers --bibtex": "it prints the sources, and is refused beside --json",
    "review --as": "it writes the game, and is refused beside --json",
    "search --replay": "it is for reading, and refused beside --json",
    "solve --cluster": "it needs Dask: make cluster tries it",
    "solve --resume": "it refuses to begin, and the keys are the same",
    "atlas --upto": "it says what --check and --rebuild solve again, for the same keys",
    "atlas --scratch": "where boards beyond 25 cells are solved on disk, for the same keys",
    "atlas --memory": "what a large game may take, for the same keys",
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

    heading: str
    examples: list[str]
    keys: set[str]

    def problems(self, printed: set[str]) -> tuple[set[str], set[str]]:
        """The printed keys that are not listed, by name or by a star, and the listed ones that are not printed.

        What is inside of something that was never there, as of an empty list or a null, cannot have been printed.
        """
        unlisted = {key for key in printed if not any(stands_for(each, key) for each in self.keys)}
        around = {key.rpartition(".")[0] for key in printed}
        possible = {key for key in self.keys if any(stands_for(key.rpartition(".")[0], each) for each in around)}
        return unlisted, {key for key in possible if not any(stands_for(key, each) for each in printed)}


def stands_for(listed: str, printed: str) -> bool:
    """Is this key meant, by its name or by a star?"""
    return bool(re.fullmatch(re.escape(listed).replace(r"\*", ".+"), printed))


def sections() -> dict[str, Section]:
    """The sections of the page that are about an answer."""
    found = {}
    for part in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        heading, examples = part.split("\n")[0], re.findall(r"^\$ (.+)$", part, re.MULTILINE)
        rows = re.findall(r"^\| (`.+?) \|", part, re.MULTILINE)
        if examples:
            found[heading] = Section(heading, examples, {key for row in rows for key in re.findall(r"`(.+?)`", row)})
    return found


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with the files that the lines name."""
    monkeypatch.chdir(tmp_path)
    Path("file.py").write_text(CLASSROOM, encoding="utf-8")
    Path("class").mkdir()
    Path("certificates").mkdir()
    shutil.copy(proven.FOLDER / "5x6k4.proof.gz", "certificates")
    Path("class", "anna.py").write_text(CLASSROOM, encoding="utf-8")
    Path("class", "ben.py").write_text("import (", encoding="utf-8")
    Path("weights.toml").write_text("[weights]\nplayer = 1", encoding="utf-8")
    shutil.copy(atlas.FILE, "atlas.json")
    monkeypatch.setattr(atlas, "FILE", tmp_path / "atlas.json")
    Path("player.py").write_text(PLAYERS, encoding="utf-8")
    Path("predictions.jsonl").write_text('{"position": "XX./OO./...", "move": "c3"}\n', encoding="utf-8")
    Path("game.txt").write_text("3x3k3: b2 b3 a1 c3 a3\n", encoding="utf-8")


def answered(line: str) -> Any:
    """What a line of the page prints."""
    given, _, command = line.rpartition(" | ")
    name, *words = command.split()
    assert name == "noughts"
    done = CliRunner().invoke(cli, words, input=given.removeprefix("echo ").strip('"'))
    assert done.stdout, (line, done.stderr, done.exception)
    return json.loads(done.stdout) if "--json" in words else None


@needs_the_core
@pytest.mark.parametrize("heading", LINES)
def test_the_page_lists_what_a_command_prints_and_nothing_else(heading: str, desk: None) -> None:
    section, printed = sections()[heading], set()
    for line in (*section.examples[0].split(" && "), *(f"noughts {line} --json" for line in LINES[heading])):
        printed.update(keys_in(answered(line)))
    assert section.problems(printed) == (set(), set())


CURL = {
    section.heading: line
    for section in sections().values()
    for line in section.examples
    if line.startswith("curl") and "NAME" not in line
}


@needs_the_core
@pytest.mark.parametrize("heading", CURL)
def test_the_page_lists_what_is_sent_and_nothing_else(heading: str, laboratory: str) -> None:
    address, *rest = shlex.split(CURL[heading])[1:]
    url = re.sub("^http://[^/]+/", laboratory, address)
    sent: Any = {"content": rest[-1], "headers": {"content-type": "application/json"}} if rest else {}
    told = httpx.request("POST" if rest else "GET", url, timeout=120, **sent)
    assert told.status_code == 200, told.text
    found = json.loads(told.text.strip().rpartition("\ndata: ")[2])
    section = sections()[heading]
    if all(key.startswith("[]") for key in section.keys):  # what is sent is always an object
        found = next(part for part in found.values() if isinstance(part, list))
    assert section.problems({*keys_in(found)}) == (set(), set())


def test_a_key_too_many_and_a_key_too_few_are_noticed() -> None:
    section = Section("search", [], {"score", "moves", "moves[].*", "by", "by.*.n", "by.*.of", "none", "none[].n"})
    printed = {"score", "none", "moves", "moves[].cell", "by", "by.x.n", "by.x.of"}
    assert section.problems(printed) == (set(), set())
    assert section.problems(printed - {"none", "by.x.n"} | {"by.x.m"}) == ({"by.x.m"}, {"none", "by.*.n"})


# What is on the page


def test_the_page_is_what_the_types_say() -> None:
    made = importlib.import_module("json_reference").page()
    assert PAGE.read_text(encoding="utf-8") == made, "run make keys"


def test_every_command_that_answers_with_json_has_its_section() -> None:
    assert {heading for heading, each in sections().items() if "noughts" in each.examples[0]} == {*LINES}
    assert {line.split()[0] for lines in LINES.values() for line in lines} == {*WITH_JSON}


def test_every_route_has_its_section() -> None:
    from noughts.web.app import create_app

    text = PAGE.read_text(encoding="utf-8")
    for path, methods in create_app().openapi()["paths"].items():
        for method in methods:
            assert f"`{method.upper()} {path}`" in text


@pytest.mark.parametrize("name", WITH_JSON)
def test_every_option_is_used_in_a_line(name: str) -> None:
    used = {word for lines in LINES.values() for line in lines if line.split()[0] == name for word in line.split()}
    for option in OPTIONS[name]:
        names = {*option.opts, *option.secondary_opts}
        if "--json" not in names and option.param_type_name == "option":
            assert names & used or any(f"{name} {each}" in LEFT_OUT for each in names), option.name


def test_every_answer_that_the_code_speaks_of_has_its_section() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "src" / "noughts").rglob("*.py")]
    spoken = {words for text in texts for words in re.findall(r"`noughts ([^`\n]*?) ?--json`", text)}
    assert spoken
    for words in spoken:
        assert " ".join(word for word in words.split() if not word.isupper()) in sections(), words


# What the keys mean


def answer_types(parent: type = Answer) -> Iterator[type]:
    """Every type of an answer, wherever it is."""
    for each in parent.__subclasses__():
        yield each
        yield from answer_types(each)


def test_every_key_of_every_answer_has_a_meaning_and_no_meaning_is_unused() -> None:
    for module in pkgutil.walk_packages(noughts.__path__, "noughts."):
        if not module.name.endswith("__main__"):
            with suppress(NoBridge):  # the other side of a bridge is not here
                importlib.import_module(module.name)
    own = {name: words for name, words in schema.MEANINGS.items() if not isinstance(words, str)}
    unused = {(name, key) for name, words in own.items() for key in words}
    unused |= {("", key) for key in schema.MEANINGS if key not in own}
    for answer in answer_types():
        for key, _ in kinds(answer):
            assert schema.meaning(answer, key)
            names = (each.__name__ for each in schema.with_parts(answer))
            unused.discard((next((name for name in names if key in own.get(name, {})), ""), key))
    assert not unused


def test_the_openapi_document_tells_what_a_key_holds() -> None:
    from noughts.web.app import create_app

    told = create_app().openapi()["components"]["schemas"]["Judgement"]["properties"]
    assert told["slipped"]["description"] == "whether something was given away"
    assert told["position"]["description"] == "the position before it"
