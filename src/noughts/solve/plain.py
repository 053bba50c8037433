"""The plain solver: every position once, remembered. The definition of right for all the faster ones.

A score is one int for the player to move, larger is better: WON - plies for a win, 0 for a tie, plies - WON
for a loss. A move turns the opponent's score s into -s, one ply nearer to 0.
"""

from __future__ import annotations

from functools import lru_cache

from noughts.game import Bits, Game
from noughts.position import Position
from noughts.solve.value import Value

MAX_FREE = 12  # about half a second
MAX_KNOWN = 1_000_000
WON = 100_000  # more than any game has plies


def supports(position: Position) -> bool:
    """Are few enough cells free that Python solves it while someone waits?"""
    return position.is_over or position.empty.bit_count() <= MAX_FREE


def value(position: Position) -> Value:
    """The exact value for the player to move."""
    game = position.game
    if position.is_over:
        return finished_value(position)
    mine, theirs = position.sides
    score = _Solver.of(game).score(mine, theirs)
    if score == 0:
        return Value("tie", position.empty.bit_count())
    return Value("win", WON - score) if score > 0 else Value("loss", WON + score)


def finished_value(position: Position) -> Value:
    """The value of a position whose game is over: nothing is left to play."""
    if position.winner is None:
        return Value("tie", 0)
    return Value("win" if position.game.misere else "loss", 0)


class _Solver:
    """The scores of one game, by the sets of the player to move and of the other."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.completed = -WON if game.misere else WON  # what completing a line is worth to the one who does it
        self.known: dict[tuple[Bits, Bits], int] = {}

    @staticmethod
    @lru_cache(maxsize=8)
    def of(game: Game) -> _Solver:
        return _Solver(game)

    def score(self, mine: Bits, theirs: Bits) -> int:
        """The score of a position in which nobody has a line."""
        score = self.known.get((mine, theirs))
        if score is None:
            score = self._best(mine, theirs)
            if len(self.known) == MAX_KNOWN:
                self.known.clear()
            self.known[mine, theirs] = score
        return score

    def _best(self, mine: Bits, theirs: Bits) -> int:
        free = self.game.full & ~(mine | theirs)
        best = -2 * WON if free else 0
        while free:
            move = free & -free
            free ^= move
            after = mine | move
            best = max(best, self.completed if self.game.has_line(after) else -self.score(theirs, after))
        return best - (best > 0) + (best < 0)
