"""Threats and pairings against strong solutions: nothing that they say alone is wrong, and how much they settle.

    python hardening/soundness.py                     all of the games below: about an hour on two quiet cores
    python hardening/soundness.py 4x4k3 5x5k4         these
    python hardening/soundness.py --sample 2000       with so many random positions in place of all and of 100,000
    python hardening/soundness.py --keep FILE         what was seen goes to FILE; a run that was stopped goes on

Every position of the smallest games is asked about, every class of the next, and 100,000 random positions of the
others. Of 20,000 of each of which something is known, evenly chosen (of the smallest games all), the certificate is
written and must pass, and what is said of each move must be right, too. A wrong verdict or a certificate that does not
pass ends it with the position. The solutions lie on disk meanwhile, in a temporary folder: that of 5x5k4 takes 16 GB
there, and 2.5 GB of memory while it is made.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from itertools import islice
from math import ceil
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from commands import Failed
from record import finish

from noughts import Game, Position, Value
from noughts.proofs import PROVERS
from noughts.proofs.prove import prove
from noughts.proofs.verdicts import UNKNOWN, Verdict
from noughts.rules.value import RANK
from noughts.solve import Solution

EVERY = ("3x3k3", "3x4k3", "3x4k3e")
CLASSES = ("4x4k3", "4x4k4")
RANDOM = {"4x5k4": 100_000, "5x5k4": 100_000, "5x5k3": 100_000}
WAYS = ("threats", "pairing")
CERTIFICATES = 20_000
NODES = 30_000  # of a certificate's question: with fewer, some that the verdict knows have none
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
def opened(folder: str) -> Solution:
    """The strong solution in a folder."""
    return Solution.open(folder)


def chosen(truth: Solution, sample: int | None) -> Iterator[tuple[int, int]]:
    """The positions to ask about, that are not over: X's cells and O's."""
    game, name = truth.game, str(truth.game)
    if sample is None and name not in RANDOM:
        for marks in range(game.cells):
            for position, _ in truth.positions(marks):
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


def right(found: Verdict, value: Value) -> bool:
    """May a position of this value have that verdict?"""
    if not RANK[found.at_least] <= RANK[value.outcome] <= RANK[found.at_most]:
        return False
    if found.is_exact and found.within is not None and found.within < value.plies:
        return False
    return found.remoteness in (None, value.remoteness)


def ask(folder: str, boards: list[tuple[int, int]], certificates: int) -> Told:
    """Ask the two provers about these positions; of so many of those known, all that they say is checked."""
    truth, known, settled = opened(folder), list[Position](), 0
    for board in boards:
        position, found = Position.unchecked(truth.game, *board), UNKNOWN
        for way in WAYS:
            found = found.narrowed(PROVERS[way].verdict(position))
        if not right(found, truth[position]):
            raise Failed(f"{position} is {truth[position]}, and was told to be {found} (within {found.within})")
        settled += found.is_exact
        if found.is_known:
            known.append(position)
    chosen = known[:: max(1, len(known) // certificates)]
    return Told(len(boards), settled, len(known) - settled, sum(examined(position, truth) for position in chosen))


def examined(position: Position, truth: Solution) -> bool:
    """Was a certificate written? It must pass, and what is said of the moves must be right."""
    for way in WAYS:
        for cell, found in PROVERS[way].moves(position).items():
            value = truth[position.play(cell)].for_mover()
            if not right(found, value):
                raise Failed(f"{position.game} {position}: cell {cell} is {value}, and was told to be {found}")
    try:
        return bool(prove(position, nodes=NODES, only=WAYS).claim)
    except AssertionError as problem:  # it does not pass
        raise Failed(str(problem)) from None


def pieces(things: Iterator[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """These, in lists."""
    while piece := [*islice(things, PIECE)]:
        yield piece


def sound(games: list[str], sample: int | None, keep: Path | None) -> str:
    """Ask about each game, print what was seen, and give it in a line."""
    said = []
    print("game      positions   settled  one end   certificates that pass")
    for name in games:
        told = Told()
        for seen in seen_of(name, sample, keep):
            told = told.plus(seen)
            print(f"{name}: {told.positions:,} positions", end="\r", file=sys.stderr)
        settled, halves = told.settled / told.positions, told.halves / told.positions
        print(f"{name:8} {told.positions:10,}   {settled:7.1%}  {halves:7.1%}   {told.certificates:,}", flush=True)
        said.append(f"{name} {told.positions:,}: {settled:.1%} settled, {told.certificates:,} certificates")
    return f"nothing wrong among these positions: {'; '.join(said)}"


def seen_of(name: str, sample: int | None, keep: Path | None) -> Iterator[Told]:
    """What is seen of the pieces of a game; what was kept of them is not asked again."""
    known = {}
    for line in keep.read_text().splitlines() if keep and keep.exists() else []:
        game, wanted, number, *told = json.loads(line)
        if (game, wanted) == (name, sample):
            known[number] = Told(*told)
    yield from known.values()
    with TemporaryDirectory(prefix="noughts-") as folder, ProcessPoolExecutor() as pool:
        with Solution.solve(Game.parse(name), save=folder) as truth:
            boards = dict(enumerate(pieces(chosen(truth, sample))))
        share = PIECE if name in EVERY else ceil(CERTIFICATES / len(boards))
        left = {pool.submit(ask, folder, boards[number], share): number for number in boards if number not in known}
        try:
            for piece in as_completed(left):
                yield piece.result()
                if keep:
                    with keep.open("a") as file:
                        print(json.dumps([name, sample, left[piece], *piece.result()]), file=file)
        except Failed:
            pool.shutdown(cancel_futures=True)
            raise


def main() -> None:
    """Ask about the games that are named, or all."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--keep", type=Path, metavar="FILE")
    wanted = parser.parse_args()
    games = wanted.games or [*EVERY, *CLASSES, *RANDOM]
    finish("soundness", lambda: sound(games, wanted.sample, wanted.keep), whole=not (wanted.games or wanted.sample))


if __name__ == "__main__":
    main()
