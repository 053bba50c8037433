"""Typed face of the native core (native/bind.cpp)."""

def version() -> str: ...
def cpu_features() -> list[str]: ...
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
