"""Values of many boards at once, from a solution. The only part of `solve` that needs numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.native import core
from noughts.rules.batch import as_native
from noughts.rules.game import Game
from noughts.solve.index import NO_PLACE, TIE, UNREACHABLE
from noughts.solve.levelfile import PAGE, LevelFile
from noughts.solve.solution import Solution
from noughts.words import brief


def values(solution: Solution, x: NDArray[Any], o: NDArray[Any]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Outcomes (1 win, 0 tie, -1 loss for the player to move) and remotenesses (-1: cannot arise)."""
    x, o = check_sets(solution.game, x, o)
    found, marks = codes(solution, x, o), bit_counts(x) + bit_counts(o)
    x_wins, o_wins = (found > TIE) & (found != UNREACHABLE), found < TIE
    outcome = np.where(x_wins, 1, np.where(o_wins, -1, 0)) * np.where(marks % 2, -1, 1)
    end = np.where(x_wins, 254 - found.astype(np.int64), np.where(o_wins, found, solution.game.cells))
    remoteness = np.where(found == UNREACHABLE, -1, end - marks)
    return outcome.astype(np.int8), remoteness.astype(np.int8)


def codes(solution: Solution, x: NDArray[np.uint32], o: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """The bytes of boards, as `index` describes them."""
    places, found = np.empty(len(x), np.uint64), np.empty(len(x), np.uint8)
    solution.index.locate_all(x, o, places, found)
    marks, placed = bit_counts(x) + bit_counts(o), places != np.uint64(NO_PLACE)
    for level in np.unique(marks[placed]):
        here = np.flatnonzero(placed & (marks == level))
        found[here] = _gather(solution.levels[level], places[here])
    return found


def _gather(level: LevelFile | bytearray, places: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """The bytes at these places; of a file page by page."""
    if not isinstance(level, LevelFile):
        return np.frombuffer(level, np.uint8)[places]
    found, pages, native = np.empty(len(places), np.uint8), places // np.uint64(PAGE), core()
    if native and level.raw:
        fresh = np.zeros(level.header.pages, bool)
        fresh[pages] = True
        for page in np.flatnonzero(fresh & ~np.frombuffer(level.checked, bool)).tolist():
            level.page(page)
        level.read_places(native.read_places, places, found)
        return found
    order = np.argsort(pages, kind="stable")
    numbers, begins = np.unique(pages[order], return_index=True)
    for page, here in zip(numbers.tolist(), np.split(order, begins[1:]), strict=True):
        found[here] = np.frombuffer(level.page(page), np.uint8)[places[here] % np.uint64(PAGE)]
    return found


def check_sets(game: Game, x: NDArray[Any], o: NDArray[Any]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """The sets of X and O as flat arrays of words; ValueError if they are no boards of this game."""
    checked = []
    for name, given in (("x", x), ("o", o)):
        sets = np.asarray(given)
        if sets.ndim != 1 or sets.dtype.kind not in "iu":
            raise ValueError(f"{name} must be a flat array of whole numbers, not {brief(given)}")
        if len(sets) and not 0 <= int(sets.min()) <= int(sets.max()) < 1 << game.cells:
            raise ValueError(f"{name} must be sets of the {game.cells} cells of {game}, from 0 to 2^{game.cells} - 1")
        checked.append(as_native(sets, np.uint32))
    own, other = checked
    if len(own) != len(other):
        raise ValueError(f"x and o must be equally long, not {len(own)} and {len(other)}")
    if (own & other).any():
        raise ValueError("x and o must not hold the same cell")
    ahead = bit_counts(own) - bit_counts(other)
    if ((ahead != 0) & (ahead != 1)).any():
        raise ValueError("X must have as many marks as O, or one more")
    return own, other


def bit_counts(sets: NDArray[np.uint32]) -> NDArray[np.int64]:
    """How many cells each set has."""
    left = sets - (sets >> np.uint32(1) & np.uint32(0x55555555))
    left = (left & np.uint32(0x33333333)) + (left >> np.uint32(2) & np.uint32(0x33333333))
    left = (left + (left >> np.uint32(4))) & np.uint32(0x0F0F0F0F)
    counts: NDArray[np.int64] = (left * np.uint32(0x01010101) >> np.uint32(24)).astype(np.int64)
    return counts
