"""A win by any moves: threats, and quiet moves that leave the other something to answer wherever they reply.

Every winning move threatens: did the other do nothing, the attacker would win. So a *try* is a move and the position
after it with the attacker to move again (`idle`). Once that one is won, its strategy says which replies could upset
it: its zone, the cells that it uses and those of the other's lines that could come in time, as check.py counts them.
Each of these replies leads to one more position with the attacker to move; all of them must be won.

    . . . . . .      X plays c2, quietly. If O did nothing, X would win by threes around it; so O must reply there, or
    . . X . . .      where O would get ahead in the race. After each reply X tries again

So one kind of position suffices, and one search: it goes on where the fewest positions seem left to settle (proof
numbers), first asks whether the position is won by fours, and tries moves that make fours and threes before quiet
ones, which cost a price more. Positions that are reached in several ways, or turned, are kept once; so that they are
not counted again and again, the numbers of those that must be settled together are not added up: the largest counts,
and each other one as 1.

A position in which pairs and weight keep the attacker from every line is refuted at once (hold.py). Otherwise nothing
is left out but moves in no line that anyone can still complete: where the search ends without a win, there is no
strategy of this kind, and where an extra mark never hurts the other holds. `search` asks the native core; `PlainWins`
is its twin and says what is right.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any, NamedTuple, Protocol

from noughts.native import handle
from noughts.progress import Progress, finish
from noughts.proofs import fours, hold
from noughts.proofs.certificate import Move, from_line, plies
from noughts.proofs.check import Ground, smallest
from noughts.proofs.fours import FOREVER, NEVER
from noughts.proofs.threes import QUESTION, SURE, open_lines, read
from noughts.rules.game import Bits, Cell, Game
from noughts.rules.position import Position
from noughts.words import whole

NODES = 1_000_000  # natively some seconds
SLICE = 50_000  # nodes from one event to the next
MEMORY = 2 << 30  # bytes for the positions that are kept; natively those that nothing leads to any more go first
PRICE = 32  # of a quiet move: about as many replies as it leaves
RANKS = 2  # so many of them later, it costs one more
HEAVIEST = 15  # marks in a line beyond which it weighs no more


@dataclass(frozen=True)
class Wins:
    """What the search found: the winning strategy, or none."""

    strategy: Move | None
    complete: bool  # is it sure, if there is none? Else the budget ended
    nodes: int  # positions with the attacker to move
    proof: int  # how many positions seem left to win, at least; 0: it is won
    refutation: int  # how many seem left to refute; 0: there is no win


NO_WIN = Wins(None, True, 0, SURE, 0)


@dataclass(frozen=True)
class Searching(Progress):
    """Where the search is."""

    proof: int
    refutation: int
    line: tuple[Cell | None, ...]  # both players' moves; None where the other does nothing

    @property
    def detail(self) -> str:
        """How far it is, in words."""
        return f"{self.done:,}, proof number {self.proof:,}, disproof number {self.refutation:,}"


class Search(Protocol):
    """A search that can go on where it was: the native one, or its twin."""

    def run(self, nodes: int, seconds: float) -> None:
        """Go on for so many nodes and seconds, unless it is settled or the memory is full."""

    def line(self) -> list[int]:
        """Where it is at work: both players' moves, -1 where the other does nothing."""

    def strategy(self) -> list[int] | Move | None:
        """Of a win, natively as numbers that `read` reads; otherwise nothing."""

    def known(self) -> bytes:
        """All that was found so far, for `recall`."""

    def recall(self, known: bytes) -> None:
        """Take over what an earlier search of the same position found; ValueError if it is none."""

    @property
    def settled(self) -> bool: ...
    @property
    def full(self) -> bool: ...
    @property
    def proof(self) -> int: ...
    @property
    def refutation(self) -> int: ...
    @property
    def nodes(self) -> int: ...


def refusal(game: Game) -> str | None:
    """Why a win is not looked for in a game; None if it is."""
    return fours.refusal(game, fewest=1)


def search(
    position: Position, nodes: int = NODES, *, seconds: float = FOREVER,
    passed: bool = False, second: bool = False, moves: int = NEVER, memory: int = MEMORY,
) -> Wins:  # fmt: skip
    """A win of the player to move; with `passed`, of the other, as if the one to move had passed.

    With `second`, a win of the other whatever the one to move plays; its strategy begins without a cell. `moves` are
    the most that the winner may make. It ends after so many nodes or seconds, or when the memory is full.

    >>> found = search(Position.parse("3x4k3:..../..../...."))
    >>> found.strategy.cell, found.complete, search(Position.parse(".../.../...")).refutation
    (1, True, 0)
    """
    return finish(searching(position, nodes, seconds=seconds, passed=passed, second=second, moves=moves, memory=memory))


def searching(
    position: Position, nodes: int = NODES, *, seconds: float = FOREVER,
    passed: bool = False, second: bool = False, moves: int = NEVER, memory: int = MEMORY,
) -> Generator[Searching, None, Wins]:  # fmt: skip
    """`search`, telling now and then where it is; the same nodes find the same, whoever listens."""
    nodes, until = whole("nodes", nodes, 1, 2**62), monotonic() + seconds
    if position.is_over:
        if why := refusal(position.game):
            raise ValueError(f"a win is not looked for on {position.game}: {why}")
        return NO_WIN
    found = begin(position, passed=passed, second=second, moves=moves, memory=memory)
    while True:
        found.run(min(SLICE, nodes - found.nodes), until - monotonic())
        if found.settled or found.full or found.nodes >= nodes or monotonic() >= until:
            break
        line = tuple(None if cell < 0 else cell for cell in found.line())
        yield Searching("looking for a win, nodes", found.nodes, 0, found.proof, found.refutation, line)
    strategy = found.strategy()
    if isinstance(strategy, list):
        strategy = read(strategy)
    return Wins(strategy, found.settled, found.nodes, found.proof, found.refutation)


def shorter(position: Position, found: Wins, nodes: int = NODES, *, second: bool = False, **limits: Any) -> Wins:
    """A win that takes fewer moves than this one, again and again as long as there is one within so many nodes.

    `complete` then says whether there is no shorter one: where an extra mark never hurts, its plies are the remoteness.

    >>> position = Position.parse("3x4k3:..../..../....")
    >>> quick = shorter(position, search(position))
    >>> plies(quick.strategy), quick.complete
    (7, True)
    """
    while found.strategy:
        moves = (plies(found.strategy) + 1) // 2 - 1  # one less than it takes
        less = search(position, nodes, second=second, moves=moves, **limits) if moves else NO_WIN
        if not less.strategy:
            return replace(found, complete=less.complete)
        found = less
    return found


def begin(
    position: Position, *, passed: bool = False, second: bool = False, moves: int = NEVER, memory: int = MEMORY
) -> Search:
    """The search for a win from a position that is not over, before its first node."""
    if why := refusal(position.game):
        raise ValueError(f"a win is not looked for on {position.game}: {why}")
    moves, memory = whole("moves", moves, 1, NEVER), whole("memory", memory, 1, 2**62)
    mine, theirs = position.sides
    if passed or second:
        mine, theirs = theirs, mine
    native = handle(position.game)
    if native is None:
        return PlainWins(position.game, mine, theirs, second=second, moves=moves, memory=memory)
    from noughts import _core

    cells = position.game.cells_of
    return _core.Wins(native, cells(mine), cells(theirs), second, moves, memory)


# The plain twin

Sides = tuple[Bits, Bits]  # the cells of the attacker, and of the other


@dataclass
class _Try:
    """A move of the attacker; how they win if nothing is done; once that is known, the replies that matter."""

    cell: Cell | None  # None: the other moves first
    price: int  # added while it is open whether the move threatens anything
    idle: _Node
    replies: list[tuple[Cell, _Node]] = field(default_factory=list)

    @property
    def numbers(self) -> tuple[int, int]:
        """How many positions must be proven to prove it, or refuted to refute it."""
        if not self.idle.refutation:
            return SURE, 0
        if self.idle.proof:
            return min(self.idle.proof + self.price, SURE - 1), self.idle.refutation
        weakest = min(node.refutation for _, node in self.replies)
        return (_together([node.proof for _, node in self.replies]) if weakest else SURE), weakest


@dataclass
class _Node:
    """A position with the attacker to move, and all that turns of the board make of it.

    How many more must be proven to prove it, or refuted to refute it. Its cells are those of the board as it was when
    it was first looked into (`frame`).
    """

    frame: Sides | None = None
    proof: int = 1
    refutation: int = 1
    expanded: bool = False
    rank: int = 0  # of the next quiet move
    line: tuple[Cell, ...] = ()  # the win by fours
    tries: list[_Try] = field(default_factory=list)
    quiet: list[Cell] = field(default_factory=list)  # cells not tried yet, the best last
    used: tuple[Bits, ...] = ()  # as check.py counts: where the attacker moves, then the other's lines that lack n

    @property
    def settled(self) -> bool:
        return not self.proof or not self.refutation

    @property
    def price(self) -> int:
        """Of the next quiet move."""
        return PRICE + self.rank // RANKS if self.quiet else SURE

    def settle(self, won: bool) -> None:
        self.expanded, self.quiet = True, []
        self.proof, self.refutation = (0, SURE) if won else (SURE, 0)


def _together(numbers: list[int]) -> int:
    """The number of several positions that must all be settled."""
    left = [number for number in numbers if number]
    return min(max(left) + len(left) - 1, SURE - 1) if left else 0


class PlainWins:
    """The plain twin of the native search, to the node."""

    def __init__(
        self, game: Game, mine: Bits, theirs: Bits, *,
        second: bool = False, moves: int = NEVER, memory: int = MEMORY,
    ) -> None:  # fmt: skip
        """Begin with the attacker to move, or with `second` the other."""
        self.game, self.fours, self.moves = game, fours.Plain(game), moves + mine.bit_count()
        self.most, self.until = memory >> 10, FOREVER  # a position takes about a kilobyte
        self.turns = _turns(game)
        self.met: dict[Sides, _Node] = {}
        self.start = mine, theirs
        self.root, self.nodes, self.limit = _Node(self.start), 0, 0
        if second and self.completing(theirs, mine):
            self.root.settle(won=False)
        elif second:
            self.root.expanded, self.root.tries = True, [_Try(None, 0, self.at(mine, theirs))]

    @property
    def settled(self) -> bool:
        """Is it known whether there is a win?"""
        return self.root.settled

    @property
    def proof(self) -> int:
        """How many positions seem left to win."""
        return self.root.proof

    @property
    def refutation(self) -> int:
        """How many positions seem left to refute."""
        return self.root.refutation

    @property
    def full(self) -> bool:
        """Are more positions kept than there is room for?"""
        return len(self.met) > self.most

    def run(self, nodes: int, seconds: float = FOREVER) -> None:
        """Go on for so many nodes and seconds, unless it is settled or the memory is full."""
        self.limit, self.until = self.nodes + nodes, monotonic() + seconds
        while not self.settled and not self.stopped():
            self.descend(self.root, *self.start, SURE, SURE)

    def stopped(self) -> bool:
        return self.nodes >= self.limit or self.full or monotonic() >= self.until

    def at(self, mine: Bits, theirs: Bits) -> _Node:
        """The position on this board, however it is turned."""
        return self.met.setdefault(min((turn.set(mine), turn.set(theirs)) for turn in self.turns), _Node())

    def turn(self, node: _Node, mine: Bits, theirs: Bits) -> Turn:
        """The turn that makes this board of the node's own, if it was looked into."""
        if node.frame is None:
            return self.turns[0]
        return next(turn for turn in self.turns if (turn.set(node.frame[0]), turn.set(node.frame[1])) == (mine, theirs))

    def completing(self, own: Bits, other: Bits) -> Bits:
        return self.game.rule.completing(own) & self.game.full & ~(own | other)

    def update(self, node: _Node, mine: Bits, theirs: Bits) -> None:
        """The numbers, from those of the moves; what is refuted is dropped."""
        if not node.expanded or node.settled:
            return
        turn, left = self.turn(node, mine, theirs), []
        for each in node.tries:
            if not each.idle.proof and not each.replies:
                self.answer(each, turn, mine, theirs)
            proof, refutation = each.numbers
            if not proof:
                node.tries = [each]
                node.settle(won=True)
                return
            if refutation:
                left.append((each, proof, refutation))
        node.tries = [each for each, _, _ in left]
        node.proof = min([proof for _, proof, _ in left] + [node.price])
        node.refutation = _together([refutation for _, _, refutation in left] + [1] * bool(node.quiet))
        if not node.refutation:
            node.settle(won=False)

    def descend(self, node: _Node, mine: Bits, theirs: Bits, most_proof: int, most_refutation: int) -> None:
        """To the position that promises most, as long as this one promises more than the others elsewhere."""
        if not node.expanded:
            self.expand(node, mine, theirs)
        turn = self.turn(node, mine, theirs)
        while True:
            self.update(node, mine, theirs)
            if node.settled or node.proof >= most_proof or node.refutation >= most_refutation or self.stopped():
                return
            proofs = [each.numbers[0] for each in node.tries]
            if node.price <= min(proofs, default=SURE):
                price, cell = node.price, node.quiet.pop()
                idle = self.at(mine | turn.bit(cell), theirs)
                if all(each.idle is not idle for each in node.tries):
                    node.tries.append(_Try(cell, price, idle))
                    node.rank += 1
                continue
            best = node.tries[proofs.index(min(proofs))]
            others = len(node.tries) + bool(node.quiet) - 1
            proof = min(most_proof, _slack(sorted([*proofs, node.price])[1]))
            refutation = most_refutation - min(others, most_refutation - 1)
            after = mine | turn.bit(best.cell)
            if best.idle.proof:
                self.descend(best.idle, after, theirs, proof - min(best.price, proof - 1), refutation)
                continue
            replies = list[tuple[Cell, _Node]]()  # one for each position
            for cell, answered in best.replies:
                if answered.proof and all(answered is not other for _, other in replies):
                    replies.append((cell, answered))
            (cell, reply), *rest = sorted(replies, key=lambda pair: pair[1].refutation)
            second = rest[0][1].refutation if rest else SURE
            bound = min(refutation, _slack(second))
            self.descend(reply, after, theirs | turn.bit(cell), proof - min(len(rest), proof - 1), bound)

    def expand(self, node: _Node, mine: Bits, theirs: Bits) -> None:
        node.frame = node.frame or (mine, theirs)
        node.expanded = True
        self.nodes += 1
        left = self.moves - mine.bit_count()
        if left > 0 and (line := self.by_fours(mine, theirs, left)):
            node.line = line
            node.settle(won=True)
            return
        must = self.completing(theirs, mine)
        if left < 2 or must & must - 1 or (not must and self.held(mine, theirs)):
            node.settle(won=False)
            return
        quiet = 0 if must else self.game.full & ~(mine | theirs)
        for cell in self.game.cells_of(must or self.pressing(mine, theirs)):
            after = mine | 1 << cell
            line = self.by_fours(after, theirs, left - 1)
            if line or must:
                idle = self.at(after, theirs)
                if line and idle.proof:
                    idle.frame = idle.frame or (after, theirs)
                    back = self.turn(idle, after, theirs).back
                    idle.line = tuple(back[each] for each in line)
                    idle.settle(won=True)
                node.tries.append(_Try(cell, 0, idle))
                quiet &= ~(1 << cell)
        self.order(node, mine, theirs, quiet)

    def by_fours(self, mine: Bits, theirs: Bits, moves: int) -> tuple[Cell, ...]:
        found = self.fours.ask(mine, theirs, QUESTION, moves)
        self.nodes += found.nodes
        return found.line

    def held(self, mine: Bits, theirs: Bits) -> bool:
        """Do pairs keep the attacker, to move, from every line that is open to them?"""
        lines = smallest(open_lines(self.game, mine, theirs))
        return self.game.cells <= hold.MAX_CELLS and hold.pairs_and_weight(lines) is not None

    def pressing(self, mine: Bits, theirs: Bits) -> Bits:
        """The free cells of lines that lack two or three cells."""
        return _union(lacks for lacks in open_lines(self.game, mine, theirs) if lacks.bit_count() in (2, 3))

    def order(self, node: _Node, mine: Bits, theirs: Bits, cells: Bits) -> None:
        """The quiet moves: those first that are in many lines that can still be completed."""
        worth = [0] * self.game.cells
        for own, other, factor in ((mine, theirs, 2), (theirs, mine, 1)):
            lines = open_lines(self.game, own, other)
            if factor == 2 and not lines:
                node.tries = []
                return
            for lacks in lines:
                for cell in self.game.cells_of(lacks):
                    worth[cell] += factor << 2 * min(self.game.k - lacks.bit_count(), HEAVIEST)
        quiet = [cell for cell in self.game.cells_of(cells) if worth[cell]]
        node.quiet = sorted(quiet, key=lambda cell: (worth[cell], -cell))

    def answer(self, each: _Try, turn: Turn, mine: Bits, theirs: Bits) -> None:
        """The replies that matter, since it is known how the attacker wins if nothing is done."""
        mine |= turn.bit(each.cell)
        matters = _union(self.used(each.idle, mine, theirs)[:3]) & self.game.full & ~(mine | theirs)
        cells = self.game.cells_of(matters)
        each.replies = [(turn.back[cell], self.at(mine, theirs | 1 << cell)) for cell in cells]

    def used(self, node: _Node, mine: Bits, theirs: Bits) -> tuple[Bits, ...]:
        """What the win of a position depends on, if the other gets a move for nothing, on this board."""
        board, turn = (mine, theirs), self.turn(node, mine, theirs)
        if node.used:
            return tuple(map(turn.set, node.used))
        found = [0] * (self.game.k + 1)
        if node.line:
            line = [turn.to[cell] for cell in node.line]
            for cell, reply in zip(line[::2], line[1::2], strict=False):
                mine |= 1 << cell
                self.add_lacking(found, mine, theirs)
                theirs |= 1 << reply
            found[0] = self.game.bits_of(line)
        else:
            won = node.tries[0]
            found[0] |= turn.bit(won.cell)
            mine |= turn.bit(won.cell)
            self.add_lacking(found, mine, theirs)
            for n, cells in enumerate(self.used(won.idle, mine, theirs)):  # a line lacked one more than its owner needs
                found[n - 1 if n > 1 else n] |= cells
            for cell, after in won.replies:
                answered = self.used(after, mine, theirs | turn.bit(cell))
                found = [cells | more for cells, more in zip(found, answered, strict=True)]
        # A position that a turn leaves as it is may be answered in either way.
        same = [each for each in self.turns if (each.set(board[0]), each.set(board[1])) == board]
        found = [_union(each.set(cells) for each in same) for cells in found]
        node.used = tuple(map(turn.unset, found))
        return tuple(found)

    def add_lacking(self, found: list[Bits], mine: Bits, theirs: Bits) -> None:
        for lacks in open_lines(self.game, theirs, mine):
            found[lacks.bit_count()] |= lacks

    def line(self) -> list[int]:
        """Where it is at work: both players' moves, -1 where the other does nothing."""
        found, node, (mine, theirs) = list[int](), self.root, self.start
        while node.tries and not node.settled:
            turn = self.turn(node, mine, theirs)
            best = min(node.tries, key=lambda each: each.numbers[0])
            left: list[tuple[Cell | None, _Node]] = [(cell, after) for cell, after in best.replies if after.proof]
            left = left or [(None, best.idle)]
            reply, node = min(left, key=lambda pair: pair[1].refutation)
            found += [] if best.cell is None else [turn.to[best.cell]]
            found += [-1 if reply is None else turn.to[reply]]
            mine, theirs = mine | turn.bit(best.cell), theirs | turn.bit(reply)
        return found

    def strategy(self) -> Move | None:
        """How it is won; None if it is not."""
        return None if self.root.proof else self.written(self.root, *self.start, {})

    def known(self) -> bytes:
        """Nothing is kept."""
        return b""

    def recall(self, known: bytes) -> None:
        """Nothing is taken over."""

    def written(self, node: _Node, mine: Bits, theirs: Bits, known: dict[tuple[int, int], Move]) -> Move:
        turn = self.turn(node, mine, theirs)
        key = id(node), self.turns.index(turn)
        if key not in known:
            if node.line:
                known[key] = from_line(tuple(turn.to[cell] for cell in node.line))
            else:
                won = node.tries[0]
                cell, mine = None if won.cell is None else turn.to[won.cell], mine | turn.bit(won.cell)
                idle = self.written(won.idle, mine, theirs, known)
                replies = tuple(
                    (turn.to[reply], self.written(after, mine, theirs | turn.bit(reply), known))
                    for reply, after in won.replies
                )
                known[key] = Move(cell, idle, replies)
        return known[key]


class Turn(NamedTuple):
    """A turn of the board: which cell comes to lie where, and from where."""

    to: tuple[Cell, ...]
    back: tuple[Cell, ...]

    def bit(self, cell: Cell | None) -> Bits:
        """The set of a cell, turned; empty without one."""
        return 0 if cell is None else 1 << self.to[cell]

    def set(self, cells: Bits) -> Bits:
        """A set of cells, turned."""
        return sum(1 << cell for i, cell in enumerate(self.to) if cells >> i & 1)

    def unset(self, cells: Bits) -> Bits:
        """A set of cells, turned back."""
        return sum(1 << cell for i, cell in enumerate(self.back) if cells >> i & 1)


def _turns(game: Game) -> list[Turn]:
    """The turns of a board onto itself, numbered as in certificates."""
    board, found = Ground(str(game).rstrip("e"), "/".join(["." * game.columns] * game.rows)), []
    for how in range(8 if game.rows == game.columns else 4):
        to = [board.moved(1 << cell, how).bit_length() - 1 for cell in range(game.cells)]
        found.append(Turn(tuple(to), tuple(map(to.index, range(game.cells)))))
    return found


def _slack(number: int) -> int:
    """How far one goes on where the next best has this number: a little beyond, so that one does not turn too often."""
    return number + 1 + number // 4


def _union(sets: Iterable[Bits]) -> Bits:
    found = 0
    for cells in sets:
        found |= cells
    return found
