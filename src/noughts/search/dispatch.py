"""The one function that everybody asks; it chooses who does the work."""

from __future__ import annotations

from collections.abc import Sequence

from noughts.evaluate import evaluate
from noughts.rules.game import MANY, Cell, Game
from noughts.rules.position import Position
from noughts.search import native
from noughts.search.improved import Improved
from noughts.search.options import InvalidSearch, Options
from noughts.search.plain import Counts, Score, alphabeta, minimax
from noughts.search.record import Branch, NotVisited, Recorded
from noughts.search.result import MoveScore, Result, best_of, root_moves
from noughts.search.size import require_small
from noughts.search.tree import Node, Tree
from noughts.words import known, whole

PLAIN_CELLS = 64  # on larger boards `plain` is too slow, and `improved` does the same
# How many nodes a search may enter unless told otherwise: some seconds of work.
LIMITS = {"native": 1_000_000_000, "python": 2_000_000}
NATIVE_LINES = 400_000_000  # on a large board: nodes times k, about the lines that change in one
RECORDED_CELLS = 2**25  # of the nodes of a recorded tree together: each is told with its board
SEEN_CELLS = 2**33  # on a large board: nodes times cells


def search(
    position: Position, algorithm: str = "alphabeta", *, depth: int | None = None, window: str = "each",
    order: str = "natural", table: bool = False, symmetry: bool = False, deepening: bool = False,
    limit: int | None = None, record: int | None = None, below: Sequence[Cell] | None = None,
    backend: str | None = None,
) -> Result:  # fmt: skip
    """Score every move of a position by minimax or alpha-beta; `Options` tells what the options do.

    A search that would enter more than `limit` nodes is refused with TreeTooLarge. `record` keeps the tree, up to so
    many nodes (of 256x256 at most 512; what is left out is counted in `omitted`), in `Result.tree`: the first that it
    enters or, where `below` is given, the branch after these moves, by as many whole plies as there is room for, and at
    least one. `backend` is chosen by itself unless it is named: the native core does all but table, symmetry,
    deepening, the best-known order and recording.

    >>> found = search(Position.parse(".X./O../X.O"), "alphabeta", window="carried")
    >>> found.score, found.nodes, found.prunes
    (5, 98, 30)
    """
    options = Options(algorithm, depth, window, order, table, symmetry, deepening)
    return search_with(position, options, limit, record, below, backend)


def search_with(
    position: Position, options: Options, limit: int | None = None, record: int | None = None,
    below: Sequence[Cell] | None = None, backend: str | None = None,
) -> Result:  # fmt: skip
    """Score every move of a position as `search` does, with the options in one piece."""
    backend = _backend(position, options, record, backend)
    limit = (
        limit_of(position.game, options, backend) if limit is None else whole("limit", limit, 1, refuse=InvalidSearch)
    )
    if record is not None:
        record = min(whole("record", record, 1, refuse=InvalidSearch), max(1, RECORDED_CELLS // position.game.cells))
        if options.deepening:
            raise InvalidSearch("deepening searches many trees: record one without it, with a depth")
    elif below is not None:
        raise InvalidSearch("a branch is kept only where the tree is recorded: say how many nodes to record")
    if below and position.game.cells > MANY:
        raise InvalidSearch(f"a branch is kept with all its moves, and only of boards of up to {MANY:,} cells")
    counts = Counts(limit)
    if position.is_over:
        if below:
            raise NotVisited("the game is over: there is no branch below it")
        return _over(position, options, backend, record)
    require_small(position, options, limit, backend)
    tree = None
    if backend == "native":
        moves = native.root(position, options, counts)
    elif options.plain and not record and position.game.cells <= PLAIN_CELLS:
        moves = _plain(position, options, counts)
    else:
        searcher = _searcher(position, options, counts, record, below)
        moves = searcher.root(position)
        tree = searcher.tree if isinstance(searcher, Recorded) else None
    found = best_of(position, moves)
    return Result(position, options, *found, *counts.now, counts.hits, tuple(moves), backend, tree)


def limit_of(game: Game, options: Options, backend: str) -> int:
    """How many nodes a search may enter unless told otherwise; fewer on a large board, where each takes longer."""
    if game.cells <= MANY:
        return LIMITS[backend]
    if backend == "native":
        return NATIVE_LINES // game.k
    whole_board = options.symmetry or options.order == "best-known"  # every node takes a thousand times as long
    return min(LIMITS[backend], SEEN_CELLS // game.cells // (1000 if whole_board else 1))


def _backend(position: Position, options: Options, record: int | None, backend: str | None) -> str:
    """Who is to do it: who was named, if they can, or the fastest."""
    if backend is not None:
        known("backend", backend, LIMITS, InvalidSearch)
    missing = native.missing(position.game, options, record)
    if backend == "native" and missing:
        raise InvalidSearch(f"{missing}: leave the backend open, or ask for python")
    return backend or ("python" if missing else "native")


def _searcher(
    position: Position, options: Options, counts: Counts, record: int | None, below: Sequence[Cell] | None
) -> Improved:
    if not record:
        return Improved(options, counts)
    if below is None:
        return Recorded(options, counts, record, position)
    return Branch(options, counts, record, position, below)


def _plain(position: Position, options: Options, counts: Counts) -> list[MoveScore]:
    depth = options.depth or position.empty.bit_count()

    def score(cell: Cell, alpha: Score, beta: Score) -> Score:
        if options.algorithm == "minimax":
            return minimax(position.play(cell), depth - 1, counts)
        return alphabeta(position.play(cell), depth - 1, alpha, beta, counts)

    return root_moves(position, position.moves(), options, counts, score)


def _over(position: Position, options: Options, backend: str, record: int | None) -> Result:
    """The answer where the game is over: its score, and no moves."""
    score, nodes = evaluate(position), int(options.window == "carried")
    root = Node(position, None, float("-inf"), float("inf"), kind="over", score=score, nodes=nodes)
    return Result(position, options, score, (), nodes, 0, 0, 0, (), backend, Tree(options, root) if record else None)
