"""Swap and swap2: who lays, who takes, in matches and at the terminal; and the levels on boards that are not small."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from noughts import Game, native
from noughts.cli import cli
from noughts.engine import EngineError
from noughts.engine.opening import central
from noughts.play import PLAYERS, InvalidPlayer, find_player
from noughts.play.balance import LAID, NoSuchOpening, lay, read_opening, take
from noughts.play.levels import EYES, GRADES, grade
from noughts.play.matches import GameDone, match, matching
from noughts.rules.position import Position, replay

pytestmark = pytest.mark.skipif(native.core() is None, reason="the engine needs the native core")

GOMOKU = Game(15, 15, 5)


def test_laid_marks_lie_near_the_centre_and_vary_with_the_seed() -> None:
    laid = [lay(Game(9, 9, 5), seed) for seed in range(4)]
    assert all(len({*each.cells}) == LAID and {*each.cells} <= {*central(each.game, 3)} for each in laid)
    assert len({each.cells for each in laid}) > 1


def test_whoever_takes_a_side_takes_the_one_that_wins() -> None:
    position = Position.parse("7x7k4:......./......./..XX.../......./O.....O/......./.......")  # X to move wins
    assert (str(take(position).mark), take(position).chance > 0.9) == ("X", True)
    after = replay(position, ["b5"])[-1]
    assert (str(after.turn), str(take(after).mark)) == ("O", "X")


@pytest.mark.parametrize("opening", ["swap", "swap2"])
def test_in_a_match_one_lays_and_the_other_takes(opening: str) -> None:
    game = Game(7, 7, 4)
    told = matching(PLAYERS["level-1"], PLAYERS["level-1"], 4, game, seed=3, opening=opening)
    seen = [event.played for event in told if isinstance(event, GameDone)]
    assert len(seen) == 4
    for one, other in (seen[:2], seen[2:]):  # the same opening, laid by the one and by the other
        assert one.cells[:LAID] == other.cells[:LAID]
        assert one.mark is other.mark.other
        taken = take(replay(game.start(), one.cells[:LAID])[-1]).mark
        assert (one.mark, other.mark) == (taken.other, taken)


def test_a_match_without_an_opening_is_as_it_was() -> None:
    free = match(PLAYERS["perfect"], PLAYERS["random"], 20)
    assert free.opening == "free"
    assert (free.x.games, free.o.games, free.all.losses) == (10, 10, 0)


def test_openings_are_refused_where_they_make_no_sense() -> None:
    with pytest.raises(NoSuchOpening, match="too small"):
        read_opening("swap", Game())
    with pytest.raises(NoSuchOpening, match="expected free, swap or swap2"):
        read_opening("swap3", GOMOKU)
    with pytest.raises(EngineError, match="gravity"):
        read_opening("swap", Game(6, 7, 4, gravity=True))
    assert read_opening("free", Game()) == "free"


def played(words: str, typed: str) -> str:
    done = CliRunner().invoke(cli, ["play", *words.split()], input=typed)
    assert done.exit_code == 0, done.output
    return done.output


def test_a_person_lays_and_the_opponent_takes() -> None:
    told = played("9x9k5 --against level-1 --side x --opening swap --seed 1", "e5\ne5\nd6\ng7\nquit\n")
    taken = take(replay(Game(9, 9, 5).start(), ["e5", "d6", "g7"])[-1]).mark
    assert "e5 is taken by X" in told
    assert f"level-1 takes {taken}." in told
    assert f"You are {taken.other} against level-1" in told


def test_a_person_takes_or_lays_two_more() -> None:
    words = "9x9k5 --against level-1 --side o --opening swap2 --seed 1"
    assert "You are X against level-1" in played(words, "nothing\nx\nquit\n")
    told = played(words, "more\na1\nb1\nquit\n")
    taken = take(replay(lay(Game(9, 9, 5), 1).position, ["a1", "b1"])[-1]).mark
    assert f"level-1 takes {taken}." in told
    assert "'more' is no side" in played(words.replace("swap2", "swap"), "more\no\nquit\n")


# Levels


def test_levels_are_graded_where_the_engine_plays_and_the_board_is_not_small() -> None:
    for name in ("3x3k3", "5x5k4", "6x7k4g", "15x15k5m"):
        assert all(grade(level, Game.parse(name)) is None for level in EYES)
    for name in ("6x7k4", "15x15k5", "15x15k5e", "32x32k7"):
        grades = [grade(level, Game.parse(name)) for level in EYES]
        assert all(grades)
        known = [(each.eyes, each.tenths, each.nodes) for each in grades if each]
        assert len({*known}) == 4
        shares = [each.tenths for each in grades if each]
        assert shares == sorted(shares)
    assert grade("level-5", GOMOKU) is None
    assert all(each.eyes in EYES and each.tenths <= 10 for grades in GRADES.values() for each in grades.values())


def test_every_level_begins_in_or_near_the_centre_and_varies() -> None:
    start = GOMOKU.start()
    for name in (*EYES, "level-5", "engine"):
        cells = {PLAYERS[name](seed)(start) for seed in range(12)}
        assert cells <= {*central(GOMOKU)}
        assert len(cells) > 1


# Budgets of time


def test_players_that_look_ahead_take_a_budget_of_time() -> None:
    position = Position.parse("6x6k4:....../..XX../..O.../....../...O../......")
    for name in ("mcts:0.05s", "alphabeta:0.05s", "minimax:0.05s", "level-5:0.05s"):
        player = find_player(name)
        assert str(player) == name
        assert player(position) in position.moves()
    for name in ("mcts:0s", "mcts:-1s", "mcts:nans", "alphabeta:s", "minimax:1e9s", "random:1s", "level-4:1s"):
        with pytest.raises(InvalidPlayer):
            find_player(name)
