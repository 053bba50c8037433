"""noughts puzzle: a position with exactly one right move, by level and date."""

from __future__ import annotations

from datetime import date

import click

from noughts.cli.kit import Parsed, answer, film, indented, option, query, say
from noughts.play.puzzles import LEVELS, Attempt, Puzzle, attempt, daily, read_day, solution
from noughts.rules.notation import draw_board


@query
@option("--date", "day", type=Parsed("date", read_day), metavar="DATE", help="The puzzle of that day, not today's.")
@option("--level", type=click.IntRange(1, LEVELS), help="Another level than that of the day.  [1 easy, 5 hard]")
@option("--move", "moves", multiple=True, metavar="MOVE", help="Try a move; again for the next try.")
@option("--solution", "reveal", is_flag=True, help="Show the right move, and how the game goes on.")
def run(day: date | None, level: int | None, moves: tuple[str, ...], reveal: bool) -> None:
    """Show the puzzle of the day: a position with exactly one right move.

    It follows from the date alone, so that everybody has the same one. Level 1 takes two or three moves to see, level 5
    more than eleven; Monday is easy, Sunday hard. A move that is wrong is answered, and the game played to its end.
    """
    puzzle = daily(day, level)
    if moves and reveal:
        raise click.UsageError("--move tries a move and --solution shows the right one: give one of them")
    if moves:
        answer(attempt(puzzle, moves), tried)
    elif reveal:
        answer(solution(puzzle), played)
    else:
        answer(puzzle, show)


def show(found: Puzzle) -> None:
    """Print the position and what is asked for."""
    say(f"Puzzle of {found.date}, {found.game}, level {found.level} of {LEVELS}")
    say(indented(draw_board(found.position)))
    say(f"{found.task} One sees it {found.sight} moves ahead, counting both sides.")
    say(f"Answer with: noughts puzzle --date {found.date} --level {found.level} --move MOVE")


def tried(found: Attempt) -> None:
    """Print whether a move is right, what comes of it, and the result to share."""
    played(found)
    say(found.share)


def played(found: Attempt) -> None:
    """Print what comes of a move."""
    say("\n".join(found.sentences))
    if found.line and found.game.cells <= MOST:
        say(indented(film(found.game, (found.cell, *found.line), found.puzzle.position)))


MOST = 49  # cells of a board that is drawn once for each move
