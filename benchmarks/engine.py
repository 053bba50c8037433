"""The engine's strength: matches from even openings, with Elo and how sure it is.

    python benchmarks/engine.py                                  a ladder: the engine against itself with 4 x the nodes
    python benchmarks/engine.py engine:1 gomocup:./pbrain-x      any two players of noughts match, or engines of others
    python benchmarks/engine.py A B --sprt 20                    goes on until A is, or is not, 20 Elo stronger than B
    python benchmarks/engine.py pbrain-x pbrain-y --manager c-gomoku-cli      two programs, by a manager of others
    make ladder REV=v0.1.0                                       the engine of this checkout against that revision's

Each opening is played twice, with sides changed: some marks of chance near the centre that look even to the engine. All
prints a table; the results go to benchmarks/results/engine.json.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from math import log10, sqrt
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from _native import save

from noughts import Game, Position
from noughts.engine import Engine
from noughts.engine.opening import central
from noughts.play import Forfeit, by_name
from noughts.play.engine import EnginePlayer, think
from noughts.play.matches import Maker, Score

EVEN = 0.06  # chances off one half
JUDGE = 100_000  # nodes that judge an opening
SURE = 2.94  # the log-likelihood ratio that ends a sequential test: errors of 5 % either way


def openings(game: Game, seed: int) -> Iterator[Position]:
    """Even openings without end."""
    dice, engine = Random(seed), Engine(game, memory_mb=16)
    while True:
        position = game.start()
        for cell in dice.sample(central(game, 3), dice.randrange(3, 8)):
            if not position.is_over:
                position = position.play(cell)
        if not position.is_over and abs(engine.think(position, nodes=JUDGE).best.chance - 0.5) < EVEN:
            yield position


def played(position: Position, first: Maker, second: Maker, seed: int) -> str | None:
    """Who wins: X, O or nobody; `first` is X. Whoever breaks the rules loses."""
    players = {"X": first(seed), "O": second(seed)}
    while not position.is_over:
        try:
            position = position.play(players[str(position.turn)](position))
        except Forfeit as problem:
            print(f"   {players[str(position.turn)]}: {problem.problem}")
            return str(position.turn.other)
    return None if position.winner is None else str(position.winner)


@dataclass(frozen=True)
class Strength:
    """A score as a difference of Elo."""

    score: Score

    @property
    def variance(self) -> float:
        """Of the points of one game."""
        share, games = self.score.share, self.score.games
        parts = ((1, self.score.wins), (0.5, self.score.draws), (0, self.score.losses))
        return max(sum(count * (points - share) ** 2 for points, count in parts) / games, 0.25 / games)

    def elo(self, off: float = 0.0) -> float:
        """The difference, at so many standard errors from the middle."""
        share = self.score.share + off * sqrt(self.variance / self.score.games)
        share = min(max(share, 0.001), 0.999)
        return -400 * log10(1 / share - 1)

    def ratio(self, elo: float) -> float:
        """How much likelier the score is with a difference of `elo` than without one: the logarithm."""
        stronger = 1 / (1 + 10 ** (-elo / 400))
        gap = stronger - 0.5
        return self.score.games * gap * (2 * self.score.share - 0.5 - stronger) / (2 * self.variance)

    def __str__(self) -> str:
        score = self.score
        span = f"{self.elo(-1.96):+.0f} to {self.elo(1.96):+.0f}"
        return f"+{score.wins} ={score.draws} -{score.losses}   {score.share:.1%}   Elo {self.elo():+.0f} ({span})"


def match(a: Maker, b: Maker, game: Game, games: int, seed: int, sprt: float | None) -> Strength:
    """Play so many games, or with `sprt` at most so many, until it is sure."""
    score = Score()
    for number, position in enumerate(openings(game, seed)):
        for sides in ((a, b), (b, a)):
            winner = played(position, *sides, seed + number)
            mine = "X" if sides[0] is a else "O"
            score.wins += winner == mine
            score.draws += winner is None
            score.losses += winner is not None and winner != mine
        found = Strength(score)
        print(f"   {found}", flush=True)
        if score.games >= games or (sprt and abs(found.ratio(sprt)) >= SURE):
            return found
    raise AssertionError("openings do not end")


def managed(manager: str, programs: list[str], game: Game, games: int, seconds: float, seed: int) -> Strength:
    """The same by a manager of others that takes the options of c-gomoku-cli; it starts the programs."""
    if game not in (Game(game.rows, game.rows, 5), Game(game.rows, game.rows, 5, exact=True)):
        raise SystemExit(f"a manager plays five in a row on square boards, not {game}")
    with TemporaryDirectory() as folder:
        file = Path(folder, "openings.txt")
        file.write_text("".join(f"{sequence(each)}\n" for each in islice(openings(game, seed), (games + 1) // 2)))
        command = [
            manager, "-rule", str(int(game.exact)), "-boardsize", str(game.rows), "-games", str(games), "-repeat",
            "-openings", f"file={file}", "type=pos", "-each", f"tc=0/{seconds:g}",
        ]  # fmt: skip
        for name, program in zip("ab", programs, strict=True):
            command += ["-engine", f"cmd={program.removeprefix('gomocup:')}", f"name={name}"]
        found = None
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout or ():
                if score := re.match(r"Score of a vs b: (\d+) - (\d+) - (\d+)", line):
                    wins, losses, draws = map(int, score.groups())
                    found = Strength(Score(wins, draws, losses))
                    print(f"   {found}", flush=True)
    if process.returncode or not found:
        raise SystemExit(f"{manager} tells no score (exit {process.returncode})")
    return found


def sequence(position: Position) -> str:
    """The marks as managers write openings: h8i9…, the rows from the top."""
    sides = [iter(position.game.cells_of(side)) for side in (position.x, position.o)]
    cells = (divmod(next(sides[number % 2]), position.game.columns) for number in range(position.marks))
    return "".join(f"{chr(ord('a') + column)}{row + 1}" for row, column in cells)


class Nodes(EnginePlayer):
    """The engine on another budget of nodes."""

    budget = 0

    def likes(self, position: Position) -> list[int]:
        """The best move."""
        return [think(position, None, self.budget).move]


def with_nodes(nodes: int) -> Maker:
    """The engine with so many nodes a move."""
    return type(f"Nodes{nodes}", (Nodes,), {"budget": nodes})


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="The engine's strength.")
    parser.add_argument("players", nargs="*", help="two players, as in noughts match")
    parser.add_argument("--game", default="15x15k5")
    parser.add_argument("--games", type=int, default=0, help="100 for two players, 8 for each step of the ladder")
    parser.add_argument("--seconds", type=float, default=1.0, help="for a move of a program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--manager", help="a program such as c-gomoku-cli, that plays the games of two programs")
    parser.add_argument("--sprt", type=float, help="stop when it is sure whether A is so many Elo stronger")
    given = parser.parse_args()
    game, rows = Game.parse(given.game), []
    if given.players:
        a, b = given.players
        print(f"{a} against {b}, {game}")
        if given.manager:
            found = managed(given.manager, [a, b], game, given.games or 100, given.seconds, given.seed)
        else:
            with by_name.maker(a, given.seconds) as first, by_name.maker(b, given.seconds) as second:
                found = match(first, second, game, given.games or 100, given.seed, given.sprt)
        rows.append({"a": a, "b": b, "score": found.score.to_json(), "elo": found.elo()})
    else:
        for nodes in (8000, 32_000):
            print(f"{nodes:,} nodes against {nodes // 4:,}, {game}")
            found = match(with_nodes(nodes), with_nodes(nodes // 4), game, given.games or 8, given.seed, None)
            rows.append(
                {"a": f"{nodes} nodes", "b": f"{nodes // 4} nodes", "score": found.score.to_json(), "elo": found.elo()}
            )
    if given.sprt:
        sure = found.ratio(given.sprt)
        print(
            "it is stronger" if sure >= SURE else "it is not" if sure <= -SURE else "it is not sure", f"({sure:+.2f})"
        )
    save("engine", rows)


if __name__ == "__main__":
    main()
