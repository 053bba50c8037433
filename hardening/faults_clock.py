"""The clock: a manager that drives the engine by the Gomocup protocol, on a busy machine; no move may come late.

Timeouts of 100 ms, 1 s and 5 s a move, and a match clock; besides the engine, as many programs as there are cores do
nothing but count. CLOCK_MOVES says how many moves are made in all (1,000), the slower clocks fewer of them. The other
side is the engine on some nodes, which loses less quickly than moves of chance; a match has one second for all moves.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import monotonic

from laws import Broken

from noughts import Game, Position
from noughts.engine import Engine
from noughts.engine.opening import central

MOVES = int(os.environ.get("CLOCK_MOVES", "1000"))
SHARES = {"100 ms": (100, 0, 0.80), "1 s": (1000, 0, 0.08), "5 s": (5000, 0, 0.02), "match": (1000, 1000, 0.10)}
GAME = Game(15, 15, 5)
OPENING = 4  # marks of chance
NODES = 20_000  # of a move of the other side
ENGINE = Path(sys.executable).with_name("pbrain-noughts")
SETTINGS = "INFO timeout_turn {}\nINFO timeout_match {}\nINFO max_memory 350000000\nSTART 15"


@contextmanager
def load() -> Iterator[None]:
    """As many programs as there are cores, which keep them busy."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for each in busy:
            each.kill()
            each.wait()


class Manager:
    """One engine, and the clock that it plays against."""

    def __init__(self, turn: int, match: int) -> None:
        self.turn, self.match, self.left, self.slowest = turn, match, match, 0.0
        self.program = subprocess.Popen([ENGINE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.ask(*SETTINGS.format(turn, match).splitlines())

    def ask(self, *lines: str) -> str:
        """Its next line after these."""
        assert self.program.stdin
        assert self.program.stdout
        self.program.stdin.write("".join(f"{line}\n" for line in lines))
        self.program.stdin.flush()
        return self.program.stdout.readline().strip()

    def move(self, position: Position) -> int:
        """Its move, which is timed; Broken if it is late or none."""
        stones = [
            f"{cell % 15},{cell // 15},{whose}"
            for whose, side in enumerate(position.sides, 1)
            for cell in GAME.cells_of(side)
        ]
        began = monotonic()
        answer = self.ask(f"INFO time_left {self.left if self.match else 2147483647}", "BOARD", *stones, "DONE")
        took = 1000 * (monotonic() - began)
        self.slowest = max(self.slowest, took)
        self.left -= int(took)
        if took > self.turn or (self.match and self.left < 0):
            raise Broken(f"a move took {took:.0f} ms, of {self.turn} ms, with {self.left} ms left in the match")
        if not (found := re.fullmatch(r"(\d+),(\d+)", answer)):
            raise Broken(f"it answered {answer[:80]!r}")
        return int(found[2]) * 15 + int(found[1])


def play(turn: int, match: int, moves: int, dice: Random) -> str:
    """So many moves, in as many games as it takes; and in words the slowest, and the least that a match had left."""
    made, games, slowest, least, other = 0, 0, 0.0, match, Engine(GAME, memory_mb=4)
    while made < moves:
        manager, position = Manager(turn, match), GAME.start()
        for cell in dice.sample(central(GAME, 3), OPENING + games % 2):
            position = position.play(cell)
        while not position.is_over and made < moves:
            position = position.play(manager.move(position))
            made += 1
            if not position.is_over:
                position = position.play(other.think(position, nodes=NODES).move)
        games, slowest, least = games + 1, max(slowest, manager.slowest), min(least, manager.left)
        manager.ask("END")
        manager.program.wait(10)
    left = f", the least left in a match {least} of {match} ms" if match else ""
    return f"{made} moves of {games} games, the slowest {slowest:.0f} ms{left}"


def main() -> str:
    """Play against every clock."""
    dice, told = Random(1), []
    with load():
        for name, (turn, match, share) in SHARES.items():
            told.append(f"{name}: {play(turn, match, max(1, round(MOVES * share)), dice)}")
            print(f"   {told[-1]}", flush=True)
    return f"none late ({'; '.join(told)}), with as many busy programs as cores"
