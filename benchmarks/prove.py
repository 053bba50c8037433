"""Whole games proven: positions looked at, seconds, and the certificate, with published times beside them.

    python benchmarks/prove.py               prints a table and writes benchmarks/results/prove.json: a minute or so
    python benchmarks/prove.py --all         also the games that take longer
    python benchmarks/prove.py 6x6k5 7x7k5   these
    --threads N, --seconds S, --memory SIZE  as for noughts prove; else every processor, ten minutes a game, 1GiB

Nothing is said of a game that no certificate proves. `search` is the time of the provers, with the writing of the
certificate; `check` that of the plain program which reads it. Both are wall clock: threads work side by side, and what
else the machine does counts. Published times are those of other programs on other machines, which gave no certificate:
Hsu, Ko, Chen, Wei, Hsueh and Wu, Theoretical Computer Science 2020.
"""

from __future__ import annotations

from argparse import ArgumentParser
from gzip import compress
from io import BytesIO
from time import perf_counter

from _native import save

from noughts import Game
from noughts.proofs.certificate import lines
from noughts.proofs.check import check_file
from noughts.proofs.prove import prove
from noughts.solve.machine import parse_size, processors
from noughts.words import about

QUICK = ("4x4k3", "4x4k4", "5x5k4", "5x6k4", "6x6k4", "6x6k5", "4x7k4", "8x8k6", "7x7k5", "9x9k6")
LONG = ("4x8k4", "4x9k4", "6x8k5", "6x9k5", "7x8k5", "10x10k6", "8x8k5")
PUBLISHED = {"7x7k5": 2.5, "8x8k5": 17.4 * 3600}  # seconds
HEAD = ("game", "proven", "nodes", "search", "check", "lines", "bytes, gz", "published")
WIDTHS = (8, 13, 14, 16, 16, 10, 12, 11)


def measured(name: str, seconds: float, threads: int, memory: int) -> dict[str, object]:
    """What is proven of a game, and what it takes."""
    start = perf_counter()
    found = prove(Game.parse(name), seconds=seconds, threads=threads, memory=memory)
    both = perf_counter() - start  # the checker reads it before anything is said
    text = "".join(f"{line}\n" for line in lines(found.position, found.verdict.certificate)).encode()
    start = perf_counter()
    holds = bool(found.claim) and check_file(BytesIO(text)).holds
    took = perf_counter() - start
    claim = found.claim if holds and found.verdict.is_exact else "not settled"
    row: dict[str, object] = {"game": name, "proven": claim, "nodes": found.nodes}
    row |= {"search": max(0.0, both - took), "check": took, "lines": text.count(b"\n")}
    return row | {"bytes": len(compress(text, 9)), "published": PUBLISHED.get(name)}


def shown(row: dict[str, object]) -> str:
    """A line of the table."""
    told = [
        about(value) if isinstance(value, float) else "" if value is None else f"{value:,}" if isinstance(value, int)
        else str(value) for value in row.values()
    ]  # fmt: skip
    return "".join(f"{word:>{width}}" for word, width in zip(told, WIDTHS, strict=True))


def main() -> None:
    """Print the table, a game as soon as it is done."""
    asked = ArgumentParser(usage=__doc__)
    asked.add_argument("games", nargs="*")
    asked.add_argument("--all", action="store_true")
    asked.add_argument("--threads", type=int, default=processors())
    asked.add_argument("--seconds", type=float, default=600.0)
    asked.add_argument("--memory", type=parse_size, default=1 << 30)
    given = asked.parse_args()
    print("".join(f"{word:>{width}}" for word, width in zip(HEAD, WIDTHS, strict=True)))
    rows = []
    for name in given.games or QUICK + LONG * given.all:
        rows.append(measured(name, given.seconds, given.threads, given.memory))
        print(shown(rows[-1]), flush=True)
    title = "whole games proven: seconds; published by others, of another program on another machine"
    save("prove", [{"title": title, "threads": given.threads, "seconds": given.seconds, "rows": rows}])


if __name__ == "__main__":
    main()
