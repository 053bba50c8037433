"""noughts review: the account of a saved game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from noughts.account import Review, review
from noughts.cli.kit import Place, answer, argument, option, query, say, standard_input, wants_json
from noughts.play.kept import FORMATS, one_of, read, read_file, write
from noughts.play.record import MAX_FILE


@query
@argument("file", type=Place(allow_dash=True))
@option("--number", default=1, help="Which game, where FILE has several.")
@option("--as", "form", type=click.Choice([*FORMATS]), help="Write the game in this format instead.")
def run(file: Path, number: int, form: str | None) -> None:
    """Give the account of the game in FILE: where its value slipped, and what would have kept it.

    A game is one line such as 3x3k3: b2 a1 c3, as save writes it in noughts play; or an SGF file, whose variations are
    left aside; or a .psq of Piskvork and Gomocup; or a link to the web laboratory. A single - reads it from standard
    input.
    """
    kept = one_of(read(standard_input(MAX_FILE)) if str(file) == "-" else read_file(file), number)
    if form and wants_json():
        raise click.UsageError("--as writes the game, --json its account: give one of them")
    if form:
        say(write(kept, form).rstrip("\n"))
    else:
        answer(review(kept.start, kept.line), lambda found: say("\n".join(account(found))))


def account(found: Review) -> Iterator[str]:
    """A game in sentences: where its value slipped, and what would have kept it."""
    if not found.moves:
        yield "No move was made."
        return
    yield f"Moves: {' '.join(judged.move for judged in found)}"
    if found.cause:
        yield found.cause
    for judged in found.slips:
        yield f"Move {judged.number}: {judged}."
    if found.lost_from:
        yield found.summary
        yield from found.lost_from.sentences
    elif found.unknown:
        yield f"The exact value of {found.unknown} of the {len(found)} moves is unknown: too many cells were free."
    elif not found.slips:
        yield f"Nobody slipped: {found.game} is a {found.verdicts[0].outcome} for X from the start."
