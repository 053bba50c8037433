"""Every checkable claim of the five sources beside the truth, computed afresh each time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from difflib import get_close_matches

from noughts.lab.papers import gamescrafters, gordon, lastmove, minimax, prajoda, strategy
from noughts.lab.papers.claim import CLAIMS, SOURCES, Claim, Verdict

__all__ = ["CLAIMS", "SOURCES", "Claim", "UnknownSource", "Verdict", "judge_all"]

_MODULES = (prajoda, gordon, lastmove, gamescrafters, minimax, strategy)  # importing them fills CLAIMS


class UnknownSource(ValueError):
    """There is no source of this name."""


def judge_all(
    source: str | None = None, progress: Callable[[str, int, int], None] = lambda what, done, total: None
) -> Iterator[Verdict]:
    """The verdict on every claim, or on those of one source.

    >>> [verdict.holds for verdict in judge_all("gordon") if verdict.id == "gordon.forced_4x4_sets"]
    [False]
    """
    if source is not None and source not in SOURCES:
        near = get_close_matches(source, SOURCES, 1)
        hint = f"did you mean {near[0]}?" if near else f"they are {', '.join(SOURCES)}"
        raise UnknownSource(f"there is no source {source[:40]!r}: {hint}")
    chosen = [claim for name in SOURCES for claim in CLAIMS.values() if claim.source == name and source in (None, name)]
    for done, claim in enumerate(chosen):
        progress(f"checking {claim.source}", done, len(chosen))
        yield claim.judge()
