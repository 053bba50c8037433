"""Magic square: number the cells so that every line adds up to 15, and no other three cells do.

        8 1 6        three marks whose labels add up to 15 are a line,
        3 5 7        so two marks with the sum s win with the cell labelled 15 - s
        4 9 2

Each player has two tables: `taken`, the labels of their cells, and `pairs`, the sums of two of them. To ask
whether a move wins is one look into one's own pairs; whether it blocks, one into the other's.

Here both tables are sets of small numbers, kept as bits. Adding the new label to every label taken before is
then one shift:

        taken   {5, 8}         bits 5 and 8
        move 3                 shifted by 3: bits 8 and 11
        pairs   {13} -> {8, 11, 13}

Many pairs lie on no line (8 and 9 make 17): they do no harm, since no label is 15 - 17.
The order matters: look into `pairs` first, then record the move.
"""

from __future__ import annotations

from noughts.detect.labelled import Labelled
from noughts.detect.labelling import Labelling

LABELS = (8, 1, 6, 3, 5, 7, 4, 9, 2)
MAGIC = 15


class MagicSquare(Labelled):
    """Keep the sums of two marks; the third wins where it makes 15.

    >>> from noughts import Game
    >>> game = MagicSquare(Game())
    >>> [game.play(cell) for cell in (4, 1, 0, 8, 6)]
    [False, False, False, False, False]
    >>> game.blocking_moves(), game.winning_moves(game.turn.other)
    ([2, 3], [2, 3])
    """

    source = "gordon"
    idea = "On a magic square three cells add up to 15 exactly when they are a line: keep the sums of pairs."
    cost = "one look to see a win or a block, one shift to record a move: O(1)"
    scope = "3x3k3"
    labelling = Labelling(LABELS, MAGIC)
