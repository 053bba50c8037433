"""What presses: wins, blocks, forks and the answers to forks, for all cells of a board at once.

Built on the sets of `noughts.threats`, not on its lists, because players that look ahead ask thousands of times a move.
"""

from __future__ import annotations

from noughts.rules.game import Bits
from noughts.rules.position import Position
from noughts.threats import completing, each, fork_cells, fork_stops, pressing, without


def forced(position: Position) -> tuple[Bits, int]:
    """Wins, or else blocks, or else forks; and whether that wins (1), loses (-1) or leaves it open (0).

    Who can complete a line wins, and so does who can fork while the other has no threat; who faces two threats loses.

    >>> from noughts import Game
    >>> cells, verdict = forced(Position.parse("X.O/OX./..."))
    >>> Game().cells_of(cells), verdict
    ([8], 1)
    """
    game, empty = position.game, position.playable
    mine, theirs = position.sides
    if not game.rule.completing_wins:
        return 0, 0  # no cell presses where a line loses
    if wins := completing(game, mine, empty):
        return wins, 1
    if blocks := completing(game, theirs, empty):
        return blocks, 0 if blocks.bit_count() == 1 else -1
    if game.gravity:  # a fork wins only if it does not open a cell for the other's win
        their_lines = game.rule.completing(theirs)
        forks = sum(
            cell for cell in each(fork_cells(game, mine, empty)) if not without(game, empty, cell) & their_lines
        )
    else:
        forks = pressing(game, mine, empty)[1]
    return forks, 1 if forks else 0


def urgent(position: Position) -> tuple[Bits, int]:
    """What `forced` gives, or else the answers to the opponent's forks; who faces forks and has no answer loses."""
    cells, verdict = forced(position)
    if cells:
        return cells, verdict
    answers = defences(position)
    return (0, 0) if answers is None else (answers, 0 if answers else -1)


def defences(position: Position) -> Bits | None:
    """Where nothing is forced: the answers to the opponent's forks. None if there is no fork to answer.

    An answer either leaves no fork, or makes a threat and with it gains time; but then the forced reply must not itself
    make two threats. Every other move loses to a fork; where the set is empty, all do.

    >>> from noughts import Game
    >>> Game().cells_of(defences(Position.parse("X../.O./..X")))
    [1, 3, 5, 7]
    """
    game, empty = position.game, position.playable
    mine, theirs = position.sides
    if game.gravity:
        answers = sum(1 << cell for cell in position.moves() if forced(position.play(cell))[1] != 1)
        return None if answers == empty else answers
    _, forks = pressing(game, theirs, empty)
    if not forks:
        return None
    answers = fork_stops(game, theirs, forks, empty)
    presses, doubtful = pressing(game, mine, empty)[0], 0
    for fork in each(forks & presses):  # the reply to a threat made from these would be a fork
        doubtful |= completing(game, mine | fork, empty)
    answers |= presses & ~doubtful
    for cell in each(presses & doubtful):
        reply = completing(game, mine | cell, empty)
        if completing(game, theirs | reply, empty & ~cell).bit_count() < 2:
            answers |= cell
    return answers
