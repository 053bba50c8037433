"""What each idea of the engine gains: the engine against itself without it, by equal nodes.

    python benchmarks/_engine_ideas.py                     every idea, 100 games each, 6,000 nodes a move: some minutes
    python benchmarks/_engine_ideas.py --games 20 reducing some of them; nothing is written

It writes its table in docs/explanation/engine.md: the difference in Elo, and how many nodes the search takes to a depth
with and without the idea, in the middle of games.
"""

from __future__ import annotations

import argparse
from itertools import islice
from pathlib import Path
from statistics import geometric_mean

from engine import Strength, openings

from noughts import Game, Position
from noughts.engine import IDEAS, Engine
from noughts.play.matches import Score

PAGE = Path(__file__).resolve().parents[1] / "docs/explanation/engine.md"
BEGIN, END = "<!-- ideas: benchmarks/_engine_ideas.py writes this table -->", "<!-- ideas end -->"
GAME = Game(15, 15, 5)
DEPTH = 6
MIDDLE = 8  # marks further on in a game, where depths are compared
OUTSIDE = {"proving", "checking"}  # the search: what it takes to a depth does not depend on them


def play(first: Engine, second: Engine, position: Position, nodes: int) -> str | None:
    """Who wins: X, O or nobody; `first` is to move."""
    engines = {position.turn: first, position.turn.other: second}
    for each in engines.values():
        each.forget()
    while not position.is_over:
        position = position.play(engines[position.turn].think(position, nodes=nodes).move)
    return position.winner and str(position.winner)


def against(idea: str, starts: list[Position], nodes: int) -> Strength:
    """The whole engine against one without an idea, each opening with both sides."""
    whole, without = Engine(GAME, memory_mb=16), Engine(GAME, memory_mb=16, without=[idea])
    score = Score()
    for start in starts:
        for mine, pair in ((start.turn, (whole, without)), (start.turn.other, (without, whole))):
            winner = play(*pair, start, nodes)
            score.wins += winner == str(mine)
            score.draws += winner is None
            score.losses += winner == str(mine.other)
    return Strength(score)


def middles(starts: list[Position]) -> list[Position]:
    """Positions in the middle of games, in which nobody has a win yet that is easily seen."""
    engine, found = Engine(GAME, memory_mb=16), []
    for position in starts:
        for _ in range(MIDDLE):
            view = engine.think(position, nodes=2000)
            if view.best.plies:
                break
            position = position.play(view.move)
        else:
            found.append(position)
    return found


def nodes_to(depth: int, positions: list[Position], without: list[str]) -> list[int]:
    """The nodes to a depth in each position."""
    engine = Engine(GAME, memory_mb=16, without=[*without, *OUTSIDE])
    found = []
    for position in positions:
        engine.forget()
        found.append(engine.think(position, depth=depth).nodes)
    return found


def main() -> None:
    """Play, and write the table."""
    parser = argparse.ArgumentParser(description="What each idea of the engine gains.")
    parser.add_argument("ideas", nargs="*", default=[*IDEAS])
    parser.add_argument("--games", type=int, default=100, help="for each idea")
    parser.add_argument("--nodes", type=int, default=6000, help="of a move")
    given = parser.parse_args()
    starts = list(islice(openings(GAME, 3), given.games // 2))
    quiet = middles(starts[:20])
    whole = nodes_to(DEPTH, quiet, [])
    rows = [
        f"| without | what it is | won - lost - drawn | Elo it gains | nodes to depth {DEPTH} |",
        "|---|---|---|---|---|",
    ]
    for idea in given.ideas:
        found = against(idea, starts, given.nodes)
        score = found.score
        span = f"{found.elo():+.0f} ({found.elo(-1.96):+.0f} to {found.elo(1.96):+.0f})"
        times = "-"
        if idea not in OUTSIDE:
            less = nodes_to(DEPTH, quiet, [idea])
            times = f"{geometric_mean(b / a for a, b in zip(whole, less, strict=True)):.1f} x"
        rows.append(f"| {idea} | {IDEAS[idea]} | {score.wins} - {score.losses} - {score.draws} | {span} | {times} |")
        print(rows[-1], flush=True)
    if given.ideas == [*IDEAS]:
        told = (
            f"{len(starts) * 2} games for each row, {given.nodes:,} nodes a move, {GAME}, each even opening with both "
            f"sides; in brackets where 95 of 100 such matches lie. Nodes: how many times as many without the idea, the "
            f"geometric mean over {len(quiet)} positions."
        )
        text = PAGE.read_text(encoding="utf-8")
        head, tail = text.split(BEGIN)[0], text.split(END)[1]
        PAGE.write_text(f"{head}{BEGIN}\n\n" + "\n".join(rows) + f"\n\n{told}\n\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
