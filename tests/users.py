"""Files that users write: players of their own, and the functions of a classroom."""

from __future__ import annotations

from pathlib import Path


def written(folder: Path, source: str, name: str = "mine.py") -> Path:
    """A file with this source."""
    path = folder / name
    path.write_text(source, encoding="utf-8")
    return path


# A classroom file without a mistake.
RIGHT = """
import copy, functools
X, O, EMPTY = "X", "O", None
LINES = [[(i, j) for j in range(3)] for i in range(3)] + [[(i, j) for i in range(3)] for j in range(3)]
LINES += [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]
def initial_state(): return [[EMPTY] * 3 for _ in range(3)]
def player(board): return X if sum(row.count(X) for row in board) == sum(row.count(O) for row in board) else O
def actions(board): return {(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY}
def result(board, action):
    i, j = action
    if board[i][j] is not EMPTY: raise ValueError("taken")
    after = [list(row) for row in board]
    after[i][j] = player(board)
    return after
def winner(board):
    for line in LINES:
        marks = {board[i][j] for i, j in line}
        if len(marks) == 1 and EMPTY not in marks: return marks.pop()
    return None
def terminal(board): return winner(board) is not None or not actions(board)
def utility(board): return {X: 1, O: -1, None: 0}[winner(board)]
@functools.cache
def worth(board):
    board = [list(row) for row in board]
    if terminal(board): return utility(board)
    return (max if player(board) == X else min)(worth(key(result(board, action))) for action in actions(board))
def key(board): return tuple(map(tuple, board))
def minimax(board):
    if terminal(board): return None
    return (max if player(board) == X else min)(actions(board), key=lambda action: worth(key(result(board, action))))
"""
