"""Who has won: every algorithm, one a file, behind one face.

    line_sums        prajoda     +1 and -1 added up along every row, column and diagonal
    line_masks       prajoda     the player's bits AND a mask for each line
    shifts           noughts     the player's bits AND themselves, shifted: runs of 1, 2, 4, … k
    magic_square     gordon      3x3: labels that add up to 15 on lines only; sums of pairs
    magic_labels     gordon      5x5 too: labels found by search, sums of up to k - 1 marks
    last_move        lastmove    only lines through the last move
    line_counts      gordon      a counter for each line and player
    lookup           noughts     one bit for every set of cells

Add one: write its file, and enter it in `DETECTORS`; the tests then hold it to what the others say. Published
methods that are wrong are in `noughts.detect.exhibits`, and the baselines of the first paper in `as_printed`. Which
boards have labels like a magic square's is for `labelling` to say, and `no_labels` proves it; what the detectors with
labels share is in `labelled`. `watching.watch` shows any of them at work, step by step, in the shapes of `scene`.

>>> from noughts import Position
>>> position = Position.parse("XXX/OO./...")
>>> {name: str(algorithm(position.game).winner(position)) for name, algorithm in DETECTORS.items()}
{'line_sums': 'X', 'line_masks': 'X', 'shifts': 'X', 'magic_square': 'X', 'magic_labels': 'X', 'last_move': 'X',
 'line_counts': 'X', 'lookup': 'X'}
"""

from noughts.detect.base import Detector, Incremental, UnsupportedGame, line_owner
from noughts.detect.exhibits import EXHIBITS, Exhibit
from noughts.detect.last_move import LastMove
from noughts.detect.line_counts import LineCounts
from noughts.detect.line_masks import LineMasks
from noughts.detect.line_sums import LineSums
from noughts.detect.lookup import Lookup
from noughts.detect.magic_labels import MagicLabels
from noughts.detect.magic_square import MagicSquare
from noughts.detect.shifts import Shifts

__all__ = ["DETECTORS", "EXHIBITS", "Detector", "Exhibit", "Incremental", "UnsupportedGame", "line_owner"]

DETECTORS: dict[str, type[Detector]] = {
    "line_sums": LineSums,
    "line_masks": LineMasks,
    "shifts": Shifts,
    "magic_square": MagicSquare,
    "magic_labels": MagicLabels,
    "last_move": LastMove,
    "line_counts": LineCounts,
    "lookup": Lookup,
}
