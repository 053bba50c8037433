"""The reason after a loss, as one sees it on the board: checked against the board itself, game by game."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from noughts import Game
from noughts.account import review
from noughts.rules.notation import format_moves
from noughts.rules.position import Position
from noughts.threats import completing_moves


def games(game: Game, number: int) -> list[list[Position]]:
    random, found = Random(1), []
    while len(found) < number:
        line = [game.start()]
        while not line[-1].is_over:
            line.append(line[-1].play(random.choice(line[-1].moves())))
        if line[-1].winner:
            found.append(line)
    return found


@pytest.mark.parametrize("name", ["3x3k3", "4x4k3", "3x3k3m", "4x4k3g"])
def test_what_is_said_is_so_on_the_board(name: str) -> None:
    game = Game.parse(name)
    kinds = set()
    for line in games(game, 60):
        cells = [after.game.cells_of((after.x | after.o) ^ (p.x | p.o))[0] for p, after in itertools.pairwise(line)]
        told = review(game.start(), cells, values=False).cause or ""
        before, last, end = line[-3], line[-2], line[-1]
        loser = end.winner.other if end.winner else None
        if game.misere:
            assert loser is last.turn
            safe = set(last.moves()) - set(completing_moves(last))
            assert (f"{loser} completed three in a line" in told, "none would have" in told) == (True, bool(safe))
            continue
        theirs = format_moves(game, completing_moves(before, end.winner))
        own = format_moves(game, completing_moves(before, loser))
        assert ("had to be blocked" in told) is (len(theirs) == 1)
        assert ("only one can be blocked" in told) is (len(theirs) > 1)
        assert ("would have won at once" in told) is bool(own)
        if len(theirs) == 1:
            assert f"): {theirs[0]} had to be blocked." in told
        kinds |= {len(theirs) == 1, len(theirs) > 1} if theirs else {None}
    assert game.misere or len(kinds) >= 2


def test_a_child_is_told_the_reason_first() -> None:
    lost = review(Game().start(), ["b2", "a1", "c1", "b1", "a3"], "O")
    assert lost.cause == "X had two in a line (b2 c1): a3 had to be blocked."
    assert lost.summary.startswith(lost.cause)
    misere = review(Game.parse("3x3k3m").start(), ["a1", "b2", "b1", "c3", "c1"], "X")
    assert misere.summary.startswith("You completed three in a line (a1 b1 c1), and here that loses.")
    assert "move 1" not in misere.summary
    drawn = review(Game().start(), ["b2", "a1"], "O")
    assert drawn.cause is None
