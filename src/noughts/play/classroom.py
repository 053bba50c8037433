"""Grading of files that follow the widespread classroom contract, exhaustively: every function on every position.

A board is a list of three rows from the top, each a list of three of "X", "O" and None; an action is a pair (row,
column) from 0. The file defines

    initial_state()         the empty board
    player(board)           "X" or "O": who has the next turn            asked of ongoing boards
    actions(board)          the set of all actions                       asked of ongoing boards
    result(board, action)   the board after it; the one given stays as it is; an exception if the action is not allowed
    winner(board)           "X", "O" or None
    terminal(board)         True if the game is over
    utility(board)          1 if X has won, -1 if O has won, else 0      asked of finished boards
    minimax(board)          an optimal action, None if the game is over  right if it keeps the outcome

Easy boards come first: those with few marks, and for minimax those with few free cells, because a correct minimax may
be slow. What is not asked before the time runs out counts neither as right nor as wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any

from noughts.game import Cell, Game
from noughts.notation import board_rows
from noughts.play.outside import TIME_LIMIT, Reply, UserFile, what_happened
from noughts.play.player import InvalidPlayer
from noughts.play.worker import decode, encode
from noughts.position import Mark, Position
from noughts.solve import move_values

CONTRACT = ("initial_state", "player", "actions", "result", "winner", "terminal", "utility", "minimax")
TOTAL_LIMIT = 60.0  # seconds for the whole file
PATIENCE = 3  # so many answers that never came, and a function is asked no more
SLOW = 7  # from so many free cells on, a minimax without answer is called slow, not wrong

Rows = list[list[str | None]]
Action = tuple[int, int]
Progress = Callable[[str, int, int], None]  # function, questions asked, questions in all


@dataclass(frozen=True)
class Question:
    """One call, what is expected of it in words, and whether an answer is right; None: it must raise."""

    position: Position
    arguments: tuple[Any, ...]
    expected: str
    right: Callable[[Any], bool] | None


@dataclass(frozen=True)
class Failure:
    """A question that was not answered right, and what happened instead."""

    question: Question
    problem: str


@dataclass
class Grade:
    """How one function did."""

    function: str
    questions: int
    asked: int = 0
    right: int = 0
    failure: Failure | None = None  # the first
    note: str = ""  # why not everything was asked

    @property
    def percent(self) -> float | None:
        """The percentage of right answers; None if nothing was asked."""
        return 100 * self.right / self.asked if self.asked else None

    def to_json(self) -> dict[str, Any]:
        """One function in the answer of `noughts certify --json`."""
        failure = self.failure
        return {
            "questions": self.questions,
            "asked": self.asked,
            "right": self.right,
            "percent": self.percent,
            "first_failure": failure
            and {
                "position": str(failure.question.position),
                "arguments": failure.question.arguments,
                "expected": failure.question.expected,
                "problem": failure.problem,
            },
            "note": self.note,
        }


@dataclass
class Report:
    """How a file did."""

    file: str
    grades: list[Grade] = field(default_factory=list)
    printed: int = 0
    first_print: str = ""

    def to_json(self) -> dict[str, Any]:
        """The answer of `noughts certify --json` for a classroom file."""
        return {
            "player": self.file,
            "game": str(Game()),
            "contract": "classroom",
            "functions": {grade.function: grade.to_json() for grade in self.grades},
            "printed_lines": self.printed,
        }


def grade(
    path: str | Path,
    *,
    time_limit: float = TIME_LIMIT,
    total_limit: float = TOTAL_LIMIT,
    partly: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Grade a file that follows the classroom contract, function by function, over all positions of 3x3.

    A file that lacks some of the functions is refused, or `partly` graded.
    """
    if not total_limit > 0:
        raise InvalidPlayer(f"the time for the whole file must be a positive number of seconds, not {total_limit:g}")
    end = monotonic() + total_limit
    with UserFile(path, time_limit) as file:
        missing = [name for name in CONTRACT if name not in file.functions]
        if missing and not partly:
            raise InvalidPlayer(
                f"{file.name} does not follow the classroom contract, it lacks {', '.join(missing)}: name a player of "
                f"yours as {file.name}:function, or grade what is there with --classroom"
            )
        report = Report(file.name)
        for name, questions in all_questions().items():
            function = name.partition(" ")[0]
            found = Grade(name, len(questions))
            report.grades.append(found)
            if function not in file.functions:
                found.note = "the file has no such function"
            else:
                _grade(file, function, questions, found, end, progress)
        report.printed, report.first_print = file.printed, file.first_print
    return report


def _grade(
    file: UserFile,
    function: str,
    questions: Sequence[Question],
    grade: Grade,
    end: float,
    progress: Progress | None,
) -> None:
    requests = [{"call": function, "arguments": encode(list(question.arguments))} for question in questions]
    silent = 0
    with closing(file.ask_all(requests)) as replies:
        for question in questions:
            if monotonic() > end:
                grade.note = "the time for the whole file ran out"
                break
            reply = next(replies)
            if "timeout" in reply and function == "minimax" and question.position.empty.bit_count() >= SLOW:
                free = question.position.empty.bit_count()
                grade.note = f"too slow: no answer within {file.time_limit:g} s with {free} cells free"
                break
            grade.asked += 1
            problem = _problem(question, reply)
            grade.right += problem is None
            if problem and not grade.failure:
                grade.failure = Failure(question, problem)
            silent += not reply.keys() & {"value", "raised", "exited"}
            if silent == PATIENCE:
                grade.note = f"given up after {PATIENCE} calls that ended without an answer"
                break
            if progress:
                progress(grade.function, grade.asked, grade.questions)


def _problem(question: Question, reply: Reply) -> str | None:
    """What is wrong with an answer; None if it is right."""
    if reply.get("changed"):
        return "it changed the board that it was given"
    if question.right is None:
        if "raised" in reply:
            return None
        return f"it returned {decode(reply['value'])!r}" if "value" in reply else f"it {what_happened(reply)}"
    if "value" not in reply:
        return f"it {what_happened(reply)}"
    value = decode(reply["value"])
    return None if question.right(value) else f"it returned {value!r}"


# The questions


@cache
def all_questions() -> dict[str, tuple[Question, ...]]:
    """Every question, by function."""
    every = list(Game().positions())
    ongoing = [position for position in every if not position.is_over]
    over = [position for position in every if position.is_over]
    marked = [position for position in ongoing if position.marks]
    return {
        "initial_state": (_equal(every[0], (), rows(every[0])),),
        "player": tuple(_equal(p, (rows(p),), str(p.turn)) for p in ongoing),
        "actions": tuple(_actions(p) for p in ongoing),
        "result": tuple(_equal(p, (rows(p), action(cell)), rows(p.play(cell))) for p in ongoing for cell in p.moves()),
        "result (illegal)": tuple(Question(p, (rows(p), _taken(p)), "an exception", None) for p in marked),
        "winner": tuple(_equal(p, (rows(p),), p.winner and str(p.winner)) for p in every),
        "terminal": tuple(_equal(p, (rows(p),), p.is_over) for p in every),
        "utility": tuple(_equal(p, (rows(p),), {Mark.X: 1, Mark.O: -1, None: 0}[p.winner]) for p in over),
        "minimax": tuple(_minimax(p) for p in sorted(every, key=lambda p: p.empty.bit_count())),
    }


def rows(position: Position) -> Rows:
    """A position as the contract writes it."""
    return [[None if mark == "." else mark for mark in row] for row in board_rows(position)]


def action(cell: Cell) -> Action:
    """A cell as the contract writes it."""
    return cell // 3, cell % 3


def _taken(position: Position) -> Action:
    return action(position.game.cells_of(position.x)[0])


def _equal(position: Position, arguments: tuple[Any, ...], answer: Any) -> Question:
    """A question with one right answer; a tuple is as good as a list."""
    return Question(position, arguments, repr(answer), lambda value: _listed(value) == answer)


def _actions(position: Position) -> Question:
    """The free cells, in any order and any collection."""
    free = [action(cell) for cell in position.moves()]

    def right(value: Any) -> bool:
        given = _listed(list(value)) if isinstance(value, list | tuple | set) else []
        return len(given) == len(free) and all(list(pair) in given for pair in free)

    return Question(position, (rows(position),), repr(set(free)), right)


def _minimax(position: Position) -> Question:
    """Any action that keeps the outcome."""
    values = {cell: worth for cell, worth in move_values(position).items() if worth}
    if not values:
        return _equal(position, (rows(position),), None)
    keep = [action(cell) for cell in values if values[cell].outcome == max(values.values()).outcome]
    expected = " or ".join(map(str, keep))
    return Question(position, (rows(position),), expected, lambda value: _listed(value) in map(list, keep))


def _listed(value: Any) -> Any:
    """A value with lists for all its tuples."""
    return [_listed(element) for element in value] if isinstance(value, list | tuple) else value
