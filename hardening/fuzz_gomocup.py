"""The Gomocup protocol: `noughts gomocup` fed with anything.

Law: every line is answered by nothing or by printable lines, and a move names a free cell of the board.
"""

from __future__ import annotations

import random
import re

from fuzzing import Plain, mutated
from laws import require

from noughts.engine.protocol import Brain

LINES = """START 15
START 5
START 20
START 0
RECTSTART 5,7
RESTART
BEGIN
TURN 2,2
TURN 99,1
TURN -1,0
TAKEBACK 2,2
BOARD
1,1,1
2,2,2
0,0,3
DONE
INFO rule 1
INFO rule 9
INFO time_left 1
INFO max_memory 1
INFO folder /
SWAP2BOARD
SUGGEST 1,1
PLAY 3,3
ABOUT
YXBOARD
""".split("\n")  # noqa: SIM905
CELLS = ["1,1", "2,2", "3,3", "4,0", "9,9", "-1,1"]
QUICK = "INFO timeout_turn 1"
WORDS = [b" ", b",", b"-1", b"9" * 30, b"\0", "\u0663".encode(), b"\n", b"START", b"TURN", b"\xff"]


class Target(Plain):
    """What a manager may send."""

    name = "gomocup"

    def input(self, rng: random.Random) -> bytes:
        """Some lines, in any order."""
        some = [QUICK, rng.choice(LINES[:5]), *rng.choices(LINES, k=rng.randrange(12))]
        if rng.random() < 0.3:
            some += ["SWAP2BOARD", *rng.choices(CELLS, k=rng.choice((0, 3, 5))), "DONE"]
        data = "\n".join(some).encode()
        known = [line.encode() for line in LINES]
        return mutated(rng, data, known, WORDS) if rng.random() < 0.6 else data

    def run(self, data: bytes) -> None:
        """Send the lines to a new engine."""
        brain = Brain()
        for line in data.decode("utf-8", "replace").split("\n")[:60]:
            if line.upper().startswith("INFO") and "TIME" in line.upper():
                line = QUICK  # any other time is thought out in full
            said = brain.answer(line)
            for each in (said or "").splitlines():
                require(each.isprintable() and len(each) < 1000, f"to {line[:200]!r}: {each[:500]!r}")
                if re.fullmatch(r"\d+,\d+", each) and brain.size:
                    column, row = map(int, each.split(","))
                    require(
                        row < brain.size[0] and column < brain.size[1], f"to {line[:200]!r}: {each} is off the board"
                    )
                    require(
                        len({*brain.mine, *brain.theirs}) == len(brain.mine) + len(brain.theirs), f"{each} is taken"
                    )
            self.ends[
                "answered with "
                + (said.split()[0] if said and said.split()[0].isupper() else "a move" if said else "nothing")
            ] += 1
