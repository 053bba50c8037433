"""The Gomocup protocol: our engine under a manager that sends anything. (`bots` is the other way round.)

Law: every line is answered by nothing or by printable lines, and a move names a free cell of the board.
"""

from __future__ import annotations

import random
import re

from fuzzing import mutated, seeds
from laws import require

from noughts.engine.protocol import Brain

QUICK = "INFO timeout_turn 1"
LINES = seeds("gomocup")


def made(rng: random.Random) -> bytes:
    """Some lines, in any order."""
    some = [QUICK.encode(), rng.choice(LINES[:5]), *rng.choices(LINES, k=rng.randrange(12))]
    if rng.random() < 0.3:
        some += [b"SWAP2BOARD", *rng.choices(LINES[-6:], k=rng.choice((0, 3, 5))), b"DONE"]
    data = b"\n".join(some)
    return mutated(rng, data, LINES) if rng.random() < 0.6 else data


def law(data: bytes) -> str:
    """Send the lines to a new engine."""
    brain, moves = Brain(), 0
    for line in data.decode("utf-8", "replace").split("\n")[:60]:
        if line.upper().startswith("INFO") and "TIME" in line.upper():
            line = QUICK  # any other time is thought out in full
        for each in (brain.answer(line) or "").splitlines():
            require(each.isprintable() and len(each) < 1000, f"to {line[:200]!r}: {each[:500]!r}")
            if re.fullmatch(r"\d+,\d+", each) and brain.size:
                column, row = map(int, each.split(","))
                rows, columns = brain.size
                require(row < rows and column < columns, f"to {line[:200]!r}: {each} is off the board")
                both = [*brain.mine, *brain.theirs]
                require(len({*both}) == len(both), f"to {line[:200]!r}: {each} is taken")
                moves += 1
    return "with a move" if moves else "without"
