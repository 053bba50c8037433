"""Build the native core with every compiler that it is meant for, each warning an error: `make compilers`.

    g++, clang++            this machine's module and program, then `solve --check` on small games
    aarch64-linux-gnu-g++   the same for arm64: it has no header of x86, and fails where one is asked for; qemu-aarch64,
                            where there is one, runs the program, and the module too where ARM64_PYTHON names a Python
                            for arm64, such as "qemu-aarch64 -L ROOT ROOT/usr/bin/python3"

A compiler that is not installed is named and left out; with all of them there, the result is recorded.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tomllib

import nanobind
from commands import ROOT, TOOLS, Failed, run
from record import finish

WORK = ROOT / "build" / "compilers"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
CROSS = ["-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64"]
COMPILERS = {"g++": [], "clang++": [], "aarch64-linux-gnu-g++": CROSS}
GAMES = ["1x1k1", "3x3k3", "3x4k3", "4x3k3"]  # each compared with a plain recursion, position by position
EMULATOR = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")  # runs programs for arm64 here
SETTINGS = {
    "CMAKE_BUILD_TYPE": "Release",
    "CMAKE_COMPILE_WARNING_AS_ERROR": "ON",
    "NOUGHTS_PROGRAMS": "ON",
    "SKBUILD_PROJECT_VERSION": VERSION,
    "SKBUILD_SABI_COMPONENT": "Development.SABIModule" if sys.version_info >= (3, 12) else "",
    "Python_EXECUTABLE": sys.executable,
    "nanobind_DIR": nanobind.cmake_dir(),
}
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


def tried(compiler: str) -> str:
    """Build everything from nothing with this compiler, and try what was built; one phrase of figures."""
    print(f"compilers: {compiler}", flush=True)
    folder, options = WORK / compiler, COMPILERS[compiler]
    shutil.rmtree(folder, ignore_errors=True)
    env = {name: value for name, value in os.environ.items() if name not in ("CXX", "CXXFLAGS", "LDFLAGS")}
    env |= {"NOUGHTS_REQUIRE_NATIVE": "1", "PATH": f"{TOOLS}{os.pathsep}{env['PATH']}"}
    defined = [f"-D{name}={value}" for name, value in (SETTINGS | {"CMAKE_CXX_COMPILER": compiler}).items()]
    run("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", *defined, *options, env=env)
    run("cmake", "--build", folder, env=env)
    files = run(TOOLS / "ninja", "-C", folder, "-t", "deps").count(": #deps")
    version = run(compiler, "-dumpfullversion", "-dumpversion").strip()
    text = f"{compiler} {version}: {files} files, no warning"
    if not options:
        return f"{text}, {compared(folder / 'solve')} games right"
    module = next(folder.glob("_core*.so"))
    for file in (module, folder / "solve"):
        if "AArch64" not in run("readelf", "-h", file):
            raise Failed(f"{file} is not for arm64")
    text += ", no header of x86"  # this compiler has none
    if EMULATOR:
        text += f", {compared(EMULATOR, '-L', '/usr/aarch64-linux-gnu', folder / 'solve')} games right under qemu"
    if python := os.environ.get("ARM64_PYTHON"):
        package = folder / "package" / "noughts"
        shutil.copytree(ROOT / "src" / "noughts", package)
        shutil.copy2(module, package / "_core.abi3.so")
        run(*shlex.split(python), "-c", SMOKE, env=os.environ | {"PYTHONPATH": str(package.parent)})
        text += ", the module right in Python under qemu"
    return text


def compared(*program: object) -> int:
    """Run the program on small games, every position of which it compares; how many."""
    for game in GAMES:
        run(*map(str, program), game, "--check")
    return len(GAMES)


def main() -> None:
    """Build with all that are there."""
    there = [compiler for compiler in COMPILERS if shutil.which(compiler)]
    missing = [compiler for compiler in COMPILERS if compiler not in there] + ["qemu-aarch64"] * (not EMULATOR)
    finish("compilers", lambda: "; ".join(map(tried, there)), whole=not missing)
    if missing:
        packages = "g++ clang g++-aarch64-linux-gnu qemu-user"
        sys.exit(f"compilers: not installed, so not tried: {', '.join(missing)} (Debian: {packages})")


if __name__ == "__main__":
    main()
