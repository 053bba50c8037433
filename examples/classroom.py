"""Grade a class: three submissions of the usual tic-tac-toe assignment, each function asked about every position.

    python examples/classroom.py                       the files in examples/submissions
    python examples/classroom.py path/to/*.py          your own

Two of the three have a mistake of a kind that a few trial games do not show. For each file you see the share of
right answers function by function, a mark, and the simplest board on which it fails.
"""

from __future__ import annotations

import sys
from pathlib import Path

from noughts.play.classroom import Report, grade

SAMPLES = Path(__file__).parent / "submissions"


def mark(report: Report) -> int:
    """The mark of a file, out of 100: the mean of its functions, each counted as a whole."""
    return round(sum(found.percent or 0 for found in report.grades) / len(report.grades))


def main(files: list[Path]) -> None:
    reports = {file: grade(file, partly=True, total_limit=600) for file in files}
    names = [found.function for found in next(iter(reports.values())).grades]
    print(f"{'':12}{''.join(f'{name.split()[-1][:9]:>11}' for name in names)}{'mark':>8}")
    for file, report in reports.items():
        shares = "".join(f"{'-' if g.percent is None else f'{g.percent:.1f}':>11}" for g in report.grades)
        print(f"{file.name:12}{shares}{mark(report):>8}")
    for file, report in reports.items():
        for found in report.grades:
            if found.failure:
                where = f" on {found.failure.question.position}" if found.failure.question.position else ""
                expected = f"expected {found.failure.question.expected}"
                print(f"\n{file.name}, {found.function}{where}: {found.failure.problem}; {expected}")
                break
            if found.differs:
                print(
                    f"\n{file.name}, {found.function} on {found.differs.question.position}: not always alike, at first "
                    f"{found.differs.first}, and then {found.differs.later}"
                )
                break
        else:
            print(f"\n{file.name}: nothing wrong on any position")


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]] or sorted(SAMPLES.glob("*.py")))
