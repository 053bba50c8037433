"""Matches: fair, repeatable, and honest about who is stronger."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from shell import answer, command, run

from noughts import Game, Mark, Position
from noughts.play import PLAYERS, InvalidPlayer, Player, find_player, match
from noughts.play.levels import Level5
from noughts.play.matches import GameDone, Moved, Score, matching, play_number

Maker = Callable[[int], Player]


def level(number: int) -> Maker:
    return partial(find_player, f"level-{number}")


# A series


def test_the_same_seed_plays_the_same_series() -> None:
    first, again, other = (match(PLAYERS["level-2"], PLAYERS["random"], 60, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first.plies != other.plies


def test_sides_alternate_beginning_with_a_as_x() -> None:
    asked: list[Mark] = []

    def watch(position: Position) -> int:
        if position.marks < 2:
            asked.append(position.turn)
        return position.moves()[0]

    match(lambda seed: watch, PLAYERS["random"], 5)
    assert asked == [Mark.X, Mark.O, Mark.X, Mark.O, Mark.X]


@pytest.mark.parametrize("games", [1, 2, 7])
def test_every_game_is_counted_once(games: int) -> None:
    seen = [
        event.series.all.games
        for event in matching(PLAYERS["level-3"], PLAYERS["level-1"], games)
        if isinstance(event, GameDone)
    ]
    series = match(PLAYERS["level-3"], PLAYERS["level-1"], games)
    assert series.all.games == series.x.games + series.o.games == games
    assert (series.x.games, series.o.games) == ((games + 1) // 2, games // 2)
    assert seen == list(range(1, games + 1))
    assert 5 * games <= series.plies <= 9 * games


def test_each_game_of_a_series_can_be_played_alone() -> None:
    makers = PLAYERS["level-2"], PLAYERS["random"]
    events = list(matching(*makers, 8, seed=4))
    told = [event.played for event in events if isinstance(event, GameDone)]
    moves = [event.cell for event in events if isinstance(event, Moved)]
    series = match(*makers, 8, seed=4)
    assert told == [play_number(*makers, number, Game(), seed=4) for number in range(8)]
    assert [cell for played in told for cell in played.cells] == moves
    assert series.plies == len(moves)
    for played in told:
        position = Game().start()
        for cell in played.cells:
            position = position.play(cell)
        assert (position, position.winner) == (played.end, played.winner)


def test_the_games_of_a_series_differ() -> None:
    series = match(PLAYERS["rules"], PLAYERS["random"], 40)
    assert series.all.wins > 0
    assert series.all.draws > 0


def test_a_game_is_played_by_the_rules() -> None:
    perfect = PLAYERS["perfect"]
    assert str(play_number(perfect, perfect, 0, Game()).end.status) == "draw"
    played = play_number(lambda seed: lambda position: 0, lambda seed: lambda position: 0, 0, Game())
    assert played.forfeit
    assert "a3 is taken by X" in played.forfeit.problem


def test_who_breaks_the_rules_loses_that_game() -> None:
    series = match(lambda seed: lambda position: 0, PLAYERS["random"], 10)
    assert series.all == Score(wins=0, draws=0, losses=10)
    assert {lost.player for lost in series.forfeits} == {series.a}
    mirrored = match(PLAYERS["random"], lambda seed: lambda position: 0, 10)
    assert mirrored.all == Score(wins=10, draws=0, losses=0)


@pytest.mark.parametrize("games", [0, -1, 10**7])
def test_a_series_has_a_sensible_length(games: int) -> None:
    with pytest.raises(InvalidPlayer, match="games must be from 1 to 1,000,000"):
        match(PLAYERS["random"], PLAYERS["random"], games)


def test_who_is_proven_never_to_lose_loses_no_match() -> None:
    for name in ("rules", "perfect", "level-5"):
        for other in ("random", "level-1", "level-4"):
            assert match(PLAYERS[name], PLAYERS[other], 100).all.losses == 0


def test_two_random_players_win_as_often_as_they_should() -> None:
    x = match(PLAYERS["random"], PLAYERS["random"], 2000).x  # 737/1260 X, 121/420 O, 8/63 draws
    assert abs(x.wins / x.games - 737 / 1260) < 0.05
    assert abs(x.losses / x.games - 121 / 420) < 0.05


# Levels


@pytest.mark.parametrize("game", ["3x3k3", "4x4k4", "5x5k4", "3x3k3m"])
@pytest.mark.parametrize(("higher", "lower"), [(2, 1), (3, 2), (4, 3), (3, 1), (4, 2), (4, 1)])
def test_a_higher_level_beats_a_lower_one(game: str, higher: int, lower: int) -> None:
    series = match(level(higher), level(lower), 400, Game.parse(game))
    assert series.all.wins > series.all.losses


@pytest.mark.parametrize("lower", [1, 2, 3, 4])
def test_level_5_beats_every_other_level(lower: int) -> None:
    series = match(level(5), level(lower), 200)
    assert series.all.wins > 0
    assert series.all.losses == 0


@pytest.mark.slow
@pytest.mark.parametrize("lower", [1, 2, 3, 4])
def test_level_5_beats_every_other_level_on_a_larger_board(lower: int) -> None:
    larger = match(partial(Level5, playouts=400), level(lower), 16, Game(5, 5, 4))
    assert larger.all.wins > larger.all.losses


# The command


def test_match_answers_in_json() -> None:
    account = answer("match", "rules", "level-1", "-n", "20", "--seed", "3", "--json")
    assert (account["game"], account["a"], account["b"], account["n"], account["seed"]) == (
        "3x3k3", "rules", "level-1", 20, 3,
    )  # fmt: skip
    expected = match(PLAYERS["rules"], PLAYERS["level-1"], 20, seed=3)
    assert account == json.loads(json.dumps(expected.to_json()))
    assert account["all"]["wins"] == account["x"]["wins"] + account["o"]["wins"]
    assert sum(account["all"].values()) == 20


def test_match_for_people_is_a_table() -> None:
    done = run("match", "perfect", "random", "-n", "10")
    assert (done.returncode, done.stderr) == (0, "")
    assert "perfect against random: 10 games of 3x3k3, seed 0" in done.stdout
    assert "won  drawn  lost" in done.stdout
    assert all(row in done.stdout for row in ("perfect as X", "perfect as O", "perfect in all"))


def test_a_users_player_can_play_a_match(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "def first(position): return position.moves()[0]\n"
        "def stops(position): return position.moves()[0] if position.marks < 2 else None\n"
    )
    account = answer("match", f"{path}:first", "perfect", "-n", "4", "--json")
    assert account["a"] == "mine.py:first"
    assert account["forfeits"] == []
    done = run("match", "perfect", f"{path}:stops", "-n", "4")
    assert done.returncode == 0
    assert "mine.py:stops broke the rules in 4 games, which it lost." in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["rules"], "a match needs two players: 1 given"),
        (["rules", "randm"], "there is no player 'randm': did you mean random?"),
        (["rules", "mine.py"], "'mine.py' names no function"),
        (["rules", "random", "-n", "0"], "games must be from 1 to 1,000,000, not 0"),
        (["rules", "random", "--game", "0x0k0"], "is not a game"),
        (["rules", "random", "--game", "3x3k3m"], "rules does not play 3x3k3m"),
        (["perfect", "random", "--game", "15x15k5"], "the exact value is unknown"),
        (["minimax", "random", "--game", "15x15k5"], "give it a depth, as in minimax:3"),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_2(arguments: list[str], says: str) -> None:
    done = run("match", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_players_are_completed_in_the_shell() -> None:
    done = command(
        env=os.environ | {"_NOUGHTS_COMPLETE": "bash_complete", "COMP_WORDS": "noughts match le", "COMP_CWORD": "2"}
    )
    assert "level-1" in done.stdout
    assert "rules" not in done.stdout


def test_progress_is_told_now_and_then_where_there_is_no_terminal() -> None:
    code = (
        "import sys; from noughts.__main__ import main; from noughts.cli import meter; meter.QUIET_SECONDS = 0.0\n"
        "sys.argv = ['noughts', 'match', 'random', 'perfect', '-n', '2', '--json']; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    told = done.stderr.splitlines()
    assert told[0] == "noughts: random against perfect: game 1 of 2, move 1 of at most 9"
    assert sum("game 2 of 2, move 1 of" in line for line in told) == 1
    assert "noughts: random against perfect: 2 of 2" in told[-1]
    assert len(told) == round(2 * json.loads(done.stdout)["mean_plies"]) + 2


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent as a signal")
def test_a_long_match_tells_how_long_and_ctrl_c_ends_it_in_one_line() -> None:
    words = [sys.executable, "-m", "noughts", "match", "level-1", "random", "-n", "9", "--game", "256x256k256"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        first = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert re.fullmatch(
        r"noughts: level-1 against random: game 1 of 9, move [\d,]+ of at most 65,536: at most .* more at this pace\n",
        first,
    ), first
    assert (process.returncode, out, err.strip()) == (130, "", "noughts: interrupted")
