"""Backend, and the plain one: every level byte by byte, as `plain` values positions. Slow, and right by definition.

All backends make the same: the bytes of `index` and the counts of `summary`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from noughts.native import core
from noughts.progress import Progress
from noughts.rules.game import Game
from noughts.rules.position import Position
from noughts.rules.value import Value
from noughts.solve import plain
from noughts.solve.index import encode, plain_index
from noughts.solve.job import Job
from noughts.solve.summary import LevelSummary

if TYPE_CHECKING:
    from noughts.solve.solution import Solution

SECONDS = 1e-4  # for each byte
MEMORY = 2000  # bytes for each byte


class Backend:
    """What solves games and checks solutions: here in Python, in one thread. Faster ones do the same another way."""

    name = "python"
    most_cells = 12  # some seconds
    while_waiting = 0  # bytes of a game that it solves while someone waits for a value

    def absence(self) -> str | None:
        """Why it cannot work on this machine; None if it can."""
        return None

    def gains(self, game: Game | None) -> bool:
        """Is it worth asking for this game, or for any, where nobody named a backend?"""
        return True

    def refusal(self, game: Game) -> str | None:
        """Why this game is too large for it; None if it is not."""
        if game.cells <= self.most_cells:
            return None
        if core() is None:
            most = f"without the native core at most {self.most_cells} are solved (noughts doctor says how to get it)"
        else:
            most = f"in Python alone at most {self.most_cells} are solved"
        return f"{game} has {game.cells} cells: {most}"

    def threads(self, size: int, wanted: int | None) -> int:
        """How many threads will solve a game of `size` bytes when `wanted` are asked for: here always one."""
        return 1

    def estimate(self, game: Game, size: int, threads: int) -> tuple[int, float]:
        """About the memory in bytes, and the seconds, that so many bytes take."""
        return MEMORY * size, SECONDS * size

    def device_memory(self, game: Game) -> int:
        """The bytes that it takes of a memory that is not the machine's own."""
        return 0

    def run(self, job: Job) -> Generator[Progress, None, int]:
        """Solve the levels of a job, the fullest board first, and return the code of the empty board."""
        index, done, codes = plain_index(job.game), 0, bytearray()
        for marks in reversed(range(len(job.sizes))):
            yield job.at_work(marks, done=done)
            codes = bytearray()
            for x, o in index.boards(marks):
                code = index.judge(x, o)
                codes.append(encode(plain.value(Position.unchecked(job.game, x, o)), marks) if code is None else code)
                if job.is_due:
                    yield job.at_work(marks, done=done + len(codes))
            done += len(codes)
            level = self.count(job.game, marks, codes, 1)
            if job.targets:
                job.targets[marks][:] = codes
            if job.writer:
                job.writer.write(marks, codes)
                job.writer.finish(level)
            yield job.finish(level)
        return codes[0]

    def first_wrong(
        self, solution: Solution, marks: int, span: range, codes: Any, above: Any, threads: int
    ) -> int | None:
        """The first of these places whose byte is not what the rules and the level above make of it."""
        return next((place for place in span if codes[place] != _derive(solution, marks, place)), None)

    def count(self, game: Game, marks: int, codes: Any, threads: int) -> LevelSummary:
        """What the bytes of a level amount to: all its positions, and the classes that they make."""
        index = plain_index(game)
        values, classes = Counter[Value](), 0
        for x, o, value in index.walk(marks, codes):
            positions, is_class = index.weight(x, o)
            values[value] += positions
            classes += is_class
        return LevelSummary.of(marks, classes, values)

    def with_classes(self, game: Game, levels: list[LevelSummary], threads: int) -> list[LevelSummary]:
        """All levels as they were counted, with their classes where those need all levels together."""
        return levels


def _derive(solution: Solution, marks: int, place: int) -> int:
    """The byte of a place, by the rules and the level above."""
    index = plain_index(solution.game)
    x, o = index.position_at(marks, place)
    code = index.judge(x, o)
    if code is None:
        code = encode(max(solution.moves(Position.unchecked(solution.game, x, o)).values()), marks)
    return code
