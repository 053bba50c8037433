"""The claims of Gordon's magic-square paper."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, reduce
from itertools import combinations

from noughts.detect.exhibits import Magic16
from noughts.detect.labelled import Sums, add_mark, makes, no_marks
from noughts.detect.labelling import Labelling, exact_labelling, forced_sets, rank
from noughts.detect.magic_square import LABELS, MAGIC, MagicSquare
from noughts.detect.scene import own_bits
from noughts.lab.papers import facts, see
from noughts.lab.papers.claim import Found, claim
from noughts.lab.papers.facts import GAME
from noughts.rules.game import Game
from noughts.rules.marks import Mark
from noughts.rules.position import Position
from noughts.threats import winning_moves
from noughts.words import listing

FOUR, FIVE = Game(4, 4, 4), Game(5, 5, 5)
DIAGONAL_WIN = "b2,b3,a3,c3,c1"
FOOLED = "4x4k4:XXOO/XXO./..../...."  # a corner block of four X adds up to 34


def _siamese(side: int) -> Labelling:
    """A magic square of odd side with the numbers 1, 2, 3, …: up and right, or down where that is taken."""
    labels = [0] * side**2
    row, column = 0, side // 2
    for number in range(1, side**2 + 1):
        labels[row * side + column] = number
        up, right = (row - 1) % side, (column + 1) % side
        row, column = ((row + 1) % side, column) if labels[up * side + right] else (up, right)
    return Labelling(tuple(labels), side * (side**2 + 1) // 2)


@claim("gordon", 8, see.detector("line_sums", moves=DIAGONAL_WIN))
def eight_possibilities() -> Found:
    """Brute force checks all eight possibilities."""
    return Found(GAME.line_count, "Three rows, three columns, two diagonals.")


@claim("gordon", [15], see.detector("magic_square"))
def magic_square() -> Found:
    """Every row, column and diagonal of the square sums to 15."""
    sums = {sum(LABELS[cell] for cell in line) for line in GAME.lines()}
    return Found(sorted(sums), "The sums of all lines.")


@claim("gordon", 8, see.detector("magic_square", moves=DIAGONAL_WIN))
def sets_summing_to_15() -> Found:
    """Three cells sum to 15 only if they share a row, column or diagonal."""
    sets = list(MagicSquare.labelling.sets(3))
    lines = set(GAME.lines())
    others = sum(cells not in lines for cells in sets)
    total = len(list(combinations(range(9), 3)))
    return Found(len(sets), f"So many of the {total} sets of three cells, and {others} of those are not lines.")


@claim("gordon", 10, see.detector("magic_16", FOOLED))
def sets_summing_to_34() -> Found:
    """On 4x4 the same works with three levels of arrays: only the 10 lines have the sum."""
    sets = list(Magic16.labelling.sets(4))
    return Found(len(sets), f"With a magic square of 1 to 16; only {FOUR.line_count} of these sets are lines.")


@claim("gordon", 0, see.detector("magic_16", FOOLED))
def forced_4x4_sets() -> Found:
    """The solution extends to 4x4, so no set but the lines can be forced to have the sum."""
    sets = forced_sets(FOUR)
    listed = listing("{" + ", ".join(map(str, cells)) + "}" for cells in sets)
    return Found(len(sets), f"In every labelling with equal line sums these have it too: {listed}.")


@claim("gordon", True, see.detector("magic_labels", game=str(FIVE)))
def larger_boards() -> Found:
    """The method extends to larger boards."""
    labelling = exact_labelling(FIVE)
    note = f"On 5x5 it does, with labels up to {max(labelling.labels):,} found by search; on 4x4 no labels exist."
    return Found(labelling.is_exact(FIVE), note)


@claim("gordon", 0, see.detector("magic_labels", game=str(FIVE)))
def rank_5x5() -> Found:
    """The method extends to larger boards: on 5x5 nothing but the lines is forced to have the sum."""
    return Found(len(forced_sets(FIVE)), f"The {FIVE.line_count} line equations have rank {rank(FIVE)}.")


@claim("gordon", 12, see.detector("magic_labels", game=str(FIVE)))
def magic_25() -> Found:
    """It extends as it stands, with a magic square: on 5x5 only the 12 lines have the sum."""
    square = _siamese(5)
    note = f"So many sets of five cells sum to {square.total} in a square of 1 to 25: other labels are needed."
    return Found(len(list(square.sets(5))), note)


@claim("gordon", [2, 3], see.detector("last_move", moves="b2"))
def possibilities() -> Found:
    """For each open space 2 or 3 possibilities are checked."""
    through = {sum(cell in line for line in GAME.lines()) for cell in range(9)}
    return Found(sorted(through), "Sides lie on 2 lines, corners on 3, and the centre on 4.")


@claim("gordon", [3, 17], see.detector("magic_square"))
def pairs_range() -> Found:
    """The pairs array needs indices from 3 to 17."""
    sums = [a + b for a, b in combinations(LABELS, 2)]
    return Found([min(sums), max(sums)], "The sums of two different labels.")


@claim("gordon", 14, see.detector("magic_square"))
def pairs_used() -> Found:
    """The program makes 16 entries and records only sums below 15: larger ones are never asked for."""
    return Found(max(MAGIC - label for label in LABELS), "The largest sum that a third label can complete to 15.")


@claim("gordon", True, see.detector("magic_square", moves="a3,b2,b1"))
def pairs_off_lines() -> Found:
    """Many recorded pairs share no line, such as 8 and 9."""
    pairs = list(combinations(range(9), 2))
    off = [pair for pair in pairs if not any(set(pair) <= set(line) for line in GAME.lines())]
    example = tuple(sorted((LABELS.index(8), LABELS.index(9))))
    return Found(example in off, f"{len(off)} of the {len(pairs)} pairs share no line.")


@claim("gordon", 0, see.detector("magic_square", moves=DIAGONAL_WIN))
def win_lookup() -> Found:
    """One look into the player's own pairs finds whether a move wins."""
    return _lookup_errors("win", lambda position: position.turn)


@claim("gordon", 0, see.detector("magic_square", moves="b2,b3,a3,c1"))
def block_lookup() -> Found:
    """One more look, into the opponent's pairs, finds whether it blocks."""
    return _lookup_errors("block", lambda position: position.turn.other)


def _tables(position: Position, mark: Mark) -> Sums:
    """What is noted of a player when these are the marks."""
    return reduce(add_mark, (LABELS[cell] for cell in GAME.cells_of(own_bits(position, mark))), no_marks(3))


def _lookup_errors(what: str, whose: Callable[[Position], Mark]) -> Found:
    errors = moves = 0
    for position in facts.reachable():
        mark = whose(position)
        tables, winning = _tables(position, mark), winning_moves(position, mark)
        for cell in position.moves():
            moves += 1
            errors += makes(tables, MAGIC - LABELS[cell]) is not (cell in winning)
    return Found(errors, f"Wrong answers over all {moves:,} moves of all reachable positions, for a {what}.")


@claim("gordon", True, see.detector("magic_square", moves="b2,a3"))
def order() -> Found:
    """The program reads the pairs before it records the move, and the order matters."""
    errors = 0
    for position in facts.reachable():
        tables = _tables(position, position.turn)
        for cell in position.moves():
            late, missing = add_mark(tables, LABELS[cell]), MAGIC - LABELS[cell]
            errors += makes(late, missing) is not makes(tables, missing)
    return Found(errors > 0, f"Recorded first, the new mark would be counted twice: {errors:,} false wins.")


@claim("gordon", 0, see.detector("magic_square", moves=DIAGONAL_WIN))
def detector() -> Found:
    """The algorithm tells who has won."""
    method = MagicSquare(GAME)
    wrong = sum(method.winner(position) is not position.winner for position in facts.reachable())
    return Found(wrong, f"Misjudged positions among all {len(facts.reachable()):,}.")


@cache
def _random_shares(position: Position) -> tuple[Fraction, Fraction, Fraction]:
    """How often X wins, O wins and nobody, when both choose among all moves alike."""
    if position.is_over:
        winner = position.winner
        return Fraction(winner is Mark.X), Fraction(winner is Mark.O), Fraction(winner is None)
    after = [_random_shares(position.play(cell).canonical()) for cell in position.moves()]
    x, o, draw = (sum(shares, Fraction()) / len(after) for shares in zip(*after, strict=True))
    return x, o, draw


@claim("gordon", None, see.match("random", "random", 100))
def random_games() -> Found:
    """Two random players play the sample game (how often each wins is not said)."""
    x, o, draw = _random_shares(GAME.start())
    note = f"X wins {x}, O wins {o} and {draw} of the games are drawn, exactly."
    return Found([round(float(share), 4) for share in (x, o, draw)], note, None)
