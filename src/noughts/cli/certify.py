"""noughts certify: a proof that a player never loses, or a game that it loses; and classroom files, graded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from noughts.account import review
from noughts.cli.kit import Place, answer, argument, completing, film, indented, note, option, query, say, share, table
from noughts.files import check_target
from noughts.play import PLAYERS
from noughts.play.by_name import certifying
from noughts.play.certification import Certificate, Side
from noughts.play.classroom import Grade, Question, Report
from noughts.rules.game import Game
from noughts.rules.notation import draw_board, format_move, format_moves
from noughts.words import several

if TYPE_CHECKING:
    from noughts.play.gradebook import Gradebook


@query
@argument("player", shell_complete=completing(PLAYERS))
@option("--game", default="3x3k3", metavar="GAME", help="The board, as in 4x4k4.")
@option("--seed", default=0, help="The chance of mcts; others are followed whatever they choose.")
@option(
    "--limit",
    type=click.IntRange(1),
    default=250_000,
    metavar="POSITIONS",
    help="Explore at most so many a side; those alike by symmetry may count as one.",
)
@option("--time-limit", default=10.0, metavar="SECONDS", help="For one answer of your code or of a bot.")
@option("--total-limit", default=60.0, metavar="SECONDS", help="For a whole classroom file.")
@option("--classroom", "partly", is_flag=True, help="Grade a classroom file even if functions are missing.")
@option("--csv", "table_", type=Place(), metavar="FILE", help="Of a folder: write the marks to this file.")
@option("--html", "pages", type=Place(), metavar="FOLDER", help="Of a folder: write a page for each student there.")
@option("--jobs", default=1, help="Of a folder: grade so many files at a time.")
@option("--weights", type=Place(), metavar="FILE", help="Of a folder: how much each part counts, in TOML.")
def run(player: str, table_: Path | None, pages: Path | None, jobs: int, weights: Path | None, **options: Any) -> None:
    """Prove or refute that PLAYER never loses, for each side.

    Every game of the player against all opposition is explored. PLAYER is a name (noughts match --help lists
    them), or a function of yours, path/to/file.py:function, which gets a noughts.Position and returns a cell or
    a move text; it runs in a process of its own. "bot:COMMAND" and http://HOST/PATH are bots in any language.
    path/to/file.py alone is a classroom file (initial_state, player, actions, result, winner, terminal, utility,
    minimax): each function is graded on every position. A folder is a class of such files, graded together.

    All is asked more than once, in fresh processes and other orders: of a player of yours that does not always answer
    alike nothing is proven.
    """
    if Path(player).is_dir():
        whole_class(Path(player), table_, pages, jobs, weights, options)
        return
    for name, given in {"--csv": table_, "--html": pages, "--weights": weights, "--jobs": jobs != 1}.items():
        if given:
            raise click.UsageError(f"{name} is for a folder of classroom files, and {player!r} is none")
    answer(certifying(player, **options), show)


def whole_class(
    folder: Path, table_: Path | None, pages: Path | None, jobs: int, weights: Path | None, options: dict[str, Any]
) -> None:
    """Grade a folder, and write what was asked for."""
    from noughts.lab import grades, report
    from noughts.play.gradebook import grading_folder, read_weights

    if table_:
        check_target(table_)
    if pages:
        report.prepare(pages)
    limits = {name: options[name] for name in ("time_limit", "total_limit")}
    weighed = read_weights(weights) if weights else None
    found = answer(grading_folder(folder, jobs=jobs, weights=weighed, **limits), marks)
    if table_:
        found.write_csv(table_)
        note(f"the marks are in {table_}")
    if pages:
        note(f"the report is {grades.write(found, pages)}")


def show(found: Certificate | Report) -> None:
    """Print a certificate, or a report on a classroom file."""
    if isinstance(found, Certificate):
        certificate(found)
    else:
        report(found)
    if found.printed:
        say(f"\nIt printed {several(found.printed, 'line')}, not shown here. The first: {found.first_print[:60]!r}")


# Certificates


def certificate(found: Certificate) -> None:
    """Print what was found of a player."""
    say(f"{found.player} on {found.game}")
    if found.difference:
        say("\nIt does not always answer alike, so that nothing is proven of it. In this position its answers were")
        say(indented(draw_board(found.difference.position)))
        say(f"      at first: {found.difference.first}")
        say(f"      {found.difference.when}: {found.difference.later}")
    for side in (found.x, found.o):
        say()
        for line in _side(side, found.game):
            say(line)
    if found.assumes:
        say(f"\nThis assumes that {found.assumes}")


def _side(side: Side, game: Game) -> Iterator[str]:
    who = f"As {side.mark}: "
    if side.never_loses is None:
        yield f"{who}not certified."
        return
    if side.counterexample is None:
        yield f"{who}never loses. Every game against all opposition was explored: {side.positions:,} positions."
    elif side.forfeit:
        yield f"{who}breaks the rules. In this position {side.forfeit.problem}"
        yield indented(draw_board(side.forfeit.position))
        if side.counterexample:
            yield f"      after {' '.join(format_moves(game, side.counterexample))}"
    else:
        moves = " ".join(format_moves(game, side.counterexample))
        yield f"{who}loses. A {'shortest ' * side.consistent}lost game: {moves}"
        yield indented(film(game, side.counterexample))
        for judgement in review(game.start(), side.counterexample):
            if judgement.slipped and judgement.mark is side.mark:
                better = " or ".join(format_moves(game, judgement.keeping))
                name = format_move(game, judgement.cell)
                yield f"      {name} threw away the {judgement.best.outcome}; {better} kept it."
    kept_value, kept_all = side.shares
    if kept_value is not None and kept_all is not None:
        yield (
            f"      Of {side.decisions:,} decisions {share(kept_value)} keep the value, "
            f"{share(kept_all)} keep value and remoteness."
        )
    elif not side.forfeit:
        why = "not every game was explored" if side.judged else "their exact values are unknown"
        why = why if side.consistent else "it does not always answer alike"
        yield f"      Its decisions were not judged: {why}."


# Classroom files


def marks(found: Gradebook) -> None:
    """Print the marks of a class."""
    head = ["", "mark", *(name.replace("_", " ") for name in found.weights)]
    rows = []
    for each in found.students:
        scores = [each.functions.get(name) for name in found.weights]
        shown = ["-" if grade is None or grade.score is None else f"{grade.score:.0f}" for grade in scores]
        rows.append([each.file, f"{each.mark:.1f}", *shown])
    table(head, [*rows, ["weight", "", *(f"{weight:g}" for weight in found.weights.values())]])
    say("\nA score is the share of right answers in a case, such as one line, averaged over the cases of the function.")
    for each in found.students:
        if each.problem:
            say(f"{each.file}: {each.problem}")


def report(found: Report) -> None:
    """Print how a classroom file did."""
    say(f"{found.file}: the classroom contract, graded on every position of 3x3k3\n")
    for grade in found.grades:
        right = "  -  " if grade.percent is None else share(grade.percent / 100)
        counts = f"{grade.right:>7,} of {grade.asked:>6,} right"
        score = "" if grade.score is None else f"  score {min(grade.score, 99.9) if grade.score < 100 else 100:>4.3g}"
        left = f"  ({grade.note}; {grade.questions - grade.asked:,} not asked)" if grade.note else ""
        say(f"  {grade.function:<17}{counts}{right:>9}{score}{left}")
    for grade in found.grades:
        if grade.failure:
            expected = f"expected {grade.failure.question.expected}"
            _call(grade, grade.failure.question, f"first failure: {grade.failure.problem}; {expected}")
        if grade.differs:
            both = f"at first {grade.differs.first}; when asked again {grade.differs.later}"
            _call(grade, grade.differs.question, f"not always alike: {both}")
    asked, again = (sum(getattr(grade, name) for grade in found.grades) for name in ("asked", "again"))
    if asked:
        say(f"\n{again:,} of {asked:,} questions were asked twice, in two processes and orders.")


def _call(grade: Grade, question: Question, says: str) -> None:
    """Print something about one call of a function."""
    say(f"\n{grade.function}, {says}")
    if question.arguments:
        say(indented(draw_board(question.position)))
    say(f"      {grade.name}({', '.join(map(repr, question.arguments))})")
