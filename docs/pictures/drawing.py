"""What the diagrams share: boards, words and arrows as SVG, readable in light and in dark.

Each picture lies on paper of its own and follows the reader's choice of colours, so it can stand on any page. A diagram
is a script beside this file with `FILE`, where it belongs, and `draw()`, its text; running it writes the file, and a
test holds what is written to what would be drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1]

STYLE = """
  svg { color-scheme: light dark; --paper: #ffffff; --ink: #1b1f24; --soft: #59636e; --edge: #9aa4af; --lit: #cfe6f5;
        --dim: #f1f3f5; --x: #0072b2; --o: #b34700; --bad: #fbdcc8; }
  @media (prefers-color-scheme: dark) {
    svg { --paper: #16181d; --ink: #e6e6e6; --soft: #a3adb8; --edge: #59636e; --lit: #1d4e6e; --dim: #22262d;
          --x: #56b4e9; --o: #f0a04b; --bad: #6b3415; }
  }
  text { font: 15px ui-monospace, Menlo, Consolas, monospace; fill: var(--ink); text-anchor: middle; }
  .word { font-family: system-ui, sans-serif; font-size: 14px; } .soft { fill: var(--soft); }
  .small { font-size: 12px; } .start { text-anchor: start; } .head { font-weight: 600; }
  .cell { fill: var(--paper); stroke: var(--edge); } .lit { fill: var(--lit); } .dim { fill: var(--dim); }
  .bad { fill: var(--bad); } .x { fill: var(--x); font-weight: 700; } .o { fill: var(--o); font-weight: 700; }
  .arrow { stroke: var(--soft); stroke-width: 1.5; fill: none; marker-end: url(#tip); }
  .edge { stroke: var(--edge); fill: none; } .tip { fill: var(--soft); }
"""
TIP = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>'
)


def number(value: float) -> str:
    """A coordinate without needless digits."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def words(left: float, top: float, text: str, kind: str = "word") -> str:
    """A line of text; its baseline is at `top`."""
    return f'<text class="{kind}" x="{number(left)}" y="{number(top)}" xml:space="preserve">{escape(text)}</text>'


def arrow(*points: tuple[float, float]) -> str:
    """An arrow along these points."""
    path = " ".join(f"{number(x)} {number(y)}" for x, y in points)
    return f'<path class="arrow" d="M{path}"/>'


def board(
    left: float, top: float, rows: Sequence[Sequence[str]], lit: Iterable[int] = (), size: float = 30, kind: str = "lit"
) -> str:
    """A grid with a sign in each cell; X and O in their colours, the lit cells filled."""
    shown, chosen = [], set(lit)
    for r, row in enumerate(rows):
        for c, sign in enumerate(row):
            x, y = left + c * size, top + r * size
            fill = kind if r * len(row) + c in chosen else ""
            shown.append(
                f'<rect class="cell {fill}" x="{number(x)}" y="{number(y)}" width="{size}" height="{size}"/>'
                if fill
                else f'<rect class="cell" x="{number(x)}" y="{number(y)}" width="{size}" height="{size}"/>'
            )
            if sign.strip(". "):
                colour = {"X": "x", "O": "o"}.get(sign, "")
                shown.append(words(x + size / 2, y + size / 2 + 5, sign, colour))
    return "\n".join(shown)


def named_board(left: float, top: float, rows: Sequence[Sequence[str]], size: float) -> str:
    """A board with the names of its rows and columns, and signs that grow with its cells."""
    scale = size / 30
    names = [words(-12, 30 * r + 20, str(len(rows) - r), "small soft") for r in range(len(rows))]
    names += [words(30 * c + 15, 30 * len(rows) + 16, chr(ord("a") + c), "small soft") for c in range(len(rows[0]))]
    inside = "\n".join([board(0, 0, rows), *names])
    return f'<g transform="translate({number(left)} {number(top)}) scale({number(scale)})">\n{inside}\n</g>'


def picture(wide: float, high: float, title: str, parts: Iterable[str]) -> str:
    """The whole SVG."""
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(wide)} {number(high)}" width="{number(wide)}" '
        f'role="img" aria-label="{escape(title, quote=True)}">\n<style>{STYLE}</style>\n{TIP}\n'
        f'<rect width="100%" height="100%" rx="10" style="fill: var(--paper)"/>\n{body}\n</svg>\n'
    )
