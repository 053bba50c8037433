"""The papers' claims as a process of its own: `python -m noughts.web.judging` tells each verdict (`process`).

    {"event": "progress", "level": 0, "total": 149, "sources": […], "claims": […]}       what is to be judged
    {"event": "progress", "level": 1, "verdict": {…}, "seconds": 0.1}                    one row
    {"event": "summary", "verdicts": […], "sentence": "149 claims: …", "seconds": 4.2}   the rows of `papers --json`

The word, if there is one, names the source whose claims are judged. Rows have their values in words, too.
"""

from __future__ import annotations

from typing import Any

from noughts.lab.papers import ABOUT, CLAIMS, SOURCES, Claim, ClaimJudged, Ruling, chosen, judging
from noughts.lab.papers.page import plain, summary
from noughts.progress import finish
from noughts.web.process import Clock, carry_out, say


def row(verdict: Ruling) -> dict[str, Any]:
    """A row of `noughts papers --json`, its values in words, and the small table that shows it, if there is one."""
    words = {"claimed_text": plain(verdict.claimed), "computed_text": plain(verdict.computed)}
    shows = CLAIMS[verdict.id].shows
    return verdict.to_json() | words | {"table": shows().to_json() if shows else None}


def waiting(claim: Claim) -> dict[str, Any]:
    """What is known of a claim before it is judged."""
    about = {"id": claim.id, "source": claim.source, "claim": claim.text, "see": claim.see}
    return about | {"claimed_text": plain(claim.claimed)}


def sources() -> list[dict[str, str]]:
    """The five sources: what each is called, in short and in full, and what it is."""
    names = {"lastmove": "Last move", "gamescrafters": "GamesCrafters"}
    return [
        {"source": source, "name": names.get(source, source.title()), "title": title, "about": ABOUT[source]}
        for source, title in SOURCES.items()
    ]


def work(source: str = "") -> dict[str, Any]:
    """Judge every claim, or those of one source, and tell each."""
    clock, name = Clock(), source or None
    claims = chosen(name)
    say("progress", {"level": 0, "total": len(claims), "sources": sources(), "claims": list(map(waiting, claims))})
    rows: list[dict[str, Any]] = []

    def hear(event: ClaimJudged) -> None:
        rows.append(row(event.verdict))
        say("progress", {"level": event.done, "verdict": rows[-1], "seconds": round(clock.seconds, 3)})

    verdicts = finish(judging(name), hear)
    return {"verdicts": rows, "sentence": summary(verdicts), "seconds": round(clock.seconds, 3)}


if __name__ == "__main__":
    carry_out(work)
