"""The Gomocup protocol from both ends: noughts as an engine for managers, and engines of others as players."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest

from noughts import Game, Position, native
from noughts.engine import Engine, EngineError
from noughts.engine.protocol import Brain, serve
from noughts.play import CannotPlay, Forfeit, InvalidPlayer, by_name
from noughts.play.gomocup import GomocupEngine, GomocupPlayer

pytestmark = pytest.mark.skipif(native.core() is None, reason="the engine needs the native core")

MOVE = re.compile(r"(\d+),(\d+)")


def talk(*lines: str, seed: int = 0) -> list[str]:
    """The answers to a manager's lines."""
    said: list[str] = []
    serve(iter([f"{line}\n" for line in lines]), said.append, Brain(seed=seed))
    return said


def started(*lines: str) -> list[str]:
    """The answers on a board of 15 x 15, with a tenth of a second a move."""
    ok, *rest = talk("INFO timeout_turn 100", "START 15", *lines)
    assert ok == "OK"
    return rest


def test_a_manager_plays_a_whole_game() -> None:
    """One side is the engine behind the protocol, the other plays the first free cell; every answer is a legal move."""
    brain = Brain()
    assert brain.answer("INFO timeout_turn 50") is None
    assert brain.answer("START 20") == "OK"
    position = Game(20, 20, 5).start()
    line = "BEGIN"
    while True:
        answer = brain.answer(line)
        assert answer
        column, row = map(int, MOVE.fullmatch(answer).groups())  # type: ignore[union-attr]
        position = position.play((row, column))
        if position.is_over:
            break
        cell = position.moves()[0]
        position = position.play(cell)
        assert not position.is_over
        line = f"TURN {cell % 20},{cell // 20}"
    assert str(position.winner) == "X"
    assert brain.answer("RESTART") == "OK"


def test_coordinates_are_column_and_row() -> None:
    marks = [f"{x},{y},{whose}" for x in range(3, 7) for y, whose in ((9, 2), (10, 1))]
    (move,) = started("BOARD", *marks, "0,0,2", "DONE")
    assert move in ("2,10", "7,10")


def test_exactly_five_is_rule_1() -> None:
    board = ["BOARD", *[f"{x},7,1" for x in (1, 2, 3, 4, 6)], *[f"{x},{y},2" for x, y in
             [(0, 7), (1, 3), (3, 3), (5, 1), (9, 9), (11, 4)]], "DONE"]  # fmt: skip
    assert started("INFO rule 0", *board) == ["5,7"]
    assert started("INFO rule 1", *board) != ["5,7"]


def test_what_a_manager_may_ask() -> None:
    about, *rest = started(
        "ABOUT", "TURN 7,7", "SUGGEST", "TAKEBACK 7,7", "TURN 8,8", "RECTSTART 20,10", "BEGIN", "RESTART", "PLAY 1,2",
        "foo", "",
    )  # fmt: skip
    assert about.startswith('name="noughts", version="')
    moved, suggested, taken, moved_too, ok, begun, again, played, unknown = rest
    assert MOVE.fullmatch(moved)
    assert suggested.startswith("SUGGEST ")
    assert (taken, ok, again, played, unknown) == ("OK", "OK", "OK", "1,2", "UNKNOWN 'foo'")
    assert MOVE.fullmatch(moved_too)
    column, row = map(int, begun.split(","))
    assert (column, row) in ((9, 4), (9, 5), (10, 4), (10, 5))


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["START 4"], "from 5 to 32"), (["START 33"], "not 33"), (["START"], "expected 1 number"),
        (["START x"], "expected 1 number"), (["RECTSTART 20"], "expected 2 numbers"), (["BEGIN"], "START comes first"),
        (["TURN 1,1"], "START comes first"), (["START 15", "TURN 15,0"], "15,0 is not on the board"),
        (["START 15", "TURN 1"], "expected 2 numbers"), (["START 15", "TURN 1,1,1"], "expected 2 numbers"),
        (["START 15", "PLAY 1,1", "TURN 1,1"], "1,1 is taken"), (["START 15", "TAKEBACK 1,1"], "no mark on 1,1"),
        (["START 15", "PLAY 1,1", "BEGIN"], "not empty"),
        (["START 15", "BOARD", "1,1,1", "2,2,1", "DONE"], "not my turn"),
        (["START 15", "BOARD", "1,1,3", "DONE"], "must be 1"),
        (["START 15", "BOARD", "1,1,1", "1,1,2", "DONE"], "taken"),
        (["START 15", "INFO rule 4", "BEGIN"], "rule 4 is not known"),
        (["START 15", "SWAP2BOARD", "1,1", "DONE"], "three or five"),
        (["START 15", "SWAP2BOARD", "1,1", "2,2", "1,1", "DONE"], "1,1 is taken"),
        (["START 15", "BOARD", *[f"{x},1,2" for x in range(5)], *[f"{x},5,1" for x in range(4)], "DONE"], "is over"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_an_error_and_nothing_is_lost(lines: list[str], why: str) -> None:
    brain = Brain()
    brain.answer("INFO timeout_turn 20")
    answers = [brain.answer(line) for line in lines]
    assert answers[-1]
    assert answers[-1].startswith("ERROR ")
    assert why in answers[-1]
    assert brain.answer("INFO rule 0") is None
    assert brain.answer("START 15") == "OK"
    assert MOVE.fullmatch(brain.answer("TURN 7,7") or "")


def test_garbage_is_survived() -> None:
    said = talk("\0\1", "é", "INFO", "INFO timeout_turn x", "INFO timeout_turn 10", "INFO folder /x", "__init__",
                "answer", "START 15", "x" * 9000, "TURN 7,7", "END", "BEGIN")  # fmt: skip
    assert [each.split()[0] for each in said[:4]] == ["UNKNOWN"] * 4
    assert said[4] == "OK"
    assert said[5].startswith("UNKNOWN")
    assert MOVE.fullmatch(said[6])
    assert len(said) == 7  # nothing after END


def test_end_ends_what_is_only_about_to_be_thought_of() -> None:
    ok, *moves = talk("INFO timeout_turn 1000000000", "START 15", "TURN 7,7", "SUGGEST", "END")
    assert ok == "OK"
    assert len(moves) == 2


@pytest.mark.parametrize(
    ("info", "least", "most"),
    [
        ({"timeout_turn": 1000}, 0.5, 1.0),
        ({"timeout_turn": 0}, 0.001, 0.01),
        ({"timeout_turn": 100}, 0.02, 0.1),
        ({"timeout_turn": 5000, "timeout_match": 100_000, "time_left": 2000}, 0.02, 0.2),
        ({"timeout_turn": 5000, "time_left": 2147483647}, 4.0, 5.0),
        ({"timeout_turn": 5000, "timeout_match": 100_000, "time_left": -50}, 0.001, 0.01),
        ({"timeout_turn": 5000, "timeout_match": 100_000}, 0.5, 5.0),
    ],
)
def test_the_clock_is_shared_out(info: dict[str, int], least: float, most: float) -> None:
    brain = Brain()
    for key, number in info.items():
        brain.answer(f"INFO {key} {number}")
    assert least <= brain._seconds() <= most


def test_the_clock_runs_from_the_first_line_of_a_board() -> None:
    brain = Brain()
    brain.answer("INFO timeout_turn 60000")
    brain.answer("START 15")
    now = monotonic()
    brain.answer("BOARD", now - 59)  # a slow way for its lines: a second is left
    brain.answer("7,7,2", now)
    brain.answer("DONE", now)
    assert brain.began == now - 59
    assert brain._seconds() < 1
    brain.answer("PLAY 0,0", now)
    assert brain.began == now
    assert brain._seconds() > 50


def test_memory_is_kept_to() -> None:
    brain = Brain()
    brain.answer("START 15")
    sizes = []
    for limit in (0, 350_000_000, 100_000_000, 1000):
        brain.answer(f"INFO max_memory {limit}")
        sizes.append(brain.engine().memory_mb)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1
    assert sizes[1] << 20 < 350_000_000


@pytest.mark.parametrize("seed", [-5, 0, 1, 10**30])
def test_the_first_mark_is_near_the_centre_with_any_seed(seed: int) -> None:
    ok, move = talk("INFO timeout_turn 50", "START 15", "BEGIN", seed=seed)
    assert ok == "OK"
    assert all(abs(int(each) - 7) <= (seed != 0) for each in move.split(","))


@pytest.mark.parametrize("threads", [0, -1, 1 << 20])
def test_threads_that_are_none_are_refused_before_a_game(threads: int) -> None:
    with pytest.raises(EngineError, match="threads must be from 1 to"):
        Brain(threads)


def test_swap2() -> None:
    three, *_ = started("SWAP2BOARD", "DONE")
    assert len({*MOVE.findall(three)}) == 3
    far_better = ["7,7", "0,0", "8,8"]  # X, who is not to move, has two marks at the centre
    assert started("SWAP2BOARD", *far_better, "DONE") == ["SWAP"]
    worse = ["0,0", "7,7", "14,14"]
    assert MOVE.fullmatch(started("SWAP2BOARD", *worse, "DONE")[0])


def test_the_script_for_managers_speaks() -> None:
    script = Path(sys.executable).with_name("pbrain-noughts")
    command = [str(script)] if script.exists() else [sys.executable, "-m", "noughts", "gomocup"]
    lines = "INFO timeout_turn 50\nSTART 15\nTURN 7,7\nEND\n"
    found = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=120, check=True)
    ok, move = found.stdout.splitlines()
    assert ok == "OK"
    assert MOVE.fullmatch(move)


# Engines of others as players


def engine(folder: Path, body: str) -> str:
    """A program that reads lines and answers as `body` says; `line` is what came in, `answer` is OK at first."""
    path = folder / "pbrain-test"
    loop = "answer = 'OK'\nfor line in sys.stdin:\n    line = line.strip()"
    path.write_text(f"#!{sys.executable} -S\nimport sys\n{loop}\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return f"gomocup:{path}"


GOOD = """
    def say(text): print(text, flush=True)
    if line.startswith(("START", "RECTSTART")): say("OK"); taken = set()
    elif line == "BOARD": taken = set()
    elif line.count(",") == 2: taken.add(tuple(map(int, line.split(",")[:2])))
    elif line in ("DONE", "BEGIN"):
        say("MESSAGE thinking")
        x, y = next((x, y) for y in range(15) for x in range(15) if (x, y) not in taken)
        say(f"{x},{y}")
    elif line == "END": break
"""


ANSWERS = "    print('OK' if 'START' in line else '{}', flush=True) if line.startswith(('START', 'DONE')) else 0"


def asked(text: str, position: Position, time_limit: float = 5.0) -> int:
    with GomocupEngine(text, time_limit) as program:
        return GomocupPlayer(program)(position)


def test_an_engine_of_others_plays_a_match(tmp_path: Path) -> None:
    text = engine(tmp_path, GOOD)
    series = by_name.match("level-3", text, games=2, game="15x15k5", time_limit=30)
    assert series.b == "gomocup:pbrain-test"
    assert (series.all.games, series.forfeits) == (2, [])
    start = Game(15, 15, 5).start()
    assert asked(text, start) == 0
    assert asked(text, start.play(0)) == 1


def test_noughts_is_an_engine_for_noughts() -> None:
    text = f"gomocup:{sys.executable} -m noughts gomocup"
    cell = asked(text, Game(15, 15, 5).start().play(112), 1.0)
    assert cell != 112


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("    pass", "gave no answer"),
        ("    break", "ended its process"),
        ("    print('OK' if 'START' in line else 'hello', flush=True) if 'INFO' not in line else 0", "not a move"),
        ("    print('hello', flush=True)", "answered 'hello' to START 15"),
        (ANSWERS.format("7,7"), "taken"),
        (ANSWERS.format("99,99"), "cannot be played"),
        ("    print('x' * 3_000_000, flush=True)", "wrote more than"),
    ],
)
def test_an_engine_that_misbehaves_loses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, why: str) -> None:
    monkeypatch.setattr("noughts.play.gomocup.LOADING", 3.0)
    position = Game(15, 15, 5).start().play(112)
    with pytest.raises(Forfeit, match=why):
        asked(engine(tmp_path, body), position, 3.0)


def test_what_an_engine_does_not_play(tmp_path: Path) -> None:
    text = engine(tmp_path, "    print('ERROR too large', flush=True) if 'START' in line else 0")
    with pytest.raises(CannotPlay, match="does not play 15x15k5: it answers 'ERROR too large'"):
        asked(text, Game(15, 15, 5).start())
    for name, rule in (("9x9k4", "five in a row"), ("6x7k5g", "gravity")):
        with pytest.raises(CannotPlay, match=rule):
            asked(text, Game.parse(name).start())


def test_an_engine_that_has_taken_a_board_cannot_refuse_it_later(tmp_path: Path) -> None:
    once = "    if 'START' in line: print(answer, flush=True); answer = 'ERROR too large'"
    start = Game(15, 15, 5).start()
    with GomocupEngine(engine(tmp_path, once)) as program:
        program.begin(start.game)
        with pytest.raises(Forfeit, match="answered 'ERROR too large' to START 15"):
            GomocupPlayer(program)(start)


@pytest.mark.parametrize(
    ("text", "why"), [("gomocup:", "names no engine"), ("gomocup:/no/such", "there is no program"), ("gomocup:'", "no")]
)
def test_names_that_name_no_engine(text: str, why: str) -> None:
    with pytest.raises(InvalidPlayer, match=why), by_name.maker(text):
        pass


@pytest.mark.slow
def test_the_real_manager_plays_us(tmp_path: Path) -> None:
    """With c-gomoku-cli where GOMOKU_CLI names it: two games of the engine against itself, none lost on time."""
    manager = shutil.which(os.environ.get("GOMOKU_CLI", "c-gomoku-cli"))
    if manager is None:
        pytest.skip("GOMOKU_CLI does not name c-gomoku-cli")
    script = Path(sys.executable).with_name("pbrain-noughts")
    one = ["-engine", f"cmd={script}"]
    command = [manager, "-each", "tc=0/0.5", *one, "name=a", *one, "name=b", "-games", "2", "-boardsize", "15"]
    found = subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=tmp_path, check=True)
    ends = re.findall(r"Finished game .*\{(.*)\}", found.stdout)
    assert len(ends) == 2
    assert all("connection" in end or "Draw" in end for end in ends), found.stdout


def test_every_board_of_the_protocol_is_one_of_the_engine() -> None:
    for side in (5, 20, 32):
        Engine(Game(side, side, 5), memory_mb=1)
