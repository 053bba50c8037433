"""What a person sees of an analysis in the terminal."""

from __future__ import annotations

import os
from typing import Any

import click

from noughts.notation import board_rows, column_letters
from noughts.position import Position

COLOURS = {"win": "bright_blue", "tie": None, "loss": "yellow", "unknown": None}
SIGNS = {"win": "+", "tie": "=", "loss": "-"}


def show_account(account: dict[str, Any]) -> None:
    """Print what `analyze` found: the board with a value on each free cell, the verdict, every move and why."""
    position = Position.parse(account["position"])
    click.echo(labelled_board(position, account) + "\n")
    click.echo(verdict(account))
    if position.is_dead and account["status"] == "ongoing":
        click.echo("No line can be completed any more.")
    for line in account["winning_lines"]:
        click.echo(f"Line: {' '.join(line)}")
    best = set(account["best"])
    shown = [move for move in account["moves"] if move["value"] != "unknown" or move["reasons"]]
    if shown:
        click.echo()
    for move in sorted(shown, key=lambda move: (move["move"] not in best, move["cell"])):
        worth = f"{move['value']} {move['remoteness']}" if move["remoteness"] else move["value"]
        mark = "*" if move["move"] in best else " "
        words = ", ".join(move["reasons"]) + (f": {' '.join(move['refutation'])}" if move["refutation"] else "")
        click.echo(f"{mark} {move['move']:<5}" + paint(f"{worth:<9}", move["value"]) + words)
    if best:
        click.echo("  (* best; win, tie or loss for the player who moves, and in how many plies)")
    code = account["code"]
    click.echo(f"\nCode {code if code < 10**40 else 'of more than 40 digits (--json gives it)'}")
    click.echo(f"Canonical {account['canonical']}")


def labelled_board(position: Position, account: dict[str, Any]) -> str:
    """The board with its labels, and on each free cell the value of playing there: +3, =5, -2."""
    game = position.game
    labels = {
        move["cell"]: (f"{SIGNS[move['value']]}{move['remoteness']}", move["value"])
        for move in account["moves"]
        if move["value"] in SIGNS
    }
    width = max([2, *(len(text) for text, _ in labels.values())]) + 1
    rows = []
    for number, row in enumerate(board_rows(position)):
        cells = []
        for column, mark in enumerate(row):
            text, value = labels.get(number * game.columns + column, (mark, "unknown" if mark == "." else ""))
            pad = " " * (width - len(text))
            cells.append(pad + (paint(text, value) if value else text))
        rows.append(f"{game.rows - number:>4} " + "".join(cells))
    letters = "".join(column_letters(column).rjust(width) for column in range(game.columns))
    return "\n".join([*rows, " " * 5 + letters])


def verdict(account: dict[str, Any]) -> str:
    """Who stands how, in one sentence."""
    if account["winner"]:
        return f"{account['game']}: {account['winner']} has won."
    if account["status"] == "draw":
        return f"{account['game']}: a draw."
    turn, value, plies = account["turn"], account["value"], account["remoteness"]
    outcome = {
        "win": f"{turn} wins in {plies} plies" if plies != 1 else f"{turn} wins at once",
        "loss": f"{turn} loses in {plies} plies",
        "tie": "a tie with best play",
        "unknown": "the value is unknown (too many free cells to solve on the spot)",
    }[value]
    return f"{account['game']}, {turn} to move: {outcome}."


def paint(text: str, value: str) -> str:
    """A text in the colour of a value; plain where NO_COLOR is set (click itself drops colour for pipes)."""
    if os.environ.get("NO_COLOR"):
        return text
    return click.style(text, fg=COLOURS[value], bold=value == "win", dim=value == "unknown")
