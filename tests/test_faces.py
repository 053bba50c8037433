"""One question, one answer: the command's --json, HTTP and Python's `to_json` say the same, key by key.

A question is a function below, which yields what to ask and what Python answers; it names the command and the route
that answer it. `QUESTIONS` is the list of all: a command or a route that is not in it is noticed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

httpx = pytest.importorskip("httpx", reason="HTTP is one of the faces")
pytest.importorskip("uvicorn", reason="HTTP is one of the faces: pip install noughts[web]")

import click  # noqa: E402
from answers import keys_in  # noqa: E402
from click.testing import CliRunner  # noqa: E402
from conftest import reachable  # noqa: E402
from golden.questions import DETECTORS, GAMES, POSITIONS, RECORDS, REFUSED, SEARCHED  # noqa: E402

from noughts import Game, Position, native  # noqa: E402
from noughts.account import review as review_game  # noqa: E402
from noughts.analysis import analyze as analyze_position  # noqa: E402
from noughts.cli import cli  # noqa: E402
from noughts.course import following  # noqa: E402
from noughts.detect import watching  # noqa: E402
from noughts.doctor import examine  # noqa: E402
from noughts.engine import Engine  # noqa: E402
from noughts.lab.bench import bench as measure  # noqa: E402
from noughts.lab.bench import read_options  # noqa: E402
from noughts.lab.figure import Drawing, Figure  # noqa: E402
from noughts.lab.papers import judge_all  # noqa: E402
from noughts.labels.dataset import making_dataset  # noqa: E402
from noughts.labels.predictions import scoring  # noqa: E402
from noughts.play import by_name, gradebook, kept, puzzles, tournament  # noqa: E402
from noughts.play.balance import lay, take  # noqa: E402
from noughts.play.opponents import Opponents, make_move  # noqa: E402
from noughts.play.record import parse_record  # noqa: E402
from noughts.progress import finish  # noqa: E402
from noughts.proofs import proven  # noqa: E402
from noughts.proofs.prove import checking, prove  # noqa: E402
from noughts.rules.legality import check  # noqa: E402
from noughts.rules.notation import format_moves  # noqa: E402
from noughts.search import comparison  # noqa: E402
from noughts.search.dispatch import search_with  # noqa: E402
from noughts.search.exploring import LIMIT, explore, side_by_side  # noqa: E402
from noughts.search.options import Options  # noqa: E402
from noughts.solve import atlas, verify  # noqa: E402
from noughts.solve import prospect as prospects  # noqa: E402
from noughts.solve import solve as solve_game  # noqa: E402
from noughts.walk import show, showing  # noqa: E402
from noughts.web.app import create_app  # noqa: E402
from noughts.web.asking import API  # noqa: E402
from noughts.web.jobs import Desk  # noqa: E402
from noughts.web.routes.games import KeptGames, Written  # noqa: E402
from noughts.web.routes.play import GamesOnOffer  # noqa: E402
from noughts.web.routes.solving import Stopped  # noqa: E402
from noughts.web.routes.together import InQueue, Meeting  # noqa: E402

pytestmark = pytest.mark.skipif(native.core() is None, reason="the papers take minutes without the native core")

FOR_PEOPLE = {"play", "serve", "tour", "completion", "gomocup"}  # commands that answer no question with JSON
MEASURED = {"seconds", "peak_rss_bytes", "threads"}
PLAYED = [*POSITIONS, *map(str, Random(5).sample(reachable(Game.parse("3x3k3m")), 12))]
KEPT = [
    "3x3k3: b2 a1 c3",
    "(;GM[4]SZ[15]PB[a];B[hh]C[the middle];W[ig](;B[gg])(;B[ii]))",
    "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n-1\n",
    "http://127.0.0.1:8765/?view=analyse&position=X.O/.../...&moves=b2",
]
IMPOSSIBLE = [*REFUSED[:4], "1x4k1e:XXOO", "3x3k3m:XXX/OOO/..."]


def unmeasured(answer: Any) -> Any:
    """The answer without what depends on the machine."""
    if isinstance(answer, dict):
        return {key: unmeasured(part) for key, part in answer.items() if key not in MEASURED}
    return [unmeasured(part) for part in answer] if isinstance(answer, list) else answer


def shape(answer: Any) -> Any:
    """Only the keys of an answer: of one that is measured from beginning to end."""
    return {*keys_in(answer)}


class Asked(NamedTuple):
    """What Python answers, and how the same is asked of the command and over HTTP."""

    truth: Any
    words: Sequence[str] = ()
    given: dict[str, Any] = {}  # noqa: RUF012
    stdin: str = ""


class Question(NamedTuple):
    """Who answers a question: a command, with the words that make it this one, and a route."""

    command: str | None
    route: str | None
    ask: Callable[[Any], Iterator[Asked]]
    compared: Callable[[Any], Any] = unmeasured
    added: frozenset[str] = frozenset()  # the keys that HTTP has besides
    inside: str = ""  # the key under which HTTP has it: JSON over HTTP is always an object


QUESTIONS: dict[str, Question] = {}


def question(command: str | None, route: str | None, **how: Any) -> Callable[[Any], Any]:
    """Enter a question in the list."""

    def enter(ask: Any) -> Any:
        QUESTIONS[ask.__name__] = Question(command, route, ask, **how)
        return ask

    return enter


# The faces


@pytest.fixture
def client(laboratory: str) -> Iterator[Any]:
    with httpx.Client(base_url=laboratory.rstrip("/") + API, timeout=120) as client:
        yield client


def in_python(truth: Any) -> Any:
    return [each.to_json() for each in truth] if isinstance(truth, list) else truth.to_json()


def by_command(command: str, asked: Asked) -> Any:
    done = CliRunner().invoke(cli, [*command.split(), *asked.words, "--json"], input=asked.stdin)
    assert done.stdout, (asked.words, done.stderr, done.exception)
    return json.loads(done.stdout)


def over_http(client: Any, asked_of: Question, asked: Asked) -> Any:
    method, _, path = str(asked_of.route).partition(" ")
    sent = {"json": asked.given} if method == "POST" else {"params": asked.given} if method == "GET" else {}
    told = client.request(method, path.format(**asked.given), **sent)
    if told.headers["content-type"].startswith("text/event-stream"):
        event, _, data = told.text.strip().rpartition("\n\n")[2].partition("\n")
        assert event == "event: summary", told.text[-300:]
        found = json.loads(data.removeprefix("data: "))
    else:
        found = told.json()
    assert found.keys() >= asked_of.added, found
    found = {key: part for key, part in found.items() if key not in asked_of.added}
    return found[asked_of.inside] if asked_of.inside else found


# Positions


@question("analyze", "GET /analyze")
def analyze(client: Any) -> Iterator[Asked]:
    for text in PLAYED:
        yield Asked(analyze_position(Position.parse(text)), [text], {"position": text})


@question("analyze", "GET /analyze", added=frozenset({"detail"}))
def cannot_arise(client: Any) -> Iterator[Asked]:
    for text in IMPOSSIBLE:
        yield Asked(check(text), [text], {"position": text})


@question(None, "GET /legality")
def legality(client: Any) -> Iterator[Asked]:
    for text in [*PLAYED, *IMPOSSIBLE]:
        yield Asked(check(text), given={"position": text})


PROVEN = [
    "7x8k5:......../..O...../..XXX.../..O...../....O.../......../........",
    "6x6k5:....../....../..X.../....../....../......",
]


@question(None, "GET /proof")
def proof(client: Any) -> Iterator[Asked]:
    for text in PROVEN:
        yield Asked(show(Position.parse(text)), given={"position": text})


@question(None, "GET /prove")
def longer_proof(client: Any) -> Iterator[Asked]:
    for text in PROVEN:
        yield Asked(finish(showing(Position.parse(text), 30)), given={"position": text, "seconds": 30})


@question(None, "GET /engine", compared=shape)
def engine(client: Any) -> Iterator[Asked]:
    for text in ("5x9k5:........./..XXX..../........./OO.O...../.........", "8x8k5:" + "/".join(["........"] * 8)):
        position = Position.parse(text)
        yield Asked(Engine(position.game).think(position, seconds=0.2), given={"position": text, "seconds": 0.2})


@question("review --nodes 500", "GET /course")
def course(client: Any) -> Iterator[Asked]:
    for record in ("6x6k4: c3 a1 c4 a6 d4 f6 e5", "7x7k5: d4 e5 d5 d6 c4 e4"):
        game, moves = parse_record(record)
        given = {"position": str(game.start()), "moves": ",".join(moves), "nodes": 500}
        yield Asked(finish(following(game.start(), moves, nodes=500)), ["-"], given, record)


# Searches


@question("search", "GET /search")
def search(client: Any) -> Iterator[Asked]:
    ways = [
        {},
        {"algorithm": "minimax", "depth": 3},
        {"window": "carried", "order": "evaluation"},
        {"order": "centre", "table": True, "symmetry": True},
    ]
    for text in SEARCHED:
        for way in ways:
            words = [f"--{name}" if given is True else f"--{name}={given}" for name, given in way.items()]
            truth = search_with(Position.parse(text), Options(**way))
            yield Asked(truth, [text, *words], {"position": text, **way})


@question(None, "GET /search")
def search_and_keep(client: Any) -> Iterator[Asked]:
    for text in SEARCHED:
        yield Asked(explore(Position.parse(text), Options(), 20), given={"position": text, "keep": 20})


@question("search --compare", None)
def compare(client: Any) -> Iterator[Asked]:
    for text in SEARCHED:
        yield Asked(comparison.compare(Position.parse(text), depth=3), [text, "--depth=3"])


@question(None, "GET /search/compare")
def compare_ladder(client: Any) -> Iterator[Asked]:
    for text in SEARCHED:
        for way in ({}, {"order": "centre", "table": True}):
            asked = {"depth": 3, "window": "carried", **way}
            yield Asked(side_by_side(Position.parse(text), Options(**asked)), given={"position": text, **asked})


# Play


@question("review", "POST /review")
def review(client: Any) -> Iterator[Asked]:
    for record in [*RECORDS, "3x4k3e: a1 b2 b1 c3 d1 a3", "1x7k3em: a1 b1 c1 d1 e1"]:
        game, moves = parse_record(record)
        yield Asked(review_game(game.start(), moves), ["-"], {"game": str(game), "moves": list(moves)}, record)


@question(None, "GET /review")
def review_as_it_comes(client: Any) -> Iterator[Asked]:
    game, moves = parse_record("7x7k5: d4 e5 d5 d6 c4 e4")
    given = {"position": str(game.start()), "moves": ",".join(moves), "you": "O"}
    yield Asked(review_game(game.start(), moves, "O"), given=given)


@question(None, "POST /review")
def review_for_you(client: Any) -> Iterator[Asked]:
    for you in "XO":
        moves = ["b2", "b3", "a1", "c3", "a3", "c1", "a2"]
        truth = review_game(Game().start(), moves, you)
        yield Asked(truth, given={"moves": moves, "you": you})


@question(None, "POST /games/read")
def games_read(client: Any) -> Iterator[Asked]:
    for text in KEPT:
        yield Asked(KeptGames(tuple(kept.read(text))), given={"text": text})


@question(None, "POST /games/write")
def game_written(client: Any) -> Iterator[Asked]:
    moves = [
        {"parent": None, "move": "b2"},
        {"parent": 0, "move": "a1", "comment": "[safe]"},
        {"parent": 0, "move": "b1"},
    ]
    tree = kept.make(Game().start(), [(None, "b2", ""), (0, "a1", "[safe]"), (0, "b1", "")])
    for form in ("sgf", "moves", "link"):
        yield Asked(Written(form, kept.write(tree, form)), given={"format": form, "moves": moves})


@question(None, "POST /figure")
def figure_drawn(client: Any) -> Iterator[Asked]:
    rows = (("rules", 3, 1), ("random", 1, 3))
    for kind in ("table", "bars", "shares"):
        given = {"title": "Who wins?", "head": ["player", "won", "lost"], "rows": rows, "kind": kind}
        yield Asked(Drawing(Figure("Who wins?", ("player", "won", "lost"), rows, kind).svg()), given=given)


@question("match --round-robin", None)
def round_robin(client: Any) -> Iterator[Asked]:
    yield Asked(tournament.round_robin(["rules", "level-2", "random"], games=2), ["rules", "level-2", "random", "-n2"])


@question("certify", None)
def certify_a_folder(client: Any) -> Iterator[Asked]:
    Path("class").mkdir()
    Path("class", "anna.py").write_text("def player(board):\n    return 'X'\n", encoding="utf-8")
    yield Asked(gradebook.grade_folder("class"), ["class"])


DAYS = ["2026-01-05", "2026-01-06", "2026-01-08", "2026-01-10", "2026-01-11"]


@question("puzzle", "GET /puzzle")
def puzzle(client: Any) -> Iterator[Asked]:
    for level, day in enumerate(DAYS, 1):
        yield Asked(puzzles.daily(day), ["--date", day], {"date": day})
        yield Asked(puzzles.daily(day, level), ["--date", day, "--level", str(level)], {"date": day, "level": level})


@question("puzzle", "GET /puzzle/attempt")
def puzzle_tried(client: Any) -> Iterator[Asked]:
    for day in DAYS:
        found = puzzles.daily(day)
        wrong = next(cell for cell in found.cells if cell != found.solution)
        moves = format_moves(found.game, [wrong, found.solution])
        yield Asked(puzzles.solution(found), ["--date", day, "--solution"], {"date": day})
        for tried in (moves[:1], moves):
            words = [word for move in tried for word in ("--move", move)]
            given = {"date": day, "moves": ",".join(tried)}
            yield Asked(puzzles.attempt(found, tried), ["--date", day, *words], given)


@question(None, "POST /move")
def move(client: Any) -> Iterator[Asked]:
    for text in ("XO./.X./..O", "3x3k3m:XO./.X./..O", "3x4k3e:XX.X/OO../...."):
        for player in ("perfect", "level-3", "random"):
            truth = make_move(Position.parse(text), player, 7)
            yield Asked(truth, given={"position": text, "player": player, "seed": 7})
    yield Asked(make_move(Position.parse("XX./OO./..."), move="c3"), given={"position": "XX./OO./...", "move": "c3"})


@question(None, "GET /players")
def players(client: Any) -> Iterator[Asked]:
    for name in [*GAMES, "15x15k5e"]:
        yield Asked(Opponents(Game.parse(name)), given={"game": name})


@question(None, "GET /games")
def games(client: Any) -> Iterator[Asked]:
    yield Asked(GamesOnOffer())


@question(None, "GET /queue")
def queue(client: Any) -> Iterator[Asked]:
    yield Asked(InQueue(None, 0, None))


@question(None, "GET /class")
def others(client: Any) -> Iterator[Asked]:
    yield Asked(Meeting((), False, False, None, 0))


@question("match", "GET /match")
def match(client: Any) -> Iterator[Asked]:
    for a, b, game in (("level-1", "level-2", "3x3k3"), ("perfect", "random", "3x3k3m"), ("random", "rules", "3x4k3e")):
        truth = by_name.match(a, b, games=4, game=game, seed=7)
        words = [a, b, "-n4", f"--game={game}", "--seed=7"]
        yield Asked(truth, words, {"a": a, "b": b, "n": 4, "game": game, "seed": 7})


@question("match --opening swap2", "GET /match")
def match_by_swap(client: Any) -> Iterator[Asked]:
    truth = by_name.match("level-1", "level-2", games=2, game="7x7k4", seed=3, opening="swap2")
    given = {"a": "level-1", "b": "level-2", "n": 2, "game": "7x7k4", "seed": 3, "opening": "swap2"}
    yield Asked(truth, ["level-1", "level-2", "-n2", "--game=7x7k4", "--seed=3"], given)


@question(None, "GET /opening")
def opening(client: Any) -> Iterator[Asked]:
    yield Asked(lay(Game(9, 9, 5), 7), given={"game": "9x9k5", "seed": 7})


@question(None, "GET /side")
def side(client: Any) -> Iterator[Asked]:
    position = lay(Game(9, 9, 5), 7).position
    yield Asked(take(position), given={"position": str(position)})


@question("certify", None)
def certify(client: Any) -> Iterator[Asked]:
    for player, game in (("rules-as-printed", "3x3k3"), ("perfect", "2x3k2m"), ("random", "1x5k3e")):
        yield Asked(by_name.certify(player, game=game), [player, f"--game={game}"])


@question("certify", None)
def certify_a_file(client: Any) -> Iterator[Asked]:
    Path("file.py").write_text("def player(board):\n    return 'X'\n", encoding="utf-8")
    yield Asked(by_name.certify("file.py", partly=True), ["file.py", "--classroom"])


# Solving


@question("solve", "GET /solve")
def solve(client: Any) -> Iterator[Asked]:
    for name in GAMES:
        yield Asked(solve_game(Game.parse(name)), [name], {"game": name})


@question("solve --verify saved", None)
def verify_saved(client: Any) -> Iterator[Asked]:
    solve_game(Game.parse("3x3k3m"), save="saved")
    yield Asked(verify("saved"))


@question(None, "GET /prospect")
def prospect(client: Any) -> Iterator[Asked]:
    for name in [*GAMES, "5x5k4", "6x6k4"]:
        yield Asked(prospects.prospect(Game.parse(name), int(Desk.run_seconds)), given={"game": name})


@question("atlas", "GET /atlas", inside="games")
def solved_games(client: Any) -> Iterator[Asked]:
    yield Asked(list(atlas.load().values()))


@question("atlas --proven", "GET /proven", inside="beyond")
def proven_games(client: Any) -> Iterator[Asked]:
    yield Asked(proven.find())


@question(None, "GET /against")
def against_a_proof(client: Any) -> Iterator[Asked]:
    for moves in ([], ["c3"], ["c3", "a1"]):
        yield Asked(proven.play_against("5x5k4", moves), given={"game": "5x5k4", "moves": ",".join(moves)})


@question("atlas --certificates proofs", None)
def certificates(client: Any) -> Iterator[Asked]:
    Path("proofs").mkdir()
    shutil.copy(proven.FOLDER / "5x5k5.proof.gz", "proofs")
    yield Asked(finish(proven.checking(Path("proofs"))))


@question(None, "DELETE /runs/{name}")
def stop(client: Any) -> Iterator[Asked]:
    with client.stream("GET", "/match", params={"a": "random", "b": "random", "game": "32x32k32", "n": 10_000}) as run:
        name = run.headers["x-run"]
        yield Asked(Stopped(name), given={"name": name})


# Detectors


@question(None, "GET /detectors")
def detectors(client: Any) -> Iterator[Asked]:
    for text in (".........", "XXX/OO./...", "3x3k3m:XXX/OO./...", "3x4k3e:XX.X/OO../...."):
        yield Asked(watching.detectors(Position.parse(text)), given={"position": text})


@question(None, "GET /detect")
def detect(client: Any) -> Iterator[Asked]:
    for name in DETECTORS:
        truth = watching.detect(Position.parse("XX./OO./..."), ["c3"], name)
        yield Asked(truth, given={"position": "XX./OO./...", "moves": "c3", "detector": name})


@question(None, "GET /exhibits")
def exhibits(client: Any) -> Iterator[Asked]:
    yield Asked(watching.exhibits())


@question(None, "GET /labelling")
def labelling(client: Any) -> Iterator[Asked]:
    for name in ("4x4k4", "3x3k3"):
        yield Asked(watching.LabellingProof(Game.parse(name)), given={"game": name})


# The laboratory


@question("papers", "GET /papers", inside="verdicts")
def papers(client: Any) -> Iterator[Asked]:
    for source in ("gordon", "minimax"):
        yield Asked(judge_all(source), [f"--source={source}"], {"source": source})


@question("bench", "GET /bench", compared=shape)
def bench(client: Any) -> Iterator[Asked]:
    given = {"scenario": "row_win", "detector": "shifts", "iterations": 10, "trials": 2}
    words = ["--experiment=scenarios", "--no-memory", *(f"--{name}={value}" for name, value in given.items())]
    asked = {"experiment": "scenarios", "iterations": 10, "trials": 2, "memory": False}
    yield Asked(measure(read_options(detectors=["shifts"], scenarios=["row_win"], **asked)), words, given)


@question("prove", None)
def proving(client: Any) -> Iterator[Asked]:
    for text in ("3x3k3", "1x6k4", "1x7k3"):
        yield Asked(prove(Game.parse(text), nodes=500), [text, "--nodes", "500"])


@question("check", None)
def checked(client: Any) -> Iterator[Asked]:
    prove(Game(1, 6, 4)).save("tie.txt")
    yield Asked(finish(checking("tie.txt")), ["tie.txt"])


@question("dataset", None)
def dataset(client: Any) -> Iterator[Asked]:
    yield Asked(finish(making_dataset(Game(2, 2, 2), Path("all.jsonl"))), ["2x2k2", "-o", "all.jsonl"])


@question("score", None)
def scored(client: Any) -> Iterator[Asked]:
    line = '{"position": "XX./OO./...", "move": "c3"}\n'
    yield Asked(finish(scoring([line])), ["-"], stdin=line)


@question("doctor", None)
def doctor(client: Any) -> Iterator[Asked]:
    yield Asked(examine())


# The laws


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_face_gives_the_same_answer(
    name: str, client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked_of = QUESTIONS[name]
    for asked in asked_of.ask(client):
        truth = asked_of.compared(in_python(asked.truth))
        if asked_of.command:
            assert asked_of.compared(by_command(asked_of.command, asked)) == truth, asked
        if asked_of.route:
            assert asked_of.compared(over_http(client, asked_of, asked)) == truth, asked


def test_a_way_to_search_that_both_faces_compare_is_the_same(client: Any) -> None:
    """The command compares all ways, the page those that lead up to the one that it asks about."""
    for text in SEARCHED:
        words, given = [text, "--depth=3", f"--limit={LIMIT}"], {"position": text, "depth": 3, "window": "carried"}
        command = by_command("search --compare", Asked(None, words))
        http = over_http(client, QUESTIONS["compare_ladder"], Asked(None, given=given))
        assert http.keys() - command.keys() == {"limit", "asked"}
        assert all(http[key] == command[key] for key in command if key != "ways")
        common = [way for way in http["ways"] if way in command["ways"]]
        assert common == http["ways"][:3] + http["ways"][4:5]  # evaluation order with a table alone is the page's


def test_every_command_and_every_route_is_a_question_here() -> None:
    commands = {each.command.split()[0] for each in QUESTIONS.values() if each.command}
    assert commands | FOR_PEOPLE == {*cli.list_commands(click.Context(cli))}
    paths = create_app().openapi()["paths"]
    routes = {f"{method.upper()} {path.removeprefix(API)}" for path, methods in paths.items() for method in methods}
    assert {each.route for each in QUESTIONS.values() if each.route} == routes


def test_commands_for_people_have_no_json() -> None:
    for name in cli.list_commands(click.Context(cli)):
        command = cli.get_command(click.Context(cli), name)
        assert command
        options = chain.from_iterable(option.opts for option in command.params)
        assert ("--json" in options) is (name not in FOR_PEOPLE)
