"""Look for puzzles and write them to src/noughts/play/puzzles.txt: `make puzzles`.

Games are played at random, though nobody leaves a line open to be completed; a position with exactly one right move is
kept, once for all its mirror images. What stands in the file stays there, in its order: a day's puzzle follows from its
place.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from random import Random
from time import process_time

from noughts.play.puzzles import FILE, LEVELS, NoPuzzle, puzzle_of
from noughts.rules.game import Cell, Game
from noughts.rules.position import Position

A_GAME = 120.0  # seconds to look among the positions of one game
FARTHEST = 17  # plies that are asked of anyone
# How many of a level each game gives: small boards have few that are hard.
SHARES = {
    1: {"3x3k3": 40, "4x4k4": 30, "6x7k4g": 25, "3x3k3m": 10},
    2: {"3x3k3": 13, "4x4k4": 25, "6x7k4g": 25, "15x15k5": 30, "3x3k3m": 10},
    3: {"4x4k4": 5, "6x7k4g": 60, "15x15k5": 30},
    4: {"6x7k4g": 80, "15x15k5": 15},
    5: {"6x7k4g": 60, "15x15k5": 5},
}
BEGIN = {"6x7k4g": 17, "15x15k5": 10}  # marks before which a game is not looked at


def games(game: Game, random: Random) -> Iterator[Position]:
    """The positions of one game of two who see a line that lacks one cell, and little else."""
    position = game.start()
    while not position.is_over:
        yield position
        mine, theirs = (game.rule.completing(own) & position.playable for own in position.sides)
        cells = position.moves()
        if game.rule.completing_wins:
            cells = game.cells_of(mine or theirs) or (near(position) if game.cells > 30 else cells)
        else:
            cells = [cell for cell in cells if not mine >> cell & 1] or cells
        position = position.play(random.choice(cells))


def near(position: Position) -> list[Cell]:
    """The free cells beside a mark; the middle of an empty board; where marks fall, all."""
    game = position.game
    if game.gravity or not position.marks:
        return position.moves() if game.gravity else [game.cells // 2]
    marks = [divmod(cell, game.columns) for cell in game.cells_of(position.x | position.o)]
    return [
        cell
        for cell in position.moves()
        if any(max(abs(cell // game.columns - row), abs(cell % game.columns - column)) == 1 for row, column in marks)
    ]


def main() -> None:
    """Add what is missing."""
    lines = (
        [line for line in FILE.read_text(encoding="utf-8").splitlines() if line[:1].isdigit()] if FILE.exists() else []
    )
    kept = {Position.parse(line.split()[1]).canonical() for line in lines}
    have = Counter((int(line[0]), Position.parse(line.split()[1]).game) for line in lines)
    random = Random(len(lines) + 1)
    found: dict[int, list[str]] = {level: [] for level in SHARES}
    for name in sorted({name for share in SHARES.values() for name in share}):
        game = Game.parse(name)
        wanted = {level: share.get(name, 0) - have[level, game] for level, share in SHARES.items()}
        end, tried = process_time() + A_GAME, 0
        while any(number > 0 for number in wanted.values()) and process_time() < end:
            tried += 1
            for position in games(game, random):
                if position.marks < BEGIN.get(name, 2) or random.random() < 0.5:
                    continue
                try:
                    puzzle = puzzle_of(position)
                except NoPuzzle:
                    continue
                if wanted[puzzle.level] <= 0 or puzzle.sight > FARTHEST or position.canonical() in kept:
                    continue
                if puzzle.kind == "win" and puzzle.sight == 1:
                    continue  # to complete a line is not a puzzle
                kept.add(position.canonical())
                wanted[puzzle.level] -= 1
                found[puzzle.level].append(str(position))
                break  # one of a game: the next would be much like it
        print(f"{name}: {tried:,} games, missing {sum(max(0, number) for number in wanted.values())}", file=sys.stderr)
    for level, texts in found.items():
        random.shuffle(texts)
        lines += [f"{level} {text}" for text in texts]
    lines.sort(key=lambda line: line[0])
    head = "# level and position; made by hardening/puzzles.py, which adds at the end of a level"
    FILE.write_text("\n".join([head, *lines, ""]), encoding="utf-8")
    print({level: sum(line[0] == str(level) for line in lines) for level in range(1, LEVELS + 1)})


if __name__ == "__main__":
    main()
