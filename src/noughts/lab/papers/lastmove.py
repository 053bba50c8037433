"""The claims of the article on detecting the end by the last move."""

from __future__ import annotations

from itertools import product, takewhile
from math import log2

from noughts.detect.exhibits import SingleLoop
from noughts.detect.labelling import exact_labelling
from noughts.detect.last_move import LastMove
from noughts.lab.papers import facts, see
from noughts.lab.papers.claim import Found, Shown, claim
from noughts.lab.papers.facts import GAME
from noughts.rules.game import Cell, Game
from noughts.rules.marks import Status, X
from noughts.rules.position import Position
from noughts.words import listing

ROW_WIN = "a3,a2,b3,b2,c3"
ANY_K = ("3x3k2", "2x5k3", "5x2k3", "2x4k2", "1x8k3")


def _printed_check(position: Position, cell: Cell, win_length: int | None = None) -> bool:
    """The printed test of the last move: each path from its very start, stopping at the first other mark.

    With a win length, the change that the article proposes: the same loops, won once that many are counted.
    """
    side = position.game.columns
    x, y = divmod(cell, side)
    own = position.game.cells_of(position.o if position.turn is X else position.x)
    paths = [[(x, i) for i in range(side)], [(i, y) for i in range(side)]]
    if x == y:
        paths.append([(i, i) for i in range(side)])
    if x + y == side - 1:
        paths.append([(i, side - 1 - i) for i in range(side)])
    counts = [len(list(takewhile(lambda at: at[0] * side + at[1] in own, path))) for path in paths]
    return max(counts) >= (win_length or side)


def _printed_errors(game: Game, win_length: int | None = None) -> tuple[int, int]:
    """Over all moves of all reachable positions: on how many the printed test and the rules disagree."""
    played = [(position.play(cell), cell) for position in facts.reachable(game) for cell in position.moves()]
    return sum(_printed_check(after, cell, win_length) is (after.winner is None) for after, cell in played), len(played)


@claim("lastmove", "exponential", see.bench(experiment="growth"))
def exponential() -> Found:
    """The number of win patterns grows exponentially with board size."""
    degree = log2(Game(200, 200, 5).line_count / Game(100, 100, 5).line_count)
    return Found("polynomial", f"From n = 100 to 200 with k = 5 it grows like n^{degree:.2f}; with k = n it is 2n + 2.")


@claim("lastmove", 2, see.bench(experiment="growth"))
def quadratic() -> Found:
    """The number of win patterns is O(n^2)."""
    degree = log2(Game(200, 200, 5).line_count / Game(100, 100, 5).line_count)
    note = f"With k = 5 it grows like n^{degree:.2f}, which contradicts the exponential growth above."
    return Found(round(degree), note)


@claim("lastmove", True, see.detector("line_masks", game="5x5k5"))
def lines_k_equals_n() -> Found:
    """For full lines on an n x n board the patterns are the rows, columns and two diagonals."""
    sides = range(2, 30)
    return Found(all(Game(n, n, n).line_count == 2 * n + 2 for n in sides), "2n + 2, checked for n from 2 to 29.")


@claim("lastmove", 0, see.detector("line_masks", game="4x5k4"))
def line_formula() -> Found:
    """Any board: with r = R - k + 1 and c = C - k + 1 (not below 0) there are Rc + Cr + 2rc lines."""
    wrong = boards = 0
    for rows, columns in product(range(1, 9), repeat=2):
        for k in range(2, max(rows, columns) + 1):
            r, c = max(0, rows - k + 1), max(0, columns - k + 1)
            boards += 1
            wrong += len(set(Game(rows, columns, k).lines())) != rows * c + columns * r + 2 * r * c
    note = f"Boards on which the lines, listed one by one, are not so many; of {boards} boards up to 8 x 8."
    return Found(wrong, note)


@claim("lastmove", 0, see.detector("last_move", moves=ROW_WIN))
def insight() -> Found:
    """A win can only arise through the most recent move."""
    exceptions = sum(
        any(cell not in line for line in after.lines())
        for position in facts.reachable()
        for cell in position.moves()
        if (after := position.play(cell)).winner
    )
    return Found(exceptions, "Winning moves on 3x3 with a completed line that does not pass through them.")


@claim("lastmove", 0, see.detector("last_move", moves=ROW_WIN))
def exact_for_full_lines() -> Found:
    """Checking the row, column and diagonals of the last move is enough."""
    errors, moves = _printed_errors(GAME)
    return Found(errors, f"Wrong verdicts of the printed test over all {moves:,} moves on 3x3, where k = n.")


@claim("lastmove", 0, see.detector("last_move", game="3x3k2", moves="c3,a1,b3"))
def simple_change() -> Found:
    """For k < n it is enough to replace i == n-1 by a count of consecutive marks."""
    game = Game(3, 3, 2)
    errors, moves = _printed_errors(game, game.k)
    why = "the loops stop at the first other mark and know only the two main diagonals"
    return Found(errors, f"Wrong verdicts over all {moves:,} moves on {game}: {why}.")


@claim("lastmove", 0, see.detector("last_move", game="2x5k3", moves="b1,b2,d1,d2,c1"))
def any_k() -> Found:
    """The idea, checking only lines through the last move, works for any board and any k."""
    methods = [LastMove(Game.parse(name)) for name in ANY_K]
    wrong = sum(each.winner(p) is not p.winner for each in methods for p in facts.reachable(each.game))
    return Found(wrong, f"Misjudged positions of {listing(ANY_K)}, with runs counted both ways from the move.")


@claim("lastmove", True, see.detector("last_move", game="5x5k5", moves="c3"))
def four_paths() -> Found:
    """Only 4 paths of at most n cells need a look, instead of every pattern."""
    most = {n: max(sum(cell in line for line in Game(n, n, n).lines()) for cell in range(n * n)) for n in range(3, 9)}
    return Found(max(most.values()) <= 4, "With k = n no cell lies on more than 4 lines, for n from 3 to 8.")


@claim("lastmove", True, see.detector("single_loop", "3x3k2:XOX/.../..."))
def single_loop() -> Found:
    """Counting marks without asking whether they touch may misjudge."""
    failure = SingleLoop.smallest_failure()
    return Found(True, f"A smallest board that it misjudges: {failure}.")


@claim("lastmove", True, see.detector("single_loop", moves=ROW_WIN))
def single_loop_full() -> Found:
    """Counting without adjacency may misjudge (said without a limit, so of 3x3 with three in a row too)."""
    errors = sum(1 for _ in SingleLoop(GAME).failures())
    return Found(bool(errors), f"It misjudges {errors} positions there: with k = n three marks on a line always touch.")


@claim("lastmove", True, see.detector("magic_labels", game="5x5k5"))
def magic_limited() -> Found:
    """The magic-square method is limited to 3x3."""
    exists = exact_labelling(Game(5, 5, 5)).is_exact(Game(5, 5, 5))
    return Found(not exists, "Labels that make it exact on 5x5 exist too, though not 1 to 25.")


def _new_board() -> list[str | None]:
    """What Java makes of `new State[n][n]`: null, which is not BLANK."""
    return [None] * 9


def _squares() -> Shown:
    rows = [[str(cell), "null", "BLANK", "no"] for cell, square in enumerate(_new_board()) if square != "BLANK"]
    return Shown(["square", "holds", "must hold", "move accepted"], rows, list(range(len(rows))))


@claim("lastmove", True, shows=_squares)
def printed_moves() -> Found:
    """The printed program accepts a move on an empty square."""
    accepted = sum(square == "BLANK" for square in _new_board())
    return Found(accepted > 0, f"The array is never filled with BLANK: {accepted} of 9 first moves are accepted.")


def _loop() -> list[tuple[int, int]]:
    """The row and the column of each board[x][i] that the loop looks at, for a move in the middle."""
    x, n = 1, 3
    return [(x, i) for i in range(n)]


def _loop_shown() -> Shown:
    rows = [[f"board[{row}][{column}]", str(row), str(column)] for row, column in _loop()]
    return Shown(["looked at", "row", "column"], rows, [])


@claim("lastmove", "column", shows=_loop_shown)
def comments() -> Found:
    """The loop over board[x][i] checks the column of the move, if x is the row."""
    along = "row" if len({row for row, _ in _loop()}) == 1 else "column"
    return Found(along, "The first index stays: it runs along a row. The comments are swapped.")


@claim("lastmove", 0, see.analyse("XOX/XOO/OXX"))
def draw_by_count() -> Found:
    """A draw is known by the number of moves, with no scan of the board."""
    wrong = sum((p.marks == 9 and not p.winner) is not (p.status is Status.DRAW) for p in facts.reachable())
    full_wins = sum(position.marks == 9 and position.winner is not None for position in facts.reachable())
    return Found(wrong, f"Misjudged positions. The win is tested first: {full_wins} full boards are wins.")
