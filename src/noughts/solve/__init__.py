"""Solving: every position of a game, with what it is worth when both sides play as well as can be.

plain.py      the definition of right: every position once, remembered
strong.py     solve(game): every position of a game, natively; levels.py is its plain twin
summary.py    what a solve counts
index.py      where the byte of a position lies in its level, and what it says
levelfile.py  a level as a file; folder.py saves levels so that a crash harms nothing
database.py   Solution: answers from a folder or from memory; arrays.py, export.py, verification.py serve it
known.py      which solution answers; cache.py says where the user's are kept
atlas.py      the table of solved games
problems.py   what can be wrong; machine.py what there is of memory and processors; show.py the commands' output
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noughts.solve.known import forget, use
from noughts.solve.problems import DatabaseError, TooLarge

if TYPE_CHECKING:
    from noughts.solve.database import Solution
    from noughts.solve.strong import expect, solve
    from noughts.solve.summary import Summary
    from noughts.solve.verification import verify

__all__ = [
    "DatabaseError",
    "Solution",
    "Summary",
    "TooLarge",
    "expect",
    "forget",
    "solve",
    "use",
    "verify",
]

# Names that would make `import noughts` heavy, and where they live.
_LATER = {
    "Solution": "database",
    "Summary": "summary",
    "expect": "strong",
    "solve": "strong",
    "verify": "verification",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
