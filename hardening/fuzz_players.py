"""Users' Python files, broken in every way, graded, certified and matched.

An input is a file and what is asked of it. Good files (corpus/players) get statements that hang, exit, fork, print,
meddle or eat memory (corpus/nasty.txt), at any line, and plain mutation; or a player with a memory or with luck, which
plays well until it does not (`changing`, by corpus/when.txt).

Laws: there is a verdict, which can be shown and is JSON, or one short printable line of noughts' own that says why
there is none; it takes no longer than the limits allow; no process is left, not even one that left its group. And what
is certified holds in play: a player that never loses loses none of a series of games, a lost game is lost again, and a
player of which neither is said did answer in two ways.
"""

from __future__ import annotations

import io
import json
import os
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

import sandbox
from fuzzing import HERE, mutated, seeds, unless_refused
from laws import require, require_alone

from noughts import Mark, Position
from noughts.cli import certify, match
from noughts.play import Certificate, by_name, find_player, user_file
from noughts.play.certification import Side
from noughts.play.matches import Series, play_number

TIME_LIMIT, TOTAL_LIMIT, LOADING = 0.3, 1.0, 2.0
LONGEST = 60  # seconds for one file on a busy machine
GAMES = 20  # that a certified player plays, each side in turn, against opposition without a plan
FILES = {path.stem: path.read_text(encoding="utf-8") for path in (HERE / "corpus" / "players").iterdir()}
CHANGING = (HERE / "corpus" / "changing.txt").read_text(encoding="utf-8")
NASTY = [line.decode() for line in seeds("nasty")]
ASKED = {  # of each file: what is asked of it, and of which function
    "classroom": (["classroom", "classroom", "classroom", "partly", "certify"], ["minimax", "winner"]),
    "player": (["certify", "certify", "match", "match", "partly"], ["cell", "text", "pair", "several", "first", "os"]),
}
home = Path()


@contextmanager
def around() -> Iterator[None]:
    """A folder outside which nothing changes."""
    global home
    with tempfile.TemporaryDirectory(prefix="noughts-fuzz-players-") as name:
        home = Path(name)
        os.environ.update(sandbox.environment(home))
        user_file.LOADING = LOADING
        yield


def made(rng: random.Random) -> bytes:
    """A file, and what is asked of it."""
    name = rng.choice(sorted(ASKED))
    (asks, functions), source = ASKED[name], FILES[name]
    if rng.random() < 0.2:
        when = rng.choice(seeds("when")).decode()
        when = when.format(few=rng.randint(2, 400), one=rng.randint(2, 8), share=rng.uniform(0.05, 0.5))
        source += "\n\n" + CHANGING.replace("{when}", when)
        return json.dumps({"ask": "certify", "function": "changing", "source": source}).encode()
    for _ in range(rng.choice((0, 1, 1, 1, 2))):
        lines, nasty = source.split("\n"), rng.choice(NASTY)
        inside = [at for at, line in enumerate(lines) if line.startswith("    ")]  # a function
        at = rng.choice(inside) if rng.random() < 0.9 else rng.randrange(len(lines))
        indent = " " * (len(lines[at]) - len(lines[at].lstrip()))
        luck = "if __import__('random').random() < 0.1: " if rng.random() < 0.3 else ""
        lines.insert(at, indent + luck + nasty)
        source = "\n".join(lines)
    if rng.random() < 0.3:
        data = mutated(rng, source.encode(), [*map(str.encode, FILES.values())], seeds("nasty"))
        source = data.decode("utf-8", "replace" if rng.random() < 0.5 else "surrogateescape")
    return json.dumps({"ask": rng.choice(asks), "function": rng.choice(functions), "source": source}).encode()


def law(data: bytes) -> str:
    """Ask for a verdict on a file."""
    given, path, end = json.loads(data), home / "mine.py", "verdicts"
    path.write_bytes(given["source"].encode("utf-8", "surrogateescape"))
    found = unless_refused(asked, str(path), given["ask"], given["function"])
    if found is None:
        end = "refused"
    else:
        with redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")):
            (match.show if isinstance(found, Series) else certify.show)(found)
        json.dumps(found.to_json())
        if isinstance(found, Certificate) and unless_refused(holds, str(path), given["function"], found):
            end = "verdicts that hold in play"
    require_alone()
    return end


def asked(path: str, ask: str, function: str) -> Any:
    """What is found of it."""
    if ask == "match":
        return by_name.match(f"{path}:{function}", "random", games=4, time_limit=TIME_LIMIT)
    if ask == "certify":
        return by_name.certify(f"{path}:{function}", limit=2000, time_limit=TIME_LIMIT)
    return by_name.certify(path, time_limit=TIME_LIMIT, total_limit=TOTAL_LIMIT, partly=ask == "partly")


def holds(path: str, function: str, found: Certificate) -> bool:
    """What was certified must hold in play; an answer that does not come in time is none of that."""
    for side in (found.x, found.o):
        if side.never_loses is None:
            difference = found.difference
            require(difference and difference.first != difference.later, f"no two answers in {difference}")
        elif found.consistent and not side.forfeit:
            with user_file.UserFile(path, TIME_LIMIT) as file:
                file.starts = 100  # so that sets have an order that was not tried
                file.start()
                _play(user_file.UserPlayer(file, function), found, side)
    return True


def _play(player: user_file.UserPlayer, found: Certificate, side: Side) -> None:
    """Play the lost game again, or a series of others."""
    lost = side.counterexample

    def again(position: Position) -> int:
        now, then = player.choices(position), (lost or ())[position.marks]
        require(then in now, f"{player} plays {now} in {position}, not {then} as in {lost}")
        return then

    for seed in range(1 if lost else GAMES):
        both: list[Any] = [again, lambda position: (lost or ())[position.marks]]
        both = both if lost else [player, find_player("random", seed)]
        x, o = (lambda _, each=each: each for each in (both if side.mark is Mark.X else both[::-1]))
        played = play_number(x, o, 0, found.game)
        if not played.forfeit:
            says = "does not lose" if lost else "loses"
            wins = played.winner is side.mark.other
            require(wins == bool(lost), f"{player} as {side.mark} {says} {played.end}, seed {seed}")
