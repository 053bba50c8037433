"""Certificates: mutated, truncated, packed, nested deeply, referring to themselves, huge.

Law: refused in one sentence, or what is claimed is true, as the strong solution has it.
"""

from __future__ import annotations

import io
import random
import zlib
from functools import cache
from time import process_time

from fuzzing import mutated, one_line
from laws import require

from noughts import Game, Position
from noughts.proofs import check
from noughts.proofs.certificate import lines
from noughts.proofs.prove import prove
from noughts.rules.position import InvalidPosition
from noughts.solve import Solution

STEERED = "noughts.proofs.check"
GAMES = ("3x3k3", "3x4k3", "4x4k3", "4x4k4", "3x4k3e", "1x8k3")
WORDS = b"@1|@1 0|*|m|p|a|weak|X wins|O wins|X holds|O holds|tie|stealing|over|end|1:|15|256|-1|3x3k3|\n|/|{|\xff"
LARGE = 16  # cells of the largest game that is solved
PATIENCE = 30  # seconds of processor time for one file
WORTH = {"win": 1, "tie": 0, "loss": -1}
solution = cache(Solution.solve)


@cache
def good() -> list[bytes]:
    """Certificates that hold."""
    rng, found = random.Random(0), []
    for game in map(Game.parse, GAMES):
        for _ in range(30):
            position = game.start()
            for _ in range(rng.randrange(game.cells)):
                position = position if position.is_over else position.play(rng.choice(position.moves()))
            if (proved := prove(position, nodes=9_000)).claim:
                found.append("\n".join([*lines(position, proved.verdict.certificate), ""]).encode())
    return found


def made(rng: random.Random) -> bytes:
    """A certificate with something wrong."""
    data, words = rng.choice(good()), WORDS.split(b"|")
    head, _, body = data.partition(b"\n")
    kind = rng.randrange(10)
    if kind == 0:
        return data[: rng.randrange(len(data))]
    if kind == 1:  # nested deeply, referring to itself or to what comes later, or huge
        line = rng.choice([b"1: 0 1\n", b"@1 0\n", b"1: @1 0\n", b"* 0\n", b"a 0 1\n", b"m 0\n", body])
        return head + b"\n" + body.partition(b"\n")[0] + b"\n" + line * rng.choice((2, 1_000, 100_000)) + b"end\n"
    if kind == 2:
        return b"[" * rng.choice((10, 10_000, 1_000_000)) + body
    if kind < 7:  # lines left out, doubled or exchanged, words changed: most of these can still be read
        rows = [line.split(b" ") for line in body.splitlines()]
        at, other = rng.randrange(len(rows)), rng.randrange(len(rows))
        rows[at][rng.randrange(len(rows[at]))] = rng.choice((*rng.choice(rows), b"%d" % rng.randrange(LARGE)))
        rows[at], rows[other] = rng.choice([(rows[other], rows[at]), (rows[at], rows[at]), (rows[at], [])])
        return b"\n".join([head, *(b" ".join(line) for line in rows if line), b""])
    changed = mutated(rng, data, good(), words)
    if kind == 7:
        packed = zlib.compress(changed if rng.random() < 0.5 else data)
        return mutated(rng, packed, good(), words) if rng.random() < 0.5 else packed
    return changed


def law(data: bytes) -> str:
    """Check a file."""
    began = process_time()
    try:
        found = check.check_file(io.BytesIO(data))
    except check.Unreadable as problem:
        one_line(str(problem))
        return "unreadable"
    finally:
        require(process_time() - began < PATIENCE, f"it took {process_time() - began:.0f} s")
    if not found.holds:
        require(found.reason and len(found.reason.splitlines()) == 1, f"no reason, but {found.reason[:500]!r}")
        return "refuted"
    try:
        position = Position.parse(f"{found.game}:{found.position}")
    except InvalidPosition:
        return "true of what cannot arise"
    require(position.game.cells <= LARGE, f"{found.game} is proven, of a seed of at most {LARGE} cells")
    value = WORTH[solution(position.game)[position].outcome] * (1 if position.turn.value == "X" else -1)
    claims = {"X wins": value > 0, "O wins": value < 0, "X holds": value >= 0, "O holds": value <= 0}
    require((claims | {"tie": value == 0})[found.claim], f"{found.claim} is proven, and is false: {position}")
    return "true"
