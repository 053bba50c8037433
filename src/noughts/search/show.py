"""What a person sees of a search in the terminal."""

from __future__ import annotations

import click

from noughts.rules.marks import X
from noughts.rules.notation import draw_board, format_move
from noughts.search.comparison import Comparison
from noughts.search.result import MoveScore, Result


def show_result(found: Result) -> None:
    """Print the score, the nodes and the prunes of every root move."""
    position, options = found.position, found.options
    name, signs = position.game, {"exact": "", "upper": "<=", "lower": ">="}
    click.echo(draw_board(position) + "\n")
    if position.is_over:
        click.echo(f"{name}: the game is over ({position.status}), score {found.score}.")
        return
    player = "MAX" if position.turn is X else "MIN"
    depth = f"{options.depth} plies deep" if options.depth else "to the end of every game"
    click.echo(f"{name}, {position.turn} to move ({player}): {options}, window {options.window}, {depth}\n")
    click.echo("  move   score      nodes    prunes  alpha cuts  beta cuts")
    for move in found.moves:
        best = "*" if move.cell in found.best else " "
        score = f"{signs[move.bound]} {move.score}"
        note = "" if move.merged_with is None else f"  like {format_move(name, move.merged_with)}"
        click.echo(f"{best} {format_move(name, move.cell):<5}{score:>7}{_counts(move)}{note}")
    click.echo(f"  {'total':<12}{_counts(found)}")
    bounds = any(move.bound != "exact" for move in found.moves)
    click.echo(f"\nScore {found.score} from X's side (* best{'; <= and >= are only bounds' if bounds else ''}).")


def _counts(row: Result | MoveScore) -> str:
    return f"{row.nodes:>11,}{row.prunes:>10,}{row.alpha_cuts:>12,}{row.beta_cuts:>11,}"


def show_comparison(table: Comparison) -> None:
    """Print what each improvement saves."""
    depth = f"{table.depth} plies deep" if table.depth else "to the end of every game"
    click.echo(f"{draw_board(table.position)}\n\n{table.position.game}, window {table.window}, {depth}\n")
    wide = max(len(str(way.options)) for way in table.ways)
    click.echo(f"{'':<{wide}}      nodes    prunes   saved against minimax   against alphabeta")
    for way in table.ways:
        if way.result is None:
            click.echo(f"{way.options!s:<{wide}}  {'over the limit':>9}")
            continue
        shares = [
            "-" if share is None else f"{share:.2%}"
            for share in (way.saved_against_minimax, way.saved_against_alphabeta)
        ]
        click.echo(
            f"{way.options!s:<{wide}}{way.result.nodes:>11,}{way.result.prunes:>10,}{shares[0]:>24}{shares[1]:>20}"
        )
    click.echo(f"\nAll give the score {table.score}." if table.score is not None else "\nNone fits the limit.")
