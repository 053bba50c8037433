"""Why a move is good or bad, in words, and where a game slipped.

Every sentence follows from the rules or from exact values: nothing is guessed, and what is unknown is left unsaid.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from noughts.proofs import Judged, Verdict, judge, move_values, value
from noughts.rules.game import Cell
from noughts.rules.marks import Mark
from noughts.rules.notation import format_move, format_moves
from noughts.rules.position import IllegalMove, Move, Position
from noughts.rules.value import RANK, Value
from noughts.threats import completing_moves, fork_blocks, forks


def reasons(judged: Judged) -> dict[Cell, list[str]]:
    """What each move does.

    >>> reasons(judge(Position.parse("XX./OO./...")))[2]
    ['completes a line', 'only winning move']
    """
    position = judged.position
    said: dict[Cell, list[str]] = {cell: [] for cell in judged.moves}
    if position.is_over:
        return said

    def say(cells: Iterable[Cell], words: str) -> None:
        for cell in cells:
            said[cell].append(words)

    mine, theirs = completing_moves(position), completing_moves(position, position.turn.other)
    if position.game.rule.completing_wins:
        say(mine, "completes a line")
        say(theirs, "blocks a line")
        if not mine:
            say(forks(position), "makes a fork")
            if not theirs:
                say(fork_blocks(position), "stops every fork")
    else:
        say(mine, "completes a line, which loses")
        say(theirs, "takes a cell where the opponent would lose")
    say(_centre(position), "takes the centre")
    for cell, words in _by_value(judged.moves).items():
        said[cell].append(words)
    return said


def _centre(position: Position) -> list[Cell]:
    """The one middle cell, if there is one and it is free."""
    game = position.game
    middle = game.cells // 2
    odd = game.rows % 2 == game.columns % 2 == 1
    return [middle] if odd and game.cells > 1 and position.empty >> middle & 1 else []


def _by_value(moves: dict[Cell, Verdict]) -> dict[Cell, str]:
    """What the outcomes say of each move; nothing where one is unknown, or all are alike."""
    outcomes = {cell: verdict.at_least for cell, verdict in moves.items() if verdict.is_exact}
    if len(outcomes) < len(moves) or len(set(outcomes.values())) < 2:
        return {}
    best = max(outcomes.values(), key=RANK.__getitem__)
    keep = sum(outcome == best for outcome in outcomes.values())
    alone = "only winning move" if best == "win" else "only move that does not lose"
    keeps = alone if keep == 1 else f"keeps the {best}"
    return {cell: keeps if outcome == best else f"throws away the {best}" for cell, outcome in outcomes.items()}


def best_line(judged: Judged) -> list[Cell]:
    """How the game goes on when both play as well as can be; empty where that is unknown.

    >>> from noughts import Game
    >>> [format_move(Game(), cell) for cell in best_line(judge(Position.parse("XO./.X./..O")))]
    ['a2', 'c2', 'a1']
    """
    line: list[Cell] = []
    while not judged.position.is_over:
        if not judged.verdict.is_settled:
            return []
        position, best = judged.position, judged.best
        threatened = set(best).intersection(completing_moves(position, position.turn.other))
        line.append(min(threatened or best))  # among equals, one that blocks something is easiest to follow
        judged = judge(position.play(line[-1]))
    return line


def refutations(judged: Judged) -> dict[Cell, list[Cell]]:
    """For each move that throws the outcome away, how the game then goes on to its end.

    >>> refutations(judge(Position.parse("X../.O./..X")))
    {2: [6, 3, 7], 6: [2, 1, 5]}
    """
    if not judged.verdict.is_exact:
        return {}
    return {
        cell: list(verdict.line) or best_line(judge(judged.position.play(cell)))
        for cell, verdict in judged.moves.items()
        if verdict.is_exact and verdict.at_least != judged.verdict.at_least
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
        """The mark that was played."""
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
            "keeping": format_moves(game, self.keeping),
            "refutation": format_moves(game, self.refutation),
            "text": str(self),
        }

    def __str__(self) -> str:
        game = self.position.game
        name = format_move(game, self.cell)
        if self.best is None or self.got is None:
            return f"{self.mark} {name}: unknown"
        if not self.slipped:
            return f"{self.mark} {name}: {self.got}"
        better = " or ".join(format_moves(game, self.keeping))
        refutation = " ".join(format_moves(game, self.refutation))
        after = f" ({refutation})" if refutation else ""
        return f"{self.mark} {name} threw away the {self.best.outcome} that {better} kept: now {self.got}{after}"


def review(start: Position, moves: Iterable[Move]) -> list[Judgement]:
    """The moves of a game that was played from a position, each judged.

    >>> from noughts import Game
    >>> for judgement in review(Game().start(), ["b2", "b3", "a1", "c3", "a3", "c1", "a2"]):
    ...     if judgement.slipped:
    ...         print(judgement)
    O b3 threw away the tie that a3 or c3 or a1 or c1 kept: now loss 6 (a3 c1 a2 c2 a1)
    """
    moves, game = list(moves), start.game
    if len(moves) > MAX_REVIEW // game.cells:
        raise TooLong(
            f"{len(moves):,} moves are too many for an account of {game}: the limit on this board is "
            f"{MAX_REVIEW // game.cells:,}"
        )
    line, found = replay(start, moves), []
    best = value(start) if moves else None
    for position, move, after in zip(line, moves, line[1:], strict=False):
        reached = value(after)
        found.append(_judge(position, position.cell(move), after, best, reached and reached.for_mover()))
        best = reached
    return found


def replay(start: Position, moves: Iterable[Move]) -> list[Position]:
    """The positions of a game from its start to its end.

    >>> replay(Position.parse("........."), ["b2", "b2"])
    Traceback (most recent call last):
    noughts.rules.position.IllegalMove: move 2 does not replay: b2 is taken by X
    """
    line = [start]
    for number, move in enumerate(moves, 1):
        try:
            line.append(line[-1].play(move))
        except IllegalMove as problem:
            raise IllegalMove(f"move {number} does not replay: {problem}") from None
    return line


def _judge(position: Position, cell: Cell, after: Position, best: Value | None, got: Value | None) -> Judgement:
    if best is None or got is None or best.outcome == got.outcome:
        return Judgement(position, cell, best, got, [], [])
    keeping = [other for other, worth in move_values(position).items() if worth and worth.outcome == best.outcome]
    return Judgement(position, cell, best, got, keeping, best_line(judge(after)))
