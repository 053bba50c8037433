"""Build the native core with every compiler that it is meant for, each warning an error: `make compilers`.

    g++, clang++            this machine's module and program, then `solve --check` on small games
    aarch64-linux-gnu-g++   the same for arm64, which must not see a header of x86; qemu-aarch64, where there is one,
                            runs the program, and the module too where ARM64_PYTHON names a Python for arm64, such
                            as "qemu-aarch64 -L ROOT ROOT/usr/bin/python3"

A compiler that is not installed is named and left out; with all of them there, the result is recorded.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import tomllib
from pathlib import Path

import nanobind
from commands import ROOT, TOOLS, Failed, run
from record import finish

WORK = ROOT / "build" / "compilers"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
CROSS = ["-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64"]
COMPILERS = {"g++": [], "clang++": [], "aarch64-linux-gnu-g++": CROSS}
GAMES = ["1x1k1", "3x3k3", "3x4k3", "4x3k3"]  # each compared with a plain recursion, position by position
X86_HEADER = re.compile(r"/(\w*intrin|immintrin|cpuid)\.h$")
SMOKE = """
from array import array
from noughts import native
from noughts import Game
game, codes = native.handle(Game()), bytearray(2)
assert game.perft(0, 0, 5, 10**9) == 9 * 8 * 7 * 6 * 5  # nobody wins before the fifth mark
assert sum(game.playouts([], [], 1000, 7)[:3]) == 1000
assert game.batch_status(array("H", [0, 0b111]), array("H", [0, 0b11000]), codes) == 0
assert codes[0] == 0 != codes[1], codes
"""


def build(compiler: str, options: list[str]) -> Path:
    """Build everything from nothing; the folder with what was built."""
    folder = WORK / compiler
    shutil.rmtree(folder, ignore_errors=True)
    env = {name: value for name, value in os.environ.items() if name not in ("CXX", "CXXFLAGS", "LDFLAGS")}
    env |= {"NOUGHTS_REQUIRE_NATIVE": "1", "PATH": f"{TOOLS}{os.pathsep}{env['PATH']}"}
    settings = {
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_CXX_COMPILER": compiler,
        "CMAKE_COMPILE_WARNING_AS_ERROR": "ON",
        "NOUGHTS_PROGRAMS": "ON",
        "SKBUILD_PROJECT_VERSION": VERSION,
        "SKBUILD_SABI_COMPONENT": "Development.SABIModule" if sys.version_info >= (3, 12) else "",
        "Python_EXECUTABLE": sys.executable,
        "nanobind_DIR": nanobind.cmake_dir(),
    }
    defined = [f"-D{name}={value}" for name, value in settings.items()]
    run("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", *defined, *options, env=env)
    run("cmake", "--build", folder, env=env)
    return folder


def without_x86(folder: Path) -> int:
    """Nothing that was compiled may have seen a header of x86; how many files were compiled."""
    seen: dict[str, list[str]] = {}
    target = ""
    for line in run(TOOLS / "ninja", "-C", folder, "-t", "deps").splitlines():
        if line.startswith("    "):
            seen[target].append(line.strip())
        elif ": #deps" in line:
            target = line.partition(":")[0]
            seen[target] = []
    for target, headers in seen.items():
        if guilty := [header for header in headers if X86_HEADER.search(header)]:
            raise Failed(f"{target} was compiled with {', '.join(guilty)}")
    return len(seen)


def compare(folder: Path, *emulator: str) -> int:
    """Run the program on small games, every position of which it compares; how many."""
    for game in GAMES:
        run(*emulator, folder / "solve", game, "--check")
    return len(GAMES)


def native(compiler: str) -> str:
    """Build for this machine, and try it; one phrase of figures."""
    folder = build(compiler, COMPILERS[compiler])
    files = len(run(TOOLS / "ninja", "-C", folder, "-t", "deps").split(": #deps")) - 1
    version = run(compiler, "-dumpfullversion", "-dumpversion").strip()
    return f"{compiler} {version}: {files} files, no warning, {compare(folder)} games right"


def arm64(compiler: str) -> str:
    """Build for arm64, and try it under an emulator; one phrase of figures."""
    folder = build(compiler, COMPILERS[compiler])
    module = next(folder.glob("_core*.so"))
    for file in (module, folder / "solve"):
        if "AArch64" not in run("readelf", "-h", file):
            raise Failed(f"{file} is not for arm64")
    version = run(compiler, "-dumpfullversion", "-dumpversion").strip()
    text = f"{compiler} {version}: {without_x86(folder)} files, no warning, no header of x86"
    if qemu := emulator():
        text += f", {compare(folder, qemu, '-L', '/usr/aarch64-linux-gnu')} games right under qemu"
    if python := os.environ.get("ARM64_PYTHON"):
        package = folder / "package" / "noughts"
        shutil.copytree(ROOT / "src" / "noughts", package)
        shutil.copy2(module, package / "_core.abi3.so")
        run(*shlex.split(python), "-c", SMOKE, env=os.environ | {"PYTHONPATH": str(package.parent)})
        text += ", the module right in Python under qemu"
    return text


def emulator() -> str | None:
    """What runs programs for arm64 here."""
    return shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")


def tried(compiler: str) -> str:
    """Build with this compiler; one phrase of figures."""
    print(f"compilers: {compiler}", flush=True)
    return (arm64 if compiler.startswith("aarch64") else native)(compiler)


def main() -> None:
    """Build with all that are there."""
    there = [compiler for compiler in COMPILERS if shutil.which(compiler)]
    missing = [compiler for compiler in COMPILERS if compiler not in there] + ["qemu-aarch64"] * (not emulator())
    finish("compilers", lambda: "; ".join(tried(compiler) for compiler in there), whole=not missing)
    if missing:
        packages = "g++ clang g++-aarch64-linux-gnu qemu-user"
        sys.exit(f"compilers: not installed, so not tried: {', '.join(missing)} (Debian: {packages})")


if __name__ == "__main__":
    main()
