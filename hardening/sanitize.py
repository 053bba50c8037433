"""Run the native core's tests under the sanitizers: `make sanitize`.

The core is built again for each, into an environment of its own under build/sanitize, with the libraries of .venv:

    address    memory used outside its bounds or after its end, leaks, and undefined behaviour (UBSan)
    thread     two threads at the same memory without order

Under each run the tests of everything that calls the core, with all their data, and the native program `solve`, which
compares whole small games with a plain recursion. Nothing may be reported. `--only thread` runs one of
them; other arguments go to pytest.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from commands import ROOT, TOLD, TOOLS, Failed, run
from record import record

WORK = ROOT / "build" / "sanitize"
FLAGS = {
    "address": "-fsanitize=address,undefined -fno-sanitize-recover=undefined",
    "thread": "-fsanitize=thread",
}
RUNTIME = {"address": "asan", "thread": "tsan"}
# What the program does: whole games against a plain recursion; where threads matter, more of them than the cores.
PROGRAM = {
    "address": [["--test"]],
    "thread": [
        *([game, "--check", "--threads", "4"] for game in ("3x3k3", "1x8k2", "2x7k4", "3x4k3", "4x3k3", "3x4k3m")),
        *([game, "--threads", "4"] for game in ("4x4k3", "4x4k4", "4x4k4m", "2x8k4", "3x6k4")),
    ],
}
# Those that call the core. Players and matches call it too, for nothing else, but run in processes of bounded memory,
# into which the tables of a sanitizer do not fit.
TESTS = ["native", "batch", "position", "search", "solve", "strong", "database", "known", "atlas"]
REPORT = re.compile(r"ERROR: \w+Sanitizer|WARNING: ThreadSanitizer|runtime error:|^SUMMARY: \w+Sanitizer", re.MULTILINE)


def build(kind: str) -> tuple[Path, Path]:
    """Build the core and the program; the python that has it, and the program."""
    folder = WORK / kind
    shutil.rmtree(folder / "venv", ignore_errors=True)
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv")
    python = folder / "venv" / "bin" / "python"
    # The libraries of .venv, without its noughts: a path file inside another's folder is not read.
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    Path(site, "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    settings = {
        "build-dir": folder / "build",
        "cmake.build-type": "RelWithDebInfo",
        "cmake.define.CMAKE_CXX_FLAGS_RELWITHDEBINFO": "-O1 -g",  # assertions stay in
        "cmake.define.NOUGHTS_PROGRAMS": "ON",
        "install.strip": "false",
    }
    env = os.environ | {"NOUGHTS_REQUIRE_NATIVE": "1", "PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}"}
    env["CXXFLAGS"] = f"{FLAGS[kind]} -fno-omit-frame-pointer"
    run(
        *(sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check", "install", "--quiet"),
        *(
            "--no-deps",
            "--no-build-isolation",
            *(f"--config-settings={name}={value}" for name, value in settings.items()),
        ),
        ".",
        env=env,
    )
    return python, folder / "build" / "solve"


def library(name: str) -> str:
    """Where the compiler keeps a library, to be loaded before everything else."""
    return run(os.environ.get("CXX", "c++"), f"-print-file-name=lib{name}.so").strip()


def environment(kind: str, logs: Path, *, leaks: bool) -> dict[str, str]:
    """What a process under a sanitizer runs in; its reports go to files beginning with `logs`."""
    common = f"log_path={logs}:exitcode=66"
    return os.environ | {
        "ASAN_OPTIONS": f"{common}:detect_leaks={int(leaks)}:detect_stack_use_after_return=1",
        "UBSAN_OPTIONS": f"{common}:print_stacktrace=1",
        "TSAN_OPTIONS": f"{common}:second_deadlock_stack=1",
        "NOUGHTS_REQUIRE_NATIVE": "1",
    }


def sanitize(kind: str, arguments: list[str]) -> str:
    """Build, run, and look for reports; one phrase of figures."""
    print(f"sanitize: building for {kind}", flush=True)
    python, program = build(kind)
    logs = WORK / kind / "reports"
    shutil.rmtree(logs, ignore_errors=True)
    logs.mkdir()
    print(f"sanitize: the program under {kind}", flush=True)
    # The program ends on its own terms, so that here every leak counts.
    env = environment(kind, logs / "program", leaks=True)
    printed = [run(program, *words, env=env) for words in PROGRAM[kind]]
    print(f"sanitize: the tests under {kind}", flush=True)
    env = environment(kind, logs / "tests", leaks=False)  # Python itself keeps memory to its end
    env["LD_PRELOAD"] = f"{library(RUNTIME[kind])} {library('stdc++')}"
    tests = [ROOT / "tests" / f"test_{name}.py" for name in TESTS]
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2", "-m", "not slow", *tests, *arguments]
    done = subprocess.run(command, env=env, cwd=ROOT, text=True, stdout=subprocess.PIPE, check=False)
    reports = [text for file in sorted(logs.iterdir()) if REPORT.search(text := file.read_text(errors="replace"))]
    if reports:
        raise Failed(f"{len(reports)} reports of the {kind} sanitizer, in {logs}. The first:\n{reports[0][:6000]}")
    if done.returncode:
        raise Failed(f"the tests fail under the {kind} sanitizer:\n{done.stdout[-TOLD:]}")
    passed = re.findall(r"(\d+) passed", done.stdout)[-1]
    games = len(re.findall(r"^\d+x\d+k\d+m?: ", printed[0], re.MULTILINE)) or len(printed)
    return f"{kind}: {int(passed):,} tests and {games} games by the program, nothing reported"


def main() -> None:
    """Run them all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=FLAGS, help="just this one; nothing is recorded")
    wish, arguments = parser.parse_known_args()
    try:
        figures = [sanitize(kind, arguments) for kind in ([wish.only] if wish.only else FLAGS)]
    except Failed as problem:
        sys.exit(f"sanitize: {problem}")
    print(*figures, sep="\n")
    if not wish.only and not arguments:
        print(record("sanitize", "; ".join(figures)))


if __name__ == "__main__":
    main()
