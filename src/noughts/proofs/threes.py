"""A win by fours and threes: every move of the attacker threatens to win by fours, and every defence is answered.

A three is a move after which the attacker would win by fours if the other did nothing. The other must upset that win:
by a mark on one of its cells, or by a four of their own on the way. These cells are the zone; a reply anywhere else
changes nothing. Fours are tried too: there the zone is the one cell that the four lacks.

    . . X X . .      X plays d1 or e1, a three: it threatens e1 or d1 with two ways to complete four. O must reply on
    a b c d e f      b1, e1 or f1 (after d1), or make a four of their own

The search keeps the whole tree and always goes on where the fewest positions are left to settle (proof numbers): the
one that it then looks at is asked for a win by fours first. What it finds is a strategy, which a certificate can hold.
`search` asks the native core; `search_plainly` is its twin and says what is right.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from noughts.native import handle
from noughts.proofs.certificate import Move, from_line
from noughts.proofs.fours import FOREVER, MOST, Fours, Plain, refusal
from noughts.rules.game import Bits, Cell, Game
from noughts.rules.position import Position
from noughts.words import some, whole

NODES = 200_000  # of one question, natively: some tenths of a second
QUESTION = 500  # nodes of one search by fours, if no other number is given
SURE = 1 << 30  # no number of positions proves it


@dataclass(frozen=True)
class Threes:
    """What the search found: the winning strategy, or none."""

    strategy: Move | None
    complete: bool  # is it sure, if there is none? Else the budget ended
    nodes: int  # positions with the attacker to move


def search(
    position: Position, nodes: int = NODES, *,
    seconds: float = FOREVER, passed: bool = False, first: Cell | None = None, question: int = QUESTION,
) -> Threes:  # fmt: skip
    """A win by fours and threes of the player to move; with `passed`, of the other, as if the one to move had passed.

    It ends after so many nodes, and natively after so many seconds. With `first`, only a win is looked for that begins
    on that cell and does not end there. Each search by fours on the way may take so many nodes (`question`): where one
    needs more, it is not sure that there is no win.

    >>> found = search(Position.parse("7x7k4:......./......./..XX.../......./....O../.....O./......."))
    >>> found.strategy.cell, found.complete
    (15, True)
    """
    if why := refusal(position.game):
        raise ValueError(f"a win by threes is not looked for on {position.game}: {why}")
    nodes, seconds = whole("nodes", nodes, 1, MOST), some("seconds", seconds, FOREVER)
    question = whole("question", question, 1, MOST)
    if first is not None and not position.empty >> whole("first", first, 0, position.game.cells - 1) & 1:
        raise ValueError(f"a win cannot begin on cell {first}: it is not free")
    mine, theirs = position.sides
    if passed:
        mine, theirs = theirs, mine
    if position.is_over:
        return Threes(None, True, 0)
    native = handle(position.game)
    if native is None:
        return search_plainly(position.game, mine, theirs, nodes, first, question)
    cells = position.game.cells_of
    strategy, complete, looked_at = native.threats(
        cells(mine), cells(theirs), -1 if first is None else first, nodes, seconds, question
    )
    return Threes(read(strategy), complete, looked_at)


def read(numbers: list[int]) -> Move | None:
    """The strategy that the native core writes, each node after those that it leads to; None of nothing."""
    moves, at = list[Move](), 0
    while at < len(numbers):
        cell, idle, count = numbers[at : at + 3]
        pairs = numbers[at + 3 : at + 3 + 2 * count]
        replies = tuple((reply, moves[node]) for reply, node in zip(pairs[::2], pairs[1::2], strict=True))
        moves.append(Move(cell if cell >= 0 else None, moves[idle] if idle >= 0 else None, replies))
        at += 3 + 2 * count
    return moves[-1] if moves else None


# The plain twin


def search_plainly(
    game: Game, mine: Bits, theirs: Bits, nodes: int, first: Cell | None = None, question: int = QUESTION
) -> Threes:
    """The plain twin of the native search, to the node."""
    tree = _Tree(game, question)
    root = tree.at(mine, theirs)
    if first is not None:
        tree.expand(root, 1 << first)
    while not root.settled and tree.nodes < nodes:
        tree.descend(root)
    won = root.proof == 0
    return Threes(tree.strategy(root) if won else None, root.settled and (tree.complete or won), tree.nodes)


@dataclass
class _Try:
    """A move of the attacker that leaves something to answer, and how they win if nothing is done."""

    cell: Cell
    idle: tuple[Cell, ...]
    replies: list[tuple[Cell, _Node]]

    @property
    def proof(self) -> int:
        return sum(node.proof for _, node in self.replies)


@dataclass
class _Node:
    """A position with the attacker to move: how many more must be proven to prove it, or refuted to refute it."""

    mine: Bits
    theirs: Bits
    proof: int = 1
    refutation: int = 1
    expanded: bool = False
    line: tuple[Cell, ...] = ()
    tries: list[_Try] = field(default_factory=list)
    strategy: Move | None = None

    @property
    def settled(self) -> bool:
        return not self.proof or not self.refutation

    def update(self) -> None:
        """The numbers, from those of the replies."""
        if self.expanded and not self.settled:
            self.proof = min((each.proof for each in self.tries), default=SURE)
            self.proof = min(self.proof, SURE)
            least = (min(node.refutation for _, node in each.replies) for each in self.tries)
            self.refutation = min(sum(least), SURE) if self.proof else SURE


class _Tree:
    def __init__(self, game: Game, question: int) -> None:
        self.game, self.fours, self.question = game, Plain(game), question
        self.known: dict[tuple[Bits, Bits], _Node] = {}
        self.nodes, self.complete = 0, True

    def at(self, mine: Bits, theirs: Bits) -> _Node:
        return self.known.setdefault((mine, theirs), _Node(mine, theirs))

    def descend(self, node: _Node) -> None:
        """To the position that promises most, which is expanded; then the numbers on the way there are made new."""
        if not node.expanded:
            self.expand(node)
            return
        node.update()
        if not node.settled:
            best = min(node.tries, key=lambda each: each.proof)
            open_ones = [after for _, after in best.replies if after.proof]
            self.descend(min(open_ones, key=lambda after: after.refutation))
            node.update()

    def expand(self, node: _Node, only: Bits = 0) -> None:
        node.expanded = True
        self.nodes += 1
        if not only:
            node.line = self.ask(node.mine, node.theirs).line
        if node.line:
            node.proof, node.refutation = 0, SURE
            return
        complete, free = self.game.rule.completing, self.game.full & ~(node.mine | node.theirs)
        must = complete(node.theirs) & free
        cells = 0 if must & must - 1 else must or only or self.pressing(node.mine, node.theirs)
        if only:
            cells &= only
        for cell in self.game.cells_of(cells):
            mine = node.mine | 1 << cell
            if lacks := complete(mine) & free & ~(1 << cell):
                replies = lacks & -lacks
                idle: tuple[Cell, ...] = (replies.bit_length() - 1,)
            else:
                idle = self.ask(mine, node.theirs).line
                replies = self.zone(mine, node.theirs, idle)
            if replies:
                after = [(reply, self.at(mine, node.theirs | 1 << reply)) for reply in self.game.cells_of(replies)]
                node.tries.append(_Try(cell, idle, after))
        node.update()

    def ask(self, mine: Bits, theirs: Bits) -> Fours:
        found = self.fours.ask(mine, theirs, self.question)
        self.nodes += found.nodes
        self.complete &= found.complete
        return found

    def pressing(self, mine: Bits, theirs: Bits) -> Bits:
        """The free cells of lines that lack two or three cells."""
        found = 0
        for lacks in open_lines(self.game, mine, theirs):
            if lacks.bit_count() in (2, 3):
                found |= lacks
        return found

    def zone(self, mine: Bits, theirs: Bits, line: tuple[Cell, ...]) -> Bits:
        """Where the other can upset a win by fours: its cells, and lines of theirs that lack two cells on the way."""
        found, free = 0, self.game.full & ~(mine | theirs)
        for i, cell in enumerate(line):
            found |= 1 << cell
            if i % 2:
                theirs |= 1 << cell
                continue
            mine |= 1 << cell
            if i + 1 < len(line):
                for lacks in open_lines(self.game, theirs, mine):
                    if lacks.bit_count() <= 2:
                        found |= lacks
        return found & free

    def strategy(self, node: _Node) -> Move:
        """How a position that is won is won: of several ways the one with the fewest replies."""
        if node.strategy is None:
            if node.line:
                node.strategy = from_line(node.line)
            else:
                best = min((each for each in node.tries if not each.proof), key=lambda each: len(each.replies))
                replies = tuple((reply, self.strategy(after)) for reply, after in best.replies)
                node.strategy = Move(best.cell, from_line(best.idle), replies)
        return node.strategy


def open_lines(game: Game, own: Bits, other: Bits) -> list[Bits]:
    """What each line that a player can still complete lacks."""
    found = []
    for line in game.lines():
        bits = game.bits_of(line)
        if not bits & other and (not game.exact or not beside(game, line) & own):
            found.append(bits & ~own)
    return found


def beside(game: Game, line: tuple[Cell, ...]) -> Bits:
    """The cells right before and after a line."""
    found = 0
    for end, inner in ((line[0], line[1]), (line[-1], line[-2])):
        row, column = (
            2 * at - before for at, before in zip(divmod(end, game.columns), divmod(inner, game.columns), strict=True)
        )
        if 0 <= row < game.rows and 0 <= column < game.columns:
            found |= 1 << row * game.columns + column
    return found
