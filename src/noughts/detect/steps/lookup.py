"""The steps of lookup: read a player's cells as a number, and look that number up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from noughts.detect.lookup import places as places_of
from noughts.detect.lookup import table
from noughts.detect.steps.scene import (
    PLAYERS,
    Scene,
    Sign,
    Step,
    Tile,
    Tiles,
    bit_grid,
    own_bits,
    role_of,
    spare_column,
)
from noughts.game import Bits, Cell, Game
from noughts.position import Mark, Position

LOOK = 5  # to find the byte, read it, find the bit, move it to the end, cut the rest off


def steps(position: Position, order: Sequence[Cell]) -> Iterator[Step]:
    """For each player the number and the look, until one says yes."""
    game, answers = position.game, table(position.game)
    for mark in PLAYERS:
        own = own_bits(position, mark)
        cells = tuple(game.cells_of(own))
        yield Step(
            f"{mark}'s cells, read as a number: {own:,}.", partial(_number, game, own, mark), {role_of(mark): cells}
        )
        says = answers[own >> 3] >> (own & 7) & 1
        lines = game.lines_in(own)
        yield Step(
            f"Entry {own:,} of the table says {says}: {f'a line of {mark}' if says else f'no line of {mark}'}.",
            partial(_look, game, own, mark, answers[own >> 3]),
            {"hit": tuple(cell for line in lines for cell in line)} if says else {role_of(mark): cells},
            LOOK,
            mark if says else None,
        )
        if says:
            return


def _number(game: Game, own: Bits, mark: Mark) -> Scene:
    grid = bit_grid(game, own, mark, f"{mark}'s cells, each with the number of its bit")
    numbers = {place: str(place) for place in range(game.rows * game.stride) if place not in spare_column(game)}
    digits = f"{own:0{places_of(game)}b}"
    tiles = tuple(Tile(digit, (role_of(mark),) if digit == "1" else ()) for digit in digits)
    bits = Tiles(tiles, "the same bits in a row, the last cell first")
    return ((replace(grid, texts=numbers),), (bits, Sign(f"= {own:,}")))


def _look(game: Game, own: Bits, mark: Mark, byte: int) -> Scene:
    says = byte >> (own & 7) & 1
    first = own & ~7
    tiles = tuple(
        Tile(str(byte >> number & 1), ("hit" if says else "look",) if number == own & 7 else (), f"{first + number:,}")
        for number in range(8)
    )
    grid = bit_grid(game, own, mark, f"{mark}'s cells")
    if says:
        lines = tuple(tuple(cell + cell // game.columns for cell in line) for line in game.lines_in(own))
        hit = tuple(place for line in lines for place in line)
        grid = bit_grid(game, own, mark, f"{mark}'s cells", paths=lines, hit=hit)
    size = 1 << places_of(game)
    return ((grid,), (Tiles(tiles, f"8 of the {size:,} entries: does this set hold a line?"),))
