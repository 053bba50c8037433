"""Exact labels: positions with what a perfect player knows of them, for people who train models or test them.

label       value, remoteness and best moves of a position, from a solution of its game or by exact search
dataset     many labelled positions in a file, split so that no two splits share a position up to symmetry
formats     the files that they are written to          card     what describes such a file
predictions how often somebody's moves keep the value
"""

from __future__ import annotations

from noughts.labels.dataset import Dataset, making_dataset
from noughts.labels.predictions import PredictionScore, scoring

__all__ = ["Dataset", "PredictionScore", "making_dataset", "scoring"]
