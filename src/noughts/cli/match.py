"""noughts match: a series between two players."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from noughts.cli.kit import (
    Place,
    answer,
    argument,
    completing,
    csv_option,
    indented,
    note,
    option,
    query,
    ready_csv,
    say,
    share,
    svg_option,
    table,
    write_csv,
    write_svg,
)  # fmt: skip
from noughts.files import check_target, writing
from noughts.play import PLAYERS
from noughts.play.by_name import matching
from noughts.play.kept import of_line, write_sgf
from noughts.play.matches import Score, Series
from noughts.play.tournament import Tournament, playing_all
from noughts.rules.notation import draw_board
from noughts.words import several

SOON = 2.0  # seconds after which a match that is long says so, also where nobody sees the terminal


@query
@argument("players", nargs=-1, required=True, metavar="A B ...", shell_complete=completing(PLAYERS))
@option("-n", "--games", default=100, help="How many games, of each two.")
@option("--game", default="3x3k3", metavar="GAME", help="The board, as in 4x4k4.")
@option("--seed", default=0, help="The same seed plays the same games.")
@option(
    "--opening", default="free", metavar="RULE", help="swap or swap2: one lays three marks, the other takes a side."
)
@option("--time-limit", default=10.0, metavar="SECONDS", help="For one move of your code or of a bot.")
@option("--round-robin", "all_", is_flag=True, help="Everybody against everybody: a table with ratings.")
@option("--save", type=Place(), metavar="FILE", help="Of a round robin: write all games to this file, as SGF.")
@csv_option("the table")
@svg_option("the table, and of a round robin the ratings,")
def run(
    players: tuple[str, ...], all_: bool, save: Path | None, sheet: Path | None, picture: Path | None, **options: Any
) -> None:
    """Play a series between A and B, who change sides after each game.

    With --round-robin there may be more than two: each two play a series, and everybody gets a rating.

    Players: random, rules-as-printed, rules, minimax, alphabeta, perfect, mcts, engine, level-1 to level-5; with a
    number alphabeta:4 (depth), minimax:4, mcts:2000 (random games a move), or with a budget of time, in seconds a
    move, engine:0.5, mcts:0.5s, alphabeta:0.5s; a function of yours, path/to/file.py:function; a bot in any language,
    "bot:node mine.js" (a command) or http://localhost:8000/; or an engine that speaks the Gomocup protocol,
    gomocup:./pbrain-x.
    """
    ready_csv(sheet, picture)
    if not all_:
        if len(players) != 2:
            wanted = "more than two play with --round-robin" if len(players) > 2 else "a match needs two players"
            raise click.UsageError(f"{wanted}: {len(players)} given")
        if save:
            raise click.UsageError("--save is for the games of --round-robin")
        series = answer(matching(*players, **options), show, first=SOON)
        sides = {"X": series.x, "O": series.o}.items()
        write_csv(sheet, ["player", "as", *COUNTS], [(series.a, side, *counts(score)) for side, score in sides])
        if picture:
            from noughts.lab import gallery

            write_svg(picture, gallery.of_series(series))
        return
    if save:
        check_target(save)
    found = answer(playing_all(players, **options), show_all, first=SOON)
    against = [f"against {each.player}" for each in found.standings]
    rows = [
        (each.player, each.rating, each.error, each.points, *counts(each.score), *found.shares(each.player))
        for each in found.standings
    ]
    write_csv(sheet, ["player", "rating", "error", "points", *COUNTS, *against], rows)
    if picture:
        from noughts.lab import gallery

        write_svg(picture, *gallery.of_tournament(found))
    if save:
        with writing(save) as file:
            for each in found.games:
                file.write(write_sgf(of_line(each.game.start(), each.moves, x=each.x, o=each.o)))
        note(f"{several(len(found.games), 'game')} in {save}: noughts review {save} --number 1 tells of the first")


COUNTS = ["won", "drawn", "lost"]


def counts(score: Score) -> tuple[int, int, int]:
    """The numbers of a score."""
    return score.wins, score.draws, score.losses


def show_all(found: Tournament) -> None:
    """Print the table of a round robin."""
    say(f"Everybody against everybody: {several(found.n, 'game')} of {found.game} each, seed {found.seed}\n")
    rows = []
    for each in found.standings:
        against = ["" if part is None else share(part) for part in found.shares(each.player)]
        rating = f"{each.rating:+.0f} ± {each.error:.0f}".replace("-", "−")
        rows.append(
            [each.player, rating, f"{each.points:g}", each.score.wins, each.score.draws, each.score.losses, *against]
        )
    numbers = [str(number) for number in range(1, len(rows) + 1)]
    rows = [[f"{number}. {row[0]}", *row[1:]] for number, row in zip(numbers, rows, strict=True)]
    table(["", "rating", "points", "won", "drawn", "lost", *(f"against {number}" for number in numbers)], rows)
    say("\n(ratings as in chess, the average is 0; the error is that of 19 in 20; a draw is half a point)")
    broken = [(each, pair) for pair in found.pairs for each in pair.forfeits]
    for who in dict.fromkeys(lost.player for lost, _ in broken):
        mine = [lost.forfeit for lost, _ in broken if lost.player == who]
        say(f"\n{who} broke the rules in {several(len(mine), 'game')}, which it lost. First: {mine[0].problem}")


def show(found: Series) -> None:
    """Print how a match went."""
    total = found.all
    by = "" if found.opening == "free" else f" by {found.opening}"
    say(f"{found.a} against {found.b}: {total.games:,} games of {found.game}{by}, seed {found.seed}\n")
    rows = [(f"{found.a} as X", found.x), (f"{found.a} as O", found.o), (f"{found.a} in all", total)]
    table(
        ["", "won", "drawn", "lost", "points"],
        [(name, score.wins, score.draws, score.losses, share(score.share)) for name, score in rows if score.games],
    )
    say(f"\n(won, drawn and lost by {found.a}; a draw is half a point; {found.plies / total.games:.1f} plies a game)")
    for who in dict.fromkeys(lost.player for lost in found.forfeits):
        mine = [lost.forfeit for lost in found.forfeits if lost.player == who]
        say(f"\n{who} broke the rules in {several(len(mine), 'game')}, which it lost. First: {mine[0].problem}")
        say(indented(draw_board(mine[0].position)))
