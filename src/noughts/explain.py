"""Why a move is good or bad, and who stands how, in words.

Every sentence follows from the rules or from exact values: nothing is guessed, and what is unknown is left unsaid.
"""

from __future__ import annotations

from collections.abc import Iterable

from noughts.proofs import Judged, Verdict, judge
from noughts.rules.game import Cell
from noughts.rules.position import Position
from noughts.rules.value import RANK
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

    >>> best_line(judge(Position.parse("XO./.X./..O")))
    [3, 5, 6]
    """
    line: list[Cell] = []
    while not judged.position.is_over:
        position, best = judged.position, judged.best
        if not judged.verdict.is_settled or not best:
            return []
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


def sentence(position: Position, known: Verdict) -> str:
    """Who stands how, in one sentence.

    >>> sentence(Position.parse("XO./.X./..O"), Verdict("win", "win", 3, 3))
    'X to move, and X can force a win in 3 moves, counting both sides.'
    >>> sentence(Position.parse("XO./.X./..O"), Verdict("tie"))
    'X to move, and X cannot lose. Whether X can win is unknown: there are too many games to try them all.'
    """
    if position.winner:
        return f"{position.winner} has won."
    if position.is_over:
        return "A draw: the board is full."
    mover, unknown = position.turn, "is unknown: there are too many games to try them all."
    if not known.is_known:
        return f"{mover} to move. Who wins here {unknown}"
    if not known.is_exact:
        cannot, other = ("lose", mover) if known.at_least == "tie" else ("win", mover.other)
        return f"{mover} to move, and {mover} cannot {cannot}. Whether {other} can win {unknown}"
    if known.at_least == "tie":
        return f"{mover} to move. If nobody slips, it will be a draw."
    winner = mover if known.at_least == "win" else mover.other
    if known.remoteness == 1:
        return f"{mover} to move, and {winner} wins at once."
    plies = f"in {known.remoteness}" if known.is_settled else f"within {known.within}" if known.within else ""
    return f"{mover} to move, and {winner} can force a win{plies and f' {plies} moves, counting both sides'}."
