"""Search: minimax and alpha-beta over any game, with a score for every root move and a count of what it took.

    plain      the two algorithms as the minimax source prints them
    improved   the same with move order, table, symmetry and deepening
    record     also keeps the tree, or one branch of a large one, exactly as the whole search left it
    native     the plain ones in C++, where the core is installed

`search` chooses between them. `compare` shows in one table what each improvement saves.
"""

from __future__ import annotations

from noughts.search.comparison import Comparison, Way, compare
from noughts.search.dispatch import LIMITS, search
from noughts.search.options import ALGORITHMS, ORDERS, WINDOWS, InvalidSearch, Options
from noughts.search.record import NotVisited
from noughts.search.result import MoveScore, Result
from noughts.search.size import TreeTooLarge
from noughts.search.tree import Cut, Node, Step, Tree

__all__ = [
    "ALGORITHMS", "LIMITS", "ORDERS", "WINDOWS", "Comparison", "Cut", "InvalidSearch", "MoveScore", "Node",
    "NotVisited", "Options", "Result", "Step", "Tree", "TreeTooLarge", "Way", "compare", "search",
]  # fmt: skip
