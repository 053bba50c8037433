"""Batch status: who has won on 10 million boards, in one core.

    python benchmarks/native_batch.py      prints tables and writes benchmarks/results/native_batch.json

The peer is a plain C loop, compiled with cc -O3 -march=native on the spot (native_batch_peer.c). It trusts its input;
noughts also finds overlapping marks and marks outside the board in the same pass.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable

import numpy as np
from _native import c_peer, race, save

from noughts import Game, _core
from noughts.rules import batch

BOARDS = 10_000_000


def sets(game: Game, word: type, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Random disjoint sets."""
    rng = np.random.default_rng(1)
    full = (1 << game.cells) - 1
    x = rng.integers(0, full, n, dtype=word, endpoint=True)
    return x, rng.integers(0, full, n, dtype=word, endpoint=True) & ~x


def others() -> dict[str, tuple[Callable[[], object], int]]:
    """Other libraries where they are installed, asked the nearest thing they offer, on reachable positions.

    OpenSpiel has no batches: every state is asked `is_terminal` and `returns`. pgx judges a board as part of a step:
    many states take one move each at once, compiled by jax.
    """
    rng, game = random.Random(1), Game()
    played = []  # a random position before its last move, and that move
    while len(played) < 20_000:
        position, moves = game.start(), []
        for _ in range(rng.randrange(1, 9)):
            if position.is_over:
                break
            moves.append(rng.choice(position.moves()))
            before, position = position, position.play(moves[-1])
        played.append((before, moves))
    after = [before.play(moves[-1]) for before, moves in played]
    x, o = (np.array([getattr(p, mark) for p in after] * 50, np.uint16) for mark in ("x", "o"))
    jobs: dict[str, tuple[Callable[[], object], int]] = {
        "noughts.rules.batch.status": (lambda: batch.status(game, x, o), len(x))
    }
    try:
        import pyspiel
    except ImportError:
        print("(OpenSpiel is not installed: left out)")
    else:
        states = []
        for _, moves in played:
            state = pyspiel.load_game("tic_tac_toe").new_initial_state()
            for cell in moves:
                state.apply_action(cell)
            states.append(state)
        jobs["OpenSpiel, state by state"] = (lambda: [s.is_terminal() and s.returns() for s in states], len(states))
    try:
        import jax
        import pgx
    except ImportError:
        print("(pgx is not installed: left out)")
    else:
        env = pgx.make("tic_tac_toe")
        step = jax.jit(jax.vmap(env.step))
        start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), 1_000_000))
        first = jax.numpy.arange(1_000_000) % 9
        jobs["pgx, a step of 1,000,000 states"] = (
            lambda: jax.block_until_ready(step(start, first).terminated),
            1_000_000,
        )
        step(start, first)
    return jobs


def main() -> None:
    game = Game()
    x, o = sets(game, np.uint16, BOARDS)
    codes = np.zeros(BOARDS, np.uint8)
    cells = 1 << np.arange(9, dtype=np.uint16)
    planes = ((x[:, None] & cells) != 0).astype(np.int8) - ((o[:, None] & cells) != 0).astype(np.int8)
    planes = planes.reshape(-1, 3, 3)

    def native(isa: str):  # type: ignore[no-untyped-def]
        return lambda: _core.Game(3, 3, 3, False).batch_status(x, o, codes, isa=isa)

    jobs = {"noughts.rules.batch.status": (lambda: batch.status(game, x, o), BOARDS)}
    for isa in _core.isas():
        jobs[f"  the core, {isa}"] = (native(isa), BOARDS)
    peer = c_peer("native_batch_peer.c")
    if peer:
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in (x, o, codes)]
        jobs["plain C loop"] = (lambda: peer.batch_status(*pointers, ctypes.c_size_t(BOARDS)), BOARDS)
        peer.batch_status(*pointers, ctypes.c_size_t(BOARDS))
        assert (codes == batch.status(game, x, o)).all()
    tables = [race(f"3x3k3, {BOARDS:,} boards, two uint16 arrays", "boards", jobs, "plain C loop", 25)]

    few = BOARDS // 10
    slow = {
        "noughts.rules.batch.status, planes": (lambda: batch.status(game, planes[:few]), few),
        "noughts.rules.batch.status, sets": (lambda: batch.status(game, x[:few], o[:few]), few),
        "numpy twin, planes": (lambda: batch.planes_status_plain(game, planes[:few]), few),
        "numpy twin, sets": (lambda: batch.sets_status_plain(game, x[:few], o[:few]), few),
    }
    tables.append(race(f"3x3k3, {few:,} boards, against numpy", "boards", slow, "numpy twin, sets", 5))
    tables.append(
        race("3x3k3, reachable boards, against other libraries", "boards", others(), "noughts.rules.batch.status", 5)
    )

    for other, word in ((Game(4, 4, 4), np.uint16), (Game(5, 5, 4), np.uint32), (Game(8, 8, 5), np.uint64)):
        a, b = sets(other, word, few)
        found = codes[:few]
        jobs = {
            f"  the core, {isa}": (
                lambda isa=isa, g=other, a=a, b=b, found=found: _core.Game(*g.key).batch_status(a, b, found, isa=isa),
                few,
            )
            for isa in _core.isas()
        }
        tables.append(race(f"{other}, {few:,} boards", "boards", jobs, "", 15))
    save("native_batch", tables)


if __name__ == "__main__":
    main()
