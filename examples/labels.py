"""Labels for machine learning from an exact solution: every position of a game, with what a perfect player knows of it.

    python examples/labels.py                          3x3k3 and 4x4k4, checked against the solver's own counts
    python examples/labels.py 3x3k3m --save folder     another game, written to folder as one .npz file a level

For each position that legal play can reach there are, as numpy arrays with one row a position:

    planes       int8[n, rows, columns]    +1 for a mark of the player to move, -1 for one of the opponent, 0 for none
    outcome      int8[n]                   +1 win, 0 tie, -1 loss, for the player to move
    remoteness   int8[n]                   plies to the end when the winner hurries and the loser delays
    best         bool[n, rows, columns]    the moves of the highest value: quickest win, slowest loss; none at the end

A level holds the positions with equally many marks. On 4x4k4 that makes 9.7 million positions in seconds, because whole
levels are worked on at once: a position is its base-3 code, and a move adds one digit to it.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noughts import Game, Status, native
from noughts.rules import batch
from noughts.solve import Solution


@dataclass
class Labels:
    """One level: the positions with so many marks, in ascending order of their codes."""

    marks: int
    planes: NDArray[np.int8]
    outcome: NDArray[np.int8]
    remoteness: NDArray[np.int8]
    best: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.outcome)


def labels(game: Game) -> Iterator[Labels]:
    """The labels of every position of a game, level by level from the empty board."""
    solution = Solution.solve(game)
    powers = 3 ** np.arange(game.cells)
    scores = np.zeros(3**game.cells, np.int8)  # by code: the better for the player to move, the larger
    levels = list(codes_by_level(game, powers))
    values = []
    for codes in levels:
        x, o = sets(codes, game)
        outcome, remoteness = solution.values(x, o)
        scores[codes] = outcome * (game.cells + 1 - remoteness)  # a quick win is large, a quick loss small
        values.append((x, o, outcome, remoteness))
    for marks, (codes, (x, o, outcome, remoteness)) in enumerate(zip(levels, values, strict=True)):
        yield Labels(
            marks, planes(game, x, o, marks), outcome, remoteness, best_moves(game, codes, x, o, scores, powers)
        )


def codes_by_level(game: Game, powers: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """The codes of the positions with 0, 1, 2, … marks that legal play can reach."""
    reached = np.zeros(3**game.cells, np.bool_)
    codes = np.zeros(1, np.int64)
    for marks in range(game.cells + 1):
        yield codes
        x, o = sets(codes, game)
        going = ongoing(game, x, o)
        reached[:] = False
        for cell in range(game.cells):
            free = going & ((x | o) >> cell & 1 == 0)
            reached[codes[free] + digit(marks) * powers[cell]] = True
        codes = np.flatnonzero(reached)
        if not len(codes):
            return


def digit(marks: int) -> int:
    """What a move adds to the code, times the power of its cell: 2 for X, who moves on even counts, and 1 for O."""
    return 2 if marks % 2 == 0 else 1


def sets(codes: NDArray[np.int64], game: Game) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """The cells of X and of O, bit i = cell i."""
    x, o = np.zeros(len(codes), np.uint32), np.zeros(len(codes), np.uint32)
    rest = codes.astype(np.uint32)
    for cell in range(game.cells):
        rest, sign = np.divmod(rest, np.uint32(3))
        x |= (sign == 2).astype(np.uint32) << np.uint32(cell)
        o |= (sign == 1).astype(np.uint32) << np.uint32(cell)
    return x, o


def ongoing(game: Game, x: NDArray[np.uint32], o: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Which of these games go on?"""
    return np.asarray(batch.status(game, x, o) == Status.ONGOING.value)


def planes(game: Game, x: NDArray[np.uint32], o: NDArray[np.uint32], marks: int) -> NDArray[np.int8]:
    """The boards as the player to move sees them."""
    mine, theirs = (x, o) if marks % 2 == 0 else (o, x)
    cells = np.arange(game.cells, dtype=np.uint32)
    signs = (mine[:, None] >> cells & 1).astype(np.int8) - (theirs[:, None] >> cells & 1).astype(np.int8)
    return signs.reshape(-1, game.rows, game.columns)


def best_moves(
    game: Game,
    codes: NDArray[np.int64],
    x: NDArray[np.uint32],
    o: NDArray[np.uint32],
    scores: NDArray[np.int8],
    powers: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """The moves after which the opponent's score is the smallest."""
    going, marks = ongoing(game, x, o), int(x[0]).bit_count() + int(o[0]).bit_count()
    after = np.full((len(codes), game.cells), np.iinfo(np.int8).max, np.int8)
    for cell in range(game.cells):
        free = going & ((x | o) >> cell & 1 == 0)
        after[free, cell] = scores[codes[free] + digit(marks) * powers[cell]]
    smallest = after.min(axis=1, keepdims=True)
    return np.asarray((after == smallest) & going[:, None]).reshape(-1, game.rows, game.columns)


def main() -> None:
    parser = argparse.ArgumentParser(description="Exact labels of every position of a game.")
    parser.add_argument("games", nargs="*", default=["3x3k3", "4x4k4"], metavar="GAME")
    parser.add_argument("--save", type=Path, metavar="DIR", help="write one .npz file a level")
    given = parser.parse_args()
    for name in given.games:
        game = Game.parse(name)
        if native.core() is None and game.cells > 12:
            print(f"{game}: left out, it needs the native core\n")
            continue
        show(game, given.save)


def show(game: Game, folder: Path | None) -> None:
    """Make the labels of a game, print what there is, and hold the counts to what the solver says."""
    from noughts.solve import solve

    print(f"{game}\n{'marks':>7}{'positions':>12}{'win':>12}{'loss':>12}{'tie':>12}{'best moves':>13}")
    total: Counter[int] = Counter()
    for level in labels(game):
        counts = Counter(dict(zip(*np.unique(level.outcome, return_counts=True), strict=True)))
        total += Counter({int(outcome): int(count) for outcome, count in counts.items()})
        moves = level.best.sum() / max(1, level.best.any(axis=(1, 2)).sum())
        print(f"{level.marks:>7}{len(level):>12,}{counts[1]:>12,}{counts[-1]:>12,}{counts[0]:>12,}{moves:>13.2f}")
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            np.savez_compressed(folder / f"{game}-{level.marks:02}.npz", **vars(level))
    print(f"{'all':>7}{sum(total.values()):>12,}{total[1]:>12,}{total[-1]:>12,}{total[0]:>12,}")
    summary = solve(game)
    assert (sum(total.values()), total[1], total[-1], total[0]) == (
        summary.positions, summary.win, summary.loss, summary.tie,
    ), "the labels and the solver disagree"  # fmt: skip
    print("        as the solver counts them\n")


if __name__ == "__main__":
    main()
