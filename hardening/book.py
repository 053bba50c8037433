"""The opening of Connect Four, computed: `make book`.

python hardening/book.py [FILE]             what a book does not know yet, the package's own or another; can be stopped
python hardening/book.py --scratch [N]      the value of the empty board without a book, with N threads
"""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Event, Thread
from time import monotonic

from noughts.cli.meter import QUIET_SECONDS, finish_showing
from noughts.solve import book, falling


def compute(path: Path) -> int:
    """Compute what a book does not know; 130 when it is stopped."""
    try:
        finish_showing(book.computing(path))
    except KeyboardInterrupt:
        print(f"noughts: stopped; the same command goes on with {path}", file=sys.stderr)
        return 130
    return 0


def scratch(threads: int) -> int:
    """Search the empty board to the end, and say now and then how far it is."""
    start, connect, done, began = book.GAME.start(), falling.solver(book.GAME, book.TABLE), Event(), monotonic()

    def tell() -> None:
        while not done.wait(QUIET_SECONDS):
            print(f"noughts: {connect.searched:,} positions searched", file=sys.stderr, flush=True)

    teller = Thread(target=tell, daemon=True)  # beside the search, which Ctrl-C must reach
    teller.start()
    try:
        found, nodes = falling.search(start, threads=threads, table=book.TABLE)
    finally:
        done.set()
        teller.join()
    print(f"{book.GAME}: {found}, {nodes:,} positions searched in {monotonic() - began:.1f} s with {threads} threads")
    return 0


def main() -> None:
    words = sys.argv[1:]
    if words[:1] == ["--scratch"]:
        sys.exit(scratch(int(words[1]) if len(words) > 1 else 1))
    sys.exit(compute(Path(words[0]) if words else book.FILE))


if __name__ == "__main__":
    main()
