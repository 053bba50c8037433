"""Finds the native core: the one place that knows whether it is there.

`core()` gives the extension module `noughts._core`, or None where the package was installed without it (no
C++ compiler, or no Python headers); the caller then uses its Python twin. Only absence is forgiven: an
extension that is there and fails to load raises.

Two environment variables, read on the first call:

- `NOUGHTS_REQUIRE_NATIVE=1`: absence raises ImportError here, and fails the build at install.
- `NOUGHTS_NATIVE=0`: the core counts as absent, to test the twins.

The core itself reads a third whenever it chooses its kernels: `NOUGHTS_ISA=baseline` (or avx2, avx512), to test those
that this machine would not use. One that it cannot use raises here.
"""

from __future__ import annotations

import os
from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Protocol

    from typing_extensions import Buffer

    from noughts import _core
    from noughts.rules.game import Game

    class Core(Protocol):
        """The module `noughts._core`: what it offers besides games and solvers."""

        def version(self) -> str: ...
        def cpu_features(self) -> list[str]: ...
        def isas(self) -> list[str]: ...
        def read_places(self, file: int, start: int, places: Buffer, bytes: Buffer) -> bool: ...  # noqa: A002


MAX_THREADS = 1024  # of one job
HOW_TO_GET_IT = (
    "install a C++20 compiler and the Python headers (Debian, Ubuntu: apt install g++ python3-dev), "
    "then noughts again (in a checkout: make clean setup)"
)


@cache
def core() -> Core | None:
    """The native core, or None where it is not installed."""
    if os.environ.get("NOUGHTS_NATIVE") == "0":
        absence = "the native core is switched off by NOUGHTS_NATIVE=0"
    elif _in_subinterpreter() and _is_installed():
        raise ImportError(
            "the native core of noughts works only in the main interpreter, and this is a subinterpreter: "
            "NOUGHTS_NATIVE=0 does without it",
            name="noughts._core",
        )
    else:
        try:
            import noughts._core as found
        except ModuleNotFoundError as error:
            if error.name != "noughts._core":
                raise
            absence = f"noughts is installed without its native core: {HOW_TO_GET_IT}"
        else:
            wish = os.environ.get("NOUGHTS_ISA")
            if wish and wish not in found.isas():
                raise ImportError(f"NOUGHTS_ISA is {wish[:40]!r}, but this machine has {', '.join(found.isas())}")
            return found
    if os.environ.get("NOUGHTS_REQUIRE_NATIVE", "0") not in ("", "0"):
        raise ImportError(f"NOUGHTS_REQUIRE_NATIVE is set, but {absence}", name="noughts._core")
    return None


def handle(game: Game) -> _core.Game | None:
    """A game as the native core knows it, with what the core does for games; None where it is not installed."""
    return None if core() is None else _handle(game)


@lru_cache(maxsize=64)
def _handle(game: Game) -> _core.Game:
    from noughts import _core

    return _core.Game(*game.key)


@lru_cache(maxsize=8)
def solver(game: Game) -> _core.Solver:
    """The strong solver of a game, where the core is installed."""
    from noughts import _core

    return _core.Solver(_handle(game))


def _in_subinterpreter() -> bool:
    """Is this an interpreter beside the main one? There the core would wait for ever for the lock of Python."""
    for name in ("_interpreters", "_xxsubinterpreters"):  # from Python 3.13 on, and before
        try:
            interpreters = import_module(name)
        except ModuleNotFoundError:
            continue
        return bool(interpreters.get_current() != interpreters.get_main())
    return False


def _is_installed() -> bool:
    from importlib.util import find_spec

    return find_spec("noughts._core") is not None


def status() -> str:
    """One line for people: is the core in use, and how to get it if not."""
    native = core()
    if native is not None:
        return f"native core {native.version()}"
    if os.environ.get("NOUGHTS_NATIVE") == "0":
        return "Python twins (slow): the native core is switched off by NOUGHTS_NATIVE=0"
    return f"Python twins (slow), without the native core. To get it: {HOW_TO_GET_IT}"
