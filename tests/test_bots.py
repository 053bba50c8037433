"""Bots in any language: they play as their messages say, and whatever one does wrong costs it its game alone."""

from __future__ import annotations

import json
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import SPREAD

from noughts import Game, Position
from noughts.play import PLAYERS, CannotPlay, Forfeit, InvalidPlayer, by_name, match
from noughts.play.bot import PROTOCOL, Bot, bot_player, question
from noughts.play.by_name import maker

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "bots"
PYTHON = shlex.quote(sys.executable)
BLOCKER = f"bot:{PYTHON} {shlex.quote(str(EXAMPLES / 'bot.py'))}"
LONG = 60.0  # seconds: only there to end a hang

# A bot that plays the first free cell, with its answers in a dict that a test may change.
FIRST = """
import json, os, sys, time
def move(message): return {"cell": message["moves"][0]}
def game(message): return {}
def hello(message): return {"name": "first", "protocol": 1}
def bye(message): return {}
CHANGES
for line in sys.stdin:
    message = json.loads(line)
    print(json.dumps(globals()[message["ask"]](message)), flush=True)
"""


def bot(tmp_path: Path, changes: str = "") -> str:
    """A bot that plays the first free cell, but for these changes."""
    path = tmp_path / "first.py"
    path.write_text(FIRST.replace("CHANGES", changes))
    return f"bot:{PYTHON} {shlex.quote(str(path))}"


# The examples


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of the example in Python."""
    command = [sys.executable, str(EXAMPLES / "bot.py"), "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        yield server.stdout.readline().strip()
        server.terminate()


def tools(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"no {name} here: the example for it is not tried")
    return found


@pytest.fixture(scope="module")
def example(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """An example as a player."""
    if request.param == "python":
        return BLOCKER
    if request.param == "http":
        return str(request.getfixturevalue("address"))
    if request.param == "javascript":
        return f"bot:{tools('node')} {shlex.quote(str(EXAMPLES / 'bot.js'))}"
    made = tmp_path_factory.mktemp("bot") / "bot"
    source = str(EXAMPLES / "bot.cpp")
    subprocess.run([tools("g++"), "-O1", "-std=c++17", "-o", made, source], check=True, timeout=300)
    return f"bot:{shlex.quote(str(made))}"


every_example = pytest.mark.parametrize("example", ["python", "http", "javascript", "c++"], indirect=True)


@every_example
@pytest.mark.parametrize("game", ["3x3k3", "6x7k4g", "5x6k4"])
def test_an_example_plays_a_match_within_the_rules(example: str, game: str) -> None:
    series = by_name.match(example, "random", games=6, game=game, time_limit=LONG)
    assert series.forfeits == []
    assert (series.all.games, series.all.losses) == (6, 0)
    assert series.a.startswith("bot:")


@every_example
def test_an_example_wins_blocks_and_refuses_what_it_does_not_play(example: str) -> None:
    with maker(example, LONG) as make:
        assert make(0)(Position.parse("XX./OO./...")) == 2
        assert make(0)(Position.parse("X../.X./O.O")) == 7
        assert make(0)(Position.parse("X../XOO/...")) == 6
    with pytest.raises(CannotPlay, match="does not play 3x3k3m: 'a line must win'"):
        by_name.match(example, "random", games=2, game="3x3k3m", time_limit=LONG)


def test_bots_meet_each_other_and_can_be_certified() -> None:
    series = by_name.match(BLOCKER, BLOCKER, games=2, time_limit=LONG)
    assert (series.a, series.b, series.all.games, series.forfeits) == ("bot:blocker", "bot:blocker", 2, [])
    found: Any = by_name.certify(BLOCKER, time_limit=LONG)
    assert found.x.never_loses is False
    assert found.x.counterexample is not None
    assert found.difference is None


# The messages


def test_a_bot_hears_of_each_game_and_of_all_that_a_move_needs(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    note = f"\ndef note(message): open({str(heard)!r}, 'a').write(json.dumps(message) + '\\n'); return first(message)\n"
    changes = note + "first, move, game = (lambda m: {} if m['ask'] != 'move' else {'cell': m['moves'][0]}), note, note"
    with maker(bot(tmp_path, changes), 7.5) as make:
        match(make, PLAYERS["level-1"], 2, Game(3, 4, 3, exact=True), seed=5)
    messages = [json.loads(line) for line in heard.read_text().splitlines()]
    games = [message for message in messages if message["ask"] == "game"]
    assert len(games) == 2
    assert games[0] == {
        "ask": "game", "game": "3x4k3e", "rows": 3, "columns": 4, "k": 3, "exact": True, "gravity": False,
        "misere": False, "seed": games[0]["seed"], "seconds": 7.5,
    }  # fmt: skip
    assert games[0]["seed"] != games[1]["seed"]
    for message in messages:
        if message["ask"] == "move":
            assert message == question(Position.parse(message["position"]), 7.5)


@pytest.mark.parametrize("game", SPREAD, ids=str)
def test_a_question_tells_the_board_of_any_game(game: Game) -> None:
    position = game.start().play(game.start().moves()[-1])
    if not position.is_over:
        asked = question(position, 1.0)
        assert Position.parse(asked["position"]) == position
        marks = "".join(asked["board"])
        assert (len(asked["board"]), len(marks)) == (game.rows, game.cells)
        assert [marks[cell] for cell in asked["moves"]] == ["."] * len(asked["moves"])


@pytest.mark.parametrize("answer", ['{"cell": 4}', '{"move": "b2"}', '{"cell": [1, 1]}', '{"cell": 4, "more": 1}'])
def test_a_move_is_a_cell_a_row_and_a_column_or_a_text(tmp_path: Path, answer: str) -> None:
    with maker(bot(tmp_path, f"def move(message): return {answer}"), LONG) as make:
        assert make(0)(Game().start()) == 4


def test_a_bot_may_say_among_which_cells_it_chooses(tmp_path: Path) -> None:
    changes = "import random\ndef move(m): return {'cell': random.choice(m['moves']), 'choices': m['moves']}"
    found: Any = by_name.certify(bot(tmp_path, changes), game="2x3k3", time_limit=LONG)
    assert found.difference is None
    assert found.x.decisions > 1


def page() -> str:
    """The page that tells the protocol."""
    return (EXAMPLES.parents[1] / "docs" / "reference" / "bots.md").read_text(encoding="utf-8")


def test_the_bot_of_the_page_plays(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(page().split("```python\n# bot.py\n")[1].split("```")[0])
    for game in ("3x3k3", "4x5k3egm"):
        series = by_name.match(f"bot:{PYTHON} {shlex.quote(str(path))}", "random", games=4, game=game, time_limit=LONG)
        assert (series.a, series.forfeits) == ("bot:anywhere", [])


def test_the_messages_of_the_page_are_those_that_are_sent(tmp_path: Path) -> None:
    lines = page().split("```text\n")[1].split("```")[0].splitlines()
    sent = [json.loads(line[2:]) for line in lines if line.startswith(">")]
    heard = tmp_path / "heard"
    note = f"loads = json.loads\ndef note(line): open({str(heard)!r}, 'a').write(line); return loads(line)\n"
    changes = note + "json.loads = note\ndef move(m): return {'cell': m['moves'][1 if len(m['moves']) == 3 else 0]}"
    with maker(bot(tmp_path, changes), 10.0) as make:
        player = make(7)
        for text in ("1x3k2:...", "1x3k2:OX."):
            player(Position.parse(text))
    assert [json.loads(line) for line in heard.read_text().splitlines()] == sent


# What a bot may do wrong

WRONG = {
    "taken": ("def move(m): return {'cell': 0}", "its move cannot be played: a3 is taken by X"),
    "far": ("def move(m): return {'cell': 99}", "its move cannot be played: 99 is not on the board"),
    "nothing": ("def move(m): return {}", "its move cannot be played: None is not a move"),
    "truth": ("def move(m): return {'cell': True}", "its move cannot be played: True is not a move"),
    "list": ("def move(m): return [4]", r"it answered '\[4\]', which is not a JSON object"),
    "chatter": ("def move(m): print('thinking'); return {'cell': 4}", "it answered 'thinking', which is not a JSON"),
    "error": ("def move(m): return {'error': 'lost\\nmy way'}", r"it says: 'lost\\nmy way'"),
    "dead": ("def move(m): sys.exit('no idea')", r"it ended its process \(status 1\), and complained: 'no idea'"),
    "silent": ("def move(m): time.sleep(600)", "it gave no answer within 1 s"),
    "flood": ("def move(m):\n    while True: sys.stdout.write('x' * 4096)", "it wrote more than 1.05 MB"),
    "deep": ("def move(m): print('[' * 100_000, flush=True); time.sleep(600)", "which is not a JSON object"),
    "nan": ("def move(m): return {'cell': float('nan')}", "its move cannot be played: nan is not a move"),
}


@pytest.mark.parametrize("name", WRONG)
def test_whatever_a_bot_does_wrong_costs_it_its_game_alone(tmp_path: Path, name: str) -> None:
    changes, says = WRONG[name]
    once = f"right = move\n{changes}\nwrong = move\ndef move(m): return (wrong if m['turn'] == 'O' else right)(m)"
    seconds = 1.0 if name == "silent" else LONG
    series = by_name.match(bot(tmp_path, once), bot(tmp_path, once), games=3, time_limit=seconds)
    assert series.all.games == 3
    assert len(series.forfeits) == 3, "who moves second breaks the rules in every game"
    for lost in series.forfeits:
        assert lost.player == "bot:first"
        assert Position.parse(str(lost.forfeit.position)).marks == 1
        with pytest.raises(Forfeit, match=says):
            raise lost.forfeit
        assert lost.forfeit.problem.isprintable()


def test_a_bot_that_fails_is_certified_to_break_the_rules(tmp_path: Path) -> None:
    """It answers at first, and then in one position no more: that is where it is refuted, for each side."""
    changes = "right = move\ndef move(m): return right(m) if len(m['moves']) > 3 else sys.exit('lost')"
    found: Any = by_name.certify(bot(tmp_path, changes), game="2x3k3", time_limit=LONG)
    for side in (found.x, found.o):
        assert side.never_loses is False
        assert "it ended its process (status 1), and complained: 'lost'" in side.forfeit.problem
        assert len(side.forfeit.position.moves()) == 3 - (side.mark.value == "X")


NO_BOT = {
    "bot:": "names no program: expected one, as in bot:python mine.py",
    "bot:no-such-program 3": "there is no program 'no-such-program' that could be a bot",
    "bot:python 'x": "is not a command: no closing quotation",
    f"bot:{PYTHON} -c 'print(1)'": "is no bot: it answered '1', which is not a JSON object",
    f"bot:{PYTHON} -c 'raise SystemExit(5)'": r"is no bot: it ended its process \(status 5\)",
    "http://": "is not an address: expected one such as",
    "http://localhost:port/": "is not an address",
    "http://127.0.0.1:1/": "is no bot: it cannot be reached: Connection refused",
}


@pytest.mark.parametrize("text", NO_BOT)
def test_what_is_no_bot_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(InvalidPlayer, match=NO_BOT[text]):
        by_name.match(text, "random", games=1)


@pytest.mark.parametrize(
    ("hello", "says"),
    [
        ("{'name': 'old', 'protocol': 0}", f"speaks version 0 of the protocol, and this is {PROTOCOL}"),
        ("{'name': 'none'}", "speaks version None"),
        ("{'protocol': 1}", "should say its name, of up to 40 characters that can be printed, not None"),
        ("{'protocol': 1, 'name': 'a\\x1b[2J'}", "should say its name"),
        ("{'error': 'not today'}", "is no bot: it says: 'not today'"),
    ],
)
def test_a_hello_that_is_none_is_refused(tmp_path: Path, hello: str, says: str) -> None:
    with pytest.raises(InvalidPlayer, match=says):
        by_name.match(bot(tmp_path, f"def hello(m): return {hello}"), "random", games=1, time_limit=LONG)


def test_a_bot_that_cannot_start_again_loses_its_games(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    changes = f"if os.path.exists({str(gone)!r}): sys.exit('gone')\ndef move(m): open({str(gone)!r}, 'w'); sys.exit(2)"
    series = by_name.match(bot(tmp_path, changes), "random", games=3, time_limit=LONG)
    assert (series.all.losses, len(series.forfeits)) == (3, 3)
    assert "complained: 'gone'" in series.forfeits[-1].forfeit.problem


def test_a_bot_that_takes_a_game_and_then_refuses_one_loses_that(tmp_path: Path) -> None:
    changes = "games = []\ndef game(m): games.append(m); return {'error': 'enough'} if len(games) > 1 else {}"
    series = by_name.match(bot(tmp_path, changes), "random", games=2, time_limit=LONG)
    assert [lost.forfeit.problem for lost in series.forfeits] == ["it says: 'enough'"]


# Over HTTP

SERVER = """
import json, sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = b'{"name": "odd", "protocol": 1}' if message["ask"] == "hello" else b"{}"
        if message["ask"] == "move": return getattr(self, self.path[1:])(message)
        self.say(body)
    def say(self, body, status=200):
        self.send_response(status); self.send_header("Content-Length", str(len(body))); self.end_headers()
        self.wfile.write(body)
    def good(self, message): self.say(json.dumps({"cell": message["moves"][0]}).encode())
    def leaving(self, message): self.good(message); self.close_connection = True
    def status(self, message): self.say(b"out of order", 500)
    def silent(self, message): time.sleep(600)
    def dripping(self, message):
        while True: self.wfile.write(b"H"); self.wfile.flush(); time.sleep(0.05)
    def flood(self, message): self.say(b"x" * 3_000_000)
    def gone(self, message): self.close_connection = True
    def log_message(self, *_): pass
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""


@pytest.fixture(scope="module")
def odd() -> Iterator[str]:
    """The address of a server with many faults."""
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        yield f"http://127.0.0.1:{server.stdout.readline().strip()}"
        server.terminate()


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("status", "it answered with the status 500, not 200: 'out of order'"),
        ("silent", "it gave no answer within 0.4 s"),
        ("dripping", "it gave no answer within 0.4 s"),
        ("flood", "it wrote more than 1.05 MB"),
        ("gone", "it cannot be reached"),
    ],
)
def test_an_address_that_does_not_answer_loses(odd: str, path: str, says: str) -> None:
    series = by_name.match(f"{odd}/{path}", "level-1", games=2, time_limit=0.4 if "0.4" in says else LONG)
    assert [lost.player for lost in series.forfeits] == ["bot:odd"] * 2
    assert says in series.forfeits[0].forfeit.problem


@pytest.mark.parametrize("path", ["good", "leaving"])
def test_a_connection_is_kept_while_it_lasts(odd: str, path: str) -> None:
    series = by_name.match(f"{odd}/{path}", "level-1", games=4, time_limit=LONG)
    assert series.forfeits == []


def test_a_program_is_renewed_for_a_certificate_and_an_address_cannot_be(odd: str, tmp_path: Path) -> None:
    with Bot(f"{odd}/good", LONG) as behind, Bot(bot(tmp_path), LONG) as program:
        assert not hasattr(bot_player(behind), "renew")
        player: Any = bot_player(program)
        player(Game().start())
        player.renew()
        player(Game().start())
        assert program.starts == 2


def test_what_an_address_says_that_is_not_http_is_told_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening, ThreadPoolExecutor(1) as thread:

        def answer() -> None:
            with listening.accept()[0] as connection:
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 21 21\r\nno \x1b[2J\r\n\r\n")

        said = thread.submit(answer)
        with (
            pytest.raises(InvalidPlayer, match="cannot be reached") as problem,
            Bot(f"http://127.0.0.1:{listening.getsockname()[1]}/"),
        ):
            pass
        said.result()
    assert str(problem.value).isprintable()
