"""Wins by fours and by threes on large boards: how long they take, and how much is settled in how long.

    python benchmarks/threats.py             prints tables and writes benchmarks/results/threats.json
    python benchmarks/threats.py 60          also looks a minute at each position that a second does not settle
    python benchmarks/threats.py 60 15x15k5  the same on this board alone

Middle games are random, but not foolish: a move beside other marks, which completes a line if it can, or meets one.
Those among them that hold a win by fours of so many plies are few where it is long. Composed positions are made of
them: a mark at a time is put elsewhere, as long as the shortest win does not become shorter. The table of shares says
how many positions a budget settles: won, or surely not by fours and threes. A minute is tried on every second of them.
"""

from __future__ import annotations

import sys
from random import Random
from statistics import median, quantiles
from time import perf_counter

from _native import save

from noughts import Game, Position
from noughts.proofs import fours, threes
from noughts.threats import blocking_moves, winning_moves

GAMES = ("15x15k5", "15x15k5e", "10x10k5", "19x19k6")
MARKS = (6, 10, 14, 20, 30, 40, 60)
EACH = 20  # positions of each number of marks
LONG = range(5, 18, 2)  # plies of wins
TRIES = 150  # to make a win longer
BUDGETS = (0.01, 0.1, 1.0)  # seconds


def middle_game(game: Game, marks: int, random: Random) -> Position:
    """A position of so many marks, played with half an eye on the lines; nobody can complete one at once."""
    while True:
        position = game.start().play(game.cells // 2)
        while position.marks < marks and not position.is_over:
            near = winning_moves(position) or blocking_moves(position) or beside(position)
            position = position.play(random.choice(near))
        if not position.is_over and not winning_moves(position):
            return position


def beside(position: Position) -> list[int]:
    """The free cells that touch a mark."""
    game, taken = position.game, position.x | position.o
    near = 0
    for direction in game.directions:
        step, room = game.step(direction), game.room(direction, 1)
        near |= (taken & room) << step | taken >> step & room
    return game.cells_of(near & position.empty)


def timed(ask: object) -> tuple[float, object]:
    """What a call gives, and its milliseconds."""
    start = perf_counter()
    found = ask()  # type: ignore[operator]
    return (perf_counter() - start) * 1e3, found


def percentile(times: list[float]) -> float:
    """The time that 95 of 100 stay below."""
    return quantiles(times, n=20)[-1] if len(times) > 1 else times[0]


def found_wins(count: int) -> dict[int, list[Position]]:
    """Middle games with a win by fours of so many plies."""
    game, random = Game(15, 15, 5), Random(1)
    wins: dict[int, list[Position]] = {plies: [] for plies in LONG}
    for _ in range(4_000):
        position = middle_game(game, random.randrange(16, 60), random)
        plies = len(fours.search(position).line)
        if plies in wins and len(wins[plies]) < count:
            wins[plies].append(position)
    return wins


def composed_wins(count: int) -> dict[int, list[Position]]:
    """Positions with a win by fours of so many plies, each length from a middle game of its own or more."""
    game, random = Game(15, 15, 5), Random(2)
    wins: dict[int, list[Position]] = {plies: [] for plies in LONG}
    while any(len(positions) < count for positions in wins.values()):
        position = middle_game(game, random.randrange(16, 60), random)
        plies, tries = len(fours.search(position).line), TRIES
        longest = plies
        while plies and tries:
            if plies in wins and len(wins[plies]) < count and plies >= longest:
                wins[plies].append(position)
                longest = plies + 1  # one of each length
            other = elsewhere(position, random)
            now = 0 if other.is_over or winning_moves(other) else len(fours.search(other).line)
            tries = TRIES if now > plies else tries - 1
            if now >= plies:
                position, plies = other, now
    return wins


def elsewhere(position: Position, random: Random) -> Position:
    """The position with one of its marks on another cell."""
    marks, free = [position.x, position.o], random.choice(beside(position))
    cell = random.choice(position.game.cells_of(position.x | position.o))
    marks[position.o >> cell & 1] ^= 1 << cell | 1 << free
    return Position.unchecked(position.game, *marks)


def wins_by_fours(kind: str, wins: dict[int, list[Position]]) -> list[dict[str, object]]:
    """How long it takes to find them."""
    rows: list[dict[str, object]] = []
    for plies, positions in wins.items():
        if positions:
            times = [timed(lambda at=position: fours.search(at))[0] for position in positions]
            row = {"positions": len(positions), "median": median(times), "p95": percentile(times), "most": max(times)}
            rows.append({"what": f"{kind} wins by fours", "plies": plies, **row})
            shown = "  ".join(f"{row[key]:6.2f}" for key in ("median", "p95", "most"))
            print(f"{kind:9}{plies:5}  {len(positions):9}  {shown}")
    return rows


def settled(positions: list[Position], minute: float | None) -> dict[str, float]:
    """The share of positions that each budget settles, by fours and threes."""
    row: dict[str, float] = {}
    left = positions
    for seconds in BUDGETS:
        left = [at for at in left if not _settles(at, seconds)]
        row[f"{seconds:g} s"] = 1 - len(left) / len(positions)
    if minute:
        some = positions[::2]
        hard = [at for at in some if at in left]
        settled_then = sum(_settles(at, minute) for at in hard)
        row[f"of {len(some)}, those that {minute:g} s settle, in 1 s"] = 1 - settled_then / (
            len(some) - len(hard) + settled_then
        )
    return row


def _settles(position: Position, seconds: float) -> bool:
    found = threes.search(position, 2**62, seconds=seconds)
    return found.complete


def main() -> None:
    """Print the tables."""
    minute = float(sys.argv[1]) if len(sys.argv) > 1 else None
    games = sys.argv[2:] or GAMES
    found: list[dict] = []
    print("Wins by fours on 15x15k5, milliseconds\n         plies  positions  median     p95    most")
    found += wins_by_fours("found", found_wins(EACH))
    found += wins_by_fours("composed", composed_wins(3 * EACH))
    print("\nNo win by fours in middle games of 20 to 60 marks, milliseconds")
    for name in games:
        game, random, times = Game.parse(name), Random(name), []
        for position in [middle_game(game, random.randrange(20, 61), random) for _ in range(EACH * 10)]:
            took, four = timed(lambda at=position: fours.search(at))
            if not four.wins:  # type: ignore[attr-defined]
                times.append(took)
        row = {"positions": len(times), "median": median(times), "p95": percentile(times)}
        found.append({"what": "no win by fours", "game": name, **row})
        print(f"{name:9} {len(times):4} positions, median {median(times):.2f}, p95 {percentile(times):.2f}")
    print("\nSettled by fours and threes, by seconds")
    for name in games:
        game, random = Game.parse(name), Random(name)
        positions = [middle_game(game, marks, random) for marks in MARKS for _ in range(EACH)]
        row = settled(positions, minute)
        found.append({"what": "settled by fours and threes", "game": name, "positions": len(positions), **row})
        print(f"{name:9} {len(positions)} positions: " + ", ".join(f"{key} {part:.1%}" for key, part in row.items()))
    save("threats", found)


if __name__ == "__main__":
    main()
