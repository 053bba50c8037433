"""The claims of the prajoda paper on Boolean algebra itself, each decided by a truth table."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from noughts.lab.papers.claim import Found, Shown, claim, enter

Law = Callable[..., tuple[int, int]]  # both sides of an equation, for 0 and 1 in place of its letters

LAWS: dict[str, tuple[str, str, Law]] = {
    "1i": ("identity", "a + 0 = a", lambda a: (a | 0, a)),
    "1ii": ("identity", "a . 1 = a", lambda a: (a & 1, a)),
    "2i": ("idempotence", "a + a = a", lambda a: (a | a, a)),
    "2ii": ("idempotence", "a . a = a", lambda a: (a & a, a)),
    "3i": ("complement", "a + a' = 1", lambda a: (a | 1 - a, 1)),
    "3ii": ("complement", "a . a' = 0", lambda a: (a & 1 - a, 0)),
    "4i": ("dominance", "a . 0 = 0", lambda a: (a & 0, 0)),
    "4ii": ("dominance", "a + 1 = 1", lambda a: (a | 1, 1)),
    "5i": ("involution", "(a')' = a", lambda a: (1 - (1 - a), a)),
    "6ii": ("absorption", "a + ab = a", lambda a, b: (a | a & b, a)),
    "6iii": ("absorption", "a(a + b) = a", lambda a, b: (a & (a | b), a)),
    "7iv": ("commutativity", "a + b = b + a", lambda a, b: (a | b, b | a)),
    "7v": ("commutativity", "ab = ba", lambda a, b: (a & b, b & a)),
    "8i": ("associativity", "a + (b + c) = (a + b) + c", lambda a, b, c: (a | (b | c), (a | b) | c)),
    "9i": ("distributivity", "a + (bc) = (a + b)(a + c)", lambda a, b, c: (a | b & c, (a | b) & (a | c))),
    "9ii": ("distributivity", "a(b + c) = ab + bc", lambda a, b, c: (a & (b | c), a & b | b & c)),
    "10i": ("De Morgan", "(a + b)' = a'b'", lambda a, b: (1 - (a | b), 1 - a & 1 - b)),
    "10ii": ("De Morgan", "(ab)' = a' + b'", lambda a, b: (1 - (a & b), 1 - a | 1 - b)),
    "11i": ("0 and 1", "0' = 1", lambda: (1 - 0, 1)),
    "11ii": ("0 and 1", "1' = 0", lambda: (1 - 1, 0)),
}
RIGHT_9II = "a(b + c) = ab + ac", lambda a, b, c: (a & (b | c), a & b | a & c)  # as its axioms have it


def truth_table(text: str, law: Law) -> Shown:
    """Both sides of an equation in all cases, those in which they differ marked.

    >>> truth_table("a + b = ab", lambda a, b: (a | b, a & b)).against
    [1, 2]
    """
    letters = sorted({letter for letter in text if letter in "abc"})
    cases = list(product((0, 1), repeat=len(letters)))
    sides = [law(*case) for case in cases]
    rows = [[str(value) for value in (*case, *both)] for case, both in zip(cases, sides, strict=True)]
    return Shown(
        [*letters, *text.split(" = ")], rows, [row for row, (left, right) in enumerate(sides) if left != right]
    )


def _law_claim(number: str, name: str, text: str, law: Law) -> None:
    @enter(f"prajoda.law_{number}", f"The law of {name}: {text}.", True, shows=lambda: truth_table(text, law))
    def holds() -> Found:
        table = truth_table(text, law)
        if not table.against:
            return Found(True, f"Holds in all {len(table.rows)} rows of its truth table.")
        first = zip(table.columns[:-2], table.rows[table.against[0]], strict=False)
        row = ", ".join(f"{letter} = {value}" for letter, value in first)
        wrong = f"{len(table.against)} of {len(table.rows)} rows"
        return Found(False, f"Fails in {wrong} of its truth table, first for {row}.")


for _number, _law in LAWS.items():
    _law_claim(_number, *_law)


@claim("prajoda", "associativity", shows=lambda: truth_table(*LAWS["2ii"][1:]))
def law_8ii() -> Found:
    """The second law of associativity: a . a = a."""
    same = next(name for name, text, _ in LAWS.values() if text == "a . a = a")
    return Found(same, "True, but it is the law of that name; associativity is about three variables: a(bc) = (ab)c.")


def _axioms() -> Shown:
    """The laws that are axioms, and in how many cases each of them holds."""
    laws = [LAWS[number][1:] for number in ("1i", "1ii", "7iv", "7v", "9i")] + [RIGHT_9II]
    tables = [truth_table(*law) for law in [*laws, *(LAWS[number][1:] for number in ("3i", "3ii"))]]
    rows = [
        [" = ".join(table.columns[-2:]), f"{len(table.rows) - len(table.against)} of {len(table.rows)}"]
        for table in tables
    ]
    return Shown(["axiom", "holds in"], rows, [row for row, table in enumerate(tables) if table.against])


@claim("prajoda", True, shows=_axioms)
def axioms() -> Found:
    """Two-valued algebra fulfils the four axioms."""
    note = "Identity, commutativity, distributivity (rightly stated there) and complement, by truth table."
    return Found(not _axioms().against, note)


# A function, and gates


def _function(x: int, y: int, z: int) -> int:
    return (1 - x) & y & z


CASES = list(product((0, 1), repeat=3))


def _function_table() -> Shown:
    rows = [[str(value) for value in (*case, _function(*case))] for case in CASES]
    return Shown(["x", "y", "z", "x'yz"], rows, [])


@claim("prajoda", 2, shows=_function_table)
def function_variables() -> Found:
    """f(x, y) = x'yz is a function of x and y."""
    table = {case: _function(*case) for case in CASES}
    needed = sum(any(table[v] != table[(*v[:i], 1 - v[i], *v[i + 1 :])] for v in table) for i in range(3))
    return Found(needed, "It depends on x, y and z.")


enter("prajoda.function_true_rows", "x'yz is 1 only for x = 0, y = 1, z = 1.", [[0, 1, 1]], shows=_function_table)(
    lambda: Found([list(case) for case in CASES if _function(*case)], "By truth table.")
)


Gate = Callable[[int, int], int]


def _rounds(gate: Gate) -> list[set[tuple[int, ...]]]:
    """The functions of two variables that can be built from this gate alone: the variables, then more in each round."""
    made: list[set[tuple[int, ...]]] = [{(0, 0, 1, 1), (0, 1, 0, 1)}]
    while (more := made[-1] | {tuple(map(gate, f, g)) for f in made[-1] for g in made[-1]}) != made[-1]:
        made.append(more)
    return made


def _gate_claim(name: str, gate: Gate) -> None:
    def shows() -> Shown:
        rows = [[str(number), str(len(made))] for number, made in enumerate(_rounds(gate))]
        return Shown([f"rounds of {name}", "functions made, of 16"], rows, [])

    @enter(f"prajoda.{name.lower()}_universal", f"{name} is universal.", True, shows=shows)
    def universal() -> Found:
        made = len(_rounds(gate)[-1])
        return Found(made == 16, f"{made} of the 16 functions of two variables can be built from {name} alone.")


_gate_claim("NAND", lambda a, b: 1 - (a & b))
_gate_claim("NOR", lambda a, b: 1 - (a | b))
