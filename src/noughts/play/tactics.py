"""What presses: wins, blocks, forks and the answers to forks, for all cells of a board at once.

The same answers as `noughts.threats`, as sets of cells and without trying cell after cell, because players that look
ahead ask thousands of times a move. A mark on a makes a threat on b if the line through both is else complete. In one
direction, with a gap of j steps from a to b:

        a has g own marks right before it, j - 1 right after it;   b has the rest, k - 1 - j - g, right after it

        . X a X b .        k = 4, j = 2, g = 1: nothing is needed after b
"""

from __future__ import annotations

from noughts.game import Bits, Game
from noughts.position import Position, X


def both(position: Position) -> tuple[Bits, Bits]:
    """The cells of the player to move, and of the other."""
    return (position.x, position.o) if position.turn is X else (position.o, position.x)


def threats(game: Game, own: Bits, empty: Bits) -> Bits:
    """The free cells on which their owner would complete a line."""
    return game.completing(own) & empty


def pressing(game: Game, own: Bits, empty: Bits) -> tuple[Bits, Bits]:
    """The cells on which an owner who has no threat would make one or more, and those that make two: the forks.

    >>> one, two = pressing(Game(), Game().bits_of([0, 8]), Game().bits_of([1, 2, 3, 5, 6, 7]))
    >>> Game().cells_of(one), Game().cells_of(two)
    ([1, 2, 3, 5, 6, 7], [2, 6])
    """
    once = twice = 0
    if own.bit_count() < game.k - 2:
        return 0, 0
    for down, right in game.directions:
        step = down * game.stride + right
        before, after = [game.full], [game.full]  # before[g]: the cells with g own ones right before them
        for _ in range(game.k - 2):
            before.append((before[-1] & own) << step)
            after.append((after[-1] & own) >> step)
        for gap in range(1, game.k):
            rest = game.k - 1 - gap
            cells = 0
            for g in range(rest + 1):
                cells |= before[g] & after[rest - g] >> gap * step
            cells &= after[gap - 1] & empty & empty >> gap * step
            for ends in (cells, cells << gap * step):  # a threatens on b, and b on a
                twice |= once & ends
                once |= ends
    return once, twice


def forced(position: Position) -> tuple[Bits, int]:
    """Wins, or else blocks, or else forks; and whether that wins (1), loses (-1) or leaves it open (0).

    Who can complete a line wins, and so does who can fork while the other has no threat; who faces two threats loses.

    >>> cells, verdict = forced(Position.parse("X.O/OX./..."))
    >>> Game().cells_of(cells), verdict
    ([8], 1)
    """
    game, empty = position.game, position.empty
    mine, theirs = both(position)
    if wins := threats(game, mine, empty):
        return wins, 1
    if blocks := threats(game, theirs, empty):
        return blocks, 0 if blocks.bit_count() == 1 else -1
    forks = pressing(game, mine, empty)[1]
    return forks, 1 if forks else 0


def urgent(position: Position) -> tuple[Bits, int]:
    """The same, or else the answers to the opponent's forks; who has forks against them and no answer loses."""
    cells, verdict = forced(position)
    if cells:
        return cells, verdict
    answers = defences(position)
    return (0, 0) if answers is None else (answers, 0 if answers else -1)


def defences(position: Position) -> Bits | None:
    """Where nothing is forced: the answers to the opponent's forks. None if there is no fork to answer.

    An answer either leaves no fork, or makes a threat and with it gains time; but then the forced reply must not itself
    make two threats. Every other move loses to a fork; where the set is empty, all do.

    >>> Game().cells_of(defences(Position.parse("X../.O./..X")))
    [1, 3, 5, 7]
    """
    game, empty = position.game, position.empty
    mine, theirs = both(position)
    _, forks = pressing(game, theirs, empty)
    if not forks:
        return None
    answers = empty
    for fork in each(forks):  # it is gone when its cell is taken, or one of the only two threats it would make
        made = threats(game, theirs | fork, empty)
        answers &= fork | (made if made.bit_count() == 2 else 0)
    for cell in each(pressing(game, mine, empty)[0]):
        reply = threats(game, mine | cell, empty)
        if threats(game, theirs | reply, empty & ~cell).bit_count() < 2:
            answers |= cell
    return answers


def each(bits: Bits) -> list[Bits]:
    """The cells of a set, as sets of one."""
    found = []
    while bits:
        found.append(bits & -bits)
        bits &= bits - 1
    return found
