"""Texts that other programs send: positions of UWAPI, files of predictions, games with letters in any order.

Law: refused by noughts' own error in one line; or a position reads back, a score counts no line twice, and the letters
of a game mean the same in every order.
"""

from __future__ import annotations

import random

from fuzzing import Plain, clear, mutated, seeds
from laws import require

from noughts import Game
from noughts.bridges import uwapi
from noughts.labels.predictions import scoring
from noughts.progress import finish
from noughts.rules.position import InvalidPosition

WORDS = [
    b"1_",
    b"2_",
    b"-",
    b"X",
    b"O",
    b"{",
    b'"',
    b"\n",
    b",",
    b"e",
    b"g",
    b"m",
    b"null",
    b"\0",
    b"[" * 999,
    b"9" * 30,
]
PREDICTIONS = [
    b'{"position": "XX./OO./...", "move": "c3"}\n{"position": "X........", "move": 4}',
    b"position,move\nX........,b2\n3x3k3m:.........,a1",
]
GAMES = [b"3x3k3", b"4x4k3egm", b"4x4k3mge", b"3x3k3m", b"4x5k4g", b"33x1k1"]
BOARDS = [b"1_X---O----", b"2_X--------", b"1_---------"]


class Target(Plain):
    """Texts, each with its entrance before a space."""

    name = "texts"

    def input(self, rng: random.Random) -> bytes:
        """A text for an entrance."""
        known = {b"uwapi": BOARDS + seeds("notation"), b"jsonl": PREDICTIONS, b"csv": PREDICTIONS, b"game": GAMES}
        entrance = rng.choice(list(known))
        text = rng.choice(known[entrance])
        return entrance + b" " + (mutated(rng, text, known[entrance], WORDS) if rng.random() < 0.9 else text)

    def run(self, data: bytes) -> None:
        """Send a text to its entrance."""
        entrance, _, text = data.decode("utf-8", "replace").partition(" ")
        try:
            getattr(self, f"_{entrance}", self._game)(text)
        except ValueError as problem:
            if isinstance(problem, uwapi.NotServed):
                problem = InvalidPosition(problem.detail)
            clear(problem)
            self.ends[f"{entrance} refused"] += 1
        else:
            self.ends[f"{entrance} read"] += 1

    def _uwapi(self, text: str) -> None:
        position = uwapi.read_position(Game(), text)
        require(
            uwapi.read_position(Game(), uwapi.format_position(position)) == position, f"{text!r} does not read back"
        )

    def _jsonl(self, text: str, form: str = "jsonl") -> None:
        score = finish(scoring(text.splitlines(keepends=True), form))
        tried = score.all
        most = len(text.splitlines())
        require(
            tried.kept + tried.illegal + tried.unreadable <= tried.predictions <= most, f"{score} of {text[:500]!r}"
        )

    def _csv(self, text: str) -> None:
        self._jsonl(text, "csv")

    def _game(self, text: str) -> None:
        game = Game.parse(text)
        require(Game.parse(str(game)) == game, f"{text!r} does not read back")
        size, letters = text.rstrip("egm"), text[len(text.rstrip("egm")) :]
        require(Game.parse(size + letters[::-1]) == game, f"{text!r} backwards is another game")
