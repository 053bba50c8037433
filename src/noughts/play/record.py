"""A game as text: the board, a colon, and the moves, as in `3x3k3: b2 a1 c3`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from noughts.rules.game import Game
from noughts.rules.notation import NotationError, parse_game
from noughts.words import brief

MAX_FILE = 1_000_000


def format_record(game: Game, moves: Iterable[str]) -> str:
    """A game as one line."""
    return f"{game}: {' '.join(moves)}".rstrip() + "\n"


def parse_record(text: str) -> tuple[Game, list[str]]:
    """Read a game back; whether its moves are legal is for the replay to say.

    >>> parse_record("3x3k3: b2 a1 c3")
    (Game(rows=3, columns=3, k=3), ['b2', 'a1', 'c3'])
    """
    name, colon, moves = text.strip().partition(":")
    if not colon:
        raise NotationError(
            f"{brief(text.strip())} is not a game: expected the board and the moves, as in 3x3k3: b2 a1"
        )
    game = parse_game(name.strip())
    found = moves.split()
    if len(found) > game.cells:
        raise NotationError(f"there are {len(found):,} moves, but {game} has {game.cells:,} cells")
    return game, found


def read_record(path: Path) -> tuple[Game, list[str]]:
    """Read a game from a file."""
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(MAX_FILE + 1)
    except OSError as problem:
        raise NotationError(f"{path} cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise NotationError(f"{path} is not a text file") from None
    if len(text) > MAX_FILE:
        raise NotationError(f"{path} is too long for a game: the limit is {MAX_FILE:,} characters")
    return parse_record(text)
