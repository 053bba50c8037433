"""What can be asked of a search, checked once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from noughts.words import known, whole

Algorithm = Literal["minimax", "alphabeta"]
Window = Literal["each", "carried"]
Order = Literal["natural", "centre", "evaluation", "best-known"]
ALGORITHMS, WINDOWS, ORDERS = get_args(Algorithm), get_args(Window), get_args(Order)


class InvalidSearch(ValueError):
    """These are not options of a search."""


@dataclass(frozen=True)
class Options:
    """How to search.

    algorithm   minimax looks at the whole tree; alphabeta skips what cannot matter
    depth       how many plies to look ahead; None: to the end of every game
    window      each: every root move with a full window of its own, the root not counted, as in the minimax source;
                carried: alpha and beta are carried from root move to root move, and the root is counted
    order       in which order moves are tried:
                natural     ascending by cell
                centre      nearest to the centre of the board first
                evaluation  best for the player to move by the evaluation after the move first
                best-known  best by the true score first, known from a search of the same depth beforehand whose
                            nodes are not counted: what a perfect guess would save
    table       remember scores: a position that comes up again is entered, but not searched again
    symmetry    of moves that lead to symmetric positions search only the first; the table, too, knows them as one
    deepening   search to depth 1, 2, 3, …, each time trying first the move that was best the time before
    """

    algorithm: str = "alphabeta"
    depth: int | None = None
    window: str = "each"
    order: str = "natural"
    table: bool = False
    symmetry: bool = False
    deepening: bool = False

    def __post_init__(self) -> None:
        known("algorithm", self.algorithm, ALGORITHMS, InvalidSearch)
        known("window", self.window, WINDOWS, InvalidSearch)
        known("order", self.order, ORDERS, InvalidSearch)
        if self.depth is not None:
            object.__setattr__(self, "depth", whole("depth", self.depth, 1, refuse=InvalidSearch))

    @property
    def plain(self) -> bool:
        """Is it the bare algorithm of the source?"""
        return self.order == "natural" and not (self.table or self.symmetry or self.deepening)

    def __str__(self) -> str:
        order = [] if self.order == "natural" else [f"{self.order} order"]
        extras = [name for name in ("table", "symmetry", "deepening") if getattr(self, name)]
        return " + ".join([self.algorithm, *order, *extras])
