"""Line masks: a player's cells are the bits of one number, and so is each line. One AND compares them.

        a line          the marks of X       AND
        1 0 0             1 0 1              1 0 0
        0 1 0             0 1 0              0 1 0      the mask itself: the line is complete
        0 0 1             0 0 1              0 0 1

That is Boolean algebra on a whole line at a time. The game keeps its marks as bits (see `noughts.rules.game` for
their layout), so nothing is converted here: what the paper's program spends most of its time on is saved.
The masks are kept, up to 64 MB of them; on a larger board each is made anew when it is tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from noughts.detect.base import Detector
from noughts.detect.scene import Grid, Scene, ShownStep, Sign, bit_grid, bits_scene, line_name, places, players, words
from noughts.rules.game import Bits, Cell, Game
from noughts.rules.marks import Mark, O, X
from noughts.rules.position import Position
from noughts.words import several

MAX_MASK_BITS = 2**29


class LineMasks(Detector):
    """Compare each player's cells with a mask for each line.

    >>> LineMasks(Game()).winner(Position.parse("X.X/OXO/.OX"))
    <Mark.X: 'X'>
    """

    source = "prajoda"
    idea = "A line is complete when the player's bits AND the line's mask give the mask back."
    cost = "one AND for each line, on numbers as long as the board: O(lines x cells / word)"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        fits = game.line_count * game.cells <= MAX_MASK_BITS
        self.masks = [(mask, mask | beside) for mask, beside in self.lines()] if fits else []

    def lines(self) -> Iterator[tuple[Bits, Bits]]:
        """Each line's mask, and that of the cells beside it that make it too long, where only exactly k count."""
        return self.game.rule.open_lines(0, self.game.full)

    def winner(self, position: Position) -> Mark | None:
        """Try every mask on both players."""
        x, o = position.x, position.o
        for mask, wide in self.masks or ((mask, mask | beside) for mask, beside in self.lines()):
            if x & wide == mask:
                return X
            if o & wide == mask:
                return O
        return None

    def steps(self, position: Position, order: Sequence[Cell]) -> Iterator[ShownStep]:
        """Every mask on both players, until one comes back whole."""
        return try_masks(position, self.lines(), 2 * words(self.game.cells))


def try_masks(position: Position, masks: Iterable[tuple[Bits, Bits]], operations: int) -> Iterator[ShownStep]:
    """Every one of these masks on both players, until one comes back whole; each try costs so many operations.

    Together with its mask, the cells beside the line are looked at: if one comes back, the run is too long.
    """
    game, tried = position.game, 0
    for mask, beside in masks:
        cells = places(mask)
        name = line_name(game, cells) if len(cells) == game.k else f"the misprinted mask of {len(cells)} cells"
        tried += 1
        for mark, own in players(position):
            found = mark if own & (mask | beside) == mask else None
            whole = f", the whole mask. A line of {mark}" if found else ""
            if own & beside and own & mask == mask:
                whole = ", the whole mask, but so does a cell beside it: the run is too long"
            yield ShownStep(
                f"{mark} AND {name}: {(own & mask).bit_count()} of {len(cells)} bits come back{whole}.",
                partial(draw, game, own, mask, mark), {"hit" if found else "look": cells}, operations, found,
            )  # fmt: skip
    said = f"{several(tried, 'mask')} tried, and none came back whole: nobody has a line."
    yield ShownStep(said, partial(bits_scene, position))


def draw(game: Game, own: Bits, mask: Bits, mark: Mark) -> Scene:
    """The player's cells AND the mask = what comes back."""
    cells, whole = places(mask), own & mask == mask
    line = Grid(game.rows, game.columns, "the mask", dict.fromkeys(cells, "1"), roles={"look": cells})
    title = "the whole mask" if whole else "not the mask"
    left = bit_grid(game, own & mask, mark, title, hit=cells if whole else (), miss=places(mask & ~own))
    return ((bit_grid(game, own, mark, f"{mark}'s cells"), Sign("AND"), line, Sign("="), left),)
