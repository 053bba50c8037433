"""Pairings that hold: disjoint pairs of free cells, such that every line still open to the other holds a pair.

Whenever the other takes a cell of a pair, the holder takes its partner: so no line that holds a pair is ever completed
by the other, whatever else happens. A pair may serve several lines at once, which is what makes it strong:

    . . . . . .      four in a row on 1 x 6: three lines, a-d, b-e, c-f, and the one pair c d is in all of them
    a b c d e f

If the holder is to move, a cell may be taken first. To decide whether there is a pairing is hard in general: `find`
tries the line with the fewest cells left, pair by pair, within a budget of nodes, after a count that shows at once that
most boards have none. For nine in a row and more there is a pairing of the whole plane, repeated every eight cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial, reduce
from itertools import combinations, groupby
from math import inf
from operator import or_
from time import monotonic
from typing import NamedTuple

from noughts.proofs.certificate import Held, Part
from noughts.proofs.prover import Budget, Prover
from noughts.proofs.verdicts import UNKNOWN, Verdict
from noughts.rules.game import Bits, Cell, Game
from noughts.rules.position import Position
from noughts.words import whole

NODES = 200  # of one question: a fraction of a second
LONGER = 8  # times as many, if they were too few and there is time
FIRSTS = 12  # cells that a holder to move tries to take first
MAX_CELLS = 1_024  # beyond, only the pairing of the plane is tried
MAX_MARKS = 400  # of the player who is kept from a line; beyond, that one is not tried

Pair = tuple[Cell, Cell]

# The pairing of the plane: in each 8 x 8 cells a row, a column and a diagonal of either kind have one pair of
# neighbours each, repeated every 8 cells in both directions; all 64 cells are used. These are the first cells.
PERIOD = 8
PLANE = {
    (0, 1): (4, 13, 17, 30, 37, 42, 55, 62),
    (1, 0): (56, 41, 26, 11, 44, 21, 46, 39),
    (1, 1): (36, 7, 61, 23, 50, 3, 57, 1),
    (1, -1): (15, 51, 9, 53, 25, 33, 20, 28),
}
PLANE_K = PERIOD + 1  # every run of so many cells holds a pair


class Holding(Prover):
    """Knows who can keep the other from a line by pairs of cells."""

    name = "pairing"
    certifies = True
    finds = ("hold",)

    def refusal(self, game: Game) -> str | None:
        """Why pairs are not looked for in a game."""
        return refusal(game)

    def verdict(self, position: Position) -> Verdict:
        """At most a tie where the other holds, at least a tie where the player to move does."""
        return self.prove(position, Budget(1))

    def prove(self, position: Position, budget: Budget) -> Verdict:
        """Who holds, with the pairs: looked for ever longer, at first for no longer than `verdict` does."""
        found, looking, nodes = UNKNOWN, [False, True], NODES
        lines = 4 * position.game.cells  # of about so many each node looks at every one
        while looking and (nodes == NODES or not budget.is_spent):
            for holder_moves in [*looking]:
                few = nodes if nodes == NODES else budget.share(nodes * lines) // lines or 1
                held, complete, looked_at = _held(position, holder_moves, few, budget.seconds)
                budget.spend(looked_at, each=lines)
                if held:
                    found = found.narrowed(_holding(position, held, holder_moves))
                if held or complete:
                    looking.remove(holder_moves)
            nodes *= LONGER
        free = position.empty.bit_count()
        return found._replace(remoteness=free, within=free) if found.is_exact else found

    def moves(self, position: Position) -> dict[Cell, Verdict]:
        """Every move where the other holds; where the player to move does, the one that pairs begin with, or any."""
        found = dict.fromkeys(position.moves(), UNKNOWN)
        if _held(position, False).held:
            found = dict.fromkeys(found, AT_MOST_A_TIE)
        if held := _held(position, True).held:
            for cell in found if held.first is None else [held.first]:
                found[cell] = found[cell].narrowed(AT_LEAST_A_TIE)
        free = position.empty.bit_count()
        exact = {cell: each._replace(remoteness=free, within=free) for cell, each in found.items() if each.is_exact}
        return found | exact


AT_LEAST_A_TIE, AT_MOST_A_TIE = Verdict(at_least="tie", how=("pairing",)), Verdict(at_most="tie", how=("pairing",))


class Pairing(NamedTuple):
    """What the finder found."""

    held: Held | None
    complete: bool  # did it look everywhere it can?
    nodes: int


def refusal(game: Game) -> str | None:
    """Why pairs are not looked for in a game; None if they are.

    >>> refusal(Game(40, 40, 5))
    'with fewer than 9 in a row it takes boards of up to 1,024 cells, and 40x40k5 is larger'
    """
    if why := game.rule.refusal(["gravity", "misere"]):
        return why
    if game.k < PLANE_K and game.cells > MAX_CELLS:
        limit = f"boards of up to {MAX_CELLS:,} cells"
        return f"with fewer than {PLANE_K} in a row it takes {limit}, and {game} is larger"
    return None


def _held(position: Position, holder_moves: bool, nodes: int = NODES, seconds: float = inf) -> Pairing:
    if position.is_over or refusal(position.game):
        return Pairing(None, True, 0)
    return _at_first(position, holder_moves) if nodes == NODES else find(position, holder_moves, nodes, seconds)


@lru_cache(maxsize=4)  # a position and its moves are asked about one after the other
def _at_first(position: Position, holder_moves: bool) -> Pairing:
    return find(position, holder_moves)


def _holding(position: Position, held: Held, holder_moves: bool) -> Verdict:
    """The verdict that the pairs of a holder make."""
    if holder_moves and held.first is None:  # any move does: its pair is done with
        first = held.pairs[0][0] if held.pairs else position.moves()[0]
        held = Held(tuple(pair for pair in held.pairs if first not in pair), first)
    part = Part(position.turn if holder_moves else position.turn.other, "holds", held)
    return (AT_LEAST_A_TIE if holder_moves else AT_MOST_A_TIE)._replace(certificate=(part,))


def find(position: Position, holder_moves: bool, nodes: int = NODES, seconds: float = inf) -> Pairing:
    """A pairing by which a player keeps the other from a line, within so many nodes and seconds.

    `holder_moves` says who holds: the player to move, or the one who has just moved.

    >>> find(Position.parse("1x6k4:......"), holder_moves=False)
    Pairing(held=Held(pairs=((2, 3),), first=None), complete=True, nodes=1)
    """
    nodes, game, (mine, theirs) = whole("nodes", nodes, 1), position.game, position.sides
    other = theirs if holder_moves else mine
    if game.k >= PLANE_K and (shift := _on_the_plane(game, other, position.empty)):
        return Pairing(Held(tuple(sorted(_pairs_of_the_plane(game, *shift, position.empty)))), True, 0)
    if game.cells > MAX_CELLS:
        return Pairing(None, True, 0)
    search = _Search(_open(game, other, position.empty), nodes, monotonic() + seconds)
    for first in search.firsts() if holder_moves else [None]:
        pairs = search.pairs(position.empty, first)
        if pairs is not None:
            return Pairing(Held(tuple(sorted(pairs)), first), True, nodes - search.left)
    return Pairing(None, not search.spent, nodes - search.left)


def _open(game: Game, own: Bits, empty: Bits) -> list[Bits]:
    """The free cells of each line that a player can still complete, none that contains another; the shortest first."""
    found = sorted({line & empty for line, _ in game.rule.open_lines(own, empty)}, key=int.bit_count)
    kept: list[Bits] = []
    for size, alike in groupby(found, int.bit_count):
        shorter = [line for line in kept if line.bit_count() < size]
        kept += [line for line in alike if not any(line & other == other for other in shorter)]
    return kept


class _Search:
    """Looks for pairs. Sets of lines are bits, too: bit i = line i, so that a node costs a few steps on whole sets."""

    def __init__(self, lines: list[Bits], nodes: int, until: float = inf) -> None:
        self.lines, self.left, self.until, self.spent = lines, nodes, until, False
        self.through: dict[Cell, Bits] = {}  # the lines through a cell
        for number, line in enumerate(lines):
            for cell in _cells(line):
                self.through[cell] = self.through.get(cell, 0) | 1 << number
        self.near = [self._sharing(line) for line in lines]  # the lines that a pair of this one may serve as well

    def _sharing(self, line: Bits) -> Bits:
        both = (self.through[one] & self.through[other] for one, other in combinations(_cells(line), 2))
        return reduce(or_, both, 0)

    def firsts(self) -> Sequence[Cell | None]:
        """The cells that a holder to move tries to take first, those in the most lines; None where there is no need."""
        if not self.lines:
            return [None]
        alone = self.lines[0].bit_count() == 1  # the shortest: else the other would complete that line next
        cells = [*_cells(self.lines[0])] if alone else sorted(self.through)
        return sorted(cells, key=lambda cell: -self.through[cell].bit_count())[:FIRSTS]

    def pairs(self, free: Bits, first: Cell | None) -> list[Pair] | None:
        """Disjoint pairs of free cells such that every line has one, or `first`; None if none are found."""
        taken = self.through.get(first, 0) if first is not None else 0
        return self._pairs((1 << len(self.lines)) - 1 & ~taken, free & ~(0 if first is None else 1 << first))

    def _pairs(self, open_: Bits, free: Bits) -> list[Pair] | None:
        if not open_:
            return []
        if not self.left or monotonic() >= self.until:
            self.spent = True
            return None
        if self._too_many(open_, free.bit_count() // 2):
            return None
        self.left -= 1
        each = zip(self.lines, bin(open_)[:1:-1], strict=False)  # its digits from the last: bit i = line i
        shortest = min([line & free for line, digit in each if digit == "1"], key=int.bit_count)
        choices = []
        for one, other in combinations(_cells(shortest), 2):
            serves = self.through[one] & self.through[other] & open_
            choices.append((serves.bit_count(), (one, other), serves))
        for _, (one, other), serves in sorted(choices, key=lambda each: -each[0]):
            rest = self._pairs(open_ & ~serves, free & ~(1 << one | 1 << other))
            if rest is not None:
                return [(one, other), *rest]
            if self.spent:
                return None
        return None

    def _too_many(self, open_: Bits, pairs: int) -> bool:
        """Are there more lines, no two of which share two cells, than pairs? Each needs one of its own."""
        while open_ and pairs >= 0:
            number = (open_ & -open_).bit_length() - 1
            open_ &= ~(self.near[number] | 1 << number)
            pairs -= 1
        return pairs < 0


# The pairing of the plane


def _on_the_plane(game: Game, own: Bits, empty: Bits) -> tuple[int, int] | None:
    """How the plane's pairing is to be moved, down and right, so that it holds against a player; None if no way does.

    A run of nine free cells always holds a pair. So only lines that contain marks of the player need a look.
    """
    if own.bit_count() > MAX_MARKS:
        return None
    lines = [*_through(game, own, game.full & ~(own | empty))]
    for down in range(PERIOD):
        for right in range(PERIOD):
            partner = partial(_partner, game, down, right)
            if all(any(empty >> cell & 1 and _free(line, empty, partner(cell)) for cell in line) for line in lines):
                return down, right
    return None


def _free(line: tuple[Cell, ...], empty: Bits, cell: Cell | None) -> bool:
    return cell is not None and cell in line and bool(empty >> cell & 1)


def _through(game: Game, own: Bits, taken: Bits) -> Iterator[tuple[Cell, ...]]:
    """The lines with a mark of this player and none of the other."""
    seen = set()
    for cell in _cells(own):
        row, column = divmod(cell, game.columns)
        for down, right in PLANE:
            for back in range(game.k):
                r, c = row - back * down, column - back * right
                last_r, last_c = r + (game.k - 1) * down, c + (game.k - 1) * right
                if min(r, c, last_r, last_c) < 0 or max(r, last_r) >= game.rows or max(c, last_c) >= game.columns:
                    continue
                if (r, c, down, right) in seen:
                    continue
                seen.add((r, c, down, right))
                line = tuple((r + i * down) * game.columns + c + i * right for i in range(game.k))
                if not any(taken >> each & 1 for each in line):
                    yield line


def _partner(game: Game, down: int, right: int, cell: Cell) -> Cell | None:
    """The other cell of the pair, or None where that is not on the board."""
    row, column = divmod(cell, game.columns)
    by_row, by_column = _plane()[(row - down) % PERIOD * PERIOD + (column - right) % PERIOD]
    row, column = row + by_row, column + by_column
    return row * game.columns + column if 0 <= row < game.rows and 0 <= column < game.columns else None


@lru_cache(maxsize=1)
def _plane() -> dict[Cell, tuple[int, int]]:
    """From each of the 8 x 8 cells the step to its partner."""
    steps = {}
    for (down, right), firsts in PLANE.items():
        for first in firsts:
            row, column = divmod(first, PERIOD)
            steps[first] = down, right
            steps[(row + down) % PERIOD * PERIOD + (column + right) % PERIOD] = -down, -right
    return steps


def _pairs_of_the_plane(game: Game, down: int, right: int, empty: Bits) -> Iterator[Pair]:
    """The pairs of the plane's pairing, so moved, whose cells are both free."""
    free = f"{empty:b}"[::-1].ljust(game.cells, "0")  # on the largest board a look into the number takes a while
    for (by_row, by_column), firsts in PLANE.items():
        step = by_row * game.columns + by_column
        for first in firsts:
            for row in range((first // PERIOD + down) % PERIOD, game.rows - by_row, PERIOD):
                for column in range((first % PERIOD + right) % PERIOD, game.columns, PERIOD):
                    cell = row * game.columns + column
                    inside = 0 <= column + by_column < game.columns
                    if inside and free[cell] == "1" == free[cell + step]:
                        yield cell, cell + step


def _cells(bits: Bits) -> Iterator[Cell]:
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
