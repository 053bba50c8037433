"""What a question may cost, which decides who answers it.

    milliseconds, at most
      up to QUICK    the event loop, on the spot: everybody else waits meanwhile
      up to SHORT    any worker
      above          a worker, but never the last one: that is left for the short questions

A cost is that of the slowest question of its size, with all that must be made for it first, on a slow machine. It is
known before anything is done, from sizes alone. `tests/test_web_cost.py` counts what the loop does for each.
"""

from __future__ import annotations

from math import comb, inf

from noughts.detect import labelling, no_labels
from noughts.native import core
from noughts.rules.game import Game
from noughts.rules.position import Position, Setup
from noughts.search.size import most
from noughts.solve.at_hand import MAX_CELLS
from noughts.solve.index import MAX_CELLS as MAX_SOLVED

QUICK, SHORT = 20.0, 2_000.0
SOME = 1_000.0  # what thinks about any move, or draws many boards
ORDERED = 16  # cells of a board of which an order of moves is found within some milliseconds
SMALL = 9 if core() else 6  # cells of a game that is solved within some milliseconds
AT_SIGHT = frozenset(  # players who look at lines and known values, and search nothing where a game is small
    ["random", "rules", "rules-as-printed", "perfect", "level-1", "level-2", "level-3", "level-4", "level-5"]
)


def of_judging(game: Game) -> float:
    """Whether a board can arise: where the order of its moves matters, one may have to be looked for."""
    return inf if not game.rule.any_order and game.cells > ORDERED else 0


def of_board(game: Game) -> float:
    """Reading a board, judging it, drawing it."""
    return game.cells / 250 + of_judging(game)


def of_values(game: Game, positions: int = 1) -> float:
    """All about so many positions of a game, what they are worth among it: the game may have to be solved first."""
    if game.cells <= SMALL:
        return QUICK
    return inf if game.cells <= MAX_CELLS else positions * (SOME / 2 + game.cells) + of_judging(game)


def of_replay(game: Game, moves: int) -> float:
    """The moves of a game, each with its position."""
    return QUICK + 5 + moves * game.cells / 200


def of_proof(game: Game) -> float:
    """A proof within a budget of nodes, and its strategy in words."""
    return SOME + game.cells / 2


def of_player(game: Game, name: str) -> float:
    """A move of a player, who may be told to think long: mcts:9000000."""
    if game.cells > SMALL or ":" in name:
        return inf
    return QUICK if name in AT_SIGHT else SOME


def of_search(board: Setup | Position, depth: int | None) -> float:
    """A search, however it is done, with its tree and its replay; or several of them, with neither."""
    nodes = most(board.game.cells - (board.x | board.o).bit_count(), depth, board.game.rule.most_moves)
    return nodes * (240 + 25 * board.game.cells) / 1000 + of_judging(board.game)


def of_labels(game: Game) -> float:
    """Whether labels can tell the lines of a board: equations of its lines, where that is tried (`no_labels`)."""
    sets = comb(game.cells, game.k)
    if game.cells > labelling.MAX_CELLS or sets > no_labels.MAX_SETS:
        return 0
    return game.cells**2 * game.line_count / 50 + sets / 250


def of_watching(game: Game) -> float:
    """The steps of detectors on a board, of which some ask for labels."""
    return 50 + game.cells / 2 + of_labels(game) + of_judging(game)


def of_prospect(game: Game) -> float:
    """What a solve takes: the sizes of all its levels, where it can be done."""
    return 100 + (20 * game.cells if game.cells <= MAX_SOLVED else 0)


def of_rows(number: int) -> float:
    """So many rows of a table."""
    return number / 20
