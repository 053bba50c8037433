"""A gradebook as pages: one with all marks, and one for each student, with what went wrong to play through."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from urllib.parse import quote

from noughts.explain import best_line
from noughts.files import writing
from noughts.lab import report
from noughts.lab.report import Html, Page, Section
from noughts.play.classroom import Failure, Grade
from noughts.play.gradebook import Gradebook, Student
from noughts.proofs import judge
from noughts.rules.game import Cell
from noughts.rules.notation import draw_board, format_move, format_moves
from noughts.rules.position import Position
from noughts.words import listing

LABORATORY = "http://127.0.0.1:8765/"  # where noughts serve is by itself
HOW = (
    "The score of a function is the share of right answers in a case, such as one line or one kind of move, averaged "
    "over its cases: a fault counts by what it concerns, not by how many boards show it. A mark is the average of the "
    "scores, by their weights; a function that is missing, or that the time did not reach, has 0. Where calls end "
    "without an answer time after time, the rest is not asked and counts as wrong; single boards that the time did not "
    "suffice for count neither way."
)


def write(found: Gradebook, folder: Path) -> Path:
    """Write all pages into a folder, and say where the first is."""
    report.prepare(folder)
    names = page_names(found)
    for student in found.students:
        with writing(folder / names[student.file]) as file:
            file.write(student_page(student, found).html())
    return class_page(found, names).write(folder)


def page_names(found: Gradebook) -> dict[str, str]:
    """The name of each student's page, which no other page has."""
    return {each.file: f"{each.name if each.name != 'index' else 'index-of-student'}.html" for each in found.students}


def class_page(found: Gradebook, names: dict[str, str]) -> Page:
    """The marks of all."""
    rows = []
    for each in found.students:
        link = Html(f'<a href="{quote(names[each.file])}">{escape(each.file)}</a>')
        rows.append([link, f"{each.mark:.1f}", *(_score(each.functions.get(name)) for name in found.weights)])
    weights = ["weight", "", *(f"{weight:g}" for weight in found.weights.values())]
    problems = [f"`{each.file}`: {each.problem}" for each in found.students if each.problem]
    return Page(
        "The marks of a class",
        f"{len(found.students)} files of the classroom contract, each function asked about every position of 3x3.",
        [
            Section(
                "Marks", [report.table("Marks and scores, of 100", ("File", "Mark", *found.weights), [*rows, weights])]
            ),
            *([Section("Could not be graded", [report.bullets(problems)])] if problems else []),
            Section("How it was graded", [report.text(HOW)]),
        ],
        "Made by noughts certify.",
    )


def student_page(student: Student, found: Gradebook) -> Page:
    """What was found of one file."""
    faults = [Section(grade.function, list(_faults(grade))) for grade in student.functions.values()]
    sections = [Section("Scores", list(_scores(student, found))), *(each for each in faults if each.parts)]
    lead = student.problem or f"Mark: **{student.mark:.1f} of 100**."
    return Page(
        student.file, lead, [*sections, Section("How it was graded", [report.text(HOW)])], "Made by noughts certify."
    )


def _score(grade: Grade | None) -> str:
    return "–" if grade is None or grade.score is None else f"{grade.score:.1f}"


def _scores(student: Student, found: Gradebook) -> Iterator[Html]:
    rows = []
    for name, grade in student.functions.items():
        right = f"{grade.right:,} of {grade.asked:,}"
        rows.append([f"`{name}`", _score(grade), f"{found.weights[name]:g}", right, grade.note])
    yield report.table("Scores, of 100", ("Function", "Score", "Weight", "Right answers", "Note"), rows)


def _faults(grade: Grade) -> Iterator[Html]:
    wrong = {case: percent for case, percent in grade.cases.items() if percent < 100}
    if wrong:
        rows = [[case, f"{percent:.1f} %"] for case, percent in wrong.items()]
        yield report.table(f"Cases of `{grade.function}` that are not all right", ("Case", "Right"), rows)
    shown = sorted(grade.failures.items(), key=lambda found: not _punished(grade, found[1]))  # lost games come first
    for number, (case, failure) in enumerate(shown):
        told = list(_counterexample(grade, failure))
        yield from told if number == 0 else [report.folded(f"Another: {case}", told)]
    if grade.differs:
        yield report.text(
            f"It does not always answer alike: at first {grade.differs.first}; when asked again {grade.differs.later}."
        )


def _counterexample(grade: Grade, failure: Failure) -> Iterator[Html]:
    """The simplest failure: the call, what came of it, and where it is about a move, how the game goes on."""
    position, arguments = failure.question.position, failure.question.arguments
    yield report.text(f"The simplest failure: {failure.problem}; expected {failure.question.expected}.")
    yield report.text(f"`{grade.name}({', '.join(map(repr, arguments))})`")
    moves = _punished(grade, failure)
    yield report.side_by_side(list(_film(position, moves)), narrow=True)
    if moves:
        names = listing(format_moves(position.game, moves))
        yield report.text(f"Played through: {names}.")
    shown = ",".join(format_moves(position.game, moves))
    address = f"{LABORATORY}?view=analyse&position={quote(str(position))}" + (f"&moves={shown}" if shown else "")
    yield Html(f'<p><a href="{escape(address)}">Open it in the laboratory</a>, where noughts serve is running.</p>')


def _punished(grade: Grade, failure: Failure) -> tuple[Cell, ...]:
    """The move that was chosen, if it is one, and how the game goes on to its end."""
    position, chosen = failure.question.position, failure.chosen
    if grade.function != "minimax" or chosen not in position.moves():
        return ()
    return chosen, *best_line(judge(position.play(chosen)))


def _film(position: Position, moves: tuple[Cell, ...]) -> Iterator[Html]:
    stands = f"{position.turn} to move"
    if position.is_over:
        stands = f"{position.winner} has won" if position.winner else "a draw"
    yield report.verbatim(draw_board(position), f"the board {position}", stands)
    for cell in moves:
        who, name = position.turn, format_move(position.game, cell)
        position = position.play(cell)
        yield report.verbatim(draw_board(position), f"{who} {name}: the board {position}", f"{who} {name}")
