"""Threats and pairings against strong solutions: nothing that they say alone is wrong, and how much they settle.

    python hardening/soundness.py                     all of the games below: about an hour on two quiet cores
    python hardening/soundness.py 4x4k3 5x5k4         these
    python hardening/soundness.py --sample 2000       with so many random positions in place of all and of 100,000

Every position of the smallest games is asked about, every class of the next, and 100,000 random positions of the
others. Of up to 20,000 of each, evenly chosen, the certificate is written and must pass. A wrong verdict or a
certificate that does not pass ends it with the position.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import islice
from random import Random
from typing import NamedTuple

from noughts import Game, Position
from noughts.proofs import PROVERS
from noughts.proofs.prove import prove
from noughts.proofs.verdicts import UNKNOWN
from noughts.rules.value import RANK
from noughts.solve import Solution

EVERY = ("3x3k3", "3x4k3", "3x4k3e")
CLASSES = ("4x4k3", "4x4k4")
RANDOM = {"4x5k4": 100_000, "5x5k4": 100_000, "5x5k3": 100_000}
WAYS = ("threats", "pairing")
CERTIFICATES = 20_000
NODES = 3_000  # of a certificate's question
PIECE = 2_000  # positions that a worker is asked about at once


class Told(NamedTuple):
    """What was seen of some positions."""

    positions: int = 0
    settled: int = 0
    halves: int = 0  # where one end is known
    certificates: int = 0

    def plus(self, other: Told) -> Told:
        """Both together."""
        return Told(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


@cache
def solution(game: Game) -> Solution:
    """Its strong solution."""
    return Solution.solve(game)


def chosen(game: Game, sample: int | None) -> Iterator[tuple[int, int]]:
    """The positions to ask about, that are not over: X's cells and O's."""
    name = str(game)
    if sample is None and name not in RANDOM:
        for marks in range(game.cells):
            for position, _ in solution(game).positions(marks):
                if not position.is_over and (name not in CLASSES or position == position.canonical()):
                    yield position.x, position.o
        return
    random, left = Random(name), sample or RANDOM[name]
    while left:
        position = game.start()
        for _ in range(random.randrange(game.cells)):
            after = position.play(random.choice(position.moves()))
            if after.is_over:
                break
            position = after
        yield position.x, position.o
        left -= 1


def ask(game: Game, boards: list[tuple[int, int]], every: int) -> Told:
    """Ask the two provers about these positions; the certificate of every so-manieth is checked."""
    told, truth = Told(), solution(game)
    for number, board in enumerate(boards):
        position, found = Position.unchecked(game, *board), UNKNOWN
        value = truth[position]
        for way in WAYS:
            found = found.narrowed(PROVERS[way].verdict(position))
        right = RANK[found.at_least] <= RANK[value.outcome] <= RANK[found.at_most]
        within = found.within if found.is_exact and found.within is not None else game.cells
        if not (right and found.remoteness in (None, value.remoteness) and within >= value.plies):
            raise AssertionError(f"{position} is {value}, and was told to be {found} (within {found.within})")
        written = 0
        if number % every == 0 and found.is_known:
            proven = prove(position, nodes=NODES, only=WAYS)  # raises if the certificate does not pass
            written = bool(proven.claim)
        told = told.plus(Told(1, found.is_exact, found.is_known and not found.is_exact, written))
    return told


def pieces(things: Iterator[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """These, in lists."""
    while piece := [*islice(things, PIECE)]:
        yield piece


def main() -> None:
    """Ask about each game, and print what was seen."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", default=[*EVERY, *CLASSES, *RANDOM])
    parser.add_argument("--sample", type=int)
    wanted = parser.parse_args()
    print("game      positions   settled  one end   certificates that pass")
    for name in wanted.games:
        game = Game.parse(name)
        solution(game)  # before there are workers, so that they share it
        boards = [*pieces(chosen(game, wanted.sample))]
        every = max(1, sum(map(len, boards)) // CERTIFICATES) if name not in EVERY else 1
        told = Told()
        with ProcessPoolExecutor() as pool:
            for done, part in enumerate(pool.map(ask, [game] * len(boards), boards, [every] * len(boards)), 1):
                told = told.plus(part)
                if done % 20 == 0:
                    print(f"{name}: {told.positions:,} positions", file=sys.stderr)
        settled, halves = told.settled / told.positions, told.halves / told.positions
        print(f"{name:8} {told.positions:10,}   {settled:7.1%}  {halves:7.1%}   {told.certificates:,}", flush=True)


if __name__ == "__main__":
    main()
