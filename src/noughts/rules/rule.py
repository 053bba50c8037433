"""The rule of a game: whatever its letters change. Everything else asks here.

    where one may play             playable, most_moves, action_of, cell_of, lift, support
    what a line is                 has_line, line_starts, lines_in, open_lines, completing
    what completing one means      completing_wins, winner, status, completed
    which symmetries hold          symmetries
    what can arise                 `noughts.rules.legality`, by what a line is

A part of noughts that does not know a rule says which (`lacks = ("misere",)`), and `Rule.refusal` says so for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, cast

from noughts.rules.marks import Mark, Status
from noughts.rules.value import Value

if TYPE_CHECKING:
    from noughts.rules.game import Bits, Cell, Direction, Game, Line

# The letters after a game's numbers, in the order in which they are written; fields of Game.
RULES = {"e": "exact", "g": "gravity", "m": "misere"}
MEANING = {
    "exact": "a run of more than k is no line",
    "gravity": "a mark falls to the lowest free cell of its column",
    "misere": "who completes a line loses",
}

SYMMETRIES: dict[str, Callable[[int, int, int, int], tuple[int, int]]] = {
    # name: (row, column, last row, last column) -> (row, column); those after the fourth are of squares only
    "identity": lambda r, c, R, C: (r, c),
    "left-right flip": lambda r, c, R, C: (r, C - c),
    "top-bottom flip": lambda r, c, R, C: (R - r, c),
    "half turn": lambda r, c, R, C: (R - r, C - c),
    "quarter turn clockwise": lambda r, c, R, C: (c, R - r),
    "quarter turn anticlockwise": lambda r, c, R, C: (C - c, r),
    "main diagonal flip": lambda r, c, R, C: (c, r),
    "anti-diagonal flip": lambda r, c, R, C: (C - c, R - r),
}
FEW = 9  # cells: 512 sets of them


class Rule:
    """The rule of one game, `game.rule`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.names = tuple(name for name in RULES.values() if getattr(game, name))
        self.letters = "".join(letter for letter, name in RULES.items() if name in self.names)

    def refusal(self, lacks: Iterable[str]) -> str | None:
        """Why a part that lacks these rules does not take this game; None if it does.

        >>> from noughts import Game
        >>> Game.parse("3x3k3m").rule.refusal(["misere"])
        'it does not know misere, where who completes a line loses'
        """
        for name in lacks:
            if name in self.names and (name != "exact" or self.exact):
                return f"it does not know {name}, where {MEANING[name]}"
        return None

    # Where one may play

    def playable(self, taken: Bits) -> Bits:
        """The cells that may be played while nobody has a line and these are taken."""
        free = self.game.full & ~taken
        if not self.game.gravity:
            return free
        return free & (taken >> self.game.columns | self.game.full ^ self.game.full >> self.game.columns)

    @cached_property
    def most_moves(self) -> int:
        """How many moves a position has at most, and so how many actions a learner has."""
        return self.game.columns if self.game.gravity else self.game.cells

    def action_of(self, cell: Cell) -> int:
        """The action that plays a cell: its number, or where marks fall the number of its column.

        >>> from noughts import Game
        >>> Game(3, 3, 3).rule.action_of(7), Game.parse("6x7k4g").rule.action_of(38)
        (7, 3)
        """
        return cell % self.most_moves

    def cell_of(self, action: int, playable: Bits) -> Cell | None:
        """The cell that an action plays, of these that may be played; None if it cannot be taken now.

        >>> from noughts import Game
        >>> game = Game.parse("6x7k4g")
        >>> game.rule.cell_of(3, game.start().playable), game.rule.cell_of(7, game.start().playable)
        (38, None)
        """
        if not 0 <= action < self.most_moves:
            return None
        cells = playable & self.game.column_of(action) if self.game.gravity else playable & 1 << action
        return cells.bit_length() - 1 if cells else None

    @cached_property
    def lift(self) -> int:
        """How far a bit is shifted to the cell that a mark on it opens: the one above, or beyond the board for none."""
        return self.game.columns if self.game.gravity else self.game.cells

    def support(self, cell: Cell) -> Cell | None:
        """The cell on which a mark here would lie, the one below; None where there is none, or nothing falls."""
        return cell + self.game.columns if self.game.gravity and cell + self.game.columns < self.game.cells else None

    # What completing a line means

    @cached_property
    def completing_wins(self) -> bool:
        """Does the one who completes a line win? In misere they lose."""
        return not self.game.misere

    def winner(self, owner: Mark) -> Mark:
        """Who has won when this mark owns a line; also who owns it when this mark has won."""
        return owner if self.completing_wins else owner.other

    def status(self, owner: Mark) -> Status:
        """How the game ends when this mark completes a line."""
        return Status.X_WINS if self.winner(owner) is Mark.X else Status.O_WINS

    @cached_property
    def goal(self) -> str:
        """What wins or loses the game, in words.

        >>> from noughts import Game
        >>> Game.parse("15x15k5e").rule.goal
        'exactly 5 in a row wins'
        """
        falling = "marks fall, and " * self.game.gravity
        ends = "wins" if self.completing_wins else "loses"
        return f"{falling}{'exactly ' * self.game.exact}{self.game.k} in a row {ends}"

    @cached_property
    def completed(self) -> Value:
        """What a completed line is worth to the player whose turn it would be."""
        return Value("loss" if self.completing_wins else "win", 0)

    @cached_property
    def extra_mark_never_hurts(self) -> bool:
        """Is one more mark of one's own never a disadvantage?"""
        return self.completing_wins and not self.exact and not self.game.gravity

    @cached_property
    def any_order(self) -> bool:
        """Can the marks of a board on which nobody has a line have come in any order?"""
        return not self.exact and not self.game.gravity

    # Which symmetries hold

    @cached_property
    def symmetries(self) -> tuple[str, ...]:
        """The turns and flips that make the same game of it: of a square, of a rectangle, or, where marks fall, one."""
        if self.game.gravity:
            return tuple(SYMMETRIES)[:2]
        return tuple(SYMMETRIES) if self.game.rows == self.game.columns else tuple(SYMMETRIES)[:4]

    # What a line is

    @cached_property
    def exact(self) -> bool:
        """Are there runs of more than k cells, which are no lines? Where none fits, exact changes nothing.

        Nor does it with k = 1, where the first mark is a line already.
        """
        return self.game.exact and 1 < self.game.k < max(self.game.rows, self.game.columns)

    @cached_property
    def has_line(self) -> Callable[[Bits], bool]:
        """Does a set hold k in a row? The win test of every position, `rule.has_line(bits)`.

        A run of two is found by one shift and AND; runs of two that are two apart make a run of four:

            bits            . X X X X X .
            & bits >> 1     . 2 2 2 2 . .      a 2 where a run of two starts
            & that >> 2     . 4 4 . . . .      a 4 where a run of four starts
            & that >> 1     . 5 . . . . .      k = 5: the last step overlaps

        so that about log2(k) steps a direction do, whatever the size of the board. Runs that go round the edge are
        among them, and go when only the cells are left that have room for k. Where only exactly k count, two runs of k
        that start side by side are one longer run, and go as well. Python runs all this fastest when it is written out
        for the board: `win_test` is that text.
        """
        names = {_name(direction): self.starts(direction) for direction in self.game.directions}
        return cast("Callable[[Bits], bool]", eval(self.win_test, names))

    @cached_property
    def win_test(self) -> str:
        """The win test as Python source; `right` and the like are the cells with room for a line in that direction.

        >>> from noughts import Game
        >>> print(Game(1, 5, 5).rule.win_test)
        lambda bits: True if (
            (runs := bits & bits >> 1) and (runs := runs & runs >> 2) and (runs := runs & runs >> 1) and runs & right
        ) else False
        """
        tests = []
        for direction in self.game.directions:
            steps = [
                f"(runs := {'runs & runs' if number else 'bits & bits'} >> {step * self.game.step(direction)})"
                for number, step in enumerate(doublings(self.game.k))
            ]
            found = "runs" if steps else "bits"
            found = f"{found} & {_name(direction)}" if direction[1] else found
            if self.exact:
                step = self.game.step(direction)
                steps.append(f"(runs := {found})")
                found = f"runs & ~((longer := runs & runs >> {step}) | longer << {step})"
            tests.append(" and ".join([*steps, found]))
        return "lambda bits: True if (\n    " + "\n    or ".join(tests) + "\n) else False"

    @cached_property
    def quick_has_line(self) -> Callable[[Bits], bool]:
        """The quickest `has_line`: where there are few sets of cells, a look among those that hold a line."""
        if self.game.cells > FEW:
            return self.has_line
        return frozenset(filter(self.has_line, range(self.game.full + 1))).__contains__

    def starts(self, direction: Direction) -> Bits:
        """The cells from which a line has room in this direction."""
        return self.game.room(direction, self.game.k - 1)

    def line_starts(self, own: Bits, direction: Direction, free: Bits = 0) -> Bits:
        """The first cell of every line of a player's own cells, or of these and free ones, in this direction."""
        game, step, runs = self.game, self.game.step(direction), own | free
        for hop in doublings(game.k):
            runs &= runs >> hop * step
        runs &= self.starts(direction)
        if self.exact:  # an own cell right before or after it makes it longer
            longer = game.room(direction, game.k)
            runs &= ~((own & longer) << step | own >> game.k * step & longer)
        return runs

    def lines_in(self, bits: Bits) -> tuple[Line, ...]:
        """Every line that the set holds."""
        if not self.has_line(bits):
            return ()
        game = self.game
        return tuple(line for way in game.directions for line in game.lines_from(self.line_starts(bits, way), way))

    def open_lines(self, own: Bits, free: Bits = 0) -> Iterator[tuple[Bits, Bits]]:
        """Every line of a player's own cells and free ones, as a set, and the cells beside it that must not be theirs.

        >>> from noughts import Game
        >>> [*Game.parse("1x4k2e").rule.open_lines(0b0010, 0b1101)]
        [(3, 4), (6, 9)]
        """
        game = self.game
        for direction in game.directions:
            step = game.step(direction)
            line = sum(1 << i * step for i in range(game.k))
            longer = game.room(direction, game.k) if self.exact else 0
            for start in game.cells_of(self.line_starts(own, direction, free)):
                if not longer:
                    yield line << start, 0
                    continue
                before = 1 << start - step & longer if start >= step else 0
                yield line << start, before | (longer >> start & 1) << start + game.k * step

    def completing(self, bits: Bits, directions: Iterable[Direction] | None = None) -> Bits:
        """The cells outside the set that would complete a line with it (in these directions), all of one at once.

        One does that has g cells of the set right before it and k-1-g right after it; shifting the set tells
        which cells those are. For k = 4:

            the set            . X X . X . .
            2 before           . . . * . . .
            1 after            * * . * . . .
            2 before, 1 after  . . . * . . .      the gap completes a line
        """
        found = 0
        for direction in self.game.directions if directions is None else directions:
            before, after = self.beside(bits, direction)
            for cells, others in zip(before, reversed(after), strict=True):
                found |= cells & others
        return found & ~bits

    def beside(self, bits: Bits, direction: Direction) -> tuple[list[Bits], list[Bits]]:
        """The cells that have 0, 1, …, k - 1 cells of the set right before them, and those that have them after.

        Where only exactly k count, it is so many and no more: one more would make the line too long.
        """
        game, step, ahead = self.game, self.game.step(direction), self.game.room(direction, 1)
        before, after = [game.full], [game.full]
        for _ in range(game.k - 1 + self.exact):
            before.append((bits & before[-1] & ahead) << step)
            after.append((bits & after[-1]) >> step & ahead)
        if self.exact:
            before, after = ([some & ~more for some, more in pairwise(cells)] for cells in (before, after))
        return before, after


def _name(direction: Direction) -> str:
    """A direction as the win test calls it."""
    return {(0, 1): "right", (1, 0): "down", (1, 1): "down_right", (1, -1): "down_left"}[direction]


def doublings(k: int) -> list[int]:
    """The steps from a run of one to a run of k: each at most doubles it.

    >>> doublings(4), doublings(5)
    ([1, 2], [1, 2, 1])
    """
    steps, run = [], 1
    while run < k:
        steps.append(min(run, k - run))
        run += steps[-1]
    return steps
