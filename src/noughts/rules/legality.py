"""Can this board arise? A named reason if not, a witness game if so.

X moves first and the players alternate, so the counts are equal or X has one more. Play stops at the first
completed line, whatever it means (a win, or in misere a loss), so all the lines there are were completed by
the last move: they belong to one player, the one who moved last, and share a cell. That is also enough: take
that cell away and no line is left, so the other marks can have come in any order.

    X X X      two lines that share a3:        X X X . .      two lines with no cell in common:
    X O O      X played there last             O O . O O      no single last move explains
    X O O                                      X X X . O      them both

Where only exactly k in a row count, the order matters: a longer run must have been joined from shorter ones, and a
run of k must never have stood there alone. A player's marks come in an order of their own, whatever the other does,
and only those in runs of more than k need one; `order_of` looks for it, backwards, a mark at a time.

    X X X X    k = 3: an inner mark came last, between one and two; an end would have been added to a line

Where marks fall, a column says the order of its own marks, and the turns must fit all of them together: `order_falling`
looks for an order backwards, a mark from the top of some column at a time, and tries no board twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import chain, islice, zip_longest

from noughts.rules.answer import Answer
from noughts.rules.game import Bits, Cell, Game
from noughts.rules.marks import Mark
from noughts.rules.notation import draw_board, format_board, format_move, parse_board
from noughts.rules.position import InvalidPosition, Position, Setup
from noughts.words import whole

MOST_WORK = 60_000_000  # for the order of the marks of one tangle: seconds
WORK = 3_000  # of one try, beside its board
FALLING = 20  # the same, where marks fall: all boards of 6 x 7 are decided
FEW_BOARDS = 100  # are tried whatever the limit


class Reason(Enum):
    """Why a board cannot arise, or is not known to."""

    COUNTS = "the players take turns and X begins, so X must have as many marks as O, or one more"
    BOTH_COMPLETE = "both players have completed a line, but the first line ends the game"
    MOVE_AFTER_END = "a move was made after the end of the game"
    NO_LAST_MOVE = "no single last move can have completed all these lines"
    FLOATING = "a mark hangs in the air: where marks fall, no cell below one is empty"
    NO_ORDER = "in whatever order the marks came, a line was completed before the last of them"
    NO_TURNS = "in no order in which the columns can have been filled did X and O take turns to the end of a game"
    UNDECIDED = "whether some order of moves leads here could not be decided"

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Legality(Answer):
    """Whether a board can arise: why not, or a game that leads there."""

    keys = "board.game position legal=decided reason=why reason_name=reason witness@ board# picture"

    board: Setup | Position
    reason: Reason | None
    explanation: str
    witness: tuple[Cell, ...] | None

    @property
    def legal(self) -> bool:
        """Can the board arise?"""
        return self.reason is None

    @property
    def refusal(self) -> str:
        """In words, that it cannot arise and why; or that it is not known."""
        return self.explanation if self.reason is Reason.UNDECIDED else f"cannot arise: {self.explanation}"

    @property
    def decided(self) -> bool | None:
        """Can the board arise? None where that could not be decided."""
        return None if self.reason is Reason.UNDECIDED else self.legal

    @property
    def position(self) -> str:
        """The board as text."""
        return format_board(self.board)

    @property
    def why(self) -> str | None:
        """Why it cannot arise, or is not known to."""
        return None if self.legal else self.explanation

    @property
    def picture(self) -> str:
        """The board in lines of text, with its labels."""
        return draw_board(self.board)

    def require(self) -> None:
        """Raise InvalidPosition if the board cannot arise."""
        if self.reason:
            raise InvalidPosition(self.explanation, self.reason)


def check(board: Setup | Position | str, work: int = MOST_WORK) -> Legality:
    """Judge any board; a text is read first. `work` bounds the search for an order of the marks.

    >>> check("XXX/OOO/...").reason
    <Reason.BOTH_COMPLETE: 'both players have completed a line, but the first line ends the game'>
    >>> check("XXX/OO./...").witness
    (0, 3, 1, 4, 2)
    """
    if isinstance(board, str):
        board = parse_board(board)
    game = board.game
    x, o = (whole(name, bits, refuse=InvalidPosition) for name, bits in (("x", board.x), ("o", board.o)))
    if x & o or (x | o) & ~game.full:
        raise InvalidPosition("these are not two separate sets of cells of the board")
    xs, os = x.bit_count(), o.bit_count()
    if game.gravity and (floating := (x | o) & (game.full & ~(x | o)) >> game.columns):
        return _refused(board, Reason.FLOATING, format_move(game, floating.bit_length() - 1))
    if xs - os not in (0, 1):
        return _refused(board, Reason.COUNTS, f"X has {xs} and O has {os}")
    x_complete, o_complete = game.rule.has_line(x), game.rule.has_line(o)
    if x_complete and o_complete:
        return _refused(board, Reason.BOTH_COMPLETE)
    last: Mark | None = None
    if x_complete or o_complete:
        owner = last = Mark.X if x_complete else Mark.O
        if owner is not (Mark.X if xs > os else Mark.O):
            return _refused(board, Reason.MOVE_AFTER_END, f"{owner} has a line, but {owner.other} moved last")
        if not _common_cells(game, x if x_complete else o):
            return _refused(board, Reason.NO_LAST_MOVE, f"{owner}'s lines have no cell in common")
    if game.gravity:
        return _falling(board, x, o, work)
    orders, undecided = [], ""
    for mark, bits in ((Mark.X, x), (Mark.O, o)):
        try:
            order = (order_with_line if mark is last else order_of)(game, bits, work)
        except TooTangled as problem:
            undecided = f"{mark}'s marks: {problem}"
            continue
        if order is None:
            return _refused(board, Reason.NO_ORDER, f"the marks are {mark}'s")
        orders.append(order)
    if undecided:
        return _refused(board, Reason.UNDECIDED, undecided)
    witness = tuple(cell for cell in chain.from_iterable(zip_longest(*orders)) if cell is not None)
    return Legality(board, None, "legal play can reach this board", witness)


# Where marks fall


def _falling(board: Setup | Position, x: Bits, o: Bits, work: int) -> Legality:
    """Judge a board of fallen marks, by whether there is an order of them."""
    try:
        order = order_falling(board.game, x, o, work)
    except TooTangled as problem:
        return _refused(board, Reason.UNDECIDED, str(problem))
    if order is None:
        return _refused(board, Reason.NO_TURNS)
    return Legality(board, None, "legal play can reach this board", tuple(order))


def order_falling(game: Game, x: Bits, o: Bits, work: int = MOST_WORK) -> list[Cell] | None:
    """An order in which the marks can have fallen, in turns and with no line before the last; None if there is none.

    Backwards, from the top of a column at a time: whoever moved last owns it. A board that leads nowhere is not tried
    twice, so no more boards are tried than the columns can be filled in ways.

    >>> order_falling(Game.parse("2x2k2g"), 0b1000, 0b0010), order_falling(Game.parse("2x2k2g"), 0b0010, 0b1000)
    ([3, 1], None)
    """
    rule, sides, marks = game.rule, [x, o], (x | o).bit_count()
    most = work // (game.cells + FALLING) + FEW_BOARDS
    hopeless: set[Bits] = set()
    away: list[tuple[Cell, int]] = []  # the last mark first, and how many were tried in its place, with it
    ways, tried = _last_marks(game, sides, marks), 0
    while marks:
        cell = next(ways, None)
        if cell is None:
            if not away:
                return None
            hopeless.add(sides[0] | sides[1])
            if len(hopeless) > most:
                raise TooTangled(f"{most:,} boards were tried, the limit on this board")
            cell, tried = away.pop()
            sides[marks % 2] |= 1 << cell
            marks += 1
            ways = islice(_last_marks(game, sides, marks), tried, None)
            continue
        mark, mover, tried = 1 << cell, (marks - 1) % 2, tried + 1
        if (sides[0] | sides[1]) ^ mark in hopeless:
            continue
        sides[mover] ^= mark
        if (rule.exact or not away) and any(map(rule.has_line, sides)):
            sides[mover] ^= mark
            continue
        marks -= 1
        away.append((cell, tried))
        ways, tried = _last_marks(game, sides, marks), 0
    return [cell for cell, _ in reversed(away)]


def _last_marks(game: Game, sides: list[Bits], marks: int) -> Iterator[Cell]:
    """The marks that may have come last, the likeliest first: it lies on one of the other player, who is next."""
    taken, mover = sides[0] | sides[1], (marks - 1) % 2
    tops = sides[mover] & ~(taken << game.columns)
    likely = tops & sides[1 - mover] >> game.columns
    for bits in (likely, tops ^ likely):
        while bits:
            yield (bits & -bits).bit_length() - 1
            bits &= bits - 1


def _common_cells(game: Game, bits: Bits) -> Bits:
    """The cells that belong to every line in the set."""
    common = bits
    for line, _ in game.rule.open_lines(bits):
        common &= line
        if not common:
            break
    return common


# The order of one player's marks


class TooTangled(ValueError):
    """An order of marks was looked for, and before all were tried the limit was reached."""


def order_of(game: Game, bits: Bits, work: int = MOST_WORK) -> list[Cell] | None:
    """An order in which one player's marks can have come without a line at any time; None if there is none.

    TooTangled, if too many orders would have to be tried.

    >>> order_of(Game.parse("1x4k3e"), 0b1111), order_of(Game.parse("1x4k3e"), 0b0111)
    ([0, 1, 3, 2], None)
    """
    if game.rule.has_line(bits):
        return None
    late: list[Cell] = []
    long_runs = game.rule.exact and _longer(game).rule.has_line(bits)
    if long_runs and not work:
        raise TooTangled("nothing was tried")
    for tangle in _tangles(game, bits) if long_runs else ():
        order = _untangled(game, tangle, work)
        if order is None:
            return None
        late += order
    early = bits & ~game.bits_of(late)
    return game.cells_of(early) + late


def order_with_line(game: Game, bits: Bits, work: int = MOST_WORK) -> list[Cell] | None:
    """An order of one player's marks in which the last completes all their lines; None if there is none."""
    too_tangled = None
    for last in reversed(game.cells_of(_common_cells(game, bits))) if game.rule.has_line(bits) else ():
        try:
            if (order := order_of(game, bits ^ 1 << last, work)) is not None:
                return [*order, last]
        except TooTangled as problem:
            too_tangled = problem  # another last move may still do
    if too_tangled:
        raise too_tangled
    return None


@lru_cache(maxsize=16)
def _longer(game: Game) -> Game:
    """The game whose lines are the runs that are too long for this one."""
    return Game(game.rows, game.columns, game.k + 1)


def _tangles(game: Game, bits: Bits) -> list[list[Cell]]:
    """The cells in runs of more than k, those of runs that cross together: other cells do not matter to them."""
    same: dict[Cell, list[Cell]] = {}
    for line in _longer(game).rule.lines_in(bits):
        for cell in line:
            here, there = same.setdefault(line[0], [line[0]]), same.setdefault(cell, [cell])
            if here is not there:
                here, there = sorted((here, there), key=len, reverse=True)
                here += there
                same.update(dict.fromkeys(there, here))
    return [*{id(tangle): tangle for tangle in same.values()}.values()]


def _untangled(game: Game, tangle: list[Cell], work: int) -> list[Cell] | None:
    """The marks of a tangle that came after the others, in their order; None if no order is without a line.

    Backwards, a mark is taken away that leaves no line; what is left may be several tangles, each on its own. It is all
    done on the smallest board that the tangle fits on.
    """
    rows, columns = zip(*(divmod(cell, game.columns) for cell in tangle), strict=True)
    top, left = min(rows), min(columns)
    small = game.on(max(rows) - top + 1, max(columns) - left + 1)
    numbers = ((row - top) * small.columns + column - left for row, column in zip(rows, columns, strict=True))
    here = dict(zip(numbers, tangle, strict=True))
    tried, most = 0, work // (small.cells + WORK)
    hopeless: set[Bits] = set()
    taken: list[Cell] = []  # away, the last mark first
    ways: list[tuple[list[Bits], Iterator[Cell]]] = []  # before each: the tangles, and what else may be taken away
    left_over = [small.bits_of(here)]
    while left_over:
        cells = small.cells_of(left_over[0])
        cut = small.k - 1  # the first cells to be tried cut as much as can be off a run
        ways.append((left_over, chain(cells[cut:], cells[:cut])))
        while ways:
            (first, *others), untried = ways[-1]
            for cell in untried:
                rest = first ^ 1 << cell
                if small.rule.has_line(rest):
                    continue
                tried += 1
                if tried > most:
                    raise TooTangled(f"{most:,} sets of marks were tried, the limit on this board")
                left_over = [*map(small.bits_of, _tangles(small, rest)), *others]
                if hopeless.isdisjoint(left_over):
                    taken.append(cell)
                    break
            else:
                if hopeless.isdisjoint(others):  # else it may be their fault alone
                    hopeless.add(first)
                ways.pop()
                del taken[-1:]
                continue
            break
        else:
            return None
    return [here[cell] for cell in reversed(taken)]


def _refused(board: Setup | Position, reason: Reason, detail: str = "") -> Legality:
    return Legality(board, reason, f"{reason.value} ({detail})" if detail else reason.value, None)
