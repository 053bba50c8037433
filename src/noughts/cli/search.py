"""noughts search: minimax and alpha-beta, with counts."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from noughts.cli.kit import BOARD, Place, answer, argument, option, query, say, table, wants_json
from noughts.files import check_target, writing
from noughts.rules.marks import X
from noughts.rules.notation import draw_board, format_move
from noughts.rules.position import Position, Setup
from noughts.search import compare, search
from noughts.search.comparison import Comparison
from noughts.search.result import MoveScore, Result

SIGNS = {"exact": "", "upper": "<=", "lower": ">="}


@query
@argument("position", type=BOARD)
@option(
    "--algorithm",
    default="alphabeta",
    metavar="minimax|alphabeta",
    help="Look at everything, or cut what cannot matter.",
)
@option("--depth", type=int, metavar="PLIES", help="Look so many plies ahead; else to the end of every game.")
@option("--window", metavar="each|carried", help="A window per root move, or one carried over them.")
@option(
    "--order", default="natural", metavar="natural|centre|evaluation|best-known", help="Which moves are tried first."
)
@option("--table", is_flag=True, help="Remember the scores of positions.")
@option("--symmetry", is_flag=True, help="Search only one of symmetric moves.")
@option("--deepening", is_flag=True, help="Search to depth 1, 2, 3, … and try the best moves first.")
@option("--limit", type=int, metavar="NODES", help="Refuse what would enter more nodes than this.")
@option("--compare", "compared", is_flag=True, help="Show what each improvement saves.")
@option("--replay", is_flag=True, help="Show the search step by step.")
@option("--tree", type=Place(allow_dash=True), metavar="FILE", help="Write the searched tree as JSON.")
@option("--dot", type=Place(allow_dash=True), metavar="FILE", help="Write the tree for Graphviz.")
@option(
    "--keep", type=click.IntRange(1), default=10_000, metavar="NODES", help="How much of the tree to write or replay."
)
def run(
    position: Setup,
    compared: bool,
    replay: bool,
    tree: Path | None,
    dot: Path | None,
    keep: int,
    window: str | None,
    **options: Any,
) -> None:
    """Search POSITION by minimax or alpha-beta: score, nodes and prunes of every move.

    Scores are the evaluation's (weighted open lines), from X's side. A prune is one cut-off event. The
    window is each unless told otherwise, as in the minimax source; with --compare it is carried. A single -
    reads the position from standard input.
    """
    if replay and wants_json():
        raise click.UsageError("--replay is for reading: leave --json out, or write the tree with --tree")
    start, recorded = Position(*position), bool(replay or tree or dot)
    if compared:
        _refuse_beside_compare(recorded)
        picked = {"depth": options["depth"], "limit": options["limit"], "window": window or "carried"}
        found = compare(start, **picked)
        if found.score is None:
            search(start, **picked)  # not one way fits the limit: this refuses, with the estimate and what would fit
        answer(found, show_comparison)
        return
    files = [path for path in (tree, dot) if path and str(path) != "-"]
    for path in files:
        check_target(path)
    result = search(start, **options, window=window or "each", record=keep if recorded else None)
    for target in (tree, dot):
        if target is not None and result.tree:
            with writing(target) if target in files else nullcontext(sys.stdout) as file:
                file.write(result.tree.to_dot() if target is dot else json.dumps(result.tree.to_json()))
    if replay and result.tree:
        for step in result.tree.replay():
            say("  " * (step.ply + (step.kind == "back")) + step.text)
        say()
    answer(result, show)


def _refuse_beside_compare(recorded: bool) -> None:
    source = click.get_current_context().get_parameter_source
    for name in ("order", "table", "symmetry", "deepening", "algorithm"):
        if source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--compare tries every {name} itself: leave --{name} out")
    if recorded:
        raise click.UsageError("--compare searches many trees: --tree, --dot and --replay need one")


def show(found: Result) -> None:
    """Print the score, the nodes and the prunes of every root move."""
    position, options, game = found.position, found.options, found.position.game
    click.echo(draw_board(position) + "\n")
    if position.is_over:
        say(f"{game}: the game is over ({position.status}), score {found.score}.")
        return
    player = "MAX" if position.turn is X else "MIN"
    say(f"{game}, {position.turn} to move ({player}): {options}, window {options.window}, {_depth(options.depth)}\n")
    rows = []
    for move in found.moves:
        name = f"{'*' if move.cell in found.best else ' '} {format_move(game, move.cell)}"
        like = "" if move.merged_with is None else f"like {format_move(game, move.merged_with)}"
        rows.append((name, f"{SIGNS[move.bound]} {move.score}".strip(), *_counts(move), like))
    rows.append(("  total", "", *_counts(found), ""))
    table(["  move", "score", "nodes", "prunes", "alpha cuts", "beta cuts", ""], rows)
    bounds = any(move.bound != "exact" for move in found.moves)
    say(f"\nScore {found.score} from X's side (* best{'; <= and >= are only bounds' if bounds else ''}).")


def _counts(row: Result | MoveScore) -> tuple[int, int, int, int]:
    return row.nodes, row.prunes, row.alpha_cuts, row.beta_cuts


def _depth(depth: int | None) -> str:
    return f"{depth} plies deep" if depth else "to the end of every game"


def show_comparison(found: Comparison) -> None:
    """Print what each improvement saves."""
    click.echo(draw_board(found.position) + "\n")
    say(f"{found.position.game}, window {found.window}, {_depth(found.depth)}\n")
    rows = []
    for way in found.ways:
        saved = (way.saved_against_minimax, way.saved_against_alphabeta)
        shares = ("-" if share is None else f"{share:.2%}" for share in saved)
        counts = (way.result.nodes, way.result.prunes, *shares) if way.result else ("over the limit", "", "", "")
        rows.append((way.options, *counts))
    table(["", "nodes", "prunes", "minimax", "alphabeta"], rows)
    say("\nminimax, alphabeta: the share of nodes that is saved against these.")
    say(f"All give the score {found.score}." if found.score is not None else "None fits the limit.")
