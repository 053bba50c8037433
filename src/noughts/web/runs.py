"""Long runs, each a process of its own: `python -m noughts.web.runs solve 4x4k4 1200` prints a line of JSON an event.

    {"event": "progress", "level": 5, …}         now and then; takes the place of the one before it of the same level
    {"event": "summary", …}                      the answer, as the command's --json gives it, or
    {"event": "problem", "detail": "one sentence"}

A run is a function of `RUNS`: the words of the command line are its arguments. It listens to the library's long work
(`noughts.progress`) and returns the answer. The process lets the server go first, and ends when whoever started it
closes its input.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from time import perf_counter
from typing import Any

from noughts.progress import Progress, finish
from noughts.rules.game import Game
from noughts.web.pool import step_back

PAUSE = 0.1  # seconds between two events that can wait
MAX_BENCH = 600  # seconds: then a benchmark ends with what it has


def say(event: str, data: dict[str, Any]) -> None:
    """Print one line for the server."""
    print(json.dumps({"event": event, **data}), flush=True)


class Clock:
    """The time since the start, and whether it is time to tell something again."""

    def __init__(self, pause: float = PAUSE) -> None:
        self.began, self.pause = perf_counter(), pause
        self.told = self.began - pause

    @property
    def seconds(self) -> float:
        """The seconds since the start."""
        return perf_counter() - self.began

    def strikes(self) -> bool:
        """Was nothing told for a while? Then it is to be told now."""
        now = perf_counter()
        if now - self.told < self.pause:
            return False
        self.told = now
        return True


# The runs


def solve(text: str, seconds: str) -> dict[str, Any]:
    """Solve a game within so many seconds, level by level, from the full board down.

    Each event has the level at work (its number of marks) and all that are solved together, how many of the bytes are
    computed, the rate in positions a second, and the counts of a level once it is solved.
    """
    from noughts.rules.symmetry import symmetries
    from noughts.solve.job import AtWork, LevelDone
    from noughts.solve.prospect import require_within
    from noughts.solve.strong import expect, solving

    game, clock = Game.parse(text), Clock()
    require_within(expect(game), int(seconds))

    def hear(event: Progress) -> None:
        if isinstance(event, AtWork):
            about = {"level": event.levels[0], "at_work": event.levels, "found": None}
        elif isinstance(event, LevelDone):
            about = {"level": event.counts.marks, "at_work": (), "found": event.counts.totals.to_json()}
        else:
            return
        rate = round(event.done * len(symmetries(game)) / max(clock.seconds, 1e-9))
        told = {"done": event.done, "size": event.total, "seconds": round(clock.seconds, 4), "rate": rate}
        say("progress", about | told)

    return finish(solving(game), hear).to_json()


def match(a: str, b: str, board: str, n: str, seed: str, opening: str) -> dict[str, Any]:
    """Play a series; each event has the games that ended since the last one of another level, and the one under way."""
    from noughts.play.by_name import maker
    from noughts.play.matches import GameDone, Moved, Score, matching
    from noughts.play.player import Choosing
    from noughts.rules.notation import format_move, format_moves

    game = Game.parse(board)
    clock, level, ended = Clock(), 0, list[dict[str, Any]]()
    sides = {"x": Score().to_json(), "o": Score().to_json()}
    playing: dict[str, Any] = {"number": 1, "a": "X", "moves": [], "winner": None, "lines": [], "over": False}
    playing["forfeit"] = None

    def tell() -> None:
        nonlocal level
        told = {"level": level, "played": playing["number"] - 1, "seconds": round(clock.seconds, 3), **sides}
        say("progress", {**told, "games": ended, "playing": playing if playing["moves"] else None})
        level += bool(ended)
        ended.clear()

    def hear(event: Moved | GameDone) -> None:
        nonlocal playing
        if isinstance(event, Moved):
            playing["a"] = str(event.mark)
            playing["moves"].append(f"{event.position.turn} {format_move(game, event.cell)}")
        else:
            played, series = event.played, event.series
            lines = [format_moves(game, line) for line in played.end.lines()]
            end = {"winner": played.winner and str(played.winner), "lines": lines, "over": True}
            ended.append(playing | end | {"forfeit": played.forfeit and played.forfeit.problem})
            playing = playing | {"number": event.done + 1, "a": "XO"[event.done % 2], "moves": []}
            sides.update(x=series.x.to_json(), o=series.o.to_json())
        if clock.strikes():
            tell()

    with maker(a) as first, maker(b) as second:
        for player in (first(0), second(0)):
            if isinstance(player, Choosing):
                player.require(game.start())
        tell()
        found = finish(matching(first, second, int(n), game, seed=int(seed), opening=opening), hear)
    tell()
    return found.to_json()


def papers(source: str = "") -> dict[str, Any]:
    """Judge every claim of the sources, or of one: first what is to be judged, then an event a claim."""
    from noughts.lab.papers import ABOUT, NAMES, SOURCES, ClaimJudged, chosen, judging, summary
    from noughts.lab.papers.sources import CITATIONS, own

    clock, name = Clock(), source or None
    claims = chosen(name)
    sources = [
        {
            "source": each, "name": NAMES[each], "title": title, "about": ABOUT[each], "cited": str(CITATIONS[each]),
            "link": CITATIONS[each].link, "bibtex": CITATIONS[each].bibtex,
        }
        for each, title in SOURCES.items()
    ]  # fmt: skip
    waiting = [claim.to_json() for claim in claims]
    say("progress", {"level": 0, "total": len(claims), "sources": sources, "claims": waiting, "noughts": own().bibtex})
    rows: list[dict[str, Any]] = []

    def hear(event: ClaimJudged) -> None:
        rows.append(event.verdict.to_json())
        say("progress", {"level": event.done, "verdict": rows[-1], "seconds": round(clock.seconds, 3)})

    verdicts = finish(judging(name), hear)
    return {"verdicts": rows, "sentence": summary(verdicts), "seconds": round(clock.seconds, 3)}


def bench(text: str) -> dict[str, Any]:
    """Measure as options in JSON say: first what will be measured, then the answer so far now and then."""
    from noughts.lab.bench import BenchOptions, Measuring, benching

    clock, given, planned = Clock(0.5), json.loads(text), False  # the clock of the measurements stands still meanwhile
    options = BenchOptions(**given | {name: tuple(given[name]) for name in ("detectors", "scenarios")})

    def hear(event: Measuring) -> None:
        nonlocal planned
        if not planned:
            planned = True
            say("progress", {**event.bench.to_json(), "level": "plan"})
        if clock.seconds > MAX_BENCH:
            raise KeyboardInterrupt  # as one does in the shell: what was measured is kept
        if clock.strikes() or event.done == event.total:
            say("progress", {**event.bench.to_json(), "level": event.what, "done": event.done, "total": event.total})

    return finish(benching(options), hear).to_json()


def prove(text: str, seconds: str) -> dict[str, Any]:
    """Look for a proof: each event has the positions that the look under way takes at most, and the time so far."""
    from noughts.rules.position import Position
    from noughts.walk import showing

    clock, most = Clock(), int(seconds)

    def hear(event: Progress) -> None:
        say("progress", {"level": event.done, "nodes": event.done, "seconds": round(clock.seconds, 3), "most": most})

    return finish(showing(Position.parse(text), most), hear).to_json()


def think(text: str, seconds: str, lines: str) -> dict[str, Any]:
    """What the engine believes of a position: each event is its view after one more depth."""
    from noughts.engine import Engine, View
    from noughts.rules.position import Position

    position = Position.parse(text)

    def hear(view: View) -> None:
        say("progress", {"level": view.depth, **view.to_json()})

    return finish(Engine(position.game).search(position, seconds=float(seconds), lines=int(lines)), hear).to_json()


def review(text: str, moves: str, you: str) -> dict[str, Any]:
    """The account of a game: each event says how far the look back at it is."""
    from noughts.account import reviewing
    from noughts.rules.position import Position

    return finish(reviewing(Position.parse(text), _played(moves), you or None), _looking(Clock())).to_json()


def course(text: str, moves: str, you: str, nodes: str) -> dict[str, Any]:
    """The course of a game: first the look back at it, then each event has how X stands after so many of its moves."""
    from noughts.course import Looked, following
    from noughts.rules.position import Position

    look = _looking(Clock())

    def hear(event: Progress) -> None:
        if isinstance(event, Looked):
            say("progress", {"level": event.done, "total": event.total, **event.moment.to_json()})
        else:
            look(event)

    return finish(following(Position.parse(text), _played(moves), you or None, int(nodes)), hear).to_json()


def _looking(clock: Clock) -> Callable[[Progress], None]:
    """Say now and then how far a look back at a game is."""

    def hear(event: Progress) -> None:
        if clock.strikes():
            say("progress", {"level": "look", "done": event.done, "total": event.total})

    return hear


def _played(moves: str) -> list[str]:
    return [move for move in moves.split(",") if move]


RUNS: dict[str, Callable[..., dict[str, Any]]] = {
    each.__name__: each for each in (solve, match, papers, bench, prove, think, review, course)
}


def carry_out(name: str, *words: str) -> None:
    """Do a run in this process, and tell its answer or what is wrong with the question."""
    step_back()
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    try:
        say("summary", RUNS[name](*words))
    except ValueError as problem:
        if type(problem).__module__.partition(".")[0] != "noughts":
            raise  # not a complaint about the question, but a fault of ours
        say("problem", {"detail": str(problem)})


def _leave_with_parent() -> None:
    """Wait for the end of the input, then end."""
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    carry_out(*sys.argv[1:])
