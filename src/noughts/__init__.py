"""noughts: the laboratory for tic-tac-toe and every k-in-a-row game.

>>> import noughts
>>> position = noughts.Position.parse("XO./.X./..O")
>>> noughts.value(position)
Value(outcome='win', remoteness=3)
"""

from noughts.game import Cell, Game, InvalidGame, Line
from noughts.notation import NotationError
from noughts.position import Board, IllegalMove, InvalidPosition, Mark, Position, Status
from noughts.solve import Value, best_moves, move_values, value

__all__ = [
    "Board",
    "Cell",
    "Game",
    "IllegalMove",
    "InvalidGame",
    "InvalidPosition",
    "Line",
    "Mark",
    "NotationError",
    "Position",
    "Status",
    "Value",
    "best_moves",
    "move_values",
    "value",
]
