"""The layers of the house: python docs/pictures/layers.py writes docs/explanation/architecture.svg."""

from __future__ import annotations

from drawing import DOCS, arrow, picture, words

FILE = DOCS / "explanation" / "architecture.svg"

# From what everything rests on to what people see; each line uses only the lines before it.
LAYERS = [
    ("the rules", ["moved", "words", "log", "native", "rules"]),
    ("lines", ["detect", "threats", "shapes", "evaluate"]),
    ("values", ["files", "progress", "search", "solve", "proofs", "engine"]),
    ("words", ["explain", "account", "analysis", "walk", "course"]),
    ("use", ["interrupt", "child", "play", "labels", "lab", "bridges", "doctor"]),
    ("faces", ["cli", "web"]),
]
RULE = "Each module imports only from those to its left and below it; a test holds it to that."
WIDE, HIGH, LEFT, TOP, STEP = 86, 34, 132, 24, 56


def box(left: float, top: float, wide: float, text: str, kind: str = "cell") -> str:
    """A module."""
    return (
        f'<rect class="{kind}" x="{left:g}" y="{top:g}" width="{wide:g}" height="{HIGH}" rx="6"/>'
        f"{words(left + wide / 2, top + 22, text, '')}"
    )


def draw() -> str:
    """The picture."""
    parts, bottom = [], TOP + STEP * (len(LAYERS) - 1)
    for level, (title, modules) in enumerate(LAYERS):
        top = bottom - level * STEP
        parts.append(words(24, top + 22, title, "word head start"))
        for place, module in enumerate(modules):
            parts.append(box(LEFT + place * (WIDE + 10), top, WIDE, module))
    rules, values, core = bottom, bottom - 2 * STEP, LEFT + 6 * (WIDE + 10) + 30
    parts += [
        f'<rect class="cell lit" x="{core}" y="{values}" width="150" height="{rules + HIGH - values}" rx="6"/>',
        *(
            words(core + 75, values + 40 + 24 * line, text, kind)
            for line, (text, kind) in enumerate(
                [
                    ("the native core", ""),
                    ("C++, optional: each", "word"),
                    ("routine has a twin", "word"),
                    ("in Python", "word"),
                ]
            )
        ),
        arrow((LEFT + 4 * (WIDE + 10) - 8, rules + HIGH / 2), (core - 6, rules + HIGH / 2)),
        arrow((LEFT + 6 * (WIDE + 10) - 8, values + HIGH / 2), (core - 6, values + HIGH / 2)),
        words(24, bottom + HIGH + 34, RULE, "word start"),
    ]
    return picture(
        core + 174,
        bottom + HIGH + 54,
        "The layers: rules, lines, values, words, use, faces",
        parts,
    )


if __name__ == "__main__":
    FILE.write_text(draw(), encoding="utf-8")
