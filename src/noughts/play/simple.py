"""Players that ask one question of another part of the house: any move, the best by search, the best by exact value."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from time import monotonic
from typing import ClassVar

from noughts import native
from noughts.play.player import CannotPlay, Choosing, dice
from noughts.proofs import best_moves, value
from noughts.rules.game import Bits, Cell
from noughts.rules.position import Position
from noughts.search import TreeTooLarge, search

TIMES = 40  # as long as the depth before, at most, on large boards
TO_THE_END = 12  # free cells from which minimax and alpha-beta look to the end of every game


class RandomPlayer(Choosing):
    """Any free cell, all equally likely: the two players of the gordon sample program."""

    name = "random"

    def likes(self, position: Position) -> list[Cell]:
        """Every free cell."""
        return position.moves()

    def __call__(self, position: Position) -> Cell:
        # The same chance picks the same cell as from a list, which on a large board would take longer than all else.
        self.require(position)
        free = position.playable
        return member(free, dice(self.seed, position).choice(range(free.bit_count())))


def member(bits: Bits, number: int) -> Cell:
    """The member of a set of cells that has so many before it, by halves.

    >>> [member(0b1011, number) for number in range(3)]
    [0, 1, 3]
    """
    first, cells = 0, bits.bit_length()
    while cells > 1:
        half = cells // 2
        low = bits & (1 << half) - 1
        before = low.bit_count()
        if number < before:
            bits, cells = low, half
        else:
            bits, cells, number, first = bits >> half, cells - half, number - before, first + half
    return first


@dataclass(frozen=True)
class Minimax(Choosing):
    """The best moves by minimax over the evaluation, to a depth or to the end of every game."""

    name: ClassVar[str] = "minimax"
    number: ClassVar[str] = "depth"

    depth: int | None = None
    seconds: float | None = field(default=None, repr=False)  # a move, instead: the depth that it allows

    def objection(self, position: Position) -> str | None:
        """Why it does not play, where the end of the game is too far to look; None if it plays."""
        if self.depth or self.seconds or position.empty.bit_count() <= TO_THE_END:
            return None
        free = position.empty.bit_count()
        return f"the end of every game is too far with {free} cells free: give it a depth, as in {self.name}:3"

    def likes(self, position: Position) -> list[Cell]:
        """The moves of the best score."""
        if self.seconds:
            return self._in_time(position, monotonic() + self.seconds)
        return self._best(position, self.depth)

    def _best(self, position: Position, depth: int | None) -> list[Cell]:
        try:
            # The Python twin remembers positions, which changes no score, or it would take too long.
            return list(search(position, self.name, depth=depth, table=native.core() is None).best)
        except TreeTooLarge as problem:
            raise CannotPlay(f"{self} cannot look so far: {problem}") from None

    def _in_time(self, position: Position, end: float) -> list[Cell]:
        """The best moves of the last depth that was likely to be in time: each takes some times as long as before."""
        free, found, last = position.empty.bit_count(), list[Cell](), 0.0
        for depth in range(1, free + 1):
            began = monotonic()
            if found and began + last * min(free, TIMES) > end:
                break
            try:
                found = self._best(position, depth)
            except CannotPlay:
                if not found:
                    raise
                break
            last = monotonic() - began
        return found


class AlphaBeta(Minimax):
    """The best moves by minimax, found sooner by alpha-beta, which leaves out what cannot matter."""

    name = "alphabeta"


class Perfect(Choosing):
    """The best moves by exact value: the fastest win, the slowest loss."""

    name = "perfect"

    def objection(self, position: Position) -> str | None:
        """Why it does not play: it does not guess, and the exact value is not known. None if it plays."""
        worth = value(position)
        if worth is not None and _best(position):
            return None
        what = "the exact value" if worth is None else "which move is best"
        free = position.empty.bit_count()
        return f"{what} is unknown with {free} cells free, and it does not guess (mcts and level-5 play on)"

    def likes(self, position: Position) -> list[Cell]:
        """The moves of the highest value."""
        return [*_best(position)]


@lru_cache(maxsize=64)
def _best(position: Position) -> tuple[Cell, ...]:
    """The best moves; they are asked for twice, and not looked for twice."""
    return tuple(best_moves(position))
