"""Run the native core's tests under the sanitizers: `make sanitize`.

The core is built again for each, into an environment of its own under build/sanitize, with the libraries of .venv:

    address    memory used outside its bounds or after its end, leaks, and undefined behaviour (UBSan)
    thread     two threads at the same memory without order

Under each run the tests of everything that calls the core, with all their data, and the native program `solve`, which
compares whole small games with a plain recursion. Nothing may be reported; that a fault would be is shown first, by
small programs that have one. `--only thread` runs one of them; other arguments go to pytest.
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
from record import finish

from noughts.words import several

WORK = ROOT / "build" / "sanitize"
CXX = os.environ.get("CXX", "c++")


FLAGS = {
    "address": "-fsanitize=address,undefined -fno-sanitize-recover=undefined",
    "thread": "-fsanitize=thread",
}
RUNTIME = {"address": "asan", "thread": "tsan"}
SYMBOLS = {"address": [b"__asan_", b"__ubsan_"], "thread": [b"__tsan_"]}  # what a core that is built for them calls
# Programs with the faults that a sanitizer is for, built and run in the same way: each must be reported.
FAULTY = {
    "address": {
        "beyond the end": "int main(int n, char**) { int* p = new int[n]; int v = p[n]; delete[] p; return v; }",
        "after the end": "int main(int n, char**) { int* p = new int(n); delete p; return *p; }",
        "a leak": "int* p; int main(int n, char**) { p = new int(n); p = nullptr; }",
        "undefined": "int main(int n, char**) { return n << (n + 31) ? 0 : 1; }",
    },
    "thread": {"a race": "#include <thread>\nint n; int main() { std::thread t([] { ++n; }); ++n; t.join(); }"},
}
# What the program does: whole games against a plain recursion; where threads matter, more of them than the cores.
CHECKED, SOLVED = "3x3k3 1x8k2 2x7k4 3x4k3 3x4k3m 3x4k3g", "4x4k3 4x4k4 4x4k4m 2x8k4 3x6k4 4x5k4g"
THREADED = [*(f"{game} --check" for game in CHECKED.split()), *SOLVED.split()]
PROGRAM = {"address": ["--test"], "thread": [f"{words} --threads 4" for words in THREADED]}
# Those that call the core. Certification and matches call it too, for nothing else, but in processes of bounded memory,
# into which the tables of a sanitizer do not fit; and the slow tests, for boards that are tried here without them.
TESTS = """
native batch board vector position gravity search solve strong falling book parts holding proofs proof wins
threats exact engine database at_hand atlas play
"""
REPORT = re.compile(r"ERROR: \w+Sanitizer|WARNING: ThreadSanitizer|runtime error:|^SUMMARY: \w+Sanitizer", re.MULTILINE)


def build(kind: str) -> tuple[Path, Path]:
    """Build the core and the program; the python that has it, and the program."""
    folder = WORK / kind
    shutil.rmtree(folder, ignore_errors=True)  # CMake keeps the flags of an earlier build
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
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check", "install", "--quiet")
    how = ("--no-deps", "--no-build-isolation", *(f"--config-settings={name}={settings[name]}" for name in settings))
    run(*pip, *how, ".", env=env)
    return python, folder / "build" / "solve"


def environment(logs: Path, *, leaks: bool = True) -> dict[str, str]:
    """What a process under a sanitizer runs in; its reports go to files beginning with `logs`, or are printed."""
    common = f"log_path={logs}:exitcode=66"
    return os.environ | {
        "ASAN_OPTIONS": f"{common}:detect_leaks={int(leaks)}:detect_stack_use_after_return=1",
        "UBSAN_OPTIONS": f"{common}:print_stacktrace=1",
        "TSAN_OPTIONS": f"{common}:second_deadlock_stack=1",
        "NOUGHTS_REQUIRE_NATIVE": "1",
    }


def in_python(kind: str, logs: Path) -> dict[str, str]:
    """The environment of a Python, which keeps memory to its end and loads the sanitizer before everything else."""
    libraries = [run(CXX, f"-print-file-name=lib{name}.so").strip() for name in (RUNTIME[kind], "stdc++")]
    return environment(logs / "python", leaks=False) | {"LD_PRELOAD": " ".join(libraries)}


def reports(logs: Path, said: str) -> list[str]:
    """What a sanitizer wrote into files there, or said."""
    texts = [file.read_text(errors="replace") for file in sorted(logs.iterdir())]
    return [text for text in (*texts, said) if REPORT.search(text)]


def proved(kind: str, folder: Path, python: Path) -> int:
    """Fail unless faults are reported here and the core is built to report them; the faults that were tried."""
    logs = folder / "reports"
    for what, source in FAULTY[kind].items():
        (folder / "faulty.cpp").write_text(source)
        run(CXX, *FLAGS[kind].split(), "-std=c++20", "-g", "faulty.cpp", "-o", "faulty", cwd=folder)
        env = environment(logs / "faulty")
        done = subprocess.run([folder / "faulty"], env=env, text=True, capture_output=True, check=False)
        if not done.returncode or not reports(logs, done.stderr):
            raise Failed(f"the {kind} sanitizer did not report a fault ({what}), so that its silence means nothing")
        for file in logs.iterdir():
            file.unlink()
    core = run(python, "-c", "from noughts import _core; print(_core.__file__)", env=in_python(kind, logs)).strip()
    if not Path(core).is_relative_to(folder) or any(name not in Path(core).read_bytes() for name in SYMBOLS[kind]):
        raise Failed(f"{core} is not the core that was built for the {kind} sanitizer")
    return len(FAULTY[kind])


def sanitize(kind: str, arguments: list[str]) -> str:
    """Build, run, and look for reports; one phrase of figures."""
    print(f"sanitize: building for {kind}", flush=True)
    python, program = build(kind)
    logs = WORK / kind / "reports"
    logs.mkdir()
    faults = proved(kind, logs.parent, python)
    print(f"sanitize: the program under {kind}", flush=True)
    # The program ends on its own terms, so that here every leak counts.
    env = environment(logs / "program")
    printed = [run(program, *words.split(), env=env) for words in PROGRAM[kind]]
    print(f"sanitize: the tests under {kind}", flush=True)
    tests = [f"tests/test_{name}.py" for name in TESTS.split()]
    options = ["-q", "-p", "no:cacheprovider", "-n", "2", "-m", "not slow", *tests, *arguments]
    done = subprocess.run(
        [python, "-m", "pytest", *options], env=in_python(kind, logs), cwd=ROOT, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    if found := reports(logs, done.stdout):
        raise Failed(f"{len(found)} reports of the {kind} sanitizer, in {logs}. The first:\n{found[0][:6000]}")
    if done.returncode:
        raise Failed(f"the tests fail under the {kind} sanitizer:\n{done.stdout[-TOLD:]}")
    passed = int(re.findall(r"(\d+) passed", done.stdout)[-1])
    games = len(re.findall(r"^\d+x\d+k\d+m?: ", printed[0], re.MULTILINE)) or len(printed)
    what = f"{passed:,} tests and {games} games by the program"
    return f"{kind}: {what}, nothing reported but {several(faults, 'fault')} on purpose"


def main() -> None:
    """Run them all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=FLAGS, help="just this one; nothing is recorded")
    wish, arguments = parser.parse_known_args()
    kinds = [wish.only] if wish.only else FLAGS
    whole = not (wish.only or arguments)
    finish("sanitize", lambda: "; ".join(sanitize(kind, arguments) for kind in kinds), whole=whole)


if __name__ == "__main__":
    main()
