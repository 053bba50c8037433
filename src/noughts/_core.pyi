"""Typed face of the native core (native/bind.cpp)."""

from collections.abc import Callable
from typing import Any, TypeAlias

from numpy.typing import NDArray
from typing_extensions import Buffer

_Array: TypeAlias = Buffer | NDArray[Any]  # to the types of Python 3.11 an array is no buffer

def version() -> str: ...
def cpu_features() -> list[str]: ...
def isas() -> list[str]: ...

class Game:
    def __init__(
        self, rows: int, columns: int, k: int, misere: bool, exact: bool = False, gravity: bool = False
    ) -> None: ...
    def batch_status(self, x: _Array, o: _Array, codes: _Array, threads: int = 1, isa: str = "") -> int: ...
    def batch_status_planes(self, planes: _Array, codes: _Array, threads: int = 1, isa: str = "") -> int: ...
    def perft(self, x: int, o: int, depth: int, limit: int, visits: int) -> int | None: ...
    def count_games(self, x: int, o: int, limit: int, visits: int) -> tuple[int, int, int] | None: ...
    def playouts(
        self, x: list[int], o: list[int], games: int, seed: int, threads: int = 1, isa: str = ""
    ) -> tuple[int, int, int, int]: ...
    def search(
        self,
        x: list[int],
        o: list[int],
        order: list[int],
        by_evaluation: bool,
        prunes: bool,
        carried: bool,
        depth: int,
        limit: int,
    ) -> list[tuple[int, int, int, int, int, int]] | None: ...

_Counts = tuple[int, int, int, int, list[int], list[int]]  # marks, positions, classes, ties, wins, losses by remoteness

class TooLarge(ValueError): ...

def read_places(file: int, start: int, places: Buffer, bytes: Buffer) -> bool: ...  # noqa: A002

class Connect:
    def __init__(self, game: Game, table_bits: int) -> None: ...
    def value(self, x: int, o: int, limit: int, threads: int = 1) -> tuple[int, int, int] | None: ...

class Solver:
    def __init__(self, game: Game) -> None: ...
    def level_bytes(self) -> list[int]: ...
    def block_bytes(self, level: int) -> int: ...
    def memory(self, threads: int) -> int: ...
    def run(
        self,
        threads: int,
        memory: int,
        isa: str,
        progress: Callable[[int, int, int], None] | None,
        level_done: Callable[[_Counts], None],
        files: list[tuple[int, int]],
        targets: list[_Array],
        resume_level: int = -1,
        resume_bytes: _Array | None = None,
    ) -> int: ...
    def locate(self, x: int, o: int) -> int | None: ...
    def locate_all(self, x: _Array, o: _Array, places: _Array, codes: _Array) -> None: ...
    def position_at(self, level: int, place: int) -> tuple[int, int]: ...
    def first_wrong(
        self,
        level: int,
        begin: int,
        end: int,
        bytes: _Array,  # noqa: A002
        next_level: _Array,
        threads: int,
    ) -> int | None: ...
    def count(self, level: int, bytes: Buffer, threads: int) -> list[int]: ...  # noqa: A002
    def classes(self, positions: list[int], threads: int) -> list[int]: ...
