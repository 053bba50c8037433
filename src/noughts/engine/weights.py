"""The worth of shapes: what the evaluation adds for each free cell, by its pair. benchmarks/_engine_weights.py made it.

A row is a cell's best shape, from none to five; along it the second best, up to the first. The numbers are hundredths
of a unit of log-odds, for a cell of the player to move and for one of the other: a score of 100 more multiplies the
odds of winning by e.
"""

from __future__ import annotations

TEMPO = -1
MOVER = [
    [0],
    [-1, -4],
    [-7, -7, -8],
    [-7, -6, -8, -5],
    [-4, -2, -9, -4, 2],
    [0, -2, -4, -5, 7, 7],
    [1, -5, 8, 6, 30, 16, 14],
    [3, -4, 15, 14, 33, 14, 60, 16],
    [30, 30, 30, 30, 30, 30, 35, 36, 48],
    [0, 0, 0, 0, 0, 0, 5, 6, 18, 0],
]
WAITER = [
    [0],
    [1, -4],
    [-7, -7, -9],
    [-7, -6, -8, -4],
    [-4, -3, -10, -4, -1],
    [0, -1, -5, -6, 8, 5],
    [1, -13, 5, 8, 19, 17, 17],
    [3, -8, 12, 12, 30, 14, 60, 250],
    [250, 250, 250, 250, 250, 250, 250, 250, 250],
    [0, 0, 0, 0, 0, 0, 5, 6, 18, 0],
]
SCALE = 105  # by which a score of the search is divided before it becomes log-odds, as games tell
FOUND = 0.99  # the chance that a win which the search has found is one, as games tell
