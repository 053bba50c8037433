"""Certificates: mutated, truncated, packed, nested deeply, referring to themselves, huge.

Law: refused in one sentence, or what is claimed is true, as the strong solution has it.
"""

from __future__ import annotations

import io
import random
import zlib

from fuzzing import mutated, one_line, seeds, tests
from laws import require

from noughts import Position
from noughts.proofs import check
from noughts.rules.position import InvalidPosition

with tests():
    from altered import changed, proofs
    from claims import is_true, x_gets

STEERED = "noughts.proofs.check"
HUGE = 2_000_000  # bytes
SOLVED = 20  # cells of the largest game that is solved: that of a seed


def made(rng: random.Random) -> bytes:
    """A certificate with something wrong."""
    texts: list[str] = [text for text, _ in proofs()]
    text, kind = rng.choice(texts), rng.randrange(10)
    others = [each.encode() for each in rng.choices(texts, k=5)]
    if kind < 4:  # a word or the order of lines: most of these can still be read
        return str(changed(text, rng)[0]).encode()
    data = text.encode()
    if kind < 6:  # nested deeply, referring to itself or to what comes later, or huge
        *head, body = data.split(b"\n", 2)
        often = rng.choice([*seeds("certificates"), body.removesuffix(b"end\n")]) + rng.choice((b"\n", b"\n", b" "))
        return b"\n".join([*head, often * rng.choice((2, 1_000, HUGE // len(often))) + b"end\n"])
    if kind < 7:
        data = zlib.compress(mutated(rng, data, others))
    return mutated(rng, data, [*others, b""]) if rng.random() < 0.9 else data


def law(data: bytes) -> str:
    """Check a file."""
    try:
        found = check.check_file(io.BytesIO(data))
    except check.Unreadable as problem:
        one_line(str(problem))
        return "unreadable"
    if not found.holds:
        require(found.reason and len(found.reason.splitlines()) == 1, f"no reason, but {found.reason[:500]!r}")
        return "refuted"
    try:
        position = Position.parse(f"{found.game}:{found.position}")
    except InvalidPosition:
        return "true of what cannot arise"
    require(position.game.cells <= SOLVED, f"{found.game} is proven, of a seed of at most {SOLVED} cells")
    require(is_true(found.claim, x_gets(position)), f"{found.claim} is proven, and is false: {position}")
    return "true"
