"""The plain solver: every position once, remembered. The definition of right for all the faster ones.

A score is one int for the player to move, larger is better: WON - plies for a win, 0 for a tie, plies - WON
for a loss. A move turns the opponent's score s into -s, one ply nearer to 0.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from noughts.rules.game import MANY, Bits, Game
from noughts.rules.marks import X
from noughts.rules.position import Position
from noughts.rules.value import Value

MAX_FREE = 12  # about half a second
MAX_KNOWN = 1_000_000
WON = 100_000  # more than any game has plies


def supports(position: Position) -> bool:
    """Are few enough cells free that Python solves it while someone waits?"""
    few = position.empty.bit_count() <= MAX_FREE and not (position.game.gravity and position.game.cells > MANY)
    return position.is_over or few


def value(position: Position) -> Value:
    """The exact value for the player to move."""
    game = position.game
    if position.is_over:
        return position.final_value
    if game.cells <= MANY:
        score = _Solver.of(game).score(*position.sides)
    else:
        few = _Few.of(position)
        score = few.solver.score(*few.sides(position))
    if score == 0:
        return Value("tie", position.empty.bit_count())
    return Value("win", WON - score) if score > 0 else Value("loss", WON + score)


class _Solver:
    """The scores of one game, by the sets of the player to move and of the other."""

    def __init__(
        self, playable: Callable[[Bits], Bits], has_line: Callable[[Bits], bool], completing_wins: bool
    ) -> None:
        self.playable = playable  # the cells that may be played while these are taken
        self.has_line = has_line
        self.completed = WON if completing_wins else -WON  # what completing a line is worth to the one who does it
        self.known: dict[tuple[Bits, Bits], int] = {}

    @staticmethod
    @lru_cache(maxsize=8)
    def of(game: Game) -> _Solver:
        return _Solver(game.rule.playable, game.rule.has_line, game.rule.completing_wins)

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
        free = self.playable(mine | theirs)
        best = -2 * WON if free else 0
        while free:
            move = free & -free
            free ^= move
            after = mine | move
            best = max(best, self.completed if self.has_line(after) else -self.score(theirs, after))
        return best - (best > 0) + (best < 0)


class _Few:
    """The few free cells of a large board, as a game of their own: thousands of its sets would fill the memory.

    free cells of the board      a  b  c
    X's sets of them             0  1  2        bits
    O's                          0  1  2  3     the last is always set: what completes a line differs from X's
    """

    recent: tuple[_Few, ...] = ()  # the positions after one share its scores

    def __init__(self, position: Position) -> None:
        game, self.game, self.x, self.o = position.game, position.game, position.x, position.o
        self.bits = [1 << cell for cell in position.moves()]
        self.flag = 1 << len(self.bits)
        complete: set[Bits] = set()
        for own, flag in ((self.x, 0), (self.o, self.flag)):
            for line, beside in {
                (self.few(line), self.few(beside)) for line, beside in game.rule.open_lines(own, position.empty)
            }:
                others = self.flag - 1 & ~(line | beside)
                more = others
                while True:  # every set of the other cells, the empty one last
                    complete.add(line | more | flag)
                    if not more:
                        break
                    more = more - 1 & others
        self.solver = _Solver(self.free, complete.__contains__, game.rule.completing_wins)

    @staticmethod
    def of(position: Position) -> _Few:
        """One that holds the scores of this position."""
        for few in _Few.recent:
            if few.game == position.game and not (few.x & ~position.x or few.o & ~position.o):
                return few
        few = _Few(position)
        _Few.recent = (few, *_Few.recent[:3])
        return few

    def free(self, taken: Bits) -> Bits:
        """The cells that are left while these are taken; the flag of O's sets is none."""
        return self.flag - 1 & ~taken

    def few(self, cells: Bits) -> Bits:
        """Which of the free cells these are, as bits."""
        return sum(1 << number for number, bit in enumerate(self.bits) if cells & bit)

    def sides(self, position: Position) -> tuple[Bits, Bits]:
        """The sets of the player to move, and of the other."""
        x, o = self.few(position.x), self.few(position.o) | self.flag
        return (x, o) if position.turn is X else (o, x)
