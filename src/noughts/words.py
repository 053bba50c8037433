"""Numbers, sizes, times and complaints: the same in a message, in the terminal, in JSON and on the page."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from operator import index


def duration(ns: float) -> str:
    """Nanoseconds as people read them, three digits.

    >>> [duration(ns) for ns in (8.25, 412.3, 1234.0, 45_600.0, 7_890_000.0, 2.5e9)]
    ['8.25 ns', '412 ns', '1.23 µs', '45.6 µs', '7.89 ms', '2.50 s']
    """
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if abs(ns) >= size * 0.9995:
            return f"{three_digits(ns / size)} {unit}"
    return f"{three_digits(ns)} ns"


def three_digits(number: float) -> str:
    """A number with three digits that count.

    >>> [three_digits(number) for number in (0.1234, 1.234, 12.34, 123.4, 9.999)]
    ['0.123', '1.23', '12.3', '123', '10.0']
    """
    for places, limit in ((3, 0.9995), (2, 9.995), (1, 99.95)):
        if abs(number) < limit:
            return f"{number:.{places}f}"
    return f"{number:,.0f}"


def percent(number: float) -> str:
    """A signed percentage; a true minus sign, and no decimals.

    >>> percent(26.86), percent(-154.456), percent(0.2)
    ('+27 %', '−154 %', '0 %')
    """
    whole = round(number)
    return f"{'+' if whole > 0 else '−' if whole < 0 else ''}{abs(whole):,} %"


def exponent(number: float) -> str:
    """A fitted power, two decimals, with a true minus sign.

    >>> exponent(1.926), exponent(-0.011), exponent(-0.001)
    ('1.93', '−0.01', '0.00')
    """
    text = f"{abs(number):.2f}"
    return text if number >= 0 or text == "0.00" else f"−{text}"


def size(count: float | None) -> str:
    """Bytes as people read them.

    >>> size(9), size(2_680), size(15_982_592), size(2.5e9), size(None)
    ('9 B', '2.68 kB', '16 MB', '2.5 GB', 'unknown')
    """
    if count is None:
        return "unknown"
    for unit, scale in (("PB", 1e15), ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= scale * 0.9995:
            return f"{count / scale:.3g} {unit}"
    return f"{count:.0f} B"


def about(seconds: float) -> str:
    """A time that is only estimated, or too long to count.

    >>> about(0.0123), about(7.5), about(75), about(4000)
    ('12 ms', '7.5 s', '75 s', '67 min')
    """
    if seconds < 0.1:
        return f"{1000 * seconds:.0f} ms" if seconds >= 0.001 else "less than 1 ms"
    if seconds < 100:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def several(number: int, thing: str, things: str = "") -> str:
    """A number of things.

    >>> several(1, "line"), several(5478, "position"), several(2, "ply", "plies")
    ('1 line', '5,478 positions', '2 plies')
    """
    return f"{number:,} {thing if number == 1 else things or f'{thing}s'}"


def listing(things: Iterable[str], last: str = "and") -> str:
    """Some things in a sentence.

    >>> listing(["rows"]), listing(["rows", "columns", "diagonals"]), listing("ab", "or")
    ('rows', 'rows, columns and diagonals', 'a or b')
    """
    *others, end = [*things] or [""]
    return f"{', '.join(others)} {last} {end}" if others else end


# Complaints


def whole(
    what: str, number: object, least: int | None = None, most: int | None = None, refuse: type[ValueError] = ValueError
) -> int:
    """A whole number from least to most, of any type (numpy has its own), as an int; a truth value is none.

    >>> whole("threads", 0, 1, 1024)
    Traceback (most recent call last):
    ValueError: threads must be from 1 to 1,024, not 0
    """
    try:
        if isinstance(number, bool):
            raise TypeError
        found = index(number)  # type: ignore[arg-type]
    except TypeError:
        raise refuse(f"{what} must be a whole number, not {brief(number)}") from None
    if (least is not None and found < least) or (most is not None and found > most):
        span = f"at least {least:,}" if most is None else f"from {least:,} to {most:,}"
        raise refuse(f"{what} must be {span}, not {brief(found)}")
    return found


def some(what: str, number: object, most: float, refuse: type[ValueError] = ValueError) -> float:
    """A number above zero, and at most so large.

    >>> some("seconds", float("nan"), 1e9)
    Traceback (most recent call last):
    ValueError: seconds must be more than 0 and at most 1,000,000,000, not nan
    """
    if isinstance(number, (int, float)) and not isinstance(number, bool) and 0 < number <= most:
        return number
    raise refuse(f"{what} must be more than 0 and at most {most:,.0f}, not {brief(number)}")


def brief(thing: object, most: int = 40) -> str:
    """Anything as an error message shows it: on one line, and short."""
    if isinstance(thing, int) and abs(thing) >= 10**20:
        return "a number of more than 20 digits"
    try:
        text = repr(thing[:most]) if isinstance(thing, str | bytes) else " ".join(repr(thing).split())
    except ValueError:  # a number of thousands of digits somewhere inside
        return f"a {type(thing).__name__} with a number of too many digits"
    return text if len(text) <= most else text[: most - 3] + "..."


def known(kind: str, name: object, names: Collection[str], refuse: type[ValueError]) -> None:
    """Refuse a name that is not among these."""
    if name not in names:
        raise refuse(no_such(kind, name, names))


def no_such(kind: str, name: object, names: Iterable[str]) -> str:
    """The complaint about a name that is not known, with the nearest one that is, or else all of them.

    >>> no_such("player", "perfcet", ("perfect", "random"))
    "there is no player 'perfcet': did you mean perfect?"
    >>> no_such("rule", "gravity", ("standard", "misere"))
    "there is no rule 'gravity': expected one of standard, misere"
    """
    from difflib import get_close_matches

    names = list(names)
    near = get_close_matches(name, names) if isinstance(name, str) else []
    hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(names)}"
    return f"there is no {kind} {brief(name)}: {hint}"
