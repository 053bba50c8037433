"""The account of a game in words that a child understands: where it slipped, and what would have kept it.

`you` is the mark of the person who reads, or None: then both are called by their marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from noughts.explain import Judgement
from noughts.rules.marks import Mark
from noughts.rules.notation import board_rows, format_move, format_moves, move_json
from noughts.rules.position import Position
from noughts.rules.value import Value

TOO_LARGE = (
    "This board is too large to know every value, so noughts cannot say for sure which move was the mistake. "
    "On smaller boards the account shows it."
)

# One position


def verdict(position: Position, worth: Value | None) -> str:
    """Who stands how, in one sentence.

    >>> verdict(Position.parse("XO./.X./..O"), Value("win", 3))
    'X to move, and X can force a win in 3 moves, counting both sides.'
    """
    if position.winner:
        return f"{position.winner} has won."
    if position.is_over:
        return "A draw: the board is full."
    if worth is None:
        return f"{position.turn} to move. Who wins here is unknown: there are too many games to try them all."
    mover = position.turn
    if worth.outcome == "tie":
        return f"{mover} to move. If nobody slips, it will be a draw."
    winner = mover if worth.outcome == "win" else mover.other
    if worth.remoteness == 1:
        return f"{mover} to move, and {winner} wins at once."
    return f"{mover} to move, and {winner} can force a win in {worth.remoteness} moves, counting both sides."


def worth_for_x(position: Position, worth: Value | None) -> dict[str, Any]:
    """How a position stands, seen from X's side: one point of the value history."""
    winner = position.turn if worth and worth.outcome == "win" else position.turn.other
    outcome = "unknown" if worth is None else "tie" if worth.outcome == "tie" else f"{str(winner).lower()}_wins"
    return {"marks": position.marks, "outcome": outcome, "remoteness": worth and worth.remoteness}


# One move


def step(number: int, judged: Judgement, after: Position) -> dict[str, Any]:
    """One move of a game with its judgement."""
    return {
        "number": number,
        "mark": str(judged.mark),
        **move_json(judged.position.game, judged.cell),
        "position": str(after),
        **_worth("best", judged.best),
        **_worth("got", judged.got),
        "slipped": judged.slipped,
        "keeping": format_moves(judged.position.game, judged.keeping),
        "refutation": format_moves(judged.position.game, judged.refutation),
    }


def _worth(name: str, worth: Value | None) -> dict[str, Any]:
    return {f"{name}_value": worth.outcome if worth else "unknown", f"{name}_remoteness": worth and worth.remoteness}


# The whole game


def story(line: Sequence[Position], judgements: Sequence[Judgement], you: str | None) -> dict[str, Any]:
    """The headline, a sentence or two, and each turning point in words."""
    last = line[-1]
    slips = [(number, judged) for number, judged in enumerate(judgements, 1) if judged.slipped]
    unknown = sum(judged.best is None or judged.got is None for judged in judgements)
    return {
        "headline": _headline(last, you),
        "summary": " ".join(_summary(last, judgements, slips, unknown, you)),
        "turning_points": [_turning_point(number, judged, you) for number, judged in slips],
        "judged": len(judgements) - unknown,
        "unknown": unknown,
    }


def _who(mark: Mark, you: str | None) -> str:
    return "you" if str(mark) == you else str(mark)


def _headline(last: Position, you: str | None) -> str:
    if not last.is_over:
        return "The game so far"
    if last.winner is None:
        return "A draw"
    if you is None:
        return f"{last.winner} won"
    return "You won" if str(last.winner) == you else "You lost"


def _summary(
    last: Position,
    judgements: Sequence[Judgement],
    slips: Sequence[tuple[int, Judgement]],
    unknown: int,
    you: str | None,
) -> list[str]:
    if not judgements:
        return ["No move has been made yet."]
    if unknown == len(judgements):
        return [TOO_LARGE]
    said = []
    if unknown:
        said.append(
            f"Only the last {len(judgements) - unknown} of {len(judgements)} moves could be judged exactly: "
            "before that there were too many games to try them all."
        )
    if not slips:
        said.append(_flawless(last, judgements, unknown))
    elif last.winner is not None:
        said.append(_decisive(last, slips, you))
    elif last.is_over:
        said.append(f"The value changed {_times(len(slips))}, and in the end nobody could use it.")
    else:
        said.append(f"The value has changed {_times(len(slips))} so far.")
    return said


def _flawless(last: Position, judgements: Sequence[Judgement], unknown: int) -> str:
    if not last.is_over:
        return "Nobody has slipped so far."
    if last.winner is None:
        return "Nobody made a mistake. When both play well, this game ends in a draw."
    if unknown or judgements[0].position.marks:
        return f"From where the values are known, {last.winner} was winning and let nothing slip."
    return f"Nobody could have done better: {last.winner} wins this game from the start, whatever the other plays."


def _decisive(last: Position, slips: Sequence[tuple[int, Judgement]], you: str | None) -> str:
    """The last slip of the loser is the one that counts."""
    loser = last.winner.other if last.winner else None
    number, judged = next(((n, each) for n, each in reversed(slips) if each.mark is loser), slips[-1])
    name = format_move(judged.position.game, judged.cell)
    winner = _who(judged.mark.other, you)
    whose = "your" if _who(judged.mark, you) == "you" else f"{judged.mark}'s"
    return f"The move that decided it was {whose} {name} (move {number}): from then on {winner} could force the win."


def _turning_point(number: int, judged: Judgement, you: str | None) -> dict[str, Any]:
    """One slip: what stood before, what the move gave away, what would have kept it, and how it is punished."""
    assert judged.best
    assert judged.got
    name = format_move(judged.position.game, judged.cell)
    who, other = _who(judged.mark, you), _who(judged.mark.other, you)
    had = {"win": "a sure win", "tie": "a safe draw"}[judged.best.outcome]
    after = {"loss": f"then {other} could force a win", "tie": "then the win was gone"}[judged.got.outcome]
    would = {"win": "would have won", "tie": "would have kept the draw"}[judged.best.outcome]
    sentences = [
        f"{_capital(who)} had {had} and played {name}: {after}.",
        f"Better was {_or(format_moves(judged.position.game, judged.keeping))}: that {would}.",
    ]
    if judged.got.outcome == "loss" and judged.refutation:
        sentences.append(f"How it is punished: {_sequence(judged)}.")
    return {
        "number": number,
        "mark": str(judged.mark),
        "move": name,
        "cell": judged.cell,
        "keeping_cells": judged.keeping,
        "marks": "".join(board_rows(judged.position)),
        "sentences": sentences,
    }


def _sequence(judged: Judgement) -> str:
    """The refutation with the marks that make its moves: X a3, O c1, X a2."""
    mark, said = judged.mark, []
    for name in format_moves(judged.position.game, judged.refutation):
        mark = mark.other
        said.append(f"{mark} {name}")
    return ", ".join(said)


def _or(names: Sequence[str]) -> str:
    """a1, b2 or c3; of many only the first few."""
    if len(names) > 6:
        return f"any of {len(names)} other moves, such as {names[0]} or {names[1]}"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
