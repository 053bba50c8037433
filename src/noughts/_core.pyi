"""Typed face of the native core (native/bind.cpp)."""

from collections.abc import Callable

from typing_extensions import Buffer

def version() -> str: ...
def cpu_features() -> list[str]: ...
def isas() -> list[str]: ...
def batch_status(
    rows: int,
    columns: int,
    k: int,
    misere: bool,
    x: Buffer,
    o: Buffer,
    codes: Buffer,
    threads: int = 1,
    isa: str = "",
) -> int: ...
def batch_status_planes(
    rows: int,
    columns: int,
    k: int,
    misere: bool,
    planes: Buffer,
    codes: Buffer,
    threads: int = 1,
    isa: str = "",
) -> int: ...
def perft(rows: int, columns: int, k: int, x: int, o: int, depth: int, limit: int) -> int | None: ...
def count_games(
    rows: int, columns: int, k: int, misere: bool, x: int, o: int, limit: int
) -> tuple[int, int, int] | None: ...
def playouts(
    rows: int,
    columns: int,
    k: int,
    misere: bool,
    x: list[int],
    o: list[int],
    games: int,
    seed: int,
    threads: int = 1,
    isa: str = "",
) -> tuple[int, int, int, int]: ...
def search(
    rows: int,
    columns: int,
    k: int,
    misere: bool,
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

class Solver:
    def __init__(self, rows: int, columns: int, k: int, misere: bool) -> None: ...
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
        targets: list[Buffer],
        resume_level: int = -1,
        resume_bytes: Buffer | None = None,
    ) -> int: ...
    def locate(self, x: int, o: int) -> int | None: ...
    def locate_all(self, x: Buffer, o: Buffer, places: Buffer, codes: Buffer) -> None: ...
    def position_at(self, level: int, place: int) -> tuple[int, int]: ...
    def first_wrong(
        self,
        level: int,
        begin: int,
        end: int,
        bytes: Buffer,  # noqa: A002
        next_level: Buffer,
        threads: int,
    ) -> int | None: ...
    def count(self, level: int, bytes: Buffer, threads: int) -> list[int]: ...  # noqa: A002
    def classes(self, positions: list[int], threads: int) -> list[int]: ...
