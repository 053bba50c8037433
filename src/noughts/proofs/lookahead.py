"""Looking ahead: to the end where few cells are free, and two plies on a board of any size.

Two plies show what completes a line: who can complete one wins at once; who faces two such cells, or plays elsewhere
than on the only one, loses in two. Where completing a line loses, it loses at once. Everything else is left open.
"""

from __future__ import annotations

from collections.abc import Iterator

from noughts.proofs.prover import Prover
from noughts.proofs.verdicts import UNKNOWN, Verdict, best_of_moves
from noughts.rules.game import Bits, Cell
from noughts.rules.position import Position
from noughts.rules.value import Value
from noughts.solve import plain


class Lookahead(Prover):
    """Knows what plain recursion shows: everything with at most twelve cells free, else what two plies prove."""

    name = "lookahead"
    certifies = False

    def verdict(self, position: Position) -> Verdict:
        """The value, or what two plies say of it."""
        if plain.supports(position):
            return Verdict.of(plain.value(position), self.name)
        found = self.moves(position)
        return best_of_moves({cell: found.get(cell, UNKNOWN) for cell in position.moves()}) if found else UNKNOWN

    def moves(self, position: Position) -> dict[Cell, Verdict]:
        """The values of all moves, or of those that two plies settle."""
        if not plain.supports(position):
            return self._two_plies(position)
        values = {cell: plain.value(position.play(cell)).for_mover() for cell in position.moves()}
        return {cell: Verdict.of(value, self.name) for cell, value in values.items()}

    def _two_plies(self, position: Position) -> dict[Cell, Verdict]:
        """The moves that complete a line, and those that leave the opponent one to complete, with that answer."""
        game, rule = position.game, position.game.rule
        mine, theirs = (rule.completing(own) & position.playable for own in position.sides)
        found = dict.fromkeys(game.cells_of(mine), Verdict.of(rule.completed.for_mover(), self.name))
        if rule.completing_wins:
            lost = Verdict.of(Value("loss", 2), self.name)
            for cells, answer in (_above if game.gravity else _answers)(position, mine, theirs):
                found.update(dict.fromkeys(game.cells_of(cells & ~mine), lost._replace(line=(answer,))))
        return found


def _above(position: Position, mine: Bits, theirs: Bits) -> Iterator[tuple[Bits, Cell]]:
    """Where marks fall: the moves that leave or open a cell on which the opponent completes a line, and that cell."""
    rule, (_, other) = position.game.rule, position.sides
    for cell in position.game.cells_of(position.playable & ~mine):
        opened = 1 << cell | 1 << cell >> rule.lift
        if wins := rule.completing(other) & (position.playable ^ opened):
            yield 1 << cell, (wins & -wins).bit_length() - 1


def _answers(position: Position, mine: Bits, theirs: Bits) -> Iterator[tuple[Bits, Cell]]:
    """The moves that are answered on each of the cells where the opponent completes a line.

    Where a win was to be had, a move gets the first answer on which its player would complete a line next; otherwise
    the first. All of it comes from sets: on the largest board there are 65,536 moves, and none of them is tried.
    """
    game, own = position.game, position.sides[0]
    left, wins = position.empty, game.cells_of(theirs)
    for win in wins if mine else ():
        both = left & ~(1 << win)
        if not mine >> win & 1:
            both &= game.rule.completing(own | 1 << win)
        left &= ~both
        yield both, win
        if not left:
            return
    for win in wins[:2]:  # a move on the first answer gets the second, if there is one
        others = left & ~(1 << win)
        left &= ~others
        yield others, win
