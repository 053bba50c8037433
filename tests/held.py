"""Certificates of parts that hold, put together at random: every way in which the format lets a reply go unanswered."""

from __future__ import annotations

import random
from collections.abc import Callable

from claims import certificate
from second_checker import NOTHING, REFERENCE, Board, Cells, Hold, Lines, Own, Refused, Text, marks, smallest

from noughts import Position


class Holder(Hold):
    """Writes the lines of a part instead of reading them. A label is the number of its line."""

    def __init__(self, board: Board, rng: random.Random, tries: int = 150) -> None:
        super().__init__(board, Text([]))
        self.rng, self.tries, self.body = rng, tries, list[str]()

    def begin(self, h: Cells, a: Cells, h_moves: bool) -> None:
        free = self.board.cells - h - a
        if h_moves:
            cell = self.rng.choice(sorted(free))
            self.body.append(f"m {cell}")
            h, free = h | {cell}, free - {cell}
            if self.board.completed(h, cell):
                return
        own = None if self.board.exact else smallest(self.board.lacking(h, a))
        self.node(smallest(self.board.lacking(a, h)), own, free)

    def node(self, lines: Lines, own: Own, free: Cells) -> Cells:
        """A node that holds, and what it uses; if none is found, what it has written is taken back."""
        at, weak = len(self.body), ""
        self.tries -= 1
        if own is not None and self.rng.random() < 0.3:
            own, weak = None, "weak "
        ways: list[Callable[[str, Lines, Own, Cells], Cells]] = [self.told, self.paired, self.answered]
        for way in self.rng.sample(ways, 3):
            try:
                used = way(weak, lines, own, free)
            except Refused:
                del self.body[at:]
                self.finished = {label: node for label, node in self.finished.items() if label <= at}
                continue
            if way != self.told:
                self.finished[at + 1] = (lines, own, used)
            return used
        raise Refused("no way found")

    def told(self, weak: str, lines: Lines, own: Own, free: Cells) -> Cells:
        """A reference."""
        if not self.finished:
            raise Refused("nothing to refer to")
        turn = self.rng.randrange(8 if self.board.rows == self.board.columns else 4)
        self.body.append(f"{weak}@{self.rng.choice([*self.finished])} {turn}")
        found = REFERENCE.fullmatch(self.body[-1])
        assert found
        return self.refer(found, lines, own)

    def paired(self, weak: str, lines: Lines, own: Own, free: Cells) -> Cells:
        """Pairs, each in a line that has none so far; now and then one more, or one less."""
        cells = list[int]()
        for line in self.rng.sample(sorted(lines, key=sorted), len(lines)):
            rest = sorted(line - {*cells})
            has = any({a, b} <= line for a, b in zip(cells[::2], cells[1::2], strict=True))
            if len(rest) > 1 and has == (self.rng.random() < 0.1):
                cells += self.rng.sample(rest, 2)
        self.body.append(f"{len(self.body) + 1}: {weak}p {' '.join(map(str, cells))}")
        return self.pairs(lines, free, cells)

    def answered(self, weak: str, lines: Lines, own: Own, free: Cells) -> Cells:
        """Answers to replies in any order, until no more are asked for, or a few more."""
        if self.tries < 0 or any(len(line) < 2 for line in lines):
            raise Refused("too much to try, or A completes a line")
        at, answers, uses = len(self.body), list[int](), dict[int, Cells]()
        self.body.append(f"{at + 1}: {weak}a")
        matter = sorted(NOTHING.union(*lines, *(own or ())))
        for reply in self.rng.sample(matter, len(matter)):
            for answer in self.rng.sample(matter, len(matter))[:4]:
                try:
                    uses[reply] = self.after(lines, own, free, reply, answer) | {answer}
                except Refused:
                    continue
                answers += [reply, answer]
                break
            self.body[at] = f"{at + 1}: {weak}a {' '.join(map(str, answers))}"
            try:
                used = self.met(lines, own, uses)
            except Refused:
                continue
            if self.rng.random() < 0.7:
                return used
        return self.met(lines, own, uses)

    def after(self, lines: Lines, own: Own, free: Cells, reply: int, answer: int) -> Cells:
        """What is used after a reply and its answer."""
        if reply == answer:
            raise Refused("taken")
        left = frozenset(line - {answer} for line in own or () if reply not in line)
        if NOTHING in left:
            return NOTHING
        below = smallest(line - {reply} for line in lines if answer not in line)
        return self.node(below, None if own is None else smallest(left), free - {reply, answer})


def held(position: Position, player: str, rng: random.Random) -> str | None:
    """A certificate that a player holds, if one is found."""
    board = Board(str(position.game))
    rows = str(position).partition(":")[2] or str(position)
    found = marks(board, rows)
    holder = Holder(board, rng)
    x_moves = len(found["X"]) == len(found["O"])
    try:
        holder.begin(found[player], found["O" if player == "X" else "X"], x_moves == (player == "X"))
    except Refused:
        return None
    claim = f"{player} holds"
    return certificate(str(position.game), claim, *holder.body, "end", position=rows, claim=claim)
