"""Play against a proof: a certificate as an opponent that cannot be broken, and says why each answer suffices.

    proof = ProofOpponent.open("7x7k5.proof.gz")
    proof.against([24, 17])        your moves alone; it answers each of them, and gives the game so far

The claimant is the player for whom the certificate has a strategy. A certificate speaks of cells by names of its own: a
part of it that is used again may be turned, and a reply that is no better than another is answered as if it had been
that other one, the names of the two cells exchanged from then on. So a walk keeps, beside the real board, which real
cell each cell of the proof is by now. What a file means is told in docs/reference/certificates.md. Nothing here checks
it: `noughts check` does, and a file that fails there may be broken here.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from pathlib import Path

from noughts.proofs.check import Unreadable, smallest
from noughts.rules.answer import Answer
from noughts.rules.game import Bits, Cell, Game
from noughts.rules.marks import Mark, O, X
from noughts.rules.notation import format_move, parse_board
from noughts.rules.position import Position
from noughts.words import several

MOST_BYTES = 16 << 20  # of a certificate that is kept in memory, without compression


@dataclass
class _Node:
    """A place of a proof, as it stands in the file: who has which cells there, and what follows what."""

    mine: Bits  # the claimant's
    theirs: Bits
    cell: Cell | None = None  # a winner's move
    idle: _Step | None = None  # how a winner goes on after a reply that has no answer of its own
    answers: dict[Cell, tuple[Cell | None, _Step | None]] = field(default_factory=dict)  # to each reply, what follows
    partner: dict[Cell, Cell] | None = None  # pairs that hold for good
    weak: bool = False  # do the holder's own lines not count?
    needs: Bits | None = None  # what a holder's answers depend on, once somebody has asked


_Step = tuple[_Node, int]  # a node, and how the board is turned on the way there


@dataclass(frozen=True)
class ProofMove(Answer):
    """A move of the claimant, and why it suffices."""

    keys = "@cell why pairs@ pair_cells=pairs"

    game: Game
    cell: Cell
    why: str
    pairs: tuple[tuple[Cell, Cell], ...] = ()  # those of which the claimant gets one cell, from now on


@dataclass(frozen=True)
class Against(Answer):
    """A game against a proof, as far as it went."""

    keys = "position.game position position.status board=position# claim side line@ proof_moves open_lines sentence"

    position: Position
    claim: str
    side: Mark  # the claimant
    line: tuple[Cell, ...]  # the moves of both
    proof_moves: tuple[ProofMove, ...]  # the claimant's

    @property
    def open_lines(self) -> int:
        """How many lines the challenger could still complete."""
        theirs = self.position.o if self.side is X else self.position.x
        return sum(1 for _ in self.position.game.rule.open_lines(theirs, self.position.empty))

    @property
    def sentence(self) -> str:
        """How it stands, in words."""
        other, left = self.side.other, self.open_lines
        if self.position.winner is self.side:
            return f"{self.side} has won, as was proven."
        if self.position.is_over:
            return f"The board is full, and {other} has not won, as was proven."
        open_ = f"{several(left, 'line')} {'is' if left == 1 else 'are'} still open to {other}" if left else ""
        return f"{open_ or f'No line is open to {other} any more'}; {other} is to move."


class ProofOpponent:
    """What a certificate has its claimant do.

    >>> text = '{"noughts": "certificate", "version": 1, "game": "1x7k3", "position": "O..X...", "claim": "X wins"}'
    >>> proof = ProofOpponent([text, "X wins", "2 1", "1", "4", "end"])
    >>> game = proof.against([1])
    >>> [(move.cell, move.why) for move in game.proof_moves]
    [(2, 'the proof begins so'), (4, 'completes a line')]
    """

    def __init__(self, lines: Sequence[str]) -> None:
        """Read the first part of a certificate that has a strategy."""
        try:
            head = json.loads(lines[0])
            self.claim: str = head["claim"]
            self.start = Position.unchecked(*parse_board(f"{head['game']}:{head['position']}"))
            first = next(i for i, line in enumerate(lines) if line.split()[1:] in (["wins"], ["holds"]))
        except (ValueError, KeyError, TypeError, IndexError):
            raise Unreadable("it is not a certificate") from None
        except StopIteration:
            raise Unreadable("it has no strategy to play against: it proves its claim without one") from None
        self.game = self.start.game
        side, what = lines[first].split()
        self.side, self.wins = (X if side == "X" else O), what == "wins"
        self.first: Cell | None = None  # the holder's, if it is their turn
        self.lines, self.labels = iter(lines[first + 1 :]), dict[int, _Node]()
        marks = self.start.x, self.start.o
        mine, theirs = marks if self.side is X else marks[::-1]
        try:
            self.root = self._wins(mine, theirs) if self.wins else self._begins(mine, theirs)
        except (ValueError, KeyError, IndexError, StopIteration, RecursionError):
            raise Unreadable("its strategy cannot be read: noughts check says why") from None
        del self.lines, self.labels

    @classmethod
    def open(cls, path: str | Path) -> ProofOpponent:
        """The opponent that a file has, which may be compressed by gzip; Unreadable if it is no certificate."""
        data = Path(path).read_bytes()
        try:
            if data[:2] == b"\x1f\x8b":
                with gzip.open(path) as file:
                    data = file.read(MOST_BYTES + 1)
            if len(data) > MOST_BYTES:
                raise Unreadable(f"it has more than {MOST_BYTES:,} bytes, too many to play against")
            return cls(data.decode("ascii").splitlines())
        except (EOFError, gzip.BadGzipFile, zlib.error, UnicodeDecodeError):
            raise Unreadable("it is truncated or damaged") from None

    # Reading

    def _words(self) -> tuple[int | None, list[str]]:
        words = next(self.lines).split()
        label = int(words.pop(0)[:-1]) if words[0].endswith(":") else None
        return label, words

    def _wins(self, mine: Bits, theirs: Bits) -> _Step:
        label, words = self._words()
        if words[0].startswith("@"):
            return self.labels[int(words[0][1:])], int(words[1])
        node = _Node(mine, theirs, None if words[0] == "*" else int(words[0]))
        mine |= 0 if node.cell is None else 1 << node.cell
        if not self.game.rule.has_line(mine):
            node.idle = self._wins(mine, theirs)
            for reply in map(int, words[1:]):
                node.answers[reply] = None, self._wins(mine, theirs | 1 << reply)
        return self._labelled(label, node)

    def _begins(self, mine: Bits, theirs: Bits) -> _Step:
        if self.start.turn is self.side:
            self.first = int(self._words()[1][1])
            mine |= 1 << self.first
            if self.game.rule.has_line(mine):
                return _Node(mine, theirs), 0
        return self._holds(mine, theirs, self.game.exact)

    def _holds(self, mine: Bits, theirs: Bits, weak: bool) -> _Step:
        label, words = self._words()
        if words[0] == "weak":
            weak, words = True, words[1:]
        if words[0].startswith("@"):
            return self.labels[int(words[0][1:])], int(words[1])
        node, cells = _Node(mine, theirs, weak=weak), [*map(int, words[1:])]
        pairs = [*zip(cells[::2], cells[1::2], strict=True)]
        if words[0] == "p":
            node.partner = dict(pairs) | {other: one for one, other in pairs}
        else:
            for reply, answer in pairs:
                own = mine | 1 << answer
                over = not weak and self.game.rule.has_line(own)
                node.answers[reply] = answer, None if over else self._holds(own, theirs | 1 << reply, weak)
        return self._labelled(label, node)

    def _labelled(self, label: int | None, node: _Node) -> _Step:
        if label is not None:
            self.labels[label] = node
        return node, 0

    # What an answer depends on

    def lacking(self, node: _Node) -> tuple[set[Bits], set[Bits]]:
        """What each line of the challenger lacks, and each of the holder, if they count."""
        rule, free = self.game.rule, self.game.full & ~(node.mine | node.theirs)
        began = self.start.o if self.side is X else self.start.x
        theirs = (line & free for line, beside in rule.open_lines(node.theirs, free) if not beside & began)
        own = () if node.weak else (line & free for line, _ in rule.open_lines(node.mine, free))
        return smallest(theirs), smallest(own)

    def no_worse(self, node: _Node, cell: Cell) -> Cell | None:
        """A reply that is answered, in every line through a cell, which is in one; None if there is none."""
        through = [lacks for lines in self.lacking(node) for lacks in lines if lacks >> cell & 1]
        fits = (reply for reply in sorted(node.answers) if all(lacks >> reply & 1 for lacks in through))
        return next(fits, None) if through else None

    def met(self, node: _Node, cell: Cell) -> Cell | None:
        """A reply whose answer does not depend on a cell; None if there is none."""
        return next((reply for reply in node.answers if not self._needed(node, reply) >> cell & 1), None)

    def _needed(self, node: _Node, reply: Cell) -> Bits:
        answer, after = node.answers[reply]
        assert answer is not None
        if after is None:
            return 1 << answer
        cells = self.game.cells_of(self._needs(after[0]))
        return 1 << answer | sum(1 << _turned(self.game, cell, after[1]) for cell in cells)

    def _needs(self, node: _Node) -> Bits:
        """The cells that a node depends on: marks of the challenger elsewhere change nothing."""
        if node.needs is not None:
            return node.needs
        if node.partner is not None:
            rest = self.game.full & ~sum(1 << cell for cell in node.partner)
            lines = self.lacking(node)[0]
            loose = [
                cells & rest for cells in lines if not any(cells >> a & cells >> b & 1 for a, b in node.partner.items())
            ]
            node.needs = reduce(or_, smallest(loose), self.game.full & ~rest)
        elif not node.weak:
            node.needs = self.game.full
        else:
            node.needs = reduce(or_, (self._needed(node, reply) for reply in node.answers), 0)
            for cell in self.game.cells_of(reduce(or_, self.lacking(node)[0], 0)):
                if (
                    cell not in node.answers
                    and self.met(node, cell) is None
                    and (other := self.no_worse(node, cell)) is not None
                ):
                    node.needs |= 1 << other
        return node.needs

    # Playing

    def against(self, moves: Sequence[Cell]) -> Against:
        """The game in which the challenger makes these moves, and the claimant answers each; IllegalMove names one."""
        walk, line, answers = _Walk(self), list[Cell](), list[ProofMove]()
        position = self.start

        def answer(cell: Cell, why: str) -> Position:
            line.append(cell)
            answers.append(ProofMove(self.game, cell, why, walk.pairs()))
            return position.play(cell)

        if position.turn is self.side:
            cell = self.root[0].cell if self.wins else self.first
            assert cell is not None
            position = answer(cell, "the proof begins so")
        for reply in moves:
            position = position.play(reply)
            line.append(reply)
            if not position.is_over:
                position = answer(*walk.answer(position, reply))
        return Against(position, self.claim, self.side, tuple(line), tuple(answers))


class _Walk:
    """Where a game is in a proof."""

    def __init__(self, proof: ProofOpponent) -> None:
        self.proof, self.game = proof, proof.game
        self.real = list(range(self.game.cells))  # what each cell of the proof is on the board
        self.go(proof.root)

    def go(self, step: _Step) -> None:
        self.node, turn = step
        self.real = [self.real[_turned(self.game, cell, turn)] for cell in range(self.game.cells)]

    def pairs(self) -> tuple[tuple[Cell, Cell], ...]:
        """The pairs that hold from here on, as cells of the board."""
        partner = self.node.partner or {}
        return tuple((self.real[one], self.real[other]) for one, other in partner.items() if one < other)

    @property
    def from_here(self) -> str:
        """What changes for good, in words."""
        if self.node.partner is None:
            return ""
        return "; from here on pairs suffice" if self.node.partner else "; from here on no line can be completed"

    def answer(self, position: Position, reply: Cell) -> tuple[Cell, str]:
        """The claimant's answer to a reply that was just made, and why it suffices."""
        name, cell = format_move(self.game, reply), self.real.index(reply)
        if self.proof.wins:
            return self.win(position, name, cell)
        if done := self.game.rule.completing(position.sides[0]) & position.empty:
            return self.game.cells_of(done)[0], "completes a line"
        if self.node.partner is not None:
            return self.pair(position, name, cell)
        why = f"{name} is answered"
        if cell not in self.node.answers:
            proof, side = self.proof, self.proof.side
            if not any(lacks >> cell & 1 for lines in proof.lacking(self.node) for lacks in lines):
                return self.anywhere(position), f"{name} is in no line that matters: {side} may move anywhere"
            instead = proof.met(self.node, cell)
            if instead is not None:
                other = format_move(self.game, self.real[instead])
                why = f"{name} changes nothing here: {side} answers as if it were on {other}"
            else:
                instead = proof.no_worse(self.node, cell)
                assert instead is not None
                other = format_move(self.game, self.real[instead])
                why = f"{name} is no better than {other} would be, since every line through it goes through {other} too"
                self.real[cell], self.real[instead] = self.real[instead], self.real[cell]
            cell = instead
        found, after = self.node.answers[cell]
        assert found is not None
        chosen = self.real[found]
        if after:
            self.go(after)
            why += self.from_here
        return chosen if position.empty >> chosen & 1 else self.anywhere(position), why

    def win(self, position: Position, name: str, cell: Cell) -> tuple[Cell, str]:
        """How a winner goes on."""
        listed = cell in self.node.answers
        step = self.node.answers[cell][1] if listed else self.node.idle
        assert step
        self.go(step)
        assert self.node.cell is not None
        chosen = self.real[self.node.cell]
        if not self.node.idle:
            return chosen, "completes a line"
        ignored = f"{name} changes nothing: {self.proof.side} goes on as if it were free"
        return chosen, f"{name} is answered" if listed else ignored

    def pair(self, position: Position, name: str, cell: Cell) -> tuple[Cell, str]:
        """Where pairs suffice: the other cell of the pair, or the heaviest."""
        assert self.node.partner is not None
        side, other = self.proof.side, self.proof.side.other
        if cell in self.node.partner:
            chosen = self.real[self.node.partner[cell]]
            if position.empty >> chosen & 1:
                return chosen, f"{name} and {format_move(self.game, chosen)} are a pair: {side} takes the other cell"
            return self.anywhere(position), f"the other cell of the pair of {name} is {side}'s already"
        chosen = self.anywhere(position)
        if chosen in self.weights(position):
            return chosen, f"{name} is in no pair: {side} takes what weighs most in {other}'s lines without one"
        return chosen, f"{name} is in no pair, and each line left has one: {side} may move anywhere"

    def anywhere(self, position: Position) -> Cell:
        """The free cell that weighs most in the other's lines that have no pair, or the first."""
        weight = self.weights(position)
        return max(weight, key=lambda cell: (weight[cell], -cell), default=self.game.cells_of(position.empty)[0])

    def weights(self, position: Position) -> dict[Cell, float]:
        """What each free cell outside the pairs weighs in the other's lines without a pair: 2^-n, if one lacks n."""
        partner = self.node.partner or {}
        held = {self.real[one]: self.real[other] for one, other in partner.items()}
        outside = position.empty & ~sum(1 << cell for cell in held)
        loose = []
        for line, _ in self.game.rule.open_lines(position.sides[1], position.empty):
            cells = self.game.cells_of(line)
            if not any(held.get(cell) in cells for cell in cells):
                loose.append(line & outside)
        found: dict[Cell, float] = {}
        for lacks in smallest(loose):
            for cell in self.game.cells_of(lacks):
                found[cell] = found.get(cell, 0.0) + 2.0 ** -lacks.bit_count()
        return found


def _turned(game: Game, cell: Cell, turn: int) -> Cell:
    """Where a turn puts a cell: 4 swaps rows and columns, then 1 mirrors left and right, 2 top and bottom."""
    row, column = divmod(cell, game.columns)
    if turn & 4:
        row, column = column, row
    if turn & 1:
        column = game.columns - 1 - column
    if turn & 2:
        row = game.rows - 1 - row
    return row * game.columns + column
