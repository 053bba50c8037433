"""What a prover is: something that knows the outcome of some positions, or one end of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator
from math import inf
from pathlib import Path
from time import monotonic
from typing import ClassVar, Literal

from noughts.progress import Progress
from noughts.proofs.verdicts import UNKNOWN, Verdict
from noughts.rules.game import Cell, Game
from noughts.rules.position import Position

LONGEST = 1e9  # seconds
MEMORY = 1 << 30  # bytes

Goal = Literal["win", "hold", "any"]


class Budget:
    """How much a prover may look at: so many nodes, for so many seconds from now.

    >>> budget = Budget(1_000)
    >>> budget.spend(400)
    >>> budget.left, budget.share(10_000), budget.nodes
    (600, 600, 400)
    """

    def __init__(
        self, nodes: float = inf, seconds: float = LONGEST, *,
        threads: int = 1, memory: int = MEMORY, goal: Goal = "any", resume: Path | None = None,
    ) -> None:  # fmt: skip
        """Begin now."""
        self.left, self.until, self.nodes = nodes, monotonic() + seconds, 0
        self.cut = False  # did a question end before it was answered?
        self.threads, self.memory = threads, memory
        self.goal, self.resume = goal, resume  # what to look for; the file that a search is kept in
        self.found = UNKNOWN  # what others have found already

    @property
    def seconds(self) -> float:
        """The seconds that are left, at least one that is hardly worth a name: none at all is no budget."""
        return min(LONGEST, max(1e-6, self.until - monotonic()))

    @property
    def is_spent(self) -> bool:
        """Is nothing left?"""
        return self.left <= 0 or monotonic() >= self.until

    def part(self, share: float) -> Budget:
        """A budget of its own, of a share of what is left; `take` counts what it took."""
        return Budget(self.left * share, self.seconds * share, goal=self.goal)

    def take(self, part: Budget) -> None:
        """Take away what a part took."""
        if part is not self:
            self.spend(part.nodes, complete=not part.cut)

    def share(self, nodes: int) -> int:
        """So many nodes for one question, or those that are left; at least one."""
        return int(max(1, min(nodes, self.left)))

    def spend(self, nodes: int, *, complete: bool = True, each: int = 1) -> None:
        """Take away what a question took, and remember if it was not answered; a dear node counts as so many."""
        self.left -= nodes * each
        self.nodes += nodes
        self.cut |= not complete


class Prover(ABC):
    """A way to know. What it does not know it leaves open; what it says is never wrong."""

    name: ClassVar[str]  # as `how` gives it
    certifies: ClassVar[bool]  # does it give what a sceptic can check? Otherwise it computes
    finds: ClassVar[tuple[Goal, ...]] = ("win", "hold")

    def refusal(self, game: Game) -> str | None:
        """Why it does not take a game; None if it does."""
        return None

    @abstractmethod
    def verdict(self, position: Position) -> Verdict:
        """What it knows of a position, for the player to move."""

    def moves(self, position: Position) -> dict[Cell, Verdict]:
        """What it knows of moves, for the player who makes them; moves that it knows nothing of may be left out."""
        return {}

    def prove(self, position: Position, budget: Budget) -> Verdict:
        """What it knows within a budget, with a certificate if it certifies."""
        return self.verdict(position)

    def proving(self, position: Position, budget: Budget) -> Generator[Progress, None, Verdict]:
        """What it knows within a budget, as long work: it tells where it is, and ends with that."""
        yield from ()
        return self.prove(position, budget)
