"""noughts score: how often a model's moves keep the value."""

from __future__ import annotations

from pathlib import Path

from noughts.cli.kit import Place, answer, argument, query, say, share, table
from noughts.labels.predictions import PredictionScore, scoring
from noughts.words import several


@query
@argument("predictions", type=Place(exists=True, dir_okay=False, allow_dash=True))
def run(predictions: Path) -> None:
    """Judge the moves of PREDICTIONS, a file of JSON lines or a .csv file with the columns position and move.

    A line such as {"position": "X.O/.X./..O", "move": "a1"}. A move may also be the number of a cell (6), a row and a
    column from the top left ([2, 0]), or a longer text that names one move, such as the answer of a language model. A
    move that cannot be read or played counts as one that does not keep the value. A dash reads from standard input.
    """
    if str(predictions) == "-":
        import sys

        answer(scoring(sys.stdin), show)
        return
    form = "csv" if predictions.suffix == ".csv" else "jsonl"
    with predictions.open(encoding="utf-8", newline="") as lines:
        answer(scoring(lines, form), show)


def show(found: PredictionScore) -> None:
    """Print the shares, by number of marks and in all."""
    if not found.all.predictions:
        say("There is no prediction that could be judged.")
        return
    rows = [(each.marks, each) for each in found.depths] + [("all", found.all)]
    table(
        ["marks", "predictions", "unreadable", "illegal", "keeps value", "and remoteness", "any move"],
        [(name, each.predictions, each.unreadable or "-", each.illegal or "-", *_shares(each)) for name, each in rows],
    )
    say(f"\nOf {', '.join(map(str, found.games))}. Any move: the share that random moves would keep.")
    if found.unknown:
        say(f"{several(found.unknown, 'position')} left out, whose value is not known exactly.")


def _shares(each: object) -> list[str]:
    return [share(getattr(each, name) or 0.0) for name in ("keeps_value", "keeps_all", "any_move")]
