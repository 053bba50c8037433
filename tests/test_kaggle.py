"""Kaggle: agents answer what real episodes asked, and a submission works where noughts is not installed."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from noughts import Position, bridges
from noughts.bridges.kaggle import BadObservation, agent, read_board, read_state, write_submission
from noughts.bridges.spiel import read_game
from noughts.play import CannotPlay, InvalidPlayer
from noughts.rules.game import InvalidGame
from noughts.rules.position import InvalidPosition

# What `make kaggle` recorded: real episodes of kaggle_environments 1.33.2, with the player rules against chance.
RECORDED = json.loads((Path(__file__).parent / "recorded" / "kaggle.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("episode", RECORDED)
def test_an_agent_answers_what_a_real_episode_asked(episode: str) -> None:
    play = agent("rules")
    assert len(RECORDED[episode]) > 2
    for asked in RECORDED[episode]:
        answer = play(asked["observation"], asked["configuration"])
        if "open_spiel" in episode:
            assert set(answer) == {"submission"}, "where Kaggle is strict, nothing else may be in it"
            assert answer["submission"] == asked["action"]["submission"]
            assert answer["submission"] in asked["observation"].get("legalActions", [-1])
        else:
            assert answer == asked["action"]
            assert asked["observation"]["board"][answer] == 0


@pytest.mark.parametrize("episode", [name for name in RECORDED if "open_spiel" in name])
def test_the_position_of_an_episode_is_the_one_that_it_shows(episode: str) -> None:
    for asked in RECORDED[episode][1:]:
        observation = asked["observation"]
        position = read_state(observation["serializedGameAndState"])
        shown = observation["observationString"]
        rows = ["".join(row) for row in reversed(json.loads(shown)["board"])] if "{" in shown else shown.split()
        assert str(position).rpartition(":")[2].lower() == "/".join(rows)
        assert sorted(position.game.rule.action_of(cell) for cell in position.moves()) == observation["legalActions"]


def test_before_there_is_a_board_nothing_is_played() -> None:
    assert agent("level-1")({"step": 0}, {"openSpielGameName": "tic_tac_toe"}) == {"submission": -1}


def test_any_function_is_an_agent() -> None:
    play = agent(lambda position: position.moves()[-1])
    assert play({"board": [0] * 42, "mark": 1}, {"rows": 6, "columns": 7, "inarow": 4}) == 6


CONNECT = {"rows": 6, "columns": 7, "inarow": 4}


@pytest.mark.parametrize(
    ("observation", "configuration", "problem", "says"),
    [
        ({"board": [0] * 41, "mark": 1}, CONNECT, BadObservation, "the board should have 42 numbers from 0 to 2"),
        ({"board": [3] + [0] * 41, "mark": 1}, CONNECT, BadObservation, "the board should have 42 numbers"),
        ({"board": [0] * 42, "mark": 2}, CONNECT, BadObservation, "it is not the turn of mark 2"),
        ({"board": [1] + [0] * 41, "mark": 2}, CONNECT, InvalidPosition, "hang"),
        ({"mark": 1}, CONNECT, BadObservation, "there is no board"),
        ({"board": [0] * 42}, {"inarow": 4}, BadObservation, "there is no rows"),
        ({"board": [0] * 42}, CONNECT | {"inarow": 9}, InvalidGame, "k must be from 1 to 7"),
        ({}, {}, BadObservation, "neither connectx nor a game of OpenSpiel"),
        ({"serializedGameAndState": "x"}, {"openSpielGameName": "x"}, BadObservation, "is not a game and a state"),
    ],
)
def test_what_is_no_observation_raises(observation: Any, configuration: Any, problem: Any, says: str) -> None:
    with pytest.raises(problem, match=says):
        agent("level-1")(observation, configuration)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[Game]\nchess()\n[State]\n1\n", "'chess' of OpenSpiel, with {}, is no game of noughts"),
        ("[Game]\ngomoku(wrap=True)\n[State]\n", "is no game of noughts"),
        ("[Game]\ntic tac toe\n[State]\n", "is no game of OpenSpiel"),
    ],
)
def test_other_games_are_refused(text: str, says: str) -> None:
    with pytest.raises(CannotPlay, match=says):
        read_state(text)


@pytest.mark.parametrize("state", ["4\n4\n", "9\n", "history=0:4,1:4\n", "four\n"])
def test_a_state_that_cannot_be_is_refused(state: str) -> None:
    with pytest.raises(BadObservation, match=r"is no legal action|is not a list of actions"):
        read_state(f"[Game]\ntic_tac_toe()\n[State]\n{state}")


def test_games_are_read_as_openspiel_writes_them() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install open_spiel==2.0.2")
    for text in ("tic_tac_toe", "mnk(m=5,n=4,k=3)", "mnk", "gomoku(size=9,anti=True)", "connect_four", "gomoku"):
        spiel = pyspiel.load_game(text)
        state = spiel.new_initial_state()
        state.apply_action(2)
        position = read_state(pyspiel.serialize_game_and_state(spiel, state))
        assert position.game == read_game(str(spiel))
        assert position.marks == 1
        assert position.play(position.moves()[0]).game.columns > 2


# Submissions

AS_KAGGLE = """
import json, sys
path = sys.argv[1]
sys.path.append(path.rpartition("/")[0])  # as Kaggle does
env = {}
exec(compile(open(path).read(), path, "exec"), env)
found = [thing for thing in env.values() if callable(thing)][-1]  # it takes the last thing that can be called
import noughts
assert noughts.__file__.startswith(path.rpartition("/")[0]), noughts.__file__
for line in sys.stdin:
    print(json.dumps(found(*json.loads(line))))
"""


@pytest.mark.parametrize("native", ["1", "0"])
def test_a_submission_works_where_noughts_is_not_installed(tmp_path: Path, native: str) -> None:
    write_submission(tmp_path / "submission.tar.gz", "rules", seed=0)
    with tarfile.open(tmp_path / "submission.tar.gz") as archive:
        names = archive.getnames()
        archive.extractall(tmp_path, filter="data")
    assert names[0] == "main.py"
    assert not [name for name in names if "/web/" in name or "/cli/" in name or "__pycache__" in name]
    asked = [each for episode in RECORDED.values() for each in episode]
    lines = "\n".join(json.dumps([each["observation"], each["configuration"]]) for each in asked)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", AS_KAGGLE, str(tmp_path / "main.py")],
        input=lines, capture_output=True, text=True, timeout=300, check=False, env={"NOUGHTS_NATIVE": native},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    actions = [each["action"] for each in asked]
    assert answers == [
        {"submission": action["submission"]} if isinstance(action, dict) else action for action in actions
    ]


def test_a_submission_is_the_same_whenever_it_is_made(tmp_path: Path) -> None:
    for name in ("one.tar.gz", "two.tar.gz"):
        write_submission(tmp_path / name, "level-2", seed=3)
    assert (tmp_path / "one.tar.gz").read_bytes() == (tmp_path / "two.tar.gz").read_bytes()


@pytest.mark.parametrize(
    ("name", "player", "says"),
    [
        ("agent.py", "level-2", "expected one that ends in .tar.gz"),
        ("agent.tar.gz", "levle-2", "did you mean level-2"),
        ("agent.tar.gz", "bot:cat", "there is no player 'bot'"),
        ("no/agent.tar.gz", "level-2", "it must be a file in a folder that exists"),
    ],
)
def test_what_is_no_submission_is_refused(tmp_path: Path, name: str, player: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        write_submission(tmp_path / name, player)
    assert list(tmp_path.iterdir()) == []


def test_boards_of_any_size_are_read() -> None:
    shown = {"board": [0, 0, 0, 2, 1, 1], "mark": 2}
    assert read_board(shown, {"rows": 2, "columns": 3, "inarow": 3}) == Position.parse("2x3k3g:.../OXX")
    with pytest.raises(InvalidPlayer):
        agent("nobody")


def test_the_bridge_names_the_version_that_it_was_tested_with() -> None:
    script = Path(__file__).resolve().parents[1] / "Makefile"
    assert f"kaggle_environments=={bridges.BRIDGES['kaggle'].tested[0]}" in script.read_text(encoding="utf-8")
