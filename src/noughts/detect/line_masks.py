"""Line masks: a player's cells are the bits of one number, and so is each line. One AND compares them.

        a line          the marks of X       AND
        1 0 0             1 0 1              1 0 0
        0 1 0             0 1 0              0 1 0      the mask itself: the line is complete
        0 0 1             0 0 1              0 0 1

That is Boolean algebra on a whole line at a time. The game keeps its marks as bits (see `noughts.game` for
their layout), so nothing is converted here: what the paper's program spends most of its time on is saved.
The masks are kept, up to 64 MB of them; on a larger board each is made anew when it is tried.
"""

from __future__ import annotations

from noughts.detect.base import Detector
from noughts.game import Game
from noughts.position import Mark, O, Position, X

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
        self.masks = list(game.masks_in(game.full)) if fits else []

    def winner(self, position: Position) -> Mark | None:
        """Try every mask on both players."""
        x, o = position.x, position.o
        for mask in self.masks or self.game.masks_in(self.game.full):
            if x & mask == mask:
                return X
            if o & mask == mask:
                return O
        return None
