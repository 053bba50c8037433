"""What the prajoda source printed of its measurements (its figures 4.1 and 4.2): claims, never results of ours."""

from __future__ import annotations

from dataclasses import dataclass

ITERATIONS, TRIALS = 100_000, 5


@dataclass(frozen=True)
class Printed:
    """One line of its two tables: seconds for 100,000 calls with their standard deviation, percent, and KB."""

    traditional: float
    traditional_stdev: float
    boolean: float
    boolean_stdev: float
    improvement: float
    traditional_kb: float
    boolean_kb: float


PRINTED = {
    "row_win": Printed(0.134855, 0.00711596, 0.343146, 0.00972725, -154.456, 32, 26.4),
    "column_win": Printed(0.142307, 0.00542247, 0.355041, 0.00347737, -149.488, 33.6, 28.8),
    "diagonal_win": Printed(0.504028, 0.0133226, 0.368633, 0.00639232, 26.8626, 38.4, 43.2),
    "draw": Printed(0.507564, 0.00919174, 0.341384, 0.00967547, 32.7408, 44.8, 20.8),
    "early_game": Printed(0.513491, 0.010506, 0.392646, 0.00762509, 23.534, 37.6, 35.2),
}
