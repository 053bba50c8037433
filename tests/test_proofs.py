"""Verdicts: what provers say is never wrong, together they say no less than each, and nobody is asked twice."""

from __future__ import annotations

import pytest
from conftest import SPREAD, positions, reachable
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game, Position, Value, Verdict, analyze, best_moves, move_values, value, verdict
from noughts.proofs import PROVERS, Prover, judge
from noughts.proofs.verdicts import UNKNOWN, best_of
from noughts.rules.value import RANK
from noughts.solve import at_hand, plain

GAMES = ["3x3k3", "3x3k3m", "2x5k3", "1x7k3", "3x3k1", "3x3k3g", "3x3k2eg", "4x2k3gm"]
OUTCOMES = ("loss", "tie", "win")


def allows(found: Verdict, truth: Value) -> bool:
    """May a position of this value have that verdict?"""
    if not RANK[found.at_least] <= RANK[truth.outcome] <= RANK[found.at_most]:
        return False
    if found.is_exact and found.within is not None and truth.plies > found.within:
        return False
    return found.remoteness in (None, truth.remoteness)


@pytest.mark.parametrize("prover", PROVERS.values(), ids=PROVERS)
@pytest.mark.parametrize("name", GAMES)
def test_no_prover_is_ever_wrong(name: str, prover: Prover) -> None:
    for position in reachable(Game.parse(name)):
        assert allows(prover.verdict(position), plain.value(position)), position
        for cell, found in prover.moves(position).items():
            assert allows(found, plain.value(position.play(cell)).for_mover()), (position, cell)


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", GAMES)
def test_together_they_know_the_positions_of_a_small_game(name: str, step: int) -> None:
    for position in reachable(Game.parse(name))[::step]:
        found = judge(position)
        assert found.verdict.value == verdict(position).value == plain.value(position)
        truth = {cell: plain.value(position.play(cell)).for_mover() for cell in position.moves()}
        assert {cell: each.value for cell, each in found.moves.items()} == truth == move_values(position)
        assert (
            found.best == best_moves(position) == [cell for cell, each in truth.items() if each == max(truth.values())]
        )


@given(positions())
def test_on_any_board_a_verdict_agrees_with_those_of_its_moves(position: Position) -> None:
    found = judge(position)
    assert list(found.moves) == position.moves()
    together = best_of(found.moves.values()) if found.moves else found.verdict
    assert RANK[found.verdict.at_least] >= RANK[together.at_least]
    assert RANK[found.verdict.at_most] <= RANK[together.at_most]
    if found.verdict.value and found.moves and all(move.is_settled for move in found.moves.values()):
        assert together.value == found.verdict.value


@pytest.mark.parametrize("game", SPREAD, ids=str)
def test_whoever_begins_cannot_lose_where_a_line_wins(game: Game) -> None:
    found = PROVERS["stealing"].verdict(game.start())
    assert (found == UNKNOWN) is not game.rule.extra_mark_never_hurts
    if game.rule.extra_mark_never_hurts:
        assert (found.at_least, found.at_most, found.how) == ("tie", "win", ("stealing",))
    for cell in (game.start().moves()[0], game.cells - 1):
        assert PROVERS["stealing"].verdict(game.start().play(cell)) == UNKNOWN


def test_half_a_verdict_is_said_and_is_no_value() -> None:
    start = Game(15, 15, 5).start()
    assert (str(verdict(start)), value(start), best_moves(start)) == ("tie to win", None, [])
    assert analyze(start).to_json()["how"] == ["stealing"]
    assert str(verdict(start.play("h8"))) == "unknown"


def test_of_moves_that_are_partly_known_those_that_may_be_worth_most_are_best() -> None:
    rows = ["." * 15] * 15
    rows[3], rows[9] = "...OOOO........", "...XXX........."
    facing = Position.parse(
        "15x15k5:" + "/".join([*rows[:9], "..XXXX.........", *rows[10:]]).replace("...OOOO", "..XOOOO")
    )
    assert facing.turn.value == "O"
    winning = judge(facing)
    assert (str(winning.verdict), len(winning.best)) == ("win 1", 1)
    rows[3], rows[9] = "..XOOOO........", "...XXX........."
    blocks = judge(Position.parse("15x15k5:" + "/".join(rows)))
    assert not blocks.verdict.is_exact
    assert [blocks.moves[cell].is_exact for cell in blocks.best] == [False]
    assert sum(move.at_most == "loss" for move in blocks.moves.values()) == len(blocks.moves) - 1


# Verdicts as such

intervals = st.tuples(st.integers(0, 2), st.integers(0, 2)).map(
    lambda ends: Verdict(OUTCOMES[min(ends)], OUTCOMES[max(ends)], how=("one",))
)


@given(intervals, intervals)
def test_two_verdicts_narrow_each_other_or_contradict(one: Verdict, other: Verdict) -> None:
    low, high = max(RANK[one.at_least], RANK[other.at_least]), min(RANK[one.at_most], RANK[other.at_most])
    if low > high:
        with pytest.raises(AssertionError, match="contradict"):
            one.narrowed(other)
    else:
        both = one.narrowed(other)
        assert both[:2] == other.narrowed(one)[:2] == (OUTCOMES[low], OUTCOMES[high])
    assert one.narrowed(UNKNOWN) == one
    assert one.for_mover().for_mover()[:2] == one[:2]


def test_a_value_without_a_distance_comes_after_those_with_one() -> None:
    ranks = [
        Value("win", 1),
        Value("win", 9),
        Value("win", None),
        Value("tie", 4),
        Value("loss", 8),
        Value("loss", None),
    ]
    assert sorted(ranks, reverse=True) == ranks
    assert [str(each) for each in ranks[1:3]] == ["win 9", "win"]
    assert Value("win", None).for_mover() == Value("loss", None)


# Who is asked how often


def test_an_analysis_asks_once_for_its_moves_and_once_for_each_ply_of_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, ask = [], at_hand.ask

    def counting(*given, **options):  # type: ignore[no-untyped-def]
        asked.append(given)
        return ask(*given, **options)

    monkeypatch.setattr(at_hand, "ask", counting)
    for position in (*map(Position.parse, ("XO./.X./..O", "X../.O./..X", "3x3k3m:XO./.X./..O")), Game(3, 4, 3).start()):
        asked.clear()
        found = analyze(position)
        lines = [found.best_line[1:], *(move.refutation for move in found.moves)]  # the first move is in the table
        assert len(asked) == 1 + sum(map(len, lines))
