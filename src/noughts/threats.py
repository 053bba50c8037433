"""Threats: where somebody would complete a line next, and where they would threaten two at once.

completing moves    empty cells where a mark completes a line at once
winning moves       the same, where that wins; in misere it loses, and nobody has winning moves
blocking moves      where the opponent would win
forks               moves that do not win yet, but leave their player two or more winning moves: no single reply
                    stops them all
fork blocks         moves after which the opponent has no fork left
waiting threats     where marks fall: cells where a mark would complete a line, but none can fall yet; odd or even by
                    their row, counted from the bottom
zugzwang            every move opens a waiting threat of the opponent

In misere completing a line loses. So nothing is won, blocked or forked there, and all of these are empty but
`completing_moves`: the cells to keep away from.

The parity of rows
    If the rest is filled, every cell but c and those above it, who gets c follows from its row alone:

        rows * columns - (cells from c to the top, with c) marks are there, and if that is even, X is next

    With an even number of rows or an odd number of columns X gets the odd rows and O the even ones; with odd rows and
    even columns it is the other way round. A waiting threat is usable if its owner gets it. They never play right below
    it, and take it when the other does. They always have another move: once only the cell below it, it and those above
    are left, it is the other's turn. So if nobody completes a line elsewhere, the owner wins, and a draw is out of the
    question. (Where only exactly k count, a mark of their own beside the line may spoil it on the way.)

Each answers for the player to move, or for the mark that is given, as if it were their turn. The answers come
ascending by cell; there are none when the game is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from noughts.rules.answer import Answer
from noughts.rules.game import Bits, Cell, Game
from noughts.rules.marks import Mark, O, X
from noughts.rules.notation import format_move
from noughts.rules.position import Position
from noughts.words import brief


def completing_moves(position: Position, mark: Mark | None = None) -> list[Cell]:
    """The cells where this mark would complete a line, which wins, or in misere loses.

    >>> completing_moves(Position.parse("XX./OO./..."))
    [2]
    """
    if position.is_over:
        return []
    return position.game.cells_of(completing(position.game, own_cells(position, mark), position.playable))


def winning_moves(position: Position, mark: Mark | None = None) -> list[Cell]:
    """The cells where this mark would win at once.

    >>> winning_moves(Position.parse("XX./OO./..."), Mark.O)
    [5]
    """
    return completing_moves(position, mark) if position.game.rule.completing_wins else []


def blocking_moves(position: Position, mark: Mark | None = None) -> list[Cell]:
    """The cells where this mark would block: where the other would win. One move blocks one of them.

    >>> blocking_moves(Position.parse("XX./OO./..."))
    [5]
    """
    return winning_moves(position, _whose(position, mark).other)


def forks(position: Position, mark: Mark | None = None) -> list[Cell]:
    """The moves that leave this mark two or more cells to win on.

    >>> forks(Position.parse("X../.O./..X"), Mark.X)
    [2, 6]
    """
    return position.game.cells_of(_forks(position, _whose(position, mark)))


def fork_blocks(position: Position, mark: Mark | None = None) -> list[Cell]:
    """The moves after which the other has no fork; none if there is no fork to stop, or no move stops them all.

    >>> fork_blocks(Position.parse(".X./.O./..X"))
    [0, 2, 5]

    Where there is none, two in a row may still do: the other has to answer it instead of forking.

    >>> fork_blocks(Position.parse("X../.O./..X"))
    []
    """
    mark, game = _whose(position, mark), position.game
    others = _forks(position, mark.other)
    if not others:
        return []
    stops = free = position.playable
    theirs = own_cells(position, mark.other)
    wins = completing(game, theirs, free)
    if wins & wins - 1:  # nearly every other cell is a fork; most change nothing, and are looked at as one
        quiet = others & ~pressing(game, theirs, others)[0] & ~spoiling(game, theirs, wins)
        if quiet & quiet - 1:
            stops = wins if wins.bit_count() == 2 else 0
            others ^= quiet
    stops &= fork_stops(game, theirs, others, free)
    return game.cells_of(stops | completing(game, own_cells(position, mark), free))


def _forks(position: Position, mark: Mark) -> Bits:
    """The forks of this mark, as a set."""
    if position.is_over or not position.game.rule.completing_wins:
        return 0
    return fork_cells(position.game, own_cells(position, mark), position.playable)


# Where marks fall


@dataclass(frozen=True)
class Waiting(Answer):
    """A cell where its owner would complete a line, if a mark could fall there.

    >>> [threat] = waiting(Position.parse("6x7k4g:1223343"))
    >>> print(threat)
    d4 is an even threat of X: if the rest is filled, O gets it
    """

    keys = "owner @cell parity gets usable text=__str__"

    game: Game
    cell: Cell
    owner: Mark

    @property
    def parity(self) -> Literal["odd", "even"]:
        """Whether its row is odd or even, counted from the bottom."""
        return "even" if (self.game.rows - self.cell // self.game.columns) % 2 == 0 else "odd"

    @property
    def gets(self) -> Mark:
        """Who gets the cell if the rest is filled first: every cell but it and those above it."""
        marks = self.game.cells - self.cell // self.game.columns - 1
        return O if marks % 2 else X

    @property
    def usable(self) -> bool:
        """Does its owner get it then?"""
        return self.gets is self.owner

    def words(self, verb: str = "is") -> str:
        """What it is, and who gets it."""
        name = format_move(self.game, self.cell)
        return f"{name} {verb} an {self.parity} threat of {self.owner}: if the rest is filled, {self.gets} gets it"

    __str__ = words


def waiting(position: Position) -> tuple[Waiting, ...]:
    """The waiting threats of both players, ascending by cell; a cell may be one of each."""
    game = position.game
    if position.is_over or not game.rule.completing_wins:
        return ()
    later = position.empty & ~position.playable
    sides = ((X, game.rule.completing(position.x)), (O, game.rule.completing(position.o)))
    lines = [(cell, mark) for mark, cells in sides for cell in game.cells_of(cells & later)]
    return tuple(Waiting(game, cell, mark) for cell, mark in sorted(lines, key=lambda each: each[0]))


def zugzwang(position: Position) -> bool:
    """Nobody can complete a line at once, but every move opens a cell where the opponent does: one would rather pass.

    >>> zugzwang(Position.parse("3x3k3g:.O./.X./XOX"))
    True
    """
    game = position.game
    if position.is_over or not game.gravity or not game.rule.completing_wins:
        return False
    mine, theirs = (game.rule.completing(own) for own in position.sides)
    return not (mine | theirs) & position.playable and position.playable & ~(theirs << game.rule.lift) == 0


# On sets of cells


def own_cells(position: Position, mark: Mark | None = None) -> Bits:
    """The cells of this mark, or else of the player to move."""
    return position.x if _whose(position, mark) is X else position.o


def _whose(position: Position, mark: Mark | None) -> Mark:
    """This mark, which a text may name, or else that of the player to move."""
    if mark is None:
        return position.turn
    try:
        return Mark(mark)
    except ValueError:
        raise ValueError(f"{brief(mark)} is not a mark: expected X or O") from None


def completing(game: Game, own: Bits, empty: Bits) -> Bits:
    """The empty cells that complete a line of k with a player's own cells; where marks fall, of those that are open."""
    return game.rule.completing(own) & empty


def fork_cells(game: Game, own: Bits, empty: Bits) -> Bits:
    """The empty cells that complete no line yet, but leave two or more cells that would."""
    wins = completing(game, own, empty)
    others = empty & ~wins
    if game.gravity:  # there are few moves, and each opens another cell
        lines = {bit: completing(game, own | bit, without(game, empty, bit)) for bit in each(others)}
        return sum(bit for bit, cells in lines.items() if cells & cells - 1)
    found = others if wins & wins - 1 else pressing(game, own, others)[0 if wins else 1]
    for cell in game.cells_of(spoiling(game, own, wins) & others):
        bit = 1 << cell
        left = completing(game, own | bit, empty ^ bit)
        found = found | bit if left & left - 1 else found & ~bit
    return found


def each(bits: Bits) -> Iterator[Bits]:
    """The cells of a set, as sets of one."""
    while bits:
        yield bits & -bits
        bits &= bits - 1


def without(game: Game, empty: Bits, bit: Bits) -> Bits:
    """The empty cells after a move on one of them; where marks fall it opens the one above."""
    return empty ^ (bit | bit >> game.rule.lift)


def spoiling(game: Game, own: Bits, wins: Bits) -> Bits:
    """The cells beside the lines that these would complete: where only exactly k count, an own mark there spoils them.

    One mark spoils at most two in each direction. Where there are so many wins that two remain whatever it spoils,
    nothing is worth a look, and there are none.
    """
    found = 0
    if game.rule.exact and wins.bit_count() <= 1 + 2 * len(game.directions):
        for cell in game.cells_of(wins):
            for _, beside in game.rule.open_lines(own | 1 << cell):
                found |= beside
    return found


def fork_stops(game: Game, own: Bits, forks: Bits, empty: Bits) -> Bits:
    """The cells on which the other stops all these forks: each on its cell, or on one of the only two wins it has."""
    if game.gravity:
        return sum(bit for bit in each(empty) if not fork_cells(game, own, without(game, empty, bit)))
    stops = empty
    while forks and stops:
        fork = forks & -forks
        forks ^= fork
        wins = completing(game, own | fork, empty ^ fork)
        stops &= fork | (wins if wins.bit_count() == 2 else 0)
    return stops


def pressing(game: Game, own: Bits, empty: Bits) -> tuple[Bits, Bits]:
    """The cells on which an owner who has no threat would make one or more, and those that make two: the forks.

    All at once, without trying cell after cell. A mark on a makes a threat on b if the line through both is else
    complete. In one direction, with a gap of j steps from a to b:

        a has g own marks right before it, j - 1 right after it;   b has the rest, k - 1 - j - g, right after it

        . X a X b .        k = 4, j = 2, g = 1: nothing is needed after b

    >>> one, two = pressing(Game(), Game().bits_of([0, 8]), Game().bits_of([1, 2, 3, 5, 6, 7]))
    >>> Game().cells_of(one), Game().cells_of(two)
    ([1, 2, 3, 5, 6, 7], [2, 6])
    """
    once = twice = 0
    if own.bit_count() < game.k - 2 or not game.rule.completing_wins:
        return 0, 0
    for direction in game.directions:
        step = game.step(direction)
        before, after = game.rule.beside(own, direction)  # before[g]: the cells with g own ones right before them
        for gap in range(1, game.k):
            rest = game.k - 1 - gap
            cells = 0
            for g in range(rest + 1):
                cells |= before[g] & after[rest - g] >> gap * step
            cells &= after[gap - 1] & empty & empty >> gap * step & game.room(direction, gap)
            for ends in (cells, cells << gap * step):  # a threatens on b, and b on a
                twice |= once & ends
                once |= ends
    return once, twice
