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
be slow. What is not asked before the time runs out counts neither as right nor as wrong. Then each question is asked
again, in a fresh process and another order, as far as the time allows: right is what is right each time.

Most boards are alike to most faults: a `winner` that forgets a diagonal is right on 97 of 100 boards. So each question
belongs to a case, such as "O has c1 b2 a3", and the score of a function is the share of right answers in a case,
averaged over its cases: each line counts as much as each other, and as much as all boards without one. A case in which
three calls end without an answer is given up, and so is a function after three such cases, or after three answers that
were late: what was then not asked counts as wrong, unlike what the time did not suffice for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar, Literal

from noughts.play.player import InvalidPlayer
from noughts.play.process import Limits
from noughts.play.user_file import LOADING, TIME_LIMIT, Reply, UserFile, what_happened
from noughts.play.worker import decode, encode
from noughts.progress import Progress, finish
from noughts.proofs import move_values
from noughts.rules.answer import Answer
from noughts.rules.game import Cell, Game
from noughts.rules.marks import Mark
from noughts.rules.notation import board_rows, format_moves
from noughts.rules.position import Position
from noughts.rules.value import Value

CONTRACT = ("initial_state", "player", "actions", "result", "winner", "terminal", "utility", "minimax")
TOTAL_LIMIT = 60.0  # seconds for the whole file
PATIENCE = 3  # so many calls without an answer, and a case is given up; so many such cases, and the function is
SLOW = 7  # from so many free cells on, a minimax without answer is called slow, not wrong

Rows = list[list[str | None]]
Action = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Question:
    """One call, what is expected of it in words, and whether an answer is right; None: it must raise."""

    position: Position
    arguments: tuple[Any, ...]
    expected: str
    right: Callable[[Any], bool] | None
    case: str = ""  # what is tested

    @cached_property
    def sent(self) -> Any:
        """The arguments on their way; the same question is asked of many."""
        return encode(list(self.arguments))


Asked = tuple[Question, Reply]


@dataclass(frozen=True)
class Failure(Answer):
    """A question that was not answered right, and what happened instead."""

    keys = "question.position question.arguments question.expected problem"

    question: Question
    problem: str
    value: Any = None  # what was returned

    @property
    def chosen(self) -> Cell | None:
        """The cell of an action that was returned; None if it was something else."""
        match self.value:
            case (int(row), int(column)) | [int(row), int(column)] if 0 <= row < 3 and 0 <= column < 3:
                return 3 * row + column
        return None


@dataclass(frozen=True)
class Differs(Answer):
    """A question that was answered right once and wrong once, and what happened each time."""

    keys = "question.position question.arguments answers"

    question: Question
    first: str
    later: str

    @property
    def answers(self) -> tuple[str, str]:
        """What happened, each time."""
        return self.first, self.later


@dataclass
class Grade(Answer):
    """How one function did."""

    keys = "questions asked right percent score cases first_failure=failure note asked_again=again consistent differs"

    function: str
    questions: int
    asked: int = 0
    right: int = 0
    failures: dict[str, Failure] = field(default_factory=dict)  # by case, the first
    note: str = ""  # why not everything was asked
    again: int = 0  # how many questions were asked twice
    differs: Differs | None = None  # the first
    counts: dict[str, list[int]] = field(default_factory=dict)  # by case: how many count, and are right

    @property
    def failure(self) -> Failure | None:
        """The first failure."""
        return next(iter(self.failures.values()), None)

    @property
    def cases(self) -> dict[str, float]:
        """The percentage of right answers in each case."""
        return {case: 100 * right / asked for case, (asked, right) in self.counts.items()}

    @property
    def score(self) -> float | None:
        """The average of the cases, which count alike; None if nothing was asked."""
        return sum(self.cases.values()) / len(self.counts) if self.counts else None

    def give_up(self, cases: Collection[str]) -> None:
        """Ask no more in these cases: what was not asked counts as wrong."""
        sizes = case_sizes(self.function)
        for case in cases:
            self.counts.setdefault(case, [0, 0])[0] = sizes[case]
        where = "" if len(cases) == len(sizes) else " in some cases"
        self.note = f"given up{where} after {PATIENCE} calls without an answer; the rest counts as wrong"

    def count(self, question: Question, right: bool) -> None:
        """Add an answer."""
        counts = self.counts.setdefault(question.case, [0, 0])
        counts[0] += 1
        counts[1] += right
        self.asked += 1
        self.right += right

    def withdraw(self, question: Question) -> None:
        """A right answer was not right every time."""
        self.counts[question.case][1] -= 1
        self.right -= 1

    @property
    def name(self) -> str:
        """The function, without what it is asked about."""
        return self.function.partition(" ")[0]

    @property
    def percent(self) -> float | None:
        """The percentage of right answers; None if nothing was asked."""
        return 100 * self.right / self.asked if self.asked else None

    @property
    def consistent(self) -> bool:
        """Did it answer alike whenever it was asked?"""
        return self.differs is None


@dataclass
class Report(Answer):
    """How a file did."""

    keys = "player=file game contract functions printed_lines=printed"
    game: ClassVar[Game] = Game()
    contract: ClassVar[Literal["classroom"]] = "classroom"

    file: str
    grades: list[Grade] = field(default_factory=list)
    printed: int = 0
    first_print: str = ""

    @property
    def functions(self) -> dict[str, Grade]:
        """How each function did."""
        return {grade.function: grade for grade in self.grades}


def grade(
    path: str | Path, *, time_limit: float = TIME_LIMIT, total_limit: float = TOTAL_LIMIT, partly: bool = False
) -> Report:
    """Grade a file that follows the classroom contract, function by function, over all positions of 3x3.

    A file that lacks some of the functions is refused, or `partly` graded.
    """
    return finish(grading(path, time_limit=time_limit, total_limit=total_limit, partly=partly))


def grading(
    path: str | Path, *, time_limit: float = TIME_LIMIT, total_limit: float = TOTAL_LIMIT, partly: bool = False,
    limits: Limits | None = None,
) -> Generator[Progress, None, Report]:  # fmt: skip
    """Grade a classroom file as `grade` does, within limits, and tell each question that was asked."""
    if not total_limit > 0:
        raise InvalidPlayer(f"the time for the whole file must be a positive number of seconds, not {total_limit:g}")
    end = monotonic() + total_limit
    with UserFile(path, time_limit, limits, min(LOADING, total_limit)) as file:
        missing = [name for name in CONTRACT if name not in file.functions]
        if missing and not partly:
            raise InvalidPlayer(
                f"{file.name} does not follow the classroom contract, it lacks {', '.join(missing)}: name a player of "
                f"yours as {file.name}:function, or grade what is there with --classroom"
            )
        report = Report(file.name)
        report.grades = [Grade(name, len(questions)) for name, questions in all_questions().items()]
        *quick, minimax = report.grades  # which may take all the time that is left, so it gets most of that
        for grades, share in ((quick, 1 / 4), ([minimax], 1)):
            asked = []
            for found in grades:
                first = yield from _grading(file, found, end)
                asked.append(first)
            now = monotonic()
            if now < end:
                file.start()
                for found, first in zip(grades, asked, strict=True):
                    yield from _grading_again(file, found, first, now + (end - now) * share)
        report.printed, report.first_print = file.printed, file.first_print
    return report


def _asking(
    file: UserFile, grade: Grade, questions: Sequence[Question], end: float
) -> Iterator[tuple[Question, Reply]]:
    """Ask a function all this while there is time, it is not too slow and it answers; else a note says why not."""
    silent: Counter[str] = Counter()
    late, lost, left = 0, 0, list(questions)
    while left:
        requests = [{"call": grade.name, "arguments": question.sent} for question in left]
        ahead = iter(left)
        with closing(file.ask_all(requests)) as answers:
            for question in ahead:
                if monotonic() > end:
                    grade.note = "the time for the whole file ran out"
                    return
                reply, free = next(answers), question.position.empty.bit_count()
                if "late" in reply and grade.function == "minimax" and free >= SLOW:
                    grade.note = f"too slow: no answer within {file.time_limit:g} s with {free} cells free"
                    return
                yield question, reply
                silent[question.case] += _is_silent(reply)
                late += "late" in reply
                if late == PATIENCE or silent[question.case] == PATIENCE:
                    lost += 1
                    break
            else:
                return
        if PATIENCE in (late, lost):
            grade.give_up(case_sizes(grade.function))
            return
        grade.give_up([question.case])
        left = [other for other in ahead if other.case != question.case]


def _grading(file: UserFile, grade: Grade, end: float) -> Generator[Progress, None, list[Asked]]:
    """Ask a function everything; what was asked, with the replies."""
    asked: list[Asked] = []
    if grade.name not in file.functions:
        grade.note = "the file has no such function"
        return asked
    for question, reply in _asking(file, grade, all_questions()[grade.function], end):
        asked.append((question, reply))
        right = _is_right(question, reply)
        grade.count(question, right)
        if not right and question.case not in grade.failures:
            value = decode(reply["value"]) if "value" in reply else None
            grade.failures[question.case] = Failure(question, _deed(reply), value)
        yield Progress(grade.function, grade.asked, grade.questions)
    return asked


def _grading_again(file: UserFile, grade: Grade, asked: list[Asked], end: float) -> Iterator[Progress]:
    """Ask again what was answered: the other way round, but of minimax still the easy boards first."""
    firsts = {question: reply for question, reply in asked if not _is_silent(reply)}
    questions = [question for question, _ in reversed(asked) if question in firsts]
    if grade.function == "minimax":
        questions.sort(key=lambda question: question.position.empty.bit_count())
    if not questions or grade.name not in file.functions:
        return
    aside = replace(grade, counts={})  # its note, and what it gives up, are of the first time
    for question, later in _asking(file, aside, questions, end):
        first = firsts[question]
        grade.again += 1
        if _is_right(question, first) != _is_right(question, later):
            if _is_right(question, first):
                grade.withdraw(question)
            grade.differs = grade.differs or Differs(question, _deed(first), _deed(later))
        yield Progress(f"{grade.function} again", grade.again, len(questions))


def _is_silent(reply: Reply) -> bool:
    """Did the process end, or no answer come?"""
    return not reply.keys() & {"value", "raised", "exited"}


def _is_right(question: Question, reply: Reply) -> bool:
    if reply.get("changed"):
        return False
    if question.right is None:
        return "raised" in reply
    return "value" in reply and question.right(decode(reply["value"]))


def _deed(reply: Reply) -> str:
    """What a function did."""
    if reply.get("changed"):
        return "it changed the board that it was given"
    return f"it returned {decode(reply['value'])!r}" if "value" in reply else f"it {what_happened(reply)}"


# The questions


@cache
def all_questions() -> dict[str, tuple[Question, ...]]:
    """Every question, by function, each with its case."""
    return {
        function: tuple(
            question if question.case else replace(question, case=CASES[function](question.position))
            for question in questions
        )
        for function, questions in _questions().items()
    }


@cache
def case_sizes(function: str) -> dict[str, int]:
    """How many questions each case of a function has.

    >>> case_sizes("player")
    {'X to move': 2423, 'O to move': 2097}
    """
    return dict(Counter(question.case for question in all_questions()[function]))


def _questions() -> dict[str, tuple[Question, ...]]:
    every = list(Game().positions())
    ongoing = [position for position in every if not position.is_over]
    over = [position for position in every if position.is_over]
    marked = [position for position in ongoing if position.marks]
    return {
        "initial_state": (_equal(every[0], (), rows(every[0])),),
        "player": tuple(_equal(p, (rows(p),), str(p.turn)) for p in ongoing),
        "actions": tuple(_actions(p) for p in ongoing),
        "result": tuple(_equal(p, (rows(p), action(cell)), rows(p.play(cell))) for p in ongoing for cell in p.moves()),
        "result (illegal)": tuple(
            Question(p, (rows(p), action(p.game.cells_of(p.x)[0])), "an exception", None) for p in marked
        ),
        "winner": tuple(_equal(p, (rows(p),), p.winner and str(p.winner)) for p in every),
        "terminal": tuple(_equal(p, (rows(p),), p.is_over) for p in every),
        "utility": tuple(_equal(p, (rows(p),), {Mark.X: 1, Mark.O: -1, None: 0}[p.winner]) for p in over),
        "minimax": tuple(_minimax(p) for p in sorted(every, key=lambda p: p.empty.bit_count())),
    }


def whose_line(position: Position) -> str:
    """Which line is complete: the case of what sees lines.

    >>> whose_line(Position.parse("XOO/.X./..X")), whose_line(Position.parse("X.O/.../..."))
    ('X has a3 b2 c1', 'the game goes on')
    """
    lines = position.lines()
    if not lines:
        return "a draw" if position.is_over else "the game goes on"
    if len(lines) > 1:
        return "two lines at once"
    return f"{position.winner} has {' '.join(format_moves(position.game, lines[0]))}"


def what_matters(position: Position) -> str:
    """What a good move does here: the case of minimax.

    >>> what_matters(Position.parse("XX./OO./...")), what_matters(Position.parse("X.X/.O./..."))
    ('wins at once', 'keeps the draw')
    """
    return _matters([worth for worth in move_values(position).values() if worth])


def _matters(values: Sequence[Value]) -> str:
    if not values:
        return "the game is over"
    best = max(values)
    if len({worth.outcome for worth in values}) == 1:
        return "any move will do"
    if best.outcome == "win":
        return "wins at once" if best.remoteness == 1 else "wins by force"
    return "keeps the draw"


def _whose_turn(position: Position) -> str:
    return f"{position.turn} to move"


CASES: dict[str, Callable[[Position], str]] = {
    "initial_state": lambda position: "the empty board",
    "player": _whose_turn,
    "actions": lambda position: f"{position.empty.bit_count()} free",
    "result": _whose_turn,
    "result (illegal)": _whose_turn,
    "winner": whose_line,
    "terminal": whose_line,
    "utility": whose_line,
    "minimax": what_matters,
}


def rows(position: Position) -> Rows:
    """A position as the contract writes it."""
    return [[None if mark == "." else mark for mark in row] for row in board_rows(position)]


def action(cell: Cell) -> Action:
    """A cell as the contract writes it."""
    return cell // 3, cell % 3


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
    case = _matters(list(values.values()))
    if not values:
        return replace(_equal(position, (rows(position),), None), case=case)
    keep = [action(cell) for cell in values if values[cell].outcome == max(values.values()).outcome]
    expected = " or ".join(map(str, keep))
    return Question(position, (rows(position),), expected, lambda value: _listed(value) in map(list, keep), case)


def _listed(value: Any) -> Any:
    """A value with lists for all its tuples."""
    return [_listed(element) for element in value] if isinstance(value, list | tuple) else value
