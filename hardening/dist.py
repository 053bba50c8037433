"""Build what is released, and prove it: `make dist` and `make dist-check`.

    python hardening/dist.py build [PYTHON …]    the sdist and the wheels, into dist/
    python hardening/dist.py check [PYTHON …]    installs them, and runs the tests against what is installed

`build` makes the sdist from the last commit, and from the sdist, in two folders, the sdist again and the wheels: every
file must come out twice the same, byte for byte. One wheel, cp312-abi3, serves every Python from 3.12 on; Python
3.11 has one of its own. The Pythons named are those to build with and to check; none named, those of this machine.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from commands import ROOT, Failed, Needs, run
from interpreters import STABLE, Interpreter, NoPython, find
from record import finish

from noughts.words import several

DIST, WORK, LOCK = ROOT / "dist", ROOT / "build" / "dist", ROOT / "requirements-dev.txt"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VERSION = PROJECT["project"]["version"]
LIMIT = 2_000_000  # bytes of a wheel

# A wheel holds the package, the native core, the pages that the laboratory shows, and what installers ask for.
IN_A_WHEEL = re.compile(
    r"noughts/(?!web/guide/)[\w/-]+\.(py|pyi|cu|json|js|css|html|svg|woff2|toml)|noughts/py\.typed"
    r"|noughts/proofs/games/\w+\.proof\.gz|noughts/solve/connect-four\.book|noughts/play/puzzles\.txt"
    r"|noughts/_core\.(cpython-311-[\w-]+|abi3)\.so|noughts/web/static/vendor/LICENSE-[\w-]+"
    r"|noughts/web/guide/[\w/-]+\.(md|svg)"
    rf"|noughts-{re.escape(VERSION)}\.dist-info/(METADATA|WHEEL|RECORD|entry_points\.txt|licenses/LICENSE)"
)
IN_AN_SDIST = re.compile(
    r"(src|native|tests|docs|benchmarks|examples|hardening)/.+"
    r"|(PKG-INFO|README\.md|LICENSE|CHANGELOG\.md|CONTRIBUTING\.md|CMakeLists\.txt|Makefile|pyproject\.toml"
    r"|CITATION\.cff|requirements-(dev|envs|cluster)\.txt)"
)
UNWANTED = re.compile(r"__pycache__|\.py[cod]$|\.so$|\.egg-info|^\.|/\.|(^|/)(build|dist|_build|results)/")


def say(text: str) -> None:
    """Tell how far we are."""
    print(f"dist: {text}", flush=True)


# ---- build ---------------------------------------------------------------------------------------------------


def epoch() -> str:
    """The one date in every file that is made: that of the last commit, unless SOURCE_DATE_EPOCH says another."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return given
    try:
        return run("git", "log", "-1", "--format=%ct", cwd=ROOT).strip()
    except (OSError, Failed):
        raise Needs("there is no git history to take the date from: set SOURCE_DATE_EPOCH, in seconds") from None


def committed(folder: Path) -> Path:
    """The tree of the last commit, unpacked there; outside git the tree as it is."""
    if not (ROOT / ".git").exists():
        return ROOT
    if changed := run("git", "status", "--porcelain", cwd=ROOT).splitlines():
        say(f"the last commit is built, without what was changed since ({several(len(changed), 'file')})")
    folder.mkdir(parents=True)
    run("git", "-c", "tar.umask=0022", "archive", "--output", folder / "tree.tar", "HEAD", cwd=ROOT)
    with tarfile.open(folder / "tree.tar") as archive:
        _extract(archive, folder / "tree")
    return folder / "tree"


def locked() -> Path:
    """The versions in the lock file, as constraints: pip refuses hashes for what is not named with its version."""
    file = WORK / "constraints.txt"
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = LOCK.read_text(encoding="utf-8").splitlines()
    file.write_text("".join(line.removesuffix("\\") + "\n" for line in lines if re.match(r"[\w.-]+==", line)))
    return file


def builder(python: Interpreter) -> Path:
    """A virtual environment with the build tools, as locked; its python."""
    made = python.environment(WORK / f"tools-{python.minor}")
    tools = [*PROJECT["build-system"]["requires"], "cmake", "ninja"]
    run(made, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--constraint", locked(), *tools)
    return made


def make(tools: Path, kind: str, source: Path, out: Path) -> Path:
    """Build an sdist or a wheel from that folder; the file made."""
    out.mkdir(parents=True, exist_ok=True)
    hook = f"import sys; from scikit_build_core import build; print(build.build_{kind}(sys.argv[1]))"
    env = {name: value for name, value in os.environ.items() if name not in ("CXXFLAGS", "LDFLAGS", "CMAKE_ARGS")}
    env |= {"SOURCE_DATE_EPOCH": epoch(), "NOUGHTS_REQUIRE_NATIVE": "1"}
    env["PATH"] = f"{tools.parent}{os.pathsep}{env['PATH']}"
    return out / run(tools, "-c", hook, out, env=env, cwd=source).strip().splitlines()[-1]


def unpack(sdist: Path, folder: Path) -> Path:
    """Unpack an sdist there; its root."""
    with tarfile.open(sdist) as archive:
        _extract(archive, folder)
    return folder / sdist.name.removesuffix(".tar.gz")


def _extract(archive: tarfile.TarFile, folder: Path) -> None:
    if hasattr(tarfile, "data_filter"):  # Python 3.11.4 and later
        archive.extraction_filter = tarfile.data_filter
    archive.extractall(folder)


def builders(pythons: list[Interpreter]) -> list[Interpreter]:
    """The oldest Python of each kind: one for its own wheel, one for the stable ABI."""
    able = [python for python in pythons if python.headers]
    kinds = [[p for p in able if p.version < STABLE], [p for p in able if p.version >= STABLE]]
    if not any(kinds):
        raise Needs(
            "none of these Pythons has its headers, so none can build (Debian, Ubuntu: apt install python3-dev)"
        )
    return [kind[0] for kind in kinds if kind]


def same(first: Path, second: Path) -> None:
    """The two builds of a file must agree to the byte."""
    if first.name != second.name or first.read_bytes() != second.read_bytes():
        raise Failed(f"two builds of {first.name} differ: compare {first} with {second}")


def build(pythons: list[Interpreter]) -> str:
    """Fill dist/; the figures."""
    for folder in (DIST, WORK):
        shutil.rmtree(folder, ignore_errors=True)
    here, there = WORK / "first", WORK / "second" / "in-a-deeper-folder"
    made: list[Path] = []
    for python in builders(pythons):
        tools = builder(python)
        if not made:
            say("the sdist, twice")
            made.append(make(tools, "sdist", committed(WORK / "commit"), WORK / "made"))
            sources = [unpack(made[0], here), unpack(made[0], there)]
            same(made[0], make(tools, "sdist", sources[1], WORK / "again"))
        say(f"the wheel of Python {python}, twice")
        wheel = make(tools, "wheel", sources[0], WORK / "made")
        same(wheel, make(tools, "wheel", sources[1], WORK / "again"))
        made.append(wheel)
    figures = [look_into(file) for file in made]
    say(run(sys.executable, "-m", "twine", "check", "--strict", *made).strip())
    audited = [wheel for wheel in made if "abi3" in wheel.name]
    for wheel in audited:
        run(sys.executable, "-m", "abi3audit", "--strict", "--assume-minimum-abi3", "3.12", wheel)
    DIST.mkdir()
    for file in made:
        shutil.copy2(file, DIST)
    content = "twine and abi3audit" if audited else "twine"
    return f"{'; '.join(figures)}; each built twice, the same to the byte; {content} content"


def look_into(file: Path) -> str:
    """Refuse a file that lacks something, or holds what nobody asked for; say what it is in figures."""
    if file.suffix == ".whl":
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            core = next((name for name in names if name.endswith(".so")), None)
            code = archive.read(core) if core else b""
        odd = [name for name in names if not IN_A_WHEEL.fullmatch(name)]
        needed = {"noughts/_core.pyi", "noughts/py.typed", "noughts/cli/__init__.py", "noughts/web/static/index.html"}
        if not core:
            raise Failed(f"{file.name} has no native core")
        if str(ROOT).encode() in code or b".debug_info" in code:
            raise Failed(f"{core} in {file.name} names the folder that it was built in, or is not stripped")
        if file.stat().st_size >= LIMIT:
            raise Failed(f"{file.name} has {file.stat().st_size:,} bytes: expected fewer than {LIMIT:,}")
    else:
        with tarfile.open(file) as archive:
            entries = [entry for entry in archive.getmembers() if entry.isfile()]
        top = file.name.removesuffix(".tar.gz") + "/"
        names = [entry.name.removeprefix(top) for entry in entries]
        odd = [name for name in names if not IN_AN_SDIST.fullmatch(name) or UNWANTED.search(name)]
        needed = {"CMakeLists.txt", "pyproject.toml", "native/bind.cpp", "src/noughts/__init__.py", "tests/conftest.py"}
    if odd:
        raise Failed(f"{file.name} holds what it should not: {', '.join(odd[:20])}")
    if missing := needed - set(names):
        raise Failed(f"{file.name} lacks {', '.join(sorted(missing))}")
    return f"{file.name}: {file.stat().st_size:,} bytes, {len(names)} files"


# ---- check ---------------------------------------------------------------------------------------------------


def wheel_for(python: Interpreter) -> Path:
    """The wheel in dist/ that this Python takes."""
    kind = "cp312-abi3" if python.version >= STABLE else "cp311-cp311"
    found = sorted(DIST.glob(f"noughts-{VERSION}-{kind}-*.whl"))
    if not found:
        raise Needs(f"dist/ has no {kind} wheel for Python {python}: make dist, with such a Python among PYTHONS")
    return found[0]


def origin() -> str:
    """What the files in dist/ were built of, in words."""
    tree = WORK / "commit" / "tree.tar"
    if not tree.exists():
        return "not built of a commit"
    with tree.open("rb") as file:  # git writes the commit into the head of an archive
        told = subprocess.run(["git", "get-tar-commit-id"], stdin=file, capture_output=True, text=True, check=True)
    return f"built of {told.stdout[:7]}"


def bare(home: Path, *path: Path) -> dict[str, str]:
    """An environment with nothing of ours in it; by default without a compiler, or any program at all, on PATH."""
    return {"HOME": str(home), "PATH": os.pathsep.join(map(str, path)), "LANG": "C.UTF-8", "PIP_NO_INPUT": "1"}


@contextmanager
def served(command: Path, env: dict[str, str], cwd: Path) -> Iterator[str]:
    """The address of `noughts serve`, while it runs."""
    server = subprocess.Popen(
        [command, "serve", "--port", "0", "--no-browser"], env=env, cwd=cwd, text=True, stderr=subprocess.PIPE
    )
    try:
        assert server.stderr
        line = server.stderr.readline()
        address = re.search(r"http://\S+", line)
        if not address:
            raise Failed(f"noughts serve said {line.strip()!r}: expected its address")
        yield address[0]
    finally:
        server.terminate()
        server.wait(30)


def fetch(address: str) -> bytes:
    """What the server sends."""
    with urllib.request.urlopen(address, timeout=30) as answer:
        content: bytes = answer.read()
    return content


def try_command(bin_: Path, env: dict[str, str], cwd: Path, *, native: bool) -> None:
    """The command answers, and its core is there (or not, as expected)."""

    def noughts(*arguments: str) -> str:
        return run(bin_ / "noughts", *arguments, env=env, cwd=cwd)

    def expect(what: str, got: Any, wanted: Any) -> None:
        if got != wanted:
            raise Failed(f"{what}: got {got!r}, expected {wanted!r}")

    expect("noughts --version", noughts("--version").strip(), f"noughts {VERSION}")
    analysis = json.loads(noughts("analyze", "XX./OO./...", "--json"))
    expect("the best move of XX./OO./...", [analysis["value"], analysis["best"]], ["win", ["c3"]])
    doctor = json.loads(noughts("doctor", "--json"))
    expect("the native core that noughts doctor finds", doctor["native"], native)
    solved = json.loads(noughts("solve", "3x3k3", "--json"))
    expect("the positions of 3x3k3", [solved["positions"], solved["value"]], [5478, "tie"])
    expect("the backend of noughts solve", solved["backend"], "native" if native else "python")
    place = run(bin_ / "python", "-c", "import noughts; print(noughts.__file__)", env=env, cwd=cwd).strip()
    if not Path(place).is_relative_to(bin_.parent):
        raise Failed(f"noughts was imported from {place}: expected the environment {bin_.parent}")


def try_page(bin_: Path, env: dict[str, str], cwd: Path) -> None:
    """The page and everything that it names are served, and the API answers."""
    with served(bin_ / "noughts", env, cwd) as address:
        page = fetch(address).decode()
        parts = re.findall(r"""(?:src|href)=["']/?([\w./-]+\.(?:js|css|svg))""", page)
        if not parts or "<title>" not in page:
            raise Failed("the page that is served names no scripts or styles")
        for part in parts:
            fetch(address + part)
        games = json.loads(fetch(address + "api/v1/games"))
        if not games:
            raise Failed("the API lists no games")


def install(python: Path, env: dict[str, str], cwd: Path, *what: str | Path) -> None:
    """pip install, with nothing of the outside in sight."""
    quiet = ("--quiet", "--disable-pip-version-check", "--cache-dir", WORK / "pip")
    run(python, "-m", "pip", "install", *quiet, *what, env=env, cwd=cwd)


def add_test_tools(python: Path, env: dict[str, str], folder: Path, wheel: Path) -> str:
    """Add the extras and the test tools; which of the tools are not to be had for this Python, in words."""
    options = ("--constraint", locked(), "--only-binary", ":all:")
    install(python, env, folder, *options, f"noughts[all] @ {wheel.as_uri()}")
    tools = PROJECT["project"]["optional-dependencies"]["dev"]
    try:
        install(python, env, folder, *options, *tools)
    except Failed:
        lacking = []
        for tool in tools:
            try:
                install(python, env, folder, *options, tool)
            except Failed:
                lacking.append(re.split(r"[<>=]", tool)[0])
        return f"; without {', '.join(lacking)}"
    return ""


def test_suite(python: Path, env: dict[str, str], folder: Path, sdist: Path, arguments: list[str]) -> dict[str, int]:
    """Run the tests, in a copy elsewhere, against the installed package; the counts of their outcomes."""
    tree = unpack(sdist, folder)
    # The tests read the sources that lie there, as pages name them, but what they import is what was installed.
    place = run(python, "-c", "import noughts; print(noughts.__file__)", env=env, cwd=tree).strip()
    if not Path(place).is_relative_to(python.parent.parent):
        raise Failed(f"the tests would import noughts from {place}: expected the environment {python.parent.parent}")
    pages = [name for name in ("README.md", "docs", "tests") if (tree / name).exists()]
    options = ["-q", "-n", "auto", "-m", "not slow", *pages, "--pyargs", "noughts", *arguments]
    command = [str(python), "-m", "pytest", *options]
    report = folder / "report.txt"
    with report.open("w") as out:
        code = subprocess.run(command, env=env, cwd=tree, stdout=out, stderr=subprocess.STDOUT, check=False).returncode
    text = report.read_text()
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|skipped|error)", text[-400:])}
    if code or not counts.get("passed"):
        raise Failed(f"the tests fail against the installed wheel:\n{text[-6000:]}")
    return counts


def check(pythons: list[Interpreter], tested: list[Interpreter], arguments: list[str]) -> str:
    """Install from dist/ as a stranger would, and try everything; the tests on those Pythons. The figures."""
    sdist = DIST / f"noughts-{VERSION}.tar.gz"
    if not sdist.exists():
        raise Needs("dist/ is empty: make dist first")
    figures = []
    for python in pythons:
        with tempfile.TemporaryDirectory(prefix="noughts-dist-") as name:
            folder = Path(name)
            made = python.environment(folder / "venv")
            env = bare(folder, made.parent)
            say(f"Python {python}: {wheel_for(python).name} in an empty environment, no compiler")
            install(made, env, folder, wheel_for(python))
            try_command(made.parent, env, folder, native=True)
            install(made, env, folder, f"noughts[web] @ {wheel_for(python).as_uri()}")
            try_page(made.parent, env, folder)
            figure = f"{python}"
            if python in tested:
                say(f"Python {python}: the tests against the installed wheel")
                lacking = add_test_tools(made, env, folder, wheel_for(python))
                env = bare(folder, made.parent, Path("/usr/bin"), Path("/bin")) | {"NOUGHTS_REQUIRE_NATIVE": "1"}
                counts = test_suite(made, env, folder / "tests", sdist, arguments)
                figure += f" ({', '.join(f'{number:,} {word}' for word, number in counts.items())}{lacking})"
            figures.append(figure)
    say("the sdist, where there is no compiler")
    without_compiler(pythons[-1], sdist)
    return (
        f"command, page and native core from the wheel on Python {', '.join(figures)}; "
        f"the sdist without a compiler on {pythons[-1]}; {origin()}"
    )


def without_compiler(python: Interpreter, sdist: Path) -> None:
    """The sdist installs where no compiler can be found, and works on the Python twins."""
    with tempfile.TemporaryDirectory(prefix="noughts-dist-") as name:
        folder = Path(name)
        made = python.environment(folder / "venv")
        # CMake looks into /usr/bin whatever PATH says, unless told not to.
        env = bare(folder, made.parent) | {"CMAKE_ARGS": "-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF"}
        install(made, env, folder, sdist)
        try_command(made.parent, env, folder, native=False)


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["build", "check"])
    parser.add_argument("pythons", nargs="*", metavar="PYTHON")
    parser.add_argument("--suite", metavar="PYTHONS", help="check: the tests on these alone, as in '3.11 3.14'")
    parser.add_argument("--pytest", default="", metavar="ARGS", help="check: more arguments for pytest")
    wish = parser.parse_args()
    try:
        pythons = find(wish.pythons)
        say(f"Python {', '.join(map(str, pythons))}")
        there = {python.minor for python in pythons}
        wanted = there if wish.suite is None else set(wish.suite.split())
        if missing := wanted - there:
            raise NoPython(f"--suite names {', '.join(sorted(missing))}, which is not among these Pythons")
    except NoPython as problem:
        sys.exit(f"dist: {problem}")
    kinds = {python.version < STABLE for python in pythons if python.headers or wish.what == "check"}
    if len(kinds) < 2:
        say("one of the two wheels alone, for want of a Python 3.11 or of a later one: the result is not recorded")
    if wish.what == "build":
        finish("dist", lambda: build(pythons), whole=len(kinds) == 2)
    else:
        tested = [python for python in pythons if python.minor in wanted]
        whole = len(kinds) == 2 and bool(tested) and not wish.pytest
        finish("dist-check", lambda: check(pythons, tested, wish.pytest.split()), whole=whole)


if __name__ == "__main__":
    main()
