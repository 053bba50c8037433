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
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

from commands import ROOT, TOOLS, Failed, Needs, run
from record import finish

from noughts.words import several

DIST, WORK, LOCK = ROOT / "dist", ROOT / "build" / "dist", ROOT / "requirements-dev.txt"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VERSION = PROJECT["project"]["version"]
SDIST = DIST / f"noughts-{VERSION}.tar.gz"
LIMIT = 2_000_000  # bytes of a wheel
STABLE = (3, 12)  # the first Python that the stable ABI serves
HEADERS = "import os, sysconfig; print(os.path.exists(os.path.join(sysconfig.get_path('include'), 'Python.h')))"

# What is made where things are built and tried; and the pages that the laboratory shows, as CMakeLists.txt says.
MADE = re.compile(r"(.*/)?(\.|(build|dist|_build|__pycache__|results)/|[^/]*(\.py[cod]|\.so|\.egg-info)$).*")
SHOWN = re.compile(r"docs/((?!.*\bsite/|.*\banalyze\.svg).*\.(md|svg))")
SAYS = {  # what the command says where it was installed
    "--version": rf"^noughts {re.escape(VERSION)}$",
    "analyze XX./OO./... --json": r'"value": "win".*"best": \["c3"\]',
    "doctor --json": '"native": {native}',
    "solve 3x3k3 --json": r'"value": "tie".*"positions": 5478,.*"backend": "{backend}"',
}


def say(text: str) -> None:
    """Tell how far we are."""
    print(f"dist: {text}", flush=True)


# ---- Pythons -------------------------------------------------------------------------------------------------


class Python(NamedTuple):
    """One Python of this machine."""

    version: tuple[int, int, int]
    path: Path

    @property
    def minor(self) -> str:
        """`3.13`."""
        return "{}.{}".format(*self.version)

    def __str__(self) -> str:
        return "{}.{}.{}".format(*self.version)

    def environment(self, folder: Path) -> Path:
        """Make an empty virtual environment there; its python."""
        run(self.path, "-m", "venv", "--clear", folder)
        return folder / "bin" / "python"


def find(wanted: Sequence[str] = ()) -> list[Python]:
    """Those that are wanted, or else one of each version from 3.11 up, the oldest first, as uv finds them: on PATH,
    among those of pyenv, and in build/pythons, where `hardening/pythons.sh` puts newer ones."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    path = [os.environ["PATH"], *map(str, pyenv.glob("versions/3.*/bin")), str(ROOT / "build/pythons/usr/bin")]
    options = ("--only-installed", "--offline", "--no-config", "--output-format", "json")
    found: dict[str, Python] = {}
    for wish in wanted or [">=3.11"]:
        told = run(TOOLS / "uv", "python", "list", wish, *options, env=os.environ | {"PATH": os.pathsep.join(path)})
        ours = [
            Python(tuple(each["version_parts"].values()), Path(each["path"]))
            for each in json.loads(told)
            if (each["implementation"], each["variant"]) == ("cpython", "default")
        ]
        if not (ours := [each for each in ours if each.version >= (3, 11)]):
            raise Needs(f"there is no CPython {wish}, from 3.11 up: name one, as in PYTHONS=/usr/bin/python3.13")
        for python in ours:
            found.setdefault(python.minor, python)
    return sorted(found.values())


# ---- build ---------------------------------------------------------------------------------------------------


def committed(folder: Path) -> Path:
    """The tree of the last commit, unpacked there; outside git the tree as it is."""
    if not (ROOT / ".git").exists():
        return ROOT
    if changed := run("git", "status", "--porcelain", cwd=ROOT).splitlines():
        say(f"the last commit is built, without what was changed since ({several(len(changed), 'file')})")
    folder.mkdir(parents=True)
    run("git", "-c", "tar.umask=0022", "archive", "--output", folder / "tree.tar", "HEAD", cwd=ROOT)
    return unpack(folder / "tree.tar", folder / "tree")


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack an archive there; its root."""
    folder.mkdir(parents=True, exist_ok=True)
    run("tar", "-xf", archive, "-C", folder)
    inside = folder / archive.name.removesuffix(".tar.gz")
    return inside if inside.is_dir() else folder


def epoch() -> str:
    """The one date in every file that is made: that of the last commit, unless SOURCE_DATE_EPOCH says another."""
    try:
        return os.environ.get("SOURCE_DATE_EPOCH") or run("git", "log", "-1", "--format=%ct", cwd=ROOT).strip()
    except (OSError, Failed):
        raise Needs("there is no git history to take the date from: set SOURCE_DATE_EPOCH, in seconds") from None


def made(tools: Path, kind: str, source: Path, out: Path, date: str) -> Path:
    """Build an sdist or a wheel from that folder; the file made."""
    env = {name: value for name, value in os.environ.items() if name not in ("CXXFLAGS", "LDFLAGS", "CMAKE_ARGS")}
    env |= {"SOURCE_DATE_EPOCH": date, "NOUGHTS_REQUIRE_NATIVE": "1"}
    env["PATH"] = f"{tools.parent}{os.pathsep}{env['PATH']}"
    run(tools, "-m", "build", "--no-isolation", f"--{kind}", "--outdir", out / tools.parts[-3], source, env=env)
    return next((out / tools.parts[-3]).glob("*.whl" if kind == "wheel" else "*.gz"))


def same(first: Path, second: Path) -> Path:
    """The two builds of a file must agree to the byte."""
    if first.name != second.name or first.read_bytes() != second.read_bytes():
        raise Failed(f"two builds of {first.name} differ: compare {first} with {second}")
    return first


def build(pythons: list[Python]) -> str:
    """Fill dist/; the figures."""
    for folder in (DIST, WORK):
        shutil.rmtree(folder, ignore_errors=True)
    if not pythons:
        raise Needs("none of these Pythons has its headers, so none can build (Debian: apt install python3-dev)")
    first, again, date = WORK / "made", WORK / "again", epoch()
    files: list[Path] = []
    oldest = {python.version < STABLE: python for python in reversed(pythons)}  # for each wheel
    for python in sorted(oldest.values()):
        tools = python.environment(WORK / f"tools-{python.minor}")
        what = ("build", "cmake", "ninja", *PROJECT["build-system"]["requires"])
        run(TOOLS / "uv", "pip", "install", "--quiet", "--python", tools, "--constraint", LOCK, *what)
        if not files:
            say("the sdist, twice")
            tree = committed(WORK / "commit")
            sdist = made(tools, "sdist", tree, first, date)
            here, there = unpack(sdist, WORK / "first"), unpack(sdist, WORK / "second" / "in-a-deeper-folder")
            files.append(same(sdist, made(tools, "sdist", there, again, date)))
        say(f"the wheel of Python {python}, twice")
        files.append(same(made(tools, "wheel", here, first, date), made(tools, "wheel", there, again, date)))
    figures = [look_into(file, tree) for file in files]
    say(run(TOOLS / "twine", "check", "--strict", *files).strip())
    audited = [wheel for wheel in files if "abi3" in wheel.name]
    for wheel in audited:
        run(TOOLS / "abi3audit", "--strict", "--assume-minimum-abi3", "3.12", wheel)
    DIST.mkdir()
    for file in files:
        shutil.copy2(file, DIST)
    content = "twine and abi3audit" if audited else "twine"
    return f"{'; '.join(figures)}; each built twice, the same to the byte; {content} content"


def expected(tree: Path, suffix: str) -> set[str]:
    """What an sdist (.gz) of a tree holds: all; a wheel (.whl): the package, its pages, what installers ask for."""
    paths = {path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file()}
    files = {path for path in paths if not MADE.fullmatch(path)}
    if suffix == ".gz":
        return files | {"PKG-INFO"}
    pages = {f"noughts/web/guide/{found[1]}" for path in files if (found := SHOWN.fullmatch(path))}
    information = {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"}
    package = {path.removeprefix("src/") for path in files if path.startswith("src/")}
    return package | pages | {f"noughts-{VERSION}.dist-info/{name}" for name in information}


def look_into(file: Path, tree: Path) -> str:
    """Refuse a file that lacks something of the tree, or holds what nobody asked for; say what it is in figures."""
    if file.suffix == ".whl":
        with zipfile.ZipFile(file) as archive:
            names = {*archive.namelist()}
            cores = {name: archive.read(name) for name in names if re.fullmatch(r"noughts/_core\.[\w-]+\.so", name)}
        if len(cores) != 1:
            raise Failed(f"{file.name} has no native core, or more than one")
        code = b"".join(cores.values())
        if str(ROOT).encode() in code or b".debug_info" in code:
            raise Failed(f"the core in {file.name} names the folder that it was built in, or is not stripped")
        if file.stat().st_size >= LIMIT:
            raise Failed(f"{file.name} has {file.stat().st_size:,} bytes: expected fewer than {LIMIT:,}")
    else:
        cores, top = {}, file.name.removesuffix(".tar.gz") + "/"
        with tarfile.open(file) as entries:
            names = {entry.name.removeprefix(top) for entry in entries.getmembers() if entry.isfile()}
    wanted = expected(tree, file.suffix) | cores.keys()
    if names != wanted:
        odd, lacking = (", ".join(sorted(each)[:20]) for each in (names - wanted, wanted - names))
        raise Failed(f"{file.name} holds what it should not: {odd or 'nothing'}; it lacks {lacking or 'nothing'}")
    return f"{file.name}: {file.stat().st_size:,} bytes, {len(names)} files"


# ---- check ---------------------------------------------------------------------------------------------------


class Installed:
    """A folder elsewhere with an empty environment; nothing of the outside is in sight, no compiler and no program."""

    def __init__(self, python: Python, folder: Path) -> None:
        self.folder, self.python = folder, python.environment(folder / "venv")
        self.env = {"HOME": str(folder), "PATH": str(self.python.parent), "LANG": "C.UTF-8", "PIP_NO_INPUT": "1"}

    def run(self, *line: str | Path) -> str:
        """Run a program of the environment; what it printed."""
        return run(self.python.with_name(str(line[0])), *line[1:], env=self.env, cwd=self.folder)

    def pip(self, *what: str | Path, **env: str) -> None:
        """Install as a stranger would."""
        line = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--cache-dir", WORK / "pip")
        run(self.python, *line, *what, env=self.env | env, cwd=self.folder)

    def require_own(self, cwd: Path) -> None:
        """What would be imported there is what was installed."""
        place = run(self.python, "-c", "import noughts; print(noughts.__file__)", env=self.env, cwd=cwd).strip()
        if not Path(place).is_relative_to(self.folder / "venv"):
            raise Failed(f"noughts was imported from {place}: expected the environment {self.folder / 'venv'}")


def wheel_for(python: Python, extra: str = "") -> str:
    """The wheel in dist/ that this Python takes, perhaps with an extra, as pip takes it."""
    kind = "cp312-abi3" if python.version >= STABLE else "cp311-cp311"
    for wheel in DIST.glob(f"noughts-{VERSION}-{kind}-*.whl"):
        return f"noughts[{extra}] @ {wheel.as_uri()}" if extra else str(wheel)
    raise Needs(f"dist/ has no {kind} wheel for Python {python}: make dist, with such a Python among PYTHONS")


def origin() -> str:
    """What the files in dist/ were built of, in words."""
    tree = WORK / "commit" / "tree.tar"
    if not tree.exists():
        return "not built of a commit"
    with tree.open("rb") as file:  # git writes the commit into the head of an archive
        told = subprocess.run(["git", "get-tar-commit-id"], stdin=file, capture_output=True, text=True, check=True)
    return f"built of {told.stdout[:7]}"


def try_command(there: Installed, *, native: bool) -> None:
    """The command answers, and its core is there (or not, as expected)."""
    for words, says in SAYS.items():
        wanted = says.format(native=str(native).lower(), backend="native" if native else "python")
        if not re.search(wanted, told := there.run("noughts", *words.split())):
            raise Failed(f"noughts {words} says {told[:1000]}: expected {wanted}")
    there.require_own(there.folder)


def try_page(there: Installed) -> None:
    """The page is served, and the API answers."""
    line = [str(there.python.with_name("noughts")), "serve", "--port", "0", "--no-browser"]
    with subprocess.Popen(line, env=there.env, cwd=there.folder, text=True, stderr=subprocess.PIPE) as server:
        try:
            said = server.stderr.readline() if server.stderr else ""
            if not (found := re.search(r"http://\S+", said)):
                raise Failed(f"noughts serve said {said.strip()!r}: expected its address")
            for path, wanted in (("", b"<title>"), ("api/v1/games", b'"3x3k3"')):
                with urlopen(found[0] + path, timeout=30) as answer:
                    if wanted not in (told := answer.read()):
                        raise Failed(f"/{path} is served as {told[:200]!r}: expected {wanted!r}")
        finally:
            server.terminate()


def test_suite(python: Python, there: Installed, arguments: list[str]) -> str:
    """Run the tests, in a copy elsewhere, against the installed package; the counts of their outcomes."""
    say(f"Python {python}: the tests against the installed wheel")
    lacking = []

    def add(*what: str) -> None:
        options = ("--quiet", "--only-binary", ":all:", "--constraint", LOCK, "--python", there.python)
        run(TOOLS / "uv", "pip", "install", *options, *what)

    add(wheel_for(python, "all"))
    for tool in PROJECT["project"]["optional-dependencies"]["dev"]:
        try:
            add(tool)
        except Failed:  # not to be had for this Python
            lacking.append(re.split(r"[<>=]", tool)[0])
    there.env |= {"PATH": f"{there.env['PATH']}:/usr/bin:/bin", "NOUGHTS_REQUIRE_NATIVE": "1"}
    # The tests read the sources that lie there, as pages name them, but what they import is what was installed.
    tree = unpack(SDIST, there.folder / "tests")
    there.require_own(tree)
    options = ["-q", "-n", "auto", "-m", "not slow", "README.md", "docs", "tests", "--pyargs", "noughts", *arguments]
    told = run(there.python, "-m", "pytest", *options, env=there.env, cwd=tree)
    counts = [f"{int(number):,} {word}" for number, word in re.findall(r"(\d+) (passed|skipped)", told[-400:])]
    if "passed" not in "".join(counts):
        raise Failed(f"no test passed against the installed wheel: {told[-400:]}")
    return f" ({', '.join(counts)}{'; without ' * bool(lacking)}{', '.join(lacking)})"


def check(pythons: list[Python], tested: list[Python], arguments: list[str]) -> str:
    """Install from dist/ as a stranger would, and try everything; the tests on those Pythons. The figures."""
    if not SDIST.exists():
        raise Needs("dist/ is empty: make dist first")
    figures = []
    for python in pythons:
        with tempfile.TemporaryDirectory(prefix="noughts-dist-") as name:
            there = Installed(python, Path(name))
            say(f"Python {python}: {Path(wheel_for(python)).name} in an empty environment, no compiler")
            there.pip(wheel_for(python))
            try_command(there, native=True)
            there.pip(wheel_for(python, "web"))
            try_page(there)
            figures.append(f"{python}{test_suite(python, there, arguments) if python in tested else ''}")
    say("the sdist, where there is no compiler")
    with tempfile.TemporaryDirectory(prefix="noughts-dist-") as name:
        there = Installed(pythons[-1], Path(name))
        # CMake looks into /usr/bin whatever PATH says, unless told not to.
        there.pip(SDIST, CMAKE_ARGS="-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF")
        try_command(there, native=False)
    return (
        f"command, page and native core from the wheel on Python {', '.join(figures)}; "
        f"the sdist without a compiler on {pythons[-1]}; {origin()}"
    )


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
    except (Needs, Failed) as problem:
        sys.exit(f"dist: {problem}")
    say(f"Python {', '.join(map(str, pythons))}")
    there = {python.minor: python for python in pythons}
    wanted = list(there) if wish.suite is None else wish.suite.split()
    if missing := {*wanted} - {*there}:
        sys.exit(f"dist: --suite names {', '.join(sorted(missing))}, which is not among these Pythons")
    if wish.what == "build":
        pythons = [python for python in pythons if run(python.path, "-c", HEADERS).strip() == "True"]
    both = len({python.version < STABLE for python in pythons}) == 2
    if not both:
        say("one of the two wheels alone, for want of a Python 3.11 or of a later one: the result is not recorded")
    if wish.what == "build":
        finish("dist", lambda: build(pythons), whole=both)
    else:
        tested = [there[minor] for minor in wanted]
        whole = both and bool(tested) and not wish.pytest
        finish("dist-check", lambda: check(pythons, tested, wish.pytest.split()), whole=whole)


if __name__ == "__main__":
    main()
