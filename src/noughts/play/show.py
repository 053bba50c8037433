"""What `noughts certify` and `noughts match` show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shutil import get_terminal_size

import click

from noughts.account import review
from noughts.play.certification import Certificate, Side
from noughts.play.classroom import Grade, Question, Report
from noughts.play.matches import Series
from noughts.rules.game import Cell, Game
from noughts.rules.notation import draw_board, format_move, format_moves
from noughts.words import several


def show(found: Certificate | Report) -> None:
    """Print a certificate, or a report on a classroom file."""
    if isinstance(found, Certificate):
        certificate(found)
    else:
        report(found)


# Certificates


def certificate(found: Certificate) -> None:
    """Print what was found of a player."""
    click.echo(f"{found.player} on {found.game}")
    if found.difference:
        click.echo(
            "\nIt does not always answer alike, so that nothing is proven of it. In this position its answers were"
        )
        click.echo("\n".join(_indented(draw_board(found.difference.position))))
        click.echo(f"      at first: {found.difference.first}")
        click.echo(f"      {found.difference.when}: {found.difference.later}")
    for side in (found.x, found.o):
        click.echo()
        for line in _side(side, found.game):
            click.echo(line)
    if found.assumes:
        click.echo(f"\nThis assumes that {found.assumes}")
    _printed(found.printed, found.first_print)


def _side(side: Side, game: Game) -> Iterator[str]:
    who = f"As {side.mark}: "
    if side.never_loses is None:
        yield f"{who}not certified."
        return
    if side.counterexample is None:
        yield f"{who}never loses. Every game against all opposition was explored: {side.positions:,} positions."
    elif side.forfeit:
        yield f"{who}breaks the rules. In this position {side.forfeit.problem}"
        yield from _indented(draw_board(side.forfeit.position))
        if side.counterexample:
            yield f"      after {' '.join(format_moves(game, side.counterexample))}"
    else:
        moves = " ".join(format_moves(game, side.counterexample))
        yield f"{who}loses. A {'shortest ' * side.consistent}lost game: {moves}"
        yield from _indented(film(game, side.counterexample))
        for judgement in review(game.start(), side.counterexample):
            if judgement.slipped and judgement.mark is side.mark:
                better = " or ".join(format_moves(game, judgement.keeping))
                name = format_move(game, judgement.cell)
                yield f"      {name} threw away the {judgement.best.outcome}; {better} kept it."
    kept_value, kept_all = side.shares
    if kept_value is not None and kept_all is not None:
        yield (
            f"      Of {side.decisions:,} decisions {_percent(kept_value)} keep the value, "
            f"{_percent(kept_all)} keep value and remoteness."
        )
    elif not side.forfeit:
        why = "not every game was explored" if side.judged else "their exact values are unknown"
        why = why if side.consistent else "it does not always answer alike"
        yield f"      Its decisions were not judged: {why}."


def film(game: Game, cells: Sequence[Cell]) -> str:
    """A game as pictures side by side, each with its move above it.

    >>> print(film(Game(), [4, 0]))
    1 X b2     2 O a3
    3  . . .   3  O . .
    2  . X .   2  . X .
    1  . . .   1  . . .
       a b c      a b c
    """
    position, pictures = game.start(), []
    for number, cell in enumerate(cells, 1):
        title = f"{number} {position.turn} {format_move(game, cell)}"
        position = position.play(cell)
        pictures.append([title, *draw_board(position).splitlines()])
    width = max(len(line) for picture in pictures for line in picture) + 3
    across = max(1, (get_terminal_size((100, 24)).columns - 6) // width)
    strips = []
    for start in range(0, len(pictures), across):
        rows = zip(*pictures[start : start + across], strict=True)
        strips.append("\n".join("".join(line.ljust(width) for line in row).rstrip() for row in rows))
    return "\n\n".join(strips)


def _indented(text: str) -> Iterator[str]:
    yield ""
    yield from (f"      {line}".rstrip() for line in text.splitlines())
    yield ""


def _percent(share: float) -> str:
    """A share in percent; only all is 100 %.

    >>> _percent(1), _percent(0.99999), _percent(0.4)
    ('100 %', '99.9 %', '40.0 %')
    """
    return "100 %" if share == 1 else f"{min(share * 100, 99.9):.1f} %"


def _printed(lines: int, first: str) -> None:
    """Say that the user's code printed something."""
    if lines:
        click.echo(f"\nIt printed {several(lines, 'line')}, not shown here. The first: {first[:60]!r}")


# Classroom files


def report(found: Report) -> None:
    """Print how a classroom file did."""
    click.echo(f"{found.file}: the classroom contract, graded on every position of 3x3k3\n")
    for grade in found.grades:
        share = "  -  " if grade.percent is None else _percent(grade.percent / 100)
        counts = f"{grade.right:>7,} of {grade.asked:>6,} right"
        left = f"  ({grade.note}; {grade.questions - grade.asked:,} not asked)" if grade.note else ""
        click.echo(f"  {grade.function:<17}{counts}{share:>9}{left}")
    for grade in found.grades:
        if grade.failure:
            expected = f"expected {grade.failure.question.expected}"
            _call(grade, grade.failure.question, f"first failure: {grade.failure.problem}; {expected}")
        if grade.differs:
            both = f"at first {grade.differs.first}; when asked again {grade.differs.later}"
            _call(grade, grade.differs.question, f"not always alike: {both}")
    asked, again = (sum(getattr(grade, name) for grade in found.grades) for name in ("asked", "again"))
    if asked:
        click.echo(f"\n{again:,} of {asked:,} questions were asked twice, in two processes and orders.")
    _printed(found.printed, found.first_print)


def _call(grade: Grade, question: Question, says: str) -> None:
    """Print something about one call of a function."""
    click.echo(f"\n{grade.function}, {says}")
    if question.arguments:
        click.echo("\n".join(_indented(draw_board(question.position))))
    click.echo(f"      {grade.name}({', '.join(map(repr, question.arguments))})")


# Matches


def series(found: Series) -> None:
    """Print how a match went."""
    total = found.all
    click.echo(f"{found.a} against {found.b}: {total.games:,} games of {found.game}, seed {found.seed}\n")
    rows = [(f"{found.a} as X", found.x), (f"{found.a} as O", found.o), (f"{found.a} in all", total)]
    wide = max(len(name) for name, _ in rows) + 2
    click.echo(f"{'':<{wide}}    won  drawn   lost   points")
    for name, score in rows:
        if score.games:
            click.echo(f"{name:<{wide}}{score.wins:>7,}{score.draws:>7,}{score.losses:>7,}{_percent(score.share):>9}")
    click.echo(
        f"\n(won, drawn and lost by {found.a}; a draw is half a point; {found.plies / total.games:.1f} plies a game)"
    )
    for who in dict.fromkeys(lost.player for lost in found.forfeits):
        mine = [lost.forfeit for lost in found.forfeits if lost.player == who]
        click.echo(f"\n{who} broke the rules in {several(len(mine), 'game')}, which it lost. First: {mine[0].problem}")
        click.echo("\n".join(_indented(draw_board(mine[0].position))))
