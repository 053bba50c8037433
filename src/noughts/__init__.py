"""noughts: the laboratory for tic-tac-toe and every k-in-a-row game.

>>> import noughts
>>> position = noughts.Position.parse("XO./.X./..O")
>>> noughts.value(position)
Value(outcome='win', remoteness=3)
"""

TYPE_CHECKING = False  # as type checkers know it: typing itself takes a while to load

if TYPE_CHECKING:
    from noughts.account import review
    from noughts.analysis import Analysis, analyze
    from noughts.play import certify
    from noughts.proofs import Verdict, best_moves, move_values, value, verdict
    from noughts.rules.board import Board
    from noughts.rules.game import Cell, Game, InvalidGame, Line
    from noughts.rules.marks import Mark, Status
    from noughts.rules.notation import NotationError
    from noughts.rules.perft import perft
    from noughts.rules.position import IllegalMove, InvalidPosition, Position, Setup
    from noughts.rules.value import Value
    from noughts.solve import Solution

# The public names, and where each lives: loaded when first asked for, since the command sees to Ctrl-C before anything.
_HOMES = {
    "analysis": "Analysis analyze",
    "account": "review",
    "play": "certify",
    "proofs": "Verdict best_moves move_values value verdict",
    "rules.board": "Board",
    "rules.game": "Cell Game InvalidGame Line",
    "rules.marks": "Mark Status",
    "rules.notation": "NotationError",
    "rules.perft": "perft",
    "rules.position": "IllegalMove InvalidPosition Position Setup",
    "rules.value": "Value",
    "solve": "Solution",
}

__all__ = [
    "Analysis", "Board", "Cell", "Game", "IllegalMove", "InvalidGame", "InvalidPosition", "Line", "Mark",
    "NotationError", "Position", "Setup", "Solution", "Status", "Value", "Verdict", "analyze", "best_moves", "certify",
    "move_values", "perft", "review", "value", "verdict",
]  # fmt: skip

if not TYPE_CHECKING:
    import sys

    class _Moved:
        """Finds the modules that had another name before 0.2: noughts.position is asked for, and nobody else has it."""

        @staticmethod
        def find_spec(name, path=None, target=None):
            if not name.startswith("noughts."):
                return None
            from noughts.moved import spec

            return spec(name)

    sys.meta_path.append(_Moved)

    def __getattr__(name):
        from importlib import import_module

        for home, names in _HOMES.items():
            if name in names.split():
                found = globals()[name] = getattr(import_module(f"noughts.{home}"), name)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *__all__})
