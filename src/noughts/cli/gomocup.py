"""noughts gomocup: the engine behind the Gomocup protocol."""

from __future__ import annotations

import sys

import click

from noughts.cli.kit import command, option
from noughts.engine.protocol import LONGEST_LINE, Brain, serve


@command
@option("--threads", default=1, help="How many threads think.")
@option("--seed", default=0, help="Varies the first mark, and the openings that it lays.")
def run(threads: int, seed: int) -> None:
    """Play five in a row as managers such as Piskvork and c-gomoku-cli ask: commands on stdin, moves on stdout.

    Boards from 5 x 5 to 32 x 32, five or more in a row (INFO rule 0) or exactly five (INFO rule 1). Managers that start
    a program without arguments start pbrain-noughts, which is this command.
    """
    if sys.stdin is None:
        raise click.UsageError("there is no standard input to read from")
    serve(iter(lambda: sys.stdin.readline(LONGEST_LINE), ""), say, Brain(threads, seed))


def say(line: str) -> None:
    """A line to the manager, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """`pbrain-noughts`: the name under which managers look for an engine."""
    from noughts.__main__ import main

    sys.argv[1:1] = ["gomocup"]
    main()
