"""Keep the last result of a check: `python hardening/record.py NAME TEXT` writes its row of docs/quality.md.

The page is one table, a row for each `make NAME`, sorted by name: the date comes from the clock, the commit from git
(with a + where the tree was not as committed), the text from the check itself, which computes every figure in it.
From Python, `record(name, text)` does the same, and `finish(name, check)` runs a check and records how it ended.
"""

from __future__ import annotations

import fcntl
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from commands import ROOT, Failed, Needs, run

PAGE = ROOT / "docs" / "quality.md"
NAME = re.compile(r"[a-z][a-z0-9-]*( [A-Z]+=[a-z]+)*")
ROW = re.compile(r"\| `make ([^`]+)` \|.*\|\n")


def record(name: str, text: str, page: Path = PAGE) -> str:
    """Replace or add the row of `make NAME`, and return it."""
    if not NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no make target: expected something like fuzz or fuzz TARGET=cli")
    shown = " ".join(text.split()).replace("|", "\\|")
    row = f"| `make {name}` | {datetime.now(UTC):%Y-%m-%d} | {COMMIT} | {shown} |\n"
    with page.open("r+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # two checks may end at the same time
        before, rule, after = file.read().partition("|---|---|---|---|\n")
        rows = {each[1]: each[0] for each in ROW.finditer(after)} | {name: row}
        file.seek(0)
        file.write(before + rule + "".join(rows[each] for each in sorted(rows)) + ROW.sub("", after))
        file.truncate()
    return row.strip()


def finish(name: str, check: Callable[[], str], *, whole: bool = True) -> None:
    """Run a check that gives its figures, and record them if it was the whole check, or what failed in any case."""
    try:
        figures = check()
    except Needs as problem:
        sys.exit(f"{name}: {problem}")
    except Failed as problem:
        record(name, failure(problem))
        sys.exit(f"{name}: {problem}")
    print(record(name, figures) if whole else figures)


def failure(problem: object) -> str:
    """How a problem is told in a row: its first line, without the place of the checkout."""
    return f"**failed**: {str(problem).strip().splitlines()[0][:300]}".replace(f"{ROOT}/", "")


def commit() -> str:
    """The commit that is checked out, with a + where the tree differs from it in more than this page."""
    try:
        changed = run("git", "status", "--porcelain", "--", ".", ":!docs/quality.md", cwd=ROOT).strip()
        return run("git", "rev-parse", "--short=7", "HEAD", cwd=ROOT).strip() + "+" * bool(changed)
    except (OSError, Failed):
        return "none"


COMMIT = commit()  # when the check began: another may be made while it runs

if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python hardening/record.py NAME TEXT")
    try:
        print(record(sys.argv[1], sys.argv[2]))
    except ValueError as problem:
        sys.exit(f"record: {problem}")
