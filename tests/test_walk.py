"""A proof to walk through: whoever replies what, the winner wins, and the holder holds; and where a game was lost."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from noughts import Game, Mark, Position
from noughts.account import review
from noughts.progress import Progress
from noughts.proofs.prove import InvalidProof, prove
from noughts.rules.position import replay
from noughts.walk import MAX_SECONDS, Claimed, ProofShown, show, showing

GOMOKU = Game(15, 15, 5)
LOST = "h8 h9 g7 a1 i9 o15 j10 f6 k11"  # O left an open three
MISSED = "h8 h9 g7 a1 i9 o15 a3 j10 c3 n1 d3 n3 e3 n5 b3"  # X does not use the open three, and wins all the same


def positions(name: str, marks: int, number: int, seed: int) -> Iterator[Position]:
    game, source = Game.parse(name), random.Random(seed)
    found = 0
    while found < number:
        position = game.start()
        while position.marks < marks and not position.is_over:
            position = position.play(source.choice(position.moves()))
        if not position.is_over:
            found += 1
            yield position


def walked(position: Position, claim: Claimed, source: random.Random, first: int | None = None) -> Position:
    """The end of a game in which the loser replies at random, and the winner as the strategy says."""
    number, plies = 0, 0
    while True:
        step = claim.steps[number]
        if step.cell is not None:
            position = position.play(step.cell)
            plies += 1
        if step.idle is None:
            assert tuple(sorted(step.line)) in [tuple(sorted(line)) for line in position.lines()]
            assert claim.most is not None
            assert plies <= claim.most
            return position
        assert not position.is_over
        named = [cell for cell in step.replies if position.empty >> cell & 1]
        reply = (
            first
            if first is not None
            else source.choice(named if named and source.random() < 0.7 else position.moves())
        )
        first = None
        position, plies = position.play(reply), plies + 1
        number = step.replies.get(reply, step.idle)


@pytest.mark.parametrize(("name", "marks"), [("9x9k5", 12), ("6x6k4", 6), ("6x6k4", 7), ("9x9k5e", 14)])
def test_every_reply_to_a_win_is_answered(name: str, marks: int) -> None:
    source, seen = random.Random(5), 0
    for position in positions(name, marks, 15, 6):
        for claim in show(position).claims:
            if claim.what != "wins" or not claim.steps:
                continue
            seen += 1
            begins = position if claim.steps[0].cell is None else position.play(claim.steps[0].cell)
            for first in begins.moves() if claim.steps[0].idle is not None else [None]:
                assert walked(position, claim, source, first).winner is claim.side
    assert seen > 1


@pytest.mark.parametrize(("name", "marks"), [("6x6k5", 1), ("6x6k5", 4), ("5x5k4", 9), ("9x9k9", 3)])
def test_pairs_hold_whatever_the_other_plays(name: str, marks: int) -> None:
    source, seen = random.Random(7), 0
    for position in positions(name, marks, 12, 8):
        for claim in show(position).claims:
            if claim.what != "holds":
                continue
            seen += 1
            partner = dict([*claim.pairs, *(pair[::-1] for pair in claim.pairs)])
            now, answer = position, claim.first
            while not now.is_over:
                if now.turn is claim.side:
                    cell = answer if answer is not None and now.empty >> answer & 1 else source.choice(now.moves())
                    if cell != answer and cell in partner:
                        partner.pop(partner.pop(cell))  # taken without need: that pair is done with
                else:
                    cell = source.choice(now.moves())
                    answer = partner.get(cell)
                now = now.play(cell)
            assert now.winner is not claim.side.other
    assert seen > 3


def test_what_is_proven_is_said() -> None:
    won = show(Position.parse("7x8k5:......../..O...../..XXX.../..O...../....O.../......../........"))
    assert won.sentence == "X wins by force within 3 moves, counting both sides: every reply is answered."
    held = show(Position.parse("6x6k5:....../....../..X.../....../....../......"))
    assert [claim.text.partition(":")[0] for claim in held.claims] == ["X cannot lose here", "O cannot lose here"]
    assert show(GOMOKU.start()).claims[0].text.startswith("X cannot lose here: a win of O's could be stolen")
    assert show(GOMOKU.start().play("h8")).sentence.startswith("Nothing is proven here within ")


def test_a_lost_position_begins_with_the_others_reply() -> None:
    [claim] = show(
        replay(
            GOMOKU.start(),
            ["h8", "i9", "g9", "i7", "i8", "g8", "h7", "h9", "j7", "f10", "h10", "h6", "j9", "k8", "j10"],
        )[-1]
    ).claims
    assert (claim.side, claim.what, claim.steps[0].cell, claim.steps[0].does) == (Mark.X, "wins", None, "O is to move")


def test_what_a_search_of_the_whole_game_proves_is_said_too() -> None:
    [stolen, held] = ProofShown(prove(Game(4, 4, 4), nodes=50_000)).claims
    assert (stolen.side, stolen.what, held.side, held.what, held.steps) == (Mark.X, "stealing", Mark.O, "holds", ())
    assert held.text == "O cannot lose here: a search of the whole game has an answer to all that X can do"
    assert held.size == 1  # its lines weigh too little


def test_a_longer_look_tells_how_far_it_is() -> None:
    position = replay(GOMOKU.start(), LOST.split()[:6])[-1]
    work, told = showing(position, 5), list[Progress]()
    try:
        while True:
            told.append(next(work))
    except StopIteration as end:
        found = end.value
    assert told
    assert all(event.done > 0 for event in told)
    assert found.claims == show(position).claims


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), MAX_SECONDS + 1])
def test_a_look_of_absurd_length_is_refused(seconds: float) -> None:
    with pytest.raises(InvalidProof, match="seconds must be more than 0"):
        next(showing(GOMOKU.start(), seconds))


# Where a game was lost


def test_a_lost_game_tells_from_which_move_on_it_is_proven_lost() -> None:
    found = review(GOMOKU.start(), LOST.split())
    assert found.lost_from
    assert (found.lost_from.judged.number, found.lost_from.judged.move) == (6, "o15")
    assert [each.outcome for each in found.history] == ["unknown"] * 6 + ["x_wins"] * 4
    assert found.history[0].x_at_least == "tie"  # X could steal a win of O's
    assert found.summary == (
        "From O's o15 (move 6) on the game was lost: that X could force the win is proven. "
        "Before that move nobody's win is proven."
    )
    open_moves = found.lost_from.sentences[1]
    assert open_moves == "Whether O was lost before is open: j10 and f6 are not known to lose."
    assert review(GOMOKU.start(), LOST.split(), "O").summary.startswith("From your o15 (move 6) on")


def test_what_the_game_itself_shows_counts() -> None:
    """Whoever makes a move after which they win had a win before it, whether or not it was seen."""
    for position in positions("6x6k4", 9, 8, 9):
        source, moves, now = random.Random(position.code), list[int](), position
        while not now.is_over and len(moves) < 6:
            moves.append(source.choice(now.moves()))
            now = now.play(moves[-1])
        found = review(position, moves)
        for number, judged in enumerate(found.moves):
            if judged.got.at_least == "win":
                assert found.verdicts[number].at_least == "win"
        if found.lost_from:
            number = found.lost_from.judged.number
            assert {each.outcome for each in found.history[number:]} == {found.history[-1].outcome}
            assert found.history[number - 1].outcome != found.history[-1].outcome
            assert not found.moves[number - 1].slipped
            assert found.lost_from.judged.cell not in found.lost_from.judged.keeping
        assert all(slip.keeping for slip in found.slips)


def test_a_win_that_was_had_and_lost_again_is_told() -> None:
    again = review(GOMOKU.start(), MISSED.split())
    assert [each.outcome for each in again.history[6:]] == ["x_wins", *["unknown"] * 7, "x_wins", "x_wins"]
    assert "After move 6 X had a proven win already; right before n5 nobody's is." in again.summary


def test_a_small_game_is_told_as_before() -> None:
    found = review(Game().start(), ["b2", "b3", "a1", "c3", "a3", "c1", "a2"])
    assert found.lost_from is None
    assert "The move that decided it was O's b3 (move 2)" in found.summary


def test_without_values_a_review_only_replays() -> None:
    found = review(GOMOKU.start(), LOST.split(), values=False)
    assert [judged.move for judged in found] == LOST.split()
    assert not any(verdict.is_known for verdict in found.verdicts)
