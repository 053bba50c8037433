"""The claims of the paper on Boolean algebra for the status of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from math import perm
from time import process_time
from timeit import Timer

from noughts.detect import as_printed
from noughts.lab.papers import facts, see
from noughts.lab.papers.claim import Found, Shown, claim, enter
from noughts.lab.papers.facts import GAME
from noughts.lab.scenarios import PRINTED, PUBLISHED, SCENARIOS, Printed
from noughts.rules.marks import Mark
from noughts.rules.position import Position
from noughts.words import listing

# Its tables, as printed: a line for each board, and some of their columns.
LINES = [PRINTED[name] for name in PUBLISHED]
CASES = [SCENARIOS[name].title.lower() for name in PUBLISHED]
TRADITIONAL_KB = [line.traditional_kb for line in LINES]
BOOLEAN_KB = [line.boolean_kb for line in LINES]

ROW_WIN = SCENARIOS["row_win"].text  # which the printed masks miss


def _times(against: Sequence[int] = ()) -> Callable[[], Shown]:
    """The source's table of times, with the numbers of the lines that speak against a claim."""
    spans = [
        (f"{line.traditional} s ± {line.traditional_stdev}", f"{line.boolean} s ± {line.boolean_stdev}")
        for line in LINES
    ]
    rows = [[case, *span, f"{line.improvement} %"] for case, span, line in zip(CASES, spans, LINES, strict=True)]
    return lambda: Shown(["", "traditional", "Boolean", "improvement, as printed"], rows, list(against))


def _memory(against: Sequence[int] = ()) -> Callable[[], Shown]:
    """The source's table of memory."""
    rows = [[name, f"{old} KB", f"{new} KB"] for name, old, new in zip(CASES, TRADITIONAL_KB, BOOLEAN_KB, strict=True)]
    return lambda: Shown(["", "traditional", "Boolean"], rows, list(against))


def _improvement(line: Printed) -> float:
    return (line.traditional - line.boolean) / line.traditional * 100


# The masks


def _misjudged(method: Callable[[as_printed.Grid], int]) -> list[Position]:
    sign = {Mark.X: 1, Mark.O: -1, None: 0}
    return [position for position in facts.reachable() if method(as_printed.grid(position)) != sign[position.winner]]


def _accurate(method: Callable[[as_printed.Grid], int]) -> Found:
    return Found(len(_misjudged(method)), f"Misjudged among all {len(facts.reachable()):,} reachable positions.")


enter("prajoda.patterns", "There are 8 winning combinations.", 8, see.detector("line_masks", ROW_WIN))(
    lambda: Found(GAME.line_count, "Three rows, three columns, two diagonals.")
)


@claim("prajoda", 0, see.detector("prajoda_boolean", ROW_WIN))
def misjudged() -> Found:
    """The Boolean method with the printed masks misjudges no position."""
    wrong = _misjudged(as_printed.boolean)
    note = f"Of {len(facts.decided())} decided positions, the first being {wrong[0]}: a mask has a bit too many."
    return Found(len(wrong), note)


@claim("prajoda", 3, see.detector("prajoda_boolean", ROW_WIN))
def row_3_mask() -> Found:
    """The mask of row 3 has three bits."""
    mask = as_printed.ROWS_AS_PRINTED[2]
    return Found(mask.bit_count(), f"It is printed as 0b{mask:09b} and must be 0b{as_printed.ROWS[2]:09b}.")


@claim("prajoda", [0, 1, 2], see.detector("prajoda_boolean", "O.O/.../XXX"))
def row_1_mask() -> Found:
    """The pattern 111000000 stands for the first row."""
    cells = [cell for cell in range(9) if 0b111000000 >> cell & 1]
    return Found(cells, "Its own conversion makes cell i bit i, so these are the cells of the bottom row.")


@claim("prajoda", 0, see.detector("line_masks", ROW_WIN))
def corrected_masks() -> Found:
    """With the right masks the Boolean method is accurate."""
    return _accurate(partial(as_printed.boolean, masks=as_printed.MASKS))


@claim("prajoda", 0, see.detector("line_sums", ROW_WIN))
def traditional() -> Found:
    """Sums of 3 and -3 in rows, columns and diagonals tell who has won."""
    return _accurate(as_printed.traditional)


def _kinds() -> Counter[str]:
    """The completed lines of all decided positions, by kind."""
    kinds = {1: "rows", 3: "columns"}  # by the step from cell to cell
    lines = (line for position in facts.decided() for line in position.lines())
    return Counter(kinds.get(line[1] - line[0], "diagonals") for line in lines)


def _kinds_shown() -> Shown:
    rows = [[kind, str(count)] for kind, count in _kinds().items()]
    return Shown(["completed lines", "in all decided positions"], rows, [])


@claim("prajoda", True, shows=_kinds_shown)
def rows_most_common() -> Found:
    """A row is the most common way to win."""
    kinds = _kinds()
    counted = listing(f"{count} {kind}" for kind, count in sorted(kinds.items(), key=lambda item: -item[1]))
    most = kinds["rows"] > max(kinds["columns"], kinds["diagonals"])
    return Found(most, f"Completed lines in the {len(facts.decided())} decided positions: {counted}.")


enter("prajoda.first_moves", "There are 9 first moves and 8 replies to each.", [9, 72], see.search(depth="2"))(
    lambda: Found(facts.perft()[1:3], "Sequences of one and of two moves.")
)


def _sequences() -> Shown:
    counts = facts.perft()
    rows = [[str(moves), f"{perm(9, moves):,}", f"{counts[moves]:,}"] for moves in range(1, 10)]
    wrong = [row for row in range(9) if perm(9, row + 1) != counts[row + 1]]
    return Shown(["moves", "9 x 8 x …", "sequences"], rows, wrong)


@claim("prajoda", [perm(9, moves) for moves in range(1, 10)], see.COUNTING, _sequences)
def sequences() -> Found:
    """9 first moves, then 8, and so on: 9, 72, 504, … sequences, down to 9!."""
    counts = facts.perft()
    return Found(counts[1:], f"Games that end early have no more moves; the whole tree has {sum(counts):,} nodes.")


# Its own figures


def _improvement_claim(case: str, board: str, line: Printed) -> None:
    name, printed = case.replace(" ", "_").replace("-", "_"), line.improvement
    text = f"The improvement on the {case} is {printed} %."

    @enter(f"prajoda.improvement_{name}", text, printed, see.bench(board), _times())
    def improvement() -> Found:
        digits = len(str(printed).partition(".")[2])
        note = f"(traditional - Boolean) / traditional from its own times, {line.traditional} s and {line.boolean} s."
        near = abs(_improvement(line) - printed) <= 2 * 10**-digits
        return Found(round(_improvement(line), digits), note, near)


for _case, _board, _line in zip(CASES, PUBLISHED, LINES, strict=True):
    _improvement_claim(_case, _board, _line)


def _range_claim(name: str, case: int, text: str, low: float, high: float) -> None:
    @enter(name, text, [low, high], see.bench(PUBLISHED[case]), _times())
    def in_range() -> Found:
        line = LINES[case]
        computed = round(abs(_improvement(line)), 1)
        note = f"From the times in its table, {line.traditional} s and {line.boolean} s."
        return Found(computed, note, low <= computed <= high)


_range_claim("prajoda.range_row", 0, "On row wins the traditional method is 143 to 156 % faster.", 143, 156)
_range_claim("prajoda.range_column", 1, "On column wins it is about as much: 143 to 156 %.", 143, 156)
_range_claim("prajoda.range_diagonal", 2, "On diagonal wins the Boolean method is 26 to 29 % faster.", 26, 29)
_range_claim("prajoda.range_draw", 3, "On full boards it is 32 to 33 % faster.", 32, 33)
_range_claim("prajoda.range_early", 4, "In early game states it is 25 to 27 % faster.", 25, 27)


def _row_time_claim(method: str, claimed: float, printed: float) -> None:
    text = f"The {method} method needs about {claimed} s for row wins."
    enter(f"prajoda.{method.lower()}_row_time", text, claimed, see.bench("row_win"), _times())(
        lambda: Found(printed, "In its own table.", round(printed, 2) == claimed)
    )


_row_time_claim("Boolean", 0.32, LINES[0].boolean)
_row_time_claim("traditional", 0.13, LINES[0].traditional)


def _shares() -> dict[str, float]:
    """The spread of its measurements, in % of their mean."""
    both = list(zip(CASES, LINES, strict=True))
    old = {f"traditional, {case}": 100 * line.traditional_stdev / line.traditional for case, line in both}
    return old | {f"Boolean, {case}": 100 * line.boolean_stdev / line.boolean for case, line in both}


def _spreads() -> Shown:
    rows = [[name, f"{share:.1f} %"] for name, share in _shares().items()]
    return Shown(["", "spread"], rows, [row for row, share in enumerate(_shares().values()) if share > 3])


@claim("prajoda", 3, see.bench(), _spreads)
def variation() -> Found:
    """Measurements vary by 3 % at most."""
    shares = _shares()
    worst = max(shares, key=lambda name: shares[name])
    return Found(round(shares[worst], 1), f"The largest spread in its own table: {worst}.", shares[worst] <= 3)


@claim("prajoda", 5, see.bench(), _times([case for case in range(5) if _improvement(LINES[case]) < 0]))
def faster_in_most_cases() -> Found:
    """The Boolean method is much more efficient for analysing the status."""
    gains = [_improvement(line) for line in LINES]
    note = f"It is faster in so many of the 5 cases of its own table; the mean improvement is {sum(gains) / 5:.0f} %."
    return Found(sum(gain > 0 for gain in gains), note)


@claim("prajoda", True, shows=_memory())
def memory_stable() -> Found:
    """The Boolean method's memory is stable: its spread is the smaller one."""
    boolean, other = (max(kb) - min(kb) for kb in (BOOLEAN_KB, TRADITIONAL_KB))
    note = f"In its own table the Boolean spread is {boolean:.1f} KB, the traditional one {other:.1f} KB."
    return Found(boolean < other, note)


@claim(
    "prajoda", True, shows=_memory([case for case in range(1, 5) if TRADITIONAL_KB[case] < TRADITIONAL_KB[case - 1]])
)
def memory_grows() -> Found:
    """The traditional method's memory grows progressively with complexity."""
    rising = all(a <= b for a, b in pairwise(TRADITIONAL_KB))
    return Found(rising, f"In its own table: {listing(f'{kb} KB' for kb in TRADITIONAL_KB)}.")


@claim("prajoda", 5, shows=_memory([case for case in range(5) if BOOLEAN_KB[case] > TRADITIONAL_KB[case]]))
def memory_superior() -> Found:
    """The Boolean method needs less memory, especially in complex states."""
    less = [case for case in range(5) if BOOLEAN_KB[case] < TRADITIONAL_KB[case]]
    more = listing(CASES[case] for case in range(5) if case not in less)
    return Found(len(less), f"Cases of its own table in which it needs less; it needs more on the {more}.")


@claim("prajoda", [26.4, 28.8, 32, 33.6], shows=_memory())
def memory_simple() -> Found:
    """On simple patterns: Boolean 26.4 to 28.8 KB, traditional 32 to 33.6 KB."""
    return Found([*BOOLEAN_KB[:2], *TRADITIONAL_KB[:2]], "As in its own table.")


# What depends on the machine


def _seconds(*calls: Callable[[], object]) -> list[float]:
    """Processor time of one call of each, the best of many short rounds, taken in turn."""
    timers = [Timer(call, timer=process_time) for call in calls]
    rounds = [[timer.timeit(100) / 100 for timer in timers] for _ in range(25)]
    return [min(times) for times in zip(*rounds, strict=True)]


@claim("prajoda", [line.improvement for line in LINES], see.bench())
def shape() -> Found:
    """The Boolean method is slower on row and column wins, faster on the other three boards."""
    measured = []
    for name in PUBLISHED:
        board = as_printed.grid(SCENARIOS[name].position)
        old, new = _seconds(partial(as_printed.traditional, board), partial(as_printed.boolean, board))
        measured.append(round((old - new) / old * 100, 1))
    slower = listing(case for case, gain in zip(CASES, measured, strict=True) if gain < 0) or "none"
    return Found(measured, f"Improvement in %, measured here on five boards of that kind; slower on: {slower}.", None)


@claim("prajoda", 100, see.bench("draw"))
def conversion() -> Found:
    """The Boolean method's time is that of its bitwise operations."""
    board = as_printed.grid(SCENARIOS["draw"].position)
    whole, converting = _seconds(partial(as_printed.boolean, board), partial(as_printed.to_bits, board))
    share = max(0, round(100 * (1 - converting / whole)))
    note = "The share in % that is not spent on converting the board anew on every call, measured here."
    return Found(share, note, None)
