"""Numbers in words, the same in the terminal and on the page."""

from __future__ import annotations

from collections.abc import Iterable


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


def size(count: int | None) -> str:
    """Bytes as people read them.

    >>> size(168), size(2_680), size(15_982_592), size(None)
    ('168 B', '2.68 kB', '16.0 MB', 'unknown')
    """
    if count is None:
        return "unknown"
    for unit, scale in (("MB", 1e6), ("kB", 1e3)):
        if count >= scale * 0.9995:
            return f"{three_digits(count / scale)} {unit}"
    return f"{count} B"


def listing(things: Iterable[str]) -> str:
    """Some things in a sentence.

    >>> listing(["rows"]), listing(["rows", "columns", "diagonals"])
    ('rows', 'rows, columns and diagonals')
    """
    *others, last = [*things] or [""]
    return f"{', '.join(others)} and {last}" if others else last
