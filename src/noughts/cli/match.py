"""noughts match: a series between two players."""

from __future__ import annotations

from typing import Any

from noughts.cli.kit import answer, argument, completing, indented, option, query, say, share, table
from noughts.play import PLAYERS
from noughts.play.by_name import matching
from noughts.play.matches import Series
from noughts.rules.notation import draw_board
from noughts.words import several

SOON = 2.0  # seconds after which a match that is long says so, also where nobody sees the terminal


@query
@argument("a", shell_complete=completing(PLAYERS))
@argument("b", shell_complete=completing(PLAYERS))
@option("-n", "--games", default=100, help="How many games.")
@option("--game", default="3x3k3", metavar="GAME", help="The board, as in 4x4k4.")
@option("--seed", default=0, help="The same seed plays the same games.")
@option(
    "--opening", default="free", metavar="RULE", help="swap or swap2: one lays three marks, the other takes a side."
)
@option("--time-limit", default=10.0, metavar="SECONDS", help="For one move of your code or of a bot.")
def run(a: str, b: str, **options: Any) -> None:
    """Play a series between A and B, who change sides after each game.

    Players: random, rules-as-printed, rules, minimax, alphabeta, perfect, mcts, engine, level-1 to level-5; with a
    number alphabeta:4 (depth), minimax:4, mcts:2000 (random games a move), or with a budget of time, in seconds a
    move, engine:0.5, mcts:0.5s, alphabeta:0.5s; a function of yours, path/to/file.py:function; a bot in any language,
    "bot:node mine.js" (a command) or http://localhost:8000/; or an engine that speaks the Gomocup protocol,
    gomocup:./pbrain-x.
    """
    answer(matching(a, b, **options), show, first=SOON)


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
