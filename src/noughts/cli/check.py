"""noughts check: does a certificate prove what it claims?"""

from __future__ import annotations

from pathlib import Path

import click

from noughts.cli.kit import Place, answer, argument, query, say
from noughts.proofs.prove import Examined, checking
from noughts.words import about, several

WIDE = 70  # characters of a position that is shown whole


@query
@argument("file", type=Place(exists=True, dir_okay=False))
def run(file: Path) -> None:
    """Check the certificate in FILE, with a program that shares nothing with those that find proofs.

    That program is noughts/proofs/check.py: it runs copied alone, and docs/reference/certificates.md says how it
    knows. Exit status: 0 it proves its claim, 1 it does not, 2 it cannot be read.
    """
    found = answer(checking(file), show)
    if not found.holds:
        click.get_current_context().exit(1)


def show(found: Examined) -> None:
    """Print whether it holds."""
    took = f"({several(found.nodes, 'line')}, {about(found.seconds)})"
    text = str(found.position)
    what = text if len(text) <= WIDE else f"{found.position.game}, a position of {found.position.marks} marks"
    say(f"{what}: {found.claim}: {'proven' if found.holds else f'not proven: {found.reason}'} {took}")
