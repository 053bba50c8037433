"""noughts tour: a first look."""

from __future__ import annotations

from noughts.analysis import analyze
from noughts.cli.analyze import show
from noughts.cli.kit import command, paint, say
from noughts.rules.position import Position

STOPS = {
    "A fork: X can make two threats at once": "XO./.X./..O",
    "The same board in misere, where completing a line loses": "3x3k3m:XO./.X./..O",
    "Any board: four in a row on 4x5, where only one move wins": "4x5k4:XOO.X/.O.X./X..XX/O..OO",
}


@command
def run() -> None:
    """A first look: a few positions and what noughts says of them."""
    for title, text in STOPS.items():
        say(paint(title, bold=True))
        say(paint(f"$ noughts analyze {text}", bold=True) + "\n")
        show(analyze(Position.parse(text)))
        say()
    say("import noughts; noughts.value(noughts.Position.parse('XO./.X./..O'))", lead="From Python:  ")
    say("noughts --help", lead="All commands: ")
