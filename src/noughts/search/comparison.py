"""What each improvement saves: the same position searched in many ways, in one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from noughts.rules.answer import Answer
from noughts.rules.game import MANY
from noughts.rules.position import Position
from noughts.search import native
from noughts.search.dispatch import limit_of, search_with
from noughts.search.options import Options
from noughts.search.result import Result
from noughts.search.size import TreeTooLarge

MINIMAX, ALPHABETA = Options("minimax"), Options("alphabeta")

WAYS = (
    MINIMAX,
    replace(MINIMAX, symmetry=True),
    replace(MINIMAX, table=True),
    replace(MINIMAX, table=True, symmetry=True),
    ALPHABETA,
    replace(ALPHABETA, order="centre"),
    replace(ALPHABETA, order="evaluation"),
    replace(ALPHABETA, order="best-known"),
    replace(ALPHABETA, symmetry=True),
    replace(ALPHABETA, table=True),
    replace(ALPHABETA, deepening=True),
    replace(ALPHABETA, table=True, symmetry=True),
    replace(ALPHABETA, order="evaluation", table=True, symmetry=True),
    replace(ALPHABETA, order="evaluation", table=True, symmetry=True, deepening=True),
    replace(ALPHABETA, order="best-known", table=True, symmetry=True),
)


@dataclass(frozen=True)
class Way(Answer):
    """One row: a way to search, what it found, and the share of nodes that it saves (negative: it costs).

    `result` is None where the way would go over the limit, and `refused` says so.
    """

    keys = (
        "options.algorithm options.order options.table options.symmetry options.deepening result.score result.nodes "
        "result.prunes result.table_hits saved_against_minimax saved_against_alphabeta refused"
    )

    options: Options
    result: Result | None
    refused: str | None
    saved_against_minimax: float | None
    saved_against_alphabeta: float | None


@dataclass(frozen=True)
class Comparison(Answer):
    """The table; every way that was not refused has the same score."""

    keys = "position.game position window depth score ways"

    position: Position
    window: str
    depth: int | None
    ways: tuple[Way, ...]

    @property
    def score(self) -> int | None:
        """The score on which all agree."""
        return next((way.result.score for way in self.ways if way.result), None)


def _share(position: Position, options: Options, ways: int) -> int | None:
    """On a large board the ways share what one search may enter, or together they would take minutes."""
    if position.game.cells <= MANY:
        return None
    backend = "python" if native.missing(position.game, options, None) else "native"
    return max(1, limit_of(position.game, options, backend) // ways)


def compare(
    position: Position, *, depth: int | None = None, window: str = "carried", limit: int | None = None,
    ways: Sequence[Options] = WAYS,
) -> Comparison:  # fmt: skip
    """Search a position in many ways and see what each saves; depth and window are the same for all.

    >>> for way in compare(Position.parse(".X./O../X.O")).ways[:6:4]:
    ...     print(way.options, way.result.nodes, f"{way.saved_against_minimax:.0%}")
    minimax 226 0%
    alphabeta 98 57%
    """
    depth = Options(depth=depth, window=window).depth
    found: list[tuple[Options, Result | None, str | None]] = []
    for way in ways:
        options = replace(way, depth=depth, window=window)
        try:
            most = _share(position, options, len(ways)) if limit is None else limit
            found.append((options, search_with(position, options, most), None))
        except TreeTooLarge as refusal:
            found.append((options, None, str(refusal)))
    nodes = {way: result.nodes for way, (_, result, _) in zip(ways, found, strict=True) if result}

    def saved(result: Result | None, against: Options) -> float | None:
        return 1 - result.nodes / nodes[against] if result and nodes.get(against) else None

    rows = (Way(*row, saved(row[1], MINIMAX), saved(row[1], ALPHABETA)) for row in found)
    return Comparison(position, window, depth, tuple(rows))
