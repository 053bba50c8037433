"""noughts review: the account of a saved game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from noughts.account import Review, review
from noughts.cli.kit import Place, answer, argument, option, query, say, standard_input
from noughts.course import Course, following
from noughts.play.record import MAX_FILE, parse_record, read_record


@query
@argument("file", type=Place(allow_dash=True))
@option(
    "--nodes", type=click.IntRange(1), help="Let the engine look at each position for so many nodes: what it believes."
)
def run(file: Path, nodes: int | None) -> None:
    """Give the account of the game in FILE: where its value slipped, and what would have kept it.

    A game is one line such as 3x3k3: b2 a1 c3, as save writes it in noughts play. A single - reads it from
    standard input. With --nodes, mistakes that only the engine believes in are told too, and called so.
    """
    game, moves = parse_record(standard_input(MAX_FILE)) if str(file) == "-" else read_record(file)
    if nodes is None:
        answer(review(game.start(), moves), lambda found: say("\n".join(account(found))))
    else:
        answer(following(game.start(), moves, nodes=nodes), lambda found: say("\n".join(believed(found))))


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
    for judged in found.slips:
        yield f"Move {judged.number}: {judged}."
    if found.lost_from:
        yield found.summary
        yield from found.lost_from.sentences
    elif found.unknown:
        yield f"The exact value of {found.unknown} of the {len(found)} moves is unknown: too many cells were free."
    elif not found.slips:
        yield f"Nobody slipped: {found.game} is a {found.verdicts[0].outcome} for X from the start."
