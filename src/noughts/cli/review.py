"""noughts review: the account of a saved game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from noughts.cli.kit import Place, argument, as_json, query, say, standard_input, wants_json
from noughts.explain import review
from noughts.play.record import MAX_FILE, parse_record, read_record
from noughts.proofs import value
from noughts.rules.game import Game


@query
@argument("file", type=Place(allow_dash=True))
def run(file: Path) -> None:
    """Give the account of the game in FILE: where its value slipped, and what would have kept it.

    A game is one line such as 3x3k3: b2 a1 c3, as save writes it in noughts play. A single - reads it from
    standard input.
    """
    game, moves = parse_record(standard_input(MAX_FILE)) if str(file) == "-" else read_record(file)
    if wants_json():
        as_json({"game": str(game), "moves": [judgement.to_json() for judgement in review(game.start(), moves)]})
    else:
        for line in account(game, moves):
            say(line)


def account(game: Game, moves: Sequence[str]) -> Iterator[str]:
    """The account of a game in sentences: where the value slipped, and what would have kept it."""
    judgements = review(game.start(), moves)
    if not judgements:
        yield "No move was made."
        return
    judged = [judgement for judgement in judgements if judgement.best is not None and judgement.got is not None]
    slips = [(number, judgement) for number, judgement in enumerate(judgements, 1) if judgement.slipped]
    yield f"Moves: {' '.join(moves)}"
    for number, judgement in slips:
        yield f"Move {number}: {judgement}."
    if len(judged) < len(judgements):
        unknown = len(judgements) - len(judged)
        yield f"The exact value of {unknown} of the {len(judgements)} moves is unknown: too many cells were free."
    elif not slips:
        start = value(game.start())
        yield f"Nobody slipped: {game} is a {start.outcome} for X from the start." if start else "Nobody slipped."
