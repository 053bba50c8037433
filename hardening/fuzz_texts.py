"""Texts of other programs: positions of UWAPI, files of predictions, saved games, games with letters in any order.

Law: refused by noughts' own error in one line; or a position reads back, a score counts no line twice, games are the
same when they are written and read again, and the letters of a game mean the same in every order.
"""

from __future__ import annotations

import random

from fuzzing import clear, mutated, one_line, seeds
from laws import require

from noughts import Game
from noughts.bridges import uwapi
from noughts.labels.predictions import scoring
from noughts.play import kept
from noughts.progress import finish

STEERED = "noughts"
WORDS = b'1_|2_|-|X|O|{|"|\n|,|e|g|m|null|\0|(|)|;|B[|W[hh]|[|]|\\|SZ[15]'.split(b"|")
WORDS += [b"[" * 999, b"9" * 30]
PREDICTIONS = [
    b'{"position": "XX./OO./...", "move": "c3"}\n{"position": "X........", "move": 4}',
    b"position,move\nX........,b2\n3x3k3m:.........,a1",
]
KNOWN = {
    b"uwapi": [b"1_X---O----", b"2_X--------", b"1_---------", *seeds("notation")],
    b"jsonl": PREDICTIONS, b"csv": PREDICTIONS,
    b"game": [b"3x3k3", b"4x4k3egm", b"4x4k3mge", b"3x3k3m", b"4x5k4g", b"33x1k1"],
    b"kept": [b"(;GM[1]SZ[15];B[hh];W[ii](;B[aa])(;B[bb]))", b"Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\nx.exe\n-1",
              b"15x15k5: h8 i9 j10", b"h8 i9 j10", b"[Event \"x\"]\n\n1. b2 a1"],
}  # fmt: skip


def made(rng: random.Random) -> bytes:
    """A text, with its entrance before a space."""
    entrance = rng.choice(list(KNOWN))
    text = rng.choice(KNOWN[entrance])
    return entrance + b" " + (mutated(rng, text, KNOWN[entrance], WORDS) if rng.random() < 0.9 else text)


def law(data: bytes) -> str:
    """Send a text to its entrance."""
    entrance, _, text = data.decode("utf-8", "replace").partition(" ")
    try:
        read = {"uwapi": _uwapi, "jsonl": _score, "csv": _score, "kept": _kept}.get(entrance, _game)
        read(text, entrance)
    except uwapi.NotServed as problem:
        one_line(problem.detail)
        return f"{read.__name__[1:]} refused"
    except ValueError as problem:
        clear(problem)
        return f"{read.__name__[1:]} refused"
    return f"{read.__name__[1:]} read"


def _uwapi(text: str, _: str) -> None:
    position = uwapi.read_position(Game(), text)
    again = uwapi.read_position(Game(), uwapi.format_position(position))
    require(again == position, f"{text!r} does not read back")


def _score(text: str, form: str) -> None:
    score = finish(scoring(text.splitlines(keepends=True), form))
    tried, most = score.all, len(text.splitlines())
    require(tried.kept + tried.illegal + tried.unreadable <= tried.predictions <= most, f"{score} of {text[:500]!r}")


def _game(text: str, _: str) -> None:
    game = Game.parse(text)
    require(Game.parse(str(game)) == game, f"{text!r} does not read back")
    size = text.rstrip("egm")
    require(Game.parse(size + text[len(size) :][::-1]) == game, f"{text!r} backwards is another game")


def _kept(text: str, _: str) -> None:
    for game in kept.read(text)[:3]:
        for form in kept.FORMATS:
            try:
                written = kept.write(game, form)
            except ValueError as problem:  # a format may have no words for a game
                clear(problem)
                continue
            [again] = kept.read(written)
            told = form == "sgf"  # the one format that keeps variations
            same = again.moves == game.moves if told else again.line == game.line
            require(same and again.start == game.start, f"{text!r} became {written!r} as {form}")
