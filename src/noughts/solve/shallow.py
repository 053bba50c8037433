"""What two plies of looking ahead prove on a board of any size, by the cells that complete a line.

Who can complete a line wins at once; who faces two such cells, or plays elsewhere than on the only one, loses in
two. In misere completing a line loses at once. Everything else is unknown.

All of it comes from sets of cells: on the largest board there are 65,536 moves, and none of them is tried.
"""

from __future__ import annotations

from noughts.game import Bits, Cell
from noughts.position import Position
from noughts.solve.value import Value


def value(position: Position) -> Value | None:
    """The value of an ongoing position as far as two plies show it."""
    mine, theirs = completing(position)
    if position.game.misere:
        return Value("loss", 1) if mine == position.empty else None
    if mine:
        return Value("win", 1)
    return Value("loss", 2) if theirs.bit_count() > 1 else None


def move_values(position: Position) -> dict[Cell, Value | None]:
    """The value of each move, as far as two plies show it."""
    game = position.game
    mine, theirs = completing(position)
    threats = 0 if game.misere else theirs
    values: dict[Cell, Value | None] = dict.fromkeys(position.moves(), Value("loss", 2) if threats else None)
    if threats.bit_count() == 1:
        values.update(dict.fromkeys(game.cells_of(threats)))
    values.update(dict.fromkeys(game.cells_of(mine), Value("loss" if game.misere else "win", 1)))
    return values


def refutations(position: Position) -> dict[Cell, list[Cell]]:
    """For each move that lets a win go and loses in two: the cell on which the opponent then completes a line.

    Of several it is the first on which the mover would complete one next, or else the first.
    """
    game = position.game
    mine, theirs = completing(position)
    if game.misere or not mine or not theirs:
        return {}
    own = position.sides[0]
    wins = game.cells_of(theirs)
    slips = position.empty & ~mine
    answers: dict[Cell, Cell] = {}
    for win in wins:
        bit = game.bit(win)
        both = slips & ~bit  # the moves after which the mover, too, could complete a line there
        if not mine & bit:
            both &= game.completing(own | bit)
        answers.update(dict.fromkeys(game.cells_of(both), win))
        slips &= ~both
        if not slips:
            break
    for cell in game.cells_of(slips):
        others = [win for win in wins[:2] if win != cell]
        if others:  # it did not block the only threat
            answers[cell] = others[0]
    return {cell: [answers[cell]] for cell in sorted(answers)}


def completing(position: Position) -> tuple[Bits, Bits]:
    """The free cells on which the player to move, and the other, would complete a line."""
    mine, theirs = position.sides
    complete, empty = position.game.completing, position.empty
    return complete(mine) & empty, complete(theirs) & empty
