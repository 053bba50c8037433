"""The boards that are measured: the five of the prajoda source, and larger ones.

The source gives its five boards only as a picture. These fit its descriptions, and its times: there the row and
the column win take the traditional method about a quarter of the time of a whole scan, so its first row and first
column must hold them (that method looks at row i and column i in turn, then at the diagonals).

    row_win    column_win    diagonal_win    draw     early_game
    X X X      X O .         X O .           X O X    X . .
    O O .      X O .         O X O           X O O    . O .
    . . .      X . .         X . X           O X X    . . .
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from noughts.rules.answer import Answer
from noughts.rules.game import Cell
from noughts.rules.position import Position


@dataclass(frozen=True)
class Scenario(Answer):
    """A board to be judged, and the move that led to it."""

    keys = "scenario=name title position=text board=position#"

    name: str
    title: str
    text: str
    last: str
    source: str = "noughts"  # whose board it is

    @cached_property
    def position(self) -> Position:
        """The position on the board."""
        return Position.parse(self.text)

    @cached_property
    def cell(self) -> Cell:
        """The cell that was played last."""
        return self.position.cell(self.last)


SCENARIOS = {
    scenario.name: scenario
    for scenario in (
        Scenario("row_win", "Row win", "XXX/OO./...", "c3", "prajoda"),
        Scenario("column_win", "Column win", "XO./XO./X..", "a1", "prajoda"),
        Scenario("diagonal_win", "Diagonal win", "XO./OXO/X.X", "c1", "prajoda"),
        Scenario("draw", "Full-board draw", "XOX/XOO/OXX", "c1", "prajoda"),
        Scenario("early_game", "Early game", "X../.O./...", "b2", "prajoda"),
        Scenario("win_4x4", "Diagonal win on 4x4", "4x4k4:XO../OX../O.X./...X", "d1"),
        Scenario("win_5x5", "Column win on 5x5", "5x5k5:XO.../XO.../XO.../XO.../X....", "a1"),
        Scenario(
            "win_15x15",
            "Five in a row on 15x15",
            "15x15k5:.............../.............../.....X........./....XO.XO....../...XXOOOOX...../"
            "..OXOOOXXO...../..X.OOXOXOX..../...OOXOXXXXO.../..XXO.X.OOOX.../....XO...X...../"
            "......O......../.......X......./.............../.............../...............",
            "i12",
        ),
        Scenario(
            "draw_15x15",
            "Full-board draw on 15x15",
            "15x15k5:" + "/".join(("XXOOXXOOXXOOXXO", "OOXXOOXXOOXXOOX")[row % 2] for row in range(15)),
            "h8",
        ),
    )
}
PUBLISHED = tuple(name for name, scenario in SCENARIOS.items() if scenario.source == "prajoda")

# What the prajoda source printed of its measurements (its figures 4.1 and 4.2): claims, never results of ours.
ITERATIONS, TRIALS = 100_000, 5


@dataclass(frozen=True)
class Printed:
    """A line of its two tables: seconds for 100,000 calls with their standard deviation, percent, and KB."""

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
