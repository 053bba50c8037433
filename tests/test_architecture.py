"""The house rules: who imports whom, and how light `import noughts` is."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import noughts
from noughts.bridges import BRIDGES
from noughts.cli import COMMANDS
from noughts.doctor import bringing

ROOT = Path(noughts.__file__).parent
HOUSE = Path(__file__).resolve().parents[1]

# In import order: at module level each imports only from those above it.
ORDER = [
    "moved", "words", "log", "native", "rules", "detect", "threats", "shapes", "evaluate", "files", "progress",
    "search", "solve", "proofs", "engine", "explain", "account", "analysis", "walk", "course", "interrupt", "child",
    "play", "labels", "lab", "bridges", "doctor", "cli", "web", "__main__",
]  # fmt: skip


def modules() -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        top = path.relative_to(ROOT).parts[0].removesuffix(".py")
        if top != "__init__":
            found.setdefault(top, []).append(path)
    return found


def module_level_imports(path: Path) -> set[str]:
    """The parts of noughts that a file imports when it is loaded."""
    found: set[str] = set()

    def visit(body: list[ast.stmt]) -> None:
        for node in body:
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}: imports are absolute"
                inside = node.module == "noughts"
                names = [f"noughts.{alias.name}" for alias in node.names] if inside else [node.module or ""]
            else:
                guarded = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
                if not guarded and not isinstance(node, ast.FunctionDef | ast.ClassDef):
                    for field in ("body", "orelse", "handlers", "finalbody"):
                        visit(getattr(node, field, []))
                continue
            found.update(name.split(".")[1] for name in names if name.startswith("noughts."))

    visit(ast.parse(path.read_text(encoding="utf-8")).body)
    return found


def test_every_module_has_its_place_in_the_order() -> None:
    assert set(modules()) <= set(ORDER)


def test_modules_import_only_from_above() -> None:
    for name, paths in modules().items():
        above = {name, *ORDER[: ORDER.index(name)]}
        for path in paths:
            lower = module_level_imports(path) - above
            assert not lower, f"{path.relative_to(ROOT)} imports {sorted(lower)}, which stand below it"


def test_the_map_of_the_house_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = (HOUSE / "CONTRIBUTING.md").read_text(encoding="utf-8")
    places = [listed.index(f"\n  {name}.py ") if f"\n  {name}.py " in listed else listed.index(f"\n  {name}/ ")
              for name in ORDER if name != "__main__"]  # fmt: skip
    assert places == sorted(places), "the map names the modules in import order"
    monkeypatch.syspath_prepend(HOUSE / "docs" / "pictures")
    layers = import_module("layers").LAYERS
    assert [name for _, names in layers for name in names] == ORDER[:-1]


def imported(path: Path) -> set[str]:
    """The packages that a file imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return {name.partition(".")[0] for name in found}


def test_only_the_command_imports_click() -> None:
    users = {path.relative_to(ROOT).parts[0] for path in ROOT.rglob("*.py") if "click" in imported(path)}
    assert users == {"cli"}


def test_what_is_imported_from_others_is_required_or_brought_by_an_extra() -> None:
    required = {"noughts", "click", "rich", *sys.stdlib_module_names, "markdown_it", "pygments"}  # which rich brings
    required |= {"compression", "typing_extensions"}  # of Python 3.14 on, and of type checkers
    for path in ROOT.rglob("*.py"):
        bridge = BRIDGES.get(path.stem) if path.parent.name == "bridges" else None
        for name in imported(path) - required - set(bridge.modules if bridge else ()):
            assert bringing(name), f"{path.relative_to(ROOT)} imports {name}: which extra of noughts.doctor brings it?"


# What starts a process, in whatever module it is found; os.fork goes on in this program, and starts no other.
STARTERS = {"executable", "open_process", "run_process", "ProcessPoolExecutor"}
STARTING = ("create_subprocess_", "exec", "popen", "posix_spawn", "spawn", "startfile", "system")  # of os and asyncio
MODULES = {"subprocess", "multiprocessing", "pty", "_posixsubprocess"}


def starters(source: str) -> set[str]:
    """The names in a file by which it could start a process."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.partition(".")[0] in MODULES}
        elif isinstance(node, ast.ImportFrom):
            names, of_os = {alias.name for alias in node.names}, node.module in ("os", "asyncio")
            found |= names & STARTERS | {node.module or ""} & MODULES
            found |= {name for name in names if of_os and name.startswith(STARTING)}
        elif isinstance(node, ast.Attribute) and not (isinstance(node.value, ast.Name) and node.value.id == "child"):
            of_os = isinstance(node.value, ast.Name) and node.value.id in ("os", "asyncio")
            if node.attr in STARTERS or (of_os and node.attr.startswith(STARTING)):
                found.add(ast.unparse(node))
    return found


def test_one_module_starts_every_process() -> None:
    """It does so safely: see there. What it starts for a program of the user's then becomes that program."""
    assert starters((ROOT / "play" / "keeper.py").read_text(encoding="utf-8")) == {"os.execvp"}
    for path in ROOT.rglob("*.py"):
        if path not in (ROOT / "child.py", ROOT / "play" / "keeper.py"):
            assert not starters(path.read_text(encoding="utf-8")), path.relative_to(ROOT)


@pytest.mark.parametrize(
    "source",
    [
        "import subprocess", "from subprocess import run", "import multiprocessing.pool", "import sys; sys.executable",
        "from sys import executable", "asyncio.create_subprocess_exec()", "from asyncio import create_subprocess_shell",
        "anyio.open_process([])", "from anyio import run_process", "os.system('')", "os.popen('')", "os.execv('', [])",
        "os.spawnl(0, '')", "from os import system", "from concurrent.futures import ProcessPoolExecutor",
        "def f():\n    import subprocess",
    ],
)  # fmt: skip
def test_what_starts_a_process_is_seen(source: str) -> None:
    assert starters(source)
    assert not starters("child.open_process([]); os.fork(); platform.system(); pool.executor")


def test_importing_noughts_is_light() -> None:
    heavy = [
        "numpy",
        "click",
        "rich",
        "fastapi",
        "uvicorn",
        "matplotlib",
        "asyncio",
        "typing",
        "logging",
        "noughts._core",
    ]
    code = f"import sys, noughts; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_analyze_loads_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['noughts', 'analyze', 'XO./.X./..O']\n"
        "from noughts.cli import main\n"
        "try: main()\n"
        "except SystemExit: print([name for name in ('numpy', 'rich', 'asyncio', 'logging') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]"


def test_no_command_loads_the_others() -> None:
    code = (
        "import sys; from noughts.cli import COMMANDS, load\n"
        "for name in COMMANDS:\n"
        "    load(name)\n"
        "    print(name, *(other for other in COMMANDS if f'noughts.cli.{other}' in sys.modules))\n"
        "    for each in [each for each in sys.modules if each.startswith('noughts.cli.')]: del sys.modules[each]"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    loaded = {name: set(others) - {name} for name, *others in (line.split() for line in done.stdout.splitlines())}
    assert loaded == {name: set() for name in COMMANDS} | {
        "play": {"review"},
        "tour": {"analyze"},
    }  # whose words they use


def test_help_loads_no_command() -> None:
    code = (
        "import sys; sys.argv = ['noughts', '--help']\n"
        "from noughts.cli import main\n"
        "try: main()\n"
        "except SystemExit: print([name for name in sys.modules if name.startswith(('noughts.cli.', 'noughts.rules'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_public_names_are_there() -> None:
    for name in noughts.__all__:
        assert getattr(noughts, name)


def test_tests_take_an_event_loop_of_their_own() -> None:
    """A browser keeps the loop of the main thread, so that what begins one there fails after a test of the page."""
    for path in Path(__file__).parent.glob("*.py"):
        beginners = {"anyio.run", "asyncio.run"} if path.name != "loop.py" else set()
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        assert not {ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)} & beginners, path.name


def imports(source: str) -> set[str]:
    """The modules that a source imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or "", *(alias.name for alias in node.names)}
    return found


def test_no_test_imports_another() -> None:
    """What tests share is in modules beside them, which are no tests."""
    assert imports("import a.b\ndef f():\n    from c import d") == {"a.b", "c", "d"}
    tests = {path.stem for path in Path(__file__).parent.glob("test_*.py")}
    for path in Path(__file__).parent.rglob("*.py"):
        assert not {name.rpartition(".")[2] for name in imports(path.read_text(encoding="utf-8"))} & tests, path.name


# Printing

# The command talks to people, and noughts reads the output of these two processes.
FACES = ("cli/", "play/worker.py", "web/runs.py")


def prints(source: str) -> list[str]:
    """What in a source prints: calls of print, and the standard streams."""
    found = []
    for node in ast.walk(ast.parse(source)):
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
        streams = ("sys.stdout", "sys.stderr", "click.echo")
        if called or (isinstance(node, ast.Attribute) and ast.unparse(node) in streams):
            found.append(ast.unparse(node))
    return found


def test_libraries_do_not_print() -> None:
    assert prints("print(1)")
    assert prints("x.write(sys.stderr)")
    assert not prints('"""\n>>> print(1)\n"""\nconsole.print(1)')
    for path in ROOT.rglob("*.py"):
        if not path.relative_to(ROOT).as_posix().startswith((*FACES, "proofs/check.py")):  # which runs copied alone
            assert not prints(path.read_text(encoding="utf-8")), path.relative_to(ROOT)


# Writing

OPENED = ("O_WRONLY", "O_RDWR", "O_APPEND", "O_CREAT", "O_TRUNC")
BY_NAME = {"write_text", "write_bytes", "touch", "mkstemp", "NamedTemporaryFile", "tofile", "savez", "copyfile"}


def writers(source: str) -> list[str]:
    """The calls in a source that open a file for writing."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        text = ast.unparse(node)
        name = ast.unparse(node.func).rpartition(".")[2]
        given = [*node.args, *(word.value for word in node.keywords if word.arg in ("mode", "flags"))]
        modes = [str(each.value) for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        opens = name in ("open", "File") and any(re.fullmatch(r"[rwaxbt+]*[wax+][rwaxbt+]*", mode) for mode in modes)
        if ast.unparse(node.func) == "os.open" and ast.unparse(node.args[0]) != "os.devnull":
            opens = any(flag in text for flag in OPENED)
        if opens or name in BY_NAME:
            found.append(text)
    return found


@pytest.mark.parametrize(
    ("source", "writes"),
    [
        ("open(path, 'w')", True),
        ("open(path, mode='ab')", True),
        ("path.open('x', encoding='utf-8')", True),
        ("path.open('r+b')", True),
        ("click.File('w', 'utf-8', lazy=True)", True),
        ("os.open(path, os.O_RDWR | os.O_CREAT, 0o666)", True),
        ("Path(name).write_text(text)", True),
        ("open(path)", False),
        ("path.open('rb')", False),
        ("os.open(folder, os.O_RDONLY)", False),
        ("os.open(os.devnull, os.O_WRONLY)", False),
        ("desk.open('solve', '4x4k4')", False),
    ],
)
def test_a_call_that_writes_is_told_from_one_that_reads(source: str, writes: bool) -> None:
    assert bool(writers(source)) is writes


def test_only_one_module_opens_files_for_writing() -> None:
    found = {
        str(path.relative_to(ROOT)): calls
        for path in sorted(ROOT.rglob("*.py"))
        if (calls := writers(path.read_text(encoding="utf-8")))
    }
    assert list(found) == ["files.py"], found


# Native code

NATIVE = Path(__file__).parents[1] / "native"


@pytest.mark.skipif(not NATIVE.exists(), reason="there is no native/ beside the tests")
def test_no_line_of_the_native_core_is_longer_than_those_of_python() -> None:
    for path in sorted(NATIVE.rglob("*.[ch]pp")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            assert len(line) <= 120, f"{path.relative_to(NATIVE.parent)}:{number} has {len(line)} characters"


# Names


def test_no_package_exports_a_name_that_hides_one_of_its_modules() -> None:
    for init in sorted(ROOT.rglob("__init__.py")):
        folder = init.parent
        package = import_module(".".join(("noughts", *folder.relative_to(ROOT).parts)))
        for module in sorted(
            path.stem
            for path in folder.iterdir()
            if (path.suffix == ".py" and path.stem != "__init__") or path.is_dir()
        ):
            assert isinstance(getattr(package, module, ROOT), ModuleType | Path), f"{package.__name__}.{module}"


def test_every_class_has_a_name_of_its_own() -> None:
    homes: dict[str, list[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    assert not {name: files for name, files in homes.items() if len(files) > 1}
