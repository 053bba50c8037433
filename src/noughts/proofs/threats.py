"""Threats that win: a player who wins by fours and threes, every defence answered, on boards of up to 32 x 32.

A position is lost if the other would win were it their turn, and every reply that could upset that win fails too: the
replies on its zone. A move outside the zone loses at once, by the same strategy. A win of five plies or fewer found so
is the quickest there is: before it ends, a move that threatens nothing leaves the other a move.
"""

from __future__ import annotations

from io import BytesIO

from noughts.proofs import check, fours, threes
from noughts.proofs.certificate import Move, Part, from_line, main_line, plies, tree
from noughts.proofs.prover import Budget, Prover
from noughts.proofs.verdicts import UNKNOWN, Verdict
from noughts.rules.game import Bits, Cell, Game
from noughts.rules.marks import Mark
from noughts.rules.notation import board_rows
from noughts.rules.position import Position
from noughts.shapes import promising

NODES = 100_000  # of one question, natively: about a tenth of a second
REPLY = 30_000  # of one move or reply
LONGER = 8  # times as many, if they were too few and there is time
TOGETHER = 400_000  # of all questions about a position
FIRSTS = 200_000  # of all its moves, where one wins
EXACT = 5  # plies


class Threats(Prover):
    """Knows the wins by fours and threes."""

    name = "threats"
    certifies = True
    finds = ("win",)

    def refusal(self, game: Game) -> str | None:
        """Why wins by fours and threes are not looked for in a game."""
        return fours.refusal(game)

    def verdict(self, position: Position) -> Verdict:
        """A win of the player to move, or of the other whatever they reply."""
        return _look(position, Budget(TOGETHER), NODES)

    def prove(self, position: Position, budget: Budget) -> Verdict:
        """A win of the player to move, or of the other, with its certificate: looked for ever longer."""
        nodes, found = NODES, UNKNOWN
        while not found.is_known and not budget.is_spent:
            budget.cut = False
            found = _look(position, budget, nodes)
            if not budget.cut:
                break
            nodes = min(nodes * LONGER, fours.MOST)
        return found

    def moves(self, position: Position) -> dict[Cell, Verdict]:
        """The moves that win by fours and threes, and those after which the other does."""
        if position.is_over or fours.refusal(position.game):
            return {}
        budget, found = Budget(TOGETHER), dict[Cell, Verdict]()
        replies = Replies(position, budget)
        if replies.idle:
            for cell in position.moves():
                if (move := replies.answer(cell)) and not position.play(cell).is_over:
                    found[cell] = _won(position.turn.other, move).for_mover()
        if win(position, budget):
            budget = Budget(min(budget.left, FIRSTS))
            for cell in _first(position):  # moves that make a four or a three are tried first
                if budget.is_spent:
                    break
                if cell not in found and not position.play(cell).is_over:
                    won = threes.search(position, budget.share(REPLY), seconds=budget.seconds, first=cell)
                    budget.spend(won.nodes)
                    if won.strategy:
                        found[cell] = _won(position.turn, won.strategy)
        return found


def _look(position: Position, budget: Budget, nodes: int) -> Verdict:
    """A win of either player, with so many nodes for a question."""
    if position.is_over or fours.refusal(position.game):
        return UNKNOWN
    if move := win(position, budget, nodes):
        return _won(position.turn, move)
    replies = Replies(position, budget, nodes)
    answers = []
    for cell in replies.zone:
        if not (answer := replies.answer(cell)):
            return UNKNOWN
        answers.append((cell, answer))
    if not replies.idle:
        return UNKNOWN
    lost = _won(position.turn.other, Move(None, replies.idle, tuple(answers)))
    return lost._replace(at_least="loss", at_most="loss")


def win(position: Position, budget: Budget, nodes: int = NODES, *, passed: bool = False) -> Move | None:
    """How the player to move wins, or with `passed` the other: by fours, the shortest way, or by fours and threes."""
    if budget.is_spent:
        budget.cut = True
        return None
    by_fours = fours.search(position, budget.share(nodes), seconds=budget.seconds, passed=passed)
    budget.spend(by_fours.nodes, complete=by_fours.complete)
    if by_fours.wins:
        return from_line(by_fours.line)
    question = threes.QUESTION * max(nodes // NODES, 1)  # a longer look is one at each search by fours, too
    by_threes = threes.search(position, budget.share(nodes), seconds=budget.seconds, passed=passed, question=question)
    budget.spend(by_threes.nodes, complete=by_threes.complete)
    return by_threes.strategy


def _first(position: Position) -> list[Cell]:
    """The moves, those first that make or meet fours and threes."""
    sharp = set(promising(position))
    return sorted(position.moves(), key=lambda cell: cell not in sharp)


class Replies:
    """What the player to move can do against a win of the other."""

    def __init__(self, position: Position, budget: Budget, nodes: int = NODES) -> None:
        """Look for that win, as if the player to move did nothing, with so many nodes."""
        self.position, self.budget, self.nodes = position, budget, nodes * REPLY // NODES
        self.known: dict[Cell, Move | None] = {}
        # One who can complete a line does that, and no win of the other matters.
        busy = position.game.rule.completing(position.sides[0]) & position.empty
        self.idle = None if busy else win(position, budget, nodes, passed=True)
        self.zone = position.game.cells_of(zone(position, self.idle) if self.idle else 0)

    def answer(self, cell: Cell) -> Move | None:
        """How the other wins after a reply; None if that is not known."""
        if cell not in self.zone:
            return self.idle
        if cell not in self.known:
            self.known[cell] = win(self.position.play(cell), self.budget, self.nodes)
        return self.known[cell]


def zone(position: Position, move: Move) -> Bits:
    """Where a reply of the player to move could upset a strategy of the other, as the program that checks sees it."""
    game = position.game
    board = check.Ground(str(game), "/".join(board_rows(position)))
    lines = BytesIO("".join(f"{line}\n" for line in tree(move)).encode())
    used = check.Win(board, str(position.turn.other), check.Reader(lines)).moves(*position.sides[::-1])
    return (used.cells | used.lacking[1] | used.lacking[2]) & position.empty


def _won(side: Mark, move: Move) -> Verdict:
    most = plies(move)
    part = Part(side, "wins", move)
    return Verdict("win", "win", most if most <= EXACT else None, most, ("threats",), main_line(move), (part,))


def winning(position: Position, budget: Budget) -> Verdict:
    """A win of the player to move by fours and threes, with its certificate; unknown if none is found.

    >>> str(winning(Position.parse("1x6k4:..XX.O"), Budget(100))), winning(Position.parse("2x2k2:X./.."), Budget()).how
    ('unknown', ())
    """
    if position.is_over or fours.refusal(position.game):
        return UNKNOWN
    move = win(position, budget)
    return _won(position.turn, move) if move else UNKNOWN
