"""The steps of line masks: each player's cells AND each mask. The misprinted masks of an exhibit go the same way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from noughts.detect import as_printed
from noughts.detect.line_masks import LineMasks
from noughts.detect.steps.scene import (
    PLAYERS,
    Grid,
    Scene,
    Sign,
    Step,
    bit_grid,
    line_name,
    own_bits,
    places,
    spare_column,
    words,
)
from noughts.game import Bits, Cell, Game
from noughts.notation import several
from noughts.position import Mark, Position


def steps(position: Position, order: Sequence[Cell]) -> Iterator[Step]:
    """Every mask on both players, until one comes back whole."""
    game = position.game
    masks = LineMasks(game).masks or map(game.bits_of, game.lines())
    yield from _try_all(position, masks, 2 * words(game.full.bit_length()))


def as_printed_steps(position: Position, order: Sequence[Cell]) -> Iterator[Step]:
    """The same with the masks of the prajoda paper; first it turns the board into bits, cell by cell."""
    game = position.game
    yield Step("First the board is turned into two numbers, cell by cell.", partial(_both, position), operations=9)
    yield from _try_all(position, map(game.spread, as_printed.MASKS_AS_PRINTED), 2)


def _try_all(position: Position, masks: Iterable[Bits], operations: int) -> Iterator[Step]:
    game, tried = position.game, 0
    for mask in masks:
        cells = tuple(game.cells_of(mask))
        tried += 1
        for mark in PLAYERS:
            own = own_bits(position, mark)
            whole = own & mask == mask
            kept = (own & mask).bit_count()
            name = line_name(game, cells) if len(cells) == game.k else f"the misprinted mask of {len(cells)} cells"
            yield Step(
                f"{mark} AND {name}: {kept} of {len(cells)} bits come back"
                f"{f', the whole mask. A line of {mark}' if whole else ''}.",
                partial(_draw, game, own, mask, mark),
                {"hit" if whole else "look": cells},
                operations,
                mark if whole else None,
            )
            if whole:
                return
    yield Step(
        f"{several(tried, 'mask')} tried, and none came back whole: nobody has a line.", partial(_both, position)
    )


def _draw(game: Game, own: Bits, mask: Bits, mark: Mark) -> Scene:
    whole = own & mask == mask
    line = Grid(
        game.rows, game.stride, "the mask", dict.fromkeys(places(mask), "1"),
        roles={"look": places(mask), "spare": spare_column(game)},
    )  # fmt: skip
    title = "the whole mask" if whole else "not the mask"
    kept = bit_grid(game, own & mask, mark, title, hit=places(mask) if whole else (), miss=places(mask & ~own))
    return ((bit_grid(game, own, mark, f"{mark}'s cells"), Sign("AND"), line, Sign("="), kept),)


def _both(position: Position) -> Scene:
    game = position.game
    return ((*(bit_grid(game, own_bits(position, mark), mark, f"{mark}'s cells") for mark in PLAYERS),),)
