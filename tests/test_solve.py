"""Values: ordered, and exactly what playing every game out gives."""

from __future__ import annotations

from collections import Counter

import pytest
from conftest import positions, reachable
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game, Position, Value, best_moves, move_values, value
from noughts.proofs.lookahead import Lookahead
from noughts.solve import plain
from noughts.solve.plain import MAX_FREE


def slow_value(position: Position, known: dict[Position, Value]) -> Value:
    """The definition: the winner hurries, the loser delays, a tie lasts to the full board."""
    if position in known:
        return known[position]
    if position.is_over:
        found = Value("tie", 0)
        if position.winner is not None:
            found = Value("win" if position.winner is position.turn else "loss", 0)
    else:
        after = [slow_value(position.play(cell), known) for cell in position.moves()]
        wins = [v.remoteness for v in after if v.outcome == "loss"]
        losses = [v.remoteness for v in after if v.outcome == "win"]
        ties = [v.remoteness for v in after if v.outcome == "tie"]
        if wins:
            found = Value("win", 1 + min(wins))
        elif ties:
            found = Value("tie", 1 + max(ties))
        else:
            found = Value("loss", 1 + max(losses))
    known[position] = found
    return found


@pytest.mark.parametrize("name", ["3x3k3", "3x3k3m", "3x3k2", "3x3k2m", "3x3k1m", "2x4k3", "1x8k3m", "2x5k4", "1x1k1"])
def test_values_are_those_of_the_definition_on_every_reachable_position(name: str) -> None:
    known: dict[Position, Value] = {}
    for position in reachable(Game.parse(name)):
        assert value(position) == slow_value(position, known), position


@pytest.mark.parametrize(("misere", "counts"), [(False, (2836, 1574, 1068)), (True, (3054, 1444, 980))])
def test_3x3_values_are_counted_as_known(misere: bool, counts: tuple[int, ...]) -> None:
    outcomes = Counter(value(position).outcome for position in reachable(Game(misere=misere)))  # type: ignore[union-attr]
    assert (outcomes["win"], outcomes["loss"], outcomes["tie"]) == counts


@pytest.mark.parametrize("name", ["3x3k3", "3x3k3m", "2x5k3"])
def test_a_position_is_worth_its_best_move(name: str) -> None:
    for position in reachable(Game.parse(name)):
        values = move_values(position)
        assert list(values) == position.moves()
        if values:
            assert value(position) == max(values.values())  # type: ignore[type-var]
        for cell, worth in values.items():
            after = value(position.play(cell))
            assert worth is not None
            assert after is not None
            assert worth.remoteness == after.remoteness + 1


def test_known_first_moves() -> None:
    assert value(Game().start()) == Value("tie", 9)
    assert value(Game(3, 4, 3).start()) == Value("win", 7)
    assert value(Game(1, 1, 1).start()) == Value("win", 1)
    assert value(Game(1, 1, 1, misere=True).start()) == Value("loss", 1)
    assert value(Game(misere=True).start()) == Value("tie", 9)


def test_what_is_finished_has_its_value_on_any_board() -> None:
    row = "X" * 5 + "." * 5
    other = "OO.OO" + "." * 5
    won = Position.parse("10x10k5:" + "/".join([row, other] + ["." * 10] * 8))
    assert value(won) == Value("loss", 0)
    assert move_values(won) == {}


def test_unknown_is_none_and_never_a_draw() -> None:
    start = Game(5, 5, 4).start()
    assert start.game.cells > MAX_FREE
    assert value(start) is None
    assert set(move_values(start).values()) == {None}


def test_a_large_board_is_solved_once_few_cells_are_free() -> None:
    nearly_full = Position.parse("5x5k5:XOXOX/OXOXO/OXOXO/XOXOX/X....")
    assert value(nearly_full) == Value("tie", 4)
    column = Position.parse("5x5k5:XOXOX/XOXOO/XOOXX/XXOXO/.O.O.")
    assert move_values(column)[20] == Value("win", 1)


@pytest.mark.parametrize("name", ["3x3k3", "3x3k3m", "3x3k2", "2x5k3", "2x5k3m", "1x7k3", "3x3k1", "3x3k1m"])
def test_two_plies_of_looking_ahead_prove_only_what_is_so(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "supports", lambda position: False)
    look = Lookahead()
    for position in reachable(Game.parse(name)):
        if position.is_over:
            continue
        short, exact = look.verdict(position).value, plain.value(position)
        assert short in (None, exact), position
        if not position.game.misere:
            assert (short is None) is (exact not in (Value("win", 1), Value("loss", 2)))
        for cell, verdict in look.moves(position).items():
            assert verdict.value == plain.value(position.play(cell)).for_mover(), (position, cell)
            if verdict.line:  # the answer that shows it
                assert position.play(cell).play(verdict.line[0]).winner is position.turn.other


def test_a_threat_on_a_large_board_is_seen() -> None:
    rows = ["." * 15] * 11
    four = Position.parse("15x15k5:" + "/".join(["XXXX" + "." * 11, "OOO" + "." * 12, "O" + "." * 14, "." * 15, *rows]))
    assert four.turn.value == "X"
    assert value(four) == Value("win", 1)
    assert best_moves(four) == [4]
    double = Position.parse("15x15k5:" + "/".join([".XXXX" + "." * 10, "OOO" + "." * 12, *["." * 15] * 13]))
    assert value(double) == Value("loss", 2)
    assert len(best_moves(double)) == len(double.moves())


def test_the_plain_solver_forgets_what_it_cannot_hold_and_is_right_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plain, "MAX_KNOWN", 100)
    game = Game(2, 4, 3)
    solver = plain._Solver(game.rule.playable, game.rule.has_line, completing_wins=True)
    monkeypatch.setattr(plain._Solver, "of", lambda _: solver)
    truth: dict[Position, Value] = {}
    for position in reachable(game):
        assert plain.value(position) == slow_value(position, truth)
        assert len(solver.known) <= 100


values = st.builds(Value, st.sampled_from(["win", "tie", "loss"]), st.integers(0, 30))


@given(values, values)
def test_values_are_ordered_quick_wins_first_slow_losses_last(a: Value, b: Value) -> None:
    assert (a < b) + (a > b) + (a == b) == 1
    assert (a <= b, a >= b) == (a < b or a == b, a > b or a == b)
    rank = {"loss": 0, "tie": 1, "win": 2}
    if a.outcome != b.outcome:
        assert (a < b) is (rank[a.outcome] < rank[b.outcome])
    elif a.outcome == "win":
        assert (a < b) is (a.remoteness > b.remoteness)
    elif a.outcome == "loss":
        assert (a < b) is (a.remoteness < b.remoteness)


@given(positions(st.sampled_from([Game(), Game(3, 4, 4), Game(2, 6, 3, misere=True)])))
def test_play_by_best_moves_ends_as_foretold(position: Position) -> None:
    foretold = value(position)
    assert foretold is not None
    player, plies = position.turn, 0
    while not position.is_over:
        worth = move_values(position)
        position = position.play(max(worth, key=lambda cell: worth[cell]))  # type: ignore[arg-type, return-value]
        plies += 1
    assert plies == foretold.remoteness
    ending = "tie" if position.winner is None else "win" if position.winner is player else "loss"
    assert ending == foretold.outcome
