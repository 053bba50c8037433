"""Every checkable claim of the five sources beside the truth, computed afresh each time."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

# Importing the modules of the sources fills CLAIMS.
from noughts.lab.papers import gamescrafters, gordon, lastmove, minimax, prajoda, truth_tables  # noqa: F401
from noughts.lab.papers.claim import ABOUT, CLAIMS, NAMES, SOURCES, Claim, Ruling, summary
from noughts.progress import Progress, finish
from noughts.words import known

__all__ = [
    "ABOUT", "CLAIMS", "NAMES", "SOURCES", "Claim", "ClaimJudged", "Ruling", "UnknownSource", "chosen", "judge_all",
    "judging", "summary",
]  # fmt: skip


class UnknownSource(ValueError):
    """There is no source of this name."""


def chosen(source: str | None = None) -> list[Claim]:
    """The claims of one source, or of all, in the order of the sources."""
    if source is not None:
        known("source", source, SOURCES, UnknownSource)
    return [claim for name in SOURCES for claim in CLAIMS.values() if claim.source == name and source in (None, name)]


@dataclass(frozen=True)
class ClaimJudged(Progress):
    """A claim was judged."""

    verdict: Ruling


def judge_all(source: str | None = None) -> list[Ruling]:
    """The verdict on every claim, or on those of one source.

    >>> [verdict.holds for verdict in judge_all("gordon") if verdict.id == "gordon.forced_4x4_sets"]
    [False]
    """
    return finish(judging(source))


def judging(source: str | None = None) -> Generator[ClaimJudged, None, list[Ruling]]:
    """Judge every claim, or those of one source, and tell each verdict."""
    claims, verdicts = chosen(source), []
    for claim in claims:
        verdicts.append(claim.judge())
        yield ClaimJudged(f"checking {claim.source}", len(verdicts), len(claims), verdicts[-1])
    return verdicts


def __getattr__(name: str) -> object:
    from noughts.moved import find

    return find(__name__, name)
