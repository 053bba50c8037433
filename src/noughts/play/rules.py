"""The seven-rule strategy: as the gamescrafters source prints it, and corrected.

    1 win      a cell that completes a line of mine
    2 block    a cell where the opponent would complete one
    3 fork     a cell after which I could complete a line in two places: only one of them can be blocked
    4          the opponent's forks
    5 6 7      where nothing presses, the kind of cell

As printed, a fork of the opponent is met by occupying its cell, and sides come before corners: that loses.

    3  X . .      O to move. X can fork on a1 and on c3; occupying one leaves the other, or forces X to play it. A side
    2  . O .      is right: b3 threatens b1, X must reply there, and has no fork left. So rule 4 is: leave no fork, or
    1  . . X      make a threat whose forced reply is not itself a double threat. And of the cells that are left, take
       a b c      one on the most lines: centre, then corners, then sides.
"""

from __future__ import annotations

from functools import lru_cache

from noughts.play.player import Choosing
from noughts.play.tactics import forced, urgent
from noughts.rules.game import Bits, Cell, Game
from noughts.rules.position import Position
from noughts.threats import pressing

LARGE = 36  # on boards of more cells, a quiet move is one near a mark


class RulesAsPrinted(Choosing):
    """The seven rules as the gamescrafters source lists them; loses as O."""

    name = "rules-as-printed"

    def objection(self, position: Position) -> str | None:
        """Why it does not play: its source knows one board, 3x3k3; None if it plays."""
        printed = "as printed, the rules are about the centre, sides and corners of 3x3k3"
        return None if position.game == Game() else printed

    def likes(self, position: Position) -> list[Cell]:
        """The cells of the first rule that applies."""
        game, empty = position.game, position.playable
        centre, edges, corners = (game.bits_of(cells) & empty for cells in ((4,), (1, 3, 5, 7), (0, 2, 6, 8)))
        _, theirs = position.sides
        _, their_forks = pressing(game, theirs, empty)
        return game.cells_of(forced(position)[0] or their_forks or centre or edges or corners)


class Rules(Choosing):
    """The seven rules corrected; never loses on 3x3, and plays any board that is not misere."""

    name = "rules"
    lacks = ("misere",)

    def likes(self, position: Position) -> list[Cell]:
        """The cells of the first rule that applies."""
        return position.game.cells_of(urgent(position)[0] or widest(position))


def widest(position: Position) -> Bits:
    """Of the free cells those on the most lines."""
    width, free = lines_through(position.game), position.moves()
    most = max(width[cell] for cell in free)
    return position.game.bits_of(cell for cell in free if width[cell] == most)


def quiet(position: Position) -> Bits:
    """The free cells that come into question when nothing presses.

    In misere those that complete no line; on a large board those within two steps of a mark, and at first the widest.
    """
    game, empty = position.game, position.playable
    if not game.rule.completing_wins:
        return empty & ~game.rule.completing(position.sides[0]) or empty
    if game.cells <= LARGE:
        return empty
    around = position.x | position.o
    ahead = game.room((0, 1), 1)
    for _ in range(2):
        around |= (around & ahead) << 1 | around >> 1 & ahead
        around |= (around << game.columns | around >> game.columns) & game.full
    return around & empty or widest(position)


@lru_cache(maxsize=16)
def lines_through(game: Game) -> tuple[int, ...]:
    """For each cell the number of lines that pass through it.

    >>> lines_through(Game())
    (3, 2, 3, 2, 4, 2, 3, 2, 3)
    """
    from noughts.detect.line_sums import paths

    counts = [0] * game.cells
    for path in paths(game):
        before = counts[path]
        most = min(game.k, len(before) - game.k + 1)  # near an end of the path there are fewer
        counts[path] = [count + min(place + 1, len(before) - place, most) for place, count in enumerate(before)]
    return tuple(counts)
