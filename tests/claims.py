"""What a certificate claims, and what is so: random positions, the checker's word, and that of the strong solution."""

from __future__ import annotations

import io
import json
import random
from functools import cache

from noughts import Game, Position
from noughts.proofs import check
from noughts.proofs.certificate import lines
from noughts.proofs.prove import Proven
from noughts.solve import Solution

WORTH = {"win": 1, "tie": 0, "loss": -1}


def text_of(found: Proven) -> str:
    return "".join(f"{line}\n" for line in lines(found.position, found.verdict.certificate))


def certificate(game: str, *body: str, position: str = "", claim: str = "X wins") -> str:
    """A certificate written by hand."""
    rows, columns = (int(number) for number in game.partition("k")[0].split("x"))
    board = position or "/".join(["." * columns] * rows)
    head = {"noughts": "certificate", "version": 1, "game": game, "position": board, "claim": claim}
    return "\n".join([json.dumps(head), *body, ""])


def checked(text: str) -> check.Ruled:
    return check.check_file(io.BytesIO(text.encode()))


def some(game: Game, count: int, seed: int) -> list[Position]:
    """Random positions that are not over, or else the full board."""
    rng, found = random.Random(seed), list[Position]()
    while len(found) < count:
        position = game.start()
        for _ in range(rng.randrange(game.cells)):
            if not position.is_over:
                position = position.play(rng.choice(position.moves()))
        found.append(position)
    return found


@cache
def solution(game: Game) -> Solution:
    return Solution.solve(game)


def x_gets(position: Position) -> int:
    """The value of a position for X: 1, 0 or -1."""
    return WORTH[solution(position.game)[position].outcome] * (1 if position.turn.value == "X" else -1)


def is_true(claim: str, value: int) -> bool:
    return {"X wins": value > 0, "O wins": value < 0, "X holds": value >= 0, "O holds": value <= 0, "tie": value == 0}[
        claim
    ]
