"""Explanations: every word follows from the rules or from exact values, on every reachable position."""

from __future__ import annotations

import random

import pytest
from conftest import reachable

from noughts import Game, IllegalMove, Mark, Position, Status, Verdict, move_values, value
from noughts.account import review
from noughts.explain import best_line, reasons, refutations, sentence
from noughts.proofs import judge

GAMES = [Game(), Game(misere=True), Game(2, 4, 3), Game(3, 3, 2)]


def ending(position: Position, player: Mark) -> str:
    if position.winner is None:
        return "tie"
    return "win" if position.winner is player else "loss"


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_words_about_lines_are_true(game: Game) -> None:
    for position in reachable(game):
        said = reasons(judge(position))
        assert list(said) == position.moves()
        own, other = (position.x, position.o) if position.turn is Mark.X else (position.o, position.x)
        for cell, words in said.items():
            completes = any(word.startswith("completes a line") for word in words)
            assert completes is game.rule.has_line(own | (1 << cell))
            assert completes is (position.play(cell).status not in (Status.ONGOING, Status.DRAW))
            blocks = "blocks a line" in words or "takes a cell where the opponent would lose" in words
            assert blocks is game.rule.has_line(other | (1 << cell))


def test_words_about_forks_are_true() -> None:
    game = Game()

    def wins(own: int, position: Position) -> list[int]:
        return [cell for cell in position.moves() if game.rule.has_line(own | (1 << cell))]

    for position in reachable(game):
        own = position.x if position.turn is Mark.X else position.o
        for cell, words in reasons(judge(position)).items():
            after = position.play(cell)
            can_win = bool(wins(own, position))
            assert ("makes a fork" in words) is (not can_win and len(wins(own | (1 << cell), after)) > 1)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_words_about_values_are_true(game: Game) -> None:
    for position in reachable(game):
        best, values = value(position), move_values(position)
        assert best is not None
        outcomes = {cell: worth.outcome for cell, worth in values.items() if worth}
        keeping = [cell for cell, outcome in outcomes.items() if outcome == best.outcome]
        for cell, words in reasons(judge(position)).items():
            assert (f"throws away the {best.outcome}" in words) is (cell not in keeping)
            only = "only winning move" in words or "only move that does not lose" in words
            assert only is (keeping == [cell] and len(outcomes) > 1)
            if only:
                assert best.outcome != "loss"


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_refutations_are_given_exactly_for_slips_and_replay_to_the_foretold_end(game: Game, step: int) -> None:
    for position in reachable(game)[::step]:
        values = move_values(position)
        best = value(position)
        lines = refutations(judge(position))
        assert set(lines) == {
            cell for cell, worth in values.items() if worth and best and worth.outcome != best.outcome
        }
        for cell, line in lines.items():
            after = position.play(cell)
            for reply in line:
                after = after.play(reply)
            worth = values[cell]
            assert worth is not None
            assert after.is_over
            assert ending(after, position.turn) == worth.outcome
            assert len(line) == worth.remoteness - 1


def test_a_best_line_is_as_long_as_the_remoteness() -> None:
    for position in reachable(Game()):
        worth = value(position)
        assert worth is not None
        assert len(best_line(judge(position))) == worth.remoteness


def test_where_the_value_is_unknown_nothing_is_said_of_it() -> None:
    position = Game(15, 15, 5).start().play("h8")
    values = move_values(position)
    assert set(values.values()) == {None}
    assert not any(reasons(judge(position)).values())
    assert refutations(judge(position)) == {}
    assert best_line(judge(position)) == []


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (Verdict(), "X to move. Who wins here is unknown: there are too many games to try them all."),
        (Verdict("tie"), "X to move, and X cannot lose. Whether X can win is unknown"),
        (Verdict(at_most="tie"), "X to move, and X cannot win. Whether O can win is unknown"),
        (Verdict("tie", "tie"), "X to move. If nobody slips, it will be a draw."),
        (Verdict("win", "win"), "X to move, and X can force a win."),
        (Verdict("loss", "loss", within=8), "X to move, and O can force a win within 8 moves, counting both sides."),
        (Verdict("loss", "loss", 2, 2), "X to move, and O can force a win in 2 moves, counting both sides."),
        (Verdict("win", "win", 1, 1), "X to move, and X wins at once."),
    ],
)
def test_every_verdict_is_said_in_a_sentence(known: Verdict, said: str) -> None:
    assert sentence(Game().start(), known).startswith(said)


def test_the_centre_is_named_where_there_is_one() -> None:
    for name, centre in (
        ("3x3k3", 4),
        ("15x15k5", 112),
        ("4x4k4", None),
        ("3x4k3", None),
        ("1x5k3", 2),
        ("1x1k1", None),
        ("3x3k3g", None),  # a mark falls to b1
        ("1x5k3g", 2),
    ):
        start = Game.parse(name).start()
        said = reasons(judge(start))
        assert [cell for cell, words in said.items() if "takes the centre" in words] == (
            [] if centre is None else [centre]
        )


@pytest.mark.parametrize("game", [Game(), Game(misere=True), Game(3, 4, 3)], ids=str)
def test_a_review_finds_every_slip_and_what_would_have_kept_the_value(game: Game) -> None:
    rng = random.Random(7)
    for _ in range(40):
        position, moves = game.start(), []
        while not position.is_over:
            moves.append(rng.choice(position.moves()))
            position = position.play(moves[-1])
        account = review(game.start(), moves)
        assert [judgement.cell for judgement in account] == moves
        for judgement in account:
            best, got = value(judgement.position), move_values(judgement.position)[judgement.cell]
            assert best is not None
            assert (judgement.best.value, judgement.got.value) == (best, got)
            assert judgement.slipped is (got is not None and got.outcome != best.outcome)
            kept = [
                c for c, worth in move_values(judgement.position).items() if worth and worth.outcome == best.outcome
            ]
            assert judgement.keeping == (tuple(kept) if judgement.slipped else ())


def test_a_review_of_a_large_board_says_unknown() -> None:
    account = review(Game(15, 15, 5).start(), ["h8", "h9"])
    assert [str(judgement) for judgement in account] == ["X h8: unknown", "O h9: unknown"]


def test_a_game_that_does_not_replay_is_refused_by_its_move() -> None:
    with pytest.raises(IllegalMove, match="move 3 does not replay: b2 is taken by X"):
        review(Game().start(), ["b2", "a1", "b2"])
    with pytest.raises(IllegalMove, match="move 2 does not replay: d4 is not on the board"):
        review(Game().start(), ["b2", "d4"])
    with pytest.raises(IllegalMove, match=r"move 6 does not replay: .* the game is over"):
        review(Game().start(), ["a1", "a2", "b1", "b2", "c1", "c2"])
