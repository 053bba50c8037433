"""Why a move is good or bad, and who stands how, in words.

Every sentence follows from the rules or from exact values: nothing is guessed, and what is unknown is left unsaid.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from noughts.proofs import Judged, Verdict, judge
from noughts.rules.game import Cell
from noughts.rules.notation import format_move
from noughts.rules.position import Position
from noughts.rules.value import RANK
from noughts.shapes import deeds, facing, promising, told
from noughts.threats import Waiting, completing_moves, fork_blocks, forks, waiting

LONG = 30  # free cells: with more, where the value stands in a book, each move of a line would take a long search
SHORT = 3  # plies: such a line is told all the same


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
    for cell in promising(position):
        said[cell] += deeds(position, cell)
    say(_centre(position), "takes the centre")
    if position.game.gravity:
        threats = waiting(position)
        for cell in set(said).difference(mine):
            said[cell] += _above(position, cell, threats)
    for cell, words in _by_value(judged.moves).items():
        said[cell].append(words)
    return said


def _above(position: Position, cell: Cell, threats: Sequence[Waiting]) -> list[str]:
    """Where marks fall: what a move that completes no line opens, and which threats it makes that have to wait."""
    game, mover, other = position.game, position.turn, position.turn.other
    opened = {threat.owner: threat.cell for threat in threats if game.rule.support(threat.cell) == cell}
    own = {threat.cell for threat in threats if threat.owner is mover}
    made = [each for each in waiting(position.play(cell)) if each.owner is mover and each.cell not in own]
    said = [each.words("becomes") for each in made]
    if other in opened:
        return [f"opens {format_move(game, opened[other])}, where {other} completes a line", *said]
    return [f"lets {other} block {format_move(game, opened[mover])}", *said] if opened else said


def _centre(position: Position) -> list[Cell]:
    """The one middle cell, if there is one and it can be played."""
    game = position.game
    middle = game.cells // 2
    odd = game.rows % 2 == game.columns % 2 == 1
    return [middle] if odd and game.cells > 1 and position.playable >> middle & 1 else []


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
    """How the game goes on when both play as well as can be; empty where that is unknown, or far from the end.

    >>> best_line(judge(Position.parse("XO./.X./..O")))
    [3, 5, 6]
    """
    line: list[Cell] = []
    if judged.position.empty.bit_count() > LONG:
        proven = judged.verdict.line
        if proven and len(proven) == judged.verdict.remoteness:
            return [*proven]
        if (judged.verdict.remoteness or 0) > SHORT:
            return []
    while not judged.position.is_over:
        if not judged.verdict.is_settled:
            return []
        position, value = judged.position, judged.verdict.value
        best = [cell for cell, verdict in judged.moves.items() if verdict.is_settled and verdict.value == value]
        if not best:  # the value stands in a book, and which move has it takes too long to find
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
    large = judged.position.empty.bit_count() > LONG and not judged.position.game.gravity
    return {
        cell: list(verdict.line) or ([] if large else best_line(judge(judged.position.play(cell))))
        for cell, verdict in judged.moves.items()
        if verdict.is_exact and verdict.at_least != judged.verdict.at_least
    }


def story(judged: Judged) -> tuple[str, ...]:
    """What there is to meet, and how a forced win goes, in sentences; nothing where no threats are named.

    >>> story(judge(Position.parse("7x8k5:......../..O...../..XXX.../..O...../....O.../......../........")))
    ('b5 makes an open four: a5 and f5 both complete it; O answers a5; X completes a line on f5',)
    """
    position, known = judged.position, judged.verdict
    if not promising(position):
        return ()
    win = told(position, known.line) if known.outcome in ("win", "loss") and known.line else ""
    return (*facing(position), *([win] if win else []))


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


def __getattr__(name: str) -> object:
    from noughts.moved import find

    return find(__name__, name)
