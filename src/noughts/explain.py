"""Why a move is good or bad, in words, and where a game slipped.

Every sentence follows from the rules or from exact values: nothing is guessed, and what is unknown is left unsaid.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from noughts.game import Cell, Game
from noughts.notation import format_move
from noughts.position import IllegalMove, Mark, Move, Position
from noughts.solve import Value, best_moves, move_values, value
from noughts.solve import refutations as answers_to_slips
from noughts.threats import completing_moves, fork_blocks, forks


def reasons(position: Position, values: dict[Cell, Value | None]) -> dict[Cell, list[str]]:
    """What each move does, given the values of all of them (`noughts.move_values`).

    >>> position = Position.parse("XX./OO./...")
    >>> reasons(position, move_values(position))[2]
    ['completes a line', 'only winning move']
    """
    if position.is_over:
        return {}
    said: dict[Cell, list[str]] = {cell: [] for cell in values}

    def say(cells: Iterable[Cell], words: str) -> None:
        for cell in cells:
            said[cell].append(words)

    mine, theirs = completing_moves(position), completing_moves(position, position.turn.other)
    if position.game.misere:
        say(mine, "completes a line, which loses")
        say(theirs, "takes a cell where the opponent would lose")
    else:
        say(mine, "completes a line")
        say(theirs, "blocks a line")
        if not mine:
            say(forks(position), "makes a fork")
            if not theirs:
                say(fork_blocks(position), "stops every fork")
    say(_centre(position), "takes the centre")
    for cell, words in _by_value(values).items():
        said[cell] += words
    return said


def _centre(position: Position) -> list[Cell]:
    """The one middle cell, if there is one and it is free."""
    game = position.game
    middle = game.cells // 2
    odd = game.rows % 2 == game.columns % 2 == 1
    return [middle] if odd and game.cells > 1 and position.empty & game.bit(middle) else []


def _by_value(values: dict[Cell, Value | None]) -> dict[Cell, list[str]]:
    """What the exact values say of each move; nothing where one is unknown."""
    known = {cell: value for cell, value in values.items() if value is not None}
    if not known or len(known) < len(values):
        return {}
    best = max(known.values()).outcome
    keep = {cell for cell, value in known.items() if value.outcome == best}
    alone = "only winning move" if best == "win" else "only move that does not lose"
    if len(keep) == len(known):
        return {}
    kept = alone if len(keep) == 1 else f"keeps the {best}"
    return {cell: [kept if cell in keep else f"throws away the {best}"] for cell in known}


def best_line(position: Position) -> list[Cell]:
    """How the game goes on when both play as well as can be; empty where that is unknown.

    >>> [format_move(Game(), cell) for cell in best_line(Position.parse("XO./.X./..O"))]
    ['a2', 'c2', 'a1']
    """
    line: list[Cell] = []
    while not position.is_over:
        best = best_moves(position)
        if not best:
            return []
        threatened = set(best).intersection(completing_moves(position, position.turn.other))
        line.append(min(threatened or best))  # among equals, one that blocks something is easiest to follow
        position = position.play(line[-1])
    return line


def refutations(position: Position, values: dict[Cell, Value | None]) -> dict[Cell, list[Cell]]:
    """For each move that throws the outcome away, how the game then goes on to its end.

    >>> position = Position.parse("X../.O./..X")
    >>> refutations(position, move_values(position))
    {2: [6, 3, 7], 6: [2, 1, 5]}
    """
    if (answers := answers_to_slips(position)) is not None:
        return answers
    best = value(position)
    return {
        cell: best_line(position.play(cell))
        for cell, worth in values.items()
        if best and worth and worth.outcome != best.outcome
    }


# A whole game

MAX_REVIEW = 2**24  # moves times cells: each move is told with its position


class TooLong(ValueError):
    """This game has more moves than an account of it is given for."""


@dataclass(frozen=True)
class Judgement:
    """One move of a game: what was to be had, what was got, and what would have kept it."""

    position: Position  # before the move
    cell: Cell
    best: Value | None
    got: Value | None
    keeping: list[Cell]  # the moves that keep the outcome
    refutation: list[Cell]  # if the move slipped: how the opponent shows it, to the end of the game

    @property
    def mark(self) -> Mark:
        """Who moved."""
        return self.position.turn

    @property
    def slipped(self) -> bool:
        """Did the move throw an outcome away?"""
        return self.best is not None and self.got is not None and self.best.outcome != self.got.outcome

    def to_json(self) -> dict[str, Any]:
        """The move as `noughts review --json` and the page give it."""
        game = self.position.game
        return {
            "move": format_move(game, self.cell),
            "cell": self.cell,
            "turn": str(self.mark),
            "position": str(self.position),
            "best": self.best.outcome if self.best else "unknown",
            "best_remoteness": self.best and self.best.remoteness,
            "value": self.got.outcome if self.got else "unknown",
            "remoteness": self.got and self.got.remoteness,
            "slipped": self.slipped,
            "keeping": [format_move(game, cell) for cell in self.keeping],
            "refutation": [format_move(game, cell) for cell in self.refutation],
            "text": str(self),
        }

    def __str__(self) -> str:
        game = self.position.game
        name = format_move(game, self.cell)
        if self.best is None or self.got is None:
            return f"{self.mark} {name}: unknown"
        if not self.slipped:
            return f"{self.mark} {name}: {self.got}"
        kept = " or ".join(format_move(game, cell) for cell in self.keeping)
        refutation = " ".join(format_move(game, cell) for cell in self.refutation)
        after = f" ({refutation})" if refutation else ""
        return f"{self.mark} {name} threw away the {self.best.outcome} that {kept} kept: now {self.got}{after}"


def review(game: Game, moves: Iterable[Move]) -> list[Judgement]:
    """The account of a game, move by move.

    >>> for judgement in review(Game(), ["b2", "b3", "a1", "c3", "a3", "c1", "a2"]):
    ...     if judgement.slipped:
    ...         print(judgement)
    O b3 threw away the tie that a3 or c3 or a1 or c1 kept: now loss 6 (a3 c1 a2 c2 a1)
    """
    moves = list(moves)
    if len(moves) > MAX_REVIEW // game.cells:
        raise TooLong(
            f"{len(moves):,} moves are too many for an account of {game}: the limit on this board is "
            f"{MAX_REVIEW // game.cells:,}"
        )
    position, account = game.start(), []
    best = value(position) if moves else None
    for number, move in enumerate(moves, 1):
        try:
            after = position.play(move)
        except IllegalMove as problem:
            raise IllegalMove(f"move {number} does not replay: {problem}") from None
        reached = value(after)
        account.append(_judge(position, position.cell(move), after, best, reached and reached.for_mover()))
        position, best = after, reached
    return account


def _judge(position: Position, cell: Cell, after: Position, best: Value | None, got: Value | None) -> Judgement:
    if best is None or got is None or best.outcome == got.outcome:
        return Judgement(position, cell, best, got, [], [])
    keeping = [other for other, worth in move_values(position).items() if worth and worth.outcome == best.outcome]
    return Judgement(position, cell, best, got, keeping, best_line(after))
