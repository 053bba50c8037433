"""How many nodes a search would enter, asked before it starts; and the refusal when they are too many.

The whole tree is measured with Knuth's probes: walk from the root to an end along random moves, and count each node on
the way as often as there are others like it, the product of the numbers of moves above it. The mean over many walks is
right on average, however uneven the tree:

    1  --- 9 moves --->  9  --- 8 moves --->  9*8 = 72  --- …          1 + 9 + 72 + … nodes

What improvements leave of it is a rule of thumb, which errs on either side; so the search itself also counts, and stops
at the limit.
"""

from __future__ import annotations

from math import comb, log10
from random import Random

from noughts.rules.position import Position
from noughts.rules.symmetry import orbit, symmetries
from noughts.search.options import Options

HUGE = 10**30  # above this nobody asks how many
MAX_PLIES = 256  # how deep the searches recurse
SORTS = ("evaluation", "best-known")  # these orders look at every move of a position before they try the first


class TreeTooLarge(ValueError):
    """This search would enter more nodes than its limit, or did."""


def require_small(position: Position, options: Options, limit: int, backend: str) -> None:
    """Refuse a search that would enter more nodes than the limit."""
    free = position.empty.bit_count()
    if min(free, options.depth or free) > MAX_PLIES and position.game.k > 1:
        raise TreeTooLarge(
            f"this search could be {min(free, options.depth or free):,} plies deep, and the deepest allowed has "
            f"{MAX_PLIES}: give a smaller depth"
        )
    wide = position.game.rule.most_moves
    if most(free, options.depth, wide) <= limit:
        return
    about = expected(position, options)
    if about > limit:
        fits = fitting_depth(free, limit, wide)
        advice = f"give a depth ({fits} fits for sure)" if fits else "no depth fits"
        raise TreeTooLarge(
            f"{options.algorithm} of this position would enter {_words(about)} nodes, and the limit is {limit:,} "
            f"({backend}): {advice}, or a higher limit"
        )


def fitting_depth(free: int, limit: int, wide: int) -> int:
    """The deepest search that stays below the limit for sure, with so many free cells and moves at most; 0: none.

    >>> fitting_depth(16, 1_000_000, 16), fitting_depth(42, 1_000_000, 7)
    (5, 7)
    """
    return max((depth for depth in range(1, MAX_PLIES) if most(free, depth, wide) <= limit), default=0)


def stopped(limit: int) -> TreeTooLarge:
    """What to raise when a search has reached its limit."""
    return TreeTooLarge(f"the search was stopped at its limit of {limit:,} nodes: give a depth, or a higher limit")


def expected(position: Position, options: Options) -> int:
    """About how many nodes a search enters, or looks at to sort them."""
    nodes = _entered(position, options, options.depth)
    if options.order in SORTS and options.depth:
        above = _entered(position, options, options.depth - 1)
        nodes = max(nodes, above * position.playable.bit_count())
    return min(nodes, HUGE)


def _entered(position: Position, options: Options, depth: int | None) -> int:
    """About how many nodes a search enters to this depth.

    A table enters the moves of each position once. Symmetry merging divides by the symmetries of the position itself.
    Alpha-beta is taken to leave n^(3/4) of the n nodes below a root move, as it does when good and bad moves come in no
    particular order; with the best moves first it would be the square root.
    """
    nodes = probe(position, depth)
    if options.table:
        nodes = min(nodes, most_with_table(position.empty.bit_count(), depth))
    if options.symmetry:
        nodes = nodes * len(orbit(position)) // len(symmetries(position.game))
    if options.algorithm == "alphabeta":
        roots = position.playable.bit_count()
        nodes = int(roots * (nodes / roots) ** 0.75)
    return nodes


def probe(position: Position, depth: int | None = None, seed: int = 0) -> int:
    """The size of the whole tree to this depth, by Knuth's probes; at most HUGE.

    >>> from noughts.rules.game import Game
    >>> 500_000 < probe(Game().start()) < 600_000  # it has 549,946 nodes
    True
    """
    random = Random(seed)
    walks = max(3, min(300, 20_000 // position.game.cells))
    total = 0
    for _ in range(walks):
        here, alike, plies = position, 1, 0
        total += 1
        while alike < HUGE and plies != depth and (moves := here.moves()):
            alike *= len(moves)
            total += alike
            here = here.play(random.choice(moves))
            plies += 1
    return min(HUGE, total // walks)


def most(free: int, depth: int | None = None, wide: int = HUGE) -> int:
    """The size of the whole tree to this depth if no game ended early, with so many moves at most; at most HUGE.

    >>> most(9), most(9, depth=2), most(9, depth=2, wide=3)
    (986410, 82, 13)
    """
    total = alike = 1
    for ply in range(free if depth is None else min(depth, free)):
        alike *= min(free - ply, wide)
        total += alike
        if total >= HUGE:
            return HUGE
    return total


def most_with_table(free: int, depth: int | None = None) -> int:
    """The size of the tree to this depth if each position is entered once and no game ended early; at most HUGE."""
    total = 1
    for ply in range(free if depth is None else min(depth, free)):
        total += comb(free, ply) * comb(ply, ply // 2) * (free - ply)
        if total >= HUGE:
            return HUGE
    return total


def _words(number: int) -> str:
    """An estimate as people write it.

    >>> _words(123_456), _words(7 * 10**22), _words(HUGE)
    ('about 120,000', 'about 10²³', 'more than 10³⁰')
    """
    if number >= 10**15:
        power = str(round(log10(number))).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return f"{'more than' if number >= HUGE else 'about'} 10{power}"
    digits = len(str(number))
    return f"about {round(number, 2 - digits):,}"
