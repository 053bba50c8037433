"""One solve as a process of its own: `python -m noughts.web.solving 4x4k4 1200` tells each level (`process`).

    {"event": "progress", "level": 6, "at_work": [6, 5], "done": 512, "size": 937, "seconds": 0.02, "rate": 204800,
     "found": null}
    {"event": "summary", …}      the answer of `noughts solve --json`, and a `sentence`

The number is the most seconds that it may take. Levels are solved from the full board down: `level` is the number of
marks on the boards at work; the native core works on two levels at once, those in which X has as many marks. `done` of
`size` bytes are computed, `rate` is in positions a second, `found` has the counts of the level once it is solved.
"""

from __future__ import annotations

from typing import Any

from noughts.rules.game import Game
from noughts.rules.symmetry import symmetries
from noughts.solve.index import index_of
from noughts.solve.strong import expect, solve
from noughts.solve.summary import Level
from noughts.web.process import Clock, carry_out, say
from noughts.web.solved import require_within, sentence


def work(text: str, seconds: str) -> dict[str, Any]:
    """Solve a game, tell each level, and return the summary."""
    game = Game.parse(text)
    expected, each = expect(game), len(symmetries(game))
    require_within(expected, int(seconds))
    sizes = index_of(game).level_bytes()
    clock, solved, most = Clock(), set[int](), 0

    def tell(level: int, done: int, found: Level | None = None) -> None:
        nonlocal most
        most, now = max(most, done), clock.seconds
        say(
            "progress",
            {
                "level": level,
                "at_work": [] if found else at_once(level, expected.backend),
                "done": most,
                "size": expected.size,
                "seconds": round(now, 4),
                "rate": round(most * each / max(now, 1e-9)),
                "found": found and found.totals(),
            },
        )

    def progress(level: int, done: int, _: int) -> None:
        if level not in solved and clock.strikes():
            tell(level, done)

    def level_done(found: Level) -> None:
        solved.add(found.marks)  # a late word about this level must not take the place of its counts
        tell(found.marks, sum(sizes[found.marks :]), found)

    tell(game.cells, 0)
    summary = solve(game, progress=progress, level_done=level_done)
    return {**summary.to_json(), "sentence": sentence(summary.value)}


def at_once(level: int, backend: str) -> list[int]:
    """The levels that are solved together with this one, the fullest.

    >>> at_once(6, "native"), at_once(9, "native"), at_once(0, "native"), at_once(6, "python")
    ([6, 5], [9], [0], [6])
    """
    return [level, level - 1] if backend == "native" and level and level % 2 == 0 else [level]


if __name__ == "__main__":
    carry_out(work)
