"""Many boards at once, as arrays (extra `batch`: numpy).

Boards come as two unsigned arrays x and o of sets (bit i = cell i, no spare column), or as one array of
planes int8[n, rows, columns] (+1 X, -1 O, 0 empty). Verdicts come as uint8, the numbers of `Status`.

Boards that cannot arise are judged too: a line of X counts before one of O. What is no board at all is
refused: two marks on one cell, a mark outside the board.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noughts import native
from noughts.rules.game import Game
from noughts.rules.marks import Mark, Status
from noughts.rules.rule import doublings
from noughts.words import whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORDS = {"uint16": 16, "uint32": 32, "uint64": 64}


def status(game: Game, x: NDArray[Any], o: NDArray[Any] | None = None, *, threads: int = 1) -> NDArray[np.uint8]:
    """The status of every board: two arrays of sets, or one of planes.

    >>> import numpy as np
    >>> x = np.array([0b000_000_111, 0b000_000_011], dtype=np.uint16)
    >>> o = np.array([0b000_011_000, 0b000_011_000], dtype=np.uint16)
    >>> [str(Status(code)) for code in status(Game(), x, o)]
    ['x_wins', 'ongoing']
    """
    threads = whole("threads", threads, 1, native.MAX_THREADS)
    return _planes_status(game, x, threads) if o is None else _sets_status(game, x, o, threads)


def _sets_status(game: Game, x: NDArray[Any], o: NDArray[Any], threads: int) -> NDArray[np.uint8]:
    import numpy as np

    x, o = as_native(x), as_native(o)
    if x.dtype != o.dtype or x.shape != o.shape:
        raise ValueError(f"x and o must be alike, not {x.dtype}{list(x.shape)} and {o.dtype}{list(o.shape)}")
    if x.dtype.name not in WORDS or game.cells > WORDS[x.dtype.name]:
        fitting = [name for name, bits in WORDS.items() if game.cells <= bits]
        instead = f"arrays of {' or '.join(fitting)}" if fitting else "planes int8[n, rows, columns]"
        raise ValueError(f"{game} needs {instead}, not {x.dtype}")
    core = native.handle(game)
    if core is None:
        return sets_status_plain(game, x, o)
    codes = np.empty(x.shape, np.uint8)
    faults = core.batch_status(x, o, codes, threads)
    if faults:
        _refuse_sets(game, x, o)
    return codes


def _planes_status(game: Game, planes: NDArray[Any], threads: int) -> NDArray[np.uint8]:
    import numpy as np

    planes = as_native(planes)
    if planes.dtype != np.int8 or planes.shape[-2:] != (game.rows, game.columns):
        raise ValueError(
            f"expected planes int8[n, {game.rows}, {game.columns}] for {game}, not {planes.dtype}{list(planes.shape)}"
        )
    core = native.handle(game)
    if core is None:
        return planes_status_plain(game, planes)
    codes = np.empty(planes.shape[:-2], np.uint8)
    if core.batch_status_planes(planes, codes, threads):
        _refuse_planes(planes)
    return codes


def as_native(given: Any, kind: type[np.generic] | None = None) -> NDArray[Any]:
    """An array as the core reads it: gapless, aligned, in the byte order of the machine; its shape stays."""
    import numpy as np

    array = np.asarray(given)
    return np.require(array, kind or array.dtype.newbyteorder("="), ["C", "A"])


# The plain twins


def sets_status_plain(game: Game, x: NDArray[Any], o: NDArray[Any]) -> NDArray[np.uint8]:
    """`status` of sets in numpy, by the shifts of `Rule.has_line`."""
    _refuse_sets(game, x, o)
    full = x.dtype.type((1 << game.cells) - 1)
    return _codes(game, _has_line(game, x), _has_line(game, o), (x | o) == full)


def _has_line(game: Game, sets: NDArray[Any]) -> NDArray[np.bool_]:
    import numpy as np

    word = sets.dtype.type
    found = sets & word(0)
    for direction in game.directions:
        runs = sets
        for step in doublings(game.k):
            runs = runs & (runs >> word(step * game.step(direction)))
        runs = runs & word(game.rule.starts(direction))
        if game.rule.exact:
            longer = runs & (runs >> word(game.step(direction)))
            runs = runs & ~(longer | longer << word(game.step(direction)))
        found |= runs
    return np.asarray(found != 0)


def planes_status_plain(game: Game, planes: NDArray[np.int8]) -> NDArray[np.uint8]:
    """`status` of planes in numpy: the shifts of `Rule.has_line`, with nothing from beyond the edge."""
    import numpy as np

    _refuse_planes(planes)
    complete = {}
    for mark in (1, -1):
        own = planes == mark
        found = np.zeros(planes.shape[:-2], np.bool_)
        for down, right in game.directions:
            runs = own
            for step in doublings(game.k):
                runs = runs & _shifted(runs, step * down, step * right)
            if game.rule.exact:
                runs = runs & ~_shifted(own, game.k * down, game.k * right) & ~_shifted(own, -down, -right)
            found |= runs.any(axis=(-2, -1))
        complete[mark] = found
    return _codes(game, complete[1], complete[-1], (planes != 0).all(axis=(-2, -1)))


def _shifted(boards: NDArray[np.bool_], down: int, right: int) -> NDArray[np.bool_]:
    """Each cell of the result holds the cell so far down and right of it; nothing from beyond the edge."""
    import numpy as np

    moved = np.zeros_like(boards)
    rows, columns = boards.shape[-2:]
    if abs(down) < rows and abs(right) < columns:
        to = slice(max(0, -down), rows - max(0, down)), slice(max(0, -right), columns - max(0, right))
        from_ = slice(max(0, down), rows + min(0, down)), slice(max(0, right), columns + min(0, right))
        moved[(..., *to)] = boards[(..., *from_)]
    return moved


def _codes(game: Game, x: NDArray[np.bool_], o: NDArray[np.bool_], full: NDArray[np.bool_]) -> NDArray[np.uint8]:
    import numpy as np

    codes = np.where(full, np.uint8(Status.DRAW.value), np.uint8(Status.ONGOING.value))
    codes[o] = game.rule.status(Mark.O).value
    codes[x] = game.rule.status(Mark.X).value
    return codes


# What is no board at all


def _refuse_sets(game: Game, x: NDArray[Any], o: NDArray[Any]) -> None:
    word = x.dtype.type
    outside = ((x | o) & word(~((1 << game.cells) - 1) & (1 << WORDS[x.dtype.name]) - 1)) != 0
    overlap = (x & o) != 0
    _refuse(outside | overlap, lambda at: "a mark outside the board" if outside[at] else "two marks on one cell")


def _refuse_planes(planes: NDArray[np.int8]) -> None:
    import numpy as np

    bad = ~np.isin(planes, (-1, 0, 1)).all(axis=(-2, -1))
    _refuse(np.asarray(bad), lambda at: "a cell that is not +1, -1 or 0")


def _refuse(bad: NDArray[np.bool_], why: Any) -> None:
    """Raise ValueError for the first bad board."""
    import numpy as np

    if bad.any():
        at = np.unravel_index(int(np.argmax(bad)), bad.shape)
        name = ", ".join(str(int(i)) for i in at)
        raise ValueError(f"board [{name}] has {why(at)}")
