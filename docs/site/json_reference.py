"""docs/reference/json.md, made from the types of the answers: `make keys` writes it.

A section is one answer: how it is asked for, what its type says of itself, and its keys, with those of its parts. Which
keys there are and what type they hold the answer's own line says (`noughts.rules.answer`); what they mean is written in
src/noughts/web/keys.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from inspect import getdoc
from itertools import groupby
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

from noughts.account import Review
from noughts.analysis import Analysis
from noughts.course import Course
from noughts.detect.scene import Grid, Meters, ShownStep, Sign, Tiles
from noughts.detect.watching import Detection, Detectors, Exhibits, LabellingProof
from noughts.doctor import Installation
from noughts.engine import View
from noughts.lab.bench import Bench
from noughts.lab.figure import Drawing
from noughts.lab.papers.claim import Ruling
from noughts.labels import Dataset, PredictionScore
from noughts.play.balance import Laid, Taken
from noughts.play.certification import Certificate
from noughts.play.classroom import Report
from noughts.play.gradebook import Gradebook
from noughts.play.matches import Series
from noughts.play.opponents import MoveMade, Opponents
from noughts.play.puzzles import Attempt, Puzzle
from noughts.play.tournament import Tournament
from noughts.proofs.opponent import Against
from noughts.proofs.prove import Examined, Proven
from noughts.proofs.proven import CertificateAtHand, ProvenGame, ProvenGames
from noughts.rules.answer import BoardPicture, MoveName, kinds
from noughts.rules.game import Game
from noughts.rules.legality import Legality
from noughts.rules.position import Position
from noughts.search.comparison import Comparison
from noughts.search.exploring import Exploration, SideBySide
from noughts.search.result import Result
from noughts.search.tree import Node
from noughts.solve.atlas import Row
from noughts.solve.counting import PositionCounts
from noughts.solve.planning import Plan
from noughts.solve.prospect import Prospect
from noughts.solve.summary import Summary
from noughts.solve.verification import Verified
from noughts.walk import ProofShown
from noughts.web.asking import API
from noughts.web.routes.games import KeptGames, Written
from noughts.web.routes.play import GamesOnOffer
from noughts.web.routes.solving import Stopped
from noughts.web.routes.together import InQueue, Meeting
from noughts.web.schema import meaning

FILE = Path(__file__).parents[1] / "reference" / "json.md"
SERVER = "http://127.0.0.1:8765"
SENT = "-H 'content-type: application/json' -d"
EVENTS = "is a stream of events: `progress`, and at the end `summary`, which has these keys."


class Section(NamedTuple):
    """An answer: its heading, its type, and how it is asked for, by the command, over HTTP or both."""

    heading: str
    answer: type
    command: str = ""
    method: str = "GET"
    route: str = ""  # with what it is asked, as in /analyze?position=XO./.X./..O
    body: str = ""
    says: str = ""  # what else is to be known of it
    is_list: bool = False

    @property
    def address(self) -> str:
        """The route without what it is asked."""
        return f"`{self.method} {API}{self.route.partition('?')[0].replace('NAME', '{name}')}`"


SECTIONS = [
    Section("analyze", Analysis, "noughts analyze XO./.X./..O --json", route="/analyze?position=XO./.X./..O"),
    Section(
        "a board that cannot arise", Legality, "noughts analyze XXX/OOO/... --json",
        route="/legality?position=XXX/OOO/...",
        says=f"The command prints it with exit code 2, and `GET {API}/analyze` sends it with status 422 and one key "
        "more, `detail`: the complaint. Of a board that can arise only the route tells this.",
    ),
    Section(
        "a proof to walk through", ProofShown, route="/proof?position=4x4k3:..../.XX./.OO./....",
        says=f"`GET {API}/prove` looks longer: it {EVENTS}",
    ),
    Section(
        "what the engine believes", View, route="/engine?position=3x7k4:......./..XX.../O.....O&seconds=1",
        says=f"`noughts analyze POSITION --seconds S` has it under `engine`. The answer over HTTP {EVENTS}",
    ),
    Section("search", Result, "noughts search XO./.X./..O --json", route="/search?position=XO./.X./..O"),
    Section("search --compare", Comparison, "noughts search XO./.X./..O --compare --json"),
    Section(
        "solve", Summary, "noughts solve 3x3k3 --json", route="/solve?game=3x3k3",
        says=f"The answer over HTTP {EVENTS}",
    ),
    Section("solve --verify", Verified, "noughts solve 3x3k3 --save solved && noughts solve --verify solved --json"),
    Section("solve --count", PositionCounts, "noughts solve 6x7k4g --count 4 --json"),
    Section("solve --plan", Plan, "noughts solve 4x4k4 --plan --cluster-size 4 --network 1GB/s --json"),
    Section("prove", Proven, "noughts prove 1x6k4 --json"),
    Section("atlas --proven", ProvenGame, "noughts atlas 7x7k5 --proven --json", is_list=True),
    Section("what is proven", ProvenGames, route="/proven"),
    Section("a game against a proof", Against, route="/against?game=5x5k4&moves=c3,a1"),
    Section(
        "atlas --certificates", CertificateAtHand,
        "noughts prove 1x6k4 --save 1x6k4.proof && noughts atlas --certificates . --json",
        is_list=True,
    ),
    Section("check", Examined, "noughts prove 1x6k4 --save tie.txt && noughts check tie.txt --json"),
    Section("certify", Certificate, "noughts certify rules-as-printed --json"),
    Section(
        "certify file.py", Report, "noughts certify file.py --classroom --json",
        says="A classroom file. [Grade my students](../how-to/grade-my-students.md) tells what is asked.",
    ),
    Section(
        "certify folder", Gradebook, "noughts certify class --json",
        says="A folder of classroom files. [Grade my students](../how-to/grade-my-students.md#a-whole-class) shows it.",
    ),
    Section(
        "dataset", Dataset, "noughts dataset 3x3k3 -o positions.jsonl --json",
        says="The file's own columns are told in its card. [Exact labels](../how-to/label-and-score.md) shows both.",
    ),
    Section("score", PredictionScore, "noughts score predictions.jsonl --json"),
    Section(
        "match", Series, "noughts match rules level-2 -n 4 --json", route="/match?a=rules&b=level-2&n=4",
        says=f"The answer over HTTP {EVENTS}",
    ),
    Section("an opening to swap", Laid, route="/opening?game=9x9k5&seed=7"),
    Section("a side to take", Taken, route="/side?position=3x7k4:......./..XX.../O......"),
    Section(
        "match --round-robin", Tournament, "noughts match rules level-2 level-1 --round-robin -n 2 --json",
    ),
    Section(
        "games read from a text", KeptGames, method="POST", route="/games/read", body='{"text": "3x3k3: b2 a1 c3"}',
    ),
    Section(
        "a game written as a text", Written, method="POST", route="/games/write",
        body='{"format": "sgf", "moves": [{"parent": null, "move": "b2"}, {"parent": 0, "move": "a1"}]}',
    ),
    Section(
        "papers", Ruling, "noughts papers --source minimax --json", route="/papers?source=minimax", is_list=True,
        says="A list of objects. Over HTTP it is a stream of events: `progress`, and at the end `summary`, where the "
        "list is `verdicts`, beside `sentence` (how many hold) and `seconds`.",
    ),
    Section(
        "a table as a picture", Drawing, method="POST", route="/figure",
        body='{"title": "Who wins?", "head": ["player", "won", "lost"], "rows": [["rules", 3, 1]], "kind": "bars"}',
    ),
    Section(
        "atlas", Row, "noughts atlas 3x3k3 --json", route="/atlas?limit=12", is_list=True,
        says="A list of objects, one a game; over HTTP it is `games`, always from the first game on.",
    ),
    Section(
        "bench", Bench,
        "noughts bench --experiment scenarios --scenario row_win --detector shifts --iterations 10 --trials 2 "
        "--no-memory --json",
        route="/bench?scenario=row_win&detector=shifts&iterations=10&trials=2",
        says=f"The answer over HTTP {EVENTS}",
    ),
    Section("doctor", Installation, "noughts doctor --json"),
    Section(
        "review", Review, 'echo "3x3k3: b2 a1 c3" | noughts review - --json', "POST", "/review",
        '{"game": "3x3k3", "moves": ["b2", "a1", "c3"]}',
        says="Over HTTP `you` may say who reads: `X` or `O` is then called you. "
        f"`GET {API}/review`, with `position` and `moves`, {EVENTS}",
    ),
    Section(
        "review --nodes", Course, 'echo "5x6k4: c3 a1 d3" | noughts review - --nodes 500 --json',
        route="/course?position=5x6k4:....../....../....../....../......&moves=c3,a1,d3&nodes=500",
        says=f"What the engine adds to [review](#review). The answer over HTTP {EVENTS}",
    ),
    Section(
        "puzzle", Puzzle, "noughts puzzle --date 2026-01-05 --json", route="/puzzle?date=2026-01-05",
    ),
    Section(
        "puzzle --move", Attempt, "noughts puzzle --date 2026-01-05 --solution --json",
        route="/puzzle/attempt?date=2026-01-05",
        says="With `--move`, over HTTP `moves`, a move is tried; without one it is the solution.",
    ),
    Section(
        "a search with its tree", Exploration, route="/search?position=XO./.X./..O&keep=20",
        says="What `keep` adds to [search](#search): so many nodes of the tree, and their replay.",
    ),
    Section(
        "ways to search", SideBySide, route="/search/compare?position=XO./.X./..O&window=carried",
        says="As `search --compare`, with other ways: those that lead up to the one that is asked for. A way that both "
        "compare is the same in both.",
    ),
    Section("a move", MoveMade, method="POST", route="/move",
            body='{"position": "XO./.X./..O", "player": "perfect", "seed": 7}'),
    Section("players", Opponents, route="/players?game=3x3k3"),
    Section("games", GamesOnOffer, route="/games"),
    Section("what a solve takes", Prospect, route="/prospect?game=4x4k4"),
    Section("detectors", Detectors, route="/detectors?position=XX./OO./...&moves=c3"),
    Section("a detector at work", Detection, route="/detect?position=XX./OO./...&moves=c3&detector=shifts"),
    Section("exhibits", Exhibits, route="/exhibits"),
    Section("why there are no labels", LabellingProof, route="/labelling?game=4x4k4"),
    Section("a run that is stopped", Stopped, method="DELETE", route="/runs/NAME",
            says="The name is in the header `x-run` of its stream."),
    Section("the queue", InQueue, route="/queue"),
    Section("others", Meeting, route="/class"),
]  # fmt: skip

# Parts that have a section of their own, to which others point: one, many, and the heading.
PARTS = {
    BoardPicture: ("board", "boards", "board"),
    Node: ("node", "nodes", "node"),
    ShownStep: ("step", "steps", "step"),
    Grid: ("grid", "grids", "grid"),
    Tiles: ("tiles", "tiles", "tiles"),
    Meters: ("meters", "meters", "meters"),
    Sign: ("sign", "signs", "sign"),
}
LINKED = PARTS | {Analysis: ("analysis", "analyses", "analyze"), Row: ("row", "rows", "atlas")}


# Types in plain words

PLAIN: dict[Any, tuple[str, str]] = {
    str: ("text", "texts"), int: ("whole number", "whole numbers"), float: ("number", "numbers"),
    bool: ("true or false", "true or false"), NoneType: ("null", "null"), Any: ("anything", "anything"),
    Game: ("game", "games"), Position: ("position", "positions"), MoveName: ("move", "moves"), Path: ("text", "texts"),
}  # fmt: skip


def words(kind: Any, many: bool = False) -> str:
    """A declared type in plain words.

    >>> words(int | None), words(tuple[tuple[MoveName, ...], ...]), words(dict[str, bool])
    ('whole number or null', 'list of lists of moves', 'object of true or false')
    >>> words(Literal["win", "tie", "loss"] | None)
    '`win`, `tie`, `loss` or null'
    """
    *first, last = (word for each in options(kind) for word in alternatives(each, many))
    return f"{', '.join(first)} or {last}" if first else last


def alternatives(kind: Any, many: bool) -> list[str]:
    """What a type that is no union may hold: one thing, or one of several names."""
    if kind in PLAIN:
        return PLAIN[kind][many].split(" or ")
    if is_list(kind) or is_mapping(kind):
        return [f"{'list' if is_list(kind) else 'object'}{'s' * many} of {words(inner(kind), True)}"]
    if kind in LINKED:
        return [f"[{LINKED[kind][many]}](#{LINKED[kind][2]})"]
    if hasattr(kind, "keys"):
        return ["objects" if many else "object"]
    values = get_args(kind) if get_origin(kind) is Literal else [str(each) for each in kind]
    return [f"`{each}`" if isinstance(each, str) else str(each).lower() for each in values]


def options(kind: Any) -> tuple[Any, ...]:
    """The types that something may be of."""
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def is_list(kind: Any) -> bool:
    return get_origin(kind) in (tuple, list, Sequence)


def is_mapping(kind: Any) -> bool:
    return get_origin(kind) in (dict, Mapping)


def inner(kind: Any) -> Any:
    """The type of what a list or a mapping holds."""
    return get_args(kind)[is_mapping(kind)]


# Keys


class Line(NamedTuple):
    """A line of a table: keys that hold the same."""

    keys: tuple[str, ...]
    holds: str
    means: str


def lines(answer: type, before: Sequence[str] = ("",)) -> Iterator[Line]:
    """The keys of an answer and of its parts; `before` are the paths to where it stands.

    >>> [line.keys for line in lines(Series)][8:10]
    [('all',), ('x.wins', 'o.wins', 'all.wins')]
    """
    found = [(key, kind, *inside(kind)) for key, kind in kinds(answer)]
    for key, kind, way, parts in found:
        stars = [way[: at + 2] for at in range(len(way)) if way.startswith(".*", at)] + [".*"] * (kind is Any)
        stars += [f"{way}.*"] * any(part in LINKED for part in parts)
        every = tuple(f"{path}{key}{star}" for star in ("", *stars) for path in before)
        yield Line(every, words(kind), meaning(answer, key))
        alike = [each for each, _, *same in found if same == [way, parts]]
        for part in parts if key == alike[-1] else ():
            if part not in LINKED:
                yield from lines(part, [f"{path}{each}{way}." for path in before for each in alike])


def inside(kind: Any) -> tuple[str, tuple[type, ...]]:
    """The answers inside of a type, and the way to them: [] into a list, .* into a mapping."""
    if is_list(kind) or is_mapping(kind):
        way, parts = inside(inner(kind))
        return ("[]" if is_list(kind) else ".*") + way, parts
    return "", tuple(each for each in options(kind) if hasattr(each, "keys"))


def table(found: Iterator[Line]) -> Iterator[str]:
    """Lines as a table; neighbours that hold the same share a row."""
    yield from ("| key | type | holds |", "|---|---|---|")
    for (holds, means), alike in groupby(found, lambda line: (line.holds, line.means)):
        keys = ", ".join(f"`{key}`" for line in alike for key in line.keys)
        yield f"| {keys} | {holds} | {means} |"


# The page

TOP = """# The JSON keys

What noughts answers for programs. Each question has one answer, which is a type of the library: the command prints it
with `--json`, HTTP sends it, `to_json()` gives it in Python, and a test compares the three. This page is made from
those types (`make keys`); tests run every example below, and every option of every command, and compare the keys that
come with the tables. More keys may be added; none of these goes away.

Everywhere: a *game* is a text such as `3x3k3`; a *position* its rows from the top; a *move* a column letter and a row
from the bottom, a `cell` the same square as a number, `row` and `column` counted from the top left, all from 0. A
`value` is `win`, `tie`, `loss` or `unknown` for the player to move, or, beside a move, for the player who makes it; its
`remoteness` is the number of plies to the end, or null. `moves[].cell` means the key `cell` of every object in the list
`moves`; a star stands for any keys."""


def page() -> str:
    """The whole page."""
    found = [TOP, ""]
    for section in SECTIONS:
        found += [f"## {section.heading}", "", *asked(section), *about(section.answer)]
        found += [section.says, ""] if section.says else []
        found += [*table(lines(section.answer, ["[]." if section.is_list else ""])), ""]
    found += ["## Parts of several answers", ""]
    for part, (_, _, heading) in PARTS.items():
        found += [f"### {heading}", "", *about(part), *table(lines(part)), ""]
    return "\n".join(found)


def asked(section: Section) -> Iterator[str]:
    """How an answer is asked for, and by whom."""
    yield "```console"
    if section.command:
        yield f"$ {section.command}"
    if section.route:
        method = {"DELETE": "-X DELETE "}.get(section.method, "")
        body = f" {SENT} '{section.body}'" if section.body else ""
        yield f"$ curl {method}'{SERVER}{API}{section.route}'{body}"
    sent = f"{section.address} sends {'the same' if section.command else 'it'}" if section.route else ""
    printed = "the command prints it" if section.command else ""
    yield from ("```", "", f"`{name(section.answer)}`: {' and '.join(filter(None, [printed, sent]))}.", "")


def name(answer: type) -> str:
    """The full name of a type."""
    return f"{answer.__module__}.{answer.__name__}"


def about(answer: type) -> Iterator[str]:
    """What a type says of itself, without its examples."""
    yield from (re.split(r"\n+>>>", getdoc(answer) or "")[0], "")


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
