"""noughts: the laboratory for tic-tac-toe and every k-in-a-row game.

>>> import noughts
>>> position = noughts.Position.parse("XO./.X./..O")
>>> noughts.value(position)
Value(outcome='win', remoteness=3)
"""

TYPE_CHECKING = False  # as type checkers know it: typing itself takes a while to load

if TYPE_CHECKING:
    from noughts.game import Cell, Game, InvalidGame, Line
    from noughts.notation import NotationError
    from noughts.position import Board, IllegalMove, InvalidPosition, Mark, Position, Status
    from noughts.solve import Value, best_moves, move_values, value  # type: ignore[no-redef]  # also the module value

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

HOMES = ("game", "notation", "position", "solve")

if not TYPE_CHECKING:

    def __getattr__(name):
        """A public name, loaded when it is first asked for: the command sees to Ctrl-C before it loads anything."""
        from importlib import import_module

        if name in HOMES:
            return import_module(f"noughts.{name}")
        if name in __all__:
            homes = (import_module(f"noughts.{home}") for home in HOMES)
            found = globals()[name] = next(vars(home)[name] for home in homes if name in vars(home))
            return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *__all__})
