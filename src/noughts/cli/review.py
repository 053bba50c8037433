"""noughts review: the account of a saved game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from noughts.account import Review, reviewing
from noughts.cli.kit import Place, answer, argument, option, query, say, standard_input, wants_json
from noughts.course import Course, following
from noughts.play.kept import FORMATS, one_of, read, read_file, write
from noughts.play.record import MAX_FILE


@query
@argument("file", type=Place(allow_dash=True))
@option("--number", default=1, help="Which game, where FILE has several.")
@option("--as", "form", type=click.Choice([*FORMATS]), help="Write the game in this format instead.")
@option(
    "--nodes", type=click.IntRange(1), help="Let the engine look at each position for so many nodes: what it believes."
)
def run(file: Path, number: int, form: str | None, nodes: int | None) -> None:
    """Give the account of the game in FILE: where its value slipped, and what would have kept it.

    A game is one line such as 3x3k3: b2 a1 c3, as save writes it in noughts play; or an SGF file, whose variations are
    left aside; or a .psq of Piskvork and Gomocup; or a link to the web laboratory. A single - reads it from standard
    input. With --nodes, mistakes that only the engine believes in are told too, and called so.
    """
    kept = one_of(read(standard_input(MAX_FILE)) if str(file) == "-" else read_file(file), number)
    if form and (wants_json() or nodes):
        raise click.UsageError("--as writes the game, --json and --nodes tell of it: give one of them")
    if form:
        say(write(kept, form).rstrip("\n"))
    elif nodes is None:
        answer(reviewing(kept.start, kept.line), lambda found: say("\n".join(account(found))), first=1.0)
    else:
        answer(following(kept.start, kept.line, nodes=nodes), lambda found: say("\n".join(believed(found))))


def believed(found: Course) -> Iterator[str]:
    """The account of a game, how X stood after each move, and the mistakes that the engine believes in."""
    yield from account(found.review)
    yield "X's points after each move, in percent (! proven): " + " ".join(
        f"{100 * moment.chance:.0f}{'!' if moment.proven else ''}" for moment in found.course
    )
    for moment in found.course:
        if moment.mistake == "believed":
            yield f"Move {moment.number}: {moment.text[0].lower()}{moment.text[1:]}."


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
