"""Reproduce the five papers: every figure they give, computed afresh, and the ones that do not hold.

    python examples/papers.py            all five, some seconds
    python examples/papers.py gordon     one of them

What depends on the machine (times, memory) is measured by `noughts bench` and has no verdict here.
"""

from __future__ import annotations

import sys

from noughts.lab.papers import CLAIMS, SOURCES


def main(chosen: list[str]) -> None:
    for source in chosen or SOURCES:
        verdicts = [claim.judge() for claim in CLAIMS.values() if claim.source == source]
        holding = sum(verdict.holds is True for verdict in verdicts)
        wrong = [verdict for verdict in verdicts if verdict.holds is False]
        print(f"{SOURCES[source]}: {holding} claims hold, {len(wrong)} do not")
        for verdict in wrong:
            print(f"  {verdict.claim}")
            print(f"      it says {verdict.claimed}, and it is {verdict.computed}. {verdict.note}")
        print()


if __name__ == "__main__":
    main(sys.argv[1:])
