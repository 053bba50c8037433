"""noughts beside other libraries that know tic-tac-toe, at the same work, in one run.

    pip install open_spiel==2.0.2 cvxpy pgx==2.6.0 jax 'pettingzoo[classic]' easyAI
    python benchmarks/peers.py           prints tables and writes benchmarks/results/peers.json

    random games    as many as can be had from Python in a second, by whatever the library offers for it
    a move          from Python: play it, and ask whether the game is over and who has won
    a best move     at the empty board, by search
    every value     of all positions

What is not installed is left out, and said so. The peers are good at other things: OpenSpiel at a hundred games and at
learning, pgx at thousands of boards on an accelerator (here it runs on the processor, and is timed after it has
compiled), PettingZoo at being a standard, easyAI at being simple. The moves of noughts are those of `Position`, a
value, and of `Board`, which changes in place as OpenSpiel's state does; making it is counted for both. Times are
processor times, of all threads together.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from _native import race, save

from noughts import Board, Game
from noughts.rules.playouts import playouts
from noughts.search import search
from noughts.solve import Solution

Job = tuple[Callable[[], object], float]
Jobs = dict[str, Job]

MOVES = (4, 0, 2, 6, 3, 5, 1, 7, 8)  # a whole game, drawn: so that everybody makes the same nine moves
REPEATS = 200


def noughts_jobs() -> dict[str, Jobs]:
    """The library itself."""
    rules = Game()
    start = rules.start()

    def game() -> None:
        for _ in range(REPEATS):
            position = start
            for cell in MOVES:
                position = position.play(cell)
                position.status  # noqa: B018

    def in_place() -> None:
        for _ in range(REPEATS):
            board = Board(rules)
            for cell in MOVES:
                board.push(cell)
                board.status  # noqa: B018

    def in_place_in_one() -> None:
        for _ in range(REPEATS):
            board = Board(rules)
            for cell in MOVES:
                _ = board.push(cell)

    return {
        "random games": {"noughts": (lambda: playouts(start, 200_000, seed=1), 200_000)},
        "moves": {
            "noughts": (game, REPEATS * len(MOVES)),
            "noughts, Board": (in_place, REPEATS * len(MOVES)),
            "noughts, what push gives": (in_place_in_one, REPEATS * len(MOVES)),
        },
        "best moves": {"noughts": (lambda: search(start, "alphabeta", window="carried"), 1)},
        "whole solves": {"noughts": (lambda: Solution.solve(Game()), 1)},
    }


def open_spiel_jobs() -> dict[str, Jobs]:
    """OpenSpiel: rules in C++, driven from Python; its searches for perfect play are in Python."""
    import pyspiel
    from open_spiel.python.algorithms import minimax

    spiel, rng = pyspiel.load_game("tic_tac_toe"), random.Random(1)

    def games() -> None:
        for _ in range(300):
            state = spiel.new_initial_state()
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))

    def game() -> None:
        for _ in range(REPEATS):
            state = spiel.new_initial_state()
            for cell in MOVES:
                state.apply_action(cell)
                if state.is_terminal():
                    state.returns()

    found: dict[str, Jobs] = {
        "random games": {"OpenSpiel": (games, 300)},
        "moves": {"OpenSpiel": (game, REPEATS * len(MOVES))},
        "best moves": {"OpenSpiel, alpha-beta": (lambda: minimax.alpha_beta_search(spiel), 1)},
    }
    try:
        from open_spiel.python.algorithms.value_iteration import value_iteration
    except ImportError as missing:
        print(f"LEFT OUT: the value iteration of OpenSpiel ({missing})")
    else:
        found["whole solves"] = {"OpenSpiel, value iteration": (lambda: value_iteration(spiel, -1, 0.01), 1)}
    return found


def pgx_jobs() -> dict[str, Jobs]:
    """pgx: rules in JAX, compiled for whole batches."""
    import jax
    import jax.numpy as jnp
    import pgx

    env, batch = pgx.make("tic_tac_toe"), 8192

    def choose(key: jax.Array, state: pgx.State) -> jax.Array:
        return jax.random.categorical(key, jnp.where(state.legal_action_mask, 0.0, -jnp.inf))

    @jax.jit
    def games(key: jax.Array) -> jax.Array:
        def step(states: pgx.State, key: jax.Array) -> tuple[pgx.State, None]:
            actions = jax.vmap(choose)(jax.random.split(key, batch), states)
            return jax.vmap(env.step)(states, actions), None

        states = jax.vmap(env.init)(jax.random.split(key, batch))
        states, _ = jax.lax.scan(step, states, jax.random.split(key, 9))
        return states.rewards

    init, step, key = jax.jit(env.init), jax.jit(env.step), jax.random.PRNGKey(1)

    def game() -> None:
        for _ in range(2):
            state = init(key)
            for cell in MOVES:
                state = step(state, cell)
                if state.terminated:
                    state.rewards.block_until_ready()

    games(key).block_until_ready()
    game()
    return {
        "random games": {f"pgx, {batch:,} at once": (lambda: games(key).block_until_ready(), batch)},
        "moves": {"pgx, one board": (game, 2 * len(MOVES))},
    }


def pettingzoo_jobs() -> dict[str, Jobs]:
    """PettingZoo: rules in Python behind a standard environment."""
    from pettingzoo.classic import tictactoe_v3

    env, rng = tictactoe_v3.raw_env(), random.Random(1)

    def games() -> None:
        for _ in range(100):
            env.reset()
            while not any(env.terminations.values()):
                mask = env.observe(env.agent_selection)["action_mask"]
                env.step(rng.choice([cell for cell in range(9) if mask[cell]]))

    def game() -> None:
        for _ in range(50):
            env.reset()
            for cell in MOVES:
                env.step(cell)
                if any(env.terminations.values()):
                    dict(env.rewards)

    return {"random games": {"PettingZoo": (games, 100)}, "moves": {"PettingZoo": (game, 50 * len(MOVES))}}


def easyai_jobs() -> dict[str, Jobs]:
    """easyAI: its own TicTacToe, and its Negamax."""
    from easyAI import AI_Player, Negamax
    from easyAI.games.TicTacToe import TicTacToe

    rng = random.Random(1)

    def new() -> TicTacToe:
        return TicTacToe([AI_Player(Negamax(9)), AI_Player(Negamax(9))])

    def games() -> None:
        for _ in range(100):
            game = new()
            while not game.is_over():
                game.play_move(rng.choice(game.possible_moves()))

    def game() -> None:
        for _ in range(50):
            game = new()
            for cell in MOVES:
                game.play_move(cell + 1)
                if game.is_over():
                    game.lose()

    return {
        "random games": {"easyAI": (games, 100)},
        "moves": {"easyAI": (game, 50 * len(MOVES))},
        "best moves": {"easyAI, Negamax(9)": (lambda: Negamax(9)(new()), 1)},
    }


PEERS = {
    "OpenSpiel": open_spiel_jobs,
    "pgx": pgx_jobs,
    "PettingZoo": pettingzoo_jobs,
    "easyAI": easyai_jobs,
}


def main() -> None:
    work = noughts_jobs()
    for name, jobs in PEERS.items():
        try:
            found = jobs()
        except ImportError as missing:
            print(f"LEFT OUT: {name} is not installed ({missing})")
            continue
        for title, added in found.items():
            work[title].update(added)
    tables = []
    for title, jobs in work.items():
        made = race(f"3x3: {title}", title, jobs, "noughts", 3 if title == "whole solves" else 7)
        for name, rate in made["rates"].items():
            if not name.startswith("noughts"):
                times = 1 / rate["ratio"]
                print(
                    f"    noughts does {times:,.0f} times as many as {name}"
                    if times >= 10
                    else f"    noughts does {times:.2g} times as many as {name}"
                )
        tables.append(made)
    save("peers", tables)


if __name__ == "__main__":
    main()
