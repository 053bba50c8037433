"""Exhibits: published methods that are wrong, kept to be looked at. Never use one to judge a game.

Each looks like a detector, and says what was claimed and why it fails; `failures()` finds the positions that it
misjudges, by trying all of them, fewest marks first.

        prajoda_boolean      X X X          a mask of four bits where three belong: this row is not seen
                             O O .
                             . . .

        magic_16             X X O O        labels 16, 3, 5, 10 add up to 34 like a line, and are none
                             X X O .
                             . . . .
                             . . . .

        single_loop          X O X          k = 2: two in the row, but not next to each other
                             . . .
                             . . .
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, count
from typing import ClassVar

from noughts.detect import as_printed, scene
from noughts.detect.base import Detector, line_owner
from noughts.detect.labelled import Moment, no_marks, opening, owner_of_sum
from noughts.detect.labelling import Labelling
from noughts.detect.line_masks import try_masks
from noughts.detect.line_sums import paths, values
from noughts.rules.game import Bits, Cell, Game
from noughts.rules.legality import check
from noughts.rules.marks import Mark, O, X
from noughts.rules.position import Position, Setup


class Exhibit(Detector):
    """A method known to be wrong."""

    lacks = ("exact",)
    claim: ClassVar[str]  # what its source says of it
    why_wrong: ClassVar[str]

    @abstractmethod
    def winner(self, position: Setup | Position) -> Mark | None:
        """The verdict of the method, right or wrong."""

    def failures(self) -> Iterator[Position]:
        """Every position that it misjudges, those with the fewest marks first."""
        game = self.game
        for marks in range(game.cells + 1):
            xs, os = sets(game, (marks + 1) // 2), sets(game, marks // 2)
            wrong = {own for own in {*xs, *os} if self.sees_line(own) is not game.rule.has_line(own)}
            wrong_os = [o for o in os if o in wrong]
            for x in xs:  # to be misjudged, a board needs a misjudged player
                for o in os if x in wrong else wrong_os:
                    if not x & o and check(board := Setup(game, x, o)).legal:
                        position = Position.unchecked(*board)
                        if self.winner(position) is not line_owner(position):
                            yield position

    def sees_line(self, own: Bits) -> bool:
        """Does the method see a line in one player's cells?"""
        return self.winner(Setup(self.game, own, 0)) is X

    @classmethod
    def smallest_failure(cls) -> Position:
        """A misjudged position with the fewest marks, on the smallest square board that has one."""
        games = (Game(side, side, k) for side in count(1) for k in range(1, side + 1))
        return next(failure for game in games if cls.supports(game) for failure in cls(game).failures())


def sets(game: Game, size: int) -> list[Bits]:
    """Every set of so many cells, in ascending order of the cells."""
    return [game.bits_of(cells) for cells in combinations(range(game.cells), size)]


class PrajodaBoolean(Exhibit):
    """The Boolean method of the paper with its masks as printed.

    >>> print(PrajodaBoolean.smallest_failure())
    XXX/OO./...
    """

    source = "prajoda"
    idea = "Convert the board to bits on every call and compare them with eight masks, one of them misprinted."
    cost = "reads every cell of 3x3, then one AND for each of eight lines and each player: O(cells + lines)"
    scope = "3x3k3"
    claim = "Boolean algebra with these eight masks finds every win."
    why_wrong = "The mask 0b000001111 has a bit too many: a top row counts only with the cell below its left end."

    def winner(self, position: Setup | Position) -> Mark | None:
        """The paper's 1, -1 or 0 as a mark."""
        return {1: X, -1: O, 0: None}[as_printed.boolean(as_printed.grid(position))]

    def steps(self, position: Position, order: Sequence[Cell]) -> Iterator[scene.ShownStep]:
        """The board is turned into bits, cell by cell; then every mask is tried."""
        said = "First the board is turned into two numbers, cell by cell."
        yield scene.ShownStep(said, partial(scene.bits_scene, position), operations=9)
        yield from try_masks(position, ((mask, 0) for mask in as_printed.MASKS_AS_PRINTED), 2)


class Magic16(Exhibit):
    """Gordon's tables on 4x4, "three levels" of them, with a magic square of 1 to 16.

    >>> print(Magic16.smallest_failure())
    4x4k4:XXOO/XXO./..../....
    """

    source = "gordon"
    idea = "Label 4x4 with a magic square, where each line adds up to 34, and look for four marks that do."
    cost = "three shifts for each mark: O(cells)"
    scope = "4x4k4"
    claim = "The tables extend to 4x4, where the goal is four in a row, with three levels of arrays."
    why_wrong = "86 sets of four cells add up to 34 and only 10 are lines; no other labels can do it either."
    labels = (16, 3, 2, 13, 5, 10, 11, 8, 9, 6, 7, 12, 4, 15, 14, 1)  # Dürer's square of 1514
    total = 34
    labelling = Labelling(labels, total)

    def winner(self, position: Setup | Position) -> Mark | None:
        """Whoever has four marks that add up to 34."""
        return owner_of_sum(position, self.labelling)

    def steps(self, position: Position, order: Sequence[Cell]) -> Iterator[scene.ShownStep]:
        """Each player's marks one by one: each is looked up, and then entered."""
        yield opening(position, self.labelling)
        for mark, bits in scene.players(position):
            tables = {mark: no_marks(4)}
            for cell in self.game.cells_of(bits):
                now = Moment(position, self.labelling, tables, cell, mark)
                yield from now.steps()
                tables = now.after
        said = f"Nobody's labels make {self.total}: nobody has a line."
        yield scene.ShownStep(said, Moment(position, self.labelling, {}).draw)


class SingleLoop(Exhibit):
    """Counting marks in each row, column and diagonal, without asking whether they touch.

    >>> print(SingleLoop.smallest_failure())
    3x3k2:XOX/.../...
    """

    source = "lastmove"
    idea = "Count each player's marks in every whole row, column and diagonal: k of them make a win."
    cost = "reads every cell in four directions: O(cells)"
    scope = "square boards"
    claim = "One loop that counts marks makes the program simpler (the source itself warns that it may misjudge)."
    why_wrong = "Exact where k is the whole side. With a smaller k, marks with gaps between them are counted too."

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.paths = list(paths(game))

    @classmethod
    def fits(cls, game: Game) -> bool:
        """The source speaks of n x n boards."""
        return game.rows == game.columns

    def winner(self, position: Setup | Position) -> Mark | None:
        """Whoever has k marks on one path, with gaps or without."""
        board = values(position)
        for path in self.paths:
            marks = board[path]
            if marks.count(1) >= self.game.k:
                return X
            if marks.count(-1) >= self.game.k:
                return O
        return None

    def steps(self, position: Position, order: Sequence[Cell]) -> Iterator[scene.ShownStep]:
        """Every path, until k marks of one player are on it."""
        game, board = self.game, values(position)
        yield scene.ShownStep("Every cell is read once.", partial(scene.board_scene, position), operations=game.cells)
        for path in self.paths:
            cells = tuple(range(game.cells)[path])
            xs, os = board[path].count(1), board[path].count(-1)
            found = X if xs >= game.k else O if os >= game.k else None
            called = f". It calls that a line of {found}" if found else ""
            yield scene.ShownStep(
                f"{scene.line_name(game, cells)}: X {xs}, O {os}{called}.",
                partial(draw_counts, position, cells, xs, os),
                {"hit" if found else "look": cells}, len(cells) + 2, found,
            )  # fmt: skip
        yield scene.ShownStep(f"Nowhere are there {game.k} marks of one player.", partial(scene.board_scene, position))


def draw_counts(position: Position, cells: scene.Cells, xs: int, os: int) -> scene.Scene:
    """A path on the board, and each player's marks on it."""
    k = position.game.k
    x, o = (
        scene.Tiles((scene.Tile(f"{mark} {number}", (scene.role_of(mark), *["hit"] * (number >= k)), f"of {k}"),))
        for mark, number in ((X, xs), (O, os))
    )
    return ((scene.board_grid(position, {"hit" if max(xs, os) >= k else "look": cells}),), (x, scene.Sign(""), o))


EXHIBITS: dict[str, type[Exhibit]] = {
    "prajoda_boolean": PrajodaBoolean,
    "magic_16": Magic16,
    "single_loop": SingleLoop,
}
