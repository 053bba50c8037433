"""Threats: where somebody would complete a line next, and where they would threaten two at once.

completing moves    empty cells where a mark completes a line at once
winning moves       the same, where that wins; in misere it loses, and nobody has winning moves
blocking moves      where the opponent would win
forks               moves that do not win yet, but leave their player two or more winning moves: no single reply
                    stops them all
fork blocks         moves after which the opponent has no fork left

In misere completing a line loses. So nothing is won, blocked or forked there, and all of these are empty but
`completing_moves`: the cells to keep away from.

Each answers for the player to move, or for the mark that is given, as if it were their turn. The answers come
ascending by cell; there are none when the game is over.
"""

from __future__ import annotations

from noughts.game import Bits, Cell, Game
from noughts.position import Mark, Position, X


def completing_moves(position: Position, mark: Mark | None = None) -> list[Cell]:
    """The cells where this mark would complete a line, which wins, or in misere loses.

    >>> completing_moves(Position.parse("XX./OO./..."))
    [2]
    """
    if position.is_over:
        return []
    return position.game.cells_of(completing(position.game, own_cells(position, mark), position.empty))


def winning_moves(position: Position, mark: Mark | None = None) -> list[Cell]:
    """The cells where this mark would win at once.

    >>> winning_moves(Position.parse("XX./OO./..."), Mark.O)
    [5]
    """
    return [] if position.game.misere else completing_moves(position, mark)


def blocking_moves(position: Position, mark: Mark | None = None) -> list[Cell]:
    """The cells where this mark would block: where the other would win. One move blocks one of them.

    >>> blocking_moves(Position.parse("XX./OO./..."))
    [5]
    """
    return winning_moves(position, (mark or position.turn).other)


def forks(position: Position, mark: Mark | None = None) -> list[Cell]:
    """The moves that leave this mark two or more cells to win on.

    >>> forks(Position.parse("X../.O./..X"), Mark.X)
    [2, 6]
    """
    return sorted(_forks(position, mark or position.turn))


def fork_blocks(position: Position, mark: Mark | None = None) -> list[Cell]:
    """The moves after which the other has no fork; none if there is no fork to stop, or no move stops them all.

    >>> fork_blocks(Position.parse(".X./.O./..X"))
    [0, 2, 5]

    Where there is none, two in a row may still do: the other has to answer it instead of forking.

    >>> fork_blocks(Position.parse("X../.O./..X"))
    []
    """
    mark, game = mark or position.turn, position.game
    others = _forks(position, mark.other)
    if not others:
        return []
    stops = game.full
    for cell, wins in others.items():  # a mark stops a fork on its cell, or on one of the only two wins it has
        stops &= game.bit(cell) | (wins if wins.bit_count() == 2 else 0)
    return game.cells_of(stops | completing(game, own_cells(position, mark), position.empty))


def _forks(position: Position, mark: Mark) -> dict[Cell, Bits]:
    """Each fork of this mark with the cells that it would then win on."""
    game, own, empty = position.game, own_cells(position, mark), position.empty
    if position.is_over or game.misere:
        return {}
    found = {}
    for cell in game.cells_of(empty & ~completing(game, own, empty)):
        bit = game.bit(cell)
        wins = completing(game, own | bit, empty ^ bit)
        if wins & wins - 1:  # two or more
            found[cell] = wins
    return found


# On sets of cells


def own_cells(position: Position, mark: Mark | None = None) -> Bits:
    """The cells of this mark, or else of the player to move."""
    return position.x if (mark or position.turn) is X else position.o


def completing(game: Game, own: Bits, empty: Bits) -> Bits:
    """The empty cells that complete a line of k with a player's own cells."""
    return game.completing(own) & empty
