"""Draws the atlas of solved games: python docs/pictures/atlas.py writes atlas.svg beside it, and atlas-falling.svg.

A row a board, a column a k, standard and misère side by side; colour and letter tell who wins, with the plies it takes.
The picture follows the reader's choice of light or dark.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

from noughts.solve.atlas import Row, load

WIDE, HIGH, GAP, LABEL, TOP = 46, 21, 9, 52, 96
LAST_K = 10  # beyond, all games have one row of cells, or two
FILES = {False: "atlas.svg", True: "atlas-falling.svg"}  # whether marks fall

STYLE = """
  svg { color-scheme: light dark; --paper: #ffffff; --ink: #1b1f24; --soft: #59636e; --tie: #e8eaed; --none: #ffffff;
        --x: #0072b2; --on-x: #ffffff; --o: #e69f00; --on-o: #1b1f24; }
  @media (prefers-color-scheme: dark) {
    svg { --paper: #16181d; --ink: #e6e6e6; --soft: #9aa4af; --tie: #2b3038; --none: #16181d;
          --x: #56b4e9; --on-x: #10151c; --o: #e69f00; --on-o: #10151c; }
  }
  text { font: 13px system-ui, sans-serif; fill: var(--ink); }
  .soft { fill: var(--soft); } .head { font-weight: 600; font-size: 15px; } .mid { text-anchor: middle; }
  .end { text-anchor: end; }
  .x { fill: var(--x); } .o { fill: var(--o); } .tie { fill: var(--tie); }
  .none { fill: var(--none); stroke: var(--soft); stroke-dasharray: 2 2; }
  .on-x { fill: var(--on-x); } .on-o { fill: var(--on-o); } .on-tie, .on-none { fill: var(--soft); }
"""
KINDS = {"win": ("x", "X"), "loss": ("o", "O"), "tie": ("tie", "="), None: ("none", "?")}


def cell(row: Row, left: float, top: float) -> str:
    """One game."""
    kind, sign = KINDS[row.value]
    text = f"{sign} {row.remoteness}" if row.value in ("win", "loss") else sign
    fact = f"{row.game}: not computed"
    if row.computed:
        fact = (
            f"{row.game}: {row.value} in {row.remoteness} for X, {row.positions:,} positions, {row.classes:,} classes"
        )
    box = f'x="{left + 1}" y="{top + 1}" width="{WIDE - 2}" height="{HIGH - 2}" rx="3"'
    return (
        f'<g><title>{escape(fact)}</title><rect class="{kind}" {box}/>'
        f'<text class="mid on-{kind}" x="{left + WIDE / 2}" y="{top + 15}">{text}</text></g>'
    )


def panel(rows: list[Row], title: str, left: float) -> tuple[list[str], float]:
    """The games of one rule, and where they end below."""
    parts = [f'<text class="head" x="{left + LABEL}" y="{TOP - 34}">{title}</text>']
    parts += [
        f'<text class="soft mid" x="{left + LABEL + WIDE * (k - 1.5)}" y="{TOP - 10}">k = {k}</text>'
        for k in range(2, LAST_K + 1)
    ]
    top, before = float(TOP), None
    boards: dict[tuple[int, int], list[Row]] = {}
    for row in rows:
        boards.setdefault((row.game.rows, row.game.columns), []).append(row)
    for (board_rows, columns), games in boards.items():
        if before not in (None, board_rows):
            top += GAP
        before = board_rows
        parts.append(f'<text class="end" x="{left + LABEL - 8}" y="{top + 15}">{board_rows}x{columns}</text>')
        parts += [cell(row, left + LABEL + WIDE * (row.game.k - 2), top) for row in games if row.game.k <= LAST_K]
        top += HIGH
    return parts, top


def draw(rows: list[Row], falls: bool) -> str:
    """The whole picture, of the games in which marks fall or of the others."""
    rows = [row for row in rows if row.game.gravity is falls]
    width = LABEL + WIDE * (LAST_K - 1)
    wins, bottom = panel([row for row in rows if not row.game.misere], "Completing a line wins", 20)
    loses, _ = panel([row for row in rows if row.game.misere], "Completing a line loses (misere)", 60 + width)
    total, high = 80 + 2 * width, bottom + 62
    legend, left = [], 20.0 + LABEL
    for kind, words in (
        ("win", "X wins, in so many plies"),
        ("tie", "a tie"),
        ("loss", "O wins"),
        (None, "not computed"),
    ):
        name, sign = KINDS[kind]
        legend.append(
            f'<rect class="{name}" x="{left}" y="{bottom + 14}" width="24" height="19" rx="3"/>'
            f'<text class="mid on-{name}" x="{left + 12}" y="{bottom + 28}">{sign}</text>'
            f'<text x="{left + 32}" y="{bottom + 28}">{words}</text>'
        )
        left += 60 + 7.2 * len(words)
    note = "Rows x columns, k in a row."
    if beyond := [row for row in rows if row.game.k > LAST_K]:
        ties = "all ties" if all(row.value == "tie" for row in beyond) else "noughts atlas --json tells"
        note += f" {len(beyond)} more games of one row or two have k above {LAST_K}: {ties}."
    legend.append(f'<text class="soft" x="{20 + LABEL}" y="{bottom + 52}">{note}</text>')
    body = "\n".join(wins + loses + legend)
    title = "Solved games in which marks fall" if falls else "Solved games"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {high:.0f}" width="{total}" role="img" '
        f'aria-label="The atlas: who wins each game with best play, and in how many plies">\n<style>{STYLE}</style>\n'
        f'<rect width="100%" height="100%" rx="10" style="fill: var(--paper)"/>\n'
        f'<text class="head" style="font-size: 18px" x="{20 + LABEL}" y="28">{title}</text>\n{body}\n</svg>\n'
    )


if __name__ == "__main__":
    for falls, name in FILES.items():
        Path(__file__).with_name(name).write_text(draw(list(load().values()), falls), encoding="utf-8")
