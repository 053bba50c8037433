"""A whole class: a folder of classroom files, each graded in a process of its own, several at a time.

The mark of a file is the average of the scores of its functions (`classroom`), each with its weight; a function that is
missing, or that the time did not reach, has the score 0. Weights are in a small TOML file, which names only
what it changes:

    [weights]
    minimax = 40
    "result (illegal)" = 0

Besides the time, what a file may take is limited in all: the memory and the number of its processes, the files that it
writes, and how many it has open. It works in a folder of its own, which goes with it. What exceeds the limits is ended
and told, as far as the system can tell.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from threading import Event

from noughts.files import writing
from noughts.play.classroom import CASES, TOTAL_LIMIT, Grade, Report, grading
from noughts.play.player import InvalidPlayer
from noughts.play.process import Limits
from noughts.play.user_file import TIME_LIMIT
from noughts.progress import Progress, finish
from noughts.rules.answer import Answer
from noughts.words import brief, known, whole

WEIGHTS: dict[str, float] = {
    "initial_state": 2, "player": 8, "actions": 8, "result": 12, "result (illegal)": 5, "winner": 15, "terminal": 10,
    "utility": 10, "minimax": 30,
}  # fmt: skip
LIMITS = Limits(memory=1 << 30, together=3 << 29, processes=8, file=1 << 24, files=64, written=1 << 26, kept=1000)
MOST_JOBS = 64
MOST_FILES = 10_000


class NoClass(ValueError):
    """There is no class to grade: a folder without Python files, or weights that make no sense."""


@dataclass(frozen=True)
class Student(Answer):
    """How one file did; `problem` says why it could not be graded at all."""

    keys = "file mark functions printed_lines=printed problem"

    file: str
    mark: float  # of 100
    report: Report | None = None
    problem: str | None = None

    @property
    def name(self) -> str:
        """The file without its ending."""
        return Path(self.file).stem

    @property
    def functions(self) -> dict[str, Grade]:
        """How each function did."""
        return self.report.functions if self.report else {}

    @property
    def printed(self) -> int:
        """How many lines it printed."""
        return self.report.printed if self.report else 0

    @property
    def remarks(self) -> str:
        """Why it could not be graded, or what of it was not graded to the end."""
        notes = (f"{name}: {grade.note}" for name, grade in self.functions.items() if grade.note)
        return self.problem or "; ".join(notes)


@dataclass(frozen=True)
class Gradebook(Answer):
    """How all files of a folder did, in the order of their names."""

    folder: str
    weights: dict[str, float]
    students: tuple[Student, ...] = field(default=())

    def write_csv(self, path: str | Path) -> None:
        """Write a row a student: the mark, the score of each function, and what went wrong."""
        with writing(path) as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(["file", "mark", *WEIGHTS, "problem"])
            for each in self.students:
                scores = [_shown(each.functions.get(name)) for name in WEIGHTS]
                rows.writerow([_harmless(each.file), f"{each.mark:.1f}", *scores, _harmless(each.remarks)])


def _shown(grade: Grade | None) -> str:
    return "" if grade is None or grade.score is None else f"{grade.score:.1f}"


def _harmless(text: str) -> str:
    """A text that a spreadsheet does not take for a formula.

    >>> _harmless("=1+1"), _harmless("anna.py")
    ("'=1+1", 'anna.py')
    """
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def read_weights(path: str | Path) -> dict[str, float]:
    """The weights of a TOML file; what it does not name has its usual one."""
    try:
        given = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as problem:
        raise NoClass(f"{path} cannot be read: {problem.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise NoClass(f"{path} is not TOML: {problem}") from None
    for name in given:
        known("table", name, ["weights"], NoClass)
    weights = given.get("weights", {})
    if not isinstance(weights, dict):
        raise NoClass(f"{path}: weights is a table, as in [weights], not {brief(weights)}")
    return check_weights(weights)


def check_weights(given: Mapping[str, object]) -> dict[str, float]:
    """The usual weights with these changes.

    >>> check_weights({"winer": 3})
    Traceback (most recent call last):
    noughts.play.gradebook.NoClass: there is no weight 'winer': did you mean winner?
    """
    for name, weight in given.items():
        known("weight", name, WEIGHTS, NoClass)
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight < float("inf"):
            raise NoClass(f"the weight of {name} must be a number from 0, not {brief(weight)}")
    weights = WEIGHTS | {name: float(weight) for name, weight in given.items()}  # type: ignore[arg-type]
    if not any(weights.values()):
        raise NoClass("all weights are 0: at least one part must count")
    return weights


def mark(report: Report, weights: Mapping[str, float]) -> float:
    """The mark of a file, of 100."""
    scores = {name: grade.score or 0.0 for name, grade in report.functions.items()}
    return sum(weight * scores[name] for name, weight in weights.items()) / sum(weights.values())


def files_of(folder: str | Path) -> list[Path]:
    """The Python files of a folder, by name; those that begin with _ or . are not graded."""
    found = sorted(path for path in Path(folder).glob("*.py") if path.is_file() and path.name[0] not in "._")
    if not found:
        raise NoClass(f"there is nobody to grade in {folder}: expected files that end in .py, one a student")
    if len(found) > MOST_FILES:
        raise NoClass(f"there are {len(found):,} files in {folder}: at most {MOST_FILES:,} are graded at once")
    return found


def grade_folder(folder: str | Path, **options: object) -> Gradebook:
    """Grade every file of a folder; `grading_folder` has the options."""
    return finish(grading_folder(folder, **options))  # type: ignore[arg-type]


def grading_folder(
    folder: str | Path, *, jobs: int = 1, weights: Mapping[str, object] | None = None, time_limit: float = TIME_LIMIT,
    total_limit: float = TOTAL_LIMIT,
) -> Generator[Progress, None, Gradebook]:  # fmt: skip
    """Grade every file of a folder, so many at a time, and tell each that is done.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "anna.py").write_text("def player(board): return 'X'")
    ...     found = grade_folder(folder, weights={"player": 50})
    >>> found.students[0].functions["player"].cases, round(found.students[0].mark, 1)
    ({'X to move': 100.0, 'O to move': 0.0}, 17.6)
    """
    files, jobs = files_of(folder), whole("jobs", jobs, 1, MOST_JOBS, NoClass)
    weighed = check_weights(weights or {})
    done: SimpleQueue[int] = SimpleQueue()
    stop = Event()

    def one(number: int) -> Student:
        path = files[number]
        try:
            work = grading(path, time_limit=time_limit, total_limit=total_limit, partly=True, limits=LIMITS)
            while not stop.is_set():
                try:
                    next(work)
                except StopIteration as end:
                    return Student(path.name, mark(end.value, weighed), end.value)
            work.close()
            return Student(path.name, 0.0, problem="it was not graded to the end")
        except InvalidPlayer as problem:
            return Student(path.name, 0.0, problem=str(problem))
        finally:
            done.put(number)

    with ThreadPoolExecutor(jobs, "noughts: grading") as pool:
        try:
            students = [pool.submit(one, number) for number in range(len(files))]
            for count in range(1, len(files) + 1):
                number = done.get()
                yield Progress(f"graded {files[number].name}", count, len(files))
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        return Gradebook(str(folder), weighed, tuple(student.result() for student in students))


assert WEIGHTS.keys() == CASES.keys()
