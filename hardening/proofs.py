"""Games proven, each with its certificate: `make proofs`.

python hardening/proofs.py [DIR] [--seconds S] [--games 5x5k4,7x7k5] [--small]

Proves every game of GAMES that DIR has no certificate of yet (another run goes on where this one was stopped: a search
for holding is kept in DIR too), has check.py read each, and writes the table of what is proven: the package's own,
src/noughts/proofs/games.json, which `noughts atlas` shows; small certificates come with the package. With --small it
proves every game of at most 25 cells with the standard rule and compares it with its strong solution; nothing is
written then but docs/quality.md.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import shutil
import sys
from pathlib import Path
from time import process_time
from typing import Any

from record import record

from noughts.cli.meter import finish_showing
from noughts.files import writing
from noughts.proofs import wins
from noughts.proofs.certificate import Part, main_line, plies
from noughts.proofs.check import check
from noughts.proofs.prove import Proven, proving
from noughts.rules.game import Game
from noughts.solve import atlas

PROOFS = Path(__file__).resolve().parent.parent / "src" / "noughts" / "proofs"
TABLE, SHIPPED = PROOFS / "games.json", PROOFS / "games"
SMALL = 12 << 10  # bytes of a certificate that comes with the package, whose wheel stays below 2 MB
ALWAYS = {"7x7k5"}  # comes with it, too
GAMES = (  # what is to be proven, and whom the search should favour
    ("5x6k4", "win"), ("6x6k4", "win"), ("5x7k4", "win"), ("4x9k4", "win"), ("7x7k4", "win"),
    ("3x3k3", "hold"), ("4x4k4", "hold"), ("4x5k4", "hold"), ("4x6k4", "hold"), ("4x7k4", "hold"), ("4x8k4", "hold"),
    ("5x5k4", "hold"), ("5x5k5", "hold"), ("6x6k5", "hold"), ("6x7k5", "hold"), ("6x8k5", "hold"), ("6x9k5", "hold"),
    ("6x10k5", "hold"), ("7x7k5", "hold"), ("7x8k5", "hold"), ("8x8k5", "hold"), ("8x8k6", "hold"), ("8x9k6", "hold"),
    ("9x9k6", "hold"), ("9x10k6", "hold"), ("10x10k6", "hold"), ("12x12k7", "hold"), ("12x12k8", "hold"),
    ("15x15k9", "hold"), ("19x19k9", "hold"),
)  # fmt: skip
MEMORY = 4 << 30
NODES = 20_000_000  # for a shorter win


def prove_game(name: str, goal: str, folder: Path, seconds: float) -> dict[str, Any] | None:
    """Prove a game, write its certificate, and give its row of the table; None if it was not settled."""
    target, kept = folder / f"{name}.proof.gz", folder / f"{name}.search"
    start = process_time()
    resume = kept if Game.parse(name).cells <= 256 else None
    work = proving(Game.parse(name), seconds=seconds, goal=goal, memory=MEMORY, resume=resume)  # type: ignore[arg-type]
    found: Proven = finish_showing(work)
    if not found.verdict.is_exact:
        return None
    if goal == "win":
        found = shortest(found)
    found.save(target)
    kept.unlink(missing_ok=True)
    with gzip.open(target) as file:
        text = file.read()
    if not check(target).holds:
        raise AssertionError(f"{target} does not hold")
    if name in ALWAYS or target.stat().st_size <= SMALL:
        shutil.copy(target, SHIPPED)
    took = round(process_time() - start, 1)
    return {
        "game": name, "claim": found.claim, "remoteness": found.verdict.remoteness, "within": found.verdict.within,
        "how": list(found.verdict.how), "nodes": found.nodes, "seconds": took,
        "certificate_lines": text.count(b"\n"), "certificate_bytes": target.stat().st_size,
        "sha256": hashlib.sha256(text).hexdigest(),
    }  # fmt: skip


def shortest(found: Proven) -> Proven:
    """The same with the shortest win that some nodes find, and its distance where there is no shorter one."""
    position = found.position
    quick = wins.shorter(position, wins.search(position, NODES), NODES)
    if not quick.strategy:
        return found
    least = plies(quick.strategy)
    part = Part(position.turn, "wins", quick.strategy)
    told = found.verdict._replace(within=least, line=main_line(quick.strategy), certificate=(part,))
    return found._replace(verdict=told._replace(remoteness=least if quick.complete else None))


def all_games(folder: Path, seconds: float, names: list[str]) -> int:
    """Prove those that the folder lacks, and write the table after each."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = {row["game"]: row for row in json.loads(TABLE.read_text())} if TABLE.exists() else {}
    missing = []
    for name, goal in GAMES:
        if (names and name not in names) or (name in rows and (folder / f"{name}.proof.gz").exists()):
            continue
        if row := prove_game(name, goal, folder, seconds):
            rows[name] = row
            said = f"{row['claim']}, {row['nodes']:,} nodes, {row['seconds']} s, {row['certificate_bytes']:,} bytes"
            print(f"{name}: {said}", flush=True)
            with writing(TABLE) as file:
                listed = [rows[name] for name, _ in GAMES if name in rows]
                file.write("[\n" + ",\n".join(json.dumps(row) for row in listed) + "\n]\n")
        else:
            missing.append(name)
            print(f"{name}: not settled within {seconds:.0f} s", flush=True)
    sizes = sum(row["certificate_bytes"] for row in rows.values())
    left = f"; not settled: {', '.join(missing)}" if missing else ""
    record("proofs", f"{len(rows)} games proven, their certificates checked, {sizes:,} bytes together{left}")
    return 0


def small_games(seconds: float) -> int:
    """Every game of at most 25 cells, the standard rule and every k, against the atlas of strong solutions."""
    known = atlas.load()
    settled, compared, missing = 0, 0, list[str]()
    for rows in range(1, 6):
        for columns in range(rows, 25 // rows + 1):
            for k in range(1, columns + 1):
                game = Game(rows, columns, k)
                found = finish_showing(proving(game, seconds=seconds))
                if not found.verdict.is_exact:
                    missing.append(str(game))
                elif game in known and known[game].computed:
                    if found.verdict.outcome != known[game].value:
                        raise AssertionError(f"{game} is proven a {found.verdict.outcome}, and solved as {known[game]}")
                    compared += 1
                settled += found.verdict.is_exact
                print(f"{game}: {found.claim}, {found.nodes:,} nodes, {found.seconds:.1f} s", flush=True)
    left = f"; not settled within {seconds:.0f} s: {', '.join(missing)}" if missing else ""
    same = f"the {compared} that the atlas has solved all as they are solved"
    record("proofs SMALL=yes", f"{settled} games of at most 25 cells proven, {same}{left}")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("folder", nargs="?", type=Path, default=Path("proofs"))
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--games", default="")
    parser.add_argument("--small", action="store_true")
    given = parser.parse_args()
    if given.small:
        return small_games(given.seconds)
    return all_games(given.folder, given.seconds, given.games.split(",") if given.games else [])


if __name__ == "__main__":
    sys.exit(main())
