"""The worth of shapes: what the evaluation adds for each free cell, by its pair. benchmarks/_engine_weights.py made it.

A row is a cell's best shape, from none to five; along it the second best, up to the first. The numbers are hundredths
of a unit of log-odds, for a cell of the player to move and for one of the other: a score of 100 more multiplies the
odds of winning by e.
"""

from __future__ import annotations

TEMPO = 7
MOVER = [
    [0],
    [7, -2],
    [-2, 0, -3],
    [1, 0, 0, -2],
    [-4, 1, -3, 2, 10],
    [6, -7, 5, 7, 17, 2],
    [-1, -5, 19, 8, 39, 13, 36],
    [8, 16, 21, 17, 45, 14, 60, 16],
    [30, 30, 30, 30, 30, 30, 35, 36, 48],
    [0, 0, 0, 0, 0, 0, 5, 6, 18, 0],
]
WAITER = [
    [0],
    [1, 3],
    [-1, 0, -3],
    [2, 2, 0, -1],
    [-4, -2, -4, 1, 7],
    [0, -1, 4, 8, 15, 5],
    [5, -5, 14, 10, 28, 22, 18],
    [9, 15, 21, 10, 39, 19, 65, 250],
    [250, 250, 250, 250, 250, 250, 250, 250, 250],
    [0, 0, 0, 0, 0, 0, 5, 6, 18, 0],
]
SCALE = 130  # by which a score of the search is divided before it becomes log-odds, as games tell
FOUND = 0.99  # the chance that a win which the search has found is one, as games tell
