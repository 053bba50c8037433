"""The opening of Connect Four: the value of every position of up to six marks, computed once and kept with the package.

    noughts book 6x7k4g 6                 the game, and the most marks
    wSlRtT…                             two letters a position: w, t or l, and the plies to the end, from '0' on;
                                          ?? where it is not known
    1f6b…                                 the SHA-256 of all that is before

The positions come by marks, then by the sets of X and of O as numbers; of two mirror images only the smaller. So
nothing need be said of where they are. `make book` computes it, and goes on where it was stopped.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from time import monotonic

from noughts.files import writing
from noughts.progress import Progress
from noughts.rules.game import Bits, Game
from noughts.rules.position import Position
from noughts.rules.symmetry import symmetries
from noughts.rules.value import Outcome, Value
from noughts.solve import falling
from noughts.solve.problems import Damaged

GAME = Game.parse("6x7k4g")
MARKS = 6
FILE = Path(__file__).with_name("connect-four.book")
HEAD = f"noughts book {GAME} {MARKS}"
OUTCOMES: dict[str, Outcome] = {"w": "win", "t": "tie", "l": "loss"}
UNKNOWN = "??"
WIDTH = 60  # positions a line
TABLE = 25  # 2^25 words while it is computed: 256 MB
SECONDS = 20.0  # between two times that it is written

Sets = tuple[Bits, Bits]
Values = dict[Sets, Value]


def canonical(x: Bits, o: Bits) -> Sets:
    """The smaller of two mirror images."""
    return min((x, o), (_mirrored(x), _mirrored(o)))


@lru_cache(maxsize=2**16)
def _mirrored(bits: Bits) -> Bits:
    (flip,) = symmetries(GAME)[1:]
    return GAME.bits_of(flip.cells[cell] for cell in GAME.cells_of(bits))


def children(sets: Sets) -> list[Sets]:
    """What one move makes of a position, each once, from the left."""
    x, o = sets
    bits = [1 << cell for cell in GAME.cells_of(GAME.rule.playable(x | o))]
    moved = [(x | bit, o) if x.bit_count() == o.bit_count() else (x, o | bit) for bit in bits]
    return list(dict.fromkeys(canonical(*each) for each in moved))


@lru_cache(maxsize=MARKS + 1)
def level(marks: int) -> tuple[Sets, ...]:
    """The positions with so many marks, in the order of the book. Nobody can have a line of four so early.

    >>> [len(level(marks)) for marks in range(5)]
    [1, 4, 25, 121, 568]
    """
    if marks == 0:
        return ((0, 0),)
    return tuple(sorted({child for sets in level(marks - 1) for child in children(sets)}))


@lru_cache(maxsize=1)
def positions() -> tuple[Sets, ...]:
    """All positions of the book, in its order."""
    return tuple(sets for marks in range(MARKS + 1) for sets in level(marks))


def in_turn() -> Iterator[Sets]:
    """The positions of the last level as play meets them: those that have much in common follow each other."""
    seen: set[Sets] = set()
    before = [(0, 0)]
    while before:
        sets = before.pop()
        if sets in seen:
            continue
        seen.add(sets)
        if sum(map(int.bit_count, sets)) == MARKS:
            yield sets
        else:
            before += reversed(children(sets))


# The file


def read(path: Path) -> Values:
    """What a book knows; Damaged says what is wrong with it."""
    try:
        text = path.read_bytes().decode("ascii")
    except UnicodeDecodeError:
        raise Damaged(f"{path} is damaged: it has bytes that no book has") from None
    body, _, rest = text.rpartition("\n")[0].rpartition("\n")
    if not body.startswith(f"{HEAD}\n"):
        raise Damaged(f"{path} is no book of {GAME}: it does not begin with {HEAD!r}")
    if sha256(f"{body}\n".encode()).hexdigest() != rest:
        raise Damaged(f"{path} is damaged: its checksum is not that of what it holds")
    pairs = "".join(body.split("\n")[1:])
    found = (pairs[i : i + 2] for i in range(0, len(pairs), 2))
    return {
        sets: Value(OUTCOMES[pair[0]], ord(pair[1]) - ord("0"))
        for sets, pair in zip(positions(), found, strict=True)
        if pair != UNKNOWN
    }


def write(path: Path, values: Values) -> None:
    """Put a book in its place, at once."""
    pairs = [
        values[sets].outcome[0] + chr(ord("0") + values[sets].plies) if sets in values else UNKNOWN
        for sets in positions()
    ]
    lines = ["".join(pairs[i : i + WIDTH]) for i in range(0, len(pairs), WIDTH)]
    body = "\n".join((HEAD, *lines, ""))
    with writing(path) as file:
        file.write(f"{body}{sha256(body.encode()).hexdigest()}\n")


@lru_cache(maxsize=1)
def kept() -> Values:
    """What the package's own book knows."""
    return read(FILE) if FILE.exists() else {}


def value(position: Position) -> Value | None:
    """What the book says of a position; None where it says nothing.

    >>> value(GAME.start())
    Value(outcome='win', remoteness=41)
    """
    if position.game != GAME or position.marks > MARKS:
        return None
    return kept().get(canonical(position.x, position.o))


# Its making


def completed(values: Values) -> Values:
    """The values, and those of all earlier positions that they decide: of which every move is known."""
    found = dict(values)
    for marks in reversed(range(MARKS)):
        for sets in level(marks):
            after = [found.get(child) for child in children(sets)]
            known = [each.for_mover() for each in after if each is not None]
            if len(known) == len(after):
                found[sets] = max(known)
    return found


def computing(path: Path = FILE, table: int = TABLE) -> Generator[Progress, None, Values]:
    """Compute what a book does not know yet, and write it down now and then, and when it is stopped."""
    values = read(path) if path.exists() else {}
    write(path, values)  # what cannot be written is better known before the work than after
    todo = [sets for sets in in_turn() if sets not in values]
    last, total = monotonic(), len(level(MARKS))
    solver = falling.solver(GAME, table)
    try:
        for sets in todo:
            found = solver.value(*sets, falling.NO_LIMIT)
            assert found is not None, "there is no limit"
            values[sets] = Value(falling.OUTCOMES[found[0]], found[1])
            yield Progress(f"positions of {MARKS} marks", sum(1 for each in level(MARKS) if each in values), total)
            if monotonic() - last > SECONDS:
                write(path, completed(values))
                last = monotonic()
    finally:
        values = completed(values)
        write(path, values)
    return values
