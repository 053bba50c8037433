"""The engine of this checkout against that of another revision, by a sequential test: make ladder REV=v0.1.0.

The other is built outside the checkout, and both play as programs by the Gomocup protocol.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

HOUSE = Path(__file__).resolve().parents[1]


def build(revision: str, folder: Path) -> Path:
    """A program that is the engine of a revision."""
    source, site = folder / "source", folder / "site"
    source.mkdir()
    archive = subprocess.run(["git", "archive", revision], cwd=HOUSE, stdout=subprocess.PIPE, check=True)
    subprocess.run(["tar", "-x", "-C", str(source)], input=archive.stdout, check=True)
    if not (source / "src/noughts/engine").is_dir():
        raise SystemExit(f"{revision} has no engine to play against: name a later revision, as in REV=main")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "--target", str(site), str(source)], check=True)
    program = folder / "pbrain-before"
    paths = [str(site), *(path for path in sys.path if path.endswith("site-packages"))]
    start = f"import sys; sys.path[:0] = {paths!r}; from noughts.cli.gomocup import main; main()"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -S -c "{start}"\n', encoding="utf-8")
    program.chmod(0o755)
    return program


def main() -> None:
    """Build the other, and play."""
    revision, *options = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        other = build(revision, Path(folder))
        ours = Path(sys.executable).with_name("pbrain-noughts")
        script = Path(__file__).with_name("engine.py")
        command = [sys.executable, str(script), f"gomocup:{ours}", f"gomocup:{other}", "--games", "2000", *options]
        raise SystemExit(subprocess.run(command, check=False).returncode)


if __name__ == "__main__":
    main()
