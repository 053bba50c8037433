"""noughts prove: a verdict with a certificate, on boards too large to solve."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from noughts.cli.kit import BOARD, Parsed, Place, answer, argument, completing, note, option, query, say
from noughts.cli.meter import finish_showing
from noughts.files import check_target
from noughts.proofs import PROVERS
from noughts.proofs.prove import GOALS, Proven, proving
from noughts.rules.notation import format_moves, parse_game
from noughts.rules.position import Position
from noughts.solve.machine import parse_size
from noughts.words import about, several

WORDS = {
    "X wins": "X wins",
    "O wins": "O wins",
    "X holds": "X cannot lose",
    "O holds": "O cannot lose",
    "tie": "a tie: neither can win",
}
CERTIFYING = [name for name, prover in PROVERS.items() if prover.certifies]


def _position(text: str) -> Position:
    """The position, or the empty board of a game."""
    if re.fullmatch(r"\s*\d+x\d+k\d+[a-z]*\s*", text):
        return parse_game(text).start()
    return Position(*BOARD.parse(text))


@query
@argument("position", metavar="GAME|POSITION", type=Parsed("position", _position))
@option("--seconds", type=float, metavar="S", help="How long to look; else ten seconds.")
@option("--nodes", type=int, metavar="N", help="How much to look at, in place of the seconds: the same each time.")
@option(
    "--only",
    metavar="PROVERS",
    shell_complete=completing(CERTIFYING),
    help=f"Ask these alone, with commas between them: {', '.join(CERTIFYING)}.",
)
@option("--goal", type=click.Choice(GOALS), default="any", help="What to look for: that a player wins, or holds.")
@option("--threads", type=int, metavar="N", help="How many threads; else one for each processor, with --nodes one.")
@option("--memory", type=Parsed("size", parse_size), metavar="SIZE", help="For the search, as in 4GB; else 1GiB.")
@option("--save", type=Place(), metavar="FILE", help="Write the certificate to FILE, compressed if it ends in .gz.")
@option("--resume", type=Place(), metavar="FILE", help="Go on with the search kept in FILE, and keep it there.")
def run(position: Position, only: str | None, save: Path | None, **options: Any) -> None:
    """Prove who wins GAME|POSITION, or who cannot lose, on boards too large to solve.

    Wins by force (threats), pairs of cells that keep the other from a line (pairing), the stealing of strategies, and
    a search of the whole game (proof). What it says has passed noughts check, a program that shares nothing with the
    provers; --save keeps the certificate, for that program or for yours. A search can be interrupted and gone on
    with: --resume FILE keeps it about every minute and at its end. Neither gravity nor misere.
    """
    for place in (save, options["resume"]):
        if place:
            check_target(place)
    names = None if only is None else [name.strip() for name in only.split(",")]
    try:
        found = finish_showing(proving(position, only=names, **options))
    except KeyboardInterrupt:
        if (kept := options["resume"]) and kept.exists():
            note(f"what was found is kept: --resume {kept} goes on with it")
        raise
    if save and found.claim:
        found = found.save(save)
    answer(found, show)
    if save and not found.claim:
        note("nothing was proven, so nothing was saved")


def show(found: Proven) -> None:
    """Print what was proven, and by what."""
    position, verdict = found.position, found.verdict
    if not found.claim:
        say(f"{position.game}: nothing was proven, with {several(found.nodes, 'node')} in {about(found.seconds)}")
        return
    by = f"by {' and '.join(verdict.how)}"
    say(f"{position.game}: {WORDS[found.claim]}, proven {by} ({several(found.nodes, 'node')}, {about(found.seconds)})")
    if verdict.within is not None and verdict.outcome != "tie":
        plies = several(verdict.within, "ply", "plies")
        say(f"in {plies}" if verdict.is_settled else f"in at most {plies}", lead="  ")
    if verdict.line:
        say(" ".join(format_moves(position.game, verdict.line)), lead="  for instance ")
    if found.certificate:
        say(f"saved in {found.certificate}; noughts check {found.certificate} checks it", lead="  ")
