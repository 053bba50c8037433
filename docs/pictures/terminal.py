"""Draws what a command prints in a terminal as an SVG: python docs/pictures/terminal.py FILE.svg COMMAND …

Colours are taken from the command's own escape codes, so the picture shows what a person sees.
"""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from html import escape
from pathlib import Path

CHAR, LINE, PAD = 8.4, 19, 18
COLOURS = {"94": "#56B4E9", "33": "#E69F00", "0": "#E6E6E6"}
ESCAPE = re.compile(r"\x1b\[([0-9;]*)m")


def run(command: list[str]) -> str:
    """What the command prints when it believes that it talks to a terminal."""
    main, side = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm-256color"}
    process = subprocess.Popen(command, stdout=side, stderr=side, stdin=side, env=environment)
    os.close(side)
    shown = b""
    while True:
        try:
            block = os.read(main, 65536)
        except OSError:
            break
        if not block:
            break
        shown += block
    process.wait()
    return shown.decode().replace("\r\n", "\n")


def spans(line: str) -> str:
    """A line of text with its escape codes turned into coloured spans."""
    colour, bold, made = COLOURS["0"], False, ""
    for number, part in enumerate(ESCAPE.split(line)):
        if number % 2 == 0:
            weight = ' font-weight="bold"' if bold else ""
            made += f'<tspan fill="{colour}"{weight}>{escape(part)}</tspan>' if part else ""
        else:
            for code in part.split(";"):
                bold = bold or code == "1"
                colour = COLOURS.get(code, colour)
            bold = bold and part not in ("", "0")
    return made


def draw(title: str, text: str) -> str:
    """The whole picture."""
    lines = [f"$ {title}", "", *text.rstrip("\n").split("\n")]
    wide = max(len(ESCAPE.sub("", line)) for line in lines) * CHAR + 2 * PAD
    high = len(lines) * LINE + 2 * PAD
    rows = "\n".join(
        f'<text x="{PAD}" y="{PAD + LINE * (number + 0.75):.0f}" xml:space="preserve">{spans(line)}</text>'
        for number, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high}" width="{wide:.0f}" role="img" '
        f'aria-label="{escape(title, quote=True)}" '
        'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">\n'
        f'<rect width="100%" height="100%" rx="10" fill="#16181D"/>\n{rows}\n</svg>\n'
    )


if __name__ == "__main__":
    target, *command = sys.argv[1:]
    shown = " ".join(f'"{word}"' if "/" in word else word for word in ["noughts", *command])
    Path(target).write_text(draw(shown, run([sys.executable, "-m", "noughts", *command])), encoding="utf-8")
