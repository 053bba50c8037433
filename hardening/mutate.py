"""Mutation testing of the rules: every small fault in these modules must make a test fail.

    python hardening/mutate.py                  all modules; ends with status 1 if a fault goes unnoticed
    python hardening/mutate.py game symmetry    only these
    python hardening/mutate.py --narrow         only the modules' own tests

Each mutant (mutants.py says what is changed) meets the tests of its own module. One that survives those must stand in
equivalent.toml, with the reason why no test can tell it from the original, or else be noticed by the tests of what is
built on its module; an entry there that matches no survivor is an error too. The tests run in private copies of the
checkout, in processes forked from this one, which has loaded what they import; noughts itself is loaded by each.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

import hypothesis
import numpy  # noqa: F401  loaded once, for all that are forked
import pytest
from mutants import Mutant, mutants
from record import failure, record

ROOT = Path(__file__).resolve().parent.parent
MODULES = ("game", "position", "legality", "symmetry", "encoding")
EXPLAINED = Path(__file__).with_name("equivalent.toml")
MEMORY = 4 << 30
LONG = 1800
ELSEWHERE = (*MODULES, "notation", "batch", "native", "detect", "threats", "evaluate", "search", "solve", "explain",
             "match", "play", "terminal", "cli")  # fmt: skip
WIDE = ["-m", "not slow", *(f"tests/test_{name}.py" for name in ELSEWHERE)]

Tests = Callable[[str], tuple[list[str], int]]  # of a module: what pytest is given, and the processor time it may take

# In a private copy the package is the copy, whatever an editable install says.
SITE = """
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in type(finder).__module__]
"""


class Steady:
    """How pytest is to run: with the same random examples each time, the quick tests first, up to the first failure."""

    def __init__(self, times: Path) -> None:
        self.times = times
        self.known: dict[str, float] = json.loads(times.read_text()) if times.exists() else {}
        self.before = len(self.known)

    def pytest_configure(self) -> None:
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)  # the smallest example is not needed
        usual = hypothesis.settings.get_profile("noughts")
        steady = hypothesis.settings(usual, phases=phases, derandomize=True, database=None)
        hypothesis.settings.register_profile("steady", steady)
        hypothesis.settings.load_profile("steady")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: self.known.get(item.nodeid, 0.0))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.known.setdefault(report.nodeid, report.duration)

    def pytest_sessionfinish(self) -> None:
        if len(self.known) > self.before:  # only in the run without a fault, which is alone
            self.times.write_text(json.dumps(self.known))


class Place:
    """A private copy of the checkout, in which one mutant at a time is tried."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        leave = shutil.ignore_patterns("__pycache__", "*.so", "_build")
        for part in ("src", "tests", "docs"):
            shutil.copytree(ROOT / part, folder / part, ignore=leave)
        for part in ("pyproject.toml", "README.md"):
            shutil.copy(ROOT / part, folder)
        (folder / "src" / "sitecustomize.py").write_text(SITE)
        where = "from noughts import native; core = native.core(); print(core.__file__ if core else '')"
        core = subprocess.run([sys.executable, "-c", where], capture_output=True, text=True, check=True).stdout.strip()
        if core:
            shutil.copy(core, folder / "src" / "noughts")

    def put(self, module: str, text: str) -> None:
        """Write a module. What was compiled before may look as new as the text, and must go."""
        path = self.folder / "src" / "noughts" / f"{module}.py"
        path.write_text(text, encoding="utf-8")
        for old in path.parent.glob(f"__pycache__/{module}.*"):
            old.unlink()

    def fork(self, tests: list[str], seconds: int) -> int:
        """Start these tests in a process of its own, and give its id; its exit status is that of pytest."""
        if process := os.fork():
            return process
        status: int = pytest.ExitCode.INTERNAL_ERROR
        try:
            os.setsid()
            os.chdir(self.folder)
            log = os.open("log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(log, 1)
            os.dup2(log, 2)
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            exec(SITE)
            sys.path.insert(0, str(self.folder / "src"))
            os.environ |= {"PYTHONPATH": sys.path[0], "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
            options = ["-x", "-q", "-p", "no:cacheprovider", "--tb=line", "--no-header"]
            status = pytest.main([*options, *tests], plugins=[Steady(self.folder.parent / "times.json")])
            sys.stdout.flush()
        finally:
            os._exit(status)


class Tried(NamedTuple):
    """What became of a mutant: killed, timed out or survived; and how much processor time that took."""

    mutant: Mutant
    outcome: str
    seconds: float
    log: str


def tried(todo: Iterable[Mutant], places: list[Place], tests: Tests) -> Iterator[Tried]:
    """Try mutants side by side."""
    waiting, free = iter(todo), list(places)
    running: dict[int, tuple[Mutant, Place, float]] = {}
    while True:
        while free and (mutant := next(waiting, None)):
            place, (paths, seconds) = free.pop(), tests(mutant.module)
            place.put(mutant.module, mutant.source)
            asleep = time.monotonic() + 100 * seconds  # processor time runs out much sooner, unless it is not used
            running[place.fork(paths, seconds)] = mutant, place, asleep
        if not running:
            return
        time.sleep(0.01)
        for process, (mutant, place, asleep) in list(running.items()):
            if time.monotonic() > asleep:
                os.kill(process, signal.SIGKILL)
            ended, status, used = os.wait4(process, os.WNOHANG)
            if not ended:
                continue
            with suppress(ProcessLookupError):
                os.killpg(process, signal.SIGKILL)  # whatever its tests started
            place.put(mutant.module, original(mutant.module))
            free.append(place)
            del running[process]
            log = (place.folder / "log").read_text(errors="replace")
            yield Tried(mutant, OUTCOMES.get(status, "killed"), used.ru_utime + used.ru_stime, log)


# Exit statuses as the system gives them: those of pytest stand in the high byte, signals in the low one.
OUTCOMES = {0: "survived", signal.SIGXCPU: "timed out", signal.SIGKILL: "timed out"}


@cache
def original(module: str) -> str:
    """A module as it stands in the checkout."""
    return (ROOT / "src" / "noughts" / f"{module}.py").read_text(encoding="utf-8")


def own_tests(module: str) -> list[str]:
    """The examples in the module, and the tests named after it."""
    return [f"src/noughts/{module}.py", f"tests/test_{module}.py"]


def unharmed(module: str, tests: list[str], place: Place) -> float:
    """The processor time of these tests without any fault; they must pass."""
    same = Mutant(module, "", "", "", ast.unparse(ast.parse(original(module))))
    [result] = tried([same], [place], lambda _: (tests, LONG))
    if result.outcome != "survived":
        sys.exit(f"{result.log}\nmutate: these tests fail without any fault: {' '.join(tests)}")
    return result.seconds


def explanations(modules: Sequence[str]) -> dict[tuple[str, ...], str]:
    """Why mutants are equivalent, by module, function, statement and what it becomes."""
    tables = tomllib.loads(EXPLAINED.read_text(encoding="utf-8")) if EXPLAINED.exists() else {}
    found: dict[tuple[str, ...], str] = {}
    for module in modules:
        for function, entries in tables.get(module, {}).items():
            for entry in entries:
                for becomes in entry["becomes"]:
                    found[module, function, entry["was"], becomes] = entry["why"]
    return found


def main() -> None:
    """Try every mutant of the modules that the command line names."""
    parser = argparse.ArgumentParser(description="Mutation testing of the rules.")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=f"of {', '.join(MODULES)}; all by default")
    parser.add_argument("--narrow", action="store_true", help="only the modules' own tests")
    parser.add_argument("--in", dest="function", default="", help="only mutants of functions whose name holds this")
    parser.add_argument("-j", dest="processes", type=int, default=2, help="how many at a time (2)")
    options = parser.parse_args()
    modules = options.modules or MODULES
    if unknown := set(modules) - set(MODULES):
        parser.error(f"no such module here: {', '.join(sorted(unknown))}; there are {', '.join(MODULES)}")
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        places = [Place(Path(folder, str(number))) for number in range(options.processes)]
        seconds = {module: 5 + 3 * round(unharmed(module, own_tests(module), places[0])) for module in modules}
        every = [mutant for module in modules for mutant in mutants(module, original(module))]
        every = [mutant for mutant in every if options.function in mutant.function]
        counts: dict[str, Counter[str]] = {module: Counter() for module in modules}
        survivors = []
        for number, result in enumerate(tried(every, places, lambda name: (own_tests(name), seconds[name])), 1):
            print(f"\r{number} of {len(every)}", end="", file=sys.stderr, flush=True)
            counts[result.mutant.module][result.outcome] += 1
            if result.outcome == "survived":
                survivors.append(result.mutant)
        print(file=sys.stderr)
        explained = explanations(modules)
        unexplained = [mutant for mutant in survivors if mutant[:4] not in explained]
        if unexplained and not options.narrow:
            unharmed(modules[0], WIDE, places[0])
            for result in tried(list(unexplained), places, lambda _: (WIDE, LONG)):
                if result.outcome != "survived":
                    unexplained.remove(result.mutant)
                    counts[result.mutant.module].update({"survived": -1, "killed elsewhere": 1})
                    print(f"killed only elsewhere: {result.mutant}\n    {result.log.strip().splitlines()[-1]}")
    for mutant in survivors:
        counts[mutant.module]["explained"] += mutant[:4] in explained
    report(counts)
    stale = sorted(explained.keys() - {mutant[:4] for mutant in survivors}) if not options.function else []
    for mutant in unexplained:
        print(f"\nsurvived: {mutant}")
    for key in stale:
        print(f"\nexplained, but it is killed or no longer there: {'  '.join(key)}")
    if unexplained or stale:
        if not options.narrow:
            record("mutants", failure(f"{len(unexplained)} survived unexplained, {len(stale)} explained in vain"))
        sys.exit(1)
    if len(modules) == len(MODULES) and not options.function:
        total = sum(counts.values(), Counter())
        record("mutants", summary(total, len(explained), time.monotonic() - started))


COLUMNS = ("killed", "killed elsewhere", "timed out", "survived", "explained")


def report(counts: dict[str, Counter[str]]) -> None:
    """Print what became of the mutants, module by module."""
    print(f"{'':10}{'mutants':>10}" + "".join(f"{name:>18}" for name in COLUMNS))
    for module, tally in {**counts, "all": sum(counts.values(), Counter())}.items():
        mutants = sum(tally.values()) - tally["explained"]
        print(f"{module:10}{mutants:10}" + "".join(f"{tally[name]:18}" for name in COLUMNS))


def summary(total: Counter[str], explained: int, seconds: float) -> str:
    """One line for the page of results."""
    mutants = sum(total.values()) - total["explained"]
    caught = mutants - total["survived"]
    return (
        f"{mutants:,} mutants of {', '.join(f'`{name}.py`' for name in MODULES)}: {caught:,} noticed by the tests "
        f"({total['timed out']} by running out of time), {explained} explained as equivalent, none left; "
        f"{seconds / 60:.0f} minutes"
    )


if __name__ == "__main__":
    main()
