"""What certify proves holds in play: a player that does not answer alike whenever it is asked is not certified."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import reachable
from shell import run
from users import RIGHT, written

from noughts import Game, Mark, Position, best_moves, move_values
from noughts.play import by_name, certify, consistency, find_player
from noughts.play.classroom import grade
from noughts.play.matches import play_number
from noughts.play.user_file import UserFile, UserPlayer

# What is good and what is bad is read from a table: the file is loaded in many processes, and none has to work it out.
HEAD = """
import functools, json, os, pathlib, random, time

ANSWERS = json.loads((pathlib.Path(__file__).parent / "answers.json").read_text())
def best_moves(position): return ANSWERS[str(position)][0]
def good(position): return ANSWERS[str(position)][0][0]
def bad(position): return ANSWERS[str(position)][1]
"""


@cache
def answers() -> str:
    """The best moves of every position of 3x3, and a worst one."""
    ongoing = [position for position in reachable(Game()) if not position.is_over]
    values: dict[Position, Any] = {position: move_values(position) for position in ongoing}
    return json.dumps({str(each): (best_moves(each), min(values[each], key=values[each].get)) for each in ongoing})


# Each plays well at first, or often, and badly when its memory or its chance says so.
CHANGING = {
    "once": """
seen = set()
def play(position):
    if position in seen: return bad(position)
    seen.add(position)
    return good(position)
""",
    "counter": """
calls = 0
def play(position):
    global calls
    calls += 1
    return good(position) if calls % 700 else bad(position)
""",
    "previous": """
before = 0
def play(position):
    global before
    before, last = position.marks, before
    return bad(position) if last > position.marks else good(position)
""",
    "in games": """
before = None
def play(position):
    global before
    last, before = before, position
    goes_on = last and (last.x & position.x, last.o & position.o) == (last.x, last.o)
    return bad(position) if goes_on and last.marks == position.marks - 2 else good(position)
""",
    "games": """
games = 0
def play(position):
    global games
    games += position.marks < 2
    return good(position) if games < 60 else bad(position)
""",
    "chance": """
def play(position): return good(position) if random.random() < 0.95 else bad(position)
""",
    "clock": """
def play(position): return good(position) if time.perf_counter_ns() // 100 % 20 else bad(position)
""",
    "order of sets": """
def play(position): return next(iter({f"{'abc'[cell % 3]}{3 - cell // 3}" for cell in best_moves(position)}))
""",
    "hash": """
def play(position): return good(position) if hash(str(position)) % 20 else bad(position)
""",
    "address": """
def play(position): return good(position) if random.Random(f"{id(HERE)} {position}").random() < 0.9 else bad(position)
HERE = object()
""",
    "process": """
HERE = os.getpid()
def play(position): return good(position) if random.Random(f"{HERE} {position}").random() < 0.9 else bad(position)
""",
    "diary": """
diary = pathlib.Path(__file__).with_suffix(".txt")
def play(position):
    text = diary.read_text() if diary.exists() else ""
    diary.write_text(f"{text}{position}\\n")
    return bad(position) if f"{position}\\n" in text else good(position)
""",
    "second process": """
mark = pathlib.Path(__file__).with_suffix(".txt")
first = not mark.exists()
mark.touch()
def play(position): return good(position) if first else bad(position)
""",
    "liar": """
def play(position): return bad(position)
play.choices = lambda position: [good(position)]
""",
    "sometimes raises": """
seen = set()
def play(position):
    if position in seen: raise RuntimeError("again")
    seen.add(position)
    return good(position)
""",
}

SAME = {
    "function": "play = good",
    "memory": "play = functools.cache(good)",
    "chance among equals": """
def play(position): return random.choice(play.choices(position))
play.choices = best_moves
""",
}


@pytest.fixture(autouse=True)
def some_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many games as tell these players apart, not all."""
    monkeypatch.setattr(consistency, "GAMES", 150)


def file_of(folder: Path, body: str) -> Path:
    written(folder, answers(), "answers.json")
    return written(folder, HEAD + body)


def account_of(folder: Path, body: str) -> dict[str, Any]:
    found = by_name.certify(f"{file_of(folder, body)}:play")
    account: dict[str, Any] = json.loads(json.dumps(found.to_json()))
    return account


@pytest.mark.parametrize("kind", CHANGING)
def test_a_player_whose_answers_differ_is_not_certified(kind: str, tmp_path: Path) -> None:
    account = account_of(tmp_path, CHANGING[kind])
    assert True not in (account["x"]["never_loses"], account["o"]["never_loses"])
    assert account["consistent"] is False
    assert account["assumes"] is None
    differs = account["differs"]
    position = Position.parse(differs["position"])
    assert not position.is_over
    first, later = differs["answers"]
    assert first != later
    assert differs["when"]
    assert account["x"]["keeps_value"] is account["o"]["keeps_value"] is None


def test_perfect_at_first_sight_and_bad_afterwards_is_neither_proven_nor_refuted(tmp_path: Path) -> None:
    account = account_of(tmp_path, CHANGING["once"])
    for mark in "xo":
        assert account[mark]["never_loses"] is None
        assert account[mark]["counterexample"] is None
    position = Position.parse(account["differs"]["position"])
    values = move_values(position)
    first, later = (values[position.cell(answer)] for answer in account["differs"]["answers"])
    assert first == max(values.values()) > later  # type: ignore[type-var, operator]


@pytest.mark.parametrize("kind", SAME)
def test_a_player_whose_answers_agree_is_certified_and_what_is_assumed_is_said(kind: str, tmp_path: Path) -> None:
    account = account_of(tmp_path, SAME[kind])
    assert account.keys() >= {"consistent", "differs", "games", "assumes"}
    assert (account["x"]["never_loses"], account["o"]["never_loses"]) == (True, True)
    assert (account["consistent"], account["differs"]) == (True, None)
    assert "3 times, in 3 processes" in account["assumes"]


def test_every_game_of_a_small_board_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player without memory has as many games as a plain recursion counts."""
    monkeypatch.setattr(consistency, "PATIENCE", 600.0)  # on a busy machine, too
    monkeypatch.setattr(consistency, "GAMES", 2000)

    def games(position: Position, mark: Mark) -> int:
        if position.is_over:
            return 1
        cells = best_moves(position)[:1] if position.turn is mark else position.moves()
        return sum(games(position.play(cell), mark) for cell in cells)

    assert account_of(tmp_path, "play = good")["games"] == sum(games(Game().start(), mark) for mark in Mark)


# The library


class Once:
    """Perfect where it has not been, and bad where it has."""

    def __init__(self) -> None:
        self.seen: set[Position] = set()

    def __call__(self, position: Position) -> int:
        values = move_values(position)
        choose = min if position in self.seen else max
        self.seen.add(position)
        return choose(values, key=values.__getitem__)  # type: ignore[arg-type]


def test_a_function_of_this_process_is_asked_again_too() -> None:
    found = certify(Once())
    assert (found.x.never_loses, found.o.never_loses, found.consistent) == (None, None, False)
    assert found.difference
    assert found.assumes is None
    found = certify(lambda position: best_moves(position)[0])
    assert (found.x.never_loses, found.o.never_loses, found.consistent) == (True, True, True)
    assert "twice" in (found.assumes or "")


def test_choices_that_only_claim_to_turn_with_the_board_are_not_certified() -> None:
    class Leaning:
        symmetric = True

        choices = staticmethod(best_moves)

        def __call__(self, position: Position) -> int:
            if position == Position.parse("..X/.O./X.."):  # in the class of X../.O./..X, where it plays well
                return 0
            return best_moves(position)[0]

    found = certify(Leaning())
    assert found.o.never_loses is None
    assert found.difference
    assert found.difference.position == Position.parse("..X/.O./X..")


def test_a_refutation_stands_if_its_game_can_be_played_again(tmp_path: Path) -> None:
    """It changes where nothing depends on it, and always loses one game."""
    body = """
calls = 0
def play(position):
    global calls
    calls += 1
    return position.moves()[0] if position.marks < 6 else position.moves()[-(calls % 2)]
"""
    path = file_of(tmp_path, body)
    account = by_name.certify(f"{path}:play").to_json()
    assert account["consistent"] is False
    lost = [mark for mark in "xo" if account[mark]["never_loses"] is False]
    assert lost
    for mark in lost:
        replays(path, Mark[mark.upper()], account[mark]["counterexample"])


def replays(path: Path, mark: Mark, moves: list[str]) -> None:
    """A fresh process plays this very game, and loses it."""
    with UserFile(path) as file:
        left = iter(moves)
        mine = UserPlayer(file, "play")

        def script(position: Position) -> int:
            return position.cell(next(left))

        def played(position: Position) -> int:
            cell = script(position)
            assert mine(position) == cell
            return cell

        x, o = (played, script) if mark is Mark.X else (script, played)
        end = play_number(lambda seed: x, lambda seed: o, 0, Game()).end
    assert end.winner is mark.other


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 6))])
def test_every_refutation_can_be_played_again(seed: int, tmp_path: Path) -> None:
    path = file_of(
        tmp_path, f"def play(position): return random.Random(f'{seed} {{position}}').choice(position.moves())"
    )
    account = by_name.certify(f"{path}:play").to_json()
    assert account["consistent"] is True
    for mark in "xo":
        assert account[mark]["never_loses"] is False
        replays(path, Mark[mark.upper()], account[mark]["counterexample"])


def test_a_move_that_breaks_the_rules_only_once_is_a_difference(tmp_path: Path) -> None:
    body = """
mark = pathlib.Path(__file__).with_suffix(".txt")
def play(position):
    if mark.exists(): return good(position)
    mark.touch()
    return "z9"
"""
    account = account_of(tmp_path, body)
    assert account["x"]["forfeit"] is None
    assert account["x"]["never_loses"] is None
    assert account["differs"]["answers"][0].startswith("its move cannot be played: z9")


def test_a_slow_player_plays_few_games_and_a_large_board_not_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consistency, "PATIENCE", 0)
    assert certify(lambda position: best_moves(position)[0]).check.games == 1
    monkeypatch.setattr(consistency, "PATIENCE", 600)
    monkeypatch.setattr(consistency, "GAMES", 50)
    assert certify(find_player("rules"), Game(3, 4, 3)).check.games == 50


# In words


def test_the_command_shows_where_the_answers_differ(tmp_path: Path) -> None:
    done = run("certify", f"{file_of(tmp_path, CHANGING['once'])}:play", COLUMNS="100")
    assert (done.returncode, done.stderr) == (0, "")
    assert "never loses" not in done.stdout
    assert "As X: not certified." in done.stdout
    assert "As O: not certified." in done.stdout
    assert "It does not always answer alike" in done.stdout
    assert "   a b c" in done.stdout


def test_the_command_says_what_is_assumed(tmp_path: Path) -> None:
    done = run("certify", f"{file_of(tmp_path, SAME['function'])}:play")
    assert "As X: never loses." in done.stdout
    assert "This assumes that" in done.stdout
    assert "This assumes that" not in run("certify", "random").stdout  # nothing is proven of it


# Classroom files

FORGETFUL = """
import pathlib, right
player = right.player
mark = pathlib.Path(__file__).with_suffix(".txt")
starts = len(mark.read_text()) if mark.exists() else 0
mark.write_text("|" * (starts + 1))
def terminal(board): return right.terminal(board) if starts < 1 else "no"
def utility(board): return right.utility(board) if starts > 0 else 7
def minimax(board): return right.minimax(board) if starts < 2 else (8, 8)
"""


@pytest.fixture
def forgetful(tmp_path: Path) -> Path:
    written(tmp_path, RIGHT, "right.py")
    return written(tmp_path, FORGETFUL)


def test_a_function_is_right_only_if_it_is_so_each_time(forgetful: Path) -> None:
    found = {found.function: found for found in grade(forgetful, partly=True, total_limit=600).grades}
    always, never, late = found["player"], found["terminal"], found["utility"]
    assert (always.right, always.again, always.differs) == (always.questions, always.questions, None)
    assert always.to_json()["consistent"] is True
    assert (never.right, never.failure, late.right) == (0, None, 0)
    assert never.differs
    assert late.differs
    assert [never.differs.first, never.differs.later] == ["it returned True", "it returned 'no'"]
    assert late.differs.first == "it returned 7"
    account = never.to_json()
    assert (account["consistent"], account["asked_again"]) == (False, never.questions)
    assert account["differs"]["answers"] == ["it returned True", "it returned 'no'"]
    assert account["differs"]["position"] == str(never.differs.question.position)
    minimax = found["minimax"]
    assert minimax.differs
    assert (minimax.right, minimax.differs.later) == (0, "it returned (8, 8)")


def test_a_classroom_file_that_differs_is_shown(forgetful: Path) -> None:
    done = run("certify", str(forgetful), "--classroom", "--total-limit", "600")
    assert done.returncode == 0
    assert "terminal, not always alike: at first it returned True; when asked again it returned 'no'" in done.stdout
    assert "questions were asked twice" in done.stdout


def test_another_right_answer_is_no_difference(tmp_path: Path) -> None:
    written(tmp_path, RIGHT, "right.py")
    body = """
import random, right
def actions(board): return random.sample(sorted(right.actions(board)), len(right.actions(board)))
def minimax(board):
    if right.terminal(board): return None
    worths = {action: right.worth(right.key(right.result(board, action))) for action in actions(board)}
    best = (max if right.player(board) == "X" else min)(worths.values())
    return random.choice([action for action in worths if worths[action] == best])
"""
    found = {found.function: found for found in grade(written(tmp_path, body), partly=True, total_limit=600).grades}
    for name in ("actions", "minimax"):
        assert (found[name].percent, found[name].again) == (100, found[name].questions)
        assert found[name].differs is None


def test_what_never_answered_is_not_waited_for_again(tmp_path: Path) -> None:
    path = written(tmp_path, "import os\ndef utility(board): os._exit(3)\n")
    utility = grade(path, partly=True).grades[-2]
    assert (utility.asked, utility.again, utility.differs) == (9, 0, None)
