"""The claims of the paper on Boolean algebra for the status of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import pairwise, product
from math import perm
from time import process_time

from noughts.detect import as_printed
from noughts.lab.papers import facts
from noughts.lab.papers.claim import Found, claim, words
from noughts.lab.papers.facts import GAME
from noughts.position import Mark, Position

# Its tables, as printed: seconds and their spread for 100,000 calls, improvement in %, kilobytes.
CASES = ("row win", "column win", "diagonal win", "full-board draw", "early game")
TRADITIONAL = (0.134855, 0.142307, 0.504028, 0.507564, 0.513491)
TRADITIONAL_STD = (0.00711596, 0.00542247, 0.0133226, 0.00919174, 0.010506)
BOOLEAN = (0.343146, 0.355041, 0.368633, 0.341384, 0.392646)
BOOLEAN_STD = (0.00972725, 0.00347737, 0.00639232, 0.00967547, 0.00762509)
IMPROVEMENT = (-154.456, -149.488, 26.8626, 32.7408, 23.534)
TRADITIONAL_KB = (32, 33.6, 38.4, 44.8, 37.6)
BOOLEAN_KB = (26.4, 28.8, 43.2, 20.8, 35.2)


def _improvement(case: int) -> float:
    return (TRADITIONAL[case] - BOOLEAN[case]) / TRADITIONAL[case] * 100


# The masks


@claim("prajoda.patterns", "There are 8 winning combinations.", 8)
def patterns() -> Found:
    return Found(GAME.line_count, "Three rows, three columns, two diagonals.")


@claim("prajoda.misjudged", "The Boolean method with the printed masks judges every position rightly.", 0)
def misjudged() -> Found:
    sign = {Mark.X: 1, Mark.O: -1, None: 0}
    wrong = [p for p in facts.reachable() if as_printed.boolean(as_printed.grid(p)) != sign[p.winner]]
    decided = len(facts.decided())
    return Found(len(wrong), f"Of {decided} decided positions, the first being {wrong[0]}: a mask has a bit too many.")


@claim("prajoda.row_3_mask", "The mask of row 3 has three bits.", 3)
def row_3_mask() -> Found:
    mask = as_printed.ROWS_AS_PRINTED[2]
    return Found(mask.bit_count(), f"It is printed as 0b{mask:09b} and must be 0b{as_printed.ROWS[2]:09b}.")


@claim("prajoda.row_1_mask", "The pattern 111000000 stands for the first row.", [0, 1, 2])
def row_1_mask() -> Found:
    cells = [cell for cell in range(9) if 0b111000000 >> cell & 1]
    return Found(cells, "Its own conversion makes cell i bit i, so these are the cells of the bottom row.")


@claim("prajoda.corrected_masks", "With the right masks the Boolean method is accurate.", 0)
def corrected_masks() -> Found:
    sign = {Mark.X: 1, Mark.O: -1, None: 0}
    wrong = sum(as_printed.boolean(as_printed.grid(p), as_printed.MASKS) != sign[p.winner] for p in facts.reachable())
    return Found(wrong, f"Misjudged among all {len(facts.reachable()):,} reachable positions.")


@claim("prajoda.traditional", "Sums of 3 and -3 in rows, columns and diagonals tell who has won.", 0)
def traditional() -> Found:
    sign = {Mark.X: 1, Mark.O: -1, None: 0}
    wrong = sum(as_printed.traditional(as_printed.grid(p)) != sign[p.winner] for p in facts.reachable())
    return Found(wrong, f"Misjudged among all {len(facts.reachable()):,} reachable positions.")


@claim("prajoda.rows_most_common", "A row is the most common way to win.", True)
def rows_most_common() -> Found:
    kinds = Counter(_kind(line) for position in facts.decided() for line in position.lines())
    counted = words(f"{count} {kind}" for kind, count in sorted(kinds.items(), key=lambda item: -item[1]))
    most = kinds["rows"] > max(kinds["columns"], kinds["diagonals"])
    return Found(most, f"Completed lines in the {len(facts.decided())} decided positions: {counted}.")


def _kind(line: tuple[int, ...]) -> str:
    return {1: "rows", 3: "columns"}.get(line[1] - line[0], "diagonals")


@claim("prajoda.first_moves", "There are 9 first moves and 8 replies to each.", [9, 72])
def first_moves() -> Found:
    return Found(facts.perft()[1:3], "Sequences of one and of two moves.")


@claim("prajoda.sequences", "9 first moves, then 8, and so on: 9, 72, 504, … sequences, down to 9!.",
       [perm(9, moves) for moves in range(1, 10)])  # fmt: skip
def sequences() -> Found:
    counts = facts.perft()
    return Found(counts[1:], f"Games that end early have no more moves; the whole tree has {sum(counts):,} nodes.")


# Its own figures


def _improvement_claim(case: int) -> None:
    name = CASES[case].replace(" ", "_").replace("-", "_")

    @claim(
        f"prajoda.improvement_{name}",
        f"The improvement on the {CASES[case]} is {IMPROVEMENT[case]} %.",
        IMPROVEMENT[case],
    )
    def improvement() -> Found:
        digits = len(str(IMPROVEMENT[case]).partition(".")[2])
        computed = round(_improvement(case), digits)
        return Found(
            computed,
            f"(traditional - Boolean) / traditional from its own times, {TRADITIONAL[case]} s and {BOOLEAN[case]} s.",
            abs(_improvement(case) - IMPROVEMENT[case]) <= 2 * 10**-digits,
        )


for _case in range(len(CASES)):
    _improvement_claim(_case)


def _range_claim(name: str, case: int, text: str, low: float, high: float) -> None:
    @claim(name, text, [low, high])
    def in_range() -> Found:
        computed = round(abs(_improvement(case)), 1)
        return Found(
            computed,
            f"From the times in its table, {TRADITIONAL[case]} s and {BOOLEAN[case]} s.",
            low <= computed <= high,
        )


_range_claim("prajoda.range_row", 0, "On row wins the traditional method is 143 to 156 % faster.", 143, 156)
_range_claim("prajoda.range_column", 1, "On column wins it is about as much: 143 to 156 %.", 143, 156)
_range_claim("prajoda.range_diagonal", 2, "On diagonal wins the Boolean method is 26 to 29 % faster.", 26, 29)
_range_claim("prajoda.range_draw", 3, "On full boards it is 32 to 33 % faster.", 32, 33)
_range_claim("prajoda.range_early", 4, "In early game states it is 25 to 27 % faster.", 25, 27)


@claim("prajoda.boolean_row_time", "The Boolean method needs about 0.32 s for row wins.", 0.32)
def boolean_row_time() -> Found:
    return Found(BOOLEAN[0], "In its own table.", round(BOOLEAN[0], 2) == 0.32)


@claim("prajoda.traditional_row_time", "The traditional method needs about 0.13 s for row wins.", 0.13)
def traditional_row_time() -> Found:
    return Found(TRADITIONAL[0], "In its own table.", round(TRADITIONAL[0], 2) == 0.13)


@claim("prajoda.variation", "Measurements vary by 3 % at most.", 3)
def variation() -> Found:
    shares = {
        f"{method}, {case}": 100 * std / mean
        for method, means, stds in (("traditional", TRADITIONAL, TRADITIONAL_STD), ("Boolean", BOOLEAN, BOOLEAN_STD))
        for case, mean, std in zip(CASES, means, stds, strict=True)
    }
    worst = max(shares, key=lambda name: shares[name])
    return Found(round(shares[worst], 1), f"The largest spread in its own table: {worst}.", shares[worst] <= 3)


@claim("prajoda.faster_in_most_cases", "The Boolean method is much more efficient for analysing the status.", 5)
def faster_in_most_cases() -> Found:
    faster = [case for case in range(5) if BOOLEAN[case] < TRADITIONAL[case]]
    mean = sum(map(_improvement, range(5))) / 5
    return Found(
        len(faster), f"It is faster in so many of the 5 cases of its own table; the mean improvement is {mean:.0f} %."
    )


@claim("prajoda.memory_stable", "The Boolean method's memory is stable: its spread is the smaller one.", True)
def memory_stable() -> Found:
    boolean, other = (max(kb) - min(kb) for kb in (BOOLEAN_KB, TRADITIONAL_KB))
    return Found(
        boolean < other, f"In its own table the Boolean spread is {boolean:.1f} KB, the traditional one {other:.1f} KB."
    )


@claim("prajoda.memory_grows", "The traditional method's memory grows progressively with complexity.", True)
def memory_grows() -> Found:
    rising = all(a <= b for a, b in pairwise(TRADITIONAL_KB))
    return Found(rising, f"In its own table: {words(f'{kb} KB' for kb in TRADITIONAL_KB)}.")


@claim("prajoda.memory_superior", "The Boolean method needs less memory, especially in complex states.", 5)
def memory_superior() -> Found:
    less = [case for case in range(5) if BOOLEAN_KB[case] < TRADITIONAL_KB[case]]
    more = words(CASES[case] for case in range(5) if case not in less)
    return Found(len(less), f"Cases of its own table in which it needs less; it needs more on the {more}.")


@claim(
    "prajoda.memory_simple",
    "On simple patterns: Boolean 26.4 to 28.8 KB, traditional 32 to 33.6 KB.",
    [26.4, 28.8, 32, 33.6],
)
def memory_simple() -> Found:
    return Found([*BOOLEAN_KB[:2], *TRADITIONAL_KB[:2]], "As in its own table.")


# Boolean algebra, by truth table

Law = Callable[..., object]


def _is_law(law: Law, variables: int) -> bool:
    return all(law(*values) for values in product((0, 1), repeat=variables))


LAWS: dict[str, tuple[str, str, int, Law]] = {
    "1i": ("identity", "a + 0 = a", 1, lambda a: a | 0 == a),
    "1ii": ("identity", "a . 1 = a", 1, lambda a: a & 1 == a),
    "2i": ("idempotence", "a + a = a", 1, lambda a: a | a == a),
    "2ii": ("idempotence", "a . a = a", 1, lambda a: a & a == a),
    "3i": ("complement", "a + a' = 1", 1, lambda a: a | 1 - a == 1),
    "3ii": ("complement", "a . a' = 0", 1, lambda a: a & 1 - a == 0),
    "4i": ("dominance", "a . 0 = 0", 1, lambda a: a & 0 == 0),
    "4ii": ("dominance", "a + 1 = 1", 1, lambda a: a | 1 == 1),
    "5i": ("involution", "(a')' = a", 1, lambda a: 1 - (1 - a) == a),
    "6ii": ("absorption", "a + ab = a", 2, lambda a, b: a | a & b == a),
    "6iii": ("absorption", "a(a + b) = a", 2, lambda a, b: a & (a | b) == a),
    "7iv": ("commutativity", "a + b = b + a", 2, lambda a, b: a | b == b | a),
    "7v": ("commutativity", "ab = ba", 2, lambda a, b: a & b == b & a),
    "8i": ("associativity", "a + (b + c) = (a + b) + c", 3, lambda a, b, c: a | (b | c) == (a | b) | c),
    "9i": ("distributivity", "a + (bc) = (a + b)(a + c)", 3, lambda a, b, c: a | b & c == (a | b) & (a | c)),
    "9ii": ("distributivity", "a(b + c) = ab + bc", 3, lambda a, b, c: a & (b | c) == (a & b | b & c)),
    "10i": ("De Morgan", "(a + b)' = a'b'", 2, lambda a, b: 1 - (a | b) == (1 - a & 1 - b)),
    "10ii": ("De Morgan", "(ab)' = a' + b'", 2, lambda a, b: 1 - (a & b) == (1 - a | 1 - b)),
    "11i": ("0 and 1", "0' = 1", 0, lambda: 1 - 0 == 1),
    "11ii": ("0 and 1", "1' = 0", 0, lambda: 1 - 1 == 0),
}


def _law_claim(number: str, name: str, text: str, variables: int, law: Law) -> None:
    @claim(f"prajoda.law_{number}", f"The law of {name}: {text}.", True)
    def truth_table() -> Found:
        failing = [values for values in product((0, 1), repeat=variables) if not law(*values)]
        if not failing:
            return Found(True, f"Holds in all {2**variables} rows of its truth table.")
        row = ", ".join(f"{letter} = {value}" for letter, value in zip("abc", failing[0], strict=False))
        return Found(False, f"Fails in {len(failing)} of {2**variables} rows of its truth table, first for {row}.")


for _number, _law in LAWS.items():
    _law_claim(_number, *_law)


@claim("prajoda.law_8ii", "The second law of associativity: a . a = a.", "associativity")
def law_8ii() -> Found:
    same = next(name for name, text, *_ in LAWS.values() if text == "a . a = a")
    return Found(same, "True, but it is the law of that name; associativity is about three variables: a(bc) = (ab)c.")


@claim("prajoda.axioms", "Two-valued algebra fulfils the four axioms.", True)
def axioms() -> Found:
    by_name = {"1i", "1ii", "7iv", "7v", "9i", "3i", "3ii"}
    hold = all(_is_law(LAWS[n][3], LAWS[n][2]) for n in by_name) and _is_law(
        lambda a, b, c: a & (b | c) == (a & b | a & c), 3
    )
    return Found(hold, "Identity, commutativity, distributivity (rightly stated there) and complement, by truth table.")


@claim("prajoda.function_variables", "f(x, y) = x'yz is a function of x and y.", 2)
def function_variables() -> Found:
    table = {values: (1 - values[0]) & values[1] & values[2] for values in product((0, 1), repeat=3)}
    needed = sum(any(table[v] != table[(*v[:i], 1 - v[i], *v[i + 1 :])] for v in table) for i in range(3))
    return Found(needed, "It depends on x, y and z.")


@claim("prajoda.function_true_rows", "x'yz is 1 only for x = 0, y = 1, z = 1.", [[0, 1, 1]])
def function_true_rows() -> Found:
    return Found([list(v) for v in product((0, 1), repeat=3) if (1 - v[0]) & v[1] & v[2]], "By truth table.")


@claim("prajoda.nand_universal", "NAND is universal.", True)
def nand_universal() -> Found:
    return _universal(lambda a, b: 1 - (a & b), "NAND")


@claim("prajoda.nor_universal", "NOR is universal.", True)
def nor_universal() -> Found:
    return _universal(lambda a, b: 1 - (a | b), "NOR")


def _universal(gate: Callable[[int, int], int], name: str) -> Found:
    """Which functions of two variables can be built from this gate alone?"""
    made: set[tuple[int, ...]] = {(0, 0, 1, 1), (0, 1, 0, 1)}
    while True:
        more = made | {tuple(map(gate, f, g)) for f in made for g in made}
        if more == made:
            return Found(
                len(made) == 16, f"{len(made)} of the 16 functions of two variables can be built from {name} alone."
            )
        made = more


# What depends on the machine


def _seconds(*calls: Callable[[], object]) -> list[float]:
    """Processor time of one call of each, the best of many short rounds, taken in turn."""
    best = [float("inf")] * len(calls)
    for _ in range(25):
        for number, call in enumerate(calls):
            start = process_time()
            for _ in range(100):
                call()
            best[number] = min(best[number], (process_time() - start) / 100)
    return best


BOARDS = ("XXX/OO./...", "XO./XO./X..", "XOO/.X./..X", "XOX/XOO/OXX", "X../.O./...")


@claim(
    "prajoda.shape",
    "The Boolean method is slower on row and column wins, faster on the other three boards.",
    list(IMPROVEMENT),
)
def shape() -> Found:
    measured = []
    for text in BOARDS:
        board = as_printed.grid(Position.parse(text))
        old, new = _seconds(partial(as_printed.traditional, board), partial(as_printed.boolean, board))
        measured.append(round((old - new) / old * 100, 1))
    slower = (
        words(case for case, gain in zip(CASES, measured, strict=True) if gain < 0) if min(measured) < 0 else "none"
    )
    return Found(measured, f"Improvement in %, measured here on five boards of that kind; slower on: {slower}.", None)


@claim("prajoda.conversion", "The Boolean method's time is that of its bitwise operations.", 100)
def conversion() -> Found:
    board = as_printed.grid(Position.parse(BOARDS[3]))
    whole, converting = _seconds(partial(as_printed.boolean, board), partial(as_printed.to_bits, board))
    share = max(0, round(100 * (1 - converting / whole)))
    return Found(
        share, "The share in % that is not spent on converting the board anew on every call, measured here.", None
    )
