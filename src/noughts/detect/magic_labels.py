"""Magic labels: Gordon's tables for five in a row on 5x5, where the right labels make them exact.

He counts on levels of tables for larger boards: with k in a row, the sums of one mark, of two, … of k - 1.

        level 0     {0}                         no mark: nothing to add
        level 1     {5, 8}                      marks on 5 and 8
        level 2     {13}                        together
        a move on 3: every level takes in the one below it, raised by 3, the highest first
        level 2     {13} and {5, 8} + 3         = {8, 11, 13}
        level 1     {5, 8} and {0} + 3          = {3, 5, 8}

A level is a set of numbers kept as bits, so "raised by 3" is a shift by 3. A move completes a line when the
highest level holds what is missing: the lines' sum less the move's label.

All hangs on the labels: k cells may have the lines' sum only if they are a line. The numbers 1 to 25 never do it, and
on 4x4 no labels at all do. `noughts.detect.labelling` finds labels for 5x5 and tries all 53,130 sets of five cells.
"""

from __future__ import annotations

from noughts.detect.labelled import Labelled
from noughts.detect.labelling import exact_labelling
from noughts.rules.game import Game


class MagicLabels(Labelled):
    """Keep the sums of one mark, two marks, … k - 1 marks; the next one wins where it makes the total.

    >>> game = MagicLabels(Game(5, 5, 5))
    >>> [game.play(cell) for cell in (0, 5, 1, 6, 2, 7, 3, 8, 4)][-2:], game.lines()
    ([False, True], ((0, 1, 2, 3, 4),))
    """

    source = "gordon"
    idea = "With labels such that k cells have the magic sum only if they are a line, sums of marks find lines."
    cost = "one look to see a win or a block, k - 1 shifts as long as the sum to record a move: O(k x sum / word)"
    scope = "3x3k3 and 5x5k5"  # where exact labels are found at once

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.labelling = exact_labelling(Game(game.rows, game.columns, game.k))
