"""The plain strong solver: every level, byte by byte, as `plain` values its positions. Slow, and right by definition.

It makes what the native solver makes: the bytes of `index` and the counts of `summary`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from noughts.rules.game import Game
from noughts.rules.position import Position
from noughts.rules.value import Value
from noughts.solve import plain
from noughts.solve.index import UNREACHABLE, PlainIndex, Set, decode, encode
from noughts.solve.summary import Level


def solve_levels(
    game: Game, below: int | None = None, progress: Callable[[int, int, int], None] | None = None
) -> Iterator[tuple[Level, bytes]]:
    """Each level's counts and bytes, from the fullest board (or below a level) down to the empty one."""
    index = PlainIndex(game)
    top = game.cells if below is None else below - 1
    total, done = sum(index.level_bytes()[: top + 1]), 0
    for marks in range(top, -1, -1):
        codes = bytearray()
        for x in index.open((marks + 1) // 2):
            block = _block(index, x, marks)
            codes += block
            done += len(block)
            if progress:
                progress(marks, done, total)
        yield count(index, marks, codes), bytes(codes)


def count(index: PlainIndex, marks: int, codes: bytes | bytearray) -> Level:
    """What the bytes of a level amount to: all its positions, and the classes that they make."""
    values, classes, code = Counter[Value](), 0, iter(codes)
    for x in index.open((marks + 1) // 2):
        own = _own_symmetries(index, x)
        for o in index.sets_beside(x, marks // 2):
            value = decode(next(code), marks, index.cells)
            if value:
                values[value] += len(index.maps) // len(own)
                classes += _is_smallest(index, o, own)
    if marks % 2:  # X may just have won, and such positions have no byte
        for x in index.won((marks + 1) // 2):
            own = _own_symmetries(index, x)
            for o in index.sets_beside(x, marks // 2):
                if index.common(o) == -1:
                    values[index.game.rule.completed] += len(index.maps) // len(own)
                    classes += _is_smallest(index, o, own)
    return Level.of(marks, classes, values)


def _block(index: PlainIndex, x: Set, marks: int) -> bytes:
    """The bytes of one X set."""
    return bytes(_code(index, x, o, marks) for o in index.sets_beside(x, marks // 2))


def _code(index: PlainIndex, x: Set, o: Set, marks: int) -> int:
    """The byte of a position in which X has no line."""
    game, common = index.game, index.common(o)
    if common != -1:
        arises = common and marks % 2 == 0
        return encode(game.rule.completed, marks) if arises else UNREACHABLE
    sets = (index.to_cells(numbers) for numbers in (x, o))
    return encode(plain.value(Position.unchecked(game, *sets)), marks)


def _own_symmetries(index: PlainIndex, x: Set) -> list[int]:
    """The symmetries that leave a set as it is."""
    return [number for number, image in enumerate(index.images(x)) if image == x]


def _is_smallest(index: PlainIndex, o: Set, own: list[int]) -> bool:
    """Does this O represent its class? X's own symmetries make others of it, and we count the smallest."""
    if len(own) == 1:
        return True
    images = index.images(o)
    return all(images[number] >= o for number in own)
