"""Solving: every position of a game, with what it is worth when both sides play as well as can be.

plain.py      the definition of right: every position once, remembered
index.py      where the byte of a position lies in its level, and what it says
backends/     who solves: the native core, its plain twin; one registry
strong.py     solve(game): asks a backend; job.py is what it tells meanwhile, summary.py what it counts
levelfile.py  a level as a file; folder.py saves levels so that a crash harms nothing
parts.py      a level as a row of parts, and the task that makes one; blocks.py makes their blocks, store.py has them
by_parts.py   solving on disk: layout.py keeps to a limit of memory, ledger.py knows what is done; cluster.py: by Dask
planning.py   what that would take
solution.py   Solution: answers from a folder or from memory; arrays.py, export.py, verification.py serve it
at_hand.py    which solution answers; cache.py has those that were made once, on the disk
atlas.py      the table of solved games
problems.py   what can be wrong; machine.py what there is of memory and processors
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noughts.solve.at_hand import forget, use
from noughts.solve.problems import DatabaseError, TooLarge

if TYPE_CHECKING:
    from noughts.solve.solution import Solution
    from noughts.solve.strong import expect, solve, solving
    from noughts.solve.summary import Summary
    from noughts.solve.verification import verify, verifying

__all__ = [
    "DatabaseError", "Solution", "Summary", "TooLarge", "expect", "forget", "solve", "solving", "use", "verify",
    "verifying",
]  # fmt: skip

# Names that would make `import noughts` heavy, and where they live.
_LATER = {
    "solution": "Solution",
    "strong": "expect solve solving",
    "summary": "Summary",
    "verification": "verify verifying",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    for home, names in _LATER.items():
        if name in names.split():
            return getattr(import_module(f"{__name__}.{home}"), name)
    return import_module("noughts.moved").find(__name__, name)
