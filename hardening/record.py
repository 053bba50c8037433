"""Keep the last result of a check: `python hardening/record.py NAME TEXT` writes its row of docs/quality.md.

The page is one table, a row for each `make NAME`, sorted by name: the date comes from the clock, the commit from git
(with a + where the tree was not as committed), the text from the check itself, which computes every figure in it.
From Python, `record(name, text)` does the same, and `finish(name, check)` runs a check and records how it ended.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from commands import ROOT, Failed, Needs

PAGE = ROOT / "docs" / "quality.md"

INTRODUCTION = """# Quality

Checks that take too long for `make test`, each a command that anyone can run in a checkout. A check writes its own row
here when it has run, also when it failed: the date, the commit (with a + where the tree was not as committed), and the
figures that it computed. A run of a part, or a shorter one, is not written down unless it found something.

| command | last run | commit | result |
|---|---|---|---|
"""

ROW = re.compile(r"^\| `make (?P<name>[^`]+)` \|.*\|$")


def record(name: str, text: str, page: Path = PAGE) -> str:
    """Replace or add the row of `make NAME`, and return it."""
    if not re.fullmatch(r"[a-z][a-z0-9-]*( [A-Z]+=[a-z]+)*", name):
        raise ValueError(f"{name!r} is no make target: expected something like fuzz or fuzz TARGET=cli")
    shown = " ".join(text.split()).replace("|", "\\|")
    page.parent.mkdir(parents=True, exist_ok=True)
    with _alone(page.parent):  # two checks may end at the same time
        return _write(name, shown, page)


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
        tree = [_git("rev-parse", "--short=7", "HEAD"), _git("status", "--porcelain", "--", ".", ":!docs/quality.md")]
    except (OSError, subprocess.CalledProcessError):
        return "none"
    return tree[0] + "+" * bool(tree[1])


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def _write(name: str, shown: str, page: Path) -> str:
    row = f"| `make {name}` | {datetime.now(UTC):%Y-%m-%d} | {COMMIT} | {shown} |"
    lines = (page.read_text(encoding="utf-8") if page.exists() else INTRODUCTION).splitlines()
    numbers = [number for number, line in enumerate(lines) if ROW.match(line)]
    rows = {ROW.match(lines[number])["name"]: lines[number] for number in numbers} | {name: row}  # type: ignore[index]
    head = numbers[0] if numbers else lines.index("|---|---|---|---|") + 1
    rest = [line for number, line in enumerate(lines[head:], head) if number not in numbers]
    new = [*lines[:head], *(rows[each] for each in sorted(rows)), *rest]
    part = page.with_name(f"{page.name}.{os.getpid()}.part")
    part.write_text("\n".join(new) + "\n", encoding="utf-8")
    part.replace(page)
    return row


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until nobody else writes into a folder."""
    if os.name != "posix":
        yield
        return
    import fcntl

    file = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


COMMIT = commit()  # when the check began: another may be made while it runs


def main() -> None:
    """Write the row that the command line gives."""
    if len(sys.argv) != 3:
        sys.exit("usage: python hardening/record.py NAME TEXT")
    try:
        print(record(sys.argv[1], sys.argv[2]))
    except ValueError as problem:
        sys.exit(f"record: {problem}")


if __name__ == "__main__":
    main()
