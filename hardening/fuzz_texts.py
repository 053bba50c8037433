"""Texts of other programs: positions of UWAPI, files of predictions, saved games, games with letters in any order.

Law: refused by noughts' own error in one line; or a position reads back, a score counts no line twice, games are the
same when they are written and read again, and the letters of a game mean the same in every order.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from fuzzing import mutated, seeds, unless_refused
from laws import require

from noughts import Game
from noughts.bridges import uwapi
from noughts.labels.predictions import scoring
from noughts.play import kept
from noughts.progress import finish

STEERED = "noughts"
SEEDS = [line.replace(b"\\n", b"\n") for line in seeds("texts")]  # of each an entrance, and after a space the text


def made(rng: random.Random) -> bytes:
    """A text, with its entrance before a space."""
    entrance, _, text = rng.choice(SEEDS).partition(b" ")
    others = [seed.partition(b" ")[2] for seed in SEEDS if seed.startswith(entrance)]
    return entrance + b" " + (mutated(rng, text, others) if rng.random() < 0.9 else text)


def law(data: bytes) -> str:
    """Send a text to its entrance."""
    entrance, _, text = data.decode("utf-8", "replace").partition(" ")
    name, read, holds = ENTRANCES.get(entrance, ENTRANCES["game"])
    found = unless_refused(read, text)
    if found is not None:
        holds(text, found)
    return f"{name} {'refused' if found is None else 'read'}"


def _position(text: str, position: Any) -> None:
    again = uwapi.read_position(Game(), uwapi.format_position(position))
    require(again == position, f"{text!r} does not read back")


def _score(text: str, score: Any) -> None:
    tried, most = score.all, len(text.splitlines())
    require(tried.kept + tried.illegal + tried.unreadable <= tried.predictions <= most, f"{score} of {text[:500]!r}")


def _game(text: str, game: Any) -> None:
    require(Game.parse(str(game)) == game, f"{text!r} does not read back")
    size = text.rstrip("egm")
    require(Game.parse(size + text[len(size) :][::-1]) == game, f"{text!r} backwards is another game")


def _games(text: str, games: Any) -> None:
    for game in games[:3]:
        for form in kept.FORMATS:
            written = unless_refused(kept.write, game, form)  # a format may have no words for a game
            if written is None:
                continue
            [again] = kept.read(written)
            told = form == "sgf"  # the one format that keeps variations
            same = again.moves == game.moves if told else again.line == game.line
            require(same and again.start == game.start, f"{text!r} became {written!r} as {form}")


ENTRANCES: dict[str, tuple[str, Callable[[str], Any], Callable[[str, Any], None]]] = {
    "uwapi": ("uwapi", lambda text: uwapi.read_position(Game(), text), _position),
    "jsonl": ("score", lambda text: finish(scoring(text.splitlines(keepends=True), "jsonl")), _score),
    "csv": ("score", lambda text: finish(scoring(text.splitlines(keepends=True), "csv")), _score),
    "game": ("game", Game.parse, _game),
    "kept": ("kept", kept.read, _games),
}
