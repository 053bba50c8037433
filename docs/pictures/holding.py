"""How a game is held: python docs/pictures/holding.py writes docs/explanation/proving-a-game.svg.

Two boards: the replies of X that O must answer, and pairs that end a branch of the search.
"""

from __future__ import annotations

from drawing import DOCS, picture
from force import pair_names, panel

from noughts import Position
from noughts.proofs import hold
from noughts.rules.marks import Mark

FILE = DOCS / "explanation" / "proving-a-game.svg"
REPLIES = Position.parse("4x5k4:X..../...../..O../.....")
LEAF = Position.parse("6x6k5:..OX../....../.....X/....O./....../......")


def draw() -> str:
    """The picture."""
    answered = hold.replies(hold.PlainHold(REPLIES, Mark.O, weak=True).others, frozenset())
    pairs = hold.pairs_and_weight(hold.PlainHold(LEAF, Mark.O, weak=True).others)
    assert pairs is not None
    parts = [
        *panel(40, 54, "replies that need an answer", REPLIES, {}, answered),
        *panel(240, 30, "pairs that end a branch", LEAF, dict(pair_names(tuple(pairs))), ()),
    ]
    return picture(420, 230, "The replies of X that O must answer, and pairs that end a branch", parts)


if __name__ == "__main__":
    FILE.write_text(draw(), encoding="utf-8")
