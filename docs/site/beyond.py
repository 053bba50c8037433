"""The table of docs/explanation/beyond-one-machine.md: what large boards take, from the index where there is one.

    python docs/site/beyond.py     writes the table anew: a minute or two, and a gigabyte

`tests/test_docs.py` has it made again among the slow tests. Needs numpy and the native core.
"""

from __future__ import annotations

from itertools import pairwise
from math import comb
from pathlib import Path
from unittest.mock import patch

import numpy as np

from noughts import Game
from noughts.progress import finish
from noughts.rules.symmetry import symmetries
from noughts.solve.blocks import waiting_block
from noughts.solve.planning import Plan, planning
from noughts.words import about, size

PAGE = Path(__file__).parents[1] / "explanation" / "beyond-one-machine.md"
BEGIN, END = "<!-- made by docs/site/beyond.py -->\n", "<!-- end -->\n"
PART, MACHINES, NETWORK = 256 * 10**6, 64, 2 * 10**9
INDEXED, BEYOND = ("3x9k4", "4x7k4", "5x6k4"), ("6x6k4",)
HEAD = [
    "game",
    "sets of X",
    "codes",
    "wait, in all",
    "wait, at once",
    "tasks",
    "read by tasks",
    "a task takes",
    "network",
]


def open_sets(game: Game) -> list[int]:
    """How many sets of each size have no line, counted row by row: no index, and no symmetry.

    The state is the last k - 1 rows, the newest in the lowest bits; for each there is a number for each size.
    """
    columns, k = game.columns, game.k
    low, kept = (1 << columns) - 1, 1 << columns * (k - 1)
    states = np.arange(kept)
    rows = [states >> columns * back & low for back in range(k - 1)]  # the newest first
    ways = np.zeros((kept, game.cells + 1), np.int64)
    ways[0, 0] = 1
    for _ in range(game.rows):
        after = np.zeros_like(ways)
        for row in range(1 << columns):
            run = row
            for _ in range(k - 1):
                run &= run >> 1
            if run:
                continue
            good = np.ones(kept, bool)
            for step in (-1, 0, 1):  # lines that go up from this row, to the left, straight, to the right
                line = np.full(kept, row)
                for back in range(k - 1):
                    above = rows[back]
                    line &= above >> (back + 1) if step > 0 else above << (back + 1) if step < 0 else above
                good &= (line & low) == 0
            many = row.bit_count()
            came = np.where(good[:, None], ways, 0)[:, : game.cells + 1 - many]
            # States that differ in their oldest row alone become the same one.
            merged = came.reshape(1 << columns, kept >> columns, -1).sum(axis=0)
            into = (np.arange(kept >> columns) << columns & (kept - 1)) | row
            np.add.at(after[:, many:], into, merged)
        ways = after
    return [int(number) for number in ways.sum(axis=0)]


def counted(game: Game) -> tuple[int, int, int, int]:
    """Sets of X, codes, bytes that wait in all and at once, without an index: as if each orbit were a full one."""
    sets, group = open_sets(game), len(symmetries(game))
    blocks = [-(-number // group) for number in sets[: (game.cells + 1) // 2 + 1]]
    codes = sum(
        comb(game.cells - x, level // 2) * number
        for x, number in enumerate(blocks)
        for level in (2 * x, 2 * x - 1)
        if 0 <= level <= game.cells
    )
    waits = [waiting_block(game, 2 * x - 1) * number if x else 0 for x, number in enumerate(blocks)]
    return sum(blocks), codes, sum(waits), max(map(sum, pairwise(waits)))


def planned(name: str) -> Plan:
    """The plan of a game on a cluster; the process itself, which is not the same everywhere, is left out."""
    with patch("noughts.solve.layout.rss_bytes", lambda: 0):
        return finish(planning(Game.parse(name), machines=MACHINES, network=NETWORK, part=PART, threads=1))


def row_of(name: str) -> list[str]:
    """A row of the table."""
    game = Game.parse(name)
    if name in BEYOND:
        blocks, codes, waits, at_once = counted(game)
        return [name, f"{blocks:.3g}", size(codes), size(waits), size(at_once), "", "", "", ""]
    plan = planned(name)
    at_once = max(one.waits + other.waits for one, other in pairwise(plan.levels))
    blocks, tasks = (sum(getattr(level, what) for level in plan.levels) for what in ("blocks", "parts"))
    times = f"{size(plan.read)}, {plan.read / plan.waits:.0f} times"
    return [
        name, f"{blocks:.3g}", size(plan.bytes), size(plan.waits), size(at_once), f"{tasks:,}", times,
        size(plan.memory), about(plan.network_seconds or 0),
    ]  # fmt: skip


def table() -> str:
    """The table, as it stands in the page."""
    lines = [HEAD, ["---"] * len(HEAD), *(row_of(name) for name in (*INDEXED, *BEYOND))]
    return "".join(f"| {' | '.join(line)} |\n".replace("|  |", "| |").replace("|  |", "| |") for line in lines)


def in_page(text: str) -> str:
    """The table that a page has."""
    return text[text.index(BEGIN) + len(BEGIN) : text.index(END)].strip("\n") + "\n"


if __name__ == "__main__":
    made, page = table(), PAGE.read_text(encoding="utf-8")
    begin, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    PAGE.write_text(page[:begin] + "\n" + made + "\n" + page[end:], encoding="utf-8")
