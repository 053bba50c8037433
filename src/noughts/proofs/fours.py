"""A win by fours: every move of the attacker leaves a line that lacks one cell, so that each answer is forced.

With five in a row such a line is called a four; the name is kept for every k. As long as the attacker makes fours, the
other has one answer each time, on the cell that the line lacks, and the search is for a sequence rather than for a
strategy: of all that the attacker can do, one four after another, does one end in a line, or in a four that lacks two
cells at once? The other may make a four by an answer. Then the attacker's next move must be on the cell which that one
lacks, and make a four itself.

    . X X X . .      X plays e1, which makes a four that lacks a1 as well as f1: one of them stays
    a b c d e f

The shortest such win is found, or that there is none, or neither within the budget of nodes. `search` asks the native
core; `search_plainly` is its twin and says what is right.
"""

from __future__ import annotations

from dataclasses import dataclass

from noughts.native import handle
from noughts.rules.game import Bits, Cell, Game
from noughts.rules.position import Position
from noughts.words import some, whole

MAX_SIDE = 32
NODES = 100_000  # of one question, natively: some hundredths of a second
MOST = 1 << 62  # that can be asked for
FOREVER = 1e9  # seconds
NEVER = 1 << 16  # more moves than there are
FEWEST = 3  # in a row: with two, every mark would be a four


@dataclass(frozen=True)
class Fours:
    """What the search found: the moves of the win, both players', the attacker's first and last; or none."""

    line: tuple[Cell, ...]
    complete: bool  # is it sure that there is no (shorter) one? Else the budget ended
    nodes: int  # positions with the attacker to move

    @property
    def wins(self) -> bool:
        """Does the attacker win by fours?"""
        return bool(self.line)


def refusal(game: Game, fewest: int = FEWEST) -> str | None:
    """Why this reasoning, which takes so many in a row and more, does not take a game; None if it does.

    >>> refusal(Game(6, 7, 4, gravity=True))
    'it does not know gravity, where a mark falls to the lowest free cell of its column'
    """
    if why := game.rule.refusal(["gravity", "misere"]):
        return why
    if max(game.rows, game.columns) > MAX_SIDE:
        return f"it takes boards of up to {MAX_SIDE} x {MAX_SIDE}, and {game} is larger"
    if game.k < fewest:
        return f"it takes {fewest} in a row and more"
    return None


def search(position: Position, nodes: int = NODES, *, seconds: float = FOREVER, passed: bool = False) -> Fours:
    """The shortest win by fours of the player to move; with `passed`, of the other, as if the one to move had passed.

    It ends after so many nodes, and natively after so many seconds.

    >>> found = search(Position.parse("1x7k4:..XXOO."))
    >>> found.line, found.complete
    ((), True)
    >>> search(Position.parse("5x5k4:...../.XX../.OO../...../.....")).line
    (8, 5, 9)
    """
    if why := refusal(position.game):
        raise ValueError(f"a win by fours is not looked for on {position.game}: {why}")
    nodes, seconds = whole("nodes", nodes, 1, MOST), some("seconds", seconds, FOREVER)
    mine, theirs = position.sides
    if passed:
        mine, theirs = theirs, mine
    native = handle(position.game)
    if position.is_over:
        return Fours((), True, 0)
    if native is None:
        return search_plainly(position.game, mine, theirs, nodes)
    cells = position.game.cells_of
    line, complete, looked_at = native.fours(cells(mine), cells(theirs), nodes, seconds)
    return Fours(tuple(line), complete, looked_at)


def search_plainly(game: Game, mine: Bits, theirs: Bits, nodes: int) -> Fours:
    """The plain twin of the native search: the shortest win first, its moves tried in ascending order."""
    return Plain(game).ask(mine, theirs, nodes)


class _Spent(Exception):
    """So many nodes were allowed."""


class Plain:
    """The plain search for many questions of one game and attacker: what was found lost stays known."""

    def __init__(self, game: Game) -> None:
        """Begin with nothing known."""
        self.game, self.limit, self.nodes = game, 0, 0
        self.cut = False  # was anything left out because it takes more moves?
        self.lost: dict[tuple[Bits, Bits], int] = {}  # where so many moves are not enough, or no number is

    def ask(self, mine: Bits, theirs: Bits, nodes: int, most: int = NEVER) -> Fours:
        """The shortest win within so many nodes, of at most so many moves of the attacker."""
        self.nodes, self.limit = 0, nodes
        try:
            for moves in range(1, min(self.game.cells, most) + 1):
                self.cut = False
                if line := self.win(mine, theirs, moves):
                    return Fours(line, True, self.nodes)
                if not self.cut:
                    break
        except _Spent:
            return Fours((), False, self.nodes)
        return Fours((), True, self.nodes)

    def win(self, mine: Bits, theirs: Bits, moves: int) -> tuple[Cell, ...]:
        """The first sequence that wins with so many moves of the attacker, who is to move."""
        if self.nodes == self.limit:
            raise _Spent
        self.nodes += 1
        free = self.game.full & ~(mine | theirs)
        if done := self.game.rule.completing(mine) & free:
            return (_lowest(done),)
        must = self.game.rule.completing(theirs) & free
        if must & must - 1:
            return ()
        makers = [cell for cell in self.game.cells_of(must or free) if self._lacks(mine | 1 << cell, free ^ 1 << cell)]
        if moves == 1:
            self.cut |= bool(makers)
            return ()
        known = self.lost.get((mine, theirs), 0)
        if known >= moves:
            self.cut |= known < NEVER
            return ()
        before, self.cut = self.cut, False
        for cell in makers:
            after = mine | 1 << cell
            answer = _lowest(self._lacks(after, free ^ 1 << cell))
            if rest := self.win(after, theirs | 1 << answer, moves - 1):
                return (cell, answer, *rest)
        self.lost[mine, theirs] = moves if self.cut else NEVER
        self.cut |= before
        return ()

    def _lacks(self, mine: Bits, free: Bits) -> Bits:
        """The free cells that complete a line."""
        return self.game.rule.completing(mine) & free


def _lowest(cells: Bits) -> Cell:
    return (cells & -cells).bit_length() - 1
