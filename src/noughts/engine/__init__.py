"""The engine: strong play where nothing is proven, against a clock, on boards of up to 32 x 32.

    shapes.py      what a mark would make along a line, for every k
    network.py     what all free cells of a position are worth together: learned from games
    evaluation.py  the score of a position, and the chance that it means

    engine = Engine(Game(15, 15, 5))
    for view in engine.search(position, seconds=5):      # each is a View: depth, score, chance, best lines, nodes
        print(view)

What it believes is a guess with a chance; what a prover has proven comes with it as a verdict. The search itself is
native (`native/engine`); docs/explanation/engine.md tells how it thinks.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any, ClassVar

from noughts import native
from noughts.engine.evaluation import WINNING, chance, plies
from noughts.engine.network import learned, packed
from noughts.progress import Progress, finish
from noughts.proofs import fours, threats
from noughts.proofs.prover import LONGEST, Budget
from noughts.proofs.verdicts import UNKNOWN, Verdict
from noughts.rules.answer import Answer
from noughts.rules.game import Cell, Game
from noughts.rules.notation import format_moves
from noughts.rules.position import Position
from noughts.rules.position import require as require_type
from noughts.words import brief, some, whole

__all__ = ["IDEAS", "Engine", "EngineError", "Line", "View", "refusal", "require_game", "require_open"]

MEMORY_MB = 64
MOST_MEMORY_MB = 1 << 16
MOST_SECONDS = 1e6
MOST_LINES = 64
AT_ONCE = 1.0  # seconds of a search during which Ctrl-C may wait
NO_LIMITS: dict[str, Any] = {"seconds": None, "nodes": None, "depth": None, "lines": 1}
DEEPEST = 99
FIRST_SHARE = 0.15  # of the time or the nodes, at most, for the prover that looks for a win by fours and threes
FIRST_NODES = 20_000  # for it, where only the depth is limited
FIRST_MOST, FIRST_SECONDS = 100_000, 0.04  # for it, at most: nothing stops it, and a stop is to take no longer


IDEAS = {  # what an engine can be made without; in the order of the bits in native/engine/search.hpp
    "remembering": "a table of positions",
    "ordering": "moves that cut before are tried first",
    "reducing": "late quiet moves are looked at less deeply",
    "answering": "a forced reply costs no depth",
    "narrowing": "each depth begins with a narrow window around the score of the last",
    "skipping": "near the leaves, far from the window, quiet positions are scored at once and quiet moves passed over",
    "checking": "the prover looks at the move that the search has chosen",
    "proving": "the prover looks for a win before the search begins",
    "choosing": "near the leaves only the likeliest quiet moves are looked at",
}


class EngineError(ValueError):
    """The engine was asked for what it cannot do; the message says why."""


def refusal(game: Game) -> str | None:
    """Why the engine does not play a game; None if it does.

    >>> refusal(Game(6, 7, 4, gravity=True))
    'it does not know gravity, where a mark falls to the lowest free cell of its column'
    """
    why = fours.refusal(game)
    if why is None and native.core() is None:
        why = f"it needs the native core: {native.HOW_TO_GET_IT}"
    return why


def require_game(game: Game) -> None:
    """EngineError where the engine does not play a game."""
    if why := refusal(game):
        raise EngineError(f"the engine does not play {game}: {why}")


def require_open(position: Position) -> None:
    """EngineError where the game is over."""
    if position.is_over:
        raise EngineError(f"there is nothing to search: the game is over ({position.status})")


@dataclass(frozen=True)
class Line(Answer):
    """A root move with what follows: the score for the player to move, the chance it means, and the moves."""

    keys = "score chance plies line=cells@"

    score: int
    cells: tuple[Cell, ...]

    @property
    def chance(self) -> float:
        """The share of the points that the player to move can expect."""
        return chance(self.score)

    @property
    def plies(self) -> int | None:
        """The plies to the end of a win or loss that the search has found, and believes; None if it has found none."""
        return plies(self.score)


@dataclass(frozen=True)
class View(Progress, Answer):
    """What the engine believes of a position so far: its best lines to a depth, and a verdict if a prover has one."""

    keys = "depth reached *best settled nodes rate seconds value=verdict.outcome lines"
    stays: ClassVar[bool] = True

    position: Position
    depth: int  # to which every line was searched
    reached: int  # plies of the longest that was looked at
    lines: tuple[Line, ...]  # the best first
    nodes: int
    seconds: float
    verdict: Verdict = UNKNOWN
    earlier: float | None = None  # the chance of the best line one depth before

    @property
    def settled(self) -> float:
        """The chance, halfway to that of the depth before: who makes the last move that is seen looks better."""
        if self.earlier is None or self.best.plies:
            return self.best.chance
        return (self.best.chance + self.earlier) / 2

    @property
    def best(self) -> Line:
        """The best line."""
        return self.lines[0]

    @property
    def move(self) -> Cell:
        """The move that it would play."""
        return self.best.cells[0]

    @property
    def rate(self) -> int:
        """Nodes a second."""
        return round(self.nodes / self.seconds) if self.seconds > 0 else 0

    @property
    def detail(self) -> str:
        """Depth, chance and best line, in words."""
        moves = " ".join(format_moves(self.position.game, self.best.cells[:8]))
        found = f", {self.best.plies} plies to the end" if self.best.plies else ""
        return f"depth {self.depth}, {self.settled:.0%}{found}: {moves} ({self.nodes:,} nodes)"


class Engine:
    """A search for one game; what it finds it remembers from one search to the next.

    >>> position = Position.parse("5x9k5:........./..XXX..../........./OO.O...../.........")
    >>> view = Engine(position.game).think(position)
    >>> view.verdict.outcome, view.best.plies
    ('win', 3)
    """

    def __init__(
        self, game: Game, threads: int = 1, memory_mb: int = MEMORY_MB, *, without: Iterable[str] = ()
    ) -> None:
        """Make one; `without` leaves out some of `IDEAS`, for those who measure what each gains."""
        require_type(game, Game, "Engine")
        require_game(game)
        self.without = frozenset(without)
        if strange := sorted(self.without - set(IDEAS)):
            raise EngineError(f"{brief(strange[0])} is no idea of the engine: expected some of {', '.join(IDEAS)}")
        self.game = game
        self.threads = whole("threads", threads, 1, native.MAX_THREADS, EngineError)
        self.memory_mb = whole("memory_mb", memory_mb, 1, MOST_MEMORY_MB, EngineError)
        bits = sum(1 << i for i, idea in enumerate(IDEAS) if idea in self.without)
        self._core = _make(game, self.threads, self.memory_mb << 20, bits)
        self._busy = Lock()

    def think(self, position: Position, **limits: Any) -> View:
        """What the engine believes of a position when the limit is reached; `search` has the limits."""
        seconds, nodes, depth, lines = check_limits(position, self.game, **{**NO_LIMITS, **limits})
        if not 0 < seconds <= AT_ONCE:
            return finish(self._search(position, seconds, nodes, depth, lines))
        # No other thread, for which a busy machine would make us wait.
        with self._busy:
            work = Work(self, position, seconds, nodes, depth, lines)
            if not work.view:
                work.run(work.tell)
            assert work.view
            return work.view

    def stop(self) -> None:
        """End the search that goes on, which then gives its answer."""
        self._core.stop()

    def forget(self) -> None:
        """Forget what earlier searches have found: the next depends on its position and limits alone."""
        with self._busy:
            self._core.forget()

    def search(
        self, position: Position, *, seconds: float | None = None, nodes: int | None = None, depth: int | None = None,
        lines: int = 1,
    ) -> Generator[View, None, View]:  # fmt: skip
        """Search until one of the limits is reached (without any: for one second), and tell each depth.

        With a budget of nodes or of depth, one thread, and nothing remembered (`forget`), it always says the same.
        Closing the generator ends the search within some hundredths of a second.
        """
        limits = check_limits(position, self.game, seconds, nodes, depth, lines)
        return self._search(position, *limits)

    def _search(
        self, position: Position, seconds: float, nodes: int, depth: int, lines: int
    ) -> Generator[View, None, View]:
        with self._busy:
            work = Work(self, position, seconds, nodes, depth, lines)
            if work.view:
                yield work.view
                return work.view
            events: SimpleQueue[tuple[Any, ...] | BaseException | None] = SimpleQueue()

            def run() -> None:
                try:
                    work.run(lambda *report: events.put(report))
                    events.put(None)
                except BaseException as problem:
                    events.put(problem)

            thread = Thread(target=run, name="noughts: the engine", daemon=True)
            thread.start()
            try:
                while (event := events.get()) is not None:
                    if isinstance(event, BaseException):
                        raise event
                    if view := work.tell(*event):
                        yield view
                assert work.view
                return work.view
            finally:
                self._core.stop()
                thread.join()


class Work:
    """One search: what a prover finds before it, and the reports of the core as views."""

    def __init__(self, engine: Engine, position: Position, seconds: float, nodes: int, depth: int, lines: int) -> None:
        """Ask the prover; where it has a win, that is the view, and nothing is left to guess."""
        engine._core.ready()
        self.engine, self.position, self.began = engine, position, monotonic()
        self.limits = seconds, nodes, depth, lines
        self.view: View | None = None
        self.told: list[Line] = []  # of the depth that is being reported
        self.chances: dict[int, float] = {}  # of the best line at each depth
        most = nodes * FIRST_SHARE if nodes else FIRST_MOST if seconds else FIRST_NODES
        budget = Budget(min(most, FIRST_MOST), min(seconds * FIRST_SHARE, FIRST_SECONDS) or LONGEST)
        self.verdict = UNKNOWN if "proving" in engine.without else threats.winning(position, budget)
        if self.verdict.within:
            line = Line(WINNING - self.verdict.within, self.verdict.line)
            self._see(0, self.verdict.within, (line,), budget.nodes, monotonic() - self.began)

    def run(self, tell: Callable[..., object]) -> None:
        """Search; `tell` gets each report of the core."""
        seconds, nodes, depth, lines = self.limits
        mine, theirs = (self.position.game.cells_of(side) for side in self.position.sides)
        left = max(seconds - (monotonic() - self.began), 0.001) if seconds else 0.0
        self.engine._core.search(mine, theirs, left, nodes, depth, lines, tell)

    def tell(
        self, depth: int, reached: int, left: int, score: int, cells: list[Cell], nodes: int, seconds: float
    ) -> View | None:
        """The view after a report; None while more lines of the same depth are to come."""
        self.told.append(Line(score, tuple(cells)))
        if left:
            return None
        lines, self.told = tuple(self.told), []
        return self._see(depth, reached, lines, nodes, seconds)

    def _see(self, depth: int, reached: int, lines: tuple[Line, ...], nodes: int, seconds: float) -> View:
        self.chances[depth] = lines[0].chance
        earlier = self.chances.get(depth - 1) if depth > 1 else None
        self.view = View(
            "the engine", 0, 0, self.position, depth, reached, lines, nodes, seconds, self.verdict, earlier
        )
        return self.view


def check_limits(
    position: Position, game: Game, seconds: float | None, nodes: int | None, depth: int | None, lines: int
) -> tuple[float, int, int, int]:
    """The limits of a search as the core takes them, 0 for none; EngineError says what is wrong with one."""
    require_type(position, Position, "search")
    if position.game != game:
        raise EngineError(f"this engine plays {game}, not {position.game}")
    require_open(position)
    if seconds is None and nodes is None and depth is None:
        seconds = 1.0
    return (
        0.0 if seconds is None else float(some("seconds", seconds, MOST_SECONDS, EngineError)),
        0 if nodes is None else whole("nodes", nodes, 1, 2**62, EngineError),
        0 if depth is None else whole("depth", depth, 1, DEEPEST, EngineError),
        whole("lines", lines, 1, MOST_LINES, EngineError),
    )


def _make(game: Game, threads: int, memory: int, without: int) -> Any:
    from noughts import _core

    handle = native.handle(game)
    assert handle
    return _core.Engine(handle, packed(learned()), threads, memory, without)
