"""The native search: the fast twin of `plain`, with the orders that need no memory."""

from __future__ import annotations

from noughts.evaluate import weights
from noughts.native import core, handle
from noughts.rules.game import Game
from noughts.rules.position import Position
from noughts.search.options import Options
from noughts.search.order import from_centre
from noughts.search.plain import Counts
from noughts.search.result import Bound, MoveScore
from noughts.search.size import stopped

BOUNDS: tuple[Bound, ...] = ("exact", "upper", "lower")
MAX_SUM = 2**52  # scores travel with a flag above them: see native/search.cpp


def missing(game: Game, options: Options, record: int | None) -> str | None:
    """What the native search lacks for this job, in words; None if it can do it."""
    if core() is None:
        return "the native core is not installed (noughts doctor says more)"
    for name in ("table", "symmetry", "deepening"):
        if getattr(options, name):
            return f"the native search has no {name}"
    if options.order == "best-known":
        return "the native search has no best-known order"
    if record is not None:
        return "the native search records no tree"
    if game.line_count * weights(game.k)[-1] >= MAX_SUM:
        return f"the scores of {game} are too large for the native search"
    return None


def root(position: Position, options: Options, counts: Counts) -> list[MoveScore]:
    """Every root move, ascending, and the totals in `counts`."""
    native, game = handle(position.game), position.game
    assert native is not None
    found = native.search(
        x=game.cells_of(position.x),
        o=game.cells_of(position.o),
        order=sorted(range(game.cells), key=from_centre(game).__getitem__ if options.order == "centre" else None),
        by_evaluation=options.order == "evaluation",
        prunes=options.algorithm == "alphabeta",
        carried=options.window == "carried",
        depth=min(options.depth or game.cells, game.cells),
        limit=min(counts.limit, 2**63 - 1),
    )
    if found is None:
        raise stopped(counts.limit)
    moves = sorted(
        (MoveScore(cell, score, BOUNDS[bound], *took) for cell, score, bound, *took in found),
        key=lambda move: move.cell,
    )
    counts.nodes = sum(move.nodes for move in moves) + (options.window == "carried")
    counts.alpha_cuts = sum(move.alpha_cuts for move in moves)
    counts.beta_cuts = sum(move.beta_cuts for move in moves)
    return moves
