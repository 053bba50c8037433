"""Round robins: who wins more is rated higher, errors shrink with games, and everything can be played again."""

from __future__ import annotations

from math import exp

import pytest

from noughts.play.kept import of_line, read_sgf, write_sgf
from noughts.play.player import InvalidPlayer
from noughts.play.tournament import SCALE, ratings, round_robin


def test_ratings_explain_results_that_follow_the_model() -> None:
    true = {"a": 200.0, "b": 0.0, "c": -200.0}
    points = {(a, b): (1e6 / (1 + exp((true[b] - true[a]) / SCALE)), 10**6) for a in true for b in true if a < b}
    found = ratings(list(true), points)
    assert {name: round(found[name][0]) for name in true} == {name: round(each) for name, each in true.items()}


def test_the_error_shrinks_as_the_root_of_the_games() -> None:
    few, many = (ratings(["a", "b"], {("a", "b"): (0.6 * n, n)})["a"][1] for n in (1_000, 100_000))
    assert few / many == pytest.approx(10, rel=0.02)


def test_whoever_won_everything_has_a_rating_too() -> None:
    found = ratings(["a", "b", "c"], {("a", "b"): (10.0, 10), ("a", "c"): (10.0, 10), ("b", "c"): (10.0, 10)})
    assert found["a"][0] > found["b"][0] > found["c"][0]
    assert sum(rating for rating, _ in found.values()) == pytest.approx(0, abs=1e-6)


def test_a_round_robin_is_counted_right_and_can_be_played_again() -> None:
    found = round_robin(["perfect", "level-2", "random"], games=6, seed=3)
    assert found.to_json() == round_robin(["perfect", "level-2", "random"], games=6, seed=3).to_json()
    assert sum(each.points for each in found.standings) == len(found.games) == 18
    assert found.standings[0].player == "perfect"
    for each in found.standings:
        mine = [game for game in found.games if each.player in (game.x, game.o)]
        won = sum(
            game.winner is not None and {"X": game.x, "O": game.o}[str(game.winner)] == each.player for game in mine
        )
        assert (len(mine), won) == (12, each.score.wins)
    for game in found.games:
        [again] = read_sgf(write_sgf(of_line(game.game.start(), game.moves, x=game.x, o=game.o)))
        assert (again.x, again.o, again.line) == (game.x, game.o, game.moves)


def test_who_cannot_meet_is_refused() -> None:
    with pytest.raises(InvalidPlayer, match="from 2 to 40 players, not 1"):
        round_robin(["perfect"])
    with pytest.raises(InvalidPlayer, match="'random' is named twice"):
        round_robin(["random", "perfect", "random"])
