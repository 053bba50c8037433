"""noughts analyze: all that is known of a position."""

from __future__ import annotations

from textwrap import indent
from typing import Any

import click

from noughts.analysis import Analysis, analyzing
from noughts.cli.kit import BOARD, answer, argument, as_json, note, option, paint, query, say, wants_json
from noughts.engine import refusal
from noughts.proofs import Verdict
from noughts.rules.game import Cell
from noughts.rules.legality import check
from noughts.rules.notation import draw_board, format_board, format_move, format_moves
from noughts.rules.position import Position, Setup

STYLES: dict[str, dict[str, Any]] = {
    "win": {"fg": "bright_blue", "bold": True},
    "tie": {},
    "loss": {"fg": "yellow"},
    "unknown": {"dim": True},
}
SIGNS = {"win": "+", "tie": "=", "loss": "-"}


@query
@argument("position", type=BOARD)
@option("--seconds", type=float, help="Let the provers, and the engine, look for so long: what it believes is a guess.")
def run(position: Setup, seconds: float | None) -> None:
    """Say all that is known of POSITION.

    Status, winning lines, whether the board can arise, its code and canonical form, its exact value and
    remoteness (plies to the end), and every move with its value and what it does. A single - reads the
    position from standard input.
    """
    legality = check(position)
    if not legality.legal:
        if wants_json():
            as_json(legality.to_json())
        raise click.UsageError(f"{format_board(position)[:60]} {legality.refusal}")
    answer(analyzing(Position.unchecked(*position), seconds), show)
    if seconds is not None and (why := refusal(position.game)):
        note(f"the engine does not play {position.game}: {why}")


def show(found: Analysis) -> None:
    """Print what `analyze` found: the board with a value on each free cell, the verdict, every move and why."""
    position, game, best = found.position, found.position.game, set(found.best)

    click.echo(labelled_board(found) + "\n")
    say(f"{found.position.game}: {found.sentence}")
    if found.engine:
        believed = found.engine.best
        chance = f"{found.engine.settled:.0%} of the points for {position.turn}"
        plies = f", the end in {believed.plies} plies" if believed.plies else ""
        say(f"The engine believes, to depth {found.engine.depth}: {chance}{plies}, with")
        say(f"  {' '.join(format_moves(game, believed.cells))}")
    if position.is_dead and not position.is_over:
        say("No line can be completed any more.")
    for words in found.story:
        say(f"{words[0].upper()}{words[1:]}." if words.startswith("the ") else f"{words}.")
    for threat in found.threats:
        say(f"{threat}.")
    if found.zugzwang:
        say(f"Zugzwang: every move of {position.turn} opens a cell where {position.turn.other} completes a line.")
    for line in position.lines():
        say(f"Line: {' '.join(format_moves(game, line))}")
    # That a move cannot win is said where it makes or meets something: all others are alike.
    shown = [move for move in found.moves if move.verdict.is_exact or move.verdict.at_least == "tie" or move.reasons]
    wide = max((len(standing(move.verdict)) for move in shown), default=0)
    if shown:
        say()
    for move in sorted(shown, key=lambda move: (move.cell not in best, move.cell)):
        mark = "*" if move.cell in best else " "
        refutation = " ".join(format_moves(game, move.refutation))
        words = ": ".join(filter(None, [", ".join(move.reasons), refutation]))
        name = format_move(game, move.cell)
        value = f"{standing(move.verdict):<{max(wide + 1, 9)}}"
        say(words, lead=f"{mark} {name:<5}{paint(value, **STYLES[outcome(move.verdict)])}")
    if best:
        say("  (* best; win, tie or loss for the player who moves, and in how many plies)")
    say(f"\nCode {position.code if position.code < 10**40 else 'of more than 40 digits (--json gives it)'}")
    say(f"Canonical {position.canonical()}")


def standing(verdict: Verdict) -> str:
    """The value of a move: win 3, unknown, or the half of it that is known."""
    if verdict.is_exact or not verdict.is_known:
        return str(verdict)
    return "cannot lose" if verdict.at_least == "tie" else "cannot win"


def outcome(verdict: Verdict) -> str:
    """The outcome in one word."""
    return verdict.at_least if verdict.is_exact else "unknown"


def labelled_board(found: Analysis) -> str:
    """The board with its labels, and on each free cell the value of playing there: +3, =5, -2."""
    known = {move.cell: move.verdict for move in found.moves if move.verdict.is_exact}
    labels = {cell: f"{SIGNS[verdict.at_least]}{verdict.remoteness or ''}" for cell, verdict in known.items()}

    def paint_cell(cell: Cell, text: str) -> str:
        return paint(text, **STYLES[known[cell].at_least if cell in known else "unknown" if "." in text else "tie"])

    return indent(draw_board(found.position, labels, wide=2, paint=paint_cell), "   ")
