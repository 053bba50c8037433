"""Questions about searches, their trees and what each improvement saves."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from pydantic import Field

from noughts.search.dispatch import search_with
from noughts.search.exploring import LIMIT, Exploration, SideBySide, explore, side_by_side
from noughts.search.options import Algorithm, Options, Order, Window
from noughts.search.result import Result
from noughts.web import cost
from noughts.web.asking import MAX_SIDE, REFUSED, MovesText, PositionText, answer, read_moves, read_position
from noughts.web.schema import model

router = APIRouter(tags=["search"])
MAX_KEEP = 2_000

HowFound = Annotated[Algorithm, Field(description="look at everything, or cut what cannot matter")]
HowWide = Annotated[Window, Field(description="a full window for each root move, or one carried over them")]
WhichFirst = Annotated[Order, Field(description="in which order moves are tried")]
Depth = Annotated[int, Field(ge=1, le=MAX_SIDE * MAX_SIDE)]
Keep = Annotated[
    int,
    Field(ge=1, le=MAX_KEEP, description="send so many nodes of the tree too, by whole plies, and their replay"),
]


def asked(
    algorithm: HowFound = "alphabeta",
    window: HowWide = "each",
    depth: Depth | None = None,
    order: WhichFirst = "natural",
    table: bool = False,
    symmetry: bool = False,
) -> Options:
    """How to search, as a question says it."""
    return Options(algorithm, depth, window, order, table, symmetry)


HowToSearch = Annotated[Options, Depends(asked)]


@router.get("/search", response_model=model(Exploration) | model(Result), responses=REFUSED)
async def search(
    request: Request,
    options: HowToSearch,
    position: PositionText,
    keep: Keep | None = None,
    path: MovesText = "",
) -> Response:
    """Search a position: every move's score and what it took; with `keep`, a branch of the tree and its replay too.

    Without a depth every game is searched to its end. With `keep`, where that is too large a depth is chosen and `note`
    says so; the branch below `path` is sent.
    """
    found = await read_position(request, position)
    most = cost.of_search(found, options.depth)
    if keep is None:
        return await answer(request, most, search_with, found, options, LIMIT)
    return await answer(request, most, explore, found, options, keep, read_moves(path))


@router.get("/search/compare", response_model=model(SideBySide), responses=REFUSED)
async def compare(request: Request, options: HowToSearch, position: PositionText) -> Response:
    """What each improvement saves: the same position searched in several ways, the one asked for among them."""
    found = await read_position(request, position)
    return await answer(request, cost.of_search(found, options.depth), side_by_side, found, options)
