"""noughts review: the account of a saved game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from noughts.account import Review, review
from noughts.cli.kit import Place, answer, argument, query, say, standard_input
from noughts.play.record import MAX_FILE, parse_record, read_record


@query
@argument("file", type=Place(allow_dash=True))
def run(file: Path) -> None:
    """Give the account of the game in FILE: where its value slipped, and what would have kept it.

    A game is one line such as 3x3k3: b2 a1 c3, as save writes it in noughts play. A single - reads it from
    standard input.
    """
    game, moves = parse_record(standard_input(MAX_FILE)) if str(file) == "-" else read_record(file)
    answer(review(game.start(), moves), lambda found: say("\n".join(account(found))))


def account(found: Review) -> Iterator[str]:
    """A game in sentences: where its value slipped, and what would have kept it."""
    if not found.moves:
        yield "No move was made."
        return
    yield f"Moves: {' '.join(judged.move for judged in found)}"
    for judged in found.slips:
        yield f"Move {judged.number}: {judged}."
    if found.lost_from:
        yield found.summary
        yield from found.lost_from.sentences
    elif found.unknown:
        yield f"The exact value of {found.unknown} of the {len(found)} moves is unknown: too many cells were free."
    elif not found.slips:
        yield f"Nobody slipped: {found.game} is a {found.verdicts[0].outcome} for X from the start."
