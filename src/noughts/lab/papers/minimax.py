"""The claims of the report on minimax and alpha-beta."""

from __future__ import annotations

from functools import cache
from math import inf
from typing import Any

from noughts.evaluate import evaluate, open_lines
from noughts.lab.papers import see
from noughts.lab.papers.claim import Found, claim, enter
from noughts.lab.papers.facts import GAME
from noughts.rules.marks import X
from noughts.rules.notation import format_moves
from noughts.rules.position import Position
from noughts.search import Result, search

EXAMPLE = Position.parse(".X./O../X.O")
EACH = see.search(EXAMPLE, "minimax", window="each")
EACH_CUT = see.search(EXAMPLE, "alphabeta", window="each")
CARRIED = see.search(EXAMPLE, "alphabeta", window="carried")
ONE_MOVE = see.search(EXAMPLE, "minimax", window="each", depth="1")


@cache
def _searched(algorithm: str, window: str = "each", order: str = "natural") -> Result:
    options: dict[str, Any] = {"window": window, "order": order}
    return search(EXAMPLE, algorithm, **options)


def _each(algorithm: str, what: str) -> list[float]:
    return [getattr(move, what) for move in _searched(algorithm).moves]


def _as_printed(position: Position) -> float:
    """Minimax with MIN started at minus infinity, as its listing has it."""
    if position.is_over:
        return evaluate(position)
    choose = max if position.turn is X else min
    return choose(-inf, *(_as_printed(position.play(cell)) for cell in position.moves()))


enter("minimax.lines", "Eight lines are evaluated: three rows, three columns, two diagonals.", 8, ONE_MOVE)(
    lambda: Found(GAME.line_count, "All lines of 3x3.")
)
enter("minimax.moves", "X has five possible moves.", 5, EACH)(
    lambda: Found(len(EXAMPLE.moves()), "The free cells of the example.")
)
enter("minimax.values", "The minimax values of the five moves.", [0, 5, 5, 0, -8], EACH)(
    lambda: Found(_each("minimax", "score"), "In ascending order of the cells.")
)
enter("minimax.nodes_per_move", "Nodes expanded by minimax for each move.", [47, 35, 39, 61, 43], EACH)(
    lambda: Found(_each("minimax", "nodes"), "Each move searched on its own, itself counted.")
)
enter("minimax.nodes", "Minimax visits 225 nodes.", 225, EACH)(
    lambda: Found(_searched("minimax").nodes, "The sum over the five moves; the root is not counted.")
)
enter("minimax.alphabeta_values", "Alpha-beta finds the same values.", [0, 5, 5, 0, -8], EACH_CUT)(
    lambda: Found(_each("alphabeta", "score"), "Each move with a full window of its own.")
)
enter("minimax.alphabeta_nodes_per_move", "Nodes visited by alpha-beta for each move.", [20, 17, 31, 42, 34], EACH_CUT)(
    lambda: Found(_each("alphabeta", "nodes"), "Each move with a full window of its own.")
)
enter("minimax.alphabeta_nodes", "Alpha-beta visits 144 nodes.", 144, EACH_CUT)(
    lambda: Found(_searched("alphabeta").nodes, "The sum over the five moves.")
)
enter("minimax.alphabeta_prunes_per_move", "Prunes of alpha-beta for each move.", [6, 6, 6, 14, 6], EACH_CUT)(
    lambda: Found(_each("alphabeta", "prunes"), "Cut-off events, after the last child included.")
)
enter("minimax.alphabeta_prunes", "38 pruning operations.", 38, EACH_CUT)(
    lambda: Found(_searched("alphabeta").prunes, "The sum over the five moves.")
)


@claim("minimax", 144, CARRIED)
def carried_nodes() -> Found:
    """Alpha-beta visits 144 nodes in all (each root move is given a window of its own)."""
    carried = _searched("alphabeta", "carried")
    note = f"With the window carried from move to move, as is meant, and {carried.prunes} prunes; the root is counted."
    return Found(carried.nodes, note)


@claim("minimax", 38, CARRIED)
def carried_prunes() -> Found:
    """Alpha-beta prunes 38 times in all (each root move is given a window of its own)."""
    return Found(_searched("alphabeta", "carried").prunes, "With the window carried from move to move.")


enter("minimax.best", "The optimal move is (1,3), top right.", ["c3"], EACH)(
    lambda: Found(format_moves(GAME, _searched("minimax").best), "Top right and the centre have the same value.")
)


@claim("minimax", "centre", see.analyse(EXAMPLE))
def centre() -> Found:
    """The move (1,3) takes the centre."""
    cell = EXAMPLE.cell((0, 2))
    return Found("centre" if cell == 4 else "corner", "Row 1, column 3 is the top right corner; the centre is (2,2).")


enter("minimax.centre_lines", "The centre is part of 4 lines.", 4, see.detector("last_move", EXAMPLE, moves="b2"))(
    lambda: Found(sum(4 in line for line in GAME.lines()), "Its row, its column and both diagonals.")
)


@claim("minimax", 5, EACH)
def listing() -> Found:
    """The printed listing, with MIN started at minus infinity, gives the value 5."""
    score = _as_printed(EXAMPLE)
    note = "MIN takes the smaller of minus infinity and anything: it must start at plus infinity."
    return Found("-infinity" if score == -inf else score, note)


enter("minimax.start_evaluation", "The example is even before X moves: its evaluation is 0.", 0, ONE_MOVE)(
    lambda: Found(evaluate(EXAMPLE), "The open lines of both sides balance.")
)
enter("minimax.centre_evaluation", "After a move at the centre the evaluation is 6.", 6, ONE_MOVE)(
    lambda: Found(evaluate(EXAMPLE.play(4)), "By the formula 8 X3 + 3 X2 + X1 - (8 O3 + 3 O2 + O1).")
)
enter("minimax.corner_evaluation", "The move (1,3) maximises the evaluation: it is 6 after it.", 6, ONE_MOVE)(
    lambda: Found(evaluate(EXAMPLE.play(2)), "After top right it is less than after the centre.")
)


@claim("minimax", {"X1": 0, "X2": 3, "O1": 0, "O2": 1}, ONE_MOVE)
def breakdown() -> Found:
    """The 6 comes from three lines X2 and one line O2."""
    lines = open_lines(EXAMPLE.play(4))
    note = f"3 x {lines.x[2]} + {lines.x[1]} - {lines.o[1]} is {evaluate(EXAMPLE.play(4))} too, by other lines."
    return Found({"X1": lines.x[1], "X2": lines.x[2], "O1": lines.o[1], "O2": lines.o[2]}, note)


enter("minimax.bottom_row", "The bottom row has two O's and is open.", 2, see.analyse(EXAMPLE))(
    lambda: Found((EXAMPLE.o & GAME.bits_of([6, 7, 8])).bit_count(), "It holds one O, and an X.")
)


@claim("minimax", True, EACH_CUT)
def reduction() -> Found:
    """Alpha-beta explores fewer nodes than minimax."""
    full, cut = _searched("minimax").nodes, _searched("alphabeta").nodes
    return Found(cut < full, f"{100 * (full - cut) / full:.0f} % fewer: {cut} instead of {full}.")


@claim("minimax", True, see.search(EXAMPLE, "alphabeta", window="carried", order="best-known"))
def ordering() -> Found:
    """A better order of moves could improve alpha-beta further."""
    natural, ordered = _searched("alphabeta", "carried"), _searched("alphabeta", "carried", "best-known")
    note = f"Best-known moves first: {ordered.nodes} nodes instead of {natural.nodes}."
    return Found(ordered.nodes < natural.nodes, note)


enter("minimax.bounds", "On 3x3 the branching factor and the depth are at most 9.", [9, 9], see.search(depth="1"))(
    lambda: Found([len(GAME.start().moves()), GAME.cells], "Both fall by one with each move.")
)
enter("minimax.agree", "Both algorithms agree on the optimal moves.", True, EACH)(
    lambda: Found(_searched("minimax").best == _searched("alphabeta").best, "Same scores, same best moves.")
)
