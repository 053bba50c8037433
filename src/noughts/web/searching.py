"""The search of a position for the page: its result, the part of its tree that is asked for, and its replay.

The whole search is done for every answer, and only the branch below `path` is sent: `keep` nodes at most, by whole
plies. What lies further down is asked for when somebody looks at it.
"""

from __future__ import annotations

from dataclasses import replace
from math import isinf
from typing import Annotated, Any, Literal

from fastapi import Depends
from pydantic import Field

from noughts.explain import replay
from noughts.rules.notation import board_rows, format_move, format_moves
from noughts.rules.position import Position
from noughts.search import Node, Options, Result, Tree, TreeTooLarge, compare
from noughts.search.comparison import ALPHABETA, MINIMAX
from noughts.search.dispatch import search_with
from noughts.search.size import fitting_depth
from noughts.web.answers import MAX_SIDE, board_of, read_position
from noughts.words import several

LIMIT = 600_000  # nodes of one search: minimax of the whole of 3x3 has 549,946
CHOSEN = 150_000  # nodes of a search whose depth is chosen here
MAX_KEEP = 2_000
MAX_PATH = 600  # characters

Algorithm = Annotated[
    Literal["minimax", "alphabeta"], Field(description="look at everything, or cut what cannot matter")
]
Window = Annotated[
    Literal["each", "carried"], Field(description="a full window for each root move, or one carried over them")
]
Order = Annotated[
    Literal["natural", "centre", "evaluation", "best-known"], Field(description="in which order moves are tried")
]
Depth = Annotated[int, Field(ge=1, le=MAX_SIDE * MAX_SIDE)]
Keep = Annotated[int, Field(ge=1, le=MAX_KEEP, description="how many nodes of the tree to send, by whole plies")]
PathText = Annotated[
    str,
    Field(max_length=MAX_PATH, examples=["c3,b2"], description="moves, comma between: the branch below them is sent"),
]


def read_path(text: str) -> tuple[str, ...]:
    """The moves of a path.

    >>> read_path("c3,b2"), read_path("")
    (('c3', 'b2'), ())
    """
    return tuple(part for part in text.split(",") if part)


def asked(
    algorithm: Algorithm = "alphabeta",
    window: Window = "each",
    depth: Depth | None = None,
    order: Order = "natural",
    table: bool = False,
    symmetry: bool = False,
) -> Options:
    """How to search, as a question says it."""
    return Options(algorithm, depth, window, order, table, symmetry)


HowToSearch = Annotated[Options, Depends(asked)]


def search(text: str, options: Options, keep: int, path: tuple[str, ...]) -> dict[str, Any]:
    """The answer of `noughts search --json`, and the branch below a path with its replay.

    >>> found = search("XO./.OX/OX.", Options(window="carried"), 300, ())
    >>> found["nodes"], found["prunes"], found["tree"]["complete"]
    (10, 2, True)
    >>> found["steps"][-1]["text"]
    '0: the best of its moves'
    """
    position = read_position(text)
    line = replay(position, path)
    below = tuple(before.cell(move) for before, move in zip(line, path, strict=False))
    found, note = _run(position, options, keep, below)
    assert found.tree
    return {
        **found.to_json(),
        "limit": LIMIT,
        "note": note,
        "board": board_of(position),
        "path": format_moves(position.game, below),
        "tree": tree_of(found.tree),
        "steps": steps_of(found.tree),
    }


def _run(position: Position, options: Options, keep: int, below: tuple[int, ...]) -> tuple[Result, str | None]:
    """The search, to the end of every game or, where that is too large and no depth is given, as deep as is quick."""
    try:
        return search_with(position, options, LIMIT, keep, below), None
    except TreeTooLarge as refusal:
        depth = fitting_depth(position.empty.bit_count(), CHOSEN)
        if options.depth is not None or not depth:
            raise TreeTooLarge(f"{refusal} (over HTTP it cannot be raised; noughts search --limit can)") from None
        cause = str(refusal).partition(":")[0].removesuffix(" (python)")
        shallow = replace(options, depth=depth)
        deep = several(depth, "ply", "plies")
        return search_with(position, shallow, LIMIT, keep, below), f"searched {deep} deep: {cause}"


# The tree, ready to draw


def tree_of(tree: Tree) -> dict[str, Any]:
    """The branch as JSON, with what draws each node."""
    plain = tree.to_json()
    _add_picture(tree.root, plain["root"])
    return plain


def _add_picture(node: Node, plain: dict[str, Any]) -> None:
    plain["marks"] = "".join(board_rows(node.position))
    plain["lines"] = [list(line) for line in node.position.lines()]
    favourite = node.favourite
    plain["best"] = favourite and format_move(node.position.game, favourite.move or 0)
    for child, each in zip(node.children, plain["children"], strict=True):
        _add_picture(child, each)


def steps_of(tree: Tree) -> list[dict[str, Any]]:
    """The replay: each step names its node by its number in the order of entry."""
    numbers = {id(node): number for number, node in enumerate(tree)}
    return [
        {
            "kind": step.kind,
            "node": numbers[id(step.node)],
            "ply": step.ply,
            "alpha": None if isinf(step.alpha) else step.alpha,
            "beta": None if isinf(step.beta) else step.beta,
            "best": step.best,
            "nodes": step.nodes,
            "prunes": step.alpha_cuts + step.beta_cuts,
            "text": step.text,
        }
        for step in tree.replay()
    ]


# Ways to search, side by side


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


def side_by_side(text: str, options: Options) -> dict[str, Any]:
    """A position searched in several ways, the one that is asked for among them."""
    position, ways = read_position(text), ladder(options)
    table = compare(position, depth=options.depth, window=options.window, limit=LIMIT, ways=ways)
    if table.score is None:
        search_with(position, options, LIMIT)  # not one fits: this refuses, with the estimate and what would fit
    return {**table.to_json(), "limit": LIMIT, "asked": [way.options for way in table.ways].index(options)}
