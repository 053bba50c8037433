"""A search to look into: its result, one branch of its tree, and the replay of that in words.

The whole search is done for every answer, and only the branch below `path` is kept: `keep` nodes at most, by whole
plies. What lies further down is asked for when somebody looks at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from noughts.rules.answer import Answer
from noughts.rules.game import Cell
from noughts.rules.position import Move, Position, replay
from noughts.search.comparison import ALPHABETA, MINIMAX, Comparison, compare
from noughts.search.dispatch import search_with
from noughts.search.options import Options
from noughts.search.result import Result
from noughts.search.size import TreeTooLarge, fitting_depth
from noughts.search.tree import Step, Tree
from noughts.words import several

LIMIT = 600_000  # nodes of one search: minimax of the whole of 3x3 has 549,946
CHOSEN = 150_000  # nodes of a search whose depth is chosen here


@dataclass(frozen=True)
class Exploration(Answer):
    """A search, the branch of its tree below a path, and its replay; `note` says what was chosen for the asker."""

    keys = "*result limit note board=result.position# path@ tree steps"

    result: Result
    tree: Tree
    path: tuple[Cell, ...]
    steps: tuple[Step, ...]  # the search once more, step by step
    note: str | None
    limit: int = LIMIT


def explore(position: Position, options: Options, keep: int, path: Sequence[Move] = ()) -> Exploration:
    """Search a position and keep the branch below these moves.

    Where no depth is given and the whole tree is too large, as deep as is quick.

    >>> found = explore(Position.parse("XO./.OX/OX."), Options(window="carried"), 300)
    >>> found.result.nodes, found.result.prunes, found.tree.complete, found.steps[-1].text
    (10, 2, True, '0: the best of its moves')
    """
    line, note = replay(position, path), None
    below = tuple(before.cell(move) for before, move in zip(line, path, strict=False))
    try:
        found = search_with(position, options, LIMIT, keep, below)
    except TreeTooLarge as refusal:
        depth = fitting_depth(position.empty.bit_count(), CHOSEN, position.game.rule.most_moves)
        if options.depth is not None or not depth:
            raise TreeTooLarge(f"{refusal} (over HTTP it cannot be raised; noughts search --limit can)") from None
        found = search_with(position, replace(options, depth=depth), LIMIT, keep, below)
        cause = str(refusal).partition(":")[0].removesuffix(" (python)")
        note = f"searched {several(depth, 'ply', 'plies')} deep: {cause}"
    assert found.tree
    return Exploration(found, found.tree, below, tuple(found.tree.replay()), note)


# Ways to search, side by side


@dataclass(frozen=True)
class SideBySide(Answer):
    """A position searched in several ways; `asked` is the number of the one that was asked for."""

    keys = "*comparison limit asked"

    comparison: Comparison
    asked: int  # counted from 0
    limit: int = LIMIT


def ladder(asked: Options) -> list[Options]:
    """Minimax, alpha-beta, and each improvement on top of those before it; and what is asked for, if it is no rung.

    >>> for way in ladder(Options(order="centre")):
    ...     print(way)
    minimax
    alphabeta
    alphabeta + centre order
    alphabeta + centre order + table
    alphabeta + centre order + table + symmetry
    """
    order = "evaluation" if asked.order == "natural" else asked.order
    ordered = replace(ALPHABETA, order=order)
    rungs = [MINIMAX, ALPHABETA, ordered, replace(ordered, table=True), replace(ordered, table=True, symmetry=True)]
    asked = replace(asked, depth=None, window=MINIMAX.window)
    return rungs if asked in rungs else [*rungs, asked]


def side_by_side(position: Position, options: Options) -> SideBySide:
    """A position searched in several ways, the one that is asked for among them."""
    table = compare(position, depth=options.depth, window=options.window, limit=LIMIT, ways=ladder(options))
    if table.score is None:
        search_with(position, options, LIMIT)  # not one fits: this refuses, with the estimate and what would fit
    return SideBySide(table, [way.options for way in table.ways].index(options))
