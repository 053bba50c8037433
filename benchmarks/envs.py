"""Steps a second of environments: ours, and beside them pgx and PettingZoo's own games, in one run.

    pip install 'noughts[envs]' pgx jax                 what is not installed is left out, and said so
    python benchmarks/envs.py [--page]                  prints tables and writes benchmarks/results/envs.json; with
                                                        --page also the table in docs/how-to/which-bridge.md

A step is one move and all that a learner gets from it: observation, reward, end, mask, and a new game where one has
ended. Many boards: 4,096 at once, actions chosen beforehand, legal ones at random, without an opponent; where one is
inside (named), a step is a move and the answer. pgx runs compiled on the processor, 4,096 at once, with its own
auto-reset, and is timed after it has compiled. One board: a step from Python through each interface, the mask read too.
Times are processor times: of one thread, except pgx's, which may use all (its time counts all of them).
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from random import Random

import numpy as np
from _native import race, save

from noughts import Board, Game
from noughts.lab.machine import cpu_model
from noughts.play.vector import VectorEnv

BOARDS, ROUNDS = 4096, 7
GAMES = {"3x3k3": 200, "6x7k4g": 100, "15x15k5": 40}  # and how many steps are timed
PGX = {"3x3k3": "tic_tac_toe", "6x7k4g": "connect_four"}

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "which-bridge.md"
BEGIN, END = "<!-- table -->\n", "<!-- end of table -->\n"

Job = tuple[Callable[[], object], float]


def vector_job(name: str, **options: str) -> Job:
    """Our many boards: actions that are legal when they come up, played again from the same seed."""
    steps, rng = GAMES[name], np.random.default_rng(1)
    env = VectorEnv(Game.parse(name), BOARDS, **options)
    rows, actions = env.reset(seed=1), []
    for _ in range(steps):
        actions.append((rng.random(rows.masks.shape, np.float32) * rows.masks).argmax(axis=1))
        rows = env.step(actions[-1])

    def job() -> None:
        env.reset(seed=1)
        for each in actions:
            env.step(each)

    return job, steps * BOARDS


def pgx_job(name: str) -> Job:
    """pgx's many boards, each step compiled together with the choice of an action."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env, steps = pgx.make(PGX[name]), 50
    init, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def play(state: pgx.State, key: jax.Array) -> pgx.State:
        def one(state: pgx.State, key: jax.Array) -> tuple[pgx.State, jax.Array]:
            choose, fresh = jax.random.split(key)
            chance = jax.random.uniform(choose, state.legal_action_mask.shape)
            action = jnp.argmax(jnp.where(state.legal_action_mask, chance, -1), axis=1)
            state = step(state, action, jax.random.split(fresh, BOARDS))
            return state, state.observation.sum()  # so that it must be made

        return jax.lax.scan(one, state, jax.random.split(key, steps))

    start = jax.jit(init)(jax.random.split(jax.random.PRNGKey(1), BOARDS))
    key = jax.random.PRNGKey(2)
    jax.block_until_ready(play(start, key))
    return lambda: jax.block_until_ready(play(start, key)), steps * BOARDS


def board_job(name: str) -> Job:
    """One board: `Board`, its planes and its mask."""
    game, rng = Game.parse(name), Random(1)

    def job() -> None:
        for _ in range(20):
            board = Board(game)
            while not board.is_over:
                board.planes()
                board.mask()
                board.push(rng.choice(board.moves()))

    return job, counted(game, 20)


def counted(game: Game, games: int) -> int:
    """How many moves so many random games from this seed have."""
    rng, moves = Random(1), 0
    for _ in range(games):
        board = Board(game)
        while not board.is_over:
            board.push(rng.choice(board.moves()))
            moves += 1
    return moves


def zoo_job(make: Callable[[], object], games: int = 20) -> Job:
    """An AEC environment, unwrapped: observe with the mask, step."""
    env, rng, steps = make().unwrapped, Random(1), 0  # type: ignore[attr-defined]

    def job() -> None:
        nonlocal steps
        steps = 0
        for _ in range(games):
            env.reset()
            while not any(env.terminations.values()):
                mask = env.observe(env.agent_selection)["action_mask"]
                env.step(rng.choice(np.flatnonzero(mask).tolist()))
                steps += 1

    job()
    return job, steps


def gymnasium_job(name: str) -> Job:
    """Our single Gymnasium environment against the first free cell."""
    from noughts.bridges.gymnasium import KInARow

    env, rng, steps = KInARow(name, opponent="first"), Random(1), 200

    def job() -> None:
        _, info = env.reset(seed=1)
        for _ in range(steps):
            _, _, ended, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"]).tolist()))
            if ended:
                _, info = env.reset()

    return job, steps


def gymnasium_vector_job(name: str) -> Job:
    """The same many boards through Gymnasium's vector interface, without copies."""
    from noughts.bridges.gymnasium import KInARowVector

    envs, rng, steps = KInARowVector(BOARDS, name, opponent=None, copy=False), np.random.default_rng(1), 50
    _, info = envs.reset(seed=1)
    actions = []
    for _ in range(steps):
        actions.append((rng.random(info["action_mask"].shape, np.float32) * info["action_mask"]).argmax(axis=1))
        _, _, _, _, info = envs.step(actions[-1])

    def job() -> None:
        envs.reset(seed=1)
        for each in actions:
            envs.step(each)

    return job, steps * BOARDS


def tried(jobs: dict[str, Job], name: str, make: Callable[[], Job]) -> None:
    """Add a job, unless what it needs is not installed."""
    try:
        jobs[name] = make()
    except ImportError as missing:
        print(f"LEFT OUT: {name} ({missing})")


def main() -> None:
    tables = []
    for name in GAMES:
        jobs = {"noughts": vector_job(name)}
        jobs |= {f"noughts, opponent {each}": vector_job(name, opponent=each) for each in ("first", "random")}
        if name == "3x3k3":
            jobs["noughts, opponent exact"] = vector_job(name, opponent="exact")
        tried(jobs, "noughts through Gymnasium", lambda name=name: gymnasium_vector_job(name))
        if name in PGX:
            tried(jobs, "pgx", lambda name=name: pgx_job(name))
        tables.append(race(f"{name}: {BOARDS:,} boards at once", "steps", jobs, "noughts", ROUNDS))
    theirs = cycle(["tictactoe", "connect_four"])
    for name in PGX:
        jobs = {"noughts, Board": board_job(name)}
        game = next(theirs)

        def ours(name: str = name) -> object:
            from noughts.bridges import pettingzoo

            return pettingzoo.env(name)

        def their(game: str = game) -> object:
            from importlib import import_module

            return import_module(f"pettingzoo.classic.{game}.{game}").env()

        tried(jobs, "noughts through PettingZoo", lambda ours=ours: zoo_job(ours))
        tried(jobs, "PettingZoo's own", lambda their=their: zoo_job(their))
        tried(jobs, "noughts through Gymnasium", lambda name=name: gymnasium_job(name))
        tables.append(race(f"{name}: one board, from Python", "steps", jobs, "PettingZoo's own", ROUNDS))
    save("envs", tables)
    if "--page" in sys.argv:
        write_page(tables)


def write_page(tables: list[dict]) -> None:
    """Put the rates into the page that compares the ways."""
    lines = [f"On one core of {cpu_model()}, Python {platform.python_version()}.", ""]
    for table in tables:
        lines += [f"| {table['title']} | steps a second |", "|---|---:|"]
        lines += [f"| {name} | {float(format(rate['best'], '.2g')):,.0f} |" for name, rate in table["rates"].items()]
        lines.append("")
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(before + BEGIN + "\n" + "\n".join([*lines, ""]) + END + after, encoding="utf-8")
    print(f"written: {PAGE}")


if __name__ == "__main__":
    main()
