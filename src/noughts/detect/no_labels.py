"""Why no labels do: a set of cells that is no line, and yet has the lines' sum whatever the labels are.

The proof adds some lines and takes others away until only that set is left, each of its cells equally often. On 4x4:

        + top row  + bottom row  + both diagonals  − both middle columns     = the four corners, twice

so twice the corners is 4 - 2 = 2 times the lines' sum: the corners have that sum too, in every labelling.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache, partial
from math import comb, lcm

from noughts.detect.exhibits import Magic16
from noughts.detect.labelling import MAX_CELLS, certificate, forced_sets
from noughts.detect.scene import Cells, Grid, Scene, ShownStep, Sign, Tile, Tiles, line_name, signed
from noughts.rules.game import Game, Line
from noughts.rules.notation import format_moves
from noughts.words import listing, several

MAX_SETS = 60_000  # sets of k cells that are tried on the spot: 5x5k5 has 53,130
TRIED = 12  # of the forced sets, so many are looked at for a short proof


@lru_cache(maxsize=32)
def steps(game: Game) -> tuple[ShownStep, ...]:
    """The proof that no labels of this board tell its lines from all other sets; nothing if there is none.

    >>> [step.say for step in steps(Game(4, 4, 4))][-1]
    'So no labels whatever can tell these cells from a line.'
    >>> steps(Game())
    ()
    """
    game = Game(game.rows, game.columns, game.k)  # whatever its rule
    if game.cells > MAX_CELLS or comb(game.cells, game.k) > MAX_SETS:
        return ()
    proofs = [(cells, certificate(game, cells) or {}) for cells in forced_sets(game)[:TRIED]]
    if not proofs:
        return ()
    cells, proof = min(proofs, key=lambda each: (len(each[1]), sum(abs(share) for share in each[1].values())))
    return tuple(_proof(game, cells, proof))


def _proof(game: Game, cells: Cells, proof: dict[Line, Fraction]) -> Iterator[ShownStep]:
    names = listing(format_moves(game, cells))
    marked = {"want": cells}
    yield ShownStep(
        f"{names} are no line. Their labels must not have the lines' sum.",
        partial(_grid, game, {}, marked, "no line"), marked,
    )  # fmt: skip
    times = lcm(*(share.denominator for share in proof.values()))
    counts = [0] * game.cells
    sums = 0
    for line, share in sorted(proof.items(), key=lambda each: -each[1]):
        amount = int(share * times)
        sums += amount
        for cell in line:
            counts[cell] += amount
        doing = "Add" if amount > 0 else "Take away"
        often = "" if abs(amount) == 1 else f" {several(abs(amount), 'time')}"
        yield ShownStep(
            f"{doing} the line {line_name(game, line)}{often}.",
            partial(_count, game, tuple(counts), line, amount, sums), {"look": line},
        )  # fmt: skip
    each = "once" if times == 1 else "twice" if times == 2 else several(times, "time")
    yield ShownStep(
        f"What is left are those cells, each {each}, and {several(sums, 'line sum')}: each such set has one.",
        partial(_count, game, tuple(counts), cells, 0, sums), {"hit": cells},
    )  # fmt: skip
    if Magic16.supports(game):
        labels = " + ".join(str(Magic16.labels[cell]) for cell in cells)
        yield ShownStep(
            f"In this magic square, too: {labels} = {Magic16.total}, the sum of every line.",
            partial(_grid, game, dict(enumerate(map(str, Magic16.labels))), {"hit": cells}), {"hit": cells},
        )  # fmt: skip
    yield ShownStep(
        "So no labels whatever can tell these cells from a line.",
        partial(_grid, game, {}, {"hit": cells}, "no line, and the same sum"), {"hit": cells},
    )  # fmt: skip


def _grid(game: Game, texts: dict[int, str], roles: dict[str, Cells], title: str = "") -> Scene:
    return ((Grid(game.rows, game.columns, title, texts, roles=roles),),)


def _count(game: Game, counts: tuple[int, ...], cells: Cells, amount: int, sums: int) -> Scene:
    """How often each label is counted so far, and how many lines' sums that makes."""
    role = "look" if amount else "hit"
    roles = {
        "plus": tuple(cell for cell, number in enumerate(counts) if number > 0),
        "minus": tuple(cell for cell, number in enumerate(counts) if number < 0),
        role: cells,
    }
    texts = {cell: signed(number) for cell, number in enumerate(counts) if number}
    grid = Grid(game.rows, game.columns, "how often each label is counted", texts, "0", roles=roles)
    this = (Tiles((Tile(signed(amount), ("look",)),), "this line"), Sign("")) if amount else ()
    return ((grid,), (*this, Tiles((Tile(signed(sums), (role,)),), "lines' sums")))
