"""One solve as a process of its own: `python -m noughts.web.solving 4x4k4 1200` tells each level (`process`).

    {"event": "progress", "level": 6, "at_work": [6, 5], "done": 512, "size": 937, "seconds": 0.02, "rate": 204800,
     "found": null}
    {"event": "summary", …}      the answer of `noughts solve --json`, and a `sentence`

The number is the most seconds that it may take. Levels are solved from the full board down: `level` is the number of
marks on the boards at work, and `at_work` has all that are solved together. `done` of `size` bytes are computed, `rate`
is in positions a second, `found` has the counts of the level once it is solved.
"""

from __future__ import annotations

from typing import Any

from noughts.progress import Progress, finish
from noughts.rules.game import Game
from noughts.rules.symmetry import symmetries
from noughts.solve.job import AtWork, LevelDone
from noughts.solve.strong import expect, solving
from noughts.web.process import Clock, carry_out, say
from noughts.web.solved import require_within, sentence


def work(text: str, seconds: str) -> dict[str, Any]:
    """Solve a game, tell each level, and return the summary."""
    game, clock = Game.parse(text), Clock()
    require_within(expect(game), int(seconds))

    def listen(event: Progress) -> None:
        if isinstance(event, AtWork):
            tell(event, event.levels[0], event.levels)
        elif isinstance(event, LevelDone):
            tell(event, event.counts.marks, (), event.counts.totals())

    def tell(event: Progress, level: int, at_work: tuple[int, ...], found: dict[str, int] | None = None) -> None:
        rate = round(event.done * len(symmetries(game)) / max(clock.seconds, 1e-9))
        told = {"level": level, "at_work": at_work, "done": event.done, "size": event.total}
        say("progress", {**told, "seconds": round(clock.seconds, 4), "rate": rate, "found": found})

    summary = finish(solving(game), listen)
    return {**summary.to_json(), "sentence": sentence(summary.value)}


if __name__ == "__main__":
    carry_out(work)
