"""Does a player hold: keep the other from a line, or complete one first? A search whose proof can be written down.

What matters of a position is which free cells each line still open lacks: the lines of the other (the attacker), and
those of the holder, unless the game is `weak`, in which only the attacker's lines count. Where the holder holds even
the weak game, the search is far smaller. A line that contains another one counts for nothing.

    attacker to move    the holder needs an answer to every move; not to one on a cell all of whose lines go through
                        another cell as well, for that one is no worse
    holder to move      one answer that holds is enough

The search ends a branch where pairs and weight suffice: disjoint pairs of cells, of which the holder always gets one,
and lines without a pair that together weigh so little that taking the heaviest cell each time keeps them all from being
completed (`pairs_and_weight`). `search` gives the native one; `PlainHold` is its twin and says what is right. Both
write the lines of a certificate (docs/reference/certificates.md).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import combinations, count
from operator import itemgetter, or_
from typing import Protocol

from noughts.native import handle
from noughts.proofs.check import smallest
from noughts.rules.game import Bits, Cell, Game
from noughts.rules.marks import Mark
from noughts.rules.position import Position

MAX_CELLS = 256
MAX_SIDE = 32
NEVER = (1 << 28) - 1  # as a number of positions: it cannot be proven, or not be refuted
WHOLE = 1 << 20  # the weight 1
PASSES = 10  # ways to choose pairs that are tried
NEAR = WHOLE // 10 * 19  # from further away it was never seen to succeed

Lines = frozenset[Bits]  # what each line lacks
Pair = tuple[Cell, Cell]


class HoldSearch(Protocol):
    """A search that goes on where it was left."""

    @property
    def nodes(self) -> int:
        """How many positions were expanded so far."""

    @property
    def numbers(self) -> tuple[int, int]:
        """How many positions must still be proven to prove it, at least, and refuted to refute it."""

    def run(self, nodes: int, seconds: float, threads: int) -> None:
        """Go on for so many nodes or seconds more, or until it is settled."""

    def line(self) -> list[Cell]:
        """The moves that promise most so far."""

    def text(self, seconds: float) -> str:
        """The lines of a certificate, once it is proven."""

    def known(self) -> bytes:
        """What was found so far, for `recall`."""

    def recall(self, known: bytes) -> None:
        """Take over what an earlier search of the same position found."""


def refusal(game: Game) -> str | None:
    """Why no proof is looked for in a game; None if one is.

    >>> refusal(Game(20, 20, 5))
    'it takes boards of up to 256 cells, and 20x20k5 has 400'
    """
    if why := game.rule.refusal(["gravity", "misere"]):
        return why
    if max(game.rows, game.columns) > MAX_SIDE:
        return f"it takes boards of up to {MAX_SIDE} x {MAX_SIDE}, and {game} is larger"
    if game.cells > MAX_CELLS:
        return f"it takes boards of up to {MAX_CELLS} cells, and {game} has {game.cells}"
    return None


def search(position: Position, holder: Mark, *, weak: bool, memory: int = 1 << 28) -> HoldSearch:
    """A search whether a player holds a position, natively within so many bytes of memory.

    >>> found = search(Game(6, 6, 5).start(), Mark.O, weak=True)
    >>> found.run(1_000, 10.0, 1)
    >>> found.numbers == (0, NEVER)
    True
    """
    native = handle(position.game)
    if native is None:
        return PlainHold(position, holder, weak=weak)
    mine, theirs = position.sides if position.turn is holder else position.sides[::-1]
    cells = position.game.cells_of
    return native.hold(cells(theirs), cells(mine), position.turn is not holder, weak, memory)


# The plain twin


class _Spent(Exception):
    """So many nodes were allowed."""


class PlainHold:
    """The plain search: depth first, the heaviest answers first, and what it has settled stays known."""

    def __init__(self, position: Position, holder: Mark, *, weak: bool) -> None:
        """Begin with the lines of a position."""
        game = position.game
        mine, theirs = position.sides if position.turn is holder else position.sides[::-1]
        opened = game.rule.open_lines
        self.free = position.empty
        self.others = _smallest({line & self.free for line, _ in opened(theirs, self.free)})
        strong = () if weak or game.exact else opened(mine, self.free)
        self.own = _smallest({line & self.free for line, _ in strong})
        self.attacked, self.weak = position.turn is not holder, weak
        self.completing = game.rule.completing(mine) & self.free
        self.nodes, self.limit, self.numbers, self.labels = 0, 0, (1, 1), 0
        self.held: dict[tuple[Lines, Lines], bool] = {}  # the attacker is to move
        self.answers: dict[tuple[Lines, Lines], Cell | None] = {}  # the holder is

    def run(self, nodes: int, seconds: float, threads: int) -> None:
        """Go on for so many nodes more; it knows neither time nor threads."""
        self.limit = self.nodes + nodes
        try:
            state = self.others, self.own
            proven = self.holds(*state) if self.attacked else self.answer(*state) is not None
            self.numbers = (0, NEVER) if proven else (NEVER, 0)
        except _Spent:
            pass

    def holds(self, others: Lines, own: Lines) -> bool:
        """Does the holder hold, with the attacker to move?"""
        key = others, own
        if key not in self.held:
            self.held[key] = self._holds(others, own)
        return self.held[key]

    def _holds(self, others: Lines, own: Lines) -> bool:
        if _single(others):
            return False
        if not others or (not _single(own) and pairs_and_weight(others) is not None):
            return True
        self._spend()
        return all(self.answer(*_taken(others, own, cell)) is not None for cell in replies(others, own))

    def answer(self, others: Lines, own: Lines) -> Cell | None:
        """The holder's first answer that holds; None if there is none."""
        key = others, own
        if key not in self.answers:
            self._spend()
            self.answers[key] = next(
                (cell for cell in self._choices(others, own) if self._held_after(others, own, cell)), None
            )
        return self.answers[key]

    def _choices(self, others: Lines, own: Lines) -> list[Cell]:
        if done := _single(own):
            return [_lowest(done)]
        if not others:
            return [_lowest(self.free)]
        if must := _single(others):
            return [_lowest(must)] if not must & must - 1 else []
        weight = _weights(others)
        return sorted(_undominated(others, own), key=lambda cell: -weight.get(cell, 0.0))

    def _held_after(self, others: Lines, own: Lines, cell: Cell) -> bool:
        return 1 << cell in own or self.holds(*reversed(_taken(own, others, cell)))

    def _spend(self) -> None:
        if self.nodes == self.limit:
            raise _Spent
        self.nodes += 1

    def line(self) -> list[Cell]:
        """Nothing: it goes through all of them."""
        return []

    def known(self) -> bytes:
        """Nothing is kept."""
        return b""

    def recall(self, known: bytes) -> None:
        """Nothing is taken over."""

    def text(self, seconds: float) -> str:
        """The lines of a certificate, once it is proven."""
        return "".join(f"{line}\n" for line in self._text())

    def _text(self) -> Iterator[str]:
        labels: dict[tuple[Lines, Lines], int] = {}
        others, own, free = self.others, self.own, self.free
        if not self.attacked:
            first = self.answer(others, own)
            assert first is not None
            yield f"m {first}"
            if self.completing >> first & 1:
                return
            own, others = _taken(own, others, first)
            free ^= 1 << first
        yield from self._node(others, own, free, labels)

    def _node(self, others: Lines, own: Lines, free: Bits, labels: dict[tuple[Lines, Lines], int]) -> Iterator[str]:
        if (others, own) in labels:
            yield f"@{labels[others, own]} 0"
            return
        pairs = [] if not others else None if _single(own) else pairs_and_weight(others)
        label = self.labels = self.labels + 1
        if pairs is not None:
            yield " ".join(map(str, (f"{label}: p", *(cell for pair in pairs for cell in pair))))
        else:
            steps = [(cell, self._reply(others, own, free, cell)) for cell in replies(others, own)]
            word = "weak a" if self.weak and label == 1 else "a"
            yield " ".join(map(str, (f"{label}: {word}", *(cell for step in steps for cell in step))))
            for cell, answer in steps:
                lines, mine = _taken(others, own, cell)
                if 1 << answer not in mine:
                    after, rest = _taken(mine, lines, answer)
                    yield from self._node(rest, after, free & ~(1 << cell | 1 << answer), labels)
        labels[others, own] = label

    def _reply(self, others: Lines, own: Lines, free: Bits, cell: Cell) -> Cell:
        lines, mine = _taken(others, own, cell)
        if not lines and not _single(mine):
            return _lowest(free & ~(1 << cell))
        answer = self.answer(lines, mine)
        assert answer is not None
        return answer


def replies(others: Lines, own: Lines) -> list[Cell]:
    """The attacker's moves that must be answered."""
    if done := _single(own):
        return [_lowest(done)]
    return sorted(_undominated(others, own))


def pairs_and_weight(others: Iterable[Bits]) -> list[Pair] | None:
    """Pairs such that the lines without one weigh less than 1, with those through the heaviest cell counted twice.

    A line that lacks n cells outside the pairs weighs 2^-n. None if none are found. Pairs are chosen one after another,
    each for the line that is hardest to serve. Where one cannot be served, it and the line that was in its way count as
    twice as heavy from now on, and it begins again. The native search does the same, step by step.

    >>> apart, crossing = frozenset([0b11, 0b1100, 0b110000]), frozenset([0b11, 0b110])
    >>> pairs_and_weight(apart), pairs_and_weight(crossing)  # whoever takes cell 1 of the second cannot be stopped
    ([(0, 1)], None)
    """
    lines = sorted(others, key=lambda lacks: (lacks.bit_count(), lacks))
    burden = [1] * len(lines)
    least = 4 * WHOLE
    for tried in count():
        pairs, seen = _pass(lines, burden)
        least = min(least, seen)
        if pairs is not None or tried * WHOLE >= PASSES * (NEAR - least):
            return pairs
    raise AssertionError


def _pass(lines: list[Bits], burden: list[int]) -> tuple[list[Pair] | None, int]:
    """One try to choose pairs, and the least weight that was seen; what failed becomes a heavier burden.

    Of the pairs that suffice it takes as many as leave the fewest cells to depend on.
    """
    pairs, left, least = list[Pair](), dict(enumerate(lines)), 4 * WHOLE
    best, fewest = None, 0
    while True:
        felt = {number: _weight(lacks) * burden[number] for number, lacks in left.items()}
        weight, heavy = dict.fromkeys(_cells(reduce(or_, lines, 0)), 0), defaultdict[Cell, int](int)
        for number, lacks in left.items():
            for cell in _cells(lacks):
                weight[cell] += _weight(lacks)
                heavy[cell] += felt[number]
        total = sum(map(_weight, left.values())) + max(weight.values(), default=0)
        least = min(least, total)
        if total < WHOLE:
            needs = reduce(or_, left.values(), 0).bit_count() + 2 * len(pairs)
            if best is None or needs < fewest:
                best, fewest = [*pairs], needs
        if not left:
            return best, least
        hardest = max(left, key=felt.__getitem__)
        choices = []
        for one, other in combinations(_cells(left[hardest]), 2):
            both = 1 << one | 1 << other
            served = sum(felt[number] for number, lacks in left.items() if lacks & both == both)
            choices.append((heavy[one] + heavy[other] - 3 * served, one, other))
        failed = None
        for _, *pair in sorted(choices, key=itemgetter(0)):
            one, other = pair
            stranded = [
                number for number, lacks in left.items()
                if lacks.bit_count() < 3 and (lacks >> one ^ lacks >> other) & 1
            ]  # fmt: skip
            if not stranded:
                break
            failed = stranded[0] if failed is None else failed
        else:
            burden[hardest] *= 2
            if failed is not None:
                burden[failed] *= 2
            return best, least
        both = 1 << one | 1 << other
        pairs.append((one, other))
        left = {number: lacks & ~both for number, lacks in left.items() if lacks & both != both}


def _weight(lacks: Bits) -> int:
    return WHOLE >> min(lacks.bit_count(), 20)


def _taken(gaining: Lines, losing: Lines, cell: Cell) -> tuple[Lines, Lines]:
    """The lines of one who takes a cell, and those of the other."""
    bit = 1 << cell
    return _smallest({lacks & ~bit for lacks in gaining}), frozenset(lacks for lacks in losing if not lacks & bit)


def _smallest(lines: set[Bits]) -> Lines:
    return frozenset(smallest(list(lines)))


def _single(lines: Lines) -> Bits:
    """The cells of those that lack a single one."""
    return sum(lacks for lacks in lines if not lacks & lacks - 1)


def _weights(lines: Lines) -> dict[Cell, float]:
    found: dict[Cell, float] = {}
    for lacks in lines:
        for cell in _cells(lacks):
            found[cell] = found.get(cell, 0.0) + 2.0 ** -lacks.bit_count()
    return found


def _undominated(others: Lines, own: Lines) -> list[Cell]:
    """The cells in lines, without those whose lines all go through another one that stays."""
    through: dict[Cell, Bits] = {}
    for lacks in others | own:
        for cell in _cells(lacks):
            through[cell] = through.get(cell, lacks) & lacks
    kept = sum(1 << cell for cell in through)
    for cell in sorted(through):
        if through[cell] & kept & ~(1 << cell):
            kept ^= 1 << cell
    return list(_cells(kept))


def _cells(bits: Bits) -> Iterator[Cell]:
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def _lowest(bits: Bits) -> Cell:
    return (bits & -bits).bit_length() - 1
